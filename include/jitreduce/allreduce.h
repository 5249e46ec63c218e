/* All-reduces: the result of a group's reduction in the memory of each of its devices, without the host in between.
 * Manual: group.md. */
#ifndef JITREDUCE_ALLREDUCE_H
#define JITREDUCE_ALLREDUCE_H

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An all-reduce is a plan of a group whose runs write the results to memory of each device instead of host memory.
 * jr_work_allreduce_create (work.h) makes it. The bits are those of jr_work_group_plan_run with the same parts, on
 * every device and rank, on every run, and with every jr_allreduce_way. */

typedef struct jr_allreduce jr_allreduce;

/* How all devices get the states of the parts. */
typedef enum jr_allreduce_way {
    JR_ALLREDUCE_AUTO = 0,  /* peers if possible, else NCCL if possible, else the host */
    JR_ALLREDUCE_PEERS = 1, /* for one rank whose devices all differ and can access each other's memory, for segments up
                             * to 15: the kernel that makes a device's state pushes it to all other devices, waits for
                             * their states, and folds them. Nothing else is enqueued */
    JR_ALLREDUCE_NCCL = 2,  /* for any group whose devices all differ, if NCCL 2.14 or later can be opened: NCCL gathers
                             * the states' bytes, and each device merges them; all of it is enqueued on the streams */
    JR_ALLREDUCE_HOST = 3 /* for any group: the host collects the states, and each device merges them from there. A run
                           * waits for all states, and must not be captured */
} jr_allreduce_way;

/* How to make an all-reduce. JR_INIT(jr_allreduce_options), then set members; those that are 0 are chosen by the
 * library. */
typedef struct jr_allreduce_options {
    size_t size; /* sizeof(jr_allreduce_options) */
    jr_allreduce_way way;
    double wait_limit_ms; /* peers: how long a device waits for the state of another one, which may have other work to
                           * complete first; 0: no limit. NCCL: how long its calls, and jr_allreduce_wait, may take; 0:
                           * jr_group_options.wait_limit_ms, and if that is 0, too, no limit: only the end of this
                           * process then ends the wait for a rank that is lost while NCCL works. Host: ignored; the
                           * group's limit counts */
    const char *nccl; /* path of NCCL's library; NULL: the setting JITREDUCE_NCCL, else the library that this process
                       * has loaded or the linker finds. For the simulator's devices it must be set, because
                       * NVIDIA's NCCL does not support them */
} jr_allreduce_options;

/* Destroys an all-reduce. All its runs must be complete. Not collective.
 *
 * allreduce: may be NULL.
 *
 * Owns: takes the all-reduce.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.2. */
JR_API void jr_allreduce_destroy(jr_allreduce *allreduce);

/* Enqueues the all-reduce on the devices' streams and returns; the result is in a device's memory once its stream
 * reaches it. Collective: several ranks exchange counts once, and states once more with JR_ALLREDUCE_HOST.
 *
 * The next run must be on the same streams, or begin after those of this run are complete. With peers, a run that is
 * not of segments may be captured into CUDA graphs, all of which must then be launched. A device that has begun a run
 * waits until all others have begun it: nothing that must come before the run on one device may wait for what comes
 * after it on another. If the launch for one device fails with peers, the launches for other devices end without a
 * result, and this call and all later ones fail: destroy the all-reduce and make another one.
 *
 * parts: one entry per device of this rank, as in jr_work_group_plan_run; read before the call returns.
 * d_out: one address per device of this rank: memory on that device for jr_allreduce_result_bytes (for segments: that
 *   many per segment), aligned as in jr_work_plan_run; it must not overlap the parts.
 *
 * Owns: nothing; the memory must stay valid until the streams reach the end of the run.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_EMPTY_INPUT (no device of any rank has elements, and the operator has no value for that),
 *   JR_ERROR_TRANSPORT (also if a device waited too long in an earlier run), JR_ERROR_RANK, JR_ERROR_RANKS_DIFFER,
 *   JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT,
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_allreduce_run(jr_allreduce *allreduce, const jr_group_parts *parts, void *const *d_out);

/* Waits for the streams of the last run, and reports whether it wrote a result on each device of this rank. Not
 * collective.
 *
 * allreduce: not NULL.
 *
 * Owns: nothing.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_TRANSPORT (a device waited too long; the message names it, and the device for which it waited),
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT, JR_ERROR_INVALID_ARGUMENT (a stream is being captured).
 * Since: 0.2. */
JR_API jr_status jr_allreduce_wait(jr_allreduce *allreduce);

/* Returns the way that an all-reduce uses (way_of), and how many bytes its results take on each device, for segments
 * those of one segment (result_bytes).
 *
 * allreduce: may be NULL.
 *
 * Returns: the way, JR_ALLREDUCE_AUTO if `allreduce` is NULL; bytes, 0 if `allreduce` is NULL.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API jr_allreduce_way jr_allreduce_way_of(const jr_allreduce *allreduce);
JR_API size_t jr_allreduce_result_bytes(const jr_allreduce *allreduce);

#ifdef __cplusplus
}
#endif
#endif
