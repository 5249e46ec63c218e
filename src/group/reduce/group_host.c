/* Reduces host memory by all devices of a rank, and by all ranks. */
#include "group_host.h"

#include "base/error.h"
#include "group/stretch.h"
#include "group_value.h"
#include "host/host.h"

static jr_status fold(jr_group_plan *plan, const jr_spec *spec, const jr_group_data *data) {
    jr_stretch stretches[JR_GROUP_DEVICES_MAX];
    JR_TRY(jr_stretch_cut(plan, spec, data->arrays, data->count, stretches));
    return jr_stretch_work(plan->group, stretches, jr_stretch_fold);
}

/* The nodes of a fixed tree are not those of the devices' shares: one device folds all of it. */
static jr_status reduce_by_one(jr_group *group, const jr_spec *spec, const jr_group_data *data, jr_value *values) {
    const jr_status status = jr_host_reduce(group->contexts[0], spec, NULL, data->arrays, data->count, values);
    if (status == JR_OK) group->stats = jr_context_kept(group->contexts[0]);
    return status;
}

jr_status jr_group_host_reduce(jr_group *group, jr_status status, const jr_spec *spec, const jr_group_data *data,
                               jr_value *values) {
    jr_group_plan *plan = NULL;
    if (status == JR_OK && jr_group_is_alone(group) && jr_reduction_is_tree(spec))
        return reduce_by_one(group, spec, data, values);
    status = jr_group_plan_make(group, status, spec, &(jr_group_use){.count = data->count}, &plan);
    if (status != JR_OK) return status;
    status = jr_group_plan_finish(plan, fold(plan, spec, data), values);
    jr_group_plan_free(plan);
    return status;
}
