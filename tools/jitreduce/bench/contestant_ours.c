/* The library's contestants: the work as requested; of misaligned data, the same at aligned addresses
 * (CLI_SLOT_ALIGNMENT); each algorithm; with a list, its first operator alone; with exact sums, the same without it;
 * with a group, its first device. */
#include <stdio.h>
#include <string.h>

#include "contestant.h"

static void find_arrays(const cli_bench_item *item, uint64_t run, const void *in[JR_INPUTS_MAX]) {
    const bool aligned = item->who->kind == &cli_contestant_aligned;
    for (int i = 0; i < item->input_count; i++) in[i] = cli_bench_array(item->bench->data, run, i, aligned);
}

static jr_status run_plan(void *user, uint64_t run, jr_stream stream) {
    const cli_bench_item *item = user;
    const void *in[JR_INPUTS_MAX] = {NULL};
    find_arrays(item, run, in);
    return jr_work_plan_run(item->own, &JR_INIT(jr_work_data, .in = in, .count = item->count, .out = item->out), NULL,
                            stream);
}

static jr_status call_plan(void *user, uint64_t run, jr_stream stream) {
    const cli_bench_item *item = user;
    const void *in[JR_INPUTS_MAX] = {NULL};
    jr_value values[JR_OPS_MAX];
    find_arrays(item, run, in);
    return jr_plan_value(item->own, in, item->count, stream, values);
}

static jr_status make_plan(cli_bench_item *item, jr_spec spec) {
    jr_plan *plan = NULL;
    spec.capacity = item->count;
    const jr_status status = jr_work_plan_create(item->bench->context, &JR_INIT(jr_work, .spec = &spec), &plan);
    item->own = plan;
    return status;
}

static jr_status prepare_ours(cli_bench_item *item) {
    return make_plan(item, item->request->spec);
}

static jr_status prepare_alone(cli_bench_item *item) {
    jr_spec spec = item->request->spec;
    spec.op = item->request->ops[0];
    spec.ops = NULL;
    spec.op_count = 0;
    item->result_count = 1;
    return make_plan(item, spec);
}

static jr_status prepare_plain(cli_bench_item *item) {
    jr_spec spec = item->request->spec;
    spec.accuracy = JR_ACCURACY_FAST;
    return make_plan(item, spec);
}

static jr_status prepare_algorithm(cli_bench_item *item) {
    jr_spec spec = item->request->spec;
    spec.algorithm = (jr_algorithm)item->who->which;
    const jr_status status = make_plan(item, spec);
    item->cell->there = status == JR_OK;
    if (status != JR_ERROR_NOT_APPLICABLE && status != JR_ERROR_LAUNCH_RESOURCES) return status;
    snprintf(item->cell->note, sizeof item->cell->note, "%s", jr_last_error()->message);
    return JR_OK;
}

static jr_status prepare_aligned(cli_bench_item *item) {
    item->own = item->ours->own;
    return JR_OK;
}

static jr_status read_values(const cli_bench_item *item, jr_value *values) {
    unsigned char bytes[CLI_OUT_BYTES];
    const jr_status status = jr_memory_read(item->bench->context, bytes, item->out, sizeof bytes);
    for (int i = 0; status == JR_OK && i < item->result_count; i++) {
        values[i] = (jr_value){.type = item->request->results.types[i]};
        memcpy(&values[i].as, bytes + jr_plan_result_offset(item->own, i), jr_type_size(values[i].type));
    }
    return status;
}

static void destroy_plan(cli_bench_item *item) {
    jr_plan_destroy(item->own);
}

static void leave_plan(cli_bench_item *item) {
    item->own = NULL;
}

const cli_bench_kind cli_contestant_ours = {
    .prepare = prepare_ours, .run = run_plan, .call = call_plan, .read = read_values, .release = destroy_plan};
const cli_bench_kind cli_contestant_alone = {
    .prepare = prepare_alone, .run = run_plan, .call = call_plan, .read = read_values, .release = destroy_plan};
const cli_bench_kind cli_contestant_algorithm = {
    .prepare = prepare_algorithm, .run = run_plan, .call = call_plan, .read = read_values, .release = destroy_plan};
const cli_bench_kind cli_contestant_plain = {.prepare = prepare_plain,
                                             .run = run_plan,
                                             .call = call_plan,
                                             .read = read_values,
                                             .release = destroy_plan,
                                             .rounds_otherwise = true};
/* It reads other elements, so its values are others. */
const cli_bench_kind cli_contestant_aligned = {
    .prepare = prepare_aligned, .run = run_plan, .call = call_plan, .release = leave_plan};
/* It reads a part of the elements. */
const cli_bench_kind cli_contestant_one = {
    .prepare = prepare_ours, .run = run_plan, .call = call_plan, .release = destroy_plan};
