/* jitreduce scan and apply: print or write a result for every element. */
#include "cli_results.h"
#include "io/ranks.h"
#include "options/cli_operator.h"
#include "options/command.h"
#include "segmentation.h"
#include "work.h"

/* The work itself, of segments where there are some. */
static jr_status run(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                     const cli_devices *devices, const cli_segmentation *all, void *out) {
    const bool divided = cli_options_divide(options);
    const jr_work work = JR_INIT(jr_work, .spec = &request->spec,
                                 .kind = options->spec.apply != NULL ? JR_WORK_APPLY : cli_device_scan_kind(options),
                                 .layout = divided ? &all->layout : NULL);
    jr_work_data data = divided ? all->segments : JR_INIT(jr_work_data, .count = inputs->element_count);
    data.in = divided ? all->arrays : inputs->arrays;
    data.out = out;
    return cli_devices_run(devices, &work, &data);
}

/* Writes a rank's results into the common file of all ranks. */
static cli_exit tell_share(const cli_options *options, const cli_results *results, const cli_inputs *inputs,
                           const cli_devices *devices, cli_error *error) {
    const uint64_t first = inputs->input[0].first - options->offset;
    cli_report report = {.op_count = 0};
    cli_exit code = cli_results_write_share(options, results, first, inputs->whole_count, error);
    if (code == CLI_OK && options->stats) code = cli_work_report(results->request, inputs, devices, &report, error);
    if (code == CLI_OK && options->stats) cli_report_stats(&report, stderr);
    return code;
}

static cli_exit scan(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                     const cli_devices *devices, cli_error *error) {
    cli_segmentation all;
    cli_results results = {0};
    cli_exit code = cli_segmentation_make(options, inputs, true, &all, error);
    if (code != CLI_OK) return code;
    code = cli_results_create(request, &all.shape, &results, error);
    code = cli_ranks_agree(options->ranks, code, error);
    if (code == CLI_OK) {
        const jr_status status = run(options, request, inputs, devices, &all, results.data.owned);
        const char *kind = options->spec.apply != NULL ? "apply" : options->exclusive ? "exclusive" : "inclusive";
        if (status != JR_OK)
            code = cli_fail_library(error, status);
        else if (options->ranks != NULL)
            code = tell_share(options, &results, inputs, devices, error);
        else
            code = cli_work_tell(options, &results, inputs, devices, kind, error);
    }
    cli_results_free(&results);
    cli_segmentation_free(&all);
    return code;
}

static bool scans(jr_algorithm algorithm) {
#define SCAN(name, number, text) JR_ALGORITHM_##name,
    static const jr_algorithm all[] = {JR_ALGORITHM_AUTO, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_ONE_BLOCK,
                                       JR_ALGORITHM_BULK_COPY, JR_SCAN_ALGORITHMS(SCAN)};
#undef SCAN
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == algorithm) return true;
    return false;
}

cli_exit cli_scan_run(const cli_options *options, cli_error *error) {
    if (options->op_count > 1)
        return cli_fail(error, CLI_USAGE, "--op: scan takes one operator, not %d", options->op_count);
    if (options->axis_count > 1)
        return cli_fail(error, CLI_USAGE, "--axis: scan goes along one axis, not %d", options->axis_count);
    if (!scans(options->spec.algorithm))
        return cli_fail(
            error, CLI_USAGE,
            "--algorithm: '%s' does not scan: auto single_pass one_block bulk_copy" JR_SCAN_ALGORITHMS(WORD),
            jr_algorithm_name(options->spec.algorithm));
    if (options->group_by == NULL) return cli_work_run_wide(options, scan, error);
    if (cli_operator_is(options->ops[0], CLI_OP_INDEX))
        return cli_fail(error, CLI_USAGE,
                        "--op %s: running indices inside groups are not made: min and max give values",
                        jr_op_name(options->ops[0]));
    return cli_work_run_wide(options, cli_groups_scan, error);
}

cli_exit cli_apply_run(const cli_options *options, cli_error *error) {
    return cli_work_run(options, scan, error);
}
