/* Streams host data through scans. */
#include "chunked_scan.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/pump.h"
#include "plan/scan/scan_queue.h"
#include "scan_parts.h"
#include "spec/dtype.h"

_Static_assert((int)JR_INPUTS_MAX + 1 <= (int)JR_PUMP_ARRAYS_MAX, "a chunk holds a part of every input, and heads");

/* A scan in the making. */
typedef struct scanning {
    const jr_scan_stream *stream;
    jr_scan_parts parts; /* of segments by offsets or keys */
    jr_scanned scanned;
    double launch_ms;
} scanning;

jr_status jr_scan_stream_check(const jr_scan_stream *stream) {
    return *(const jr_u32 *)stream->mark->host != 0 ? jr_reduction_check_empty(stream->plan->reduction) : JR_OK;
}

jr_status jr_scan_stream_check_first(const jr_scan_stream *stream, const jr_chunk *chunk) {
    if (chunk->index > 0 || stream->continued || stream->plan->reduction->empty_op == JR_OP_NONE) return JR_OK;
    JR_TRY(jr_memory_wait(&stream->plan->context->device, chunk->stream));
    return jr_scan_stream_check(stream);
}

/* May a part have results of no elements? They come before all others; in segments anywhere. */
static bool is_marked(const jr_scan_stream *stream, const jr_chunk *chunk) {
    return stream->plan->layout.kind != 0 || (chunk->index == 0 && !stream->continued);
}

/* In front of the keys of a part lies the one before them. */
static void set_heads(const scanning *at, const jr_chunk *chunk, jr_run *part) {
    const jr_plan *plan = at->stream->plan;
    if (at->parts.list.cuts == NULL) return;
    const jr_span *beside = &at->parts.list.cuts[chunk->index].beside;
    const jr_cu_deviceptr heads = chunk->in[plan->reduction->input_count];
    if (plan->layout.kind == JR_SEGMENTS_KEYS) {
        const uint64_t before = chunk->first - beside->first;
        part->keys = (const void *)(uintptr_t)(heads + before * jr_dtype_find(plan->layout.key_type)->bytes);
    } else {
        part->offsets = (const uint64_t *)(uintptr_t)heads;
        part->segments = beside->count - 1;
    }
}

jr_run jr_scan_stream_part(const jr_scan_stream *stream, const jr_chunk *chunk) {
    const jr_plan *plan = stream->plan;
    jr_run part = {.count = chunk->count,
                   .first = stream->first + chunk->first,
                   .out = (void *)(uintptr_t)chunk->out,
                   .workspace = (void *)(uintptr_t)plan->workspace,
                   .stream = chunk->stream,
                   .mark = is_marked(stream, chunk) ? stream->mark->address : 0,
                   .goes_on = chunk->first + chunk->count < stream->count};
    for (int i = 0; i < plan->reduction->input_count; i++) part.in[i] = (const void *)(uintptr_t)chunk->in[i];
    return part;
}

static jr_status scan_chunk(void *user, const jr_chunk *chunk) {
    scanning *at = user;
    const jr_plan *plan = at->stream->plan;
    const double begin = jr_clock_ms();
    jr_run part = jr_scan_stream_part(at->stream, chunk);
    set_heads(at, chunk, &part);
    const jr_status status = plan->choice.row->scan(plan, &part, &at->scanned);
    at->launch_ms += jr_clock_ms() - begin;
    return status == JR_OK ? jr_scan_stream_check_first(at->stream, chunk) : status;
}

jr_pump_request jr_scan_stream_request(const jr_scan_stream *stream) {
    const jr_reduction *reduction = stream->plan->reduction;
    jr_pump_request request = {.array_count = reduction->input_count,
                               .count = stream->count,
                               .results = {.data = stream->results,
                                           .bytes = reduction->output_bytes,
                                           .upon_first = reduction->inputs[0].bytes == reduction->output_bytes},
                               .result_count = stream->count,
                               .ordered = true};
    for (int i = 0; i < reduction->input_count; i++)
        request.arrays[i] = (jr_pump_array){.data = stream->data[i], .element_bytes = reduction->inputs[i].bytes};
    return request;
}

jr_part_costs jr_scan_stream_costs(const jr_scan_stream *stream) {
    enum { ALIGNMENT = 256 }; /* of each array in a buffer */
    const jr_pump_request request = jr_scan_stream_request(stream);
    jr_part_costs costs = {.limit_bytes = stream->device_bytes,
                           .fixed_bytes = (uint64_t)(request.array_count + 2) * ALIGNMENT,
                           .element_bytes = request.results.upon_first ? 0 : request.results.bytes};
    for (int i = 0; i < request.array_count; i++) costs.element_bytes += request.arrays[i].element_bytes;
    return costs;
}

/* Adds what tells of heads, and cuts both. */
static jr_status add_heads(scanning *at, jr_pump_request *request) {
    const jr_run *heads = &at->parts.heads;
    const jr_plan *plan = at->stream->plan;
    const size_t bytes = heads->offsets != NULL ? sizeof *heads->offsets : jr_dtype_find(plan->layout.key_type)->bytes;
    jr_part_costs costs = jr_scan_stream_costs(at->stream);
    costs.segment_bytes = bytes;
    costs.granule_count = request->granule_count;
    const jr_status status = jr_scan_parts_cut(&costs, &at->parts);
    request->arrays[request->array_count++] =
        (jr_pump_array){.data = heads->offsets != NULL ? (const void *)heads->offsets : heads->keys,
                        .element_bytes = bytes,
                        .beside = true};
    request->beside_count = heads->offsets != NULL ? heads->segments + 1 : heads->count;
    request->cuts = at->parts.list.cuts;
    request->cut_count = at->parts.list.count;
    return status;
}

static jr_status open_pump(scanning *at, jr_pump **pump) {
    const jr_plan *plan = at->stream->plan;
    const bool beside = plan->layout.kind == JR_SEGMENTS_OFFSETS || plan->layout.kind == JR_SEGMENTS_KEYS;
    jr_pump_request request = jr_scan_stream_request(at->stream);
    request.granule_count = plan->choice.row->tile_count(plan);
    request.limit_bytes = at->stream->device_bytes;
    if (beside) JR_TRY(add_heads(at, &request));
    return jr_pump_open(&plan->context->device, &request, pump);
}

jr_status jr_stream_scan(const jr_scan_stream *stream, jr_stats *stats) {
    jr_pump *pump = NULL;
    scanning at = {.stream = stream, .parts.heads = *stream->heads, .scanned = jr_scan_queue_begin(stream->continued)};
    jr_status status = open_pump(&at, &pump);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_pump_run(pump, scan_chunk, &at);
    if (status == JR_OK) status = jr_scan_stream_check(stream);
    stats->copy_ms = jr_clock_ms() - begin;
    stats->launch_ms = at.launch_ms;
    stats->launches = (int)at.scanned.launches - stream->continued;
    if (pump != NULL) stats->parts = jr_pump_chunk_count(pump);
    JR_KEEP_ERROR;
    jr_pump_close(pump);
    jr_scan_parts_free(&at.parts);
    return status;
}
