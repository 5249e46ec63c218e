/* Scans host memory: plan, copy, run, copy back; or all of these in parts. */
#include "host.h"

#include "base/error.h"
#include "chunked.h"
#include "device/memory.h"
#include "host_call.h"
#include "plan/choice.h"
#include "plan/scan/scan_queue.h"
#include "plan/segment_layout.h"
#include "spec/dtype.h"

/* Allocates inputs and results. Results overwrite the first input if its elements have the same size. */
static jr_status allocate(jr_host_call *call, uint64_t count) {
    const jr_reduction *reduction = call->plan->reduction;
    JR_TRY(jr_host_call_allocate(call, count));
    call->out = call->in[0];
    if (reduction->inputs[0].bytes == reduction->output_bytes) return JR_OK;
    call->out = 0;
    return jr_memory_allocate(&call->plan->context->device, count * reduction->output_bytes, call->stream, &call->out);
}

/* The size of the segments' offsets or keys; 0: there are neither. */
static uint64_t heads_bytes(const jr_segment_layout *layout, const jr_cut_heads *heads) {
    if (heads->offsets != NULL) return (heads->segments + 1) * sizeof *heads->offsets;
    return heads->keys != NULL ? heads->count * jr_dtype_find(layout->key_type)->bytes : 0;
}

/* Copies the offsets or keys to the device; the call owns the memory. */
static jr_status upload_heads(jr_host_call *call, const jr_cut_heads *heads) {
    const jr_device *device = &call->plan->context->device;
    const void *from = heads->offsets != NULL ? (const void *)heads->offsets : heads->keys;
    const uint64_t bytes = heads_bytes(&call->plan->layout, heads);
    call->segments = heads->segments;
    if (bytes == 0) return JR_OK;
    jr_cu_deviceptr *const place = heads->offsets != NULL ? &call->offsets : &call->keys;
    JR_TRY(jr_memory_allocate(device, bytes, call->stream, place));
    return jr_memory_upload(device, *place, from, bytes, call->stream);
}

/* All at once, on the call's own stream. The copy into the caller's memory comes last, so that nothing is written there
 * when something fails before it. heads: the count, and where segments lie in host memory. */
static jr_status run_whole(jr_host_call *call, const jr_scan_asked *asked, const jr_cut_heads *heads) {
    const jr_device *device = &call->plan->context->device;
    const jr_reduction *reduction = call->plan->reduction;
    const uint64_t count = heads->count;
    jr_status status = allocate(call, count);
    call->mark = call->continued ? 0 : call->plan->mailbox.address;
    if (status == JR_OK) status = upload_heads(call, heads);
    if (status == JR_OK) status = jr_host_call_upload(call, asked->data->in, count);
    if (status == JR_OK) status = jr_host_call_launch(call, count);
    if (status == JR_OK) status = jr_memory_wait(device, call->stream);
    if (status == JR_OK && *(const jr_u32 *)call->plan->mailbox.host != 0) status = jr_reduction_check_kept(reduction);
    if (status == JR_OK) status = jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
    if (status != JR_OK) return status;
    return jr_memory_download(device, asked->data->out, call->out, count * reduction->output_bytes, call->stream);
}

/* Fails if the caller's results overlap offsets or keys, which are still read when the first results are written. */
static jr_status check_heads(const jr_reduction *reduction, const jr_scan_asked *asked, const jr_cut_heads *heads) {
    const jr_run_range results = {"results", jr_cu_address(asked->data->out), heads->count * reduction->output_bytes},
                       offsets = {"offsets", jr_cu_address(heads->offsets),
                                  (heads->segments + 1) * sizeof *heads->offsets},
                       keys = {"keys", jr_cu_address(heads->keys), heads_bytes(&asked->layout, heads)};
    JR_TRY(jr_plan_check_apart(&results, &offsets));
    return jr_plan_check_apart(&results, &keys);
}

static jr_status run_in_chunks(jr_host_call *call, const jr_scan_asked *asked, const jr_cut_heads *heads) {
    JR_TRY(check_heads(call->plan->reduction, asked, heads));
    JR_TRY(jr_chunked_scan(call, asked->data->in, heads, asked->data->out));
    return jr_stopwatch_read(&call->watch, &call->stats.kernel_ms);
}

/* Begins a part of a larger scan: if the caller gives the fold of what comes before it (carry), uploads that. */
static jr_status begin_part(jr_host_call *call, const jr_scan_asked *asked) {
    const jr_plan *plan = call->plan;
    const jr_device *device = &plan->context->device;
    call->first = asked->first;
    call->continued = asked->carry != NULL;
    if (!call->continued) return JR_OK;
    JR_TRY(jr_memory_upload(device, jr_scan_queue_carry(plan), asked->carry, plan->reduction->accumulator_bytes,
                            call->stream));
    return jr_memory_wait(device, call->stream);
}

/* The context is current. Kernels set the plan's mailbox if a result has no elements. */
static jr_status run(jr_host_call *call, const jr_scan_asked *asked, const jr_cut_heads *heads) {
    if (asked->is_part) JR_TRY(begin_part(call, asked));
    JR_TRY(jr_mapped_create(&call->plan->context->device, sizeof(jr_u32), &call->plan->mailbox));
    return call->plan->choice.chunked ? run_in_chunks(call, asked, heads) : run_whole(call, asked, heads);
}

/* Results may not lie where elements are read that lie apart, not even exactly there. */
static jr_status check_view(const jr_reduction *reduction, const jr_scan_asked *asked, uint64_t count) {
    const jr_run_range results = {"results", jr_cu_address(asked->data->out), count * reduction->output_bytes};
    for (int i = 0; i < reduction->input_count; i++) {
        const uint64_t bytes = reduction->inputs[i].bytes;
        uint64_t before, after;
        jr_view_reach(asked->view, i, &before, &after);
        const jr_run_range input = {"input", jr_cu_address(asked->data->in[i]) - before * bytes,
                                    (before + 1 + after) * bytes};
        JR_TRY(jr_plan_check_apart(&results, &input));
    }
    return JR_OK;
}

static jr_status check(const jr_reduction *reduction, const jr_scan_asked *asked, uint64_t count) {
    jr_run run = {.count = count, .out = jr_cu_address(asked->data->out)};
    const jr_status status = jr_host_call_check(reduction, asked->data->in, count);
    if (status != JR_OK || count == 0) return status;
    JR_TRY(jr_given_aligned("output address", asked->data->out, reduction->output_alignment));
    if (asked->view != NULL && asked->view->arrays > 0) return check_view(reduction, asked, count);
    for (int i = 0; i < reduction->input_count; i++) run.in[i] = jr_cu_address(asked->data->in[i]);
    return jr_scan_check_places(reduction, &run);
}

/* Finds where the segments of a scan begin, and how many elements it has. layout: settled; of kind 0 without segments.
 */
static jr_status find_heads(const jr_segment_layout *layout, const jr_scan_asked *asked, jr_cut_heads *heads) {
    const jr_work_data *data = asked->data;
    *heads = (jr_cut_heads){.count = data->count};
    if (layout->kind == 0) return JR_OK;
    *heads = (jr_cut_heads){.offsets = data->offsets, .segments = data->segments, .keys = data->keys};
    return jr_segment_layout_elements(layout, data, true, &heads->count);
}

jr_status jr_scan_host_check(const jr_reduction *reduction, const jr_scan_asked *asked, uint64_t *count) {
    jr_cut_heads heads;
    *count = 0;
    JR_TRY(find_heads(&asked->layout, asked, &heads));
    *count = heads.count;
    JR_TRY(check(reduction, asked, heads.count));
    return check_heads(reduction, asked, &heads);
}

/* How many bytes the call needs on the device in addition to the inputs. */
static uint64_t other_bytes(const jr_job *job, const jr_cut_heads *heads) {
    const jr_reduction *reduction = job->reduction;
    const bool upon = reduction->inputs[0].bytes == reduction->output_bytes;
    return heads_bytes(&job->layout, heads) + (upon ? 0 : heads->count * reduction->output_bytes);
}

/* A scan of no elements writes nothing, but fails for a spec that no scan takes. */
static jr_status scan(jr_job *job, const jr_scan_asked *asked, jr_host_call *call) {
    jr_choice choice;
    jr_cut_heads heads;
    JR_TRY(find_heads(&job->layout, asked, &heads));
    JR_TRY(check(job->reduction, asked, heads.count));
    if (heads.count == 0) return jr_choice_make(job, &choice);
    JR_TRY(jr_host_call_size(job, heads.count, other_bytes(job, &heads)));
    JR_TRY(jr_host_call_begin(call, job, heads.count));
    return run(call, asked, &heads);
}

jr_status jr_scan_host_run(jr_context *context, const jr_spec *spec, const jr_scan_asked *asked) {
    jr_host_call call = {.is_part = asked->stats != NULL};
    jr_job job = {.context = context,
                  .kind = JR_JOB_SCAN,
                  .exclusive = asked->exclusive,
                  .layout = asked->layout,
                  .is_part = asked->is_part,
                  .adviser = asked->adviser};
    jr_status status = jr_job_make(spec, &job);
    if (asked->layout.kind == 0) job.requested.capacity = asked->data->count;
    if (status == JR_OK) jr_host_call_gather(&call, job.reduction, asked->view, asked->data->in);
    if (status == JR_OK) status = scan(&job, asked, &call);
    if (status == JR_OK && asked->stats != NULL) *asked->stats = call.stats;
    jr_host_call_end(&call, status);
    jr_job_free(&job);
    return status;
}
