/* A folder of a test's own, and what tests put into it. All functions assert (CMocka) that they succeed. */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

enum { SCRATCH_BYTES = 512 };

void scratch_make(char folder[SCRATCH_BYTES]); /* below $TMPDIR or /tmp, free of links */
void scratch_remove(const char *folder);       /* with all that is in it */

/* CMocka's fixtures: a folder for each test. */
extern char scratch_own[SCRATCH_BYTES];
int scratch_begin(void **state);
int scratch_end(void **state);

/* folder/name in one of four buffers that take turns. */
const char *scratch_path(const char *folder, const char *name);

void scratch_folder(const char *path);                                 /* with its parents */
void scratch_write(const char *path, const void *bytes, size_t count); /* makes the parents too */
void scratch_text(const char *path, const char *text);
char *scratch_read(const char *path, size_t *count); /* malloc'd, NUL added */
int scratch_count(const char *folder);               /* entries of any kind and name */

/* Runs a program, found by PATH, with its standard output in a file (NULL: as ours); true when it exits with 0. */
bool scratch_run(const char *const arguments[], const char *output);

/* Runs a task in a child that has no special rights (root becomes user 65534, "nobody"; give it what it needs with
 * scratch_give), and returns its result, 0 to 127. It must not use CMocka assertions. */
int scratch_unprivileged(int (*task)(void *user), void *user);
void scratch_give(const char *path); /* to the user that the child becomes; does nothing unless we are root */

/* Runs a task in a child that has a file system of so many KiB of its own at folder. -1 when that cannot be had. */
int scratch_in_small_file_system(const char *folder, int kib, int (*task)(void *user), void *user);

/* Writes a file that begins as a shared library of this machine and is nothing more. */
void scratch_elf(const char *path);

#endif
