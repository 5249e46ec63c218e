/* Brings input, request and device together, and frees them. */
#include "work.h"

#include <stdlib.h>
#include <string.h>

#include "cli_results.h"
#include "fold/fold_values.h"
#include "fold/fold_wide.h"
#include "fold/wide.h"
#include "input/foresee.h"
#include "input/segment_file.h"
#include "segment_ranks.h"
#include "sums_note.h"

/* How the work is done. print NULL: not while the input is read. wide: first in f64, if results may wrap. whole: the
 * results are of all elements. */
typedef struct work_manner {
    cli_work *work;
    cli_print_report *print;
    bool wide, whole;
    const cli_devices *devices; /* that are open already; NULL: they are opened and closed here */
} work_manner;

static bool is_open(const cli_options *options, const cli_inputs *inputs) {
    bool open = false;
    for (int i = 0; i < inputs->count; i++) open |= inputs->input[i].open;
    return open && options->type_count == 0;
}

/* Whether all elements are whole numbers that an expression divides. */
static bool are_divided(const cli_inputs *inputs) {
    bool divided = inputs->count > 0;
    for (int i = 0; i < inputs->count; i++) divided &= inputs->input[i].divided;
    return divided;
}

static cli_exit work_on(const cli_options *options, const cli_inputs *inputs, const work_manner *manner,
                        cli_error *error) {
    cli_request request;
    cli_ranges ranges;
    cli_devices devices = {.group = NULL};
    if (manner->devices != NULL) devices = *manner->devices;
    cli_wide wide = {.collecting = false};
    cli_segment_file segment_file = {.read = false};
    cli_options own = *options;
    own.segment_file = &segment_file;
    cli_exit code = cli_request_make(options, inputs->types, inputs->count, &request, error);
    if (code == CLI_OK) code = cli_results_check(options, &request, error);
    if (code == CLI_OK && manner->devices == NULL) code = cli_devices_open(options, &devices, error);
    if (code == CLI_OK) code = cli_foresee_ranges(options, inputs, &ranges, error);
    if (code == CLI_OK) cli_foresee_note(options, &request, &ranges, is_open(options, inputs));
    const bool wraps = code == CLI_OK && cli_wide_is_open(options, inputs) && cli_foresee_wraps(&request, &ranges);
    wide.inside = wraps && cli_foresee_inside(&request, &ranges);
    if (wraps && manner->wide && cli_wide_collect(&own, &request, inputs, &devices, manner->work, &wide))
        own.wide = &wide;
    wide.divided = are_divided(inputs);
    if (wide.divided) own.wide = &wide;
    if (code == CLI_OK && manner->whole && own.wide == NULL) cli_sums_note(options, &request, inputs, &ranges);
    if (code == CLI_OK) code = manner->work(&own, &request, inputs, &devices, error);
    if (wide.missing) cli_wide_note_missing(options, "the expressions take");
    if (code == CLI_OK && wraps && (!manner->wide || options->ranks != NULL))
        cli_wide_note_missing(options, options->ranks != NULL ? "ranks reduce" : "this subcommand reduces");
    cli_wide_free(&wide);
    cli_input_free(&segment_file.input);
    if (manner->devices == NULL) cli_devices_close(&devices);
    return code;
}

cli_exit cli_work_on(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices, cli_work *work,
                     cli_error *error) {
    const work_manner manner = {.work = work, .wide = true, .whole = options->group_by == NULL, .devices = devices};
    return work_on(options, inputs, &manner, error);
}

static cli_exit tell_folded(const cli_options *options, cli_fold *fold, const cli_inputs *inputs,
                            const work_manner *manner, cli_error *error) {
    cli_report report;
    cli_options own = *options;
    cli_wide wide = {.collecting = false};
    cli_exit code = cli_fold_finish(fold, &report, error);
    if (code == CLI_OK)
        cli_foresee_note(options, &fold->request, &fold->ranges, fold->columns[0].open && options->type_count == 0);
    if (code == CLI_OK && cli_fold_wide_values(fold, &wide)) own.wide = &wide;
    if (code == CLI_OK && own.wide == NULL) cli_sums_note(options, &fold->request, NULL, &fold->ranges);
    wide.inside = own.wide != NULL && cli_foresee_inside(&fold->request, &fold->ranges);
    wide.divided = are_divided(inputs);
    if (wide.divided) own.wide = &wide;
    const bool inside = code == CLI_OK && fold->columns[0].open && options->type_count == 0 &&
                        cli_foresee_inside(&fold->request, &fold->ranges);
    const bool selects_none = inside && own.wide == NULL; /* by numbers in f64: what is selected has wrapped */
    const bool unseen = fold->wide != NULL && (fold->wide->refuses || selects_none);
    if (code == CLI_OK && unseen && cli_foresee_wraps(&fold->request, &fold->ranges))
        cli_wide_note_missing(options, "the expressions take");
    if (code == CLI_OK) code = manner->print(&own, &report, error);
    cli_wide_free(&wide);
    return code;
}

/* Prints the result of input that was folded while it was read; otherwise the work follows now. */
static cli_exit finish(const cli_options *options, cli_fold *fold, const work_manner *manner, cli_error *error) {
    cli_inputs inputs;
    cli_exit code = cli_inputs_read(options, manner->print != NULL ? fold : NULL, &inputs, error);
    if (code != CLI_OK) return code;
    code = fold->elements == 0 ? work_on(options, &inputs, manner, error)
                               : tell_folded(options, fold, &inputs, manner, error);
    cli_inputs_free(&inputs);
    return code;
}

static cli_exit run(const cli_options *options, const work_manner *manner, cli_error *error) {
    cli_fold fold = {.options = options}, wide;
    if (manner->wide) cli_fold_widen(&fold, &wide);
    const cli_exit code = finish(options, &fold, manner, error);
    cli_fold_close(&fold);
    return code;
}

cli_exit cli_work_run(const cli_options *options, cli_work *work, cli_error *error) {
    const work_manner plain = {.work = work};
    return run(options, &plain, error);
}

cli_exit cli_work_run_wide(const cli_options *options, cli_work *work, cli_error *error) {
    const work_manner wide = {.work = work, .wide = true};
    return run(options, &wide, error);
}

cli_exit cli_work_run_folded(const cli_options *options, cli_work *work, cli_print_report *print, cli_error *error) {
    const work_manner folded = {
        .work = work, .print = cli_fold_applies(options) ? print : NULL, .wide = true, .whole = true};
    return run(options, &folded, error);
}

/* ---- many results, of which some may be of no elements ---- */

/* Segments of host memory. */
typedef struct many_results {
    const cli_devices *devices;
    const jr_segment_layout *layout;
    const void *const *arrays;
    const jr_work_data *segments;
} many_results;

static jr_status reduce_many(const many_results *many, const jr_spec *spec, void *to) {
    jr_work_data data = *many->segments;
    data.in = many->arrays;
    data.out = to;
    return cli_devices_run(many->devices, &JR_INIT(jr_work, .spec = spec, .layout = many->layout), &data);
}

/* Parts results with counts into the results and their counts. */
static void part(const jr_result_layout *with, const char *from, cli_results *results) {
    const jr_result_layout *layout = &results->request->results;
    char *to = results->data.owned;
    for (uint64_t i = 0; i < results->data.count; i++) {
        memcpy(to + i * layout->bytes, from + i * with->bytes, layout->bytes);
        memcpy(&results->counts[i], from + i * with->bytes + with->offsets[with->count - 1], sizeof *results->counts);
    }
}

/* A list of JR_OPS_MAX operators leaves no room for counts. */
static cli_exit reduce_counted(const many_results *many, cli_results *results, cli_error *error) {
    jr_spec spec = results->request->spec;
    jr_result_layout with = JR_INIT(jr_result_layout);
    spec.kept = 1;
    jr_status status = jr_result_layout_of(&spec, &with);
    if (status != JR_OK)
        return cli_fail(error, CLI_USAGE, "--op: some results are of no elements, which %d operators at most find out",
                        JR_OPS_MAX - 1);
    char *all = calloc(results->data.count + 1, with.bytes);
    results->counts = calloc(results->data.count + 1, sizeof *results->counts);
    const bool room = all != NULL && results->counts != NULL;
    if (room) status = reduce_many(many, &spec, all);
    if (room && status == JR_OK) part(&with, all, results);
    free(all);
    if (!room) return cli_fail(error, CLI_FAILURE, "results: out of memory");
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

cli_exit cli_work_host_segments(const cli_devices *devices, const jr_segment_layout *layout, const void *const *arrays,
                                const jr_work_data *segments, cli_results *results, cli_error *error) {
    const many_results many = {devices, layout, arrays, segments};
    const cli_request *request = results->request;
    if (results->drops_empty && request->results.count == request->op_count)
        return reduce_counted(&many, results, error);
    const jr_status status = reduce_many(&many, &results->request->spec, results->data.owned);
    if (status == JR_ERROR_EMPTY_INPUT) return reduce_counted(&many, results, error);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

cli_exit cli_work_segments(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices,
                           const cli_segmentation *all, cli_results *results, cli_error *error) {
    if (devices->ranks > 0) return cli_ranks_segments(options, inputs, devices, all, results, error);
    return cli_work_host_segments(devices, &all->layout, inputs->arrays, &all->segments, results, error);
}

cli_exit cli_work_report(const cli_request *request, const cli_inputs *inputs, const cli_devices *devices,
                         cli_report *report, cli_error *error) {
    cli_report made = {.op_count = request->op_count,
                       .value_count = request->results.count,
                       .type = request->spec.type,
                       .count = inputs->whole_count,
                       .bytes = inputs->bytes,
                       .structure = &request->structure,
                       .group_devices = jr_group_size(devices->group),
                       .ranks = devices->ranks,
                       .stats = JR_INIT(jr_stats),
                       .device = JR_INIT(jr_device_info)};
    jr_status status = devices->group != NULL ? jr_group_stats(devices->group, &made.stats)
                                              : jr_context_stats(devices->context, &made.stats);
    if (status == JR_OK) status = jr_context_device_info(devices->context, &made.device);
    if (status != JR_OK) return cli_fail_library(error, status);
    memcpy(made.ops, request->ops, sizeof made.ops);
    for (int i = 0; i < made.value_count; i++) made.values[i].type = request->results.types[i];
    *report = made;
    return CLI_OK;
}
