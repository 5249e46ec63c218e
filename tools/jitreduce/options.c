/* What options say by themselves, and to the subcommand that is given. */
#include "options.h"

#include "suggest.h"

cli_exit cli_options_check_scope(const cli_options *options, int scope, const char *subcommand, cli_error *error) {
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (options->given[i] && !(option->scope & scope))
            return cli_fail(error, CLI_USAGE, "--%s: does not go with '%s'" SEE_HELP, option->name, subcommand);
    }
    if (options->run.output_count > 1 && !(scope & CLI_SCOPE_RUN))
        return cli_fail(error, CLI_USAGE, "--output: is given twice, '%s' and '%s': give one of them",
                        options->run.outputs[0], options->run.outputs[1]);
    if (options->exclusive && !options->scan && !(scope & CLI_SCOPE_SCAN))
        return cli_fail(error, CLI_USAGE, "--exclusive: is about scans: needs --scan");
    if (options->type_count > JR_INPUTS_MAX && !(scope & (CLI_SCOPE_BENCH | CLI_SCOPE_TUNE | CLI_SCOPE_PACK)))
        return cli_fail(error, CLI_USAGE, "--type: a list of more than %d types", JR_INPUTS_MAX);
    return CLI_OK;
}

const char *cli_scan_name(const cli_options *options) {
    return !options->scan ? NULL : options->exclusive ? "exclusive" : "inclusive";
}

int cli_options_input_count(const cli_options *options) {
    int count = 1;
    while (count < JR_INPUTS_MAX && options->more_files[count] != NULL) count++;
    return options->table.column_count > 1 ? options->table.column_count : count;
}

bool cli_options_divide(const cli_options *options) {
    return options->axis_count > 0 || options->segment_length > 0 || options->offsets != NULL || options->keys != NULL;
}

jr_type cli_options_type(const cli_options *options, int input) {
    if (options->type_count > 0) return options->types[input < options->type_count ? input : options->type_count - 1];
    return input == 0 && options->structure.text != NULL ? JR_STRUCT : JR_TYPE_NONE;
}
