/* Reduces host memory: copy, plan, run, copy back. */
#include "host.h"

#include <string.h>

#include "device/memory.h"
#include "host_call.h"
#include "program/results.h"
#include "stream.h"

static jr_status read_values(const jr_device *device, jr_host_call *call, jr_value *values) {
    const jr_reduction *reduction = call->plan->reduction;
    unsigned char place[JR_OPS_MAX * sizeof(jr_value)];
    const jr_status status = jr_memory_download(device, place, call->out, reduction->place_bytes, call->stream);
    return status == JR_OK ? jr_results_read(reduction, place, values) : status;
}

/* Streamed data has no place of its own. */
static jr_status stream(jr_host_call *call, const void *const *data, uint64_t count) {
    const jr_run run = jr_host_call_run(call, count);
    jr_status status = jr_stopwatch_start(&call->watch, call->stream);
    if (status == JR_OK) status = jr_stream_reduce(call->plan, data, &run, call->device_bytes, &call->stats);
    return status == JR_OK ? jr_stopwatch_stop(&call->watch, call->stream) : status;
}

static jr_status copy_and_launch(jr_host_call *call, const void *const *data, uint64_t count) {
    jr_status status = jr_host_call_allocate(call, count);
    if (status == JR_OK) status = jr_host_call_upload(call, data, count);
    return status == JR_OK ? jr_host_call_launch(call, count) : status;
}

/* The context is current. Everything on the call's own stream. values: room for the results. */
static jr_status run(jr_host_call *call, const void *const *data, uint64_t count, jr_value *values) {
    const jr_device *device = &call->plan->context->device;
    const bool streamed = call->plan->choice.streamed; /* then on other streams, too */
    jr_status status =
        jr_memory_allocate(device, call->plan->reduction->place_bytes, streamed ? NULL : call->stream, &call->out);
    if (status == JR_OK) status = (streamed ? stream : copy_and_launch)(call, data, count);
    if (status == JR_OK) status = read_values(device, call, values);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
    return status;
}

jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const jr_adviser *adviser, const void *const *data,
                         uint64_t count, jr_value *values) {
    jr_host_call call = {0};
    jr_job job = {.context = context, .adviser = adviser};
    jr_value made[JR_OPS_MAX];
    jr_status status = jr_job_make(spec, &job);
    job.wishes.capacity = count;
    if (status == JR_OK) status = jr_host_call_check(job.reduction, data, count);
    if (status == JR_OK) status = jr_host_call_size(&job, count, 0);
    if (status == JR_OK && count == 0) status = jr_reduction_check_empty(job.reduction);
    if (status == JR_OK) status = jr_host_call_begin(&call, &job, count);
    if (status == JR_OK) status = run(&call, data, count, made);
    if (status == JR_OK) memcpy(values, made, (size_t)job.reduction->output_count * sizeof *values);
    jr_host_call_end(&call, status);
    jr_job_free(&job);
    return status;
}
