/* merge: one block folds states in their order, into the result or a state (kernels_src/reduce/finish.cu). */
#include "base/error.h"
#include "plan/plan.h"

static bool applicable(const jr_job *job) {
    return job->layout.kind == 0;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    uint64_t states = run->in[0], count = run->merge.states;
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&states, &count, (void *)&run->out, &call};
    return jr_plan_step(plan, 0, 1, run->stream, args);
}

const jr_algorithm_row jr_merge = {
    .name = "merge",
    .tuned = JR_TUNED_MERGE,
    .kind = JR_JOB_MERGE,
    .kernels = {{.source = "reduce/finish.cu", .entry = "jr_reduce_finish", .alone = true}},
    .grid_max = 1,
    .applicable = applicable,
    .run = run};

/* The states lie apart from what is made of them. */
static jr_status check_states(const jr_plan *plan, const jr_run *run) {
    const uint64_t at = run->in[0], out = run->out;
    const size_t bytes = plan->reduction->accumulator_bytes;
    if (at != 0 || run->merge.states > 0) JR_TRY(jr_given_aligned("address of the states", jr_cu_pointer(at), 16));
    if (run->merge.states > (UINT64_MAX - at) / bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu states of %zu bytes are beyond the address space",
                       (unsigned long long)run->merge.states, bytes);
    if (out < at + run->merge.states * bytes && at < out + jr_plan_result_stride(plan))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the output at %p, %zu bytes, overlaps the %llu states at %p, %zu each", jr_cu_pointer(out),
                       jr_plan_result_stride(plan), (unsigned long long)run->merge.states, jr_cu_pointer(at), bytes);
    return JR_OK;
}

static jr_status check(const jr_plan *plan, const jr_run *run) {
    jr_status status = jr_plan_check_places(plan, run);
    if (status == JR_OK) status = check_states(plan, run);
    if (status != JR_OK || plan->choice.tuning.to_state) return status;
    return run->count == 0 || run->merge.states == 0 ? jr_reduction_check_empty(plan->reduction) : JR_OK;
}

const jr_plan_kind jr_plan_merge = {.check = check};
