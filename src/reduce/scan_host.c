/* Scans host memory: plan, copy, run, copy back. */
#include "base/error.h"
#include "device/memory.h"
#include "host_call.h"
#include "scan.h"

/* Results as large as the first input's elements take their place. */
static jr_status allocate(jr_host_call *call, uint64_t count) {
    const jr_reduction *reduction = call->plan->reduction;
    const jr_status status = jr_host_call_allocate(call, count);
    if (status != JR_OK) return status;
    call->out = call->in[0];
    if (reduction->inputs[0].bytes == reduction->output_bytes) return JR_OK;
    call->out = 0;
    return jr_memory_allocate(&call->plan->context->device, count * reduction->output_bytes, &call->out);
}

/* The context is current. Everything on the call's own stream. The copy into the caller's memory comes last, so that
 * nothing is written there when something fails before it. */
static jr_status run(jr_host_call *call, const void *const *data, uint64_t count, void *out) {
    const jr_device *device = &call->plan->context->device;
    jr_status status = allocate(call, count);
    if (status == JR_OK) status = jr_host_call_open(call);
    if (status == JR_OK) status = jr_host_call_upload(call, data, count);
    if (status == JR_OK) status = jr_host_call_launch(call, count);
    if (status == JR_OK) status = jr_memory_wait(device, call->stream);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
    if (status != JR_OK) return status;
    return jr_memory_download(device, out, call->out, count * call->plan->reduction->output_bytes, call->stream);
}

static jr_status check(const jr_reduction *reduction, const void *const *data, uint64_t count, const void *out) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_host_call_check(&reduction->inputs[i], data[i], count);
    if (status != JR_OK || count == 0) return status;
    if (out == NULL || (uintptr_t)out % reduction->output_alignment != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the output address %p is NULL or not aligned to %zu bytes", out,
                       reduction->output_alignment);
    if (count > SIZE_MAX / reduction->output_bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu results of %zu bytes is beyond the address space",
                       (unsigned long long)count, reduction->output_bytes);
    return JR_OK;
}

jr_status jr_scan_host_run(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                           uint64_t count, void *out) {
    jr_host_call call = {0};
    jr_reduction *reduction = NULL;
    bool pushed;
    jr_status status = jr_scan_check(spec, kind, &reduction);
    if (status == JR_OK) status = check(reduction, data, count, out);
    jr_reduction_destroy(reduction);
    if (status != JR_OK || count == 0) return status;
    status = jr_scan_plan_make(context, spec, kind, &call.plan);
    if (status != JR_OK) return status;
    call.stats = call.plan->stats;
    call.stats.grid = jr_plan_grid(call.plan, count);
    call.stats.launches = jr_plan_launches(call.plan, count);
    status = jr_device_enter_to_wait(&context->device, NULL, &pushed);
    if (status == JR_OK) {
        status = run(&call, data, count, out);
        jr_host_call_close(&call);
        jr_device_leave(&context->device, pushed);
    }
    jr_plan_free(call.plan);
    if (status == JR_OK) jr_context_keep(context, &call.stats);
    return status;
}
