/* tournament_serial: each thread folds a share, then the threads of a block play a tournament; one block folds what the
 * blocks leave (kernels_src/reduce/tournament_serial.cu, finish.cu). */
#include "plan/parts.h"

static bool applicable(const jr_job *job) {
    return job->reduction->commutative;
}

static const jr_algorithm_parts parts = {.fold = jr_plan_fold_once, .finish = jr_plan_finish};

const jr_algorithm_row jr_algorithm_row_TOURNAMENT_SERIAL = {
    .algorithm = JR_ALGORITHM_TOURNAMENT_SERIAL,
    .name = "tournament_serial",
    .tuned = JR_TUNED_TOURNAMENT_SERIAL,
    .kernels = {{.source = "reduce/tournament_serial.cu", .entry = "jr_reduce_tournament_serial"},
                {.source = "reduce/finish.cu", .entry = "jr_reduce_finish", .alone = true}},
    .needs = "a commutative operator",
    .applicable = applicable,
    JR_RUNS_IN_PARTS,
    .parts = &parts};
