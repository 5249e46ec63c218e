/* two_pass: one launch leaves a partial result a block, a second of one block finishes
 * (kernels_src/reduce_two_pass.cu). */
#include "cut.h"
#include "plan.h"

static bool applicable(const jr_spec *spec, const jr_device_info *device) {
    (void)spec;
    (void)device;
    return true;
}

static unsigned shared_bytes(const jr_plan *plan) {
    return plan->tuning.shared_dynamic ? (unsigned)plan->tuning.block * (unsigned)plan->accumulator_bytes : 0;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)jr_plan_grid(plan, UINT64_MAX / plan->element_bytes) * plan->accumulator_bytes;
}

static int launches(const jr_plan *plan) {
    (void)plan;
    return 2;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const int grid = jr_plan_grid(plan, run->count);
    uint32_t partial_count = 0;
    jr_cut cut = jr_cut_of(run->in, run->count, plan->element_bytes);
    void *args[] = {&cut, (void *)&run->out, (void *)&run->workspace, (void *)&partial_count,
                    (void *)&plan->initial.as};
    const jr_status status = jr_plan_step(plan, grid, run->stream, args);
    if (status != JR_OK) return status;
    partial_count = (uint32_t)grid;
    return jr_plan_step(plan, 1, run->stream, args);
}

const jr_algorithm_row jr_algorithm_two_pass = {.algorithm = JR_ALGORITHM_TWO_PASS,
                                                .name = "two_pass",
                                                .source = "reduce_two_pass.cu",
                                                .entry = "jr_reduce_two_pass",
                                                .needs = "nothing",
                                                .applicable = applicable,
                                                .shared_bytes = shared_bytes,
                                                .workspace_bytes = workspace_bytes,
                                                .launches = launches,
                                                .run = run};
