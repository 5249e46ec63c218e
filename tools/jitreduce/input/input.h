/* The input of a reduction: everything that the command line names, as one run of elements of one type; of a table with
 * several columns that are wanted, as many runs. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "fold/fold.h"
#include "input_data.h"

/* Reads options->files (none: standard input) as options->spec.type or generates elements, then applies --offset and
 * --count. Writes *input on success only; the caller frees it. */
cli_exit cli_input_read(const cli_options *options, cli_input *input, cli_error *error);

/* Does so; and where the options name several columns, writes an input for each of them. fold: is given elements of
 * texts while they come, and keeps those that it takes; NULL: all of them are kept. */
cli_exit cli_input_read_columns(const cli_options *options, cli_fold *fold, cli_input *inputs, cli_error *error);

/* Opens the files of an input, which begins all zero: their formats are known then. The caller frees it, on failure,
 * too. */
cli_exit cli_input_open(const cli_options *options, cli_input *input, cli_error *error);

/* Does what cli_input_read_columns does for an input that was opened (or is generated), which it takes. */
cli_exit cli_input_read_opened(const cli_options *options, cli_fold *fold, cli_input *opened, cli_input *inputs,
                               cli_error *error);

/* Frees an input; a zeroed struct is fine. */
void cli_input_free(cli_input *input);

#endif
