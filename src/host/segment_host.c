/* Reduces segments of host memory: copy, plan, run, copy back; or all of these in parts. */
#include "host.h"

#include <stdlib.h>

#include "base/error.h"
#include "chunked_axes.h"
#include "chunked_segments.h"
#include "device/memory.h"
#include "host_call.h"
#include "plan/choice.h"
#include "plan/segment_layout.h"
#include "spec/results.h"

/* One call: what it holds until it ends. */
typedef struct segment_call {
    jr_host_call host;
    const void *const *data;
    jr_segments segments; /* offsets on the host */
    uint64_t elements;
    uint64_t place_bytes;  /* of all segments */
    unsigned char *places; /* what came back */
    void *results;         /* the caller's, written when all has worked */
    jr_axes_parts axes;    /* of an array in parts */
} segment_call;

/* An empty segment that can be seen, of an operator that has no value for it. */
static jr_status check_empty(const jr_reduction *reduction, const jr_segment_layout *layout,
                             const jr_segments *segments) {
    bool empty = layout->kind != JR_SEGMENTS_OFFSETS && layout->length == 0 && segments->count > 0;
    if (reduction->empty_op == JR_OP_NONE) return JR_OK;
    for (uint64_t s = 0; layout->kind == JR_SEGMENTS_OFFSETS && s < segments->count; s++)
        empty = empty || segments->offsets[s] == segments->offsets[s + 1];
    return empty ? jr_reduction_check_empty_of_many(reduction) : JR_OK;
}

/* What can be refused without running; finds how many elements and bytes there are. */
static jr_status check(const jr_job *job, segment_call *call) {
    const jr_reduction *reduction = job->reduction;
    JR_TRY(jr_segment_layout_elements(&job->layout, &call->segments, true, &call->elements));
    JR_TRY(jr_host_call_check(reduction, call->data, call->elements));
    return check_empty(reduction, &job->layout, &call->segments);
}

static uint64_t offsets_bytes(const segment_call *call) {
    return call->segments.offsets != NULL ? (call->segments.count + 1) * sizeof(uint64_t) : 0;
}

/* The context is current. */
static jr_status prepare(const jr_device *device, segment_call *call) {
    /* A place even for no elements: kernels are given one. */
    JR_TRY(jr_host_call_allocate(&call->host, call->elements > 0 ? call->elements : 1));
    JR_TRY(jr_memory_allocate(device, offsets_bytes(call), call->host.stream, &call->host.offsets));
    return jr_memory_allocate(device, call->place_bytes, call->host.stream, &call->host.out);
}

static jr_status upload(const jr_device *device, segment_call *call) {
    const jr_status status =
        jr_memory_upload(device, call->host.offsets, call->segments.offsets, offsets_bytes(call), call->host.stream);
    return status == JR_OK ? jr_host_call_upload(&call->host, call->data, call->elements) : status;
}

/* All at once, on the call's own stream. */
static jr_status run_whole(const jr_device *device, segment_call *call) {
    jr_host_call *host = &call->host;
    JR_TRY(prepare(device, call));
    JR_TRY(upload(device, call));
    JR_TRY(jr_host_call_launch(host, call->segments.count));
    return jr_memory_download(device, call->places, host->out, call->place_bytes, host->stream);
}

/* A plan for pieces of segments, which are all elements of a result. */
static jr_status make_pieces(const jr_job *job, const jr_segment_parts *parts, jr_plan **plan) {
    jr_job pieces = *job;
    if (parts->piece_most == 0) return JR_OK;
    pieces.kind = JR_JOB_FLAT;
    pieces.layout = (jr_segment_layout){.length = 0};
    pieces.host_bytes = UINT64_MAX;
    pieces.wishes.grid = 0; /* which was asked for segments */
    pieces.wishes.capacity = parts->piece_most;
    JR_TRY(jr_make_plan(&pieces, plan));
    jr_plan_count_kept(*plan);
    (*plan)->dependent = false;
    return JR_OK;
}

static jr_status stream(segment_call *call, const jr_segment_parts *parts, const jr_plan *pieces) {
    jr_host_call *host = &call->host;
    const jr_segment_stream stream = {.plan = host->plan,
                                      .pieces = pieces,
                                      .data = call->data,
                                      .segments = &call->segments,
                                      .elements = call->elements,
                                      .places = call->places,
                                      .place_bytes = host->plan->reduction->place_bytes,
                                      .parts = parts};
    JR_TRY(jr_stopwatch_start(&host->watch, host->stream));
    JR_TRY(jr_stream_segments(&stream, &host->stats));
    return jr_stopwatch_stop(&host->watch, host->stream);
}

/* Streamed data has no place of its own. */
static jr_status run_in_parts_of_segments(const jr_job *job, segment_call *call) {
    jr_segment_parts parts = {.cuts = NULL};
    jr_plan *pieces = NULL;
    jr_part_costs costs = jr_segment_stream_costs(job->reduction, &job->layout);
    costs.limit_bytes = call->host.device_bytes;
    jr_status status = jr_segment_parts_cut(&job->layout, &call->segments, &costs, &parts);
    if (status == JR_OK) status = make_pieces(job, &parts, &pieces);
    if (status == JR_OK) status = stream(call, &parts, pieces);
    jr_plan_free(pieces);
    jr_segment_parts_free(&parts);
    return status;
}

static jr_status run_in_parts_of_axes(const jr_job *job, segment_call *call) {
    jr_host_call *host = &call->host;
    jr_axes_plans plans = {.results = NULL};
    const jr_axes_stream stream = {.data = call->data,
                                   .elements = call->elements,
                                   .count = call->segments.count,
                                   .places = call->places,
                                   .place_bytes = job->reduction->place_bytes,
                                   .parts = &call->axes,
                                   .plans = &plans};
    jr_status status = jr_axes_plans_make(job, &call->axes, host->plan, &plans);
    if (status == JR_OK) status = jr_stopwatch_start(&host->watch, host->stream);
    if (status == JR_OK) status = jr_stream_axes(&stream, &host->stats);
    if (status == JR_OK) status = jr_stopwatch_stop(&host->watch, host->stream);
    jr_axes_plans_free(&plans);
    return status;
}

/* Arrays in parts: what the plan is of depends on how they are cut. */
static jr_status cut_axes(jr_job *job, segment_call *call) {
    jr_choice choice;
    jr_part_costs costs = jr_segment_stream_costs(job->reduction, &job->layout);
    const bool axes = job->layout.kind == JR_SEGMENTS_STRIDED || job->layout.kind == JR_SEGMENTS_AXES;
    jr_status status = axes ? jr_choice_make(job, &choice) : JR_OK;
    if (!axes || status != JR_OK || !choice.streamed) return status;
    if (job->reduction->tree)
        return jr_fail(
            JR_ERROR_NOT_APPLICABLE,
            "%llu elements along axes, beyond device_bytes or what the device has free, have no fixed tree in "
            "parts: set spec.accuracy to another JR_ACCURACY_ value",
            (unsigned long long)call->elements);
    if (call->elements == 0) {
        job->layout = (jr_segment_layout){.kind = JR_SEGMENTS_EQUAL}; /* of nothing they all are */
        return JR_OK;
    }
    costs.limit_bytes = jr_host_call_limit(job);
    costs.piece_bytes = job->reduction->accumulator_bytes;
    status = jr_axes_parts_cut(&job->layout, call->segments.count, &costs, &call->axes);
    if (status == JR_OK) job->layout = jr_axes_plans_layout(&job->layout, &call->axes);
    return status;
}

static jr_status run_in_parts(const jr_job *job, segment_call *call) {
    return (call->axes.kinds > 0 ? run_in_parts_of_axes : run_in_parts_of_segments)(job, call);
}

/* The context is current. */
static jr_status run(const jr_job *job, segment_call *call) {
    jr_host_call *host = &call->host;
    call->places = malloc(call->place_bytes);
    if (call->places == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the results");
    JR_TRY(host->plan->choice.streamed ? run_in_parts(job, call) : run_whole(&job->context->device, call));
    JR_TRY(jr_stopwatch_read(&host->watch, &host->stats.kernel_ms));
    return jr_results_copy(host->plan->reduction, call->places, call->segments.count, call->results);
}

/* The results of no segments are nothing, but a spec that segments do not take is refused. */
static jr_status reduce(jr_job *job, segment_call *call) {
    jr_choice choice;
    JR_TRY(check(job, call));
    if (call->segments.count == 0) return jr_choice_make(job, &choice);
    if (call->segments.count > SIZE_MAX / job->reduction->place_bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments: their results are beyond the address space",
                       (unsigned long long)call->segments.count);
    call->place_bytes = call->segments.count * job->reduction->place_bytes;
    JR_TRY(jr_host_call_size(job, call->elements, call->place_bytes + offsets_bytes(call)));
    JR_TRY(cut_axes(job, call));
    JR_TRY(jr_host_call_begin(&call->host, job, UINT64_MAX));
    return run(job, call);
}

jr_status jr_segment_host_share(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                const jr_segment_share *share) {
    segment_call call = {.host = {.is_part = share->stats != NULL},
                         .data = share->data,
                         .segments = *share->segments,
                         .results = share->results};
    jr_job job = {.context = context, .kind = JR_JOB_SEGMENTS, .layout = *layout};
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK) status = reduce(&job, &call);
    if (status == JR_OK && share->stats != NULL) *share->stats = call.host.stats;
    jr_host_call_end(&call.host, status);
    jr_axes_parts_free(&call.axes);
    free(call.places);
    jr_job_free(&job);
    return status;
}

jr_status jr_segment_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                              const void *const *data, const jr_segments *segments, void *results) {
    const jr_segment_share all = {.data = data, .segments = segments, .results = results};
    return jr_segment_host_share(context, spec, layout, &all);
}
