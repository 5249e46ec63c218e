/* The public functions of groups (group.h). */
#include "group/group.h"

#include <string.h>

#include "base/error.h"
#include "group/group_plan.h"
#include "group/reduce/group_host.h"
#include "group/reduce/group_value.h"
#include "group/scan/group_scan.h"
#include "group/segments/group_segments.h"
#include "group/segments/segment_calls.h"
#include "guard.h"
#include "layouts.h"
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

/* With a group, jr_group_plan_make refuses a wrong spec, since the other ranks must learn of it. */
jr_status jr_group_plan_create(jr_group *group, const jr_spec *spec, jr_group_plan **plan) {
    JR_GUARD_CALL;
    jr_size_spec own;
    JR_TRY(JR_GIVEN(group, spec, plan));
    const jr_status status = jr_size_spec_read(spec, &own);
    return jr_group_plan_make(group, status, &own.spec, &(jr_group_use){.on_devices = true}, plan);
}

jr_status jr_group_segment_plan_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                       jr_group_plan **plan) {
    JR_GUARD_CALL;
    jr_size_spec own;
    jr_segment_layout own_layouts[JR_GROUP_DEVICES_MAX] = {{.kind = 0}};
    JR_TRY(JR_GIVEN(group, spec, layouts, plan));
    jr_status status = jr_size_spec_read(spec, &own);
    if (status == JR_OK) status = jr_layouts_read(group, layouts, own_layouts);
    const jr_group_use use = {.on_devices = true, .layouts = own_layouts};
    return jr_group_plan_make(group, status, &own.spec, &use, plan);
}

/* Plans of one sort run as such. */
static jr_status check_sort(const jr_group_plan *plan, const char *run) {
    static const char scan[] = "jr_group_scan_plan_run", segments[] = "jr_group_segment_plan_run",
                      value[] = "jr_group_plan_value";
    const char *own = plan->scans[0] != NULL ? scan : plan->merge->layout.kind != 0 ? segments : value;
    if (strcmp(own, run) == 0) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s does not take this plan: use %s", run, own);
}

jr_status jr_group_segment_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *results) {
    JR_GUARD_CALL;
    jr_group_parts own;
    JR_TRY(JR_GIVEN(plan, parts, results));
    JR_TRY(check_sort(plan, __func__));
    const jr_status status = jr_size_read(&jr_group_parts_sized, parts, &own);
    return jr_group_segments_run(plan, status, &own, results);
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

jr_status jr_group_plan_value(jr_group_plan *plan, const jr_group_parts *parts, jr_value *values) {
    JR_GUARD_CALL;
    jr_group_parts own;
    JR_TRY(JR_GIVEN(plan, parts, values));
    JR_TRY(check_sort(plan, __func__));
    const jr_status status = jr_size_read(&jr_group_parts_sized, parts, &own);
    return jr_group_plan_reduce(plan, status, &own, values);
}

jr_status jr_group_scan_plan_create(jr_group *group, const jr_spec *spec, jr_scan_kind kind, jr_group_plan **plan) {
    JR_GUARD_CALL;
    jr_size_spec own;
    JR_TRY(JR_GIVEN(group, spec, plan));
    const jr_status status = jr_size_spec_read(spec, &own);
    const jr_group_use use = {.on_devices = true, .scans = true, .scan = kind};
    return jr_group_plan_make(group, status, &own.spec, &use, plan);
}

jr_status jr_group_scan_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out) {
    JR_GUARD_CALL;
    jr_group_parts own;
    JR_TRY(JR_GIVEN(plan, parts, d_out));
    JR_TRY(check_sort(plan, __func__));
    const jr_status status = jr_size_read(&jr_group_parts_sized, parts, &own);
    return jr_group_plan_scan(plan, status, &own, d_out);
}

jr_status jr_group_reduce_host(jr_group *group, const jr_spec *spec, const void *const *data, uint64_t count,
                               jr_value *values) {
    JR_GUARD_CALL;
    jr_size_spec own;
    JR_TRY(JR_GIVEN(group, spec, data, values));
    const jr_status status = jr_size_spec_read(spec, &own);
    return jr_group_host_reduce(group, status, &own.spec, &(jr_group_data){.arrays = data, .count = count}, values);
}

jr_status jr_group_reduce_host_segments(jr_group *group, const jr_spec *spec, const jr_segment_layout *layout,
                                        const void *const *data, const jr_segments *segments, void *results) {
    JR_GUARD_CALL;
    jr_size_spec own;
    jr_group_segments asked = {.arrays = data, .out = results};
    JR_TRY(JR_GIVEN(group, spec, layout, data, segments, results));
    jr_status status = jr_size_spec_read(spec, &own);
    if (status == JR_OK) status = jr_size_read(&jr_segment_layout_sized, layout, &asked.layout);
    if (status == JR_OK) status = jr_size_read(&jr_segments_sized, segments, &asked.segments);
    if (status == JR_OK) status = jr_layouts_check(&asked.layout, &asked.segments, false);
    return jr_group_host_segments(group, status, &own.spec, &asked);
}

jr_status jr_group_scan_host_segments(jr_group *group, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                      const jr_segments *segments, void *out) {
    JR_GUARD_CALL;
    jr_size_spec own;
    jr_group_segments asked = {.arrays = data, .scan = kind, .out = out};
    JR_TRY(JR_GIVEN(group, spec, data, segments));
    jr_status status = jr_size_spec_read(spec, &own);
    if (status == JR_OK) status = jr_layouts_read_scan(segments, &asked.segments, &asked.layout);
    return jr_group_host_scan_segments(group, status, &own.spec, &asked);
}

jr_status jr_group_scan_host(jr_group *group, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                             uint64_t count, void *out) {
    JR_GUARD_CALL;
    jr_size_spec own;
    JR_TRY(JR_GIVEN(group, spec, data));
    const jr_group_data asked = {.arrays = data, .count = count, .scan = kind, .out = out};
    const jr_status status = jr_size_spec_read(spec, &own);
    return jr_group_host_scan(group, status, &own.spec, &asked);
}
