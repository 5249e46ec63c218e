/* Reduces host memory: copy, plan, run, copy back. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "chunked.h"
#include "device/memory.h"
#include "host_call.h"
#include "spec/results.h"

/* The most bytes that all results of a run take. */
enum { PLACE_MAX = JR_OPS_MAX * sizeof(jr_value) };

static jr_status copy_and_launch(jr_host_call *call, const void *const *data, uint64_t count) {
    JR_TRY(jr_host_call_allocate(call, count));
    JR_TRY(jr_host_call_upload(call, data, count));
    return jr_host_call_launch(call, count);
}

/* The context is current. Everything on the call's own stream. place: for the results, or the state. */
static jr_status run(jr_host_call *call, const void *const *data, uint64_t count, unsigned char *place) {
    const jr_device *device = &call->plan->context->device;
    const size_t bytes = jr_plan_result_stride(call->plan);
    const bool chunked = call->plan->choice.chunked; /* then on other streams, too */
    JR_TRY(jr_memory_allocate(device, bytes, chunked ? NULL : call->stream, &call->out));
    JR_TRY((chunked ? jr_chunked_reduce : copy_and_launch)(call, data, count));
    JR_TRY(jr_memory_download(device, place, call->out, bytes, call->stream));
    return jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
}

/* The job is made. */
static jr_status make_and_run(jr_job *job, jr_host_call *call, const jr_host_part *part, unsigned char *place) {
    job->requested.capacity = part->count;
    call->first = part->first;
    JR_TRY(jr_host_call_check(job->reduction, part->data, part->count));
    JR_TRY(jr_host_call_size(job, part->count, 0));
    if (part->count == 0 && !job->to_state) JR_TRY(jr_reduction_check_empty(job->reduction));
    JR_TRY(jr_host_call_begin(call, job, part->count));
    return run(call, part->data, part->count, place);
}

jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const jr_adviser *adviser, const void *const *data,
                         uint64_t count, jr_value *values) {
    jr_host_call call = {0};
    jr_job job = {.context = context, .adviser = adviser};
    unsigned char place[PLACE_MAX];
    jr_value made[JR_OPS_MAX];
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK) status = make_and_run(&job, &call, &(jr_host_part){.data = data, .count = count}, place);
    if (status == JR_OK) status = jr_results_read(job.reduction, place, made);
    if (status == JR_OK) memcpy(values, made, (size_t)job.reduction->output_count * sizeof *values);
    jr_host_call_end(&call, status);
    jr_job_free(&job);
    return status;
}

jr_status jr_host_fold(jr_context *context, const jr_spec *spec, const jr_host_part *part, void *state) {
    jr_host_call call = {.is_part = true};
    jr_job job = {.context = context, .to_state = true};
    unsigned char *place = NULL;
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK) place = malloc(job.reduction->accumulator_bytes);
    if (status == JR_OK && place == NULL)
        status =
            jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a state of %zu bytes", job.reduction->accumulator_bytes);
    if (status == JR_OK) status = make_and_run(&job, &call, part, place);
    if (status == JR_OK) memcpy(state, place, job.reduction->accumulator_bytes);
    if (status == JR_OK && part->stats != NULL) *part->stats = call.stats;
    jr_host_call_end(&call, status);
    free(place);
    jr_job_free(&job);
    return status;
}
