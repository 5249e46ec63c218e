/* Layouts of segments that a group's caller gives, one a device. */
#ifndef JR_API_LAYOUTS_H
#define JR_API_LAYOUTS_H

#include "jitreduce/group.h"

/* Reads those of this rank's devices, each as its own size says, into own, which has room for JR_GROUP_DEVICES_MAX.
 * Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_layouts_read(const jr_group *group, const jr_segment_layout *layouts, jr_segment_layout *own);

#endif
