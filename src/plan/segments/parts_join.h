/* Parts of segments: what several blocks leave of each, and the launch that joins them (segmented/join/parts_join.cu).
 */
#ifndef JR_SEGMENTS_PARTS_JOIN_H
#define JR_SEGMENTS_PARTS_JOIN_H

#include "segments.h"

/* The kernel, for rows. */
#define JR_PARTS_JOIN_KERNEL                                                                                           \
    { .source = "segmented/join/parts_join.cu", .entry = "jr_segmented_parts_join" }

/* Bytes of an accumulator for every thread of a plan's blocks: so many parts, of all segments together, there may be.
 */
size_t jr_parts_join_bytes(const jr_plan *plan);

/* Launches the plan's kernel `join`: reduces `parts` rows, of an accumulator a segment, at this address to the results
 * of a run. */
jr_status jr_parts_join(const jr_plan *plan, const jr_run *run, int join, uint64_t address, uint64_t parts);

#endif
