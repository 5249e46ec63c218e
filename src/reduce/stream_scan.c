/* Streams host data through scans. */
#include "stream_scan.h"

#include "base/clock.h"
#include "device/pump.h"
#include "scan_queue.h"

/* A scan in the making. */
typedef struct scanning {
    const jr_scan_stream *stream;
    jr_scanned scanned;
    double launch_ms;
} scanning;

static jr_status check_mark(const jr_scan_stream *stream) {
    return *(const jr_u32 *)stream->mark->host != 0 ? jr_reduction_check_empty(stream->plan->reduction) : JR_OK;
}

/* Results of no elements come before all others: where the first part has none, no part has; but of segments. */
static jr_status check_first(const jr_scan_stream *stream, const jr_chunk *chunk) {
    if (chunk->index > 0 || stream->continued || stream->plan->reduction->empty_op == JR_OP_NONE) return JR_OK;
    const jr_status status = jr_memory_wait(&stream->plan->context->device, chunk->stream);
    return status == JR_OK ? check_mark(stream) : status;
}

/* May a part have such results? */
static bool is_marked(const jr_scan_stream *stream, const jr_chunk *chunk) {
    return stream->plan->has_heads || (chunk->index == 0 && !stream->continued);
}

static jr_status scan_chunk(void *user, const jr_chunk *chunk) {
    scanning *at = user;
    const jr_plan *plan = at->stream->plan;
    const double begin = jr_clock_ms();
    /* NOLINTBEGIN(performance-no-int-to-ptr) */
    jr_run part = {.count = chunk->count,
                   .first = at->stream->first + chunk->first,
                   .out = (void *)(uintptr_t)chunk->out,
                   .workspace = (void *)(uintptr_t)plan->workspace,
                   .stream = chunk->stream,
                   .mark = is_marked(at->stream, chunk) ? at->stream->mark->address : 0,
                   .goes_on = chunk->first + chunk->count < at->stream->count};
    for (int i = 0; i < plan->reduction->input_count; i++) part.in[i] = (const void *)(uintptr_t)chunk->in[i];
    /* NOLINTEND(performance-no-int-to-ptr) */
    const jr_status status = plan->choice.row->scan(plan, &part, &at->scanned);
    at->launch_ms += jr_clock_ms() - begin;
    return status == JR_OK ? check_first(at->stream, chunk) : status;
}

static jr_status open_pump(const jr_scan_stream *stream, jr_pump **pump) {
    const jr_plan *plan = stream->plan;
    const jr_reduction *reduction = plan->reduction;
    jr_pump_request request = {.array_count = reduction->input_count,
                               .count = stream->count,
                               .results = {.data = stream->results,
                                           .bytes = reduction->output_bytes,
                                           .upon_first = reduction->inputs[0].bytes == reduction->output_bytes},
                               .result_count = stream->count,
                               .granule_count = plan->choice.row->tile_count(plan),
                               .limit_bytes = stream->device_bytes,
                               .ordered = true};
    for (int i = 0; i < reduction->input_count; i++)
        request.arrays[i] = (jr_pump_array){.data = stream->data[i], .element_bytes = reduction->inputs[i].bytes};
    return jr_pump_open(&plan->context->device, &request, pump);
}

jr_status jr_stream_scan(const jr_scan_stream *stream, jr_stats *stats) {
    jr_pump *pump = NULL;
    scanning at = {.stream = stream, .scanned = jr_scan_queue_begin(stream->continued)};
    jr_status status = open_pump(stream, &pump);
    if (status != JR_OK) return status;
    const double begin = jr_clock_ms();
    status = jr_pump_run(pump, scan_chunk, &at);
    if (status == JR_OK) status = check_mark(stream);
    stats->copy_ms = jr_clock_ms() - begin;
    stats->launch_ms = at.launch_ms;
    stats->launches = (int)at.scanned.launches - stream->continued;
    stats->parts = jr_pump_chunk_count(pump);
    jr_pump_close(pump);
    return status;
}
