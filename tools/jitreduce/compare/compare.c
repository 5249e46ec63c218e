/* jitreduce compare, and bench of given elements: reduces or scans the same input in device memory by every algorithm,
 * or by one, and measures each. */
#include <string.h>

#include "compare_scan.h"
#include "compare_segments.h"
#include "comparison.h"
#include "io/data.h"
#include "options/command.h"
#include "plot/chart.h"
#include "plot/gnuplot.h"
#include "reduce/work.h"

/* What a comparison holds. */
typedef struct bench {
    jr_context *context;
    void *arrays[JR_INPUTS_MAX]; /* on the device */
    void *out;
    cli_compare_scan *scan;         /* NULL: reductions */
    cli_compare_segments *segments; /* NULL: one, of all elements */
    bool stats;
} bench;

/* Results of a list lie 16 bytes apart. */
enum { OUT_BYTES = JR_OPS_MAX * JR_STRUCT_BYTES_MAX };

static jr_status upload(const cli_request *request, const cli_inputs *inputs, bench *on) {
    uint64_t out_bytes = on->scan != NULL ? on->scan->bytes : 0;
    if (on->segments != NULL) out_bytes = on->segments->results * request->results.bytes;
    jr_status status = jr_memory_new(on->context, out_bytes > OUT_BYTES ? out_bytes : OUT_BYTES, &on->out);
    for (int i = 0; status == JR_OK && i < inputs->count; i++) {
        const cli_input *input = &inputs->input[i];
        const uint64_t bytes = input->count * input->element_bytes;
        status = jr_memory_new(on->context, bytes > 0 ? bytes : 1, &on->arrays[i]);
        if (status == JR_OK && bytes > 0) status = jr_memory_write(on->context, on->arrays[i], input->elements, bytes);
    }
    return status;
}

static void free_memory(bench *on) {
    for (int i = 0; i < JR_INPUTS_MAX; i++) jr_memory_free(on->context, on->arrays[i]);
    jr_memory_free(on->context, on->out);
}

/* The most that any kernel of a plan takes. */
static jr_status look_at_kernels(const jr_plan *plan, cli_contestant *row) {
    jr_status status = JR_OK;
    for (unsigned i = 0; status == JR_OK && i < jr_plan_kernel_count(plan); i++) {
        jr_kernel *kernel;
        jr_kernel_info info = JR_INIT(jr_kernel_info);
        jr_launch launch = JR_INIT(jr_launch);
        status = jr_plan_kernel(plan, i, &kernel);
        if (status == JR_OK) status = jr_kernel_info_get(kernel, &info);
        if (status == JR_OK) status = jr_plan_launch_get(plan, i, &launch);
        if (status != JR_OK) return status;
        const int shared_bytes = info.shared_bytes + (int)launch.shared_bytes;
        if (row->registers < info.registers) row->registers = info.registers;
        if (row->shared_bytes < shared_bytes) row->shared_bytes = shared_bytes;
    }
    return status;
}

/* As many rounds as take about a fifth of a second, from 1 to 20, by the time of the first run. */
static int rounds_of(double first_ms) {
    enum { BUDGET_MS = 200, MOST = 20 };
    return first_ms * MOST < BUDGET_MS ? MOST : first_ms >= BUDGET_MS ? 1 : (int)(BUDGET_MS / first_ms);
}

static jr_status time_plan(const cli_inputs *inputs, const bench *on, jr_plan *plan, const jr_work_data *data,
                           int rounds, jr_run_cost *cost) {
    return on->segments != NULL ? cli_compare_segments_time(on->segments, plan, data, inputs->bytes, rounds, cost)
                                : jr_plan_time(plan, data->in, data->count, data->out, rounds, cost);
}

static jr_status measure(const cli_request *request, const cli_inputs *inputs, const bench *on, jr_plan *plan,
                         cli_contestant *row) {
    const void *arrays[JR_INPUTS_MAX];
    jr_work_data data =
        on->segments != NULL ? on->segments->data : JR_INIT(jr_work_data, .count = inputs->element_count);
    for (int i = 0; i < JR_INPUTS_MAX; i++) arrays[i] = on->arrays[i];
    data.in = arrays;
    data.out = on->out;
    row->cost = JR_INIT(jr_run_cost);
    jr_status status = time_plan(inputs, on, plan, &data, 1, &row->cost);
    if (status == JR_OK) status = time_plan(inputs, on, plan, &data, rounds_of(row->cost.kernel_ms), &row->cost);
    if (status == JR_OK) status = look_at_kernels(plan, row);
    if (on->scan != NULL) return status == JR_OK ? cli_compare_scan_look(on->scan, plan, &data, row) : status;
    if (on->segments != NULL && status == JR_OK)
        return cli_compare_segments_read(on->segments, request, on->out, row->values);
    /* A run of its own: what has no value, as the least of nothing selected, has none here either. */
    if (status == JR_OK) status = jr_plan_value(plan, arrays, inputs->element_count, NULL, row->values);
    return status;
}

/* "kernel     single_pass: compiled, 3.1 ms in NVRTC: first compile ..." */
static jr_status tell_origin(const bench *on, const jr_plan *plan, const cli_contestant *row) {
    jr_stats stats = JR_INIT(jr_stats);
    if (!on->stats || plan == NULL || row->refused[0] != '\0') return JR_OK;
    const jr_status status = jr_plan_stats(plan, &stats);
    if (status != JR_OK) return status;
    fprintf(stderr, "kernel     %s: %s", cli_contestant_name(row), cli_origin_text(stats.origin));
    if (stats.compiled_because[0] != '\0')
        fprintf(stderr, ", %.3f ms in NVRTC: %s", stats.nvrtc_ms, stats.compiled_because);
    fputc('\n', stderr);
    return JR_OK;
}

/* One algorithm. That it does not take the request is a finding; anything else that fails ends the comparison. */
static jr_status run_one(const cli_request *request, const cli_inputs *inputs, const bench *on, cli_contestant *row) {
    jr_plan *plan = NULL;
    jr_spec spec = request->spec;
    spec.algorithm = row->algorithm;
    spec.capacity = inputs->element_count;
    /* With --accuracy exact, exact sums are a row of their own after the plain ones. */
    if (on->scan == NULL && !row->is_exact && spec.accuracy == JR_ACCURACY_EXACT) spec.accuracy = JR_ACCURACY_FAST;
    jr_stats stats = JR_INIT(jr_stats);
    const jr_work work = JR_INIT(jr_work, .spec = &spec, .kind = on->scan != NULL ? on->scan->kind : JR_WORK_REDUCE,
                                 .layout = on->segments != NULL ? &on->segments->all.layout : NULL);
    jr_status status = jr_work_plan_create(on->context, &work, &plan);
    if (status == JR_OK) status = jr_plan_stats(plan, &stats);
    if (row->algorithm == JR_ALGORITHM_AUTO && !row->is_exact && on->segments == NULL) row->algorithm = stats.algorithm;
    if (status == JR_OK) status = measure(request, inputs, on, plan, row);
    if (status == JR_ERROR_NOT_APPLICABLE || status == JR_ERROR_LAUNCH_RESOURCES) {
        snprintf(row->refused, sizeof row->refused, "%s", jr_last_error()->message);
        status = JR_OK;
    }
    if (status == JR_OK) status = tell_origin(on, plan, row);
    jr_plan_destroy(plan);
    return status;
}

/* The last row is the exact one. */
static void hold_against_exact(cli_comparison *found) {
    const cli_contestant *exact = &found->rows[found->row_count - 1];
    for (int r = 0; exact->refused[0] == '\0' && r < found->row_count; r++)
        for (int i = 0; i < found->op_count; i++)
            found->rows[r].off[i] = cli_distance_of(&found->rows[r].values[i], &exact->values[i]);
}

static jr_status run_all(const cli_request *request, const cli_inputs *inputs, bench *on, cli_comparison *found) {
    found->device = JR_INIT(jr_device_info);
    jr_status status = jr_context_device_info(on->context, &found->device);
    if (status == JR_OK) status = upload(request, inputs, on);
    for (int i = 0; status == JR_OK && i < found->row_count; i++)
        status = run_one(request, inputs, on, &found->rows[i]);
    if (status == JR_OK && found->exact) hold_against_exact(found);
    return status;
}

static void list_algorithms(const cli_options *options, cli_comparison *found) {
    static const jr_algorithm reductions[] = {
#define ALGORITHM(name, number, text) JR_ALGORITHM_##name,
        JR_ALGORITHMS(ALGORITHM)};
    static const jr_algorithm scans[] = {JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_BULK_COPY,
                                         JR_SCAN_ALGORITHMS(ALGORITHM)};
#undef ALGORITHM
    _Static_assert(sizeof scans <= sizeof reductions, "more algorithms of scans than rows");
    const jr_algorithm *const all = found->scan != NULL ? scans : reductions;
    found->row_count = (int)((found->scan != NULL ? sizeof scans : sizeof reductions) / sizeof *all);
    for (int i = 0; i < found->row_count; i++) found->rows[i].algorithm = all[i];
    if ((options->bench.given && !options->bench.every) || (cli_options_divide(options) && !options->scan)) {
        found->row_count = 1;
        found->rows[0].algorithm = options->spec.algorithm; /* segments are reduced by an algorithm of theirs */
    }
    if (found->exact) found->rows[found->row_count++] = (cli_contestant){.is_exact = true};
}

static cli_comparison describe(const cli_options *options, const cli_request *request, const cli_inputs *inputs) {
    cli_comparison found = {.scan = cli_scan_name(options),
                            .exact = options->spec.accuracy == JR_ACCURACY_EXACT && !options->scan,
                            .op_count = request->op_count,
                            .type = request->spec.type,
                            .count = inputs->element_count,
                            .bytes = inputs->bytes,
                            .structure = &request->structure};
    memcpy(found.ops, request->ops, sizeof found.ops);
    list_algorithms(options, &found);
    return found;
}

/* ---- the picture of --plot: a bar for each algorithm that takes the request, of exact sums a panel for each operator
 * ---- */

static void title_of(const void *user, int panel, char text[CLI_CHART_TEXT_BYTES]) {
    const cli_comparison *comparison = user;
    const bool one = comparison->exact || comparison->op_count == 1;
    snprintf(text, CLI_CHART_TEXT_BYTES, "%s%s%s of %llu elements of %s, %s",
             comparison->scan != NULL ? comparison->scan : "", comparison->scan != NULL ? " scan " : "",
             one ? jr_op_name(comparison->ops[panel]) : "several operators", (unsigned long long)comparison->count,
             cli_type_name(comparison->type), comparison->exact ? "units in the last place off" : "GB/s");
}

static void draw_bars(const void *user, int panel, cli_chart *chart) {
    const cli_comparison *comparison = user;
    for (int i = 0; i < comparison->row_count; i++) {
        const cli_contestant *row = &comparison->rows[i];
        if (row->refused[0] != '\0' || (comparison->exact && !row->off[panel].known)) continue;
        cli_chart_bar(chart, cli_contestant_name(row),
                      comparison->exact ? (double)row->off[panel].steps : cli_contestant_gb_per_s(row));
    }
}

static cli_exit plot(const cli_comparison *comparison, const char *path, cli_error *error) {
    const cli_chart_picture picture = {.user = comparison,
                                       .panel_count = comparison->exact ? comparison->op_count : 1,
                                       .title = title_of,
                                       .bars = draw_bars};
    if (path != NULL) return cli_chart_write(&picture, path, error);
    cli_chart_draw(&picture);
    return CLI_OK;
}

/* ---- all of it ---- */

static cli_exit compare(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                        const cli_devices *devices, cli_error *error) {
    cli_compare_scan scan = {.bytes = 0};
    cli_compare_segments segments = {.context = NULL};
    bench on = {.context = devices->context, .scan = options->scan ? &scan : NULL, .stats = options->stats};
    cli_comparison found = describe(options, request, inputs);
    cli_exit code =
        options->scan ? cli_compare_scan_open(options, request, inputs, devices->context, &scan, error) : CLI_OK;
    if (code == CLI_OK && cli_options_divide(options)) {
        code = cli_compare_segments_open(options, inputs, devices->context, &segments, error);
        on.segments = &segments;
    }
    if (code != CLI_OK) {
        cli_compare_scan_close(&scan);
        return code;
    }
    const jr_status status = run_all(request, inputs, &on, &found);
    if (status != JR_OK) code = cli_fail_library(error, status);
    if (code == CLI_OK)
        (options->json  ? cli_comparison_json
         : options->csv ? cli_comparison_csv
                        : cli_comparison_table)(&found, stdout);
    if (code == CLI_OK && options->bench.plots) code = plot(&found, options->bench.plot, error);
    if (code == CLI_OK && options->scan) code = cli_compare_scan_check(&found, error);
    free_memory(&on);
    cli_compare_scan_close(&scan);
    cli_compare_segments_close(&segments);
    return code;
}

cli_exit cli_compare_run(const cli_options *options, cli_error *error) {
    if (options->scan && options->op_count > 1)
        return cli_fail(error, CLI_USAGE, "--op: a scan takes one operator, not %d", options->op_count);
    const cli_exit code = cli_gnuplot_check_options(options, error);
    return code == CLI_OK ? cli_work_run(options, compare, error) : code;
}
