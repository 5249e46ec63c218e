/* What was meant by a word that is no command, operator or option of the command that is given. */
#ifndef CLI_SLIP_H
#define CLI_SLIP_H

#include "cli_options.h"

/* Fails for a first word that is neither a command nor a file, if it is a number, names an operator or an option, is
 * almost a command, or belongs to an expression; CLI_OK: it may be a file. */
cli_exit cli_slip_command(const cli_options *options, const char *word, cli_error *error);

/* Fails for a file that is not there, and whose name is an operator, an option with its value, or, among other files,
 * may be a column. */
cli_exit cli_slip_files(const cli_options *options, cli_error *error);

/* Fails when an option was given that the subcommand does not take, or more types than it takes. Names an option of
 * that subcommand with a similar effect, or else the commands that take the option. */
cli_exit cli_options_check_scope(const cli_options *options, int scope, const char *subcommand, cli_error *error);

#endif
