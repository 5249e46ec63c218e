/* Segments: what the algorithms of segmented reductions share. */
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

#endif
