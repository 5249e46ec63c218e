/* The table of subcommands, and the way from the command line to one of them. */
#include "command.h"

#include <stdio.h>
#include <string.h>

#include "request.h"

const cli_command cli_command_table[] = {
    {"reduce", CLI_SCOPE_REDUCE, true, cli_reduce_run, "reduce files or standard input to one value (the default)"},
    {"scan", CLI_SCOPE_SCAN, true, cli_scan_run,
     "prefix results: for every element that of all elements up to it, a line each"},
    {"compare", CLI_SCOPE_COMPARE, true, cli_compare_run,
     "reduce the same input by every algorithm, and show what each costs"},
    {"bench", CLI_SCOPE_BENCH, false, cli_bench_run,
     "measure operators, types and sizes beside a bare read loop and other libraries"},
    {"tune", CLI_SCOPE_TUNE, false, cli_tune_run,
     "find the best tuning of operators, types and sizes, and store it for the reductions that follow"},
    {"info", CLI_SCOPE_INFO, false, cli_info_run, "the device, and what the kernel of --op, --type, ... takes of it"},
    {"doctor", CLI_SCOPE_DOCTOR, false, cli_doctor_run, "which libraries were found, which were not taken and why"},
    {"help", CLI_SCOPE_ALL, false, cli_help_run, "this text"},
    {"version", CLI_SCOPE_ALL, false, cli_version_run, "the version"},
};
const int cli_command_count = sizeof cli_command_table / sizeof *cli_command_table;

/* The subcommand that the first word names, and takes that word off the files; else reduce. */
static const cli_command *find_command(cli_options *options) {
    for (int i = 0; options->file_count > 0 && i < cli_command_count; i++) {
        if (strcmp(cli_command_table[i].name, options->files[0]) != 0) continue;
        options->files++;
        options->file_count--;
        return &cli_command_table[i];
    }
    return &cli_command_table[0];
}

cli_exit cli_version_run(const cli_options *options, cli_error *error) {
    (void)options, (void)error;
    printf("jitreduce %s\n", jr_version());
    return CLI_OK;
}

cli_exit cli_command_run(int argc, char **argv, cli_error *error) {
    cli_options options;
    cli_exit code = cli_options_parse(argc, argv, &options, error);
    if (code != CLI_OK) return code;
    if (options.help) return cli_help_run(&options, error);
    if (options.version) return cli_version_run(&options, error);
    const cli_command *command = find_command(&options);
    code = cli_options_check_scope(&options, command->scope, command->name, error);
    if (code != CLI_OK) return code;
    if (!command->files && options.file_count > 0)
        return cli_fail(error, CLI_USAGE, "%s: takes no file, but '%s' was given", command->name, options.files[0]);
    if (command->scope != CLI_SCOPE_ALL && command->scope != CLI_SCOPE_DOCTOR && command->scope != CLI_SCOPE_BENCH &&
        command->scope != CLI_SCOPE_TUNE) /* whose works are many requests */
        code = cli_request_check(&options, error);
    return code == CLI_OK ? command->run(&options, error) : code;
}
