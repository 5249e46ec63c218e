/* Rounds: what the threads of a block give between two barriers, one thing of each thread in a round. */
#ifndef CLI_TRACE_ROUNDS_H
#define CLI_TRACE_ROUNDS_H

#include "trace_record.h"

enum { CLI_TRACE_LOADS = 4 }; /* that are kept of one step */

/* What a thread did in a round: loaded, and then gave. */
typedef struct cli_trace_step {
    unsigned round, thread;
    cli_trace_event given;
    bool exchanged;                         /* given is one of a shuffle or redux: got counts */
    cli_trace_event loads[CLI_TRACE_LOADS]; /* the first ones */
    size_t load_count;                      /* of all */
} cli_trace_step;

/* From one barrier of a block to the next. */
typedef struct cli_trace_interval {
    const cli_trace_event *end; /* the barrier, or the end of the block */
    cli_trace_step *steps;      /* by round and thread */
    size_t count, capacity;
    unsigned rounds;
    const cli_trace_event **held; /* shared memory at its end, by offset */
    size_t held_count, held_capacity;
} cli_trace_interval;

/* Where walking the events of one block of a launch stands. */
typedef struct cli_trace_walk {
    const cli_trace_launch *launch;
    uint64_t block;
    size_t at;       /* the next event */
    unsigned joined; /* bytes of a value that goes through shuffles in halves of 4; 0 or 8 */
} cli_trace_walk;

/* Finds the next interval of the block; *more is false after the last one. The caller frees it in any case. */
cli_exit cli_trace_interval_next(cli_trace_walk *walk, cli_trace_interval *interval, bool *more, cli_error *error);
void cli_trace_interval_free(cli_trace_interval *interval);

#endif
