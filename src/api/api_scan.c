/* The public scans (scan.h). */
#include "plan/make.h"

#include "base/error.h"
#include "guard.h"
#include "host/host.h"
#include "layouts.h"
#include "plan/segment_layout.h"
#include "size.h"
#include "wisdom/advice.h"

jr_status jr_scan_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec, plan));
    jr_size_spec own;
    const jr_adviser adviser = jr_advice_adviser(context);
    jr_job job = {.context = context, .kind = JR_JOB_SCAN, .scan = kind, .adviser = &adviser};
    JR_TRY(jr_size_spec_read(spec, &own));
    return jr_make_of_spec(&own.spec, &job, plan);
}

jr_status jr_scan_host(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *data, uint64_t count,
                       void *out) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec));
    jr_size_spec own;
    JR_TRY(jr_size_spec_read(spec, &own));
    spec = &own.spec;
    if (spec->input_count > 1 || spec->op == JR_OP_DOT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the spec has %d inputs: jr_scan_host takes one array; use jr_scan_host_arrays",
                       spec->op == JR_OP_DOT ? 2 : spec->input_count);
    if (data == NULL && count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data is NULL, but the count is %llu", (unsigned long long)count);
    const jr_adviser adviser = jr_advice_adviser(context);
    const jr_scan_asked asked = {.kind = kind, .data = &data, .count = count, .out = out, .adviser = &adviser};
    return jr_scan_host_run(context, spec, &asked);
}

jr_status jr_scan_host_arrays(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                              uint64_t count, void *out) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec, data));
    jr_size_spec own;
    const jr_adviser adviser = jr_advice_adviser(context);
    const jr_scan_asked asked = {.kind = kind, .data = data, .count = count, .out = out, .adviser = &adviser};
    JR_TRY(jr_size_spec_read(spec, &own));
    return jr_scan_host_run(context, &own.spec, &asked);
}

jr_status jr_scan_segment_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                      const jr_segment_layout *layout, jr_plan **plan) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec, layout, plan));
    jr_size_spec own;
    jr_job job = {.context = context, .kind = JR_JOB_SCAN, .scan = kind};
    JR_TRY(jr_size_spec_read(spec, &own));
    JR_TRY(jr_size_read(&jr_segment_layout_sized, layout, &job.layout));
    JR_TRY(jr_segment_layout_settle(&job.layout, true));
    return jr_make_of_spec(&own.spec, &job, plan);
}

jr_status jr_scan_host_segments(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                const jr_segments *segments, void *out) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec, data, segments));
    jr_size_spec own;
    jr_scan_asked asked = {.kind = kind, .data = data, .out = out};
    JR_TRY(jr_size_spec_read(spec, &own));
    JR_TRY(jr_layouts_read_scan(segments, &asked.segments, &asked.layout));
    return jr_scan_host_run(context, &own.spec, &asked);
}

jr_status jr_scan_host_axis(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                            const jr_axis *axis, void *out) {
    JR_GUARD_CALL;
    jr_segment_layout layout = {.size = sizeof layout};
    jr_segments segments = {.size = sizeof segments, .layout = &layout};
    jr_axis own = {.axis_count = 0};
    JR_TRY(JR_GIVEN(axis));
    jr_status status = jr_size_read(&jr_axis_sized, axis, &own);
    if (status == JR_OK && own.axis_count > 1)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "%zu axes: a scan takes one axis", own.axis_count);
    if (status == JR_OK) status = jr_segment_layout_of(axis, &layout, &segments.count);
    return status == JR_OK ? jr_scan_host_segments(context, spec, kind, data, &segments, out) : status;
}
