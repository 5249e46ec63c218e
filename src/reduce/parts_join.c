/* Joins parts of segments. */
#include "parts_join.h"

#include "column_cut.h"

size_t jr_parts_join_bytes(const jr_plan *plan) {
    return (size_t)jr_plan_grid(plan, UINT64_MAX) * (size_t)plan->choice.tuning.block *
           plan->reduction->accumulator_bytes;
}

/* They lie in the L2 cache: a block takes as few segments as give each of its threads one round of loads. */
static jr_column_cut cut_of(const jr_plan *plan, uint64_t count, uint64_t parts) {
    const uint64_t block = (uint64_t)plan->choice.tuning.block, threads = block * (uint64_t)plan->wave;
    uint64_t lanes = 1;
    while (2 * lanes <= block && 2 * lanes * JR_COLUMN_ROWS <= parts && count * lanes < threads) lanes *= 2;
    const uint64_t width = block / lanes;
    return (jr_column_cut){.count = count,
                           .length = parts,
                           .inner = count,
                           .part_length = parts,
                           .parts = 1,
                           .result_bytes = jr_plan_result_stride(plan),
                           .width = (uint32_t)(width < count ? width : count),
                           .lanes = (uint32_t)lanes};
}

jr_status jr_parts_join(const jr_plan *plan, const jr_run *run, int join, uint64_t address, uint64_t parts) {
    jr_column_cut cut = cut_of(plan, run->count, parts);
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {(void *)&run->out, &address, &cut, &call};
    return jr_plan_step(plan, join, jr_segments_grid(plan, jr_column_cut_units(&cut)), run->stream, args);
}
