/* Joins parts of segments. */
#include "parts_join.h"

#include "base/whole.h"
#include "column_cut.h"

size_t jr_parts_join_bytes(const jr_plan *plan) {
    return (size_t)jr_plan_grid(plan, UINT64_MAX) * (size_t)plan->choice.tuning.block *
           plan->reduction->accumulator_bytes;
}

/* Lanes of a column where a thread's accumulators lie in few registers: a warp has `width` columns, a power of two.
 * There are as many as leave a block for each multiprocessor, or 8, as a sector of memory has of 4 bytes; fewer only
 * where a thread would have more rows than it asks for at once: the more blocks there are here, the fewer of the next
 * launch can lie in wait. Measured on an H100, sum f32 of (65536,64) along axis 0, by 512 parts: with a width of 8, 4,
 * 2 and 1 13.1, 11.9, 13.9 and 16.1 us; (8192,1024) of 32, 16 and 8 19.2, 18.4 and 18.2. */
static uint64_t lanes_in_warps(const jr_plan *plan, uint64_t count, uint64_t parts) {
    enum { WIDTH_USUAL = 8 };
    const uint64_t block = (uint64_t)plan->choice.tuning.block;
    const uint64_t blocks = (uint64_t)plan->context->device.info.multiprocessor_count;
    uint64_t width = JR_WARP_LANES;
    while (width > WIDTH_USUAL && jr_divide_up(count, width) < blocks) width /= 2;
    while (width > 1 && parts * width > block * JR_COLUMN_ROWS) width /= 2;
    return block / width;
}

static uint64_t lanes_in_blocks(uint64_t block, uint64_t parts, uint64_t most) {
    uint64_t lanes = 1;
    while (2 * lanes <= block && 2 * lanes * JR_COLUMN_ROWS <= parts && lanes < most) lanes *= 2;
    return lanes;
}

/* They lie in the L2 cache: a block takes as few segments as give each of its threads one round of loads. */
static jr_column_cut cut_of(const jr_plan *plan, uint64_t count, uint64_t parts) {
    const uint64_t block = (uint64_t)plan->choice.tuning.block, threads = block * (uint64_t)plan->wave;
    uint64_t lanes = 1;
    if (parts >= 2 * JR_COLUMN_ROWS && count < threads)
        lanes = plan->reduction->accumulator_bytes <= JR_JOIN_BYTES
                    ? lanes_in_warps(plan, count, parts)
                    : lanes_in_blocks(block, parts, jr_divide_up(threads, count));
    const uint64_t width = block / lanes;
    return (jr_column_cut){.count = count,
                           .length = parts,
                           .inner = count,
                           .part_length = parts,
                           .parts = 1,
                           .result_bytes = jr_plan_result_stride(plan),
                           .width = (uint32_t)(lanes > 1 || width < count ? width : count),
                           .lanes = (uint32_t)lanes};
}

jr_status jr_parts_join(const jr_plan *plan, const jr_run *run, int join, uint64_t address, uint64_t parts) {
    jr_column_cut cut = cut_of(plan, run->count, parts);
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {(void *)&run->out, &address, &cut, &call};
    return jr_plan_step(plan, join, jr_segments_grid(plan, jr_column_cut_units(&cut)), run->stream, args);
}
