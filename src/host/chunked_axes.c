/* Reduces arrays along axes in chunks.
 *
 * A piece of segments writes one accumulator for each of them, in a row after the row of the pieces before it; the two
 * rows are joined into the first one, or, after the last piece, into results. */
#include "base/error.h"
#include "base/whole.h"
#include "chunked.h"
#include "plan/segments/parts_join.h"

enum { JOIN = 1 }; /* the kernel of plans of columns that joins accumulators */

typedef struct joining {
    jr_chunked chunked;
    const jr_job *job;
    const jr_axes_cuts *cuts;
    jr_plan *kind[2]; /* owned: for parts of each kind, writes accumulators if they are pieces; NULL: the call's plan */
    jr_plan *joined;  /* owned: joins rows of accumulators into accumulators; NULL: parts are no pieces */
    uint64_t workspace; /* the plans' workspace, as an offset in chunked.memory: after two rows of accumulators */
    uint64_t before;    /* how many elements of each unfinished segment were in the pieces up to now */
} joining;

/* ---- the plans ---- */

/* The layout under which rows of accumulators are joined: each result is a column. */
static jr_segment_layout columns_of(uint64_t length) {
    return (jr_segment_layout){.kind = JR_SEGMENTS_STRIDED, .length = length, .inner = 1};
}

/* The layout of a part's plan. Kernels of equal segments cannot begin to count an index at other than 0: if a piece's
 * index is used, its segments become columns. */
static jr_segment_layout layout_of(const joining *at, const jr_axes_part *part) {
    const bool rows = part->layout.kind == JR_SEGMENTS_EQUAL;
    if (!at->cuts->pieces || !at->job->reduction->sees_index || !rows) return part->layout;
    jr_segment_layout columns = columns_of(part->length);
    if (part->length == 1) columns.inner = part->results;
    return columns;
}

static jr_status make(const joining *at, jr_segment_layout layout, jr_plan **plan) {
    jr_job own = *at->job;
    own.layout = layout;
    own.to_state = at->cuts->pieces;
    JR_TRY(jr_make_plan(&own, plan));
    if (!own.to_state) jr_plan_count_kept(*plan);
    (*plan)->dependent = false;
    return JR_OK;
}

/* Makes the plans; parts of the first kind that are no pieces use the call's plan. */
static jr_status make_plans(joining *at) {
    for (int k = at->cuts->pieces ? 0 : 1; k < at->cuts->kinds; k++)
        JR_TRY(make(at, layout_of(at, &at->cuts->kind[k]), &at->kind[k]));
    return at->cuts->pieces ? make(at, columns_of(1), &at->joined) : JR_OK;
}

static const jr_plan *plan_of(const joining *at, const jr_axes_part *part) {
    const jr_plan *own = at->kind[part - at->cuts->kind];
    return own != NULL ? own : at->chunked.call->plan;
}

/* ---- the call ---- */

/* Allocates two rows of accumulators, and after them a workspace for either kind of part. */
static jr_status open_axes(jr_chunked *chunked, jr_pump_request *request) {
    joining *at = (joining *)chunked;
    size_t workspace = 0;
    request->cuts = at->cuts->cuts.list;
    request->cut_count = at->cuts->cuts.count;
    JR_TRY(make_plans(at));
    if (!at->cuts->pieces) return JR_OK;
    for (int k = 0; k < at->cuts->kinds; k++) {
        const size_t bytes = jr_plan_workspace(at->kind[k]);
        if (workspace < bytes) workspace = bytes;
    }
    const uint64_t rows = 2 * at->cuts->kind[0].results * at->job->reduction->accumulator_bytes;
    at->workspace = jr_divide_up(rows, 16) * 16;
    chunked->memory_bytes = at->workspace + workspace;
    return JR_OK;
}

static jr_run run_of(const jr_plan *plan, const jr_chunk *chunk, const jr_axes_part *part) {
    jr_run run = jr_chunked_part(plan, chunk);
    run.count = part->results;
    return run;
}

/* Joins rows of accumulators: into results after the last piece, else into the first row. */
static jr_status join(joining *at, const jr_chunk *chunk, const jr_axes_part *part, uint64_t rows) {
    const bool last = chunk->results.count > 0;
    const jr_plan *plan = last ? at->chunked.call->plan : at->joined;
    jr_run run = run_of(plan, chunk, part);
    if (!last) run.out = at->chunked.memory;
    if (!last && rows == 1) return JR_OK; /* the only row is the first one */
    at->chunked.launches++;
    return jr_parts_join(plan, &run, JOIN, at->chunked.memory, rows);
}

static jr_status fold_piece(joining *at, const jr_chunk *chunk, const jr_axes_part *part) {
    const jr_plan *plan = plan_of(at, part);
    const uint64_t rows = at->before > 0 ? 2 : 1, row_bytes = part->results * plan->reduction->accumulator_bytes;
    jr_run run = run_of(plan, chunk, part);
    run.first = at->before;
    run.out = (at->chunked.memory + (rows - 1) * row_bytes);
    run.workspace = (at->chunked.memory + at->workspace);
    at->chunked.launches += jr_plan_launches(plan, run.count);
    at->before = chunk->results.count > 0 ? 0 : at->before + part->length;
    JR_TRY(plan->choice.row->run(plan, &run));
    return join(at, chunk, part, rows);
}

static jr_status take_axes(jr_chunked *chunked, const jr_chunk *chunk) {
    joining *at = (joining *)chunked;
    const jr_axes_part *part = jr_cuts_axes_kind(at->cuts, chunk->count);
    if (at->cuts->pieces) return fold_piece(at, chunk, part);
    const jr_plan *plan = plan_of(at, part);
    const jr_run run = run_of(plan, chunk, part);
    chunked->launches += jr_plan_launches(plan, run.count);
    return plan->choice.row->run(plan, &run);
}

jr_status jr_chunked_cut_axes(jr_job *job, uint64_t segment_count, jr_axes_cuts *cuts) {
    jr_cut_costs costs = jr_cuts_costs(job->reduction, job->reduction->place_bytes, jr_host_call_limit(job));
    costs.piece_bytes = job->reduction->accumulator_bytes;
    JR_TRY(jr_cuts_axes(&job->layout, segment_count, &costs, cuts));
    job->layout = cuts->pieces ? columns_of(job->layout.length) : cuts->kind[0].layout;
    return JR_OK;
}

jr_status jr_chunked_axes(jr_host_call *call, const jr_job *job, const jr_chunked_places *of,
                          const jr_axes_cuts *cuts) {
    static const jr_chunked_kind kind = {.open = open_axes, .take = take_axes};
    joining at = {.chunked = jr_chunked_of(&kind, call, job, of), .job = job, .cuts = cuts};
    const jr_status status = jr_chunked_run(&at.chunked);
    jr_plan_free(at.joined);
    for (int k = 0; k < 2; k++) jr_plan_free(at.kind[k]);
    return status;
}
