/* The public functions of segments (segment.h). */
#include "plan/make.h"

#include "base/error.h"
#include "guard.h"
#include "host/host.h"
#include "layouts.h"
#include "plan/segment_layout.h"
#include "size.h"

static jr_status find_layout(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count) {
    jr_axis own;
    JR_TRY(jr_size_read(&jr_axis_sized, axis, &own));
    return jr_segment_layout_find(&own, layout, count);
}

jr_status jr_segment_layout_of(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(axis, layout, count));
    jr_segment_layout found;
    jr_status status = jr_size_check(&jr_segment_layout_sized, layout);
    if (status == JR_OK) status = find_layout(axis, &found, count);
    if (status == JR_OK) jr_size_write(&jr_segment_layout_sized, &found, layout);
    return status;
}

jr_status jr_segment_plan_create(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                 jr_plan **plan) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec, layout, plan));
    jr_size_spec own;
    jr_job job = {.context = context, .kind = JR_JOB_SEGMENTS};
    JR_TRY(jr_size_spec_read(spec, &own));
    JR_TRY(jr_size_read(&jr_segment_layout_sized, layout, &job.layout));
    return jr_make_of_spec(&own.spec, &job, plan);
}

jr_status jr_segment_plan_run(jr_plan *plan, const void *d_in, const jr_segments *segments, void *d_out,
                              void *workspace, jr_stream stream) {
    JR_GUARD_RUN;
    if (plan != NULL && plan->reduction->input_count > 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the plan has %d inputs: use jr_segment_plan_run_arrays",
                       plan->reduction->input_count);
    return jr_segment_plan_run_arrays(plan, &d_in, segments, d_out, workspace, stream);
}

/* A scan by offsets needs `elements`, which may be more than its segments have. */
static jr_status check_members(const jr_plan *plan, const jr_segments *segments) {
    jr_segments checked = *segments;
    const bool scan = plan->kind == &jr_plan_scan;
    if (scan && plan->layout.kind == JR_SEGMENTS_OFFSETS) checked.elements = 0;
    return jr_layouts_check(&plan->layout, &checked, scan);
}

jr_status jr_segment_plan_run_arrays(jr_plan *plan, const void *const *d_in, const jr_segments *segments, void *d_out,
                                     void *workspace, jr_stream stream) {
    JR_GUARD_RUN;
    JR_TRY(JR_GIVEN(plan, d_in, segments));
    jr_segments own;
    jr_run run = {.out = jr_cu_address(d_out), .workspace = jr_cu_address(workspace), .stream = stream};
    if (plan->layout.kind == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this is not a plan of segments: make it with "
                                                  "jr_segment_plan_create or jr_scan_segment_plan_create");
    jr_status status = jr_size_read(&jr_segments_sized, segments, &own);
    if (status == JR_OK) status = check_members(plan, &own);
    if (status != JR_OK) return status;
    run.count = own.count;
    run.segments.offsets = jr_cu_address(own.offsets);
    run.segments.keys = jr_cu_address(own.keys);
    if (plan->kind != &jr_plan_segments) status = jr_scan_segments_set(&plan->layout, &own, &run);
    if (status != JR_OK) return status;
    for (int i = 0; i < plan->reduction->input_count; i++) run.in[i] = jr_cu_address(d_in[i]);
    return jr_plan_start(plan, &run);
}

jr_status jr_reduce_host_segments(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                  const void *const *data, const jr_segments *segments, void *results) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec, layout, data, segments, results));
    jr_size_spec own;
    jr_segment_layout own_layout;
    jr_segments own_segments;
    JR_TRY(jr_size_spec_read(spec, &own));
    JR_TRY(jr_size_read(&jr_segment_layout_sized, layout, &own_layout));
    JR_TRY(jr_size_read(&jr_segments_sized, segments, &own_segments));
    JR_TRY(jr_layouts_check(&own_layout, &own_segments, false));
    const bool keys = own_layout.kind == JR_SEGMENTS_KEYS, tree = keys && jr_reduction_is_tree(&own.spec);
    return (!keys  ? jr_segment_host_run
            : tree ? jr_runs_host_run_tree
                   : jr_runs_host_run)(context, &own.spec, &own_layout, data, &own_segments, results);
}

jr_status jr_reduce_host_axis(jr_context *context, const jr_spec *spec, const void *const *data, const jr_axis *axis,
                              void *results) {
    JR_GUARD_CALL;
    jr_segment_layout layout;
    jr_segments segments = {.size = sizeof segments};
    JR_TRY(JR_GIVEN(axis));
    const jr_status status = find_layout(axis, &layout, &segments.count);
    layout.size = sizeof layout;
    return status == JR_OK ? jr_reduce_host_segments(context, spec, &layout, data, &segments, results) : status;
}
