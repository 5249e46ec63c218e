/* Makes runs in parts. */
#include "parts.h"

#include "base/error.h"
#include "tree.h"

/* Elements of each launch but perhaps the last; of a fixed tree whole chunks. */
static uint64_t launch_count(const jr_plan *plan, uint64_t count, uint64_t chunk) {
    const uint64_t limit = plan->choice.launch_count;
    const uint64_t most = chunk == 0 ? limit : limit < chunk ? chunk : limit / chunk * chunk;
    return limit == 0 || count <= most ? count : most;
}

/* Of a run that is the whole. */
static uint64_t chunk_of(const jr_plan *plan, uint64_t count) {
    return plan->choice.row->tree ? jr_tree_chunk(plan, count, UINT64_MAX) : 0;
}

static uint64_t partials_of(const jr_plan *plan, const jr_run *piece) {
    return plan->choice.row->tree ? jr_tree_chunks_of(plan, piece).chunks : (uint64_t)jr_plan_grid(plan, piece->count);
}

uint64_t jr_parts_launches(const jr_plan *plan, uint64_t count) {
    return count == 0 ? 1 : (count - 1) / launch_count(plan, count, chunk_of(plan, count)) + 1;
}

/* The part's elements from `at` on. */
static jr_run piece_of(const jr_plan *plan, const jr_run *part, uint64_t at, uint64_t count) {
    jr_run piece = *part;
    piece.count = count;
    piece.first += at;
    for (int i = 0; i < plan->reduction->input_count; i++)
        if (part->in[i] != 0) piece.in[i] = part->in[i] + at * plan->reduction->inputs[i].bytes;
    return piece;
}

jr_status jr_parts_fold(jr_parts *parts, const jr_run *part) {
    const jr_plan *plan = parts->plan;
    const uint64_t most = launch_count(plan, part->count, parts->chunk);
    uint64_t at = 0;
    do {
        const uint64_t left = part->count - at, count = left < most ? left : most;
        jr_run piece = piece_of(plan, part, at, count);
        piece.flat.chunk = parts->chunk;
        const uint64_t partials = parts->address + parts->count * plan->reduction->accumulator_bytes;
        const jr_status status = plan->choice.row->parts->fold(plan, &piece, partials);
        if (status != JR_OK) return status;
        parts->count += partials_of(plan, &piece);
        parts->launches++;
        at += count;
    } while (at < part->count);
    return JR_OK;
}

jr_status jr_parts_finish(jr_parts *parts, const jr_run *run) {
    parts->launches++;
    return parts->plan->choice.row->parts->finish(parts->plan, run, parts->address, parts->count);
}

jr_status jr_parts_run(const jr_plan *plan, const jr_run *run) {
    jr_parts parts = {.plan = plan, .address = run->workspace, .chunk = chunk_of(plan, run->count)};
    JR_TRY(jr_parts_fold(&parts, run));
    return jr_parts_finish(&parts, run);
}

size_t jr_parts_workspace(const jr_plan *plan) {
    const uint64_t count = plan->choice.launch_count > 0 ? plan->capacity : UINT64_MAX;
    const uint64_t blocks = (uint64_t)jr_plan_grid(plan, launch_count(plan, count, 0));
    return (size_t)(jr_parts_launches(plan, count) * blocks * plan->reduction->accumulator_bytes);
}

int jr_parts_count_launches(const jr_plan *plan, uint64_t count) {
    return (int)jr_parts_launches(plan, count) + 1;
}

uint64_t jr_parts_moved(const jr_plan *plan, uint64_t count) {
    return 2 * (uint64_t)jr_plan_grid(plan, count) * plan->reduction->accumulator_bytes;
}
