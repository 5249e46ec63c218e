/* Opens the device under test (JITREDUCE_DEVICE) for tests that run on the simulator and on a GPU from one source, and
 * gives them the driver's own functions for memory, streams and graphs. */
#ifndef TESTS_SUPPORT_OPEN_CONTEXT_H
#define TESTS_SUPPORT_OPEN_CONTEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "jitreduce.h"
#include "loader/driver.h"

typedef struct opened {
    jr_context *context;
    jr_device_info info;
    jr_driver driver;
    jr_cu_context cuda; /* what the context lives in; current in the test's thread */
} opened;

/* CMocka's fixtures, for a test or a group: *state is an opened. */
int open_context(void **state);
int close_context(void **state);

/* Likewise; of the simulator, which reads how many devices it has when it is opened, four. */
int open_four_devices(void **state);

/* The library's call succeeds; the driver's call succeeds; the library's call fails with this status and a reason that
 * has this text in it. Each fails the test with what was said instead. */
#define works(call)              open_context_works((call), #call, __FILE__, __LINE__)
#define drives(call)             open_context_drives((call), #call, __FILE__, __LINE__)
#define fails(call, status, why) open_context_fails((call), (status), (why), __FILE__, __LINE__)
void open_context_works(jr_status status, const char *call, const char *file, int line);
void open_context_drives(jr_cu_result result, const char *call, const char *file, int line);
void open_context_fails(jr_status got, jr_status wanted, const char *why, const char *file, int line);

/* Device memory. Asserts that it can be had; addresses are 256-byte aligned. */
void *device_new(const opened *device, size_t bytes);
void device_free(const opened *device, void *address);
void device_write(const opened *device, void *to, const void *from, size_t bytes);
void device_read(const opened *device, void *to, const void *from, size_t bytes);
size_t device_free_bytes(const opened *device); /* under compute-sanitizer always 0 */

jr_cu_deviceptr device_address(const void *pointer);

/* A stream of the current context that does not wait for the default one. */
jr_stream stream_new(const opened *device);
void stream_wait(const opened *device, jr_stream stream);
void stream_free(const opened *device, jr_stream stream);

/* What is launched on the stream between begin and end becomes a graph instead. */
void graph_begin(const opened *device, jr_stream stream);
jr_cu_graph_exec graph_end(const opened *device, jr_stream stream);
void graph_free(const opened *device, jr_cu_graph_exec graph);

/* A workspace for a plan's runs on a stream, prepared; it held garbage before, as fresh memory may. */
void *workspace_new(const opened *device, jr_plan *plan, jr_stream stream);

/* Runs a plan on the default stream with its own workspace and waits for its value. */
jr_value plan_value(const opened *device, jr_plan *plan, const void *d_in, uint64_t count);

/* Skips a test that needs so many bytes of device memory: too much for the simulator, and for a small or busy GPU. */
void skip_without_memory(const opened *device, size_t bytes);

/* Pseudo-random 64 bits (splitmix64) and a number in [0, below). */
uint64_t random_bits(uint64_t *seed);
uint64_t random_below(uint64_t *seed, uint64_t below);

#endif
