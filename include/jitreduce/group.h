/* Groups: one reduction or scan over several devices of this process, and over several processes (ranks).
 * Manual: group.md. */
#ifndef JITREDUCE_GROUP_H
#define JITREDUCE_GROUP_H

#include "scan.h"
#include "segment.h"
#include "state.h"
#include "work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A group is a list of devices: those of rank 0 in their order, then those of rank 1, and so on. Each device has a part
 * of the input; parts follow each other in the order of the devices, and an operator that is not commutative gets them
 * in this order. Every rank gets the result. Operators that round give what merging the states of the parts gives
 * (state.h): the same bits on every run with the same parts on the same devices.
 *
 * A collective call must be made by all ranks, in the same order. It exchanges a few bytes between the ranks, among
 * them a status: if it fails on one rank before its last exchange, it fails on all ranks, on the others with
 * JR_ERROR_RANK, which names the rank and has its message; the group can still be used. A failure after the last
 * exchange (while merging), and a call that is refused for a NULL group or plan, are reported on that rank only.
 *
 * An error of one device names the device by its number in the group. A fault (JR_ERROR_DEVICE_FAULT) on one GPU may
 * end the contexts of other GPUs of the process, too; the error then names the first one and all that are lost. Other
 * processes, and so other ranks, have contexts of their own. */

enum { JR_GROUP_DEVICES_MAX = 64 }; /* of one rank */

typedef struct jr_group jr_group;
typedef struct jr_group_plan jr_group_plan;

/* Gathers bytes from all ranks: copies the `bytes` bytes at `mine` of each rank to `all` of every rank, in the order of
 * the ranks. It must not call jitreduce with this group. If a rank is lost it must still return, unless
 * jr_group_options.wait_limit_ms is set.
 *
 * user: jr_group_options.user.
 * mine: `bytes` bytes of this rank.
 * bytes: the same on all ranks.
 * all: room for `bytes` bytes of each rank.
 *
 * Returns: 0 on success; another number, which the error message reports, on failure. */
typedef int (*jr_allgather)(void *user, const void *mine, size_t bytes, void *all);

/* How to open a group. JR_INIT(jr_group_options), then set devices or contexts, and with several ranks the rest. */
typedef struct jr_group_options {
    size_t size;                 /* sizeof(jr_group_options) */
    const char *devices;         /* "cuda:all"; "cuda:0,2": devices 0 and 2, each as often as it is named; "sim:4": four
                                  * simulated devices (the JRSIM_DEVICES devices in turn); "sim:all": all of these;
                                  * "sim:0,1": these; "auto", "cuda", "cuda:2", "sim", "sim#1": one device, as in
                                  * jr_options.device. NULL: `contexts`, or if that is NULL as well, as "": the
                                  * setting JITREDUCE_DEVICE, else "auto" */
    jr_context *const *contexts; /* instead of devices: opened by the caller, who closes them after the group */
    size_t context_count;
    const jr_options *context_options; /* how contexts for `devices` are opened; its device is ignored. NULL: all
                                        * defaults */
    jr_allgather allgather;            /* exchanges bytes with the other ranks; NULL: this process is the only rank */
    void *user;                        /* passed to each call of allgather */
    int rank, ranks;                   /* number of this process, from 0, and how many ranks there are; ranks 0: 1 */
    double wait_limit_ms; /* 0: allgather is called in the calling thread, and must limit its waits itself. Otherwise it
                           * is called in a thread of the group, always the same, and a call that takes longer fails
                           * with JR_ERROR_TRANSPORT, and so do all later ones. `user`, and what it points to, must then
                           * stay valid as long as allgather may still be running */
    double launch_look_us; /* Threads of the group, one per further device of a rank, launch kernels at the same time as
                            * the caller's thread (except on CU_STREAM_PER_THREAD). They start when calls follow each
                            * other within this time, poll this long for the next launch after each one, and then sleep
                            * until calls follow each other so quickly again. 0: 200 if the thread that opens the group
                            * may run on more cores than the rank has devices, otherwise no threads; below 0: no
                            * threads. Since: 0.2 */
} jr_group_options;

/* Opens a group. Collective: the ranks exchange their version and how many devices they have.
 *
 * options: read before the call returns; NULL: all defaults, which is a group of one device.
 * group: where the group is written, on success only.
 *
 * Owns: the caller closes it with jr_group_close.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_RANKS_DIFFER (different versions of the library, or the ranks have another order than in the
 *   transport), JR_ERROR_RANK, JR_ERROR_TRANSPORT, those of jr_context_open.
 * Since: 0.2. */
JR_API jr_status jr_group_open(const jr_group_options *options, jr_group **group);

/* Closes a group, and the contexts that it opened. All its plans must be destroyed before. Not collective.
 *
 * group: may be NULL.
 *
 * Owns: takes the group.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.2. */
JR_API void jr_group_close(jr_group *group);

/* Returns how many devices the group has over all ranks (size), how many of them are this rank's (local_count), and the
 * number in the group of the first of these (first).
 *
 * group: may be NULL.
 *
 * Returns: the count or number; 0 if `group` is NULL.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API size_t jr_group_size(const jr_group *group);
JR_API size_t jr_group_local_count(const jr_group *group);
JR_API size_t jr_group_first(const jr_group *group);

/* Returns the context of one of this rank's devices.
 *
 * group: may be NULL.
 * index: 0 to jr_group_local_count - 1.
 *
 * Returns: the context; NULL if `group` is NULL or `index` is out of range.
 * Owns: the group, or the caller if the caller opened it.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API jr_context *jr_group_context(const jr_group *group, size_t index);

/* Sets the value of a named parameter of the spec for the calls that follow. Not collective, but all ranks must set the
 * same value: otherwise the next run fails.
 *
 * name: the name of one of the spec's parameters.
 * value: of the type that the spec gives the parameter; copied.
 *
 * Owns: nothing.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.2. */
JR_API jr_status jr_group_plan_parameter_set(jr_group_plan *plan, const char *name, const jr_value *value);

/* Destroys a plan of any kind of a group. Not collective.
 *
 * plan: may be NULL.
 *
 * Owns: takes the plan.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.2. */
JR_API void jr_group_plan_destroy(jr_group_plan *plan);

/* The parts of this rank's devices, and where the results of jr_work_group_plan_run are written. */
typedef struct jr_group_parts {
    size_t size;                    /* sizeof(jr_group_parts) */
    const void *const *const *d_in; /* per device: as many arrays in its memory as the spec has inputs; the arrays of a
                                     * device may be NULL if its count is 0 */
    const uint64_t *counts;         /* per device: elements of each of its arrays, may be 0; for segments: how many, the
                                     * same on every device of every rank */
    const jr_stream *streams;       /* per device; NULL: the default streams */
    jr_value *values; /* jr_work_group_plan_run, reductions without a layout: one value per operator of the spec, and
                       * one more with spec.kept, the same on every rank; written on success only. Since: 0.3 */
    void *results;    /* reductions of segments: room for one result per segment of jr_result_layout.bytes each, in host
                       * memory, without alignment; written on success only, the same on every rank. Since: 0.3 */
    void *const *d_out; /* scans: per device, memory on that device for one result per element of its part. It must be
                         * an input of the same part (if its elements are as large as the results), or not overlap
                         * inputs and results of any part of this rank; may be NULL if the count is 0. Since: 0.3 */
} jr_group_parts;

/* Writes what the last successful call of a group on host memory cost: the tuning of this rank's first device, the
 * times of the slowest device, launches and parts of all devices of this rank; for a scan, of its second pass.
 *
 * group: not NULL.
 * stats: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.2. */
JR_API jr_status jr_group_stats(const jr_group *group, jr_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
