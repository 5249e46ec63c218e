/* jitreduce reduce: reduces the input and tells the values. */
#include <string.h>

#include "command.h"
#include "segmentation.h"
#include "work.h"

static void tell(const cli_options *options, const cli_report *report) {
    (options->json ? cli_report_json : cli_report_value)(report, stdout);
    if (options->stats) cli_report_stats(report, stderr);
}

static cli_exit reduce_whole(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                             jr_context *context, cli_error *error) {
    jr_value values[JR_OPS_MAX];
    cli_report report = {0};
    const jr_status status =
        jr_reduce_host_arrays(context, &request->spec, inputs->arrays, inputs->element_count, values);
    if (status != JR_OK) return cli_fail_library(error, status);
    cli_exit code = cli_work_report(request, inputs, context, &report, error);
    if (code != CLI_OK) return code;
    memcpy(report.values, values, (size_t)report.value_count * sizeof *values);
    tell(options, &report);
    return CLI_OK;
}

cli_exit cli_reduce_run(const cli_options *options, cli_error *error) {
    if (cli_segmentation_asked(options) && (options->json || options->stats))
        return cli_fail(error, CLI_USAGE, "--json, --stats: report one reduction, not segments");
    if (options->axis_count > 0) return cli_work_run(options, cli_axis_reduce, error);
    if (options->segment_length > 0 || options->offsets != NULL)
        return cli_work_run(options, cli_segments_reduce, error);
    if (options->keys != NULL) return cli_work_run(options, cli_runs_reduce, error);
    if (options->output == NULL) return cli_work_run_folded(options, reduce_whole, tell, error);
    return cli_fail(error, CLI_USAGE,
                    "--output: is for many results: of scan, --axis, --segment-length, --offsets or --by-key; this one "
                    "is printed");
}
