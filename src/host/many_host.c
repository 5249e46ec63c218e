/* Many arrays of host memory: all are copied to the device, reduced or applied to there, and copied back. */
#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"
#include "device/memory.h"
#include "host.h"
#include "plan/make.h"
#include "plan/many/many_table.h"

/* One call: its arrays on the device, one after the other in one allocation. */
typedef struct many_call {
    const jr_segment_layout *layout; /* the caller's */
    jr_array *arrays;                /* on the device */
    jr_plan *plan;
    uint64_t bytes, result_bytes; /* of all arrays; of all results */
    jr_cu_deviceptr memory, out;
} many_call;

static uint64_t bytes_of(const jr_job *job, const jr_array *array) {
    return array->count * jr_many_element_bytes(job->reduction, array);
}

/* Each begins at a 16-byte boundary. */
static jr_status place(const jr_job *job, many_call *call) {
    const uint64_t count = call->layout->array_count;
    call->arrays = calloc(count > 0 ? count : 1, sizeof *call->arrays);
    if (call->arrays == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a table of %llu arrays", (unsigned long long)count);
    for (uint64_t a = 0; a < count; a++)
        call->bytes += jr_divide_up(bytes_of(job, &call->layout->arrays[a]), JR_VECTOR_BYTES) * JR_VECTOR_BYTES;
    JR_TRY(jr_memory_allocate(&job->context->device, call->bytes, NULL, &call->memory));
    uint64_t before = 0;
    for (uint64_t a = 0; a < count; a++) {
        call->arrays[a] = call->layout->arrays[a];
        call->arrays[a].data = jr_cu_pointer(call->memory + before);
        before += jr_divide_up(bytes_of(job, &call->arrays[a]), JR_VECTOR_BYTES) * JR_VECTOR_BYTES;
    }
    return JR_OK;
}

static jr_status copy_all(const jr_job *job, const many_call *call, bool back) {
    const jr_device *device = &job->context->device;
    jr_status status = JR_OK;
    for (uint64_t a = 0; status == JR_OK && a < call->layout->array_count; a++) {
        const jr_array *here = &call->layout->arrays[a];
        const jr_cu_deviceptr there = jr_cu_address(call->arrays[a].data);
        const uint64_t bytes = bytes_of(job, here);
        if (bytes == 0) continue;
        status = back ? jr_memory_fetch(device, (void *)(uintptr_t)here->data, there, bytes, NULL)
                      : jr_memory_upload(device, there, here->data, bytes, NULL);
    }
    return status;
}

/* The plan is made; the context is current. */
static jr_status run(const jr_job *job, many_call *call, void *out) {
    const jr_device *device = &job->context->device;
    const jr_reduction *reduction = job->reduction;
    call->result_bytes = (call->layout->array_count + 1) * reduction->total_bytes;
    JR_TRY(jr_memory_allocate(device, call->result_bytes, NULL, &call->out));
    JR_TRY(jr_plan_start(call->plan, &(jr_run){.count = call->plan->arrays.elements, .out = call->out}));
    if (reduction->total_count > 0) JR_TRY(copy_all(job, call, true));
    if (out == NULL) return jr_memory_wait(device, NULL);
    return jr_memory_download(device, out, call->out, call->result_bytes, NULL);
}

static jr_status carry_out(jr_job *job, many_call *call, void *out) {
    const jr_device *device = &job->context->device;
    if (out == NULL && job->reduction->total_count == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data->out is NULL: set it to room for the results");
    JR_TRY(jr_many_check(job->reduction, call->layout));
    JR_IN_DEVICE_TO_WAIT(device, NULL);
    jr_status status = place(job, call);
    if (status == JR_OK) status = copy_all(job, call, false);
    job->layout.arrays = call->arrays;
    if (status == JR_OK) status = jr_make_plan(job, &call->plan);
    if (status == JR_OK) status = run(job, call, out);
    JR_KEEP_ERROR;
    jr_plan_free(call->plan);
    jr_memory_release(device, call->memory, NULL);
    jr_memory_release(device, call->out, NULL);
    return status;
}

jr_status jr_many_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout, void *out) {
    many_call call = {.layout = layout};
    jr_job job = {.context = context, .kind = JR_JOB_MANY, .layout = *layout};
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK) status = carry_out(&job, &call, out);
    free(call.arrays);
    jr_job_free(&job);
    return status;
}
