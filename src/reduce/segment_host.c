/* Reduces segments of host memory: copy, plan, run, copy back. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/memory.h"
#include "device/stopwatch.h"
#include "host.h"
#include "program/spec.h"
#include "segment.h"

/* One call: what it holds until it ends. */
typedef struct segment_call {
    jr_plan *plan;
    jr_cu_stream stream;
    jr_cu_deviceptr in[JR_INPUTS_MAX], offsets, out;
    jr_stopwatch watch;
    jr_stats stats;
    const void *const *data;
    jr_segments segments; /* offsets on the host */
    uint64_t elements;
    uint64_t result_bytes;  /* of all segments */
    unsigned char *results; /* what came back; the caller gets it when all has worked */
} segment_call;

/* An empty segment that can be seen, of an operator that has no value for it. */
static jr_status check_empty(const jr_reduction *reduction, const jr_segment_layout *layout,
                             const jr_segments *segments) {
    bool empty = layout->kind != JR_SEGMENTS_OFFSETS && layout->length == 0 && segments->count > 0;
    if (reduction->empty_op == JR_OP_NONE) return JR_OK;
    for (uint64_t s = 0; layout->kind == JR_SEGMENTS_OFFSETS && s < segments->count; s++)
        empty = empty || segments->offsets[s] == segments->offsets[s + 1];
    return empty ? jr_reduction_check_empty(reduction) : JR_OK;
}

/* What can be refused without running. */
static jr_status check(const segment_call *call, const jr_segment_layout *layout) {
    const jr_reduction *reduction = &call->plan->reduction;
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_host_check_array(&reduction->inputs[i], call->data[i], call->elements);
    return status == JR_OK ? check_empty(reduction, layout, &call->segments) : status;
}

static uint64_t offsets_bytes(const segment_call *call) {
    return call->segments.offsets != NULL ? (call->segments.count + 1) * sizeof(uint64_t) : 0;
}

/* The context is current. */
static jr_status prepare(const jr_device *device, segment_call *call) {
    const jr_reduction *reduction = &call->plan->reduction;
    jr_status status = JR_OK;
    call->results = malloc(call->result_bytes);
    if (call->results == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the results");
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        /* A place even for no elements: kernels are given one. */
        status = jr_memory_allocate(device, (call->elements > 0 ? call->elements : 1) * reduction->inputs[i].bytes,
                                    &call->in[i]);
    if (status == JR_OK) status = jr_memory_allocate(device, offsets_bytes(call), &call->offsets);
    if (status == JR_OK) status = jr_memory_allocate(device, call->result_bytes, &call->out);
    if (status == JR_OK) status = jr_stopwatch_create(device, &call->watch);
    if (status != JR_OK) return status;
    const jr_cu_result result = device->driver.cuStreamCreate(&call->stream, JR_CU_STREAM_NON_BLOCKING);
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_driver_fail(&device->driver, result, "creating a stream");
}

static jr_status upload(const jr_device *device, segment_call *call) {
    const double begin = jr_clock_ms();
    jr_status status =
        jr_memory_upload(device, call->offsets, call->segments.offsets, offsets_bytes(call), call->stream);
    for (int i = 0; status == JR_OK && i < call->plan->reduction.input_count; i++)
        status = jr_memory_upload(device, call->in[i], call->data[i],
                                  call->elements * call->plan->reduction.inputs[i].bytes, call->stream);
    call->stats.copy_ms = jr_clock_ms() - begin;
    return status;
}

static jr_status launch(segment_call *call) {
    /* NOLINTBEGIN(performance-no-int-to-ptr) */
    jr_segment_run run = {
        .segments = {.count = call->segments.count, .offsets = (const uint64_t *)(uintptr_t)call->offsets},
        .out = (void *)(uintptr_t)call->out,
        .stream = call->stream};
    for (int i = 0; i < call->plan->reduction.input_count; i++) run.in[i] = (const void *)(uintptr_t)call->in[i];
    /* NOLINTEND(performance-no-int-to-ptr) */
    jr_status status = jr_stopwatch_start(&call->watch, call->stream);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_segment_plan_start(call->plan, &run);
    call->stats.launch_ms = jr_clock_ms() - begin;
    return status == JR_OK ? jr_stopwatch_stop(&call->watch, call->stream) : status;
}

/* The context is current. Everything on the call's own stream. */
static jr_status run(const jr_device *device, segment_call *call) {
    jr_status status = prepare(device, call);
    if (status == JR_OK) status = upload(device, call);
    if (status == JR_OK) status = launch(call);
    if (status == JR_OK)
        status = jr_memory_download(device, call->results, call->out, call->result_bytes, call->stream);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
    return status;
}

/* The context is current. Keeps the recorded error, whatever the clean-up meets. */
static void clean(const jr_device *device, segment_call *call) {
    jr_error_saved *saved = jr_error_save();
    if (call->stream != NULL) {
        device->driver.cuStreamSynchronize(call->stream);
        device->driver.cuStreamDestroy_v2(call->stream);
    }
    jr_stopwatch_destroy(&call->watch);
    for (int i = 0; i < JR_INPUTS_MAX; i++) jr_memory_release(device, call->in[i]);
    jr_memory_release(device, call->offsets);
    jr_memory_release(device, call->out);
    jr_error_restore(saved);
}

static jr_status enter_and_run(segment_call *call, void *results) {
    const jr_device *device = &call->plan->context->device;
    bool pushed;
    jr_status status = jr_device_enter(device, &pushed);
    if (status != JR_OK) return status;
    status = run(device, call);
    clean(device, call);
    jr_device_leave(device, pushed);
    if (status != JR_OK) return status;
    memcpy(results, call->results, call->result_bytes);
    jr_context_keep(call->plan->context, &call->stats);
    return JR_OK;
}

jr_status jr_segment_host(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                          const void *const *data, const jr_segments *segments, void *results) {
    segment_call call = {.data = data, .segments = *segments};
    jr_status status = jr_segment_plan_make(context, spec, layout, &call.plan);
    if (status != JR_OK) return status;
    status = jr_segment_elements(layout, segments, true, &call.elements);
    if (status == JR_OK) status = check(&call, layout);
    call.stats = call.plan->stats;
    call.result_bytes = segments->count * call.plan->reduction.output_bytes;
    if (status == JR_OK && segments->count > 0) status = enter_and_run(&call, results);
    free(call.results);
    jr_plan_free(call.plan);
    return status;
}
