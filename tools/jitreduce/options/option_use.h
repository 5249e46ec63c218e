/* Options that nothing uses. */
#ifndef CLI_OPTION_USE_H
#define CLI_OPTION_USE_H

#include "cli_options.h"

/* Whether an expression, or a function of a struct, names this. */
bool cli_expressions_name(const cli_options *options, const char *word);

/* Fails for an option that would have no effect on what the command line asks for, and for keys that are nowhere.
 * scope: of the command. */
cli_exit cli_options_check_use(const cli_options *options, int scope, cli_error *error);

/* Fails for a parameter or an input that no expression names. The expressions have been checked: an unknown name in one
 * of them is the better message. */
cli_exit cli_options_check_names(const cli_options *options, cli_error *error);

#endif
