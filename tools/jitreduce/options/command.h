/* The subcommands. To add one is to add a row in command.c and a file with its function. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli_options.h"

typedef struct cli_command {
    const char *name;
    int scope;  /* the options it takes */
    bool files; /* whether it takes files */
    cli_exit (*run)(const cli_options *options, cli_error *error);
    const char *help;
    const char *arguments; /* arguments in its usage line, after its name */
    const char *about;     /* of its own help: lines of examples and what else is to be known; NULL: nothing */
} cli_command;

extern const cli_command cli_command_table[];
extern const int cli_command_count;

/* Finds a subcommand by its name; NULL: no such subcommand. */
const cli_command *cli_command_find(const char *name);

cli_exit cli_reduce_run(const cli_options *options, cli_error *error);
cli_exit cli_apply_run(const cli_options *options, cli_error *error);
cli_exit cli_scan_run(const cli_options *options, cli_error *error);
cli_exit cli_compare_run(const cli_options *options, cli_error *error);
cli_exit cli_bench_run(const cli_options *options, cli_error *error);
cli_exit cli_tune_run(const cli_options *options, cli_error *error);
cli_exit cli_kernel_run(const cli_options *options, cli_error *error);
cli_exit cli_replay_run(const cli_options *options, cli_error *error);
cli_exit cli_pack_run(const cli_options *options, cli_error *error);
cli_exit cli_trace_run(const cli_options *options, cli_error *error);
cli_exit cli_info_run(const cli_options *options, cli_error *error);
cli_exit cli_doctor_run(const cli_options *options, cli_error *error);
cli_exit cli_help_run(const cli_options *options, cli_error *error);
cli_exit cli_version_run(const cli_options *options, cli_error *error);

#endif
