/* Host functions: calls of the application's own, made by the worker in stream order. */
#include <stdlib.h>

#include "sim/driver/sim_call.h"

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
