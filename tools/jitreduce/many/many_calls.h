/* Calls of operators: sum(price). */
#ifndef CLI_MANY_CALLS_H
#define CLI_MANY_CALLS_H

#include "many_data.h"

/* The works of --op 'sum(price),max(qty * 2),count'. */
cli_exit cli_many_calls(const cli_options *options, cli_many *many, cli_error *error);

#endif
