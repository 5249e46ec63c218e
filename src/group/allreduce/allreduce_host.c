/* All-reduces by the host: the states come to its memory, from which each device merges them. */
#include "allreduce.h"

#include "group/reduce/group_value.h"

static jr_status check(const jr_group *group, const jr_allreduce_options *options) {
    (void)group;
    (void)options;
    return JR_OK;
}

/* The states lie in mapped memory, at one address for all devices: a later run's come there when this one's merges,
 * which are before it on the streams, have ended. */
static jr_status run(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    jr_cu_deviceptr states[JR_GROUP_DEVICES_MAX];
    uint64_t elements;
    status = jr_group_plan_collect(allreduce->plan, status, parts, &elements);
    for (size_t i = 0; i < JR_GROUP_DEVICES_MAX; i++) states[i] = allreduce->plan->states.address;
    return status == JR_OK ? jr_allreduce_merge(allreduce, states, elements, d_out) : status;
}

static void release(jr_allreduce *allreduce) {
    (void)allreduce;
}

const jr_allreduce_row jr_allreduce_by_host = {
    .way = JR_ALLREDUCE_HOST, .check = check, .prepare = jr_allreduce_make_merges, .run = run, .release = release};
