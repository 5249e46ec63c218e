/* Measuring: how long things take on the device beside each other, and what a list of times says. */
#ifndef JITREDUCE_MEASURE_H
#define JITREDUCE_MEASURE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a run's time is taken. */
typedef enum jr_measure_mode {
    JR_MEASURE_LAUNCHES = 0, /* device time of a batch of runs, one put on the stream after the other */
    JR_MEASURE_GRAPH = 1,    /* device time of a batch that was captured into a CUDA graph and is replayed */
    JR_MEASURE_HOST = 2      /* host time of calls that return when their result is there */
} jr_measure_mode;

/* One thing to measure. Keeps its layout in all versions. */
typedef struct jr_measured {
    /* Puts one run on the stream; of JR_MEASURE_HOST returns when its result is there. run counts from 0 over all runs
     * of this thing, so that each can take the next of several buffers; a replayed graph repeats those that it was
     * captured with. Returns JR_OK, or a status that ends the measurement. */
    jr_status (*run)(void *user, uint64_t run, jr_stream stream);
    void *user; /* passed through */
} jr_measured;

enum { JR_MEASURE_ROUNDS = 21, JR_MEASURE_BATCH_MAX = 64 };

/* How to measure. JR_INIT(jr_measure_options), then set what matters. */
typedef struct jr_measure_options {
    size_t size; /* sizeof(jr_measure_options) */
    jr_measure_mode mode;
    int rounds;                /* samples of each thing, taken in turn, there and back (A B C C B A): what is
                                * first or last meets its own data in the caches, unless each run takes the next of
                                * several buffers or `before` empties them; 0: JR_MEASURE_ROUNDS */
    int batch;                 /* runs a sample; 0: as many as take about 4 ms, JR_MEASURE_BATCH_MAX at most; calls
                                * timed by the host one by one */
    double limit_ms;           /* no round after the first begins when so much host time is over; 0: no limit */
    const jr_measured *before; /* run before each sample and not timed, as something that empties the L2 cache; NULL:
                                * nothing */
} jr_measure_options;

/* Measures things beside each other on a stream of its own: each runs once to warm up, then all take turns.
 * options: NULL for all defaults. items: count of them, 1 or more. microseconds: of one run, count times the rounds
 * wanted, the samples of the first item first. rounds: how many were made, fewer than wanted when the time was over;
 * then the rest of each item's samples is 0; may be NULL. Both are written on success only. Owns: nothing. Threads:
 * any; what runs at the same time disturbs. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY,
 * JR_ERROR_MISSING_FUNCTION (a driver without graphs), JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT, and what a run returned;
 * the message begins with the item's number. Since: 0.1. */
JR_API jr_status jr_measure(jr_context *context, const jr_measure_options *options, const jr_measured *items, int count,
                            double *microseconds, int *rounds);

/* What a list of numbers says: half of them lie between the quartiles. Keeps its layout in all versions. */
typedef struct jr_spread {
    double median, lower_quartile, upper_quartile, least, most;
} jr_spread;

/* Finds median, quartiles (interpolated between neighbours) and range of numbers.
 * numbers: count of them, 1 or more, none of them NaN; not changed. spread: written on success only.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. Since: 0.1. */
JR_API jr_status jr_spread_of(const double *numbers, int count, jr_spread *spread);

/* y = intercept + slope * x. Keeps its layout in all versions. */
typedef struct jr_line {
    double intercept, slope;
} jr_line;

/* Fits a line to points so that the sum of the squares of the relative residuals is least: a time of microseconds
 * counts as much as one of milliseconds. x, y: count of each, 2 or more; y above 0, x not all equal. line: written on
 * success only. Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.1. */
JR_API jr_status jr_line_fit(const double *x, const double *y, int count, jr_line *line);

#ifdef __cplusplus
}
#endif
#endif
