/* Folds elements of texts into partial states (jitreduce/state.h), a part at a time, and merges these. */
#include "fold.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device.h"

/* Of a part: 32 MiB of f64. */
enum { PART_ELEMENTS = 1 << 22 };

/* Of a group each device is given its share of all. */
bool cli_fold_applies(const cli_options *options) {
    const jr_spec *spec = &options->spec;
    const bool one = options->axis_count == 0 && options->segment_length == 0 && options->offsets == NULL &&
                     options->keys == NULL && options->group_by == NULL;
    const bool whole = options->offset == 0 && options->count == UINT64_MAX && !options->random && !options->iota;
    const bool plain = spec->algorithm == JR_ALGORITHM_AUTO && spec->device_bytes == 0 && spec->max_launch_ms == 0;
    return one && whole && plain && !cli_device_is_group(options) && options->ranks == NULL &&
           options->more_files[1] == NULL && options->structure.text == NULL;
}

/* Where a selection may leave nothing, how many elements it keeps is counted beside the results. */
static void count_kept(cli_fold *fold) {
    jr_spec *spec = &fold->spec;
    *spec = fold->request.spec;
    if ((spec->where != NULL || spec->nan == JR_NAN_IGNORE) && fold->request.results.count < JR_OPS_MAX) spec->kept = 1;
}

static jr_status make_plan(cli_fold *fold) {
    jr_status status = jr_state_plan_create(fold->context, &fold->spec, &fold->plan);
    if (status != JR_OK) return status;
    fold->states = (cli_vector){.size = jr_plan_result_bytes(fold->plan)};
    status = jr_memory_new(fold->context, fold->states.size, &fold->device_state);
    for (int i = 0; status == JR_OK && i < fold->column_count; i++)
        status = jr_memory_new(fold->context, (uint64_t)PART_ELEMENTS * 8, &fold->device_elements[i]);
    return status;
}

/* Opens the device for the types that the columns have now. */
static cli_exit begin(cli_fold *fold, cli_error *error) {
    jr_type types[JR_INPUTS_MAX];
    for (int i = 0; i < fold->column_count; i++) types[i] = fold->columns[i].vector.type;
    cli_exit code = cli_request_make(fold->options, types, fold->column_count, &fold->request, error);
    if (code == CLI_OK && fold->context == NULL) code = cli_device_open(fold->options, &fold->context, error);
    if (code != CLI_OK) return code;
    fold->request.spec.capacity = PART_ELEMENTS;
    count_kept(fold);
    const jr_status status = make_plan(fold);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

static jr_status copy_part(cli_fold *fold, uint64_t count) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < fold->column_count; i++) {
        const cli_vector *vector = &fold->columns[i].vector;
        status = jr_memory_write(fold->context, fold->device_elements[i], vector->bytes, count * vector->size);
    }
    return status;
}

/* Folds the first `count` elements of the columns into one more state. */
static jr_status fold_part(cli_fold *fold, uint64_t count) {
    const jr_part part =
        JR_INIT(jr_part, .d_in = (const void *const *)fold->device_elements, .count = count, .first = fold->elements);
    if (!cli_vector_grow(&fold->states)) return JR_ERROR_OUT_OF_MEMORY;
    const double begin_ms = cli_now_s() * 1e3;
    jr_status status = copy_part(fold, count);
    const double copied_ms = cli_now_s() * 1e3;
    if (status == JR_OK) status = jr_state_plan_run(fold->plan, &part, fold->device_state, NULL, NULL);
    if (status == JR_OK)
        status = jr_memory_read(fold->context, fold->states.bytes + fold->states.used, fold->device_state,
                                fold->states.size);
    if (status != JR_OK) return status;
    fold->copy_ms += copied_ms - begin_ms;
    fold->run_ms += cli_now_s() * 1e3 - copied_ms;
    fold->states.used += fold->states.size;
    fold->elements += count;
    fold->parts++;
    return JR_OK;
}

/* Folds the first `count` elements that the columns hold, and takes them from these. */
static cli_exit fold_first(cli_fold *fold, uint64_t count, cli_error *error) {
    const cli_exit code = fold->plan == NULL ? begin(fold, error) : CLI_OK;
    if (code != CLI_OK || count == 0) return code;
    const jr_status status = fold_part(fold, count);
    if (status != JR_OK) return cli_fail_library(error, status);
    for (int i = 0; i < fold->column_count; i++) {
        cli_column *column = &fold->columns[i];
        const size_t gone = count * column->vector.size;
        column->folded += count;
        column->minus.used = 0;
        column->vector.used -= gone;
        memmove(column->vector.bytes, column->vector.bytes + gone, column->vector.used);
    }
    return CLI_OK;
}

static uint64_t held(const cli_fold *fold) {
    return fold->columns[0].vector.used / fold->columns[0].vector.size;
}

/* Parts are of one size, in whatever blocks the text comes, so that the result does not depend on that. */
cli_exit cli_fold_take(void *user, cli_error *error) {
    cli_fold *fold = user;
    bool settled = true;
    cli_exit code = CLI_OK;
    for (int i = 0; i < fold->column_count; i++) settled &= cli_column_settled(&fold->columns[i]);
    if (!settled && !fold->repeats) return CLI_OK;
    while (code == CLI_OK && held(fold) > PART_ELEMENTS) code = fold_first(fold, PART_ELEMENTS, error);
    return code;
}

/* The values of what was merged; of nothing that was kept, what the library says of nothing. */
static jr_status take_values(cli_fold *fold, const char *results, jr_value *values) {
    const jr_spec *spec = &fold->request.spec;
    const jr_result_layout *layout = &fold->request.results;
    jr_result_layout counted = JR_INIT(jr_result_layout);
    uint64_t kept = 1;
    const void *none[JR_INPUTS_MAX] = {NULL};
    const jr_status status = jr_result_layout_of(&fold->spec, &counted);
    if (status != JR_OK) return status;
    if (fold->spec.kept) memcpy(&kept, results + counted.offsets[counted.count - 1], sizeof kept);
    if (kept == 0) return jr_reduce_host_arrays(fold->context, spec, none, 0, values);
    for (int i = 0; i < layout->count; i++) {
        values[i] = (jr_value){.type = layout->types[i]};
        memcpy(values[i].as.bytes, results + counted.offsets[i], jr_type_size(layout->types[i]));
    }
    return JR_OK;
}

static jr_status merge(cli_fold *fold, jr_plan *plan, void *d_states, jr_value *values) {
    const size_t bytes = jr_plan_result_bytes(plan);
    void *d_out = NULL;
    char *results = malloc(bytes);
    jr_states states = JR_INIT(jr_states, .d_states = d_states, .count = fold->parts, .elements = fold->elements);
    jr_status status = results != NULL ? JR_OK : JR_ERROR_OUT_OF_MEMORY;
    if (status == JR_OK) status = jr_memory_new(fold->context, bytes, &d_out);
    if (status == JR_OK) status = jr_memory_write(fold->context, d_states, fold->states.bytes, fold->states.used);
    if (status == JR_OK) status = jr_merge_plan_run(plan, &states, d_out, NULL);
    if (status == JR_OK) status = jr_memory_read(fold->context, results, d_out, bytes);
    if (status == JR_OK) status = take_values(fold, results, values);
    jr_memory_free(fold->context, d_out);
    free(results);
    return status;
}

static jr_status find_values(cli_fold *fold, jr_value *values) {
    jr_plan *plan = NULL;
    void *d_states = NULL;
    jr_status status = jr_merge_plan_create(fold->context, &fold->spec, JR_MERGE_TO_RESULT, &plan);
    if (status == JR_OK) status = jr_memory_new(fold->context, fold->states.used, &d_states);
    if (status == JR_OK) status = merge(fold, plan, d_states, values);
    jr_memory_free(fold->context, d_states);
    jr_plan_destroy(plan);
    return status;
}

cli_exit cli_fold_finish(cli_fold *fold, cli_report *report, cli_error *error) {
    cli_report made = {.op_count = fold->request.op_count,
                       .value_count = fold->request.results.count,
                       .type = fold->request.spec.type,
                       .stats = JR_INIT(jr_stats),
                       .device = JR_INIT(jr_device_info)};
    cli_exit code = fold_first(fold, held(fold), error);
    if (code != CLI_OK) return code;
    jr_status status = find_values(fold, made.values);
    if (status == JR_OK) status = jr_plan_stats(fold->plan, &made.stats);
    if (status == JR_OK) status = jr_context_device_info(fold->context, &made.device);
    if (status != JR_OK) return cli_fail_library(error, status);
    memcpy(made.ops, fold->request.ops, sizeof made.ops);
    made.count = fold->elements;
    for (int i = 0; i < fold->column_count; i++) made.bytes += made.count * fold->columns[i].vector.size;
    made.stats.parts = fold->parts;
    made.stats.copy_ms = fold->copy_ms;
    made.stats.kernel_ms = fold->run_ms;
    *report = made;
    return CLI_OK;
}

void cli_fold_forget(cli_fold *fold) {
    for (int i = 0; i < JR_INPUTS_MAX; i++) {
        jr_memory_free(fold->context, fold->device_elements[i]);
        fold->device_elements[i] = NULL;
    }
    jr_memory_free(fold->context, fold->device_state);
    jr_plan_destroy(fold->plan);
    free(fold->states.bytes);
    fold->plan = NULL;
    fold->device_state = NULL;
    fold->states = (cli_vector){.size = 0};
    fold->elements = fold->parts = 0;
    fold->copy_ms = fold->run_ms = 0;
}

void cli_fold_close(cli_fold *fold) {
    for (int i = 0; i < fold->column_count && fold->elements > 0; i++) cli_column_free(&fold->columns[i]);
    if (fold->context == NULL) return;
    cli_fold_forget(fold);
    jr_context_close(fold->context);
    fold->context = NULL;
}
