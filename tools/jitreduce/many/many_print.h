/* The results of many works as lines, CSV or JSON. */
#ifndef CLI_MANY_PRINT_H
#define CLI_MANY_PRINT_H

#include "many_data.h"

/* Prints them; their sinks have ended. options: of the command line. */
cli_exit cli_many_print(const cli_options *options, const cli_many *many, cli_error *error);

#endif
