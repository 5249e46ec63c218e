/* Reduces segments of host memory: copy, plan, run, copy back; or all of these in parts. */
#include "host.h"

#include <stdlib.h>

#include "base/error.h"
#include "chunked.h"
#include "device/memory.h"
#include "host_call.h"
#include "plan/choice.h"
#include "plan/segment_layout.h"
#include "spec/results.h"

/* One call: what it holds until it ends. */
typedef struct segment_call {
    jr_host_call host;
    const jr_work_data *data; /* of the caller, on the host; results are written after everything else has succeeded */
    uint64_t first;           /* the number of the first segment in the larger call */
    uint64_t elements;
    uint64_t place_bytes;  /* of all segments */
    unsigned char *places; /* what came back */
    jr_axes_cuts axes;     /* the parts of an array along axes; kinds 0: it is not cut */
} segment_call;

/* Fails if a segment has no elements, by its offsets or the layout's length, and the operator has no value for it. */
static jr_status check_empty(const jr_reduction *reduction, const jr_segment_layout *layout, const segment_call *call) {
    const jr_work_data *data = call->data;
    const bool ragged = layout->kind == JR_SEGMENTS_OFFSETS;
    uint64_t s = 0;
    if (reduction->empty_op == JR_OP_NONE || (!ragged && layout->length > 0)) return JR_OK;
    while (ragged && s < data->segments && data->offsets[s] != data->offsets[s + 1]) s++;
    return s < data->segments ? jr_reduction_check_empty_of_many(reduction, call->first + s) : JR_OK;
}

/* Checks what can be checked before anything runs; sets call->elements. */
static jr_status check(const jr_job *job, segment_call *call) {
    const jr_reduction *reduction = job->reduction;
    JR_TRY(jr_segment_layout_elements(&job->layout, call->data, true, &call->elements));
    JR_TRY(jr_host_call_check(reduction, call->data->in, call->elements));
    return check_empty(reduction, &job->layout, call);
}

static uint64_t offsets_bytes(const segment_call *call) {
    return call->data->offsets != NULL ? (call->data->segments + 1) * sizeof(uint64_t) : 0;
}

/* The context is current. */
static jr_status prepare(const jr_device *device, segment_call *call) {
    /* Kernels need an address even if there are no elements. */
    JR_TRY(jr_host_call_allocate(&call->host, call->elements > 0 ? call->elements : 1));
    JR_TRY(jr_memory_allocate(device, offsets_bytes(call), call->host.stream, &call->host.offsets));
    return jr_memory_allocate(device, call->place_bytes, call->host.stream, &call->host.out);
}

static jr_status upload(const jr_device *device, segment_call *call) {
    const jr_status status =
        jr_memory_upload(device, call->host.offsets, call->data->offsets, offsets_bytes(call), call->host.stream);
    return status == JR_OK ? jr_host_call_upload(&call->host, call->data->in, call->elements) : status;
}

/* All at once, on the call's own stream. */
static jr_status run_whole(const jr_device *device, segment_call *call) {
    jr_host_call *host = &call->host;
    JR_TRY(prepare(device, call));
    JR_TRY(upload(device, call));
    JR_TRY(jr_host_call_launch(host, call->data->segments));
    return jr_memory_download(device, call->places, host->out, call->place_bytes, host->stream);
}

/* Cuts an array along axes if it goes through the device in chunks. It comes before the plan, whose layout depends on
 * the cut. */
static jr_status cut_axes(jr_job *job, segment_call *call) {
    jr_choice choice;
    const bool axes = job->layout.kind == JR_SEGMENTS_STRIDED || job->layout.kind == JR_SEGMENTS_AXES;
    jr_status status = axes ? jr_choice_make(job, &choice) : JR_OK;
    if (!axes || status != JR_OK || !choice.chunked) return status;
    if (job->reduction->tree)
        return jr_fail(
            JR_ERROR_NOT_APPLICABLE,
            "%llu elements along axes, beyond device_bytes or what the device has free, have no fixed tree in "
            "parts: set spec.accuracy to another JR_ACCURACY_ value",
            (unsigned long long)call->elements);
    if (call->elements == 0) {
        job->layout = (jr_segment_layout){.kind = JR_SEGMENTS_EQUAL}; /* segments without elements are equal */
        return JR_OK;
    }
    return jr_chunked_cut_axes(job, call->data->segments, &call->axes);
}

static jr_status run_in_chunks(const jr_job *job, segment_call *call) {
    const jr_chunked_places of = {.data = call->data, .elements = call->elements, .places = call->places};
    return call->axes.kinds > 0 ? jr_chunked_axes(&call->host, job, &of, &call->axes)
                                : jr_chunked_segments(&call->host, job, &of);
}

/* The context is current. */
static jr_status run(const jr_job *job, segment_call *call) {
    jr_host_call *host = &call->host;
    call->places = malloc(call->place_bytes);
    if (call->places == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the results");
    JR_TRY(host->plan->choice.chunked ? run_in_chunks(job, call) : run_whole(&job->context->device, call));
    JR_TRY(jr_stopwatch_read(&host->watch, &host->stats.kernel_ms));
    return jr_results_copy(host->plan->reduction, call->places, &(jr_results_range){call->first, call->data->segments},
                           call->data->out);
}

/* A call for no segments writes nothing, but fails for a spec that segments do not take. */
static jr_status reduce(jr_job *job, segment_call *call) {
    jr_choice choice;
    JR_TRY(check(job, call));
    if (call->data->segments == 0) return jr_choice_make(job, &choice);
    if (call->data->segments > SIZE_MAX / job->reduction->place_bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments: their results are beyond the address space",
                       (unsigned long long)call->data->segments);
    call->place_bytes = call->data->segments * job->reduction->place_bytes;
    JR_TRY(jr_host_call_size(job, call->elements, call->place_bytes + offsets_bytes(call)));
    JR_TRY(cut_axes(job, call));
    JR_TRY(jr_host_call_begin(&call->host, job, UINT64_MAX));
    return run(job, call);
}

jr_status jr_segment_host_share(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                const jr_segment_share *share) {
    segment_call call = {.host = {.is_part = share->stats != NULL}, .data = share->data, .first = share->first};
    jr_job job = {.context = context, .kind = JR_JOB_SEGMENTS, .layout = *layout};
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK) jr_host_call_gather(&call.host, job.reduction, share->view, share->data->in);
    if (status == JR_OK) status = reduce(&job, &call);
    if (status == JR_OK && share->stats != NULL) *share->stats = call.host.stats;
    jr_host_call_end(&call.host, status);
    jr_cuts_free(&call.axes.cuts);
    free(call.places);
    jr_job_free(&job);
    return status;
}
