/* Scans host memory: plan, copy, run, copy back. */
#include "base/clock.h"
#include "base/error.h"
#include "device/memory.h"
#include "device/stopwatch.h"
#include "host.h"
#include "scan.h"

/* One host scan: what it holds until it ends. */
typedef struct scan_call {
    jr_plan *plan;
    jr_cu_stream stream;
    jr_cu_deviceptr in[JR_INPUTS_MAX], out; /* out is in[0] where results are as large as its elements */
    jr_stopwatch watch;
    jr_stats stats;
} scan_call;

/* The context is current. */
static jr_status prepare(const jr_device *device, scan_call *call, uint64_t count) {
    const jr_reduction *reduction = &call->plan->reduction;
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_memory_allocate(device, count * reduction->inputs[i].bytes, &call->in[i]);
    if (status == JR_OK && reduction->inputs[0].bytes == reduction->output_bytes)
        call->out = call->in[0];
    else if (status == JR_OK)
        status = jr_memory_allocate(device, count * reduction->output_bytes, &call->out);
    if (status == JR_OK) status = jr_stopwatch_create(device, &call->watch);
    if (status != JR_OK) return status;
    const jr_cu_result result = device->driver.cuStreamCreate(&call->stream, JR_CU_STREAM_NON_BLOCKING);
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_driver_fail(&device->driver, result, "creating a stream");
}

static jr_status upload(const jr_device *device, scan_call *call, const void *const *data, uint64_t count) {
    const double begin = jr_clock_ms();
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < call->plan->reduction.input_count; i++)
        status =
            jr_memory_upload(device, call->in[i], data[i], count * call->plan->reduction.inputs[i].bytes, call->stream);
    call->stats.copy_ms = jr_clock_ms() - begin;
    return status;
}

static jr_status launch(scan_call *call, uint64_t count) {
    jr_run run = {.count = count,
                  .out = (void *)(uintptr_t)call->out, /* NOLINT(performance-no-int-to-ptr) */
                  .stream = call->stream};
    for (int i = 0; i < call->plan->reduction.input_count; i++)
        run.in[i] = (const void *)(uintptr_t)call->in[i]; /* NOLINT(performance-no-int-to-ptr) */
    jr_status status = jr_stopwatch_start(&call->watch, call->stream);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_plan_start(call->plan, &run);
    call->stats.launch_ms = jr_clock_ms() - begin;
    return status == JR_OK ? jr_stopwatch_stop(&call->watch, call->stream) : status;
}

/* The context is current. Everything on the call's own stream. The copy into the caller's memory comes last, so that
 * nothing is written there when something fails before it. */
static jr_status run(const jr_device *device, scan_call *call, const void *const *data, uint64_t count, void *out) {
    jr_status status = upload(device, call, data, count);
    if (status == JR_OK) status = launch(call, count);
    if (status == JR_OK) status = jr_memory_wait(device, call->stream);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
    if (status != JR_OK) return status;
    return jr_memory_download(device, out, call->out, count * call->plan->reduction.output_bytes, call->stream);
}

/* The context is current. Keeps the recorded error, whatever the clean-up meets. */
static void clean(const jr_device *device, scan_call *call) {
    jr_error_saved *saved = jr_error_save();
    if (call->stream != NULL) {
        device->driver.cuStreamSynchronize(call->stream);
        device->driver.cuStreamDestroy_v2(call->stream);
    }
    jr_stopwatch_destroy(&call->watch);
    if (call->out != call->in[0]) jr_memory_release(device, call->out);
    for (int i = 0; i < JR_INPUTS_MAX; i++) jr_memory_release(device, call->in[i]);
    jr_plan_free(call->plan);
    jr_error_restore(saved);
}

static jr_status check(const jr_reduction *reduction, const void *const *data, uint64_t count, const void *out) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_host_check_array(&reduction->inputs[i], data[i], count);
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
    scan_call call = {0};
    jr_reduction reduction;
    bool pushed;
    jr_status status = jr_scan_check(spec, kind, &reduction);
    if (status == JR_OK) status = check(&reduction, data, count, out);
    if (status != JR_OK || count == 0) return status;
    status = jr_scan_plan_make(context, spec, kind, &call.plan);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_device_enter(device, &pushed);
    if (status != JR_OK) {
        jr_plan_free(call.plan);
        return status;
    }
    call.stats = call.plan->stats;
    call.stats.grid = jr_plan_grid(call.plan, count);
    call.stats.launches = call.plan->algorithm->launches(call.plan, count);
    status = prepare(device, &call, count);
    if (status == JR_OK) status = run(device, &call, data, count, out);
    clean(device, &call);
    jr_device_leave(device, pushed);
    if (status == JR_OK) jr_context_keep(context, &call.stats);
    return status;
}
