/* Reduces runs of equal keys in host memory: copy, plan, run, copy back as many results as there are runs. Where each
 * run has a fixed tree of its own, and where the data goes through the device in parts, the keys stay on the host,
 * which finds the runs and reduces them as segments by offsets. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/memory.h"
#include "host.h"
#include "host_call.h"
#include "key_runs.h"
#include "plan/choice.h"
#include "plan/segment_layout.h"
#include "spec/dtype.h"
#include "spec/results.h"

/* ---- as segments by offsets ---- */

static jr_status reduce_as_segments(jr_context *context, const jr_spec *spec, const jr_segment_share *asked,
                                    jr_type key_type) {
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_work_data *keyed = asked->data;
    const jr_dtype *type = jr_dtype_find(key_type);
    jr_key_runs found = {.offsets = NULL};
    jr_status status = jr_key_runs_find(type, keyed->keys, keyed->count, &found);
    const jr_work_data runs = {.in = keyed->in, .out = keyed->out, .segments = found.count, .offsets = found.offsets};
    jr_segment_share own = *asked;
    own.data = &runs;
    if (status == JR_OK) status = jr_segment_host_share(context, spec, &layout, &own);
    if (status == JR_OK && keyed->run_count != NULL) *keyed->run_count = found.count;
    if (status == JR_OK && keyed->run_keys != NULL) jr_key_runs_write(&found, type, keyed->keys, keyed->run_keys);
    jr_key_runs_free(&found);
    return status;
}

jr_status jr_runs_host_run_tree(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                const jr_work_data *data) {
    const jr_segment_share asked = {.data = data};
    jr_segment_layout own = *layout;
    uint64_t elements;
    jr_status status = jr_segment_layout_settle(&own, false);
    if (jr_reduction_is_placed(spec)) /* an element's index is that in all of them here, and in its segment there */
        status = jr_fail(JR_ERROR_NOT_APPLICABLE, "segments by keys have no fixed tree where the operator or an "
                                                  "expression sees the index: set spec.accuracy to another "
                                                  "JR_ACCURACY_ value");
    if (status == JR_OK) status = jr_segment_layout_elements(&own, data, true, &elements);
    return status == JR_OK ? reduce_as_segments(context, spec, &asked, own.key_type) : status;
}

/* Reduces segments by keys whose data goes through the device in parts. The arguments were checked, and no expression
 * uses the index. */
static jr_status run_in_parts(jr_context *context, const jr_spec *spec, jr_type key_type,
                              const jr_segment_share *asked) {
    jr_spec own = *spec;
    own.algorithm = JR_ALGORITHM_AUTO; /* it may be one of keys alone */
    return reduce_as_segments(context, &own, asked, key_type);
}

/* ---- as runs ---- */

enum { COUNT_BYTES = 16 }; /* before the keys of runs, which need a smaller alignment */

/* One call: what it holds until it ends. */
typedef struct runs_call {
    jr_host_call host;
    const jr_work_data *data; /* all on the host */
    uint64_t elements, runs;
    bool beyond;                   /* they do not fit */
    size_t key_bytes, place_bytes; /* of a run: its key, all its results */
    unsigned char *places, *keys;  /* what came back */
} runs_call;

/* What can be refused without running. */
static jr_status check(const jr_job *job, runs_call *call) {
    JR_TRY(jr_segment_layout_elements(&job->layout, call->data, true, &call->elements));
    JR_TRY(jr_host_call_check(job->reduction, call->data->in, call->elements));
    call->key_bytes = jr_dtype_find(job->layout.key_type)->bytes;
    call->place_bytes = job->reduction->place_bytes;
    if (call->elements <= (SIZE_MAX - COUNT_BYTES) / call->place_bytes) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements: as many results are beyond the address space",
                   (unsigned long long)call->elements);
}

/* The context is current. */
static jr_status upload(const jr_device *device, runs_call *call) {
    jr_host_call *host = &call->host;
    const uint64_t bytes = call->elements * call->key_bytes;
    JR_TRY(jr_host_call_allocate(host, call->elements));
    JR_TRY(jr_memory_allocate(device, bytes, host->stream, &host->keys));
    JR_TRY(jr_memory_allocate(device, COUNT_BYTES + bytes, host->stream, &host->run_count));
    JR_TRY(jr_memory_allocate(device, call->elements * call->place_bytes, host->stream, &host->out));
    host->run_keys = host->run_count + COUNT_BYTES;
    JR_TRY(jr_memory_upload(device, host->keys, call->data->keys, bytes, host->stream));
    return jr_host_call_upload(host, call->data->in, call->elements);
}

static jr_status download(const jr_device *device, runs_call *call) {
    jr_host_call *host = &call->host;
    JR_TRY(jr_memory_download(device, &call->runs, host->run_count, sizeof call->runs, host->stream));
    call->places = malloc(call->runs * call->place_bytes);
    call->keys = malloc(call->runs * call->key_bytes);
    if (call->places == NULL || call->keys == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the results and keys of %llu runs",
                       (unsigned long long)call->runs);
    const jr_status status =
        jr_memory_download(device, call->places, host->out, call->runs * call->place_bytes, host->stream);
    return status == JR_OK
               ? jr_memory_download(device, call->keys, host->run_keys, call->runs * call->key_bytes, host->stream)
               : status;
}

/* The context is current. Everything on the call's own stream. */
static jr_status run(const jr_device *device, runs_call *call) {
    JR_TRY(upload(device, call));
    JR_TRY(jr_host_call_launch(&call->host, call->elements));
    JR_TRY(download(device, call));
    JR_TRY(jr_stopwatch_read(&call->host.watch, &call->host.stats.kernel_ms));
    return jr_results_copy(call->host.plan->reduction, call->places, &(jr_results_range){0, call->runs},
                           call->data->out);
}

/* Parts would number their elements by themselves. */
static jr_status keep_whole(jr_job *job) {
    const uint64_t limit = job->requested.device_bytes;
    job->on_host = false; /* it is not cut */
    if (limit == 0 || job->host_bytes <= limit) return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE,
                   "device_bytes %llu: by keys all elements lie on the device at once where the index is seen (argmin, "
                   "argmax, i): give at least %llu",
                   (unsigned long long)limit, (unsigned long long)job->host_bytes);
}

/* All of it lies on the device at once, or, where no index is seen, in parts. */
static jr_status size(jr_job *job, runs_call *call, jr_choice *choice) {
    const uint64_t each = 2 * call->key_bytes + call->place_bytes;
    JR_TRY(jr_host_call_size(job, call->elements, call->elements * each));
    if (job->reduction->sees_index) JR_TRY(keep_whole(job));
    return jr_choice_make(job, choice);
}

/* The results of no elements are nothing, but a spec that segments do not take is refused. */
static jr_status reduce(jr_job *job, runs_call *call) {
    jr_choice choice;
    jr_status status = check(job, call);
    if (status == JR_OK) status = size(job, call, &choice);
    if (status != JR_OK || call->elements == 0) return status;
    call->beyond = choice.chunked;
    if (call->beyond) return JR_OK;
    status = jr_host_call_begin(&call->host, job, call->elements);
    return status == JR_OK ? run(&job->context->device, call) : status;
}

static void tell(const runs_call *call) {
    const jr_work_data *data = call->data;
    if (data->run_count != NULL) *data->run_count = call->runs;
    if (data->run_keys != NULL && call->runs > 0) memcpy(data->run_keys, call->keys, call->runs * call->key_bytes);
}

jr_status jr_runs_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                           const jr_work_data *data) {
    runs_call call = {.data = data};
    jr_job job = {.context = context, .kind = JR_JOB_SEGMENTS, .layout = *layout};
    jr_status status = jr_job_make(spec, &job);
    job.requested.capacity = data->count;
    if (status == JR_OK) status = reduce(&job, &call);
    jr_host_call_end(&call.host, status);
    if (status == JR_OK && !call.beyond) tell(&call);
    if (status == JR_OK && call.beyond)
        status = run_in_parts(context, spec, layout->key_type, &(jr_segment_share){.data = data});
    free(call.places);
    free(call.keys);
    jr_job_free(&job);
    return status;
}
