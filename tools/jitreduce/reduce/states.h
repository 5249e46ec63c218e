/* Kept states (jitreduce/state.h): files of --add-state and --save-state. */
#ifndef CLI_STATES_H
#define CLI_STATES_H

#include "fold/request.h"
#include "input/inputs.h"

bool cli_states_wanted(const cli_options *options);

/* Checks what goes with states, reads the first one that is to be added, and takes what the command line
 * leaves open (operator, types, accuracy, NaNs) from it. The caller frees what it keeps of it. */
cli_exit cli_states_settle(cli_options *options, cli_error *error);

/* Adds to an error about the type of an element that this is the type of the first state, where it is. */
void cli_states_explain(const cli_options *options, cli_error *error);

/* Frees what cli_states_settle has kept; nothing is fine. */
void cli_states_free(cli_options *options);

/* Reduces the inputs and all states together, and saves the state. values: one for each result, written on success
 * only; the file is there then, too. */
cli_exit cli_states_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                           jr_context *context, jr_value *values, cli_error *error);

#endif
