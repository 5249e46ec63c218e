/* Works that share a table: the operators for each of several columns, or calls like sum(price). */
#ifndef CLI_MANY_WORKS_H
#define CLI_MANY_WORKS_H

#include "many_data.h"
#include "text/table_peek.h"

/* Makes the works of the command line, and lists their columns. The caller frees *many, on failure, too. */
cli_exit cli_many_make(const cli_options *options, const cli_table_peek *peek, cli_many *many, cli_error *error);

/* Frees works; a zeroed struct is fine. */
void cli_many_free(cli_many *many);

#endif
