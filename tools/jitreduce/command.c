/* The table of subcommands. */
#include "command.h"

const cli_command cli_command_table[] = {
    {"reduce", CLI_SCOPE_REDUCE, true, cli_reduce_run, "reduce files or standard input to one value (the default)"},
    {"scan", CLI_SCOPE_SCAN, true, cli_scan_run,
     "prefix results: for every element that of all elements up to it, a line each"},
    {"compare", CLI_SCOPE_COMPARE, true, cli_compare_run,
     "reduce, or scan, the same input by every algorithm, and show what each costs"},
    {"bench", CLI_SCOPE_BENCH, false, cli_bench_run,
     "measure operators, types and sizes beside a bare read loop and other libraries"},
    {"tune", CLI_SCOPE_TUNE, false, cli_tune_run,
     "find the best tuning of operators, types and sizes, and store it for the reductions, or scans, that follow"},
    {"info", CLI_SCOPE_INFO, false, cli_info_run, "the device, and what the kernel of --op, --type, ... takes of it"},
    {"doctor", CLI_SCOPE_DOCTOR, false, cli_doctor_run, "which libraries were found, which were not taken and why"},
    {"help", CLI_SCOPE_ALL, false, cli_help_run, "this text"},
    {"version", CLI_SCOPE_ALL, false, cli_version_run, "the version"},
};
const int cli_command_count = sizeof cli_command_table / sizeof *cli_command_table;
