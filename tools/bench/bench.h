/* What the benchmarks share: a context with device buffers, and medians. */
#ifndef JR_BENCH_H
#define JR_BENCH_H

#include "base/error.h"
#include "bench/peer.h" /* tools/jitreduce */
#include "jitreduce.h"
#include "loader/driver.h"

/* A device under test: the library's context, and the driver, both in the primary context. */
typedef struct bench_device {
    jr_context *context;
    jr_driver driver;
    jr_device_info info;
} bench_device;

/* Opens the device that the settings name; ends the program with a message if that fails. */
void bench_open(bench_device *device);
void bench_close(bench_device *device);

/* Ends the program with the last error unless status is JR_OK. */
void bench_check(jr_status status, const char *action);
/* The same for what is no status: ends the program with a message as printf has it. */
#define bench_demand(condition, ...)                                                                                   \
    do                                                                                                                 \
        if (!(condition)) bench_check(jr_fail(JR_ERROR_INVALID_ARGUMENT, __VA_ARGS__), "bench");                       \
    while (0)
/* The same for a driver call. */
void bench_driver(const bench_device *device, jr_cu_result result, const char *action);

/* Allocates device memory filled with f32 values from 0 to 1 that differ. */
jr_cu_deviceptr bench_fill(const bench_device *device, uint64_t bytes);

/* Opens a peer by its path; ends the program if the file is not a peer. It stays open. */
const peer *bench_peer(const char *path);

/* Prints the head of a CSV file: the device, the versions of everything that takes part, and the command, with files by
 * name instead of path. */
void bench_head(const bench_device *device, const peer *const *peers, int peer_count, int argc, char *const *argv);

/* Reads a whole number; ends the program if text is not one. */
int bench_number(const char *text);

/* Calls measure in a process of its own, which has opened neither driver nor NVRTC, and gives back the count numbers
 * that it wrote; ends the program when that process fails. The caller must have opened neither, too. */
typedef void (*bench_measure)(const void *options, double *numbers);
void bench_fresh(bench_measure measure, const void *options, double *numbers, int count);

/* The median of count numbers; sorts them. */
double bench_median(double *numbers, int count);

#endif
