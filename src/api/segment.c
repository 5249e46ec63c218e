/* The public functions of segments (segment.h). */
#include "reduce/segment.h"

#include "base/error.h"
#include "guard.h"

jr_status jr_segment_layout_of(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count) {
    JR_GUARD_CALL;
    if (axis == NULL || layout == NULL || count == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "axis, layout or count is NULL");
    return jr_segment_layout_find(axis, layout, count);
}

jr_status jr_segment_plan_create(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                 jr_plan **plan) {
    JR_GUARD_CALL;
    if (context == NULL || spec == NULL || layout == NULL || plan == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context, spec, layout or plan is NULL");
    return jr_segment_plan_make(context, spec, layout, plan);
}

jr_status jr_segment_plan_run(jr_plan *plan, const void *d_in, const jr_segments *segments, void *d_out,
                              void *workspace, jr_stream stream) {
    JR_GUARD_RUN;
    if (plan != NULL && plan->reduction->input_count > 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the plan has %d inputs: use jr_segment_plan_run_arrays",
                       plan->reduction->input_count);
    return jr_segment_plan_run_arrays(plan, &d_in, segments, d_out, workspace, stream);
}

jr_status jr_segment_plan_run_arrays(jr_plan *plan, const void *const *d_in, const jr_segments *segments, void *d_out,
                                     void *workspace, jr_stream stream) {
    JR_GUARD_RUN;
    if (plan == NULL || d_in == NULL || segments == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "plan, d_in or segments is NULL");
    jr_segment_run run = {.segments = *segments, .out = d_out, .workspace = workspace, .stream = stream};
    for (int i = 0; i < plan->reduction->input_count; i++) run.in[i] = d_in[i];
    return jr_segment_plan_start(plan, &run);
}

jr_status jr_reduce_host_segments(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                  const void *const *data, const jr_segments *segments, void *results) {
    JR_GUARD_CALL;
    if (context == NULL || spec == NULL || layout == NULL || data == NULL || segments == NULL || results == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context, spec, layout, data, segments or results is NULL");
    return jr_segment_host(context, spec, layout, data, segments, results);
}

jr_status jr_reduce_host_axis(jr_context *context, const jr_spec *spec, const void *const *data, const jr_axis *axis,
                              void *results) {
    JR_GUARD_CALL;
    jr_segment_layout layout;
    jr_segments segments = {0};
    if (axis == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "axis is NULL");
    const jr_status status = jr_segment_layout_find(axis, &layout, &segments.count);
    return status == JR_OK ? jr_reduce_host_segments(context, spec, &layout, data, &segments, results) : status;
}
