/* Where segments lie: the layout of axes, and how far it reaches. */
#ifndef JR_PLAN_SEGMENT_LAYOUT_H
#define JR_PLAN_SEGMENT_LAYOUT_H

#include <stdbool.h>

#include "axes.h"
#include "jitreduce/work.h"

/* The axes of an array of a caller's, and which are reduced. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_segment_axes_find(const jr_axis *axis, jr_axes *axes);

/* Does what the public jr_segment_layout_of does, whatever the strides. */
jr_status jr_segment_layout_find(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count);

/* Checks a caller's layout, and makes it the least that says the same: axes that are one after merging become rows or
 * columns, others are merged. Several axes only reductions take. Errors: JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_segment_layout_settle(jr_segment_layout *layout, bool scan);

/* Members that a layout's kind does not use are not 0: an error that names one; or become 0, as in programs of 0.2,
 * which could set them. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_segment_layout_check_unused(const jr_segment_layout *layout);
void jr_segment_layout_clear_unused(jr_segment_layout *layout);

/* How many elements segments of a settled layout span from the input's first one; offsets are in host memory, or not
 * read when not `readable`: then it is 0 for them. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_segment_layout_elements(const jr_segment_layout *layout, const jr_work_data *data, bool readable,
                                     uint64_t *count);

#endif
