/* The driver: its state, the objects behind the handles, and what every API function begins and ends with.
 *
 * One lock guards everything here but the queue, the memory and a context's fault, which have their own. It is never
 * held while waiting or while a task runs. Order of locks: driver, then queue or memory. */
#ifndef JRS_DRIVER_H
#define JRS_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "device.h"
#include "handle.h"
#include "jrsim.h"
#include "log.h"
#include "queue.h"
#include "sim/exec/launch.h"

typedef struct jrs_context jrs_context;
typedef struct jrs_capture jrs_capture;

/* First member of every object that belongs to a context. */
typedef struct jrs_object {
    uintptr_t handle;
    jrs_context *context;
} jrs_object;

typedef struct jrs_stream {
    jrs_object object; /* handle 0: one of the default streams */
    bool legacy;
    unsigned flags;
    uint64_t last;           /* its newest task */
    uint64_t thread;         /* whose per-thread default stream it is */
    struct jrs_stream *next; /* among the context's per-thread default streams */
    jrs_capture *capture;    /* NULL: not capturing */
    size_t place;            /* among the capture's streams */
} jrs_stream;

/* Contexts are used again, never freed, so that a thread which still waits in a destroyed one reads valid memory. */
struct jrs_context {
    uintptr_t handle;
    uint64_t serial; /* of this life; never repeated */
    bool primary, active;
    unsigned retained;      /* of the primary one */
    uint64_t last;          /* newest task of any stream */
    uint64_t last_blocking; /* newest task of a stream that the legacy one waits for */
    jrs_fault fault;
    jrs_stream legacy;
    jrs_stream *per_thread; /* the default streams of threads that asked for one */
    jrs_context *next_spare;
};

typedef struct jrs_driver {
    pthread_mutex_t lock;
    _Atomic int state; /* a jrs_driver_state */
    pid_t process;     /* that initialised it: a forked child has no worker thread */
    jrs_device_options options;
    jrs_log log;
    jrs_handles handles;
    jrs_memory *memory;
    jrs_queue *queue;
    jrs_context *primary; /* made by the first retain, then kept */
    jrs_context *spare;   /* destroyed ones */
    uint64_t serials;     /* of contexts and captures so far */
    jrs_capture *captures;
} jrs_driver;

/* The one driver of the process. */
jrs_driver *jrs_driver_get(void);

typedef enum jrs_driver_state { JRS_DRIVER_NEW, JRS_DRIVER_READY, JRS_DRIVER_CLOSING } jrs_driver_state;

/* What the driver knows of a calling thread. */
enum { JRS_STACK_DEPTH = 64 };
typedef struct jrs_thread {
    uint64_t id;                      /* never repeated; 0: not asked for yet */
    uintptr_t stack[JRS_STACK_DEPTH]; /* handles of contexts, the current one last */
    unsigned depth;
    bool in_host_function; /* no driver call is allowed there */
    int fault_error;       /* the last fault that a call of this thread returned, and its text */
    const char *fault_text;
    const char *setting_text; /* why cuInit refused the settings; NULL: its last call in this thread did not */
} jrs_thread;

jrs_thread *jrs_thread_self(void);

/* ---- the frame of every API function ---- */

typedef struct jrs_call {
    jrs_driver *driver;
    jrs_context *context; /* the current one, when asked for */
    int error;
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

/* Waits for a task and returns the context's fault. Objects may be gone after it. */
int jrs_wait(jrs_call *call, const jrs_context *context, uint64_t sequence);

/* Gives a task to a stream, which jrs_stream_for_work gave: recorded when the stream is capturing, else queued. Takes
 * the task over in any case; NULL stands for a failed allocation. */
int jrs_submit(jrs_call *call, jrs_stream *stream, jrs_task *task);
/* The same, and waits for it, unless it was recorded. */
int jrs_submit_and_wait(jrs_call *call, jrs_stream *stream, jrs_task *task);

/* Runs work(user) between two tasks of the queue, so that no kernel is running then, and returns after it. */
void jrs_run_errand(jrs_call *call, void (*work)(void *user), void *user);

/* ---- finding what a handle stands for; lock held ---- */

/* NULL: no live object of this kind. handle may be any pointer. */
void *jrs_find(const jrs_call *call, jrs_handle_kind kind, const void *handle);

/* Finds a stream by handle, the default ones by 0, 1 and 2. Errors: 400. */
int jrs_stream_find(jrs_call *call, jr_cu_stream handle, jrs_stream **stream);
/* The same, and checks that it takes work now. Errors: 400, 901, 906. */
int jrs_stream_for_work(jrs_call *call, jr_cu_stream handle, jrs_stream **stream);

/* ---- destroying an object, by its owner's wish or with its context; lock held, work under way goes on ---- */

void jrs_stream_drop(jrs_driver *driver, jrs_stream *stream);
void jrs_event_drop(jrs_driver *driver, void *event);
void jrs_module_drop(jrs_driver *driver, void *module);

#endif
