/* What `trace` shows: the launches of one reduction, and what their values mean. */
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include <jitreduce.h>

#include "trace_rounds.h"

enum { CLI_TRACE_ELEMENTS = 4096 }; /* of the input, at most */

typedef struct cli_trace {
    const char *algorithm;                /* that ran */
    const char *scan;                     /* "inclusive" or "exclusive"; NULL: a reduction */
    jr_op op;                             /* JR_OP_NONE: several */
    jr_type element, accumulator, result; /* JR_TYPE_NONE: of no plain type */
    uint64_t count;
    cli_trace_record record;
    const jr_value *values; /* of a reduction */
    int value_count;
    const jr_structure *structure; /* of structs among the values */
} cli_trace;

enum { CLI_TRACE_VALUE_BYTES = 64 };

/* Writes a value as text: as what its bytes are taken for, by its type of PTX and its place. got: what an exchange
 * brought. Returns text. */
const char *cli_trace_value(const cli_trace *trace, const cli_trace_event *event, uint64_t bits,
                            char text[CLI_TRACE_VALUE_BYTES]);

/* Bytes of an accumulator that goes through shuffles in halves: 8, else 0. */
unsigned cli_trace_joined(const cli_trace *trace);

/* Print all of it. */
cli_exit cli_trace_table(const cli_trace *trace, FILE *out, cli_error *error);
cli_exit cli_trace_json(const cli_trace *trace, FILE *out, cli_error *error);

#endif
