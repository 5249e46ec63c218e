/* Columns that expressions name: price * qty of a table that has these, city == "Berlin" of one that has a column of
 * texts. They become inputs, and their names become letters. */
#ifndef CLI_COLUMN_NAMES_H
#define CLI_COLUMN_NAMES_H

#include "named_columns.h"

/* Finds the columns that --map and --where name, and adds them to those of --column: the expressions are those with
 * letters then. Without such a name nothing changes. To be called when all options are known; the caller frees
 * options->named. */
cli_exit cli_named_settle(cli_options *options, cli_error *error);

/* Puts expressions as they were typed into the place of those with letters. */
void cli_named_restore(const cli_named *named, char *text, size_t bytes);

#endif
