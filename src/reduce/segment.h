/* Segmented reductions: how segments become launches, one row in a table for each way. */
#ifndef JR_REDUCE_SEGMENT_H
#define JR_REDUCE_SEGMENT_H

#include "cut.h"
#include "jitreduce/segment.h"
#include "plan.h"

/* One run of a plan of segments. */
typedef struct jr_segment_run {
    const void *in[JR_INPUTS_MAX];
    jr_segments segments;
    void *out;
    void *workspace;
    jr_stream stream;
} jr_segment_run;

/* One way to reduce segments. */
typedef struct jr_segment_row {
    jr_algorithm_row row; /* its run() refuses: it would be of one result */
    bool (*applicable)(const jr_segment_layout *layout, const jr_reduction *reduction);
    jr_status (*run)(const jr_plan *plan, const jr_segment_run *run); /* launches; segments.count is not 0 */
} jr_segment_row;

extern const jr_segment_row jr_segmented_short, jr_segmented_lanes, jr_segmented_warps, jr_segmented_blocks,
    jr_segmented_walk, jr_segmented_columns;

/* Warps wait for offsets as well as for elements: all blocks that can be resident are wanted. */
enum { JR_SEGMENT_IN_FLIGHT = 1 << 20 };

/* For rows: refuses a run of one result. */
jr_status jr_segment_refuse(const jr_plan *plan, const jr_run *run);

/* The input as kernels of segments take it: cut at its first 16-byte boundary, without an end. */
jr_cut jr_segment_input(const jr_plan *plan, const jr_segment_run *run);
jr_segment_cut jr_segment_cut_of(const jr_plan *plan, const jr_segment_run *run);

/* The blocks that `wanted` units of work take: no more than the plan's grid, at least 1. */
int jr_segment_grid(const jr_plan *plan, uint64_t wanted);

/* Does what the public jr_segment_layout_of does. */
jr_status jr_segment_layout_find(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count);

/* Makes a plan; the public jr_segment_plan_create. */
jr_status jr_segment_plan_make(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                               jr_plan **plan);

/* Runs one; the public jr_segment_plan_run. */
jr_status jr_segment_plan_start(const jr_plan *plan, const jr_segment_run *run);

/* How many elements segments of a layout span from the input's first one; offsets are in host memory, or not read when
 * not `readable`: then it is 0 for them. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_segment_elements(const jr_segment_layout *layout, const jr_segments *segments, bool readable,
                              uint64_t *count);

/* Does what the public jr_reduce_host_segments does; the arguments have been checked for NULL. */
jr_status jr_segment_host(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                          const void *const *data, const jr_segments *segments, void *results);

#endif
