/* jitreduce reduce: reads the input, opens the device, reduces, tells the values. */
#include <string.h>

#include "command.h"
#include "device.h"
#include "inputs.h"
#include "report.h"
#include "request.h"
#include "segments.h"

/* The library's notes (a cache entry dropped, a fallback taken), for --stats. */
static void print_note(void *user, jr_log_level level, const char *line) {
    (void)user;
    if (level != JR_LOG_DEBUG) fprintf(stderr, "jitreduce: note: %s\n", line);
}

static cli_exit reduce_inputs(const cli_request *request, const cli_inputs *inputs, jr_context *context,
                              cli_report *report, cli_error *error) {
    jr_status status =
        jr_reduce_host_arrays(context, &request->spec, inputs->arrays, inputs->element_count, report->values);
    if (status == JR_OK) status = jr_context_stats(context, &report->stats);
    if (status == JR_OK) status = jr_context_device_info(context, &report->device);
    if (status != JR_OK) return cli_fail_library(error, status);
    report->result_count = request->result_count;
    memcpy(report->ops, request->ops, sizeof report->ops);
    report->type = request->spec.type;
    report->count = inputs->element_count;
    report->bytes = inputs->bytes;
    report->struct_bytes = request->structure.bytes;
    return CLI_OK;
}

static cli_exit reduce_and_tell(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                                jr_context *context, cli_error *error) {
    cli_report report = {0};
    if (cli_segments_wanted(options)) return cli_segments_reduce(options, request, inputs, context, error);
    const cli_exit code = reduce_inputs(request, inputs, context, &report, error);
    if (code == CLI_OK) (options->json ? cli_report_json : cli_report_value)(&report, stdout);
    if (code == CLI_OK && options->stats) cli_report_stats(&report, stderr);
    return code;
}

/* Everything that can be wrong with the request is found before the device is opened. */
cli_exit cli_reduce_run(const cli_options *options, cli_error *error) {
    cli_inputs inputs;
    cli_request request;
    jr_context *context = NULL;
    if (options->stats) jr_log_set(print_note, NULL);
    cli_exit code = cli_inputs_read(options, &inputs, error);
    if (code != CLI_OK) return code;
    code = cli_request_make(options, inputs.types, inputs.count, &request, error);
    if (code == CLI_OK) code = cli_device_open(options, &context, error);
    if (code == CLI_OK) code = reduce_and_tell(options, &request, &inputs, context, error);
    jr_context_close(context);
    cli_inputs_free(&inputs);
    return code;
}
