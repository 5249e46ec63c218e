/* strided: threads fold elements n / UF apart into a copy, relaunched until one element is left
 * (kernels_src/reduce/strided.cu). */
#include "base/whole.h"
#include "plan/cut.h"
#include "plan/plan.h"

/* With an unroll factor of 1 nothing would become less. */
static bool applicable(const jr_job *job) {
    return job->reduction->commutative && job->requested.unroll != 1;
}

/* One thread per remaining element, up to the largest grid; the kernel's threads take further elements themselves. */
static int blocks_for(const jr_plan *plan, uint64_t left) {
    const uint64_t block = (uint64_t)plan->choice.tuning.block, blocks = jr_divide_up(left, block);
    if (plan->choice.tuning.grid > 0) return plan->choice.tuning.grid;
    return blocks == 0 ? 1 : blocks < INT32_MAX ? (int)blocks : INT32_MAX;
}

/* Of the first launch. */
static int grid(const jr_plan *plan, uint64_t count) {
    const uint64_t most = count < plan->capacity ? count : plan->capacity;
    return blocks_for(plan, most / (uint64_t)plan->choice.tuning.unroll);
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)(plan->capacity / (uint64_t)plan->choice.tuning.unroll) * plan->reduction->accumulator_bytes;
}

/* The launch that follows one that leaves so many elements, or the first of them. */
static jr_stride stride_of(const jr_plan *plan, uint64_t count, bool first) {
    const uint64_t unroll = (uint64_t)plan->choice.tuning.unroll;
    return (jr_stride){
        .count = count, .stride = count / unroll, .odd = (uint32_t)(count % unroll), .from_input = first ? 1 : 0};
}

static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    uint64_t elements = 0;
    for (uint64_t left = count / (uint64_t)plan->choice.tuning.unroll; left > 1;
         left /= (uint64_t)plan->choice.tuning.unroll)
        elements += 2 * left;
    return elements * plan->reduction->accumulator_bytes;
}

static int count_launches(const jr_plan *plan, uint64_t count) {
    int launched = 0;
    do {
        count /= (uint64_t)plan->choice.tuning.unroll;
        launched++;
    } while (count > 1);
    return launched;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_call call = jr_plan_call(plan, run);
    jr_stride launch = stride_of(plan, run->count, true);
    void *args[] = {&cut, (void *)&run->out, (void *)&run->workspace, &launch, &call};
    jr_status status = jr_plan_step(plan, 0, blocks_for(plan, launch.stride), run->stream, args);
    while (status == JR_OK && launch.stride > 1) {
        launch = stride_of(plan, launch.stride, false);
        status = jr_plan_step(plan, 0, blocks_for(plan, launch.stride), run->stream, args);
    }
    return status;
}

const jr_algorithm_row jr_algorithm_row_STRIDED = {
    .algorithm = JR_ALGORITHM_STRIDED,
    .name = "strided",
    .tuned = JR_TUNED_STRIDED,
    .kernels = {{.source = "reduce/strided.cu", .entry = "jr_reduce_strided"}},
    .needs = "a commutative operator and an unroll factor of 2 or more, since with 1 nothing becomes less",
    .needs_capacity = true,
    .applicable = applicable,
    .grid = grid,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = partial_bytes,
    .launches = count_launches,
    .run = run};
