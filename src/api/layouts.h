/* Layouts of segments that a caller gives. */
#ifndef JR_API_LAYOUTS_H
#define JR_API_LAYOUTS_H

#include <stdbool.h>

#include "jitreduce/group.h"

/* Refuses members of segments that contradict each other, or that would not be written. layout: of a known kind. Does
 * not read what they point to. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_layouts_check(const jr_segment_layout *layout, const jr_segments *segments, bool scan);

/* Reads the segments of a scan, and their layout, which is settled. Errors: JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_layouts_read_scan(const jr_segments *segments, jr_segments *own, jr_segment_layout *layout);

/* Reads those of this rank's devices in a group, each as its own size says, into own, which has room for
 * JR_GROUP_DEVICES_MAX. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_layouts_read(const jr_group *group, const jr_segment_layout *layouts, jr_segment_layout *own);

#endif
