/* Parts of segments that lie one behind the other: which of them, or which piece of a long one, go through the device
 * together. */
#ifndef JR_HOST_SEGMENT_PARTS_H
#define JR_HOST_SEGMENT_PARTS_H

#include "device/chunks.h"
#include "jitreduce/segment.h"

/* What a part takes of the device's memory, and may take. */
typedef struct jr_part_costs {
    uint64_t limit_bytes; /* of all buffers; 0: the usual */
    uint64_t fixed_bytes, element_bytes, segment_bytes;
    uint64_t piece_bytes;   /* beside segment_bytes, of each of several segments that are cut at once */
    uint64_t granule_count; /* elements: of them a piece of a segment has a multiple, unless it is the last one */
} jr_part_costs;

/* A part is the elements of whole segments with their results; or a piece of one segment, with its result when it is
 * the last one. */
typedef struct jr_segment_parts {
    jr_chunk_cut *cuts;
    uint64_t count;
    uint64_t piece_most;  /* elements of a piece at most; 0: all segments lie in one part each */
    uint64_t pieces_most; /* of one segment */
} jr_segment_parts;

/* Cuts equal segments and those of offsets, which were checked, into parts as large as may be. jr_segment_parts_free
 * must follow. Errors: JR_ERROR_INVALID_ARGUMENT (the limit is too small), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_segment_parts_cut(const jr_segment_layout *layout, const jr_segments *segments, const jr_part_costs *costs,
                               jr_segment_parts *parts);
void jr_segment_parts_free(jr_segment_parts *parts); /* one that was zeroed is fine */

/* Adds a part; and the error when not even the least fits. For whoever cuts otherwise. */
jr_status jr_segment_parts_add(jr_segment_parts *parts, const jr_chunk_cut *cut);
jr_status jr_segment_parts_refuse(const jr_part_costs *costs, uint64_t least_bytes);

/* The element with which a segment begins; of the count of segments: behind the last one. */
uint64_t jr_segment_parts_begin(const jr_segment_layout *layout, const jr_segments *segments, uint64_t segment);

#endif
