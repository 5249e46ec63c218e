/* two_pass: one launch leaves a partial result a block, a second of one block finishes
 * (kernels_src/reduce_two_pass.cu). */
#include "cut.h"
#include "plan.h"

static bool applicable(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device) {
    (void)spec, (void)device;
    return reduction->commutative;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)jr_plan_grid(plan, UINT64_MAX) * plan->reduction.accumulator_bytes;
}

/* Written by the first launch, read by the second. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    return 2 * (uint64_t)jr_plan_grid(plan, count) * plan->reduction.accumulator_bytes;
}

static int launches(const jr_plan *plan, uint64_t count) {
    (void)plan, (void)count;
    return 2;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const int grid = jr_plan_grid(plan, run->count);
    uint64_t partial_count = 0;
    jr_cut cut = jr_cut_of(&plan->reduction, run->in, run->count);
    jr_call call = jr_plan_call(plan, run->count);
    void *args[] = {&cut, (void *)&run->out, (void *)&run->workspace, (void *)&partial_count, &call};
    const jr_status status = jr_plan_step(plan, 0, grid, run->stream, args);
    if (status != JR_OK) return status;
    partial_count = (uint64_t)grid;
    return jr_plan_step(plan, 0, 1, run->stream, args);
}

const jr_algorithm_row jr_algorithm_two_pass = {.algorithm = JR_ALGORITHM_TWO_PASS,
                                                .name = "two_pass",
                                                .kernels = {{"reduce_two_pass.cu", "jr_reduce_two_pass"}},
                                                .needs = "a commutative operator",
                                                .applicable = applicable,
                                                .workspace_bytes = workspace_bytes,
                                                .partial_bytes = partial_bytes,
                                                .launches = launches,
                                                .run = run};
