/* Parts of axes: which stretches of an array, of which some axes are reduced, go through the device together.
 *
 * An array is cut along one axis, the first one behind which a whole element of it fits: a part is some of that axis
 * and all behind it, so that its elements lie together. Axes before it that are reduced, and the axis itself, cut
 * segments into pieces: all pieces of the same segments follow each other, in the order of the elements. */
#ifndef JR_HOST_AXES_PARTS_H
#define JR_HOST_AXES_PARTS_H

#include "plan/axes.h"
#include "segment_parts.h"

/* A part is one of two kinds: the second is what is left over at the end of the axis. */
typedef struct jr_axes_part {
    jr_segment_layout layout; /* of its elements: settled */
    uint64_t elements;
    uint64_t results; /* of which its elements are, or are a piece */
    uint64_t length;  /* elements of each */
} jr_axes_part;

typedef struct jr_axes_parts {
    jr_segment_parts list; /* pieces have the count of their results when they are the last ones */
    bool pieces;           /* segments are cut */
    int kinds;
    jr_axes_part kind[2];
} jr_axes_parts;

/* Cuts the array of a layout, strided or of axes, that was checked and has elements; count: of its segments. costs:
 * with what a piece's accumulators take beside its results. jr_axes_parts_free must follow. Errors:
 * JR_ERROR_INVALID_ARGUMENT (the limit is too small), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_axes_parts_cut(const jr_segment_layout *layout, uint64_t count, const jr_part_costs *costs,
                            jr_axes_parts *parts);
void jr_axes_parts_free(jr_axes_parts *parts); /* one that was zeroed is fine */

/* Which of the kinds a part of so many elements is. */
const jr_axes_part *jr_axes_parts_kind(const jr_axes_parts *parts, uint64_t elements);

#endif
