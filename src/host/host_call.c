/* What all calls on host memory do. */
#include "host_call.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/chunks.h"
#include "device/gather_upload.h"
#include "device/memory.h"

static const jr_device *device_of(const jr_host_call *call) {
    return &call->plan->context->device;
}

jr_status jr_host_call_check_array(const jr_reduction *reduction, int index, const void *data, uint64_t count) {
    const jr_input *input = &reduction->inputs[index];
    if (data == NULL && count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data[%d] is NULL, but the count is %llu", index,
                       (unsigned long long)count);
    if (count > SIZE_MAX / input->bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu elements of %zu bytes is beyond the address space",
                       (unsigned long long)count, input->bytes);
    if ((uintptr_t)data % input->alignment != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the data address %p is not aligned to its elements of %zu bytes: copy them to one that is",
                       data, input->alignment);
    return JR_OK;
}

jr_status jr_host_call_check(const jr_reduction *reduction, const void *const *data, uint64_t count) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_host_call_check_array(reduction, i, data[i], count);
    return status;
}

static uint64_t add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

jr_status jr_host_call_size(jr_job *job, uint64_t count, uint64_t more_bytes) {
    enum { SMALL_PART = 16 }; /* data below this part of the device's memory is taken to fit: the driver is not asked */
    const jr_device *device = &job->context->device;
    job->on_host = true;
    job->host_bytes = more_bytes;
    job->free_bytes = UINT64_MAX;
    for (int i = 0; i < job->reduction->input_count; i++)
        job->host_bytes = add(job->host_bytes, count * job->reduction->inputs[i].bytes);
    if (job->kind == JR_JOB_FLAT || job->host_bytes < device->info.memory_bytes / SMALL_PART) return JR_OK;
    JR_IN_DEVICE(device);
    return jr_memory_free_bytes(device, &job->free_bytes);
}

uint64_t jr_host_call_limit(const jr_job *job) {
    const uint64_t asked = job->requested.device_bytes, half = job->free_bytes / 2;
    return asked > 0 ? asked : half < jr_chunks_room(0) * JR_PUMP_BUFFERS ? half : 0;
}

jr_status jr_host_call_begin(jr_host_call *call, const jr_job *job, uint64_t count) {
    const jr_device *device = &job->context->device;
    call->device_bytes = jr_host_call_limit(job);
    jr_status status = jr_make_plan(job, &call->plan);
    if (status != JR_OK) return status;
    call->inside = jr_inside_to_wait(device, NULL);
    if (call->inside.status != JR_OK) return call->inside.status;
    call->entered = true;
    if (job->kind != JR_JOB_SCAN) jr_plan_count_kept(call->plan);
    call->stats = call->plan->stats;
    call->stats.grid = jr_plan_grid(call->plan, count);
    call->stats.launches = jr_plan_launches(call->plan, count);
    call->plan->dependent = false; /* nothing precedes a call's only run on its own stream */
    status = jr_stopwatch_create(device, &call->watch);
    if (status != JR_OK) return status;
    const jr_cu_result result = device->driver.cuStreamCreate(&call->stream, JR_CU_STREAM_NON_BLOCKING);
    return jr_driver_check(&device->driver, result, "creating a stream");
}

void jr_host_call_gather(jr_host_call *call, const jr_reduction *reduction, const jr_view *view,
                         const void *const *data) {
    call->gathers_inputs = view != NULL && view->arrays > 0;
    for (int i = 0; call->gathers_inputs && i < reduction->input_count; i++) {
        const size_t bytes = reduction->inputs[i].bytes;
        call->gathers[i] = (jr_gather){.base = data[i], .element_bytes = bytes};
        for (int k = 0; k < view->axes.count; k++)
            jr_gather_add_axis(&call->gathers[i], view->axes.size[k], view->stride[i][k] * (int64_t)bytes);
    }
}

const jr_gather *jr_host_call_gather_of(const jr_host_call *call, int input) {
    return call->gathers_inputs ? &call->gathers[input] : NULL;
}

jr_status jr_host_call_allocate(jr_host_call *call, uint64_t count) {
    const jr_reduction *reduction = call->plan->reduction;
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_memory_allocate(device_of(call), count * reduction->inputs[i].bytes, call->stream, &call->in[i]);
    return status;
}

jr_status jr_host_call_upload(jr_host_call *call, const void *const *data, uint64_t count) {
    const jr_reduction *reduction = call->plan->reduction;
    const double begin = jr_clock_ms();
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++) {
        const jr_bytes from = {data[i], count * reduction->inputs[i].bytes};
        const jr_gather *gather = jr_host_call_gather_of(call, i);
        status = gather != NULL ? jr_gather_upload(device_of(call), call->in[i], gather, &from, call->stream)
                                : jr_memory_upload(device_of(call), call->in[i], from.at, from.count, call->stream);
    }
    call->stats.copy_ms += jr_clock_ms() - begin;
    return status;
}

jr_run jr_host_call_run(const jr_host_call *call, uint64_t count) {
    jr_run run = {.count = count,
                  .first = call->first,
                  .out = call->out,
                  .stream = call->stream,
                  .mark = call->mark,
                  .scan = {.segments = {.offsets = call->offsets,
                                        .keys = call->keys,
                                        .count = call->segments,
                                        .run_keys = call->run_keys,
                                        .run_count = call->run_count},
                           .continued = call->continued}};
    for (int i = 0; i < call->plan->reduction->input_count; i++) run.in[i] = call->in[i];
    return run;
}

jr_status jr_host_call_launch(jr_host_call *call, uint64_t count) {
    const jr_run run = jr_host_call_run(call, count);
    jr_status status = jr_stopwatch_start(&call->watch, call->stream);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_plan_start(call->plan, &run);
    call->stats.launch_ms = jr_clock_ms() - begin;
    return status == JR_OK ? jr_stopwatch_stop(&call->watch, call->stream) : status;
}

/* Waits for the stream, then releases what the call allocated: run_keys lies in the allocation of run_count, and mark
 * is the plan's. The context is current. */
static void give_back(jr_host_call *call, const jr_device *device) {
    if (call->stream != NULL) device->driver.cuStreamSynchronize(call->stream);
    jr_stopwatch_destroy(&call->watch);
    if (call->out != call->in[0]) jr_memory_release(device, call->out, call->stream);
    for (int i = 0; i < JR_INPUTS_MAX; i++) jr_memory_release(device, call->in[i], call->stream);
    jr_memory_release(device, call->offsets, call->stream);
    jr_memory_release(device, call->keys, call->stream);
    jr_memory_release(device, call->run_count, call->stream);
    if (call->stream != NULL) device->driver.cuStreamDestroy_v2(call->stream);
}

void jr_host_call_end(jr_host_call *call, jr_status status) {
    if (call->plan == NULL) return;
    jr_context *context = call->plan->context;
    JR_KEEP_ERROR;
    if (call->entered) give_back(call, &context->device);
    jr_plan_free(call->plan);
    jr_inside_leave(&call->inside);
    if (status == JR_OK && !call->is_part) jr_context_keep(context, &call->stats);
}
