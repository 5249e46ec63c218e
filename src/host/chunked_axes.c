/* Streams arrays along axes.
 *
 * A piece of segments leaves an accumulator for each of them, in a row behind that of the pieces before it, and the two
 * rows are joined into the first one; behind the last piece, into results. */
#include "chunked_axes.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/pump.h"
#include "plan/segments/parts_join.h"

enum { JOIN = 1 }; /* the kernel of plans of columns that joins accumulators */

/* A call in the making. */
typedef struct streaming {
    const jr_axes_stream *stream;
    jr_cu_deviceptr rows; /* address of the accumulators of the segments that are under way */
    uint64_t workspace;   /* of plans that leave accumulators */
    uint64_t before;      /* elements of each of these segments in pieces that were taken */
    int launches;
    double launch_ms;
} streaming;

static const jr_plan *plan_of(const streaming *at, const jr_axes_part *part) {
    const jr_plan *own = at->stream->plans->kind[part - at->stream->parts->kind];
    return own != NULL ? own : at->stream->plans->results;
}

static jr_run run_of(const jr_plan *plan, const jr_chunk *chunk, const jr_axes_part *part) {
    jr_run run = {.count = part->results,
                  .out = (void *)(uintptr_t)chunk->out,
                  .workspace = (void *)(uintptr_t)plan->workspace,
                  .stream = chunk->stream};
    for (int i = 0; i < plan->reduction->input_count; i++) run.in[i] = (const void *)(uintptr_t)chunk->in[i];
    return run;
}

/* Joins rows of accumulators where they lie, or into results. */
static jr_status join(streaming *at, const jr_chunk *chunk, const jr_axes_part *part, uint64_t rows) {
    const jr_axes_plans *plans = at->stream->plans;
    const bool last = chunk->results.count > 0;
    const jr_plan *plan = last ? plans->results : plans->joined;
    jr_run run = run_of(plan, chunk, part);
    if (!last) run.out = (void *)(uintptr_t)at->rows;
    if (!last && rows == 1) return JR_OK; /* it is there already */
    at->launches++;
    return jr_parts_join(plan, &run, JOIN, at->rows, rows);
}

static jr_status fold_piece(streaming *at, const jr_chunk *chunk, const jr_axes_part *part) {
    const jr_plan *plan = plan_of(at, part);
    const uint64_t rows = at->before > 0 ? 2 : 1, row_bytes = part->results * plan->reduction->accumulator_bytes;
    jr_run run = run_of(plan, chunk, part);
    run.first = at->before;
    run.out = (void *)(uintptr_t)(at->rows + (rows - 1) * row_bytes);
    run.workspace = (void *)(uintptr_t)at->workspace;
    at->launches += jr_plan_launches(plan, run.count);
    at->before = chunk->results.count > 0 ? 0 : at->before + part->length;
    JR_TRY(plan->choice.row->run(plan, &run));
    return join(at, chunk, part, rows);
}

static jr_status take_chunk(void *user, const jr_chunk *chunk) {
    streaming *at = user;
    const double begin = jr_clock_ms();
    const jr_axes_part *part = jr_axes_parts_kind(at->stream->parts, chunk->count);
    jr_status status = JR_OK;
    if (at->stream->parts->pieces) {
        status = fold_piece(at, chunk, part);
    } else {
        const jr_plan *plan = plan_of(at, part);
        const jr_run run = run_of(plan, chunk, part);
        at->launches += jr_plan_launches(plan, run.count);
        status = plan->choice.row->run(plan, &run);
    }
    at->launch_ms += jr_clock_ms() - begin;
    return status;
}

static jr_status open_pump(const jr_axes_stream *stream, jr_pump **pump) {
    const jr_reduction *reduction = stream->plans->results->reduction;
    jr_pump_request request = {.array_count = reduction->input_count,
                               .count = stream->elements,
                               .results = {.data = stream->places, .bytes = stream->place_bytes},
                               .result_count = stream->count,
                               .cuts = stream->parts->list.cuts,
                               .cut_count = stream->parts->list.count,
                               .ordered = true};
    for (int i = 0; i < reduction->input_count; i++)
        request.arrays[i] = (jr_pump_array){.data = stream->data[i], .element_bytes = reduction->inputs[i].bytes};
    return jr_pump_open(&stream->plans->results->context->device, &request, pump);
}

/* For two rows of accumulators, and a workspace for either kind of part behind them. */
static jr_status allocate(const jr_axes_stream *stream, streaming *at) {
    const jr_axes_plans *plans = stream->plans;
    size_t workspace = 0;
    if (!stream->parts->pieces) return JR_OK;
    for (int k = 0; k < stream->parts->kinds; k++) {
        const size_t bytes = jr_plan_workspace(plans->kind[k]);
        if (workspace < bytes) workspace = bytes;
    }
    const uint64_t rows = 2 * stream->parts->kind[0].results * plans->results->reduction->accumulator_bytes;
    const uint64_t rows_bytes = (rows + 15) / 16 * 16;
    const jr_status status =
        jr_memory_allocate(&plans->results->context->device, rows_bytes + workspace, NULL, &at->rows);
    at->workspace = at->rows + rows_bytes;
    return status;
}

jr_status jr_stream_axes(const jr_axes_stream *stream, jr_stats *stats) {
    jr_pump *pump = NULL;
    streaming at = {.stream = stream};
    jr_status status = open_pump(stream, &pump);
    if (status == JR_OK) status = allocate(stream, &at);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_pump_run(pump, take_chunk, &at);
    stats->copy_ms = jr_clock_ms() - begin;
    stats->launch_ms = at.launch_ms;
    stats->launches = at.launches;
    stats->parts = stream->parts->list.count;
    JR_KEEP_ERROR;
    jr_pump_close(pump);
    jr_memory_release(&stream->plans->results->context->device, at.rows, NULL);
    return status;
}
