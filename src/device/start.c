/* Retains primary contexts, at once or in a thread that is joined by whoever needs the context first. */
#include "start.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"

struct jr_device_start {
    jr_device *device;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    bool joined;
    jr_cu_result result; /* once joined */
    atomic_bool ready;   /* the context is there; read without the lock, too */
};

static jr_cu_result retain(jr_device *device) {
    const jr_cu_result result = device->driver.cuDevicePrimaryCtxRetain(&device->context, device->handle);
    device->primary = result == JR_CUDA_SUCCESS;
    return result;
}

static jr_status told(const jr_device *device, jr_cu_result result) {
    if (result == JR_CUDA_SUCCESS) return JR_OK;
    return jr_driver_fail(&device->driver, result, "retaining the primary context of device %d", device->handle);
}

static void *run(void *opaque) {
    jr_device_start *start = opaque;
    start->result = retain(start->device);
    return NULL;
}

/* The application's signals are not for this thread. */
static bool begin_thread(jr_device_start *start) {
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
    const bool begun = pthread_create(&start->thread, NULL, run, start) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}

jr_status jr_device_start_primary(jr_device *device, bool in_background) {
    jr_device_start *start = in_background ? calloc(1, sizeof *start) : NULL;
    if (start == NULL) return told(device, retain(device));
    start->device = device;
    pthread_mutex_init(&start->lock, NULL);
    if (!begin_thread(start)) {
        pthread_mutex_destroy(&start->lock);
        free(start);
        return told(device, retain(device));
    }
    device->start = start;
    return JR_OK;
}

/* Lock held. Joins the thread, or, when what it did has failed, tries again. */
static jr_status finish(jr_device_start *start) {
    if (atomic_load_explicit(&start->ready, memory_order_relaxed)) return JR_OK;
    if (start->joined)
        start->result = retain(start->device);
    else
        pthread_join(start->thread, NULL);
    start->joined = true;
    atomic_store_explicit(&start->ready, start->result == JR_CUDA_SUCCESS, memory_order_release);
    return told(start->device, start->result);
}

jr_status jr_device_start_wait(const jr_device *device) {
    jr_device_start *start = device->start;
    if (start == NULL || atomic_load_explicit(&start->ready, memory_order_acquire)) return JR_OK;
    pthread_mutex_lock(&start->lock);
    const jr_status status = finish(start);
    pthread_mutex_unlock(&start->lock);
    return status;
}

void jr_device_start_end(jr_device *device) {
    jr_device_start *start = device->start;
    if (start == NULL) return;
    if (!start->joined) pthread_join(start->thread, NULL);
    pthread_mutex_destroy(&start->lock);
    free(start);
    device->start = NULL;
}
