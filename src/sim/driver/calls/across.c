/* Across devices: tasks that wait for another queue. */
#include "across.h"

#include <stdlib.h>

typedef struct wait_task {
    jrs_task task;
    jrs_queue *queue;
    uint64_t sequence;
} wait_task;

/* When the process ends, what is waited for may never be done: nor will what comes after. */
static bool wait_run(jrs_task *task, jrs_report *report) {
    const wait_task *self = (wait_task *)task;
    (void)report;
    (void)jrs_queue_wait(self->queue, self->sequence);
    return true;
}

static void wait_destroy(jrs_task *task) {
    free(task);
}

static jrs_task *wait_create(jrs_queue *queue, uint64_t sequence) {
    wait_task *self = malloc(sizeof *self);
    if (!self) return NULL;
    *self = (wait_task){{.run = wait_run, .destroy = wait_destroy}, queue, sequence};
    return &self->task;
}

/* Of no stream. */
static bool push_wait(jrs_queue *queue, jrs_queue *other, uint64_t sequence) {
    if (jrs_queue_done(other) >= sequence) return true;
    jrs_task *task = wait_create(other, sequence);
    if (task) jrs_queue_push(queue, task);
    return task != NULL;
}

int jrs_stream_wait(jrs_call *call, jrs_stream *stream, const jrs_context *of, uint64_t sequence) {
    jrs_queue *other = jrs_queue_of(call->driver, of);
    if (of->device == stream->object.context->device || jrs_queue_done(other) >= sequence) return JR_CUDA_SUCCESS;
    return jrs_submit(call, stream, wait_create(other, sequence));
}

int jrs_submit_across(jrs_call *call, jrs_stream *stream, jrs_task *task, unsigned devices) {
    jrs_queue *queue = jrs_queue_of(call->driver, stream->object.context);
    bool waits = true;
    if (!task || stream->capture) return jrs_submit(call, stream, task);
    for (unsigned k = 0; devices >> k; k++) {
        jrs_queue *other = call->driver->devices[k].queue;
        if (devices >> k & 1 && other != queue) waits = waits && push_wait(queue, other, jrs_queue_newest(other));
    }
    int error = JR_CUDA_ERROR_OUT_OF_MEMORY;
    if (waits)
        error = jrs_submit(call, stream, task);
    else
        task->destroy(task);
    for (unsigned k = 0; devices >> k && !error; k++) {
        jrs_queue *other = call->driver->devices[k].queue;
        if (devices >> k & 1 && other != queue && !push_wait(other, queue, stream->last))
            error = JR_CUDA_ERROR_OUT_OF_MEMORY;
    }
    return error;
}

/* Whether kernels of a device may have peers: which ones is not asked. */
static bool has_peers(const jrs_driver *driver, unsigned device) {
    for (size_t i = 0; i < driver->handles.count; i++) {
        const jrs_handle_slot *slot = &driver->handles.slots[i];
        if (!slot->object || slot->kind != JRS_HANDLE_CONTEXT) continue;
        const jrs_context *context = slot->object;
        if (context->active && context->device == device && jrs_view_has_peers(&context->view)) return true;
    }
    return false;
}

unsigned jrs_sharers(const jrs_driver *driver, unsigned device) {
    unsigned devices = 1u << device;
    for (unsigned k = 0; k < driver->options.devices; k++) {
        const jrs_device *other = &driver->devices[k];
        if (other->visits[device] > jrs_queue_done(other->queue) || has_peers(driver, k)) devices |= 1u << k;
    }
    return devices;
}

unsigned jrs_all_devices(const jrs_driver *driver) {
    return (1u << driver->options.devices) - 1;
}
