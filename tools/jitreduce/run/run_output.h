/* Where the arrays go that a kernel writes: files of --output, standard output, or the first elements in a line. */
#ifndef CLI_RUN_OUTPUT_H
#define CLI_RUN_OUTPUT_H

#include "run_argument.h"

/* Gives each --output its argument, and checks its form, which the file's name says. What is wrong is reported before
 * anything runs. */
cli_exit cli_run_outputs_plan(const cli_run_options *run, cli_argument *arguments, size_t count, cli_error *error);

/* Writes the arrays that --output names, and prints the first elements of the others, unless one of those is
 * standard output: what reads it wants that array alone. */
cli_exit cli_run_outputs_write(const cli_argument *arguments, size_t count, cli_error *error);

#endif
