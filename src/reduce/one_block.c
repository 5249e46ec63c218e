/* one_block: a single block does it all (kernels_src/reduce_one_block.cu). */
#include "cut.h"
#include "plan.h"

static bool applicable(const jr_spec *spec, const jr_device_info *device) {
    (void)device;
    return spec->grid <= 1;
}

static unsigned shared_bytes(const jr_plan *plan) {
    return plan->tuning.shared_dynamic ? (unsigned)plan->tuning.block * (unsigned)plan->accumulator_bytes : 0;
}

static size_t workspace_bytes(const jr_plan *plan) {
    (void)plan;
    return 0;
}

static int launches(const jr_plan *plan) {
    (void)plan;
    return 1;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_cut cut = jr_cut_of(run->in, run->count, plan->element_bytes);
    void *args[] = {&cut, (void *)&run->out, (void *)&plan->initial.as};
    return jr_plan_step(plan, 1, run->stream, args);
}

const jr_algorithm_row jr_algorithm_one_block = {.algorithm = JR_ALGORITHM_ONE_BLOCK,
                                                 .name = "one_block",
                                                 .source = "reduce_one_block.cu",
                                                 .entry = "jr_reduce_one_block",
                                                 .needs = "a grid of 1, since it is a single block",
                                                 .applicable = applicable,
                                                 .shared_bytes = shared_bytes,
                                                 .workspace_bytes = workspace_bytes,
                                                 .launches = launches,
                                                 .run = run};
