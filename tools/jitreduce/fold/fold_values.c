/* Merges what was folded, and what was folded in f64, into values. */
#include "fold_values.h"

#include <stdlib.h>
#include <string.h>

#include "fold.h"

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
    if (kept == 0)
        return jr_work_run_host(fold->context, &JR_INIT(jr_work, .spec = spec),
                                &JR_INIT(jr_work_data, .in = none, .values = values));
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
    const void *const in[] = {d_states};
    jr_work_data states = JR_INIT(jr_work_data, .in = in, .states = fold->parts, .count = fold->elements);
    jr_status status = results != NULL ? JR_OK : JR_ERROR_OUT_OF_MEMORY;
    if (status == JR_OK) status = jr_memory_new(fold->context, bytes, &d_out);
    if (status == JR_OK) status = jr_memory_write(fold->context, d_states, fold->states.bytes, fold->states.used);
    states.out = d_out;
    if (status == JR_OK) status = jr_work_plan_run(plan, &states, NULL, NULL);
    if (status == JR_OK) status = jr_memory_read(fold->context, results, d_out, bytes);
    if (status == JR_OK) status = take_values(fold, results, values);
    jr_memory_free(fold->context, d_out);
    free(results);
    return status;
}

static jr_status find_values(cli_fold *fold, jr_value *values) {
    jr_plan *plan = NULL;
    void *d_states = NULL;
    const jr_work work = JR_INIT(jr_work, .spec = &fold->spec, .kind = JR_WORK_MERGE);
    jr_status status = jr_work_plan_create(fold->context, &work, &plan);
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
    cli_exit code = cli_fold_first(fold, cli_fold_held(fold), error);
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

bool cli_fold_wide_values(cli_fold *fold, cli_wide *wide) {
    cli_fold *in_f64 = fold->wide;
    jr_value values[JR_OPS_MAX];
    if (in_f64 == NULL || fold->asleep || in_f64->ended || in_f64->elements != fold->elements) return false;
    double *numbers = calloc(JR_OPS_MAX, sizeof *numbers);
    if (numbers == NULL || find_values(in_f64, values) != JR_OK) {
        free(numbers);
        return false;
    }
    const cli_request *request = &in_f64->request;
    for (int i = 0; i < request->results.count; i++) (void)jr_value_number(&values[i], &numbers[i]);
    for (int i = 0; fold->options->spec.map != NULL && i < request->op_count; i++) {
        wide->all |= request->ops[i] == JR_OP_MIN && !(numbers[i] >= -0x1p63);
        wide->all |= request->ops[i] == JR_OP_MAX && !(numbers[i] < 0x1p63);
    }
    cli_wide_keep(wide, numbers, 1, fold->request.results.count);
    return true;
}
