/* Makes plans of scans. */
#include "scan.h"

#include "base/error.h"
#include "program/operator.h"

static jr_status check_tuning(const jr_spec *spec) {
    if (spec->algorithm != JR_ALGORITHM_AUTO && spec->algorithm != JR_ALGORITHM_THREE_PASS)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "algorithm %d does not scan: set JR_ALGORITHM_THREE_PASS or 0",
                       (int)spec->algorithm);
    if (spec->grid > JR_SCAN_ROWS_MAX)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "a grid of %d blocks: algorithm three_pass has at most %d rows",
                       spec->grid, JR_SCAN_ROWS_MAX);
    if (spec->max_launch_ms > 0)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "max_launch_ms %g: a scan is not split into short launches",
                       spec->max_launch_ms);
    if (spec->shared == JR_SHARED_DYNAMIC)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "algorithm three_pass has static shared memory only");
    return JR_OK;
}

jr_status jr_scan_check(const jr_spec *spec, jr_scan_kind kind, jr_reduction **reduction) {
    jr_reduction *made = NULL;
    if (kind != JR_SCAN_INCLUSIVE && kind != JR_SCAN_EXCLUSIVE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown scan kind %d: give a JR_SCAN_ value", (int)kind);
    jr_status status = jr_reduction_create(spec, &made);
    if (status != JR_OK) return status;
    if (spec->op_count > 0)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "a list of %d operators: a scan takes one, as op", spec->op_count);
    else if (kind == JR_SCAN_EXCLUSIVE && made->empty_op != JR_OP_NONE)
        status = jr_fail(JR_ERROR_EMPTY_INPUT,
                         "%s of no elements has no value, so an exclusive scan of it has no first result: %s",
                         jr_operator_find(made->empty_op)->name,
                         jr_operator_is(jr_operator_find(made->empty_op), JR_OP_FLAG_INITIAL) ? "give an initial value"
                                                                                              : "scan inclusively");
    if (status == JR_OK) status = check_tuning(spec);
    if (status == JR_OK)
        *reduction = made;
    else
        jr_reduction_destroy(made);
    return status;
}

jr_status jr_scan_plan_make(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan) {
    jr_reduction *reduction = NULL;
    const jr_status status = jr_scan_check(spec, kind, &reduction);
    jr_reduction_destroy(reduction);
    return status == JR_OK ? jr_plan_make(context, spec, &jr_algorithm_three_pass[kind], plan) : status;
}

jr_status jr_scan_check_places(const jr_reduction *reduction, const jr_run *run) {
    const uint64_t out = (uint64_t)(uintptr_t)run->out;
    if (run->count > (UINT64_MAX - out) / reduction->output_bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu results of %zu bytes is beyond the address space",
                       (unsigned long long)run->count, reduction->output_bytes);
    for (int i = 0; i < reduction->input_count; i++) {
        const uint64_t in = (uint64_t)(uintptr_t)run->in[i];
        const size_t bytes = reduction->inputs[i].bytes;
        const bool apart = out + run->count * reduction->output_bytes <= in || in + run->count * bytes <= out;
        if (!apart && (in != out || bytes != reduction->output_bytes))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "the results at %p, %zu bytes each, overlap the input at %p, %zu bytes each: they may lie "
                           "exactly upon an input of their own size, or apart",
                           run->out, reduction->output_bytes, run->in[i], bytes);
    }
    return JR_OK;
}
