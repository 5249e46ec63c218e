/* jitreduce reduce: reads the input, opens the device, reduces, tells the value. */
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "input.h"
#include "number.h"
#include "report.h"

/* The library's notes (a cache entry dropped, a fallback taken), for --stats. */
static void print_note(void *user, jr_log_level level, const char *line) {
    (void)user;
    if (level != JR_LOG_DEBUG) fprintf(stderr, "jitreduce: note: %s\n", line);
}

/* Parses --initial as the type of the result. */
static cli_exit parse_initial(const char *text, jr_type result, jr_value *value, cli_error *error) {
    const char *end = text + strlen(text);
    char detail[192];
    *value = (jr_value){.type = result};
    cli_number_status reason = cli_number_parser_get(result)(text, end, &value->as);
    if (reason == CLI_NUMBER_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--initial: %s", cli_number_explain(reason, result, text, end, detail));
}

/* Completes the spec with what only the input tells: its type, and so that of the result. */
static cli_exit complete_spec(const cli_options *options, jr_type type, jr_spec *spec, jr_value *initial,
                              cli_error *error) {
    jr_type result;
    *spec = options->spec;
    spec->type = type;
    jr_status status = jr_result_type(spec->op, type, &result);
    if (status != JR_OK) return cli_fail_library(error, status);
    if (options->initial == NULL) return CLI_OK;
    spec->initial = initial;
    return parse_initial(options->initial, result, initial, error);
}

static cli_exit reduce_input(const jr_spec *spec, const cli_input *input, jr_context *context, cli_report *report,
                             cli_error *error) {
    jr_status status = jr_reduce_host(context, spec, input->elements, input->count, &report->value);
    if (status == JR_OK) status = jr_context_stats(context, &report->stats);
    if (status == JR_OK) status = jr_context_device_info(context, &report->device);
    if (status != JR_OK) return cli_fail_library(error, status);
    report->op = spec->op;
    report->type = spec->type;
    report->count = input->count;
    return CLI_OK;
}

/* Everything that can be wrong with the request is found before the device is opened. */
cli_exit cli_reduce_run(const cli_options *options, cli_error *error) {
    cli_input input;
    cli_report report = {0};
    jr_spec spec;
    jr_value initial;
    jr_context *context = NULL;
    if (options->file_count == 0 && !options->random && !options->iota && isatty(STDIN_FILENO))
        return cli_fail(error, CLI_USAGE,
                        "no input: name a file, pipe numbers in, or give --random N; see 'jitreduce --help'");
    if (options->stats) jr_log_set(print_note, NULL);
    cli_exit code = cli_input_read(options, &input, error);
    if (code != CLI_OK) return code;
    code = complete_spec(options, input.type, &spec, &initial, error);
    if (code == CLI_OK) code = cli_device_open(options, &context, error);
    if (code == CLI_OK) code = reduce_input(&spec, &input, context, &report, error);
    if (code == CLI_OK) (options->json ? cli_report_json : cli_report_value)(&report, stdout);
    if (code == CLI_OK && options->stats) cli_report_stats(&report, stderr);
    jr_context_close(context);
    cli_input_free(&input);
    return code;
}
