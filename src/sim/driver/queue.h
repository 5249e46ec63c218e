/* The queue runs a device's work one task after the other, in the order in which it was handed over: on a thread of its
 * own, or on the threads of callers that wait anyway.
 *
 * All streams of all contexts of the device share it. That is a legal serialisation of any stream program: a stream's
 * own order holds, and an event can only be waited for after it was recorded. What it rules out is work that *needs*
 * another stream of its device to run at the same time, or a host that feeds a running kernel through calls that must
 * themselves wait in the queue (a polled flag in mapped host memory works: the host writes it directly). CUDA promises
 * neither. Queues of several devices run at the same time. They wait for each other only in tasks (across.h) that wait
 * for work handed over earlier, so the earliest task that is not done can always run: there is no deadlock.
 *
 * Because of the order, "task n is done" means "all tasks up to n are done": one number describes how far a stream or
 * event is. */
#ifndef JRS_DRIVER_QUEUE_H
#define JRS_DRIVER_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/ptx/ptx_report.h"

/* A context's fault: set once by the task that failed; then the context's tasks are passed over. */
typedef struct jrs_fault {
    _Atomic int error; /* CUresult; 0: none. The text is written before it */
    const char *text;  /* interned, lives for ever */
} jrs_fault;

typedef struct jrs_task jrs_task;

/* Embedded as the first member of a task of some subject. */
struct jrs_task {
    jrs_task *next;
    uint64_t sequence;
    jrs_fault *fault; /* of its context; NULL: of none, and it does not fault */
    unsigned visits; /* other devices whose memory it touches, a bit each; what a kernel's peers have is not among it */
    /* Does the work; false and a report when it faulted. Tasks of a graph are run many times. */
    bool (*run)(jrs_task *task, jrs_report *report);
    void (*destroy)(jrs_task *task);
};

typedef struct jrs_queue jrs_queue;

/* progress: counts what was done. NULL when the host is out of memory or threads. */
jrs_queue *jrs_queue_create(_Atomic uint64_t *progress);

/* Stops the thread after the task in hand, and waits for that, but not for a long one: at the end of a process nobody
 * needs it. The queue's memory stays. */
void jrs_queue_stop(jrs_queue *queue);
void jrs_queue_join(jrs_queue *queue);

/* Hands a task over, which the queue destroys after running it. Returns its number. */
uint64_t jrs_queue_push(jrs_queue *queue, jrs_task *task);

/* Takes the next number for work that the caller does itself, which saves two changes of thread: when jrs_queue_wait
 * has returned true for the number before, what was handed over later is held back until jrs_queue_finish. */
uint64_t jrs_queue_take(jrs_queue *queue);
void jrs_queue_finish(jrs_queue *queue, uint64_t sequence);

/* Runs a task with such a number in its turn, and destroys it. No lock held that a task may need. False: its turn never
 * comes, since the thread stopped. */
bool jrs_queue_run(jrs_queue *queue, jrs_task *task);

/* Number of the newest task that was handed over. */
uint64_t jrs_queue_newest(jrs_queue *queue);
/* Number of the newest task that is done. Any thread, no lock. */
uint64_t jrs_queue_done(const jrs_queue *queue);
/* False: the thread stopped, and what was left then is never done. */
bool jrs_queue_wait(jrs_queue *queue, uint64_t sequence);

#endif
