/* The columns of a table by their names in its first line. */
#ifndef CLI_TABLE_NAMES_H
#define CLI_TABLE_NAMES_H

#include "base/suggest.h"
#include "cli_text.h"

/* The number of the column with a name; 0: no column has it. again: a second place of the name, else NULL. */
uint64_t cli_find_name(const cli_text *text, const char *at, const char *end, const cli_column_name *name,
                       const char **again);

/* Whether a column of that name is there. */
bool cli_has_column(const cli_text *text, const char *at, const char *end, const char *name);

/* Finds the number of each wanted column, which has one or a name, in the first line. Fails for a name that is not
 * there, or is there twice. */
cli_exit cli_find_names(cli_text *text, const char *line, const char *end, cli_error *error);

/* How to ask for a column whose name is the number that is wanted. */
const char *cli_name_advice(const cli_text *text, const char *line, const char *end, char advice[CLI_HINT_BYTES]);

#endif
