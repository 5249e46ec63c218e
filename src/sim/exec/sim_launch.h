/* Launches: runs a module's kernels on CPU threads.
 *
 * A device address of global memory is the host address of the simulated memory itself. Shared and local memory have
 * generic addresses in windows far outside anything the host maps. */
#ifndef JRS_EXEC_LAUNCH_H
#define JRS_EXEC_LAUNCH_H

#include "sim/exec/memory/sim_memory.h"
#include "sim/exec/memory/sim_view.h"
#include "sim/ptx/module/ptx_module.h"

/* What becomes of what the hardware would not stop: races, undefined values, accesses before their time. */
typedef enum jrs_judge {
    JRS_JUDGE_STRICT, /* it ends the launch */
    JRS_JUDGE_WARN,   /* it is reported, and the kernel continues */
    JRS_JUDGE_OFF     /* it is not looked for */
} jrs_judge;

/* Whether kernels are compiled: see native/native.h. */
typedef enum jrs_native_mode {
    JRS_NATIVE_OFF,
    JRS_NATIVE_ON,  /* those that run long, in the background */
    JRS_NATIVE_ONLY /* all, before they run; a launch that cannot be fails */
} jrs_native_mode;

/* The warp whose instructions are traced: one line each, with the values that the instruction's registers have after
 * it. */
typedef struct jrs_trace_request {
    void (*line)(void *user, const char *text); /* NULL: no trace */
    uint64_t block;                             /* counted through the grid, x first */
    unsigned warp;                              /* of the block */
} jrs_trace_request;

/* The trace of rounds: what threads store, load and exchange, one line each (see rounds.c). */
typedef struct jrs_rounds_request {
    void (*line)(void *user, const char *text); /* NULL: no trace of rounds; called with text NULL when the launch has
                                                 * ended */
    void *user;
} jrs_rounds_request;

/* What all launches of all devices have done so far. A kernel may wait for one of another device: what that does counts
 * for both (see standstill.c). */
typedef struct jrs_activity {
    _Atomic uint64_t progress;
    _Atomic uint64_t fresh; /* slices that touched new pages or ended a warp: such progress has an end */
    _Atomic uint64_t work;  /* slices that did other things than poll */
} jrs_activity;

/* What finds races between devices (see watch.c). */
typedef struct jrs_watch jrs_watch;
jrs_watch *jrs_watch_create(unsigned devices); /* is never freed; NULL: the host is out of memory */
/* Device memory is watched from now on, too: contexts have peers. NULL: nothing. */
void jrs_watch_peers(jrs_watch *watch);

typedef struct jrs_launch {
    const jrs_function *function;
    unsigned grid[3], block[3];
    unsigned cluster[3];    /* zeros: that of the function, or a block alone */
    unsigned shared_bytes;  /* dynamic */
    const void *parameters; /* the function's parameter_bytes, already copied */
    const jrs_memory *memory;
    const jrs_view *view;     /* NULL: it may touch all memory */
    struct jrs_heap *heap;    /* of malloc and free; NULL: it is full */
    jrs_watch *watch;         /* NULL: races between devices are not looked for; else there is a view */
    jrs_activity *activity;   /* shared by launches that may run at the same time; NULL: there are no others */
    unsigned resident_blocks; /* blocks that are resident at the same time on the whole device: from occupancy */
    unsigned multiprocessors; /* for %smid, %nsmid */
    unsigned threads;         /* CPU threads to use */
    uint64_t seed;            /* 0: warps in order; else shuffles the order of warps and blocks */
    uint64_t grid_workspace;  /* address of the grid barrier of a cooperative launch; 0: not cooperative */
    bool dependent;           /* global memory may be touched only after griddepcontrol.wait */
    uint64_t step_limit;      /* 0: none; else warp instructions without progress (no store that changes memory, no
                               * block finished, no barrier passed) after which the launch fails with 702 and its place */
    void (*print)(void *user, const char *text, size_t length); /* printf output, in whole calls; NULL: stdout */
    /* A sentence on what is allowed but strange, or only noted; once for an instruction and launch. NULL: nobody reads.
     */
    void (*note)(void *user, const char *text);
    jrs_trace_request trace;
    jrs_rounds_request rounds;
    jrs_native_mode native;
    void *user; /* of print, note and trace */
    jrs_judge judge;
} jrs_launch;

/* Runs a kernel to its end on `threads` CPU threads, the caller's among them. False and a report when a thread
 * faulted; memory written up to then stays written. Reentrant. */
bool jrs_execute(const jrs_launch *launch, jrs_report *report);

#endif
