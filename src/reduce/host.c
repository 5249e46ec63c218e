/* Reduces host memory: copy, plan, run, copy back. */
#include "host.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/memory.h"
#include "device/stopwatch.h"
#include "program/operator.h"
#include "program/spec.h"

/* One host reduction: what it holds until it ends. */
typedef struct host_call {
    jr_plan *plan;
    jr_cu_stream stream;
    jr_cu_deviceptr in, out;
    jr_stopwatch watch;
    jr_stats stats;
} host_call;

/* What can be refused without a device. */
static jr_status check(const jr_spec *spec, const void *data, uint64_t count) {
    jr_type accumulator;
    const jr_status status = jr_spec_check(spec, &accumulator);
    if (status != JR_OK) return status;
    const size_t bytes = jr_dtype_find(spec->type)->bytes;
    if (data == NULL && count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data is NULL, but the count is %llu", (unsigned long long)count);
    if (count > SIZE_MAX / bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu elements of %zu bytes is beyond the address space",
                       (unsigned long long)count, bytes);
    if ((uintptr_t)data % bytes != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the data address %p is not aligned to its elements of %zu bytes",
                       data, bytes);
    if (count == 0 && spec->initial == NULL && jr_operator_find(spec->op)->empty_is_error)
        return jr_fail(JR_ERROR_EMPTY_INPUT, "%s of no elements has no value: give an initial value",
                       jr_operator_find(spec->op)->name);
    return JR_OK;
}

/* The context is current. */
static jr_status prepare(const jr_device *device, host_call *call, uint64_t bytes) {
    jr_status status = jr_memory_allocate(device, bytes, &call->in);
    if (status == JR_OK) status = jr_memory_allocate(device, call->plan->accumulator_bytes, &call->out);
    if (status == JR_OK) status = jr_stopwatch_create(device, &call->watch);
    if (status != JR_OK) return status;
    const jr_cu_result result = device->driver.cuStreamCreate(&call->stream, JR_CU_STREAM_NON_BLOCKING);
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_driver_fail(&device->driver, result, "creating a stream");
}

/* The context is current. Everything on the call's own stream. */
static jr_status run(const jr_device *device, host_call *call, const void *data, uint64_t count, jr_value *value) {
    const jr_run run = {.in = (const void *)(uintptr_t)call->in, /* NOLINT(performance-no-int-to-ptr) */
                        .count = count,
                        .out = (void *)(uintptr_t)call->out, /* NOLINT(performance-no-int-to-ptr) */
                        .stream = call->stream};
    double begin = jr_clock_ms();
    jr_status status = jr_memory_upload(device, call->in, data, count * call->plan->element_bytes, call->stream);
    call->stats.copy_ms = jr_clock_ms() - begin;
    if (status == JR_OK) status = jr_stopwatch_start(&call->watch, call->stream);
    begin = jr_clock_ms();
    if (status == JR_OK) status = jr_plan_start(call->plan, &run);
    call->stats.launch_ms = jr_clock_ms() - begin;
    if (status == JR_OK) status = jr_stopwatch_stop(&call->watch, call->stream);
    jr_value result = {.type = call->plan->accumulator};
    if (status == JR_OK)
        status = jr_memory_download(device, &result.as, call->out, call->plan->accumulator_bytes, call->stream);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
    if (status == JR_OK) *value = result;
    return status;
}

/* The context is current. Keeps the recorded error, whatever the clean-up meets. */
static void clean(const jr_device *device, host_call *call) {
    jr_error_saved *saved = jr_error_save();
    if (call->stream != NULL) {
        device->driver.cuStreamSynchronize(call->stream);
        device->driver.cuStreamDestroy_v2(call->stream);
    }
    jr_stopwatch_destroy(&call->watch);
    jr_memory_release(device, call->in);
    jr_memory_release(device, call->out);
    jr_plan_free(call->plan);
    jr_error_restore(saved);
}

jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const void *data, uint64_t count, jr_value *value) {
    host_call call = {0};
    bool pushed;
    jr_status status = check(spec, data, count);
    if (status == JR_OK) status = jr_plan_make(context, spec, &call.plan);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_device_enter(device, &pushed);
    if (status != JR_OK) {
        jr_plan_free(call.plan);
        return status;
    }
    call.stats = call.plan->stats;
    call.stats.grid = jr_plan_grid(call.plan, count);
    status = prepare(device, &call, count * call.plan->element_bytes);
    if (status == JR_OK) status = run(device, &call, data, count, value);
    clean(device, &call);
    jr_device_leave(device, pushed);
    if (status == JR_OK) jr_context_keep(context, &call.stats);
    return status;
}
