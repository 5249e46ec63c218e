/* All-reduces of segments by NCCL: it gathers the states of all devices on each. */
#include "allreduce_segments.h"
#include "base/error.h"
#include "group/communicators.h"

static jr_status check_nccl(const jr_group *group, const jr_allreduce_options *options) {
    return jr_allreduce_by_nccl.check(group, options);
}

static jr_status prepare_nccl(jr_allreduce *allreduce, const jr_spec *spec) {
    jr_group *group = allreduce->plan->group;
    const jr_status status = jr_allreduce_make_merges(allreduce, spec);
    if (allreduce->limit_ms == 0) allreduce->limit_ms = group->limit_ms;
    return jr_communicators_make(group, status, allreduce->nccl, allreduce->limit_ms);
}

static jr_status run_by_nccl(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts,
                             void *const *d_out) {
    jr_group *group = allreduce->plan->group;
    status = jr_allreduce_segments_begin(allreduce, status, parts);
    if (status == JR_ERROR_TRANSPORT) jr_communicators_abort(group);
    if (status != JR_OK || parts->counts[0] == 0) return status;
    status = jr_allreduce_segments_fold(allreduce, parts);
    if (status != JR_OK) return status;
    jr_cu_deviceptr own[JR_GROUP_DEVICES_MAX];
    for (size_t i = 0; i < group->local_count; i++) own[i] = jr_allreduce_segments_states(allreduce, i);
    const jr_gathering asked = {.from = own,
                                .to = allreduce->room.all,
                                .bytes = jr_allreduce_segments_bytes(allreduce),
                                .streams = allreduce->streams,
                                .limit_ms = allreduce->limit_ms};
    JR_TRY(jr_communicators_gather(group, &asked));
    return jr_allreduce_segments_merge_all(allreduce, d_out);
}

static jr_status await_nccl(jr_allreduce *allreduce) {
    return jr_communicators_await(allreduce->plan->group, allreduce->streams, allreduce->limit_ms);
}

const jr_allreduce_row jr_allreduce_segments_by_nccl = {.way = JR_ALLREDUCE_NCCL,
                                                        .check = check_nccl,
                                                        .prepare = prepare_nccl,
                                                        .run = run_by_nccl,
                                                        .await = await_nccl,
                                                        .release = jr_allreduce_segments_free};
