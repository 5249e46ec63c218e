/* Segments of host memory, reduced or scanned by all devices of a rank and by all ranks (segments_host.c): each device
 * is dealt some, whole. */
#ifndef JR_SEGMENTS_SEGMENTS_DEAL_H
#define JR_SEGMENTS_SEGMENTS_DEAL_H

#include "group/group.h"
#include "group/stretch.h"
#include "jitreduce/work.h"

/* Segments in host memory, as for jr_work_run_host; not yet checked. */
typedef struct jr_group_segments {
    jr_segment_layout layout;
    jr_work_data data;
    bool exclusive; /* of a scan; its layout is settled */
} jr_group_segments;
jr_status jr_group_host_segments(jr_group *group, jr_status status, const jr_spec *spec,
                                 const jr_group_segments *asked);
jr_status jr_group_host_scan_segments(jr_group *group, jr_status status, const jr_spec *spec,
                                      const jr_group_segments *asked);

/* What a device takes. */
typedef struct jr_group_share {
    jr_segment_layout layout;
    jr_work_data data;
    uint64_t first_element, element_count, first_result;
    uint64_t *offsets; /* its own: from its first element on; to be freed */
} jr_group_share;

/* What is dealt out; checked. */
typedef struct jr_group_deal {
    const jr_group_segments *asked;
    const jr_reduction *reduction;
    uint64_t elements;
    bool scans; /* what lies before the first offset is scanned, too; keys may come; results are of elements */
} jr_group_deal;

/* Deals out to the devices of this rank, and does some work on all shares (jr_stretch.share, a jr_group_share) at a
 * time; all of what cannot be dealt out goes to the first one. The work of the first device (part.first is 0) is done
 * in any case: it finds what is wrong. Errors: JR_ERROR_OUT_OF_MEMORY, those of the work. */
jr_status jr_group_deal_work(jr_group *group, const jr_spec *spec, const jr_group_deal *deal,
                             jr_status (*work)(const jr_stretch *own));

#endif
