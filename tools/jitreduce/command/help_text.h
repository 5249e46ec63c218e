/* What the forms of help share: names of options, and lines that are broken between words. */
#ifndef CLI_HELP_TEXT_H
#define CLI_HELP_TEXT_H

#include "options/command.h"

struct cli_topic;

enum { CLI_HELP_WIDTH = 120, CLI_LEFT_BYTES = 96, CLI_TEXT_BYTES = 2048 };

/* What one input may be made of, and how numbers are written. */
extern const char cli_help_inputs[];

/* The first sentence of the help. */
extern const char cli_help_head[];

/* Writes "-p, --op OP[,OP...]" into CLI_LEFT_BYTES. Returns left. */
const char *cli_option_left(const cli_option *option, char *left);

/* Writes an option's help as `help COMMAND` prints it, without the lines "For run and replay: ..." of other commands
 * (NULL: all lines), into CLI_TEXT_BYTES. Returns text. */
const char *cli_option_help(const cli_option *option, const cli_command *command, char *text);

/* Whether `help COMMAND` lists an option. */
bool cli_option_goes_with(const cli_option *option, const cli_command *command);

/* Prints a row: the left column, then the lines of the help, each below the previous one. */
void cli_help_row(const char *left, const char *help, int column, int width);

/* Prints the manual page of a command, or, NULL, of all. */
void cli_help_man(const cli_command *command);

/* Prints the manual page of a topic. */
cli_exit cli_help_man_topic(const struct cli_topic *topic, cli_error *error);

/* Prints the completion for a shell: "bash", "zsh" or "fish". */
void cli_help_completion(const char *shell);

#endif
