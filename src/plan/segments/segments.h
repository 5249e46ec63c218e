/* Segments: what the algorithms of segmented reductions share. */
#ifndef JR_SEGMENTS_SEGMENTS_H
#define JR_SEGMENTS_SEGMENTS_H

#include "plan/cut.h"
#include "plan/plan.h"

/* Of algorithms whose warps bring elements to shared memory. */
extern const jr_algorithm_shared jr_segments_patches;

/* What kernels of segments are given. */
typedef struct jr_segments_args {
    jr_cut input; /* cut at its first 16-byte boundary, without an end */
    jr_segment_cut segments;
    jr_call call;
} jr_segments_args;

jr_segments_args jr_segments_args_of(const jr_plan *plan, const jr_run *run);

/* Are the segments equal stretches of one array of numbers, whose packs lanes may take in turn as the operator
 * commutes? Others go to segmented_walk. */
bool jr_segments_are_equal(const jr_job *job);

/* Do kernels sum differences from a pivot (kernels_src/fold/moments.cuh)? That takes few instructions an element, so
 * that a thread may have as many loads as it has registers for. */
bool jr_segments_shift(const jr_reduction *reduction);

/* The blocks that `units` of work take, each of which a block does at a time: no more than the plan's grid, at least 1.
 * The second of work that pays off to have no more of than a block does: a grid for all of it, unless one was asked
 * for. */
int jr_segments_grid(const jr_plan *plan, uint64_t units);
int jr_segments_grid_of_all(const jr_plan *plan, uint64_t units);

/* Items that a warp takes at a time: `most`, or fewer where they are few, so that all warps of a wave have some, in
 * multiples of `step`. */
uint32_t jr_segments_of_warp(const jr_plan *plan, uint64_t items, uint64_t most, uint64_t step);

/* Segments that a block takes at a time by its warps: one for each, or fewer, so that all blocks have some. */
uint32_t jr_segments_together(const jr_plan *plan, uint64_t count);

#endif
