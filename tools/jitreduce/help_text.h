/* What the forms of help share: names of options, and lines that are broken between words. */
#ifndef CLI_HELP_TEXT_H
#define CLI_HELP_TEXT_H

#include "command.h"

enum { CLI_HELP_WIDTH = 120, CLI_LEFT_BYTES = 96 };

/* What one input may be made of, and how numbers are written. */
extern const char cli_help_inputs[];

/* The first sentence of the help. */
extern const char cli_help_head[];

/* Writes "-p, --op OP[,OP...]" into CLI_LEFT_BYTES. Returns left. */
const char *cli_option_left(const cli_option *option, char *left);

/* Whether `help COMMAND` tells of an option. */
bool cli_option_goes_with(const cli_option *option, const cli_command *command);

/* Prints a row: the left column, then the lines of the help, each below the one before. */
void cli_help_row(const char *left, const char *help, int column, int width);

/* The manual page of a command, or, NULL, of all. */
void cli_help_man(const cli_command *command);

/* Prints the completion for a shell: "bash", "zsh" or "fish". */
void cli_help_completion(const char *shell);

#endif
