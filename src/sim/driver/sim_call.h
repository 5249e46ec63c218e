/* Calls: what every API function begins and ends with, and how it gives work to the queue. */
#ifndef JRS_DRIVER_CALL_H
#define JRS_DRIVER_CALL_H

#include "sim_driver.h"

typedef struct jrs_call {
    jrs_driver *driver;
    jrs_context *context; /* the current one, when asked for */
    int error;
    uint64_t turns[JRS_DEVICES]; /* the queue's turn that pauses each device; 0: the device is not paused */
} jrs_call;

/* What must be so before a function does its work; each includes those before it. */
typedef enum jrs_need {
    JRS_NEED_NOTHING,
    JRS_NEED_INIT,    /* else 3 */
    JRS_NEED_CONTEXT, /* a current context, else 201 or 709 */
    JRS_NEED_HEALTHY, /* that did not fault, else the fault */
    JRS_NEED_SAFE     /* and no capture that forbids calls like this to the thread, else 900 */
} jrs_need;

/* Counts the call, lets it fail if a rule says so, takes the lock and checks the needs. False: return call->error. */
bool jrs_enter(jrs_call *call, const char *name, jrs_need need);
/* Lets the lock go and returns error. */
int jrs_leave(jrs_call *call, int error);

/* ---- waiting and submitting; lock held, let go meanwhile ---- */

/* The context's fault, 0 for none; remembered for cuGetErrorString. */
int jrs_context_error(const jrs_context *context);

/* Waits for a task and returns the context's fault; 4 when the process ends before. Objects may be gone after it. */
int jrs_wait(jrs_call *call, const jrs_context *context, uint64_t sequence);

/* Gives a task to a stream, which jrs_stream_for_work gave: recorded when the stream is capturing, else queued. Takes
 * the task over in any case; NULL stands for a failed allocation. */
int jrs_submit(jrs_call *call, jrs_stream *stream, jrs_task *task);
/* The same, and waits for it, unless it was recorded. */
int jrs_submit_and_wait(jrs_call *call, jrs_stream *stream, jrs_task *task);

/* Lets the lock go and waits for all work so far of some devices (a bit each); until jrs_resume, which takes the lock
 * again, no kernel of theirs is running. False: the process ends, and kernels may be running. */
bool jrs_pause(jrs_call *call, unsigned devices);
void jrs_resume(jrs_call *call);

/* ---- handles and what they stand for; lock held ---- */

/* NULL: no live object of this kind. handle may be any pointer. */
void *jrs_find(const jrs_call *call, jrs_handle_kind kind, const void *handle);

/* Makes an object of the current context and its handle, which owns it; the bytes after its jrs_object are 0. NULL: out
 * of memory. */
void *jrs_object_add(const jrs_call *call, jrs_handle_kind kind, size_t bytes);

/* Finds a stream by handle, the default ones by 0, 1 and 2. Errors: 400. */
int jrs_stream_find(jrs_call *call, jr_cu_stream handle, jrs_stream **stream);
/* The same, and checks that it takes work now. Errors: 400, 901, 906. */
int jrs_stream_for_work(jrs_call *call, jr_cu_stream handle, jrs_stream **stream);

/* ---- destroys an object, alone or with its context; caller holds the lock; running work continues ---- */

void jrs_stream_drop(jrs_driver *driver, jrs_stream *stream);
void jrs_event_drop(jrs_driver *driver, void *event);
void jrs_module_drop(jrs_driver *driver, void *module);

#endif
