/* What the simulator recorded of its launches (JRSIM_ROUNDS): events, in the order of each thread. */
#ifndef CLI_TRACE_RECORD_H
#define CLI_TRACE_RECORD_H

#include <stdio.h>

#include "base/cli_error.h"

typedef enum cli_trace_kind {
    CLI_TRACE_LOAD,
    CLI_TRACE_STORE,
    CLI_TRACE_ATOMIC,  /* its operand */
    CLI_TRACE_SHUFFLE, /* what was given and what was got */
    CLI_TRACE_REDUX,   /* the same, as redux */
    CLI_TRACE_HELD,    /* what shared memory holds at the barrier or end that follows */
    CLI_TRACE_BARRIER,
    CLI_TRACE_END
} cli_trace_kind;

typedef struct cli_trace_event {
    cli_trace_kind kind;
    bool global; /* of loads, stores, atomics: in global memory */
    uint64_t block;
    unsigned thread, line;  /* line: of the PTX */
    uint64_t range, offset; /* range: where an allocation begins; of shared memory 0 */
    char type[8];           /* of PTX */
    unsigned bytes;
    uint64_t bits, got; /* of 16 bytes the low half */
} cli_trace_event;

typedef struct cli_trace_launch {
    char kernel[64]; /* cut */
    unsigned grid[3], block[3];
    cli_trace_event *events;
    size_t count, capacity;
} cli_trace_launch;

typedef struct cli_trace_record {
    cli_trace_launch *launches;
    size_t count, capacity;
} cli_trace_record;

/* Reads a record to its end. Writes *record on success only; the caller frees it. */
cli_exit cli_trace_record_read(FILE *file, cli_trace_record *record, cli_error *error);
void cli_trace_record_free(cli_trace_record *record); /* a zeroed struct is fine */

/* Room for one more item of an array that doubles; false when out of memory. */
bool cli_trace_grow(void **items, size_t count, size_t *capacity, size_t bytes);

#endif
