/* two_pass: one launch leaves a partial result a block, a second of one block finishes
 * (kernels_src/reduce/two_pass.cu). */
#include "plan/cut.h"
#include "plan/parts.h"

static bool applicable(const jr_job *job) {
    return job->reduction->commutative;
}

/* Both launches: partial_count is 0 in the first. */
static jr_status launch(const jr_plan *plan, const jr_run *run, uint64_t partials, uint64_t partial_count) {
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&cut, (void *)&run->out, &partials, &partial_count, &call};
    return jr_plan_step(plan, 0, partial_count == 0 ? jr_plan_grid(plan, run->count) : 1, run->stream, args);
}

static jr_status fold(const jr_plan *plan, const jr_run *part, uint64_t partials) {
    return launch(plan, part, partials, 0);
}

static const jr_algorithm_parts parts = {.fold = fold, .finish = launch};

const jr_algorithm_row jr_algorithm_row_TWO_PASS = {
    .algorithm = JR_ALGORITHM_TWO_PASS,
    .name = "two_pass",
    .tuned = JR_TUNED_TWO_PASS,
    .kernels = {{.source = "reduce/two_pass.cu", .entry = "jr_reduce_two_pass"}},
    .needs = "a commutative operator",
    .applicable = applicable,
    JR_RUNS_IN_PARTS,
    .parts = &parts};
