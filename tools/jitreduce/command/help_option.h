/* The help of one option. */
#ifndef CLI_HELP_OPTION_H
#define CLI_HELP_OPTION_H

#include "options/cli_options.h"

/* Finds the option of "--where", "where" or "-k"; NULL: no such option. */
const cli_option *cli_help_find_option(const char *word);

/* Prints what the option does, and the commands that take it. */
void cli_help_option(const cli_option *option);

#endif
