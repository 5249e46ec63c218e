/* The inputs of a reduction: x, and y, z and w where the command line names them. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "input.h"

typedef struct cli_inputs {
    int count;
    cli_input input[JR_INPUTS_MAX];
    jr_type types[JR_INPUTS_MAX];
    const void *arrays[JR_INPUTS_MAX]; /* the elements of each */
    uint64_t element_count;            /* of each; of ranks, of this one's share */
    uint64_t whole_count;              /* of all ranks */
    uint64_t bytes;                    /* of all */
} cli_inputs;

/* Reads or generates all inputs; each has the same count of elements. fold: see cli_input_read_columns; when it has
 * taken elements, the inputs have none. Writes *inputs on success only; the caller frees it. */
cli_exit cli_inputs_read(const cli_options *options, cli_fold *fold, cli_inputs *inputs, cli_error *error);

/* Frees inputs; a zeroed struct is fine. */
void cli_inputs_free(cli_inputs *inputs);

#endif
