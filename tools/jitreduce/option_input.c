/* Takes the options about the input from the command line: format, part, generated data. */
#include "option_input.h"

#include <string.h>

#include "number.h"
#include "option_spec.h"

cli_exit cli_take_format(cli_options *options, const char *argument, cli_error *error) {
    static const char *const names[] = {"auto", "npy", "raw", "text"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(argument, names[i]) != 0) continue;
        options->format = (cli_format)i;
        return CLI_OK;
    }
    return cli_fail(error, CLI_USAGE, "--format: '%s' is not one of auto npy raw text" SEE_HELP, argument);
}

cli_exit cli_take_raw(cli_options *options, const char *argument, cli_error *error) {
    (void)argument;
    return cli_take_format(options, "raw", error);
}

static cli_exit take_count(const char *option, const char *argument, uint64_t *count, cli_error *error) {
    if (cli_count_parse(argument, count)) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "%s: '%s' is not a count like 1000, 1e8, 2^20, 100M or 1Gi" SEE_HELP, option,
                    argument);
}

cli_exit cli_take_random(cli_options *options, const char *argument, cli_error *error) {
    options->random = true;
    return take_count("--random", argument, &options->generated_count, error);
}

cli_exit cli_take_iota(cli_options *options, const char *argument, cli_error *error) {
    options->iota = true;
    return take_count("--iota", argument, &options->generated_count, error);
}

cli_exit cli_take_seed(cli_options *options, const char *argument, cli_error *error) {
    return take_count("--seed", argument, &options->seed, error);
}

cli_exit cli_take_offset(cli_options *options, const char *argument, cli_error *error) {
    return take_count("--offset", argument, &options->offset, error);
}

cli_exit cli_take_device_bytes(cli_options *options, const char *argument, cli_error *error) {
    return take_count("--device-bytes", argument, &options->spec.device_bytes, error);
}

cli_exit cli_take_limit(cli_options *options, const char *argument, cli_error *error) {
    return take_count("--count", argument, &options->count, error);
}

cli_exit cli_take_segment_length(cli_options *options, const char *argument, cli_error *error) {
    cli_exit code = take_count("--segment-length", argument, &options->segment_length, error);
    if (code == CLI_OK && options->segment_length == 0)
        return cli_fail(error, CLI_USAGE, "--segment-length: '%s': a segment has 1 element or more" SEE_HELP, argument);
    return code;
}

cli_exit cli_take_column(cli_options *options, const char *argument, cli_error *error) {
    cli_exit code = take_count("--column", argument, &options->column, error);
    if (code == CLI_OK && options->column == 0)
        return cli_fail(error, CLI_USAGE, "--column: '%s': columns count from 1" SEE_HELP, argument);
    return code;
}
