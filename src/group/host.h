/* The calls of a group on host memory. */
#ifndef JR_GROUP_HOST_H
#define JR_GROUP_HOST_H

#include "group.h"
#include "jitreduce/scan.h"

/* The public jr_group_reduce_host. status: whether the spec, which must be whole, could be read. */
typedef struct jr_group_data {
    const void *const *arrays;
    uint64_t count;
    jr_scan_kind scan; /* of a scan */
    void *out;         /* likewise: where its results go */
} jr_group_data;
jr_status jr_group_host_reduce(jr_group *group, jr_status status, const jr_spec *spec, const jr_group_data *data,
                               jr_value *values);

/* The public jr_group_scan_host. */
jr_status jr_group_host_scan(jr_group *group, jr_status status, const jr_spec *spec, const jr_group_data *data);

/* Segments in host memory, as of jr_reduce_host_segments; not yet checked. */
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
