/* one_block: a single block does it all (kernels_src/reduce/one_block.cu). */
#include "plan/cut.h"
#include "plan/plan.h"

static bool applicable(const jr_job *job) {
    return job->reduction->commutative && job->requested.grid <= 1;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&cut, (void *)&run->out, &call};
    return jr_plan_step(plan, 0, 1, run->stream, args);
}

const jr_algorithm_row jr_algorithm_row_ONE_BLOCK = {
    .algorithm = JR_ALGORITHM_ONE_BLOCK,
    .name = "one_block",
    .tuned = JR_TUNED_ONE_BLOCK,
    .kernels = {{.source = "reduce/one_block.cu", .entry = "jr_reduce_one_block"}},
    .grid_max = 1,
    .needs = "a commutative operator and a grid of 1, since it is a single block",
    .applicable = applicable,
    .run = run};
