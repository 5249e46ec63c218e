/* Makes kernels on other threads. */
#include "kernel_order.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/condition.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/own_thread.h"
#include "program/program_copy.h"

struct jr_kernel_order {
    jr_context *context;
    jr_program *program;
    jr_kernel_ready *ready;
    void *user;
    pthread_t thread;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t ended;
    bool done, freed_by_thread;
    jr_status status;
    jr_kernel *kernel;
    jr_error_saved *error;
};

/* Whose callback this thread runs. */
static _Thread_local jr_kernel_order *calling;

static void free_order(jr_kernel_order *order) {
    jr_error_discard(order->error);
    pthread_cond_destroy(&order->ended);
    pthread_mutex_destroy(&order->lock);
    free(order->program);
    free(order);
}

static void *make(void *opaque) {
    jr_kernel_order *order = opaque;
    jr_float_mode creators;
    jr_kernel_cost cost;
    jr_kernel *kernel = NULL;
    jr_float_mode_enter(&creators);
    jr_capture_let_thread(&order->context->device);
    const jr_status status = jr_kernel_of_caller(order->context, order->program, &kernel, &cost);
    pthread_mutex_lock(&order->lock);
    order->status = status;
    order->kernel = kernel;
    order->error = status != JR_OK ? jr_error_save() : NULL;
    order->done = true;
    pthread_cond_broadcast(&order->ended);
    pthread_mutex_unlock(&order->lock);
    calling = order;
    if (order->ready != NULL) order->ready(order->user, status, kernel);
    if (order->freed_by_thread) { /* set by this thread */
        pthread_detach(pthread_self());
        free_order(order);
    }
    return NULL;
}

jr_status jr_order_begin(jr_context *context, const jr_program *program, jr_kernel_ready *ready, void *user,
                         jr_kernel_order **order) {
    jr_program *copy = NULL;
    JR_TRY(jr_program_copy(program, &copy));
    jr_kernel_order *made = calloc(1, sizeof *made);
    if (made == NULL) {
        free(copy);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the order of program %s", program->name);
    }
    *made = (jr_kernel_order){.context = context, .program = copy, .ready = ready, .user = user};
    pthread_mutex_init(&made->lock, NULL);
    jr_condition_open(&made->ended);
    *order = made; /* before the thread begins: its callback may use it */
    const int error = jr_own_thread_begin(&made->thread, NULL, make, made);
    if (error == 0) return JR_OK;
    *order = NULL;
    free_order(made);
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no thread could be made for program %s: %s", program->name,
                   strerror(error));
}

jr_status jr_order_wait(jr_kernel_order *order, double wait_ms, jr_kernel **kernel) {
    if (!(wait_ms >= 0))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "wait_ms %g is not allowed: give milliseconds, 0 or more, or INFINITY", wait_ms);
    const double until_ms = jr_clock_ms() + wait_ms;
    pthread_mutex_lock(&order->lock);
    while (!order->done && jr_condition_wait(&order->ended, &order->lock, until_ms)) continue;
    const jr_status status = order->done ? order->status : JR_OK;
    jr_error_saved *error = status != JR_OK ? jr_error_copy(order->error) : NULL;
    if (status == JR_OK) *kernel = order->kernel;
    pthread_mutex_unlock(&order->lock);
    if (status == JR_OK) return JR_OK;
    if (error == NULL) return jr_fail(status, "no memory to say what failed");
    jr_error_adopt(error);
    return status;
}

void jr_order_end(jr_kernel_order *order) {
    if (order == calling) {
        order->freed_by_thread = true;
        return;
    }
    pthread_join(order->thread, NULL);
    free_order(order);
}

/* ---- lists ---- */

/* A list while threads work on it. */
typedef struct list {
    jr_context *context;
    const jr_program *programs;
    size_t count;
    jr_kernel **kernels;
    pthread_mutex_t lock; /* guards the rest */
    size_t next, failed;  /* failed: the first one that failed; count: none */
    jr_status status;
    jr_error_saved *error;
} list;

static size_t take(list *of) {
    pthread_mutex_lock(&of->lock);
    const size_t taken = of->next < of->count ? of->next++ : of->count;
    pthread_mutex_unlock(&of->lock);
    return taken;
}

static void note_failure(list *of, size_t which, jr_status status) {
    jr_error_saved *error = jr_error_save();
    pthread_mutex_lock(&of->lock);
    if (which < of->failed) {
        jr_error_saved *later = of->error;
        of->failed = which;
        of->status = status;
        of->error = error;
        error = later;
    }
    pthread_mutex_unlock(&of->lock);
    jr_error_discard(error);
}

static void *make_some(void *opaque) {
    list *of = opaque;
    for (size_t i; (i = take(of)) < of->count;) {
        jr_kernel_cost cost;
        const jr_status status = jr_kernel_of_caller(of->context, &of->programs[i], &of->kernels[i], &cost);
        if (status != JR_OK) note_failure(of, i, status);
    }
    return NULL;
}

static void *make_some_apart(void *opaque) {
    jr_float_mode creators;
    jr_float_mode_enter(&creators);
    return make_some(opaque);
}

enum { THREADS_MAX = 8 };

/* As many as there are cores, and gigabytes of free memory: a compile takes hundreds of megabytes. */
static size_t threads_for(size_t count) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const long gigabytes =
        pages > 0 && page > 0 ? (long)(((unsigned long long)pages * (unsigned long long)page) >> 30) : 1;
    long threads = cores < THREADS_MAX ? cores : THREADS_MAX;
    if (gigabytes < threads) threads = gigabytes;
    if (threads < 1) threads = 1;
    return count < (size_t)threads ? count : (size_t)threads;
}

jr_status jr_orders_all(jr_context *context, const jr_program *programs, size_t count, jr_kernel **kernels) {
    list of = {.context = context, .programs = programs, .count = count, .kernels = kernels, .failed = count};
    pthread_t threads[THREADS_MAX];
    size_t begun = 0;
    for (size_t i = 0; i < count; i++) kernels[i] = NULL;
    pthread_mutex_init(&of.lock, NULL);
    /* This thread is one of them; where no other can be had, it does all. */
    while (begun + 1 < threads_for(count) && jr_own_thread_begin(&threads[begun], NULL, make_some_apart, &of) == 0)
        begun++;
    make_some(&of);
    for (size_t i = 0; i < begun; i++) pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&of.lock);
    if (of.failed == count) return JR_OK;
    if (of.error == NULL)
        return jr_fail(of.status, "programs[%zu] failed, and there is no memory to say why", of.failed);
    jr_error_adopt(of.error);
    return jr_fail_prefix("programs[%zu]: ", of.failed);
}
