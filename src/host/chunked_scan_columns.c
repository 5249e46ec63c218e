/* Streams columns of host data through scans. */
#include "axes_parts.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/whole.h"
#include "chunked_scan.h"
#include "device/memory.h"
#include "plan/scan/scan_columns.h"

/* A scan in the making. */
typedef struct scanning {
    const jr_scan_stream *stream;
    jr_axes_parts parts;
    jr_cu_deviceptr carry; /* accumulators of the columns whose rows are under way; 0: columns are not cut */
    int launches;
    double launch_ms;
} scanning;

/* A part is slabs, or rows of one, or columns of a row. */
static jr_scan_rows rows_of(const scanning *at, const jr_chunk *chunk) {
    const jr_segment_layout *layout = &at->stream->plan->layout;
    const uint64_t length = layout->length, inner = layout->inner;
    if (!at->parts.pieces && length > 1)
        return (jr_scan_rows){
            .all = at->stream->count / length, .columns = chunk->count / length, .length = length, .inner = inner};
    const uint64_t width = at->parts.pieces ? jr_least(inner, chunk->count) : chunk->count;
    return (jr_scan_rows){.all = width,
                          .columns = width,
                          .length = chunk->count / width,
                          .inner = width,
                          .before = at->parts.pieces ? chunk->first / inner % length : 0,
                          .carry = at->carry};
}

static jr_status scan_chunk(void *user, const jr_chunk *chunk) {
    scanning *at = user;
    const double begin = jr_clock_ms();
    const jr_plan *plan = at->stream->plan;
    const jr_run part = jr_scan_stream_part(at->stream, chunk);
    const jr_scan_rows rows = rows_of(at, chunk);
    const jr_status status = jr_scan_rows_run(plan, &part, &rows);
    at->launches += jr_scan_rows_launches(plan, &rows);
    at->launch_ms += jr_clock_ms() - begin;
    return status == JR_OK ? jr_scan_stream_check_first(at->stream, chunk) : status;
}

/* Every part's results are as many as its elements. */
static jr_status cut(scanning *at) {
    const jr_plan *plan = at->stream->plan;
    jr_part_costs costs = jr_scan_stream_costs(at->stream);
    costs.piece_bytes = plan->reduction->accumulator_bytes;
    const uint64_t columns = at->stream->count / plan->layout.length;
    const jr_status status = jr_axes_parts_cut(&plan->layout, columns, &costs, &at->parts);
    for (uint64_t i = 0; i < at->parts.list.count; i++)
        at->parts.list.cuts[i].results = at->parts.list.cuts[i].elements;
    return status;
}

/* Columns of a part that has pieces lie side by side. */
static jr_status open(scanning *at, jr_pump **pump) {
    const jr_plan *plan = at->stream->plan;
    jr_pump_request request = jr_scan_stream_request(at->stream);
    jr_status status = cut(at);
    if (status == JR_OK && at->parts.pieces)
        status = jr_memory_allocate(&plan->context->device,
                                    jr_least(plan->layout.inner, at->parts.kind[0].elements) *
                                        plan->reduction->accumulator_bytes,
                                    NULL, &at->carry);
    request.cuts = at->parts.list.cuts;
    request.cut_count = at->parts.list.count;
    return status == JR_OK ? jr_pump_open(&plan->context->device, &request, pump) : status;
}

jr_status jr_stream_scan_columns(const jr_scan_stream *stream, jr_stats *stats) {
    jr_pump *pump = NULL;
    scanning at = {.stream = stream};
    jr_status status = open(&at, &pump);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_pump_run(pump, scan_chunk, &at);
    if (status == JR_OK) status = jr_scan_stream_check(stream);
    stats->copy_ms = jr_clock_ms() - begin;
    stats->launch_ms = at.launch_ms;
    stats->launches = at.launches;
    stats->parts = at.parts.list.count;
    JR_KEEP_ERROR;
    jr_pump_close(pump);
    jr_memory_release(&stream->plan->context->device, at.carry, NULL);
    jr_axes_parts_free(&at.parts);
    return status;
}
