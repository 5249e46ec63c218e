/* Scans host memory: plan, copy, run, copy back. */
#include "host.h"

#include "base/error.h"
#include "choice.h"
#include "device/memory.h"
#include "host_call.h"
#include "program/dtype.h"

/* Results as large as the first input's elements take their place. */
static jr_status allocate(jr_host_call *call, uint64_t count) {
    const jr_reduction *reduction = call->plan->reduction;
    const jr_status status = jr_host_call_allocate(call, count);
    if (status != JR_OK) return status;
    call->out = call->in[0];
    if (reduction->inputs[0].bytes == reduction->output_bytes) return JR_OK;
    call->out = 0;
    return jr_memory_allocate(&call->plan->context->device, count * reduction->output_bytes, &call->out);
}

/* Brings the offsets or keys of segments to the device. */
static jr_status upload_heads(jr_host_call *call, const jr_run *heads) {
    const jr_device *device = &call->plan->context->device;
    const jr_dtype *key = jr_dtype_find(call->plan->layout.key_type);
    const void *from = heads->offsets != NULL ? (const void *)heads->offsets : heads->keys;
    const uint64_t bytes = heads->offsets != NULL ? (heads->segments + 1) * sizeof *heads->offsets
                           : heads->keys != NULL  ? heads->count * key->bytes
                                                  : 0;
    call->segments = heads->segments;
    if (bytes == 0) return JR_OK;
    jr_cu_deviceptr *const place = heads->offsets != NULL ? &call->offsets : &call->keys;
    const jr_status status = jr_memory_allocate(device, bytes, place);
    return status == JR_OK ? jr_memory_upload(device, *place, from, bytes, call->stream) : status;
}

/* The context is current. Everything on the call's own stream. The copy into the caller's memory comes last, so that
 * nothing is written there when something fails before it. heads: the count, and where segments lie in host memory. */
static jr_status run(jr_host_call *call, const jr_scan_asked *asked, const jr_run *heads) {
    const jr_device *device = &call->plan->context->device;
    const uint64_t count = heads->count;
    jr_mapped *mark = &call->plan->mailbox; /* the plan's kernels tell by it that a result is of no elements */
    jr_status status = allocate(call, count);
    if (status == JR_OK) status = jr_mapped_create(device, sizeof(jr_u32), mark);
    call->mark = mark->address;
    if (status == JR_OK) status = upload_heads(call, heads);
    if (status == JR_OK) status = jr_host_call_upload(call, asked->data, count);
    if (status == JR_OK) status = jr_host_call_launch(call, count);
    if (status == JR_OK) status = jr_memory_wait(device, call->stream);
    if (status == JR_OK && *(const jr_u32 *)mark->host != 0) status = jr_reduction_check_empty(call->plan->reduction);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
    if (status != JR_OK) return status;
    return jr_memory_download(device, asked->out, call->out, count * call->plan->reduction->output_bytes, call->stream);
}

static jr_status check(const jr_reduction *reduction, const void *const *data, uint64_t count, const void *out) {
    const jr_status status = jr_host_call_check(reduction, data, count);
    if (status != JR_OK || count == 0) return status;
    if (out == NULL || (uintptr_t)out % reduction->output_alignment != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the output address %p is NULL or not aligned to %zu bytes", out,
                       reduction->output_alignment);
    if (count > SIZE_MAX / reduction->output_bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu results of %zu bytes is beyond the address space",
                       (unsigned long long)count, reduction->output_bytes);
    return JR_OK;
}

/* The result of nothing is nothing, but a spec that no scan takes is refused. */
static jr_status scan(const jr_job *job, const jr_scan_asked *asked, jr_host_call *call) {
    jr_choice choice;
    jr_run run_of = {.count = asked->count};
    jr_status status = JR_OK;
    if (job->layout.kind != 0) status = jr_scan_segments_set(&job->layout, &asked->segments, true, &run_of);
    if (status == JR_OK) status = check(job->reduction, asked->data, run_of.count, asked->out);
    if (status != JR_OK) return status;
    if (run_of.count == 0) return jr_choice_make(job, &choice);
    status = jr_host_call_begin(call, job, run_of.count);
    return status == JR_OK ? run(call, asked, &run_of) : status;
}

jr_status jr_scan_host_run(jr_context *context, const jr_spec *spec, const jr_scan_asked *asked) {
    jr_host_call call = {0};
    jr_job job = {.context = context, .kind = JR_JOB_SCAN, .scan = asked->kind, .layout = asked->layout};
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK) status = scan(&job, asked, &call);
    jr_host_call_end(&call, status);
    jr_job_free(&job);
    return status;
}
