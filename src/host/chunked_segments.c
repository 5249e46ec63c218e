/* Reduces segments in chunks: whole ones, and pieces of those that are larger than a chunk. */
#include "base/error.h"
#include "chunked.h"
#include "plan/cut.h"
#include "plan/parts.h"
#include "plan/tree.h"

typedef struct folding {
    jr_chunked chunked;
    const jr_work_data *data;
    const jr_job *job;
    jr_cuts cuts;
    jr_plan *piece_plan; /* owned: reduces the pieces of one segment to one result; NULL: no segment is cut */
    jr_parts pieces;     /* the accumulators of the unfinished segment */
} folding;

static jr_cut_costs costs_of(const jr_reduction *reduction, const jr_segment_layout *layout, uint64_t limit_bytes) {
    jr_cut_costs costs = jr_cuts_costs(reduction, reduction->place_bytes, limit_bytes);
    costs.beside_bytes = layout->kind == JR_SEGMENTS_OFFSETS ? sizeof(uint64_t) : 0;
    costs.granule_count = reduction->tree ? jr_tree_granule(reduction) : jr_cut_pack_elements(reduction);
    return costs;
}

/* Makes the plan of pieces, and sets memory_bytes to what the accumulators of one segment's pieces take. */
static jr_status make_pieces(folding *at) {
    const jr_reduction *reduction = at->chunked.call->plan->reduction;
    const uint64_t most = at->cuts.piece_most;
    jr_job job = *at->job;
    if (most == 0) return JR_OK;
    job.kind = JR_JOB_FLAT;
    job.layout = (jr_segment_layout){.length = 0};
    job.host_bytes = UINT64_MAX;
    job.requested.grid = 0; /* the requested grid is for segments */
    job.requested.capacity = most;
    JR_TRY(jr_make_plan(&job, &at->piece_plan));
    jr_plan_count_kept(at->piece_plan);
    at->piece_plan->dependent = false;
    at->pieces = (jr_parts){.plan = at->piece_plan, .chunk = reduction->tree ? jr_tree_granule(reduction) : 0};
    const uint64_t each =
        at->pieces.chunk > 0 ? most / at->pieces.chunk + 1 : (uint64_t)jr_plan_grid(at->piece_plan, most);
    at->chunked.memory_bytes = at->cuts.pieces_most * each * reduction->accumulator_bytes;
    return JR_OK;
}

static jr_status open_segments(jr_chunked *chunked, jr_pump_request *request) {
    folding *at = (folding *)chunked;
    const jr_segment_layout *layout = &chunked->call->plan->layout;
    const jr_cut_costs costs = costs_of(chunked->call->plan->reduction, layout, request->limit_bytes);
    JR_TRY(jr_cuts_segments(layout, at->data, &costs, &at->cuts));
    if (at->data->offsets != NULL)
        request->arrays[request->array_count++] =
            (jr_pump_array){.data = at->data->offsets, .element_bytes = sizeof *at->data->offsets, .beside = true};
    request->beside_count = at->data->segments + 1;
    request->cuts = at->cuts.list;
    request->cut_count = at->cuts.count;
    return make_pieces(at);
}

/* Reduces a chunk of whole segments. Offsets count from the first element of all arrays, so that the kernel is given
 * the addresses at which whole arrays would begin. */
static jr_status reduce_segments(folding *at, const jr_chunk *chunk) {
    const jr_plan *plan = at->chunked.call->plan;
    jr_run run = jr_chunked_part(plan, chunk);
    run.count = chunk->results.count;
    at->chunked.launches += jr_plan_launches(plan, run.count);
    if (at->data->offsets == NULL) return plan->choice.row->run(plan, &run);
    for (int i = 0; i < plan->reduction->input_count; i++)
        run.in[i] = (chunk->in[i] - chunk->first * plan->reduction->inputs[i].bytes);
    run.segments.offsets = chunk->in[plan->reduction->input_count];
    return plan->choice.row->run(plan, &run);
}

/* Folds a piece of a segment of `length` elements; after the last piece, writes the segment's result. */
static jr_status fold_piece(folding *at, const jr_chunk *chunk, uint64_t begin, uint64_t length) {
    jr_run run = jr_chunked_part(at->piece_plan, chunk);
    const int before = at->pieces.launches;
    run.first = chunk->first - begin;
    run.count = chunk->count;
    at->pieces.address = at->chunked.memory;
    if (run.first == 0) at->pieces.count = 0;
    JR_TRY(jr_parts_fold(&at->pieces, &run));
    run.first = 0;
    run.count = length;
    if (chunk->results.count > 0) JR_TRY(jr_parts_finish(&at->pieces, &run));
    at->chunked.launches += at->pieces.launches - before;
    return JR_OK;
}

static jr_status take_segments(jr_chunked *chunked, const jr_chunk *chunk) {
    folding *at = (folding *)chunked;
    const jr_segment_layout *layout = &chunked->call->plan->layout;
    const uint64_t begin = jr_cuts_segment_begin(layout, at->data, chunk->results.first);
    const uint64_t length = jr_cuts_segment_begin(layout, at->data, chunk->results.first + 1) - begin;
    const bool is_piece = chunk->results.count <= 1 && chunk->count < length;
    return is_piece ? fold_piece(at, chunk, begin, length) : reduce_segments(at, chunk);
}

jr_status jr_chunked_segments(jr_host_call *call, const jr_job *job, const jr_chunked_places *of) {
    static const jr_chunked_kind kind = {.open = open_segments, .take = take_segments};
    folding at = {.chunked = jr_chunked_of(&kind, call, job, of), .data = of->data, .job = job};
    const jr_status status = jr_chunked_run(&at.chunked);
    jr_plan_free(at.piece_plan);
    jr_cuts_free(&at.cuts);
    return status;
}
