/* The public functions of groups (group.h). */
#include "group/group.h"

#include "base/error.h"
#include "group/group_plan.h"
#include "guard.h"
#include "size.h"

jr_status jr_group_open(const jr_group_options *options, jr_group **group) {
    JR_GUARD_CALL;
    jr_group_options own = {0};
    jr_options contexts;
    JR_TRY(JR_GIVEN(group));
    jr_status status = options != NULL ? jr_size_read(&jr_group_options_sized, options, &own) : JR_OK;
    if (status == JR_OK && own.context_options != NULL) {
        status = jr_size_read(&jr_options_sized, own.context_options, &contexts);
        own.context_options = &contexts;
    }
    if (own.ranks == 0) own.ranks = 1;
    return status == JR_OK ? jr_group_make(&own, group) : status;
}

void jr_group_close(jr_group *group) {
    JR_GUARD_CALL;
    jr_group_free(group);
}

size_t jr_group_size(const jr_group *group) {
    return group != NULL ? group->size : 0;
}

size_t jr_group_local_count(const jr_group *group) {
    return group != NULL ? group->local_count : 0;
}

size_t jr_group_first(const jr_group *group) {
    return group != NULL ? group->first : 0;
}

jr_context *jr_group_context(const jr_group *group, size_t index) {
    return group != NULL && index < group->local_count ? group->contexts[index] : NULL;
}

jr_status jr_group_stats(const jr_group *group, jr_stats *stats) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(group, stats));
    const jr_status status = jr_size_check(&jr_stats_sized, stats);
    if (status == JR_OK) jr_size_write(&jr_stats_sized, &group->stats, stats);
    return status;
}

jr_status jr_group_plan_parameter_set(jr_group_plan *plan, const char *name, const jr_value *value) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(plan, name, value));
    return jr_group_plan_parameter_write(plan, name, value);
}

void jr_group_plan_destroy(jr_group_plan *plan) {
    JR_GUARD_CALL;
    jr_group_plan_free(plan);
}
