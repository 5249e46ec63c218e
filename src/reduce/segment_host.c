/* Reduces segments of host memory: copy, plan, run, copy back. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/memory.h"
#include "host_call.h"
#include "segment.h"

/* One call: what it holds until it ends. */
typedef struct segment_call {
    jr_host_call host;
    jr_cu_deviceptr offsets;
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
    const jr_reduction *reduction = call->host.plan->reduction;
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++)
        status = jr_host_call_check(&reduction->inputs[i], call->data[i], call->elements);
    return status == JR_OK ? check_empty(reduction, layout, &call->segments) : status;
}

static uint64_t offsets_bytes(const segment_call *call) {
    return call->segments.offsets != NULL ? (call->segments.count + 1) * sizeof(uint64_t) : 0;
}

/* The context is current. */
static jr_status prepare(const jr_device *device, segment_call *call) {
    call->results = malloc(call->result_bytes);
    if (call->results == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the results");
    /* A place even for no elements: kernels are given one. */
    jr_status status = jr_host_call_allocate(&call->host, call->elements > 0 ? call->elements : 1);
    if (status == JR_OK) status = jr_memory_allocate(device, offsets_bytes(call), &call->offsets);
    if (status == JR_OK) status = jr_memory_allocate(device, call->result_bytes, &call->host.out);
    return status == JR_OK ? jr_host_call_open(&call->host) : status;
}

static jr_status upload(const jr_device *device, segment_call *call) {
    const jr_status status =
        jr_memory_upload(device, call->offsets, call->segments.offsets, offsets_bytes(call), call->host.stream);
    return status == JR_OK ? jr_host_call_upload(&call->host, call->data, call->elements) : status;
}

static jr_status launch(segment_call *call) {
    const jr_run places = jr_host_call_run(&call->host, call->elements);
    const uint64_t *offsets = (const uint64_t *)(uintptr_t)call->offsets; /* NOLINT(performance-no-int-to-ptr) */
    jr_segment_run run = {
        .segments = {.count = call->segments.count, .offsets = offsets}, .out = places.out, .stream = places.stream};
    memcpy(run.in, places.in, sizeof run.in);
    jr_status status = jr_stopwatch_start(&call->host.watch, run.stream);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_segment_plan_start(call->host.plan, &run);
    call->host.stats.launch_ms = jr_clock_ms() - begin;
    return status == JR_OK ? jr_stopwatch_stop(&call->host.watch, run.stream) : status;
}

/* The context is current. Everything on the call's own stream. */
static jr_status run(const jr_device *device, segment_call *call) {
    jr_host_call *host = &call->host;
    jr_status status = prepare(device, call);
    if (status == JR_OK) status = upload(device, call);
    if (status == JR_OK) status = launch(call);
    if (status == JR_OK)
        status = jr_memory_download(device, call->results, host->out, call->result_bytes, host->stream);
    if (status == JR_OK) status = jr_stopwatch_read(&host->watch, &host->stats.kernel_ms);
    return status;
}

static jr_status enter_and_run(segment_call *call, void *results) {
    jr_context *context = call->host.plan->context;
    const jr_device *device = &context->device;
    bool pushed;
    jr_status status = jr_device_enter_to_wait(device, NULL, &pushed);
    if (status != JR_OK) return status;
    status = run(device, call);
    jr_host_call_close(&call->host); /* and with it all use of the offsets */
    jr_error_saved *saved = jr_error_save();
    jr_memory_release(device, call->offsets);
    jr_error_restore(saved);
    jr_device_leave(device, pushed);
    if (status != JR_OK) return status;
    memcpy(results, call->results, call->result_bytes);
    jr_context_keep(context, &call->host.stats);
    return JR_OK;
}

jr_status jr_segment_host(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                          const void *const *data, const jr_segments *segments, void *results) {
    segment_call call = {.data = data, .segments = *segments};
    jr_status status = jr_segment_plan_make(context, spec, layout, &call.host.plan);
    if (status != JR_OK) return status;
    status = jr_segment_elements(layout, segments, true, &call.elements);
    if (status == JR_OK) status = check(&call, layout);
    call.host.stats = call.host.plan->stats;
    call.result_bytes = segments->count * call.host.plan->reduction->output_bytes;
    if (status == JR_OK && segments->count > 0) status = enter_and_run(&call, results);
    free(call.results);
    jr_plan_free(call.host.plan);
    return status;
}
