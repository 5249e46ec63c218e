/* Plans that write a result for every element. */
#include "base/error.h"
#include "plan.h"

/* Results lie beside the inputs, or exactly upon one of the same element size. */
static jr_status check_overlap(const jr_reduction *reduction, const jr_run *run) {
    const uint64_t out = (uint64_t)(uintptr_t)run->out;
    if (run->count > (UINT64_MAX - out) / reduction->output_bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu results of %zu bytes is beyond the address space",
                       (unsigned long long)run->count, reduction->output_bytes);
    for (int i = 0; i < reduction->input_count; i++) {
        const uint64_t in = (uint64_t)(uintptr_t)run->in[i];
        const size_t bytes = reduction->inputs[i].bytes;
        const bool apart = out + run->count * reduction->output_bytes <= in || in + run->count * bytes <= out;
        if (!apart && (in != out || bytes != reduction->output_bytes))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "the results at %p, %zu bytes each, overlap the input at %p, %zu bytes each: they may lie "
                           "exactly upon an input of their own size, or apart",
                           run->out, reduction->output_bytes, run->in[i], bytes);
    }
    return JR_OK;
}

static jr_status check(const jr_plan *plan, const jr_run *run) {
    jr_status status = jr_plan_check_inputs(plan, run, run->count);
    if (status == JR_OK && run->count > 0) status = jr_plan_check_places(plan, run);
    return status == JR_OK ? check_overlap(plan->reduction, run) : status;
}

const jr_plan_kind jr_plan_scan = {.each = "element", .check = check};
