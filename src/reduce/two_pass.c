/* two_pass: one launch leaves a partial result a block, a second of one block finishes
 * (kernels_src/reduce_two_pass.cu). */
#include "cut.h"
#include "plan.h"

static bool applicable(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device) {
    (void)spec, (void)device;
    return reduction->commutative;
}

static uint64_t part_count(const jr_plan *plan, uint64_t count) {
    return (uint64_t)jr_plan_grid(plan, count);
}

static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    return 2 * part_count(plan, count) * plan->reduction.accumulator_bytes;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)part_count(plan, UINT64_MAX) * plan->reduction.accumulator_bytes;
}

static int launches(const jr_plan *plan, uint64_t count) {
    (void)plan, (void)count;
    return 2;
}

/* Both launches: partial_count is 0 in the first. */
static jr_status launch(const jr_plan *plan, const jr_run *run, jr_call *call, uint64_t partials,
                        uint64_t partial_count) {
    jr_cut cut = jr_cut_of(&plan->reduction, run->in, run->count);
    void *args[] = {&cut, (void *)&run->out, &partials, &partial_count, call};
    return jr_plan_step(plan, 0, partial_count == 0 ? jr_plan_grid(plan, run->count) : 1, run->stream, args);
}

static jr_status fold(const jr_plan *plan, const jr_run *part, uint64_t first, uint64_t partials) {
    jr_call call = jr_plan_call(plan, part->count);
    call.first = first;
    return launch(plan, part, &call, partials, 0);
}

static jr_status finish(const jr_plan *plan, const jr_run *run, uint64_t partials, uint64_t partial_count) {
    jr_call call = jr_plan_last_call(plan, run);
    return launch(plan, run, &call, partials, partial_count);
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const uint64_t partials = (uint64_t)(uintptr_t)run->workspace;
    const jr_status status = fold(plan, run, 0, partials);
    return status == JR_OK ? finish(plan, run, partials, part_count(plan, run->count)) : status;
}

const jr_algorithm_row jr_algorithm_two_pass = {.algorithm = JR_ALGORITHM_TWO_PASS,
                                                .name = "two_pass",
                                                .kernels = {{"reduce_two_pass.cu", "jr_reduce_two_pass"}},
                                                .needs = "a commutative operator",
                                                .splits_by_size = true,
                                                .applicable = applicable,
                                                .workspace_bytes = workspace_bytes,
                                                .partial_bytes = partial_bytes,
                                                .launches = launches,
                                                .run = run,
                                                .part_count = part_count,
                                                .fold = fold,
                                                .finish = finish};
