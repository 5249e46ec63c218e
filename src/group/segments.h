/* Segments of a group: every device has a part of each, and what they come to is merged segment by segment. */
#ifndef JR_GROUP_SEGMENTS_H
#define JR_GROUP_SEGMENTS_H

#include "plan.h"

/* The public jr_group_segment_plan_run. status: whether the parts could be read. */
jr_status jr_group_segments_run(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, void *results);

#endif
