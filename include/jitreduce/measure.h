/* Measuring: how long things take on the device, compared with each other.
 * Manual: measure.md. */
#ifndef JITREDUCE_MEASURE_H
#define JITREDUCE_MEASURE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the time of a run is measured. */
typedef enum jr_measure_mode {
    JR_MEASURE_LAUNCHES = 0, /* device time of a batch of runs, enqueued one after the other */
    JR_MEASURE_GRAPH = 1,    /* device time of a batch that was captured into a CUDA graph and is replayed */
    JR_MEASURE_HOST = 2      /* host time of calls that return when their result is complete */
} jr_measure_mode;

/* One thing to measure. Keeps its layout in all versions. */
typedef struct jr_measured {
    /* Enqueues one run on the stream; with JR_MEASURE_HOST it must return when the result is complete. `run` counts
     * from 0 over all runs of this item, so that each run can use the next of several buffers; a replayed graph repeats
     * those with which it was captured. Returns JR_OK, or a status that ends the measurement. */
    jr_status (*run)(void *user, uint64_t run, jr_stream stream);
    void *user; /* passed through */
} jr_measured;

enum { JR_MEASURE_ROUNDS = 21, JR_MEASURE_BATCH_MAX = 64 };

/* How to measure. JR_INIT(jr_measure_options), then set what matters. */
typedef struct jr_measure_options {
    size_t size; /* sizeof(jr_measure_options) */
    jr_measure_mode mode;
    int rounds;                /* samples of each item, taken in turn, forwards then backwards (A B C C B A): the first
                                * and last find their own data in the caches, unless each run uses the next of several
                                * buffers or `before` empties the caches; 0: JR_MEASURE_ROUNDS */
    int batch;                 /* runs per sample; 0: as many as take about 4 ms, at most JR_MEASURE_BATCH_MAX, but
                                * 1 with JR_MEASURE_HOST */
    double limit_ms;           /* no round after the first begins after this much host time; 0: no limit */
    const jr_measured *before; /* run before each sample and not timed, for example to empty the L2 cache; NULL:
                                * nothing */
} jr_measure_options;

/* Measures several items in comparison, on a stream of its own: each runs once to warm up, then all take turns. Other
 * work that runs at the same time disturbs the measurement.
 *
 * options: NULL: all defaults.
 * items: `count` things to measure.
 * count: 1 or more.
 * microseconds: room for `count` times options->rounds (default: JR_MEASURE_ROUNDS) numbers: the time of one run for
 *   each sample, the samples of the first item first; written on success only.
 * rounds: how many rounds were made, fewer than wanted if `limit_ms` ended them (the rest of each item's samples is
 *   then 0); written on success only; may be NULL.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_MISSING_FUNCTION (the driver has no graphs), JR_ERROR_INVALID_ARGUMENT,
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT, and what a run returned; the message begins with the item's number.
 * Since: 0.1. */
JR_API jr_status jr_measure(jr_context *context, const jr_measure_options *options, const jr_measured *items, int count,
                            double *microseconds, int *rounds);

#ifdef __cplusplus
}
#endif
#endif
