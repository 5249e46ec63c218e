/* Plans of runs of equal neighbouring keys, which write a key and a result for each. */
#include "base/error.h"
#include "plan/plan.h"
#include "spec/dtype.h"

enum { WRITTEN = 3 };

/* How many runs there will be nobody knows: one at least, and what is certainly overwritten is refused. */
static jr_status check_apart(const jr_plan *plan, const jr_run *run) {
    const jr_reduction *reduction = plan->reduction;
    const uint64_t key_bytes = jr_dtype_find(plan->layout.key_type)->bytes;
    const jr_run_range keys = {"keys", run->segments.keys, run->count * key_bytes},
                       written[WRITTEN] = {{"count of runs", run->segments.run_count, sizeof(uint64_t)},
                                           {"keys of runs", run->segments.run_keys, key_bytes},
                                           {"results", run->out, jr_plan_result_stride(plan)}};
    jr_status status = JR_OK;
    for (int w = 0; w < WRITTEN && status == JR_OK; w++) {
        status = jr_plan_check_apart(&written[w], &keys);
        for (int i = 0; i < reduction->input_count && status == JR_OK; i++) {
            const jr_run_range input = {"input", run->in[i], run->count * reduction->inputs[i].bytes};
            status = jr_plan_check_apart(&written[w], &input);
        }
        for (int other = 0; other < w && status == JR_OK; other++)
            status = jr_plan_check_apart(&written[w], &written[other]);
    }
    return status;
}

static jr_status check_aligned(const char *name, jr_cu_deviceptr at, size_t bytes) {
    if (at % bytes == 0) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the address of the %s, %p, is not aligned to %zu bytes", name,
                   jr_cu_pointer(at), bytes);
}

static jr_status check(const jr_plan *plan, const jr_run *run) {
    jr_status status = jr_plan_check_inputs(plan, run, run->count);
    if (status == JR_OK) status = check_aligned("count of runs", run->segments.run_count, sizeof(uint64_t));
    if (status == JR_OK)
        status = check_aligned("keys of runs", run->segments.run_keys, jr_dtype_find(plan->layout.key_type)->bytes);
    if (status == JR_OK && run->count == 0) return jr_plan_check_workspace(run);
    if (status == JR_OK) status = jr_plan_check_places(plan, run);
    return status == JR_OK ? check_apart(plan, run) : status;
}

const jr_plan_kind jr_plan_runs = {.each = "run of equal keys", .by_elements = true, .counts = true, .check = check};
