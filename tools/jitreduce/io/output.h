/* Where what the command prints goes: standard output, or the file of --output, which is written whole or not at all.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "new_file.h"
#include "options/cli_options.h"

typedef struct cli_output {
    bool redirected;
    int standard; /* what standard output was */
    cli_new_file file;
} cli_output;

/* Lets --output's name say its form: .json, .csv; else --json or --csv, and without them an array. Fails for a name
 * that is an operator's, and for forms that do not go together. */
cli_exit cli_output_settle(cli_options *options, cli_error *error);

/* The end of a file's name that stands for a form which is not written: a point, then a letter and further letters or
 * digits. NULL: it has none. */
const char *cli_output_unknown_end(const char *name);

/* Whether --output is an .npy file. */
bool cli_output_is_array(const cli_options *options);

/* From here on standard output is the file of --output, where that is a text. Writes *output on success only. */
cli_exit cli_output_begin(const cli_options *options, cli_output *output, cli_error *error);

/* Ends that; the file is there when code is CLI_OK. Returns code, or why the file cannot be. */
cli_exit cli_output_end(cli_output *output, cli_exit code, cli_error *error);

#endif
