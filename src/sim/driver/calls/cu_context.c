/* Contexts: the primary ones and created ones, and each thread's stack of current ones. */
#include <stdlib.h>

#include "across.h"
#include "sim/driver/limit.h"
#include "sim/driver/sim_capture.h"

/* An inactive context without a handle; NULL when out of memory. */
static jrs_context *take_context(jrs_driver *driver) {
    jrs_context *context = driver->spare;
    if (context)
        driver->spare = context->next_spare;
    else
        context = calloc(1, sizeof *context);
    return context;
}

static void activate(jrs_driver *driver, jrs_context *context, jr_cu_device device, bool primary) {
    context->serial = ++driver->serials;
    context->device = (unsigned)device;
    context->primary = primary;
    context->active = true;
    context->last = context->last_blocking = 0;
    context->fault.text = NULL;
    atomic_store(&context->fault.error, 0);
    jrs_view_begin(&context->view, context->device);
    jrs_limits_begin(context);
    context->legacy = (jrs_stream){.object = {0, context}, .legacy = true};
}

static void drop_objects(jrs_driver *driver, const jrs_context *context) {
    for (size_t i = 0; i < driver->handles.count; i++) {
        const jrs_handle_slot *slot = &driver->handles.slots[i];
        bool owned =
            slot->kind == JRS_HANDLE_MODULE || slot->kind == JRS_HANDLE_STREAM || slot->kind == JRS_HANDLE_EVENT;
        if (!slot->object || !owned || ((jrs_object *)slot->object)->context != context) continue;
        if (slot->kind == JRS_HANDLE_MODULE) jrs_module_drop(driver, slot->object);
        if (slot->kind == JRS_HANDLE_STREAM) jrs_stream_drop(driver, slot->object);
        if (slot->kind == JRS_HANDLE_EVENT) jrs_event_drop(driver, slot->object);
    }
}

/* Nobody is a peer of the context any more, nor it anybody's. */
static void drop_peers(const jrs_driver *driver, jrs_context *context) {
    jrs_view_begin(&context->view, context->device);
    for (size_t i = 0; i < driver->handles.count; i++) {
        const jrs_handle_slot *slot = &driver->handles.slots[i];
        if (!slot->object || slot->kind != JRS_HANDLE_CONTEXT) continue;
        jrs_view_remove(&((jrs_context *)slot->object)->view, context->serial);
    }
}

/* Destroys what the context owns, after its work. Its handle no longer stands for it. */
static void retire(jrs_call *call, jrs_context *context) {
    jrs_driver *driver = call->driver;
    context->active = false;
    drop_objects(driver, context);
    while (context->per_thread) {
        jrs_stream *stream = context->per_thread;
        context->per_thread = stream->next;
        jrs_stream_drop(driver, stream);
    }
    if (jrs_pause(call, jrs_all_devices(driver))) {
        jrs_memory_release_owned(driver->memory, context->serial);
        jrs_limits_end(driver, context);
    }
    jrs_resume(call);
    drop_peers(driver, context);
    context->next_spare = driver->spare;
    driver->spare = context;
}

/* Makes the handle of a device's primary context stand for a fresh, inactive context. */
static bool renew_primary(jrs_driver *driver, jr_cu_device number) {
    jrs_device *device = &driver->devices[number];
    jrs_context *fresh = take_context(driver);
    if (!fresh) return false;
    fresh->active = false;
    fresh->retained = 0;
    if (device->primary) {
        fresh->handle = device->primary->handle;
        jrs_handle_replace(&driver->handles, fresh->handle, fresh);
    } else {
        fresh->handle = jrs_handle_add(&driver->handles, JRS_HANDLE_CONTEXT, fresh);
        if (!fresh->handle) {
            free(fresh);
            return false;
        }
    }
    device->primary = fresh;
    return true;
}

jr_cu_result cuDevicePrimaryCtxRetain(jr_cu_context *context, jr_cu_device device) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!context) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    if (!jrs_has_device(call.driver, device)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_DEVICE);
    if (!call.driver->devices[device].primary && !renew_primary(call.driver, device))
        return jrs_leave(&call, JR_CUDA_ERROR_OUT_OF_MEMORY);
    jrs_context *primary = call.driver->devices[device].primary;
    if (!primary->active) activate(call.driver, primary, device, true);
    primary->retained++;
    *context = (jr_cu_context)primary->handle;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuDevicePrimaryCtxRelease_v2(jr_cu_device device) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!jrs_has_device(call.driver, device)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_DEVICE);
    jrs_context *primary = call.driver->devices[device].primary;
    if (!primary || primary->retained == 0) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_CONTEXT);
    if (primary->retained == 1) {
        if (!renew_primary(call.driver, device)) return jrs_leave(&call, JR_CUDA_ERROR_OUT_OF_MEMORY);
        retire(&call, primary);
    } else {
        primary->retained--;
    }
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuDevicePrimaryCtxGetState(jr_cu_device device, unsigned *flags, int *active) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!flags || !active) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    if (!jrs_has_device(call.driver, device)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_DEVICE);
    const jrs_context *primary = call.driver->devices[device].primary;
    *flags = 0;
    *active = primary && primary->active;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

static int push(uintptr_t handle) {
    jrs_thread *thread = jrs_thread_self();
    if (thread->depth == JRS_STACK_DEPTH) return JR_CUDA_ERROR_OUT_OF_MEMORY;
    thread->stack[thread->depth++] = handle;
    return JR_CUDA_SUCCESS;
}

jr_cu_result cuCtxCreate_v2(jr_cu_context *context, unsigned flags, jr_cu_device device) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!context || flags > 0xff) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    if (!jrs_has_device(call.driver, device)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_DEVICE);
    jrs_context *fresh = take_context(call.driver);
    if (!fresh) return jrs_leave(&call, JR_CUDA_ERROR_OUT_OF_MEMORY);
    fresh->handle = jrs_handle_add(&call.driver->handles, JRS_HANDLE_CONTEXT, fresh);
    if (!fresh->handle || push(fresh->handle)) {
        if (fresh->handle) jrs_handle_remove(&call.driver->handles, fresh->handle);
        fresh->next_spare = call.driver->spare;
        call.driver->spare = fresh;
        return jrs_leave(&call, JR_CUDA_ERROR_OUT_OF_MEMORY);
    }
    activate(call.driver, fresh, device, false);
    *context = (jr_cu_context)fresh->handle;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuCtxDestroy_v2(jr_cu_context context) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    jrs_context *found = jrs_find(&call, JRS_HANDLE_CONTEXT, context);
    if (!found || found->primary || !found->active) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_CONTEXT);
    jrs_thread *thread = jrs_thread_self();
    if (thread->depth > 0 && thread->stack[thread->depth - 1] == found->handle) thread->depth--;
    jrs_handle_remove(&call.driver->handles, found->handle);
    retire(&call, found);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

static bool usable(const jrs_call *call, jr_cu_context context) {
    const jrs_context *found = jrs_find(call, JRS_HANDLE_CONTEXT, context);
    return found && found->active;
}

jr_cu_result cuCtxGetCurrent(jr_cu_context *context) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!context) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_thread *thread = jrs_thread_self();
    *context = thread->depth ? (jr_cu_context)thread->stack[thread->depth - 1] : NULL;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuCtxSetCurrent(jr_cu_context context) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (context && !usable(&call, context)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_CONTEXT);
    jrs_thread *thread = jrs_thread_self();
    if (thread->depth > 0) thread->depth--;
    return jrs_leave(&call, context ? push((uintptr_t)context) : JR_CUDA_SUCCESS);
}

jr_cu_result cuCtxPushCurrent_v2(jr_cu_context context) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    return jrs_leave(&call, usable(&call, context) ? push((uintptr_t)context) : JR_CUDA_ERROR_INVALID_CONTEXT);
}

jr_cu_result cuCtxPopCurrent_v2(jr_cu_context *context) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    jrs_thread *thread = jrs_thread_self();
    if (thread->depth == 0) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_CONTEXT);
    thread->depth--;
    if (context) *context = (jr_cu_context)thread->stack[thread->depth];
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuCtxGetDevice(jr_cu_device *device) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_CONTEXT)) return call.error;
    if (device) *device = (jr_cu_device)call.context->device;
    return jrs_leave(&call, device ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE);
}

jr_cu_result cuCtxSynchronize(void) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    int error = jrs_capture_forbids_waiting(call.driver, call.context);
    if (!error) error = jrs_capture_forbids(call.driver);
    if (error) return jrs_leave(&call, error);
    return jrs_leave(&call, jrs_wait(&call, call.context, call.context->last));
}
