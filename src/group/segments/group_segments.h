/* Segments of a group: every device has a part of each, and what they come to is merged segment by segment. */
#ifndef JR_SEGMENTS_GROUP_SEGMENTS_H
#define JR_SEGMENTS_GROUP_SEGMENTS_H

#include "group/group_plan.h"

/* The public jr_group_segment_plan_run. status: whether the parts could be read. */
jr_status jr_group_segments_run(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, void *results);

/* The beginning of a run: the first function checks the parts; the second sends all ranks this one's status and
 * parameters, in an exchange in which they learn of a failure. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_EMPTY_INPUT;
 * JR_ERROR_RANKS_DIFFER: they have other counts. */
jr_status jr_group_segments_check(const jr_group_plan *plan, const jr_group_parts *parts);
jr_status jr_group_segments_agree(jr_group_plan *plan, jr_status own, uint64_t count);

/* Folds a device's parts to states at this address, on its stream. */
jr_status jr_group_segments_fold(const jr_group_plan *plan, const jr_group_parts *parts, size_t index,
                                 jr_cu_deviceptr states, jr_cu_deviceptr workspace);

/* Allocates two pieces of memory on a device, of which what was made is written when the second one fails. */
jr_status jr_group_segments_allocate(const jr_device *device, uint64_t first_bytes, jr_cu_deviceptr *first,
                                     uint64_t second_bytes, jr_cu_deviceptr *second);

#endif
