/* jitreduce reduce: reduces the input and prints the values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold/wide.h"
#include "io/output.h"
#include "io/ranks.h"
#include "npy/npy_write.h"
#include "options/command.h"
#include "sink.h"
#include "states.h"
#include "work.h"

static cli_exit write_array(const cli_options *options, const cli_report *report, cli_error *error) {
    const jr_value *value = &report->values[0];
    if (report->value_count > 1)
        return cli_fail(error, CLI_USAGE, "--output: an array has one type: give a single operator");
    const cli_exit code = cli_npy_check_type(value->type, error);
    const cli_data data = {.type = value->type, .count = 1, .elements = value->as.bytes};
    return code == CLI_OK ? cli_npy_write("--output", options->output, &data, error) : code;
}

/* Keeps values in f64. */
static cli_exit collect(cli_wide *wide, const cli_report *report, cli_error *error) {
    double *numbers = calloc(JR_OPS_MAX, sizeof *numbers);
    if (numbers == NULL) return cli_fail(error, CLI_FAILURE, "results: out of memory");
    for (int i = 0; i < report->value_count; i++) (void)jr_value_number(&report->values[i], &numbers[i]);
    cli_wide_keep(wide, numbers, 1, report->value_count);
    return CLI_OK;
}

/* What has wrapped becomes a float. */
static void widen(const cli_options *options, cli_report *report) {
    const cli_wide *wide = options->wide;
    for (int i = 0; wide != NULL && i < report->value_count; i++) {
        const jr_value value = report->values[i];
        const bool counts = i >= report->op_count;
        cli_wide_tally tally = {0};
        if (wide->numbers == NULL)
            cli_wide_add_rounded(wide, &value, &tally);
        else
            report->values[i] =
                cli_wide_value(options, counts ? JR_OP_NONE : report->ops[i], &value, (uint64_t)i, &tally);
        cli_wide_note(options, cli_value_name(report->ops, report->op_count, i), value.type, &tally, 1);
    }
}

static cli_exit print(const cli_options *options, const cli_report *made, cli_error *error) {
    cli_report own = *made, *report = &own;
    cli_exit code = CLI_OK;
    own.options = options;
    if (options->wide != NULL && options->wide->collecting) return collect(options->wide, report, error);
    widen(options, report);
    if (options->sink != NULL) return cli_sink_take_report(options->sink, report, error);
    if (cli_output_is_array(options))
        code = cli_ranks_first(options->ranks) ? write_array(options, report, error) : CLI_OK;
    else if (options->csv)
        cli_report_csv(report, options->tabs ? '\t' : ',', stdout);
    else
        (options->json ? cli_report_json : cli_report_value)(report, stdout);
    if (code == CLI_OK && options->stats) cli_report_stats(report, stderr);
    return code;
}

/* Whether nothing was selected, though something is by numbers in f64, which --where needs: zeros stand for that. */
static bool selects_in_f64(const cli_options *options, const cli_request *request, jr_status status, jr_value *values) {
    const cli_wide *wide = options->wide;
    if (status != JR_ERROR_EMPTY_INPUT || wide == NULL || wide->numbers == NULL || !wide->inside) return false;
    for (int i = 0; i < request->results.count; i++) values[i] = (jr_value){.type = request->results.types[i]};
    return true;
}

cli_exit cli_whole_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                          const cli_devices *devices, cli_error *error) {
    jr_value values[JR_OPS_MAX];
    cli_report report = {0};
    const jr_status status =
        cli_devices_run(devices, &JR_INIT(jr_work, .spec = &request->spec),
                        &JR_INIT(jr_work_data, .in = inputs->arrays, .count = inputs->element_count, .values = values));
    if (status != JR_OK && !selects_in_f64(options, request, status, values)) return cli_fail_library(error, status);
    cli_exit code = cli_work_report(request, inputs, devices, &report, error);
    if (code != CLI_OK) return code;
    memcpy(report.values, values, (size_t)report.value_count * sizeof *values);
    return print(options, &report, error);
}

/* Into kept states, or from them. */
static cli_exit reduce_with_states(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                                   const cli_devices *devices, cli_error *error) {
    jr_value values[JR_OPS_MAX];
    cli_report report = {0};
    cli_exit code = cli_states_reduce(options, request, inputs, devices->context, values, error);
    if (code == CLI_OK) code = cli_work_report(request, inputs, devices, &report, error);
    if (code != CLI_OK) return code;
    memcpy(report.values, values, (size_t)report.value_count * sizeof *values);
    return print(options, &report, error);
}

/* ---- results along axes, and of segments ---- */

/* The shape without the axes, which are there; with --keepdims they have size 1. */
static cli_shape shape_without_axes(const cli_options *options, const cli_shape *shape) {
    cli_shape rest = {.dimensions = 0};
    unsigned reduced = 0;
    for (int i = 0; i < options->axis_count; i++)
        reduced |= 1u << (options->axes[i] < 0 ? options->axes[i] + shape->dimensions : options->axes[i]);
    for (int i = 0; i < shape->dimensions; i++) {
        if ((reduced >> i & 1) == 0)
            rest.sizes[rest.dimensions++] = shape->sizes[i];
        else if (options->keep_dimensions)
            rest.sizes[rest.dimensions++] = 1;
    }
    return rest;
}

static cli_exit reduce_segments(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                                const cli_devices *devices, cli_error *error) {
    cli_segmentation all;
    cli_results results;
    cli_exit code = cli_segmentation_make(options, inputs, false, &all, error);
    if (code != CLI_OK) return code;
    const cli_shape shape =
        options->axis_count > 0 ? shape_without_axes(options, &all.shape) : cli_shape_flat(all.segments.segments);
    code = cli_results_create(request, &shape, &results, error);
    if (code == CLI_OK) {
        code = cli_work_segments(options, inputs, devices, &all, &results, error);
        if (code == CLI_OK) code = cli_work_tell(options, &results, inputs, devices, NULL, error);
        cli_results_free(&results);
    }
    cli_segmentation_free(&all);
    return code;
}

/* An array of results alone has no place for their keys. */
static cli_exit note_keys(const cli_options *options, cli_exit code) {
    if (code == CLI_OK && cli_output_is_array(options) && options->output_keys == NULL &&
        cli_ranks_first(options->ranks))
        fprintf(stderr, "jitreduce: note: '%s' has the values alone: --output-keys FILE.npy keeps their keys\n",
                options->output);
    return code;
}

cli_exit cli_reduce_alone(const cli_options *options, cli_error *error) {
    if (cli_states_wanted(options)) {
        cli_options settled = *options;
        cli_exit code = cli_states_settle(&settled, error);
        if (code == CLI_OK) code = cli_work_run(&settled, reduce_with_states, error);
        if (code != CLI_OK) cli_states_explain(&settled, error);
        cli_states_free(&settled);
        return code;
    }
    if (options->axis_count > 0 || options->segment_length > 0 || options->offsets != NULL)
        return cli_work_run_wide(options, reduce_segments, error);
    if (options->keys != NULL) return note_keys(options, cli_work_run_wide(options, cli_runs_reduce, error));
    if (options->group_by != NULL) return note_keys(options, cli_work_run_wide(options, cli_groups_reduce, error));
    return cli_work_run_folded(options, cli_whole_reduce, print, error);
}
