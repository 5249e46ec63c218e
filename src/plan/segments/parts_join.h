/* Parts of segments: how the columns of an array are shared out to blocks and their threads, what several blocks leave
 * of each segment, and the launch that joins them (segmented/join/parts_join.cu). */
#ifndef JR_SEGMENTS_PARTS_JOIN_H
#define JR_SEGMENTS_PARTS_JOIN_H

#include "abi.h"
#include "segments.h"

/* What there is to cut, and for whom. */
typedef struct jr_columns {
    uint64_t count, length, inner; /* columns, 1 or more; rows; columns side by side */
    uint32_t block;                /* threads */
    uint64_t grid;                 /* blocks that are wanted */
} jr_columns;

/* Cuts columns. parts * count is at most grid * block, so that this many partial results are enough. */
jr_column_cut jr_column_cut_of(const jr_columns *columns);

/* Groups of columns, times parts: what blocks take one at a time. */
uint64_t jr_column_cut_units(const jr_column_cut *cut);

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
