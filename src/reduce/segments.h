/* Segments: what the algorithms of segmented reductions share, and where segments lie. */
#ifndef JR_REDUCE_SEGMENTS_H
#define JR_REDUCE_SEGMENTS_H

#include "cut.h"
#include "plan.h"

/* Warps wait for offsets as well as for elements: all blocks that can be resident are wanted. */
enum { JR_SEGMENT_IN_FLIGHT = 1 << 20 };

/* The input as kernels of segments take it: cut at its first 16-byte boundary, without an end. */
jr_cut jr_segments_input(const jr_plan *plan, const jr_run *run);
jr_segment_cut jr_segments_cut(const jr_plan *plan, const jr_run *run);

/* The blocks that `units` of work take, each of which a block does at a time: no more than the plan's grid, at least 1.
 * The second of work that pays off to have no more of than a block does: a grid for all of it, unless one was asked
 * for. */
int jr_segments_grid(const jr_plan *plan, uint64_t units);
int jr_segments_grid_of_all(const jr_plan *plan, uint64_t units);

/* Does what the public jr_segment_layout_of does. */
jr_status jr_segments_layout_find(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count);

/* How many elements segments of a layout span from the input's first one; offsets are in host memory, or not read when
 * not `readable`: then it is 0 for them. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_segments_elements(const jr_segment_layout *layout, const jr_segments *segments, bool readable,
                               uint64_t *count);

#endif
