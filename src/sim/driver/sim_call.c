/* Calls: the frame of every API function. */
#include "sim_call.h"

#include <stdlib.h>
#include <unistd.h>

#include "fail.h"
#include "sim_capture.h"

/* Finds the current context. */
static int current(jrs_call *call) {
    const jrs_thread *thread = jrs_thread_self();
    if (thread->depth == 0) return JR_CUDA_ERROR_INVALID_CONTEXT;
    jrs_context *context =
        jrs_handle_find(&call->driver->handles, JRS_HANDLE_CONTEXT, thread->stack[thread->depth - 1]);
    if (!context || !context->active) return JR_CUDA_ERROR_CONTEXT_IS_DESTROYED;
    call->context = context;
    return JR_CUDA_SUCCESS;
}

static int check_needs(jrs_call *call, jrs_need need) {
    int error = need >= JRS_NEED_CONTEXT ? current(call) : JR_CUDA_SUCCESS;
    if (!error && need >= JRS_NEED_HEALTHY) error = jrs_context_error(call->context);
    if (!error && need >= JRS_NEED_SAFE) error = jrs_capture_forbids(call->driver);
    return error;
}

/* Without the lock: what must not even wait for it. */
static int check_state(const jrs_call *call, const char *name, jrs_need need) {
    int error = jrs_fail_call(name);
    if (error) return error;
    if (jrs_thread_self()->in_host_function && need > JRS_NEED_NOTHING) return JR_CUDA_ERROR_NOT_PERMITTED;
    int state = atomic_load(&call->driver->state);
    if (state == JRS_DRIVER_CLOSING) return JR_CUDA_ERROR_DEINITIALIZED;
    bool ready = state == JRS_DRIVER_READY && call->driver->process == getpid();
    return need >= JRS_NEED_INIT && !ready ? JR_CUDA_ERROR_NOT_INITIALIZED : JR_CUDA_SUCCESS;
}

bool jrs_enter(jrs_call *call, const char *name, jrs_need need) {
    *call = (jrs_call){.driver = jrs_driver_get()};
    call->error = check_state(call, name, need);
    if (call->error) return false;
    pthread_mutex_lock(&call->driver->lock);
    call->error = check_needs(call, need);
    if (call->error) pthread_mutex_unlock(&call->driver->lock);
    return !call->error;
}

int jrs_leave(jrs_call *call, int error) {
    pthread_mutex_unlock(&call->driver->lock);
    return error;
}

int jrs_context_error(const jrs_context *context) {
    int error = atomic_load_explicit(&context->fault.error, memory_order_acquire);
    if (error) {
        jrs_thread *thread = jrs_thread_self();
        thread->fault_error = error;
        thread->fault_text = context->fault.text;
    }
    return error;
}

int jrs_wait(jrs_call *call, const jrs_context *context, uint64_t sequence) {
    jrs_queue *queue = jrs_queue_of(call->driver, context);
    pthread_mutex_unlock(&call->driver->lock);
    const bool done = jrs_queue_wait(queue, sequence);
    pthread_mutex_lock(&call->driver->lock);
    return done ? jrs_context_error(context) : JR_CUDA_ERROR_DEINITIALIZED;
}

/* Marks a task as the newest of its stream and context, and of visits to other devices. */
static void note(jrs_driver *driver, jrs_stream *stream, uint64_t sequence, unsigned visits) {
    jrs_context *context = stream->object.context;
    stream->last = sequence;
    context->last = sequence;
    if (!(stream->flags & JR_CU_STREAM_NON_BLOCKING)) context->last_blocking = sequence;
    for (unsigned k = 0; visits >> k; k++)
        if (visits >> k & 1) driver->devices[context->device].visits[k] = sequence;
}

int jrs_submit(jrs_call *call, jrs_stream *stream, jrs_task *task) {
    if (!task) return JR_CUDA_ERROR_OUT_OF_MEMORY;
    if (stream->capture) return jrs_capture_add(stream, task);
    jrs_context *context = stream->object.context;
    const unsigned visits = task->visits;
    task->fault = &context->fault;
    note(call->driver, stream, jrs_queue_push(jrs_queue_of(call->driver, context), task), visits);
    return JR_CUDA_SUCCESS;
}

int jrs_submit_and_wait(jrs_call *call, jrs_stream *stream, jrs_task *task) {
    if (!task || stream->capture) return jrs_submit(call, stream, task);
    jrs_context *context = stream->object.context;
    jrs_queue *queue = jrs_queue_of(call->driver, context);
    task->fault = &context->fault;
    task->sequence = jrs_queue_take(queue);
    note(call->driver, stream, task->sequence, task->visits);
    pthread_mutex_unlock(&call->driver->lock);
    const bool done = jrs_queue_run(queue, task);
    pthread_mutex_lock(&call->driver->lock);
    return done ? jrs_context_error(context) : JR_CUDA_ERROR_DEINITIALIZED;
}

bool jrs_pause(jrs_call *call, unsigned devices) {
    bool paused = true;
    jrs_device *all = call->driver->devices;
    for (unsigned k = 0; k < JRS_DEVICES; k++) call->turns[k] = devices >> k & 1 ? jrs_queue_take(all[k].queue) : 0;
    pthread_mutex_unlock(&call->driver->lock);
    for (unsigned k = 0; k < JRS_DEVICES; k++) {
        if (!call->turns[k] || jrs_queue_wait(all[k].queue, call->turns[k] - 1)) continue;
        call->turns[k] = 0;
        paused = false;
    }
    return paused;
}

void jrs_resume(jrs_call *call) {
    for (unsigned k = 0; k < JRS_DEVICES; k++)
        if (call->turns[k]) jrs_queue_finish(call->driver->devices[k].queue, call->turns[k]);
    pthread_mutex_lock(&call->driver->lock);
}

void *jrs_find(const jrs_call *call, jrs_handle_kind kind, const void *handle) {
    return jrs_handle_find(&call->driver->handles, kind, (uintptr_t)handle);
}

void *jrs_object_add(const jrs_call *call, jrs_handle_kind kind, size_t bytes) {
    jrs_object *object = calloc(1, bytes);
    uintptr_t handle = object ? jrs_handle_add(&call->driver->handles, kind, object) : 0;
    if (!handle) {
        free(object);
        return NULL;
    }
    *object = (jrs_object){handle, call->context};
    return object;
}
