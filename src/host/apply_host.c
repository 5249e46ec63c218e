/* Applies to rows of host memory: plan, copy, run, copy back, all rows at once or some after the other. */
#include "host.h"

#include "base/error.h"
#include "device/chunks.h"
#include "device/memory.h"
#include "host_call.h"
#include "plan/apply/apply.h"
#include "plan/choice.h"
#include "plan/segment_layout.h"

/* One call. */
typedef struct apply_call {
    jr_host_call host;
    const jr_work_data *data; /* of the caller, on the host */
    uint64_t length;          /* of a row */
} apply_call;

/* Elements of an array in so many rows. */
static uint64_t count_of(const apply_call *call, const jr_reduction *reduction, int input, uint64_t rows) {
    return jr_apply_is_shared(reduction, input) ? call->length : rows * call->length;
}

static bool replaces(const jr_reduction *reduction) {
    return reduction->inputs[0].bytes == reduction->output_bytes;
}

/* Allocates arrays of so many rows, and copies there what all rows share. The values replace x where they have its
 * size. */
static jr_status prepare(apply_call *call, uint64_t rows) {
    jr_host_call *host = &call->host;
    const jr_device *device = &host->plan->context->device;
    const jr_reduction *reduction = host->plan->reduction;
    for (int i = 0; i < reduction->input_count; i++) {
        const uint64_t bytes = count_of(call, reduction, i, rows) * reduction->inputs[i].bytes;
        JR_TRY(jr_memory_allocate(device, bytes, host->stream, &host->in[i]));
        if (jr_apply_is_shared(reduction, i))
            JR_TRY(jr_memory_upload(device, host->in[i], call->data->in[i], bytes, host->stream));
    }
    host->out = host->in[0];
    if (replaces(reduction)) return JR_OK;
    host->out = 0;
    return jr_memory_allocate(device, rows * call->length * reduction->output_bytes, host->stream, &host->out);
}

/* Rows from number `first` on: copies, runs, copies back. */
static jr_status run_part(apply_call *call, uint64_t first, uint64_t rows) {
    jr_host_call *host = &call->host;
    const jr_device *device = &host->plan->context->device;
    const jr_reduction *reduction = host->plan->reduction;
    const uint64_t before = first * call->length;
    double kernel_ms = 0;
    for (int i = 0; i < reduction->input_count; i++) {
        const size_t bytes = reduction->inputs[i].bytes;
        if (jr_apply_is_shared(reduction, i)) continue;
        JR_TRY(jr_memory_upload(device, host->in[i], (const char *)call->data->in[i] + before * bytes,
                                rows * call->length * bytes, host->stream));
    }
    JR_TRY(jr_host_call_launch(host, rows));
    JR_TRY(jr_memory_wait(device, host->stream));
    JR_TRY(jr_stopwatch_read(&host->watch, &kernel_ms));
    host->stats.kernel_ms += kernel_ms;
    return jr_memory_download(device, (char *)call->data->out + before * reduction->output_bytes, host->out,
                              rows * call->length * reduction->output_bytes, host->stream);
}

/* Rows that are on the device at once. */
static uint64_t rows_at_once(const apply_call *call, const jr_job *job) {
    const uint64_t rows = call->data->segments, asked = call->host.device_bytes;
    if (!call->host.plan->choice.chunked) return rows;
    const uint64_t bytes = asked > 0 ? asked : jr_chunks_room(0) * JR_PUMP_BUFFERS;
    const uint64_t most = bytes / (job->host_bytes / rows + 1);
    return most > 0 ? most : 1;
}

/* The context is current. */
static jr_status run(apply_call *call, const jr_job *job) {
    const uint64_t rows = call->data->segments, at_once = rows_at_once(call, job);
    jr_status status = prepare(call, at_once);
    for (uint64_t first = 0; status == JR_OK && first < rows; first += at_once)
        status = run_part(call, first, rows - first < at_once ? rows - first : at_once);
    return status;
}

static jr_status check(const jr_reduction *reduction, const apply_call *call) {
    jr_run run = {.count = call->data->segments, .out = jr_cu_address(call->data->out)};
    for (int i = 0; i < reduction->input_count; i++) {
        JR_TRY(jr_host_call_check_array(reduction, i, call->data->in[i],
                                        count_of(call, reduction, i, call->data->segments)));
        run.in[i] = jr_cu_address(call->data->in[i]);
    }
    JR_TRY(jr_given_aligned("output address", call->data->out, reduction->output_alignment));
    return jr_apply_check_places(reduction, call->length, &run);
}

static jr_status apply(jr_job *job, apply_call *call) {
    jr_choice choice;
    uint64_t elements;
    JR_TRY(jr_segment_layout_elements(&job->layout, call->data, true, &elements));
    if (elements == 0) return jr_choice_make(job, &choice); /* writes nothing, but fails for a spec it does not take */
    call->length = job->layout.length;
    JR_TRY(check(job->reduction, call));
    JR_TRY(jr_host_call_size(job, elements, replaces(job->reduction) ? 0 : elements * job->reduction->output_bytes));
    JR_TRY(jr_host_call_begin(&call->host, job, call->data->segments));
    return run(call, job);
}

jr_status jr_apply_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                            const jr_work_data *data) {
    apply_call call = {.data = data};
    jr_job job = {.context = context, .kind = JR_JOB_APPLY, .layout = *layout};
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK) status = apply(&job, &call);
    jr_host_call_end(&call.host, status);
    jr_job_free(&job);
    return status;
}
