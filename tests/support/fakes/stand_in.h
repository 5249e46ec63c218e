/* The stand-in of NCCL (tests/nccl/stand_in.c), compiled for a test. */
#ifndef TESTS_SUPPORT_STAND_IN_H
#define TESTS_SUPPORT_STAND_IN_H

/* Compiles it into a folder of its own, and has the environment say where the library and its driver are. driver: path.
 * Asserts that there is a compiler. */
void stand_in_make(const char *driver);
void stand_in_remove(void);

/* CMocka's fixtures of a group: those of open_context.h, with four devices of the simulator and the stand-in for them.
 */
int stand_in_open_devices(void **state);
int stand_in_close_devices(void **state);

/* The library's path. */
const char *stand_in_path(void);

/* What goes wrong from now on, as tests/nccl/stand_in.c lists it; NULL: nothing. */
void stand_in_fails(const char *what);

#endif
