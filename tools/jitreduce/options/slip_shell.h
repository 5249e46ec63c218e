/* What a shell makes of an expression without quotes. */
#ifndef CLI_SLIP_SHELL_H
#define CLI_SLIP_SHELL_H

#include "cli_options.h"

/* Fails for a word that is no file, where an expression is given of which it may be a part: --map x + 1. */
cli_exit cli_slip_expression(const cli_options *options, const char *word, cli_error *error);

/* Notes that --where x>3 has become --where x, and a file '3' with what is printed. */
void cli_slip_note_redirect(const cli_options *options);

#endif
