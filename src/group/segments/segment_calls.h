/* Segments of host memory, reduced or scanned by all devices of a rank, and by all ranks. */
#ifndef JR_SEGMENTS_SEGMENT_CALLS_H
#define JR_SEGMENTS_SEGMENT_CALLS_H

#include "group/group.h"
#include "jitreduce/scan.h"

/* Segments in host memory, as for jr_reduce_host_segments; not yet checked. */
typedef struct jr_group_segments {
    jr_segment_layout layout;
    jr_segments segments;
    const void *const *arrays;
    jr_scan_kind scan; /* of a scan; its layout is settled */
    void *out;
} jr_group_segments;
jr_status jr_group_host_segments(jr_group *group, jr_status status, const jr_spec *spec,
                                 const jr_group_segments *asked);
jr_status jr_group_host_scan_segments(jr_group *group, jr_status status, const jr_spec *spec,
                                      const jr_group_segments *asked);

#endif
