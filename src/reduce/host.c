/* Reduces host memory: copy, plan, run, copy back. */
#include "host.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/memory.h"
#include "device/stopwatch.h"
#include "program/spec.h"
#include "stream.h"

/* One host reduction: what it holds until it ends. */
typedef struct host_call {
    jr_plan *plan;
    jr_cu_stream stream;
    jr_cu_deviceptr in[JR_INPUTS_MAX], out;
    jr_stopwatch watch;
    jr_stats stats;
    bool streamed;
} host_call;

jr_status jr_host_check_array(const jr_input *input, const void *data, uint64_t count) {
    if (data == NULL && count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data is NULL, but the count is %llu", (unsigned long long)count);
    if (count > SIZE_MAX / input->bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu elements of %zu bytes is beyond the address space",
                       (unsigned long long)count, input->bytes);
    if ((uintptr_t)data % input->alignment != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the data address %p is not aligned to its elements of %zu bytes",
                       data, input->alignment);
    return JR_OK;
}

/* What can be refused without a device. */
static jr_status check(const jr_spec *spec, const void *const *data, uint64_t count, jr_reduction *reduction) {
    jr_status status = jr_spec_check(spec, reduction);
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_host_check_array(&reduction->inputs[i], data[i], count);
    return status == JR_OK && count == 0 ? jr_reduction_check_empty(reduction) : status;
}

/* The context is current. Streamed data has no place of its own. */
static jr_status prepare(const jr_device *device, host_call *call, uint64_t count) {
    const jr_reduction *reduction = &call->plan->reduction;
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && !call->streamed && i < reduction->input_count; i++)
        status = jr_memory_allocate(device, count * reduction->inputs[i].bytes, &call->in[i]);
    if (status == JR_OK) status = jr_memory_allocate(device, reduction->output_bytes, &call->out);
    if (status == JR_OK) status = jr_stopwatch_create(device, &call->watch);
    if (status != JR_OK) return status;
    const jr_cu_result result = device->driver.cuStreamCreate(&call->stream, JR_CU_STREAM_NON_BLOCKING);
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_driver_fail(&device->driver, result, "creating a stream");
}

static jr_status upload(const jr_device *device, host_call *call, const void *const *data, uint64_t count) {
    const double begin = jr_clock_ms();
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < call->plan->reduction.input_count; i++)
        status =
            jr_memory_upload(device, call->in[i], data[i], count * call->plan->reduction.inputs[i].bytes, call->stream);
    call->stats.copy_ms = jr_clock_ms() - begin;
    return status;
}

static jr_status launch(host_call *call, uint64_t count) {
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

/* Reads the results as they lie in device memory apart into values. */
static jr_status read_values(const jr_device *device, host_call *call, jr_value *values) {
    const jr_reduction *reduction = &call->plan->reduction;
    unsigned char bytes[JR_OPS_MAX * sizeof(jr_value)];
    const jr_status status = jr_memory_download(device, bytes, call->out, reduction->output_bytes, call->stream);
    for (int i = 0; status == JR_OK && i < reduction->output_count; i++) {
        const jr_output *output = &reduction->outputs[i];
        values[i] = (jr_value){.type = output->type};
        memcpy(values[i].as.bytes, bytes + output->offset, output->bytes);
    }
    return status;
}

static jr_status stream(host_call *call, const void *const *data, uint64_t count) {
    const jr_run run = {.count = count,
                        .out = (void *)(uintptr_t)call->out, /* NOLINT(performance-no-int-to-ptr) */
                        .stream = call->stream};
    jr_status status = jr_stopwatch_start(&call->watch, call->stream);
    if (status == JR_OK) status = jr_stream_reduce(call->plan, data, &run, &call->stats);
    return status == JR_OK ? jr_stopwatch_stop(&call->watch, call->stream) : status;
}

/* The context is current. Everything on the call's own stream. values: room for the results. */
static jr_status run(const jr_device *device, host_call *call, const void *const *data, uint64_t count,
                     jr_value *values) {
    jr_status status = call->streamed ? stream(call, data, count) : upload(device, call, data, count);
    if (status == JR_OK && !call->streamed) status = launch(call, count);
    if (status == JR_OK) status = read_values(device, call, values);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
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
    for (int i = 0; i < JR_INPUTS_MAX; i++) jr_memory_release(device, call->in[i]);
    jr_memory_release(device, call->out);
    jr_plan_free(call->plan);
    jr_error_restore(saved);
}

/* The plan of the call: for its count, and of an algorithm that works in parts when the data is streamed. */
static jr_status make_plan(jr_context *context, const jr_spec *spec, const jr_reduction *reduction, uint64_t count,
                           host_call *call) {
    jr_spec asked = *spec;
    const jr_algorithm_row *row = NULL;
    jr_status status = JR_OK;
    asked.capacity = count;
    call->streamed = jr_stream_fits(spec, reduction, count);
    if (call->streamed) status = jr_algorithm_choose(spec, reduction, &context->device.info, true, &row);
    if (row != NULL) asked.algorithm = row->algorithm;
    if (status == JR_OK) status = jr_plan_make(context, &asked, NULL, &call->plan);
    if (status != JR_OK) return status;
    call->stats = call->plan->stats;
    call->stats.grid = jr_plan_grid(call->plan, count);
    call->stats.launches = jr_plan_launches(call->plan, count);
    return JR_OK;
}

jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const void *const *data, uint64_t count,
                         jr_value *values) {
    host_call call = {0};
    jr_reduction reduction;
    jr_value made[JR_OPS_MAX];
    bool pushed;
    jr_status status = check(spec, data, count, &reduction);
    if (status == JR_OK) status = make_plan(context, spec, &reduction, count, &call);
    if (status != JR_OK) return status;
    const jr_device *device = &context->device;
    status = jr_device_enter(device, &pushed);
    if (status != JR_OK) {
        jr_plan_free(call.plan);
        return status;
    }
    status = prepare(device, &call, count);
    if (status == JR_OK) status = run(device, &call, data, count, made);
    clean(device, &call);
    jr_device_leave(device, pushed);
    if (status != JR_OK) return status;
    memcpy(values, made, (size_t)reduction.output_count * sizeof *values);
    jr_context_keep(context, &call.stats);
    return JR_OK;
}
