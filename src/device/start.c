/* Retains primary contexts, at once or in a thread that is joined by whoever needs the context first. */
#include "start.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/own_thread.h"

struct jr_start {
    jr_start_of of;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    bool joined;
    jr_cu_result result; /* once joined */
    atomic_bool ready;   /* the context is there; read without the lock, too */
};

static jr_cu_result keep_pinned(const jr_start_of *of) {
    const jr_driver *driver = of->driver;
    jr_cu_result result = driver->cuCtxPushCurrent_v2(*of->context);
    if (result != JR_CUDA_SUCCESS) return result;
    result = driver->cuMemHostAlloc(of->pinned, 1, JR_CU_HOST_DEVICE_MAP | JR_CU_HOST_PORTABLE);
    if (result != JR_CUDA_SUCCESS) *of->pinned = NULL;
    jr_driver_leave(driver, *of->context);
    return result;
}

static jr_cu_result retain(const jr_start_of *of) {
    const jr_cu_result result = of->driver->cuDevicePrimaryCtxRetain(of->context, of->handle);
    *of->primary = result == JR_CUDA_SUCCESS;
    if (!*of->primary) return result;
    /* A context in which a kernel has faulted, and which others still hold, is retained without complaint. */
    const jr_cu_result pinned = keep_pinned(of);
    if (!jr_driver_lost(pinned)) return result;
    of->driver->cuDevicePrimaryCtxRelease_v2(of->handle);
    *of->primary = false;
    *of->context = NULL;
    return pinned;
}

static jr_status told(const jr_start_of *of, jr_cu_result result) {
    return jr_driver_check(of->driver, result, "retaining the primary context of device %d", of->handle);
}

static void *run(void *opaque) {
    jr_start *start = opaque;
    start->result = retain(&start->of);
    return NULL;
}

jr_status jr_start_begin(const jr_start_of *of, bool in_background, jr_start **start) {
    jr_start *made = in_background ? calloc(1, sizeof *made) : NULL;
    *start = NULL;
    if (made == NULL) return told(of, retain(of));
    made->of = *of;
    pthread_mutex_init(&made->lock, NULL);
    if (jr_own_thread_begin(&made->thread, NULL, run, made) != 0) {
        pthread_mutex_destroy(&made->lock);
        free(made);
        return told(of, retain(of));
    }
    *start = made;
    return JR_OK;
}

/* Lock held. Joins the thread, or, when what it did has failed, tries again. */
static jr_status finish(jr_start *start) {
    if (atomic_load_explicit(&start->ready, memory_order_relaxed)) return JR_OK;
    if (start->joined)
        start->result = retain(&start->of);
    else
        pthread_join(start->thread, NULL);
    start->joined = true;
    atomic_store_explicit(&start->ready, start->result == JR_CUDA_SUCCESS, memory_order_release);
    return told(&start->of, start->result);
}

jr_status jr_start_wait(jr_start *start) {
    if (start == NULL || atomic_load_explicit(&start->ready, memory_order_acquire)) return JR_OK;
    pthread_mutex_lock(&start->lock);
    const jr_status status = finish(start);
    pthread_mutex_unlock(&start->lock);
    return status;
}

void jr_start_end(jr_start *start) {
    if (start == NULL) return;
    if (!start->joined) pthread_join(start->thread, NULL);
    pthread_mutex_destroy(&start->lock);
    free(start);
}
