/* Finds the names of columns, and texts, in an expression. */
#ifndef CLI_COLUMN_NAMES_FIND_H
#define CLI_COLUMN_NAMES_FIND_H

#include "named_columns.h"

/* Adds what one expression names to the columns, the literals and the edits. */
cli_exit cli_named_find(const cli_options *options, int expression, cli_named *named, cli_error *error);

/* "map" or "where". */
const char *cli_named_option(int expression);

#endif
