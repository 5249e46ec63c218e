/* The public scans (scan.h). */
#include "reduce/make.h"

#include "base/error.h"
#include "guard.h"
#include "reduce/host.h"
#include "size.h"

jr_status jr_scan_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan) {
    JR_GUARD_CALL;
    if (context == NULL || spec == NULL || plan == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context, spec or plan is NULL");
    jr_size_spec own;
    jr_job job = {.context = context, .kind = JR_JOB_SCAN, .scan = kind};
    const jr_status status = jr_size_spec_read(spec, &own);
    return status == JR_OK ? jr_make_of_spec(&own.spec, &job, plan) : status;
}

jr_status jr_scan_host(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *data, uint64_t count,
                       void *out) {
    JR_GUARD_CALL;
    if (context == NULL || spec == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context or spec is NULL");
    jr_size_spec own;
    const jr_status status = jr_size_spec_read(spec, &own);
    if (status != JR_OK) return status;
    spec = &own.spec;
    if (spec->input_count > 1 || spec->op == JR_OP_DOT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the spec has %d inputs: jr_scan_host takes one array; use jr_scan_host_arrays",
                       spec->op == JR_OP_DOT ? 2 : spec->input_count);
    return jr_scan_host_run(context, spec, kind, &data, count, out);
}

jr_status jr_scan_host_arrays(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                              uint64_t count, void *out) {
    JR_GUARD_CALL;
    if (context == NULL || spec == NULL || data == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context, spec or data is NULL");
    jr_size_spec own;
    const jr_status status = jr_size_spec_read(spec, &own);
    return status == JR_OK ? jr_scan_host_run(context, &own.spec, kind, data, count, out) : status;
}
