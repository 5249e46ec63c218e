/* A reduction of a text while it is read: what was read is folded into partial states, and not kept. */
#ifndef CLI_FOLD_H
#define CLI_FOLD_H

#include "fold_state.h"

/* Whether the command line asks for what can be folded. */
bool cli_fold_applies(const cli_options *options);

/* Begins to fold columns. It assumes texts that can be read again, until the caller changes fold->repeats. */
void cli_fold_begin(cli_fold *fold, cli_column *columns, int count);

/* user: the cli_fold. Folds the elements of the columns, where they are many and their types are settled. */
cli_exit cli_fold_take(void *user, cli_error *error);

/* Forgets what was folded, for a text that is read again. */
void cli_fold_forget(cli_fold *fold);

/* Folds the first `count` elements that the columns hold, and takes them from these. */
cli_exit cli_fold_first(cli_fold *fold, uint64_t count, cli_error *error);

/* Frees it; one that has taken nothing is fine. */
void cli_fold_close(cli_fold *fold);

#endif
