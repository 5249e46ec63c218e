/* Cuts columns, and joins parts of segments. */
#include "parts_join.h"

#include "base/whole.h"

/* ---- the column cut ---- */

/* Fewer rows a thread than it asks for at once, or parts of few rows, do not pay. Lines of memory are 32 elements of 4
 * bytes: narrower blocks of columns would read them in pieces. */
enum { PART_ROWS = 16, LINE_COLUMNS = 32 };

/* As many threads a column as it takes to fill the grid, but no narrower than a line. */
static uint32_t wide_lanes(const jr_columns *columns) {
    uint32_t lanes = 1;
    while (columns->count * lanes < columns->grid * columns->block &&
           columns->length >= 2ull * lanes * JR_COLUMN_ROWS && columns->block / (2 * lanes) >= LINE_COLUMNS)
        lanes *= 2;
    return lanes;
}

/* Few columns side by side: whole rows, so that the threads of a block read what lies together. */
static uint64_t narrow_width(const jr_columns *columns) {
    const uint64_t row_threads = jr_least(columns->length / JR_COLUMN_ROWS + 1, columns->block / columns->inner);
    return columns->inner *
           jr_least(jr_divide_up(columns->block, columns->inner * row_threads), columns->block / columns->inner);
}

jr_column_cut jr_column_cut_of(const jr_columns *columns) {
    uint64_t width = columns->inner < LINE_COLUMNS ? narrow_width(columns) : columns->block / wide_lanes(columns);
    width = jr_least(width, columns->count);
    const uint64_t lanes = columns->block / width, groups = jr_divide_up(columns->count, width);
    uint64_t parts = groups < columns->grid ? columns->grid / groups : 1;
    parts = jr_least(parts, columns->length / (lanes * PART_ROWS) + 1);
    const uint64_t part_length = columns->length > 0 ? jr_divide_up(columns->length, parts) : 1;
    return (jr_column_cut){.count = columns->count,
                           .length = columns->length,
                           .inner = columns->inner,
                           .part_length = part_length,
                           .parts = columns->length > 0 ? jr_divide_up(columns->length, part_length) : 1,
                           .width = (uint32_t)width,
                           .lanes = (uint32_t)lanes};
}

uint64_t jr_column_cut_units(const jr_column_cut *cut) {
    return jr_divide_up(cut->count, cut->width) * cut->parts;
}

/* ---- joining parts ---- */

size_t jr_parts_join_bytes(const jr_plan *plan) {
    return (size_t)jr_plan_grid(plan, UINT64_MAX) * (size_t)plan->choice.tuning.block *
           plan->reduction->accumulator_bytes;
}

/* Many parts with small accumulators are folded by more lanes than a block has warps; shuffles combine them sooner than
 * barriers. */
static bool joins_in_warps(const jr_plan *plan, uint64_t count, uint64_t parts) {
    const uint64_t rounds = jr_tuned_number_of(&plan->context->device.info, JR_NUMBER_JOIN_ROUNDS);
    return plan->reduction->accumulator_bytes <= JR_JOIN_BYTES && parts >= rounds * JR_COLUMN_ROWS &&
           count < (uint64_t)plan->choice.tuning.block * (uint64_t)plan->wave;
}

/* Lanes of a column: as many as leave a thread no more rows than it asks for at once, if a block has so many. More
 * blocks than that takes do not pay, as each is in the way of one of the next launch's. */
static uint64_t lanes_in_warps(uint64_t block, uint64_t parts) {
    uint64_t width = JR_JOIN_WIDTH;
    while (width > 1 && parts * width > block * JR_COLUMN_ROWS) width /= 2;
    return block / width;
}

static uint64_t lanes_in_blocks(const jr_plan *plan, uint64_t count, uint64_t parts) {
    const uint64_t block = (uint64_t)plan->choice.tuning.block, threads = block * (uint64_t)plan->wave;
    uint64_t lanes = 1;
    while (2 * lanes <= block && 2 * lanes * JR_COLUMN_ROWS <= parts && count * lanes < threads) lanes *= 2;
    return lanes;
}

/* They lie in the L2 cache: a block takes as few segments as give each of its threads one round of loads. */
static jr_column_cut cut_of(const jr_plan *plan, uint64_t count, uint64_t parts, bool in_warps) {
    const uint64_t block = (uint64_t)plan->choice.tuning.block;
    const uint64_t lanes = in_warps ? lanes_in_warps(block, parts) : lanes_in_blocks(plan, count, parts);
    const uint64_t width = block / lanes;
    return (jr_column_cut){.count = count,
                           .length = parts,
                           .inner = count,
                           .part_length = parts,
                           .parts = 1,
                           .result_bytes = jr_plan_result_stride(plan),
                           .width = (uint32_t)width,
                           .lanes = (uint32_t)lanes};
}

jr_status jr_parts_join(const jr_plan *plan, const jr_run *run, int join, uint64_t address, uint64_t parts) {
    uint32_t in_warps = joins_in_warps(plan, run->count, parts);
    jr_column_cut cut = cut_of(plan, run->count, parts, in_warps);
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {(void *)&run->out, &address, &cut, &in_warps, &call};
    return jr_plan_step(plan, join, jr_segments_grid(plan, jr_column_cut_units(&cut)), run->stream, args);
}
