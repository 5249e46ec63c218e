/* The driver: its state, and handles, the numbers that callers get for its objects. A stale or invented handle is
 * reported as an error and never dereferenced.
 *
 * A handle packs a mark, the object's kind, a generation and a slot. Slots are used again, generations are not, so the
 * handle of a destroyed object finds nothing.
 *
 * One lock guards everything here except the queue, the memory and a context's fault, which have locks of their own. No
 * thread holds it while it waits or runs a task. Order of locks: driver, then queue or memory. */
#ifndef JRS_DRIVER_DRIVER_H
#define JRS_DRIVER_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "jrsim.h"
#include "queue.h"
#include "sim/exec/memory/heap.h"
#include "sim/exec/sim_launch.h"
#include "sim_device.h"
#include "sim_log.h"

typedef enum jrs_handle_kind {
    JRS_HANDLE_NONE,
    JRS_HANDLE_CONTEXT,
    JRS_HANDLE_MODULE,
    JRS_HANDLE_FUNCTION,
    JRS_HANDLE_STREAM,
    JRS_HANDLE_EVENT,
    JRS_HANDLE_GRAPH,
    JRS_HANDLE_GRAPH_EXEC,
    JRS_HANDLE_COUNT
} jrs_handle_kind;

typedef struct jrs_handle_slot {
    void *object; /* NULL: free */
    jrs_handle_kind kind;
    uint32_t generation;
    size_t next_free; /* index + 1 of another free slot; 0: none */
} jrs_handle_slot;

typedef struct jrs_handles {
    jrs_handle_slot *slots;
    size_t count, capacity;
    size_t free; /* index + 1 of the first free slot; 0: none */
    size_t live[JRS_HANDLE_COUNT];
} jrs_handles;

/* 0 when out of memory. */
uintptr_t jrs_handle_add(jrs_handles *handles, jrs_handle_kind kind, void *object);
/* NULL when the handle is not of a live object of this kind. */
void *jrs_handle_find(const jrs_handles *handles, jrs_handle_kind kind, uintptr_t handle);
/* Both: handle is a live one. Replacing keeps the number. */
void jrs_handle_replace(jrs_handles *handles, uintptr_t handle, void *object);
void jrs_handle_remove(jrs_handles *handles, uintptr_t handle);

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
    unsigned device;
    bool primary, active;
    unsigned retained;      /* of the primary one */
    uint64_t last;          /* newest task of any stream */
    uint64_t last_blocking; /* newest task of a stream that the legacy one waits for */
    jrs_fault fault;
    jrs_view view;     /* of its kernels */
    size_t heap_bytes; /* of a heap that is made */
    jrs_heap *heap;    /* of its kernels' malloc; NULL: none was needed so far */
    jrs_stream legacy;
    jrs_stream *per_thread; /* the default streams of threads that asked for one */
    jrs_context *next_spare;
};

/* One of the devices: its work, and its primary context. */
typedef struct jrs_device {
    jrs_queue *queue;
    jrs_context *primary;         /* made by the first retain, then kept */
    uint64_t visits[JRS_DEVICES]; /* its newest task that touches memory of another device, of each */
} jrs_device;

typedef struct jrs_driver {
    pthread_mutex_t lock;
    _Atomic int state; /* a jrs_driver_state */
    pid_t process;     /* that initialised it: a forked child has no worker thread */
    jrs_device_options options;
    jrs_log log, rounds; /* rounds: its file is NULL where they are not asked for */
    jrs_handles handles;
    jrs_memory *memory;
    jrs_device devices[JRS_DEVICES];
    jrs_context *spare; /* destroyed ones */
    uint64_t serials;   /* of contexts and captures so far */
    jrs_capture *captures;
    jrs_activity activity;
    jrs_watch *watch; /* NULL: there is one device, or nobody judges */
} jrs_driver;

/* The one driver of the process. */
jrs_driver *jrs_driver_get(void);

/* Whether there is such a device. */
static inline bool jrs_has_device(const jrs_driver *driver, jr_cu_device device) {
    return device >= 0 && (unsigned)device < driver->options.devices;
}

/* Where the work of a context is done. */
static inline jrs_queue *jrs_queue_of(const jrs_driver *driver, const jrs_context *context) {
    return driver->devices[context->device].queue;
}

typedef enum jrs_driver_state { JRS_DRIVER_NEW, JRS_DRIVER_READY, JRS_DRIVER_CLOSING } jrs_driver_state;

/* What the driver knows of a calling thread. */
enum { JRS_STACK_DEPTH = 64 };
typedef struct jrs_thread {
    uint64_t id;                      /* never repeated; 0: not asked for yet */
    uintptr_t stack[JRS_STACK_DEPTH]; /* handles of contexts, the current one last */
    unsigned depth;
    int capture_mode;      /* which captures forbid it calls that are unsafe; 0: JR_CU_CAPTURE_GLOBAL */
    bool in_host_function; /* no driver call is allowed there */
    int fault_error;       /* the last fault that a call of this thread returned, and its text */
    const char *fault_text;
    const char *setting_text; /* why cuInit refused the settings; NULL: its last call in this thread did not */
} jrs_thread;

jrs_thread *jrs_thread_self(void);

#endif
