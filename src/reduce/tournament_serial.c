/* tournament_serial: each thread folds a share, then the threads of a block play a tournament; one block folds what the
 * blocks leave (kernels_src/reduce/tournament_serial.cu, finish.cu). */
#include "cut.h"
#include "parts.h"

static bool applicable(const jr_job *job) {
    return job->reduction->commutative;
}

static jr_status fold(const jr_plan *plan, const jr_run *part, uint64_t first, uint64_t partials) {
    jr_cut cut = jr_cut_of(plan->reduction, part->in, part->count);
    jr_call call = jr_plan_call(plan, part->count);
    call.first = first;
    void *args[] = {&cut, &partials, &call};
    return jr_plan_step(plan, 0, jr_plan_grid(plan, part->count), part->stream, args);
}

const jr_algorithm_row jr_algorithm_row_TOURNAMENT_SERIAL = {
    .algorithm = JR_ALGORITHM_TOURNAMENT_SERIAL,
    .name = "tournament_serial",
    .kernels = {{.source = "reduce/tournament_serial.cu", .entry = "jr_reduce_tournament_serial"},
                {.source = "reduce/finish.cu", .entry = "jr_reduce_finish", .alone = true}},
    .needs = "a commutative operator",
    .applicable = applicable,
    .workspace_bytes = jr_parts_workspace,
    .partial_bytes = jr_parts_moved,
    .launches = 2,
    .run = jr_parts_run,
    .fold = fold,
    .finish = jr_plan_finish};
