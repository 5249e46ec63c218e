/* Streaming segments: segments of host data reduced in parts, while the next parts come and the results of those before
 * go back. */
#ifndef JR_HOST_CHUNKED_SEGMENTS_H
#define JR_HOST_CHUNKED_SEGMENTS_H

#include "plan/plan.h"
#include "segment_parts.h"

/* What is streamed. */
typedef struct jr_segment_stream {
    const jr_plan *plan; /* of the segments */
    const jr_plan
        *pieces; /* of all elements, in parts: for segments that are cut into pieces; NULL when there are none */
    const void *const *data;
    const jr_segments *segments; /* in host memory */
    uint64_t elements;           /* from the first of all arrays on */
    void *places;                /* of the results, in host memory */
    size_t place_bytes;
    const jr_segment_parts *parts;
} jr_segment_stream;

/* What the parts take, but for the limit and the granule. */
jr_part_costs jr_segment_stream_costs(const jr_reduction *reduction, const jr_segment_layout *layout);

/* Reduces segments that lie one behind the other. stats: copy_ms, launch_ms, launches and parts are written. The
 * context is current; when this returns, the results are complete, or, of a failure, undefined. Errors: those of the
 * pump. */
jr_status jr_stream_segments(const jr_segment_stream *stream, jr_stats *stats);

#endif
