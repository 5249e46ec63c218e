/* Streams segments of host data through plans. */
#include "chunked_segments.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/pump.h"
#include "plan/cut.h"
#include "plan/parts.h"
#include "plan/tree.h"

_Static_assert((int)JR_INPUTS_MAX + 1 <= (int)JR_PUMP_ARRAYS_MAX, "a chunk holds a part of every input, and offsets");

/* A call in the making. */
typedef struct streaming {
    const jr_segment_stream *stream;
    jr_parts pieces; /* of the segment that is under way */
    int launches;
    double launch_ms;
} streaming;

jr_part_costs jr_segment_stream_costs(const jr_reduction *reduction, const jr_segment_layout *layout) {
    enum { ALIGNMENT = 256 }; /* of each array in a buffer */
    const size_t offset_bytes = layout->kind == JR_SEGMENTS_OFFSETS ? sizeof(uint64_t) : 0;
    jr_part_costs costs = {.fixed_bytes = (uint64_t)(reduction->input_count + 2) * ALIGNMENT + offset_bytes,
                           .segment_bytes = reduction->place_bytes + offset_bytes,
                           .granule_count =
                               reduction->tree ? jr_tree_granule(reduction) : jr_cut_pack_elements(reduction)};
    for (int i = 0; i < reduction->input_count; i++) costs.element_bytes += reduction->inputs[i].bytes;
    return costs;
}

static jr_run run_of(const jr_plan *plan, const jr_chunk *chunk) {
    jr_run run = {
        .out = (void *)(uintptr_t)chunk->out, .workspace = (void *)(uintptr_t)plan->workspace, .stream = chunk->stream};
    for (int i = 0; i < plan->reduction->input_count; i++) run.in[i] = (const void *)(uintptr_t)chunk->in[i];
    return run;
}

/* Whole segments. Offsets count from the first element of all: there the arrays would begin. */
static jr_status reduce_segments(streaming *at, const jr_chunk *chunk) {
    const jr_plan *plan = at->stream->plan;
    jr_run run = run_of(plan, chunk);
    run.count = chunk->results.count;
    at->launches += jr_plan_launches(plan, run.count);
    if (at->stream->segments->offsets == NULL) return plan->choice.row->run(plan, &run);
    for (int i = 0; i < plan->reduction->input_count; i++)
        run.in[i] = (const void *)(uintptr_t)(chunk->in[i] - chunk->first * plan->reduction->inputs[i].bytes);
    run.offsets = (const uint64_t *)(uintptr_t)chunk->in[plan->reduction->input_count];
    return plan->choice.row->run(plan, &run);
}

/* A piece of a segment of `length`: folded, and finished when it is the last. */
static jr_status fold_piece(streaming *at, const jr_chunk *chunk, uint64_t begin, uint64_t length) {
    jr_run run = run_of(at->stream->pieces, chunk);
    run.first = chunk->first - begin;
    run.count = chunk->count;
    if (run.first == 0) at->pieces.count = 0;
    jr_status status = jr_parts_fold(&at->pieces, &run);
    run.first = 0;
    run.count = length;
    if (status == JR_OK && chunk->results.count > 0) status = jr_parts_finish(&at->pieces, &run);
    return status;
}

static jr_status take_chunk(void *user, const jr_chunk *chunk) {
    streaming *at = user;
    const jr_segment_layout *layout = &at->stream->plan->layout;
    const jr_segments *segments = at->stream->segments;
    const double start = jr_clock_ms();
    const uint64_t begin = jr_segment_parts_begin(layout, segments, chunk->results.first);
    const uint64_t length = jr_segment_parts_begin(layout, segments, chunk->results.first + 1) - begin;
    const bool is_piece = chunk->results.count <= 1 && chunk->count < length;
    const jr_status status = is_piece ? fold_piece(at, chunk, begin, length) : reduce_segments(at, chunk);
    at->launch_ms += jr_clock_ms() - start;
    return status;
}

static jr_status open_pump(const jr_segment_stream *stream, jr_pump **pump) {
    const jr_reduction *reduction = stream->plan->reduction;
    jr_pump_request request = {.array_count = reduction->input_count,
                               .count = stream->elements,
                               .beside_count = stream->segments->count + 1,
                               .results = {.data = stream->places, .bytes = stream->place_bytes},
                               .result_count = stream->segments->count,
                               .cuts = stream->parts->cuts,
                               .cut_count = stream->parts->count,
                               .ordered = true};
    for (int i = 0; i < reduction->input_count; i++)
        request.arrays[i] = (jr_pump_array){.data = stream->data[i], .element_bytes = reduction->inputs[i].bytes};
    if (stream->segments->offsets != NULL)
        request.arrays[request.array_count++] = (jr_pump_array){
            .data = stream->segments->offsets, .element_bytes = sizeof *stream->segments->offsets, .beside = true};
    return jr_pump_open(&stream->plan->context->device, &request, pump);
}

/* Of a fixed tree. */
static uint64_t chunk_of(const jr_segment_stream *stream) {
    const jr_reduction *reduction = stream->plan->reduction;
    return reduction->tree ? jr_tree_granule(reduction) : 0;
}

/* For the accumulators of the pieces of a segment. */
static jr_status allocate_partials(const jr_segment_stream *stream, jr_cu_deviceptr *partials) {
    if (stream->pieces == NULL) return JR_OK;
    const uint64_t most = stream->parts->piece_most, chunk = chunk_of(stream);
    const uint64_t grid = chunk > 0 ? most / chunk + 1 : (uint64_t)jr_plan_grid(stream->pieces, most);
    return jr_memory_allocate(&stream->plan->context->device,
                              stream->parts->pieces_most * grid * stream->plan->reduction->accumulator_bytes, NULL,
                              partials);
}

jr_status jr_stream_segments(const jr_segment_stream *stream, jr_stats *stats) {
    jr_pump *pump = NULL;
    jr_cu_deviceptr partials = 0;
    jr_status status = open_pump(stream, &pump);
    if (status == JR_OK) status = allocate_partials(stream, &partials);
    streaming at = {.stream = stream,
                    .pieces = {.plan = stream->pieces, .address = partials, .chunk = chunk_of(stream)}};
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_pump_run(pump, take_chunk, &at);
    stats->copy_ms = jr_clock_ms() - begin;
    stats->launch_ms = at.launch_ms;
    stats->launches = at.launches + at.pieces.launches;
    stats->parts = stream->parts->count;
    JR_KEEP_ERROR;
    jr_pump_close(pump);
    jr_memory_release(&stream->plan->context->device, partials, NULL);
    return status;
}
