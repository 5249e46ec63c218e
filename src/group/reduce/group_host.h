/* Reduces host memory by all devices of a rank, and by all ranks. */
#ifndef JR_REDUCE_GROUP_HOST_H
#define JR_REDUCE_GROUP_HOST_H

#include "group/group.h"
#include "jitreduce/scan.h"

/* The public jr_group_reduce_host. status: whether the spec, which must be whole, could be read. */
typedef struct jr_group_data {
    const void *const *arrays;
    uint64_t count;
    jr_scan_kind scan; /* of a scan */
    void *out;         /* where its results go */
} jr_group_data;
jr_status jr_group_host_reduce(jr_group *group, jr_status status, const jr_spec *spec, const jr_group_data *data,
                               jr_value *values);

#endif
