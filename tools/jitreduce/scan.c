/* jitreduce scan: prints or writes a result for every element. */
#include "command.h"
#include "results.h"
#include "segmentation.h"
#include "work.h"

/* {"results": [...], "type": t, "op": o, "kind": k, and what a reduction's object has behind its results. */
static void print_json(const cli_options *options, const cli_results *results, const cli_report *report) {
    fputs("{\"results\": [", stdout);
    for (uint64_t i = 0; i < results->data.count; i++) {
        const jr_value value = cli_results_value(results, i, 0);
        if (i > 0) fputs(", ", stdout);
        cli_json_value(stdout, &value, report->struct_bytes);
    }
    printf("], \"type\": \"%s\", \"op\": \"%s\", \"kind\": \"%s\"", cli_type_name(report->values[0].type),
           jr_op_name(report->ops[0]), options->exclusive ? "exclusive" : "inclusive");
    cli_json_rest(stdout, report);
}

static cli_exit tell(const cli_options *options, const cli_results *results, const cli_report *report,
                     cli_error *error) {
    cli_exit code = CLI_OK;
    if (options->json)
        print_json(options, results, report);
    else
        code = cli_results_tell(options, results, error);
    if (code == CLI_OK && options->stats) cli_report_stats(report, stderr);
    return code;
}

/* The scan itself, of segments where there are some. */
static jr_status run(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                     jr_context *context, const cli_segmentation *all, void *out) {
    const jr_scan_kind kind = options->exclusive ? JR_SCAN_EXCLUSIVE : JR_SCAN_INCLUSIVE;
    jr_segments segments = all->segments;
    segments.layout = &all->layout;
    if (cli_segmentation_asked(options))
        return jr_scan_host_segments(context, &request->spec, kind, inputs->arrays, &segments, out);
    return jr_scan_host_arrays(context, &request->spec, kind, inputs->arrays, inputs->element_count, out);
}

static cli_exit scan(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                     jr_context *context, cli_error *error) {
    cli_segmentation all;
    cli_report report = {0};
    cli_results results = {0};
    cli_exit code = cli_segmentation_make(options, inputs, true, &all, error);
    if (code != CLI_OK) return code;
    code = cli_results_create(request, &all.shape, &results, error);
    if (code == CLI_OK) {
        const jr_status status = run(options, request, inputs, context, &all, results.data.owned);
        code = status == JR_OK ? cli_work_report(request, inputs, context, &report, error)
                               : cli_fail_library(error, status);
    }
    if (code == CLI_OK) code = tell(options, &results, &report, error);
    cli_results_free(&results);
    cli_segmentation_free(&all);
    return code;
}

cli_exit cli_scan_run(const cli_options *options, cli_error *error) {
    if (options->op_count > 1)
        return cli_fail(error, CLI_USAGE, "--op: scan takes one operator, not %d", options->op_count);
    if (options->axis_count > 1)
        return cli_fail(error, CLI_USAGE, "--axis: scan goes along one axis, not %d", options->axis_count);
    return cli_work_run(options, scan, error);
}
