/* Arrays and raw files that are folded while they are read. */
#ifndef CLI_FOLD_STREAMS_H
#define CLI_FOLD_STREAMS_H

#include "fold/fold.h"
#include "input_data.h"

/* Whether the reduction needs elements in their order: it uses an index, or its operator does not commute. */
bool cli_fold_in_order(const cli_options *options);

/* Folds inputs whose parts are all arrays or raw, a block of each at a time. Few elements are not folded, but become
 * the inputs' data. --offset and --count are applied. */
cli_exit cli_fold_streams(cli_fold *fold, cli_input *inputs, int count, cli_error *error);

#endif
