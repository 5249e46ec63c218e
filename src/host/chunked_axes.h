/* Streaming axes: an array in host memory, of which axes are reduced, in parts along another one or along one of them.
 */
#ifndef JR_HOST_CHUNKED_AXES_H
#define JR_HOST_CHUNKED_AXES_H

#include "axes_parts.h"
#include "plan/plan.h"

/* Which plans the parts of a job take. */
typedef struct jr_axes_plans {
    const jr_plan *results; /* of columns: results of accumulators; of parts that are no pieces: of the first kind */
    jr_plan *kind[2];       /* own: of each kind of part, to results or, of pieces, to accumulators; or NULL */
    jr_plan *joined;        /* own, of pieces: of columns, accumulators of accumulators; else NULL */
} jr_axes_plans;

/* What is streamed. */
typedef struct jr_axes_stream {
    const void *const *data;
    uint64_t elements, count; /* of each array; segments */
    void *places;             /* of the results, in host memory */
    size_t place_bytes;
    const jr_axes_parts *parts;
    const jr_axes_plans *plans;
} jr_axes_stream;

/* The layout of the job whose plan is `results`. */
jr_segment_layout jr_axes_plans_layout(const jr_segment_layout *whole, const jr_axes_parts *parts);

/* Makes the other plans of a job. jr_axes_plans_free must follow. Errors: those of jr_make_plan. */
jr_status jr_axes_plans_make(const jr_job *job, const jr_axes_parts *parts, const jr_plan *results,
                             jr_axes_plans *plans);
void jr_axes_plans_free(jr_axes_plans *plans);

/* Reduces the array. stats, context and errors: as of jr_stream_segments. */
jr_status jr_stream_axes(const jr_axes_stream *stream, jr_stats *stats);

#endif
