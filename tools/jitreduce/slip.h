/* What was meant by a word that is no command, operator or option of the command that is given. */
#ifndef CLI_SLIP_H
#define CLI_SLIP_H

#include "options.h"

/* Fails for a word that is not an operator; names the operator that was meant, where one is near. */
cli_exit cli_slip_op(const char *word, cli_error *error);

/* Fails for a first word that is neither a command nor a file, if it names an operator or an option, or is almost a
 * command; CLI_OK: it may be a file. */
cli_exit cli_slip_command(const char *word, cli_error *error);

/* Fails for an option that the command of a scope does not take: names an option of that command with a similar effect,
 * or else the commands that take it. */
cli_exit cli_slip_option(const cli_option *option, int scope, const char *command, cli_error *error);

#endif
