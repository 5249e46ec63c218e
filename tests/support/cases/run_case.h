/* What the tests of runs of equal keys share: a run on device memory between guards. */
#ifndef TESTS_SUPPORT_RUN_CASE_H
#define TESTS_SUPPORT_RUN_CASE_H

#include "segment_case.h"

/* What one run reads and writes on the device; the arrays lie as the case says, and what is written between guards. */
typedef struct run_arrays {
    void *rooms[5]; /* of data, keys, results, keys of runs, their count */
    void *in, *out;
    jr_work_data segments;
    size_t key_bytes, result_bytes;
} run_arrays;

run_arrays run_arrays_new(const opened *device, const jr_plan *plan, const segment_case *runs, const jr_spec *spec,
                          const void *data);
void run_arrays_free(const opened *device, run_arrays *arrays);

/* Overwrites what a run has written. */
void run_arrays_clear(const opened *device, const run_arrays *arrays, const segment_case *runs);

/* Asserts count and keys of the runs, to the bit, and that nothing after them was written; returns the results. */
unsigned char *run_arrays_read(const opened *device, const run_arrays *arrays, const segment_case *runs);

/* As segments_run, which calls it. */
unsigned char *runs_run(const opened *device, const jr_spec *spec, const segment_case *runs, const void *data);

#endif
