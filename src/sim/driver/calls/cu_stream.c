/* Streams: creating, destroying and waiting. The default streams are the context's own. */
#include <stdlib.h>

#include "sim/driver/sim_call.h"
#include "sim/driver/sim_capture.h"

static jrs_stream *per_thread_stream(jrs_context *context) {
    uint64_t self = jrs_thread_self()->id;
    for (jrs_stream *stream = context->per_thread; stream; stream = stream->next)
        if (stream->thread == self) return stream;
    jrs_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->object.context = context;
    stream->thread = self;
    stream->next = context->per_thread;
    context->per_thread = stream;
    return stream;
}

int jrs_stream_find(jrs_call *call, jr_cu_stream handle, jrs_stream **stream) {
    uintptr_t number = (uintptr_t)handle;
    if (number > 2)
        *stream = jrs_find(call, JRS_HANDLE_STREAM, handle);
    else if (!call->context)
        return JR_CUDA_ERROR_INVALID_CONTEXT;
    else
        *stream = number == 2 ? per_thread_stream(call->context) : &call->context->legacy;
    if (number == 2 && !*stream) return JR_CUDA_ERROR_OUT_OF_MEMORY;
    return *stream ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_HANDLE;
}

int jrs_stream_for_work(jrs_call *call, jr_cu_stream handle, jrs_stream **stream) {
    int error = jrs_stream_find(call, handle, stream);
    if (error) return error;
    if ((*stream)->capture && (*stream)->capture->invalid) return JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if ((*stream)->legacy) error = jrs_capture_forbids_legacy(call->driver, (*stream)->object.context, true);
    return error ? error : jrs_context_error((*stream)->object.context);
}

void jrs_stream_drop(jrs_driver *driver, jrs_stream *stream) {
    jrs_capture_forget(driver, stream);
    if (stream->object.handle) jrs_handle_remove(&driver->handles, stream->object.handle);
    free(stream);
}

jr_cu_result cuStreamCreate(jr_cu_stream *stream, unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!stream || flags > JR_CU_STREAM_NON_BLOCKING) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_stream *fresh = jrs_object_add(&call, JRS_HANDLE_STREAM, sizeof *fresh);
    if (!fresh) return jrs_leave(&call, JR_CUDA_ERROR_OUT_OF_MEMORY);
    fresh->flags = flags;
    *stream = (jr_cu_stream)fresh->object.handle;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuStreamDestroy_v2(jr_cu_stream stream) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_stream *found = jrs_find(&call, JRS_HANDLE_STREAM, stream);
    if (!found) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    jrs_stream_drop(call.driver, found);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

/* The task whose end is the end of a stream's work. */
static uint64_t newest(const jrs_stream *stream) {
    return stream->legacy ? stream->object.context->last_blocking : stream->last;
}

/* Finds a stream that may be asked about or waited for. */
static int find_for_waiting(jrs_call *call, jr_cu_stream handle, jrs_stream **stream) {
    int error = jrs_stream_find(call, handle, stream);
    if (error) return error;
    if ((*stream)->capture) return jrs_capture_break((*stream)->capture, JR_CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    error = jrs_capture_forbids(call->driver);
    if (error || !(*stream)->legacy) return error;
    return jrs_capture_forbids_legacy(call->driver, (*stream)->object.context, true);
}

jr_cu_result cuStreamSynchronize(jr_cu_stream stream) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_stream *found;
    int error = find_for_waiting(&call, stream, &found);
    return jrs_leave(&call, error ? error : jrs_wait(&call, found->object.context, newest(found)));
}

jr_cu_result cuStreamQuery(jr_cu_stream stream) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_stream *found;
    int error = find_for_waiting(&call, stream, &found);
    if (!error) error = jrs_context_error(found->object.context);
    if (!error && jrs_queue_done(jrs_queue_of(call.driver, found->object.context)) < newest(found))
        error = JR_CUDA_ERROR_NOT_READY;
    return jrs_leave(&call, error);
}

/* Asks no current context of a stream that has a handle: this is how a library finds the context to work in. */
jr_cu_result cuStreamGetCtx(jr_cu_stream stream, jr_cu_context *context) {
    jrs_call call;
    bool is_default = (uintptr_t)stream <= 2;
    if (!jrs_enter(&call, __func__, is_default ? JRS_NEED_CONTEXT : JRS_NEED_INIT)) return call.error;
    if (!context) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_stream *found;
    int error = jrs_stream_find(&call, stream, &found);
    if (!error) *context = (jr_cu_context)found->object.context->handle;
    return jrs_leave(&call, error);
}

/* ---- host functions: calls of the application's own, made by the worker in stream order ---- */

typedef struct host_task {
    jrs_task task;
    jr_cu_host_fn function;
    void *user;
} host_task;

static bool host_run(jrs_task *task, jrs_report *report) {
    (void)report;
    const host_task *self = (host_task *)task;
    jrs_thread *thread = jrs_thread_self();
    thread->in_host_function = true;
    self->function(self->user);
    thread->in_host_function = false;
    return true;
}

static void host_destroy(jrs_task *task) {
    free(task);
}

static jrs_task *host_create(jr_cu_host_fn function, void *user) {
    host_task *self = malloc(sizeof *self);
    if (!self) return NULL;
    *self = (host_task){{.run = host_run, .destroy = host_destroy}, function, user};
    return &self->task;
}

jr_cu_result cuLaunchHostFunc(jr_cu_stream stream, jr_cu_host_fn function, void *user) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    jrs_stream *target;
    int error = jrs_stream_for_work(&call, stream, &target);
    if (!error && !function) error = JR_CUDA_ERROR_INVALID_VALUE;
    return jrs_leave(&call, error ? error : jrs_submit(&call, target, host_create(function, user)));
}
