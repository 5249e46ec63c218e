/* Reduces host memory: copy, plan, run, copy back. */
#include "host.h"

#include <stdio.h>
#include <string.h>

#include "device/memory.h"
#include "host_call.h"
#include "stream.h"

/* What can be refused without a device. */
static jr_status check(const jr_spec *spec, const void *const *data, uint64_t count, jr_reduction **made) {
    jr_status status = jr_reduction_create(spec, made);
    const jr_reduction *reduction = *made;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_host_call_check(&reduction->inputs[i], data[i], count);
    return status == JR_OK && count == 0 ? jr_reduction_check_empty(reduction) : status;
}

/* Reads the results as they lie in device memory apart into values. */
static jr_status read_values(const jr_device *device, jr_host_call *call, jr_value *values) {
    const jr_reduction *reduction = call->plan->reduction;
    unsigned char bytes[JR_OPS_MAX * sizeof(jr_value)];
    const jr_status status = jr_memory_download(device, bytes, call->out, reduction->output_bytes, call->stream);
    for (int i = 0; status == JR_OK && i < reduction->output_count; i++) {
        const jr_output *output = &reduction->outputs[i];
        values[i] = (jr_value){.type = output->type};
        memcpy(values[i].as.bytes, bytes + output->offset, output->bytes);
    }
    return status;
}

/* Streamed data has no place of its own. */
static jr_status stream(jr_host_call *call, const void *const *data, uint64_t count) {
    const jr_run run = jr_host_call_run(call, count);
    jr_status status = jr_stopwatch_start(&call->watch, call->stream);
    if (status == JR_OK) status = jr_stream_reduce(call->plan, data, &run, &call->stats);
    return status == JR_OK ? jr_stopwatch_stop(&call->watch, call->stream) : status;
}

static jr_status copy_and_launch(jr_host_call *call, const void *const *data, uint64_t count) {
    jr_status status = jr_host_call_allocate(call, count);
    if (status == JR_OK) status = jr_host_call_upload(call, data, count);
    return status == JR_OK ? jr_host_call_launch(call, count) : status;
}

/* The context is current. Everything on the call's own stream. values: room for the results. */
static jr_status run(jr_host_call *call, const void *const *data, uint64_t count, bool streamed, jr_value *values) {
    const jr_device *device = &call->plan->context->device;
    jr_status status = jr_memory_allocate(device, call->plan->reduction->output_bytes, &call->out);
    if (status == JR_OK) status = jr_host_call_open(call);
    if (status == JR_OK) status = (streamed ? stream : copy_and_launch)(call, data, count);
    if (status == JR_OK) status = read_values(device, call, values);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
    return status;
}

/* The plan of the call: for its count, and of an algorithm that works in parts when the data is streamed. */
static jr_status make_plan(jr_context *context, const jr_spec *spec, const jr_reduction *reduction, uint64_t count,
                           bool streamed, jr_host_call *call) {
    jr_spec asked = *spec;
    const jr_algorithm_row *row = NULL;
    jr_status status = JR_OK;
    asked.capacity = count;
    if (streamed) status = jr_algorithm_choose(spec, reduction, &context->device.info, true, &row);
    if (row != NULL) asked.algorithm = row->algorithm;
    if (status == JR_OK) status = jr_plan_make(context, &asked, NULL, &call->plan);
    if (status != JR_OK) return status;
    call->stats = call->plan->stats;
    call->stats.grid = jr_plan_grid(call->plan, count);
    call->stats.launches = jr_plan_launches(call->plan, count);
    return JR_OK;
}

jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const void *const *data, uint64_t count,
                         const char *tuned_by, jr_value *values) {
    jr_host_call call = {0};
    jr_reduction *reduction = NULL;
    jr_value made[JR_OPS_MAX];
    bool pushed;
    jr_status status = check(spec, data, count, &reduction);
    const bool streamed = status == JR_OK && jr_stream_fits(spec, reduction, count);
    if (status == JR_OK) status = make_plan(context, spec, reduction, count, streamed, &call);
    const size_t value_count = status == JR_OK ? (size_t)reduction->output_count : 0;
    jr_reduction_destroy(reduction);
    if (status != JR_OK) return status;
    status = jr_device_enter_to_wait(&context->device, NULL, &pushed);
    if (status == JR_OK) {
        status = run(&call, data, count, streamed, made);
        jr_host_call_close(&call);
        jr_device_leave(&context->device, pushed);
    }
    jr_plan_free(call.plan);
    if (status != JR_OK) return status;
    memcpy(values, made, value_count * sizeof *values);
    if (tuned_by[0] != '\0') snprintf(call.stats.tuned_by, sizeof call.stats.tuned_by, "%s", tuned_by);
    jr_context_keep(context, &call.stats);
    return JR_OK;
}
