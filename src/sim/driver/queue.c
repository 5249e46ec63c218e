/* The queue: a linked list, a lock, and a thread. */
#include "queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "error_text.h"

struct jrs_queue {
    pthread_mutex_t lock;
    pthread_cond_t work; /* a task came or has its turn, or it is time to stop */
    pthread_cond_t done; /* a task was done, or the thread stopped */
    jrs_task *first, *last;
    uint64_t pushed;
    _Atomic uint64_t completed, *progress;
    unsigned waiting; /* threads in jrs_queue_wait */
    bool stopping, stopped;
    pthread_t thread;
};

enum { STOP_WAIT_MS = 200 };

static void make_monotonic(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

void jrs_queue_finish(jrs_queue *queue, uint64_t sequence) {
    pthread_mutex_lock(&queue->lock);
    atomic_store_explicit(&queue->completed, sequence, memory_order_release);
    atomic_fetch_add_explicit(queue->progress, 1, memory_order_relaxed);
    if (queue->waiting) pthread_cond_broadcast(&queue->done);
    if (queue->first) pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&queue->lock);
}

/* A task that has its turn: nobody else sets its context's fault meanwhile. No lock held. */
static void run(jrs_queue *queue, jrs_task *task) {
    const uint64_t sequence = task->sequence;
    jrs_fault *fault = task->fault;
    jrs_report report = {0};
    const bool lost = fault && atomic_load_explicit(&fault->error, memory_order_acquire);
    if (!lost && !task->run(task, &report) && fault) {
        fault->text = jrs_error_text_keep(report.error, report.message);
        atomic_store_explicit(&fault->error, report.error, memory_order_release);
    }
    task->destroy(task);
    jrs_queue_finish(queue, sequence);
}

/* Lock held. Numbers that callers took come in between. */
static bool has_turn(const jrs_queue *queue) {
    return queue->first && jrs_queue_done(queue) + 1 == queue->first->sequence;
}

static void *serve(void *argument) {
    jrs_queue *queue = argument;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->stopping && !has_turn(queue)) pthread_cond_wait(&queue->work, &queue->lock);
        if (queue->stopping) break;
        jrs_task *task = queue->first;
        queue->first = task->next;
        pthread_mutex_unlock(&queue->lock);
        run(queue, task);
        pthread_mutex_lock(&queue->lock);
    }
    queue->stopped = true;
    pthread_cond_broadcast(&queue->done);
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

jrs_queue *jrs_queue_create(_Atomic uint64_t *progress) {
    jrs_queue *queue = calloc(1, sizeof *queue);
    if (!queue) return NULL;
    queue->progress = progress;
    pthread_mutex_init(&queue->lock, NULL);
    make_monotonic(&queue->work);
    make_monotonic(&queue->done);
    if (pthread_create(&queue->thread, NULL, serve, queue) == 0) return queue;
    free(queue);
    return NULL;
}

uint64_t jrs_queue_push(jrs_queue *queue, jrs_task *task) {
    pthread_mutex_lock(&queue->lock);
    const uint64_t sequence = task->sequence = ++queue->pushed;
    task->next = NULL;
    if (queue->first)
        queue->last->next = task;
    else
        queue->first = task;
    queue->last = task;
    pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&queue->lock);
    return sequence;
}

uint64_t jrs_queue_take(jrs_queue *queue) {
    pthread_mutex_lock(&queue->lock);
    uint64_t sequence = ++queue->pushed;
    pthread_mutex_unlock(&queue->lock);
    return sequence;
}

bool jrs_queue_run(jrs_queue *queue, jrs_task *task) {
    const bool has_come = jrs_queue_wait(queue, task->sequence - 1);
    if (has_come)
        run(queue, task);
    else
        task->destroy(task);
    return has_come;
}

uint64_t jrs_queue_newest(jrs_queue *queue) {
    pthread_mutex_lock(&queue->lock);
    const uint64_t sequence = queue->pushed;
    pthread_mutex_unlock(&queue->lock);
    return sequence;
}

uint64_t jrs_queue_done(const jrs_queue *queue) {
    return atomic_load_explicit(&queue->completed, memory_order_acquire);
}

bool jrs_queue_wait(jrs_queue *queue, uint64_t sequence) {
    if (jrs_queue_done(queue) >= sequence) return true;
    pthread_mutex_lock(&queue->lock);
    queue->waiting++;
    while (jrs_queue_done(queue) < sequence && !queue->stopped) pthread_cond_wait(&queue->done, &queue->lock);
    queue->waiting--;
    pthread_mutex_unlock(&queue->lock);
    return jrs_queue_done(queue) >= sequence;
}

void jrs_queue_stop(jrs_queue *queue) {
    pthread_mutex_lock(&queue->lock);
    queue->stopping = true;
    pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&queue->lock);
}

void jrs_queue_join(jrs_queue *queue) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += STOP_WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&queue->lock);
    int late = 0;
    while (!queue->stopped && !late) late = pthread_cond_timedwait(&queue->done, &queue->lock, &until);
    bool join = queue->stopped;
    pthread_mutex_unlock(&queue->lock);
    if (join)
        pthread_join(queue->thread, NULL);
    else
        pthread_detach(queue->thread);
}
