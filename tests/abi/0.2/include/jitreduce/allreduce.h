/* All-reduces: the result of a group's reduction on every one of its devices, without the host in between. */
#ifndef JITREDUCE_ALLREDUCE_H
#define JITREDUCE_ALLREDUCE_H

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An all-reduce is a plan of a group whose runs leave the results in memory of each device instead of on the host.
 * Their bits are those of jr_group_plan_value with the same parts, on every device, rank and run, and by every way. */

typedef struct jr_allreduce jr_allreduce;

/* How the states of the parts come to all devices. */
typedef enum jr_allreduce_way {
    JR_ALLREDUCE_AUTO = 0,  /* peers where they can, else NCCL where it is, else the host */
    JR_ALLREDUCE_PEERS = 1, /* of one rank whose devices all differ and reach each other's memory: each device pushes
                             * its state to all others from the kernel that made it, waits there for theirs, and folds
                             * them. Nothing else is put on the streams */
    JR_ALLREDUCE_NCCL = 2,  /* of any group whose devices all differ, where NCCL 2.14 or later can be opened: it
                             * gathers the states' bytes, and each device merges them; all on the streams */
    JR_ALLREDUCE_HOST = 3   /* of any group: states come to the host by words that it watches, and are merged by each
                             * device from there. A run waits for all states, and may not be captured */
} jr_allreduce_way;

/* How an all-reduce is made; all 0: as the library thinks best. JR_INIT(jr_allreduce_options), then set members. */
typedef struct jr_allreduce_options {
    size_t size; /* sizeof(jr_allreduce_options) */
    jr_allreduce_way way;
    double wait_limit_ms; /* by peers: how long a device waits for the state of another one, which may have other work
                           * to do before; 0: no limit. By NCCL: how long its calls may take, and jr_allreduce_wait; 0:
                           * as long as the group waits for a rank (jr_group_options.wait_limit_ms), and if that is 0,
                           * too, no limit: then nothing but the end of this process ends the wait for a rank that is
                           * lost while NCCL works. Not looked at by the host: the group's limit holds there */
    const char *nccl;     /* path of NCCL's library; NULL: the setting JITREDUCE_NCCL, else the one of this process or
                           * of the linker. For devices of the simulator it must be named: NVIDIA's knows none */
} jr_allreduce_options;

/* Makes an all-reduce. Collective: all ranks must mean the same reduction and the same way, but their tuning may
 * differ. By peers it has the devices of the group reach each other's memory (cuCtxEnablePeerAccess), which stays so.
 * spec: copied; as of jr_state_plan_create. options: read before the call returns; may be NULL. Writes *allreduce on
 * success only.
 * Owns: the caller destroys it (jr_allreduce_destroy) before closing the group. Threads: as of the group. Errors: as
 * jr_group_plan_create; JR_ERROR_NOT_APPLICABLE (the way asked for is not there, told why). Since: 0.2. */
JR_API jr_status jr_allreduce_create(jr_group *group, const jr_spec *spec, const jr_allreduce_options *options,
                                     jr_allreduce **allreduce);

/* Makes an all-reduce of segments of which every device has a part, as of jr_group_segment_plan_create: every device
 * gets the results of all of them. Collective. Run it with jr_allreduce_run, whose counts are then of segments, on
 * every device of every rank the same, and whose d_out have jr_allreduce_result_bytes for each. By peers each device
 * folds its parts and pushes their states to all others, for which it waits in a kernel; what jr_allreduce_run says of
 * runs that fail holds then, and such a run may not be captured. Of more states (beyond 4 MiB of two devices, 2 of
 * three) each merges a share of them, which it loads from the memory of all others, for all, in an order that events
 * keep, and no device waits in a kernel. The first run of a count, on each rank, waits for the last run and allocates
 * memory.
 * layouts: as of jr_group_segment_plan_create. options: as of jr_allreduce_create; wait_limit_ms is not looked at where
 * no device waits in a kernel. Writes *allreduce on success only. Owns: as
 * jr_allreduce_create. Threads: as of the group. Errors: as jr_allreduce_create and jr_group_segment_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_allreduce_segment_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                             const jr_allreduce_options *options, jr_allreduce **allreduce);

/* Destroys an all-reduce. No run of it may still be in flight. Not collective.
 * allreduce: may be NULL. Owns: takes the all-reduce. Threads: no other thread may be using it. Errors: none. Since:
 * 0.2. */
JR_API void jr_allreduce_destroy(jr_allreduce *allreduce);

/* Reduces all parts of all ranks, asynchronously: the result is on a device when its stream gets there. Collective; of
 * several ranks there is one exchange of counts, by the way of the host one of states, too.
 * By peers one that is not of segments may be captured into CUDA graphs, all of which must then be launched; a device
 * that has begun a run waits until all others have, so nothing that must come before the run on one device may wait for
 * what comes after it on another. When the launch for one device fails, those that were launched for others end without
 * a result, and the all-reduce is spoilt: this call and all later ones fail, and another one must be made. parts: as of
 * jr_group_plan_value. d_out: of each device of this rank, memory for the results as of jr_plan_run, on that device.
 * Runs follow one another: on the same streams, or after those of the last run were waited for. Owns: nothing; all
 * pointers must stay valid until the streams get there. Threads: one at a time. Errors: as jr_plan_run;
 * JR_ERROR_EMPTY_INPUT (of no elements at all); JR_ERROR_TRANSPORT (a device had waited in vain in a run before),
 * JR_ERROR_RANK, JR_ERROR_RANKS_DIFFER. Since: 0.2. */
JR_API jr_status jr_allreduce_run(jr_allreduce *allreduce, const jr_group_parts *parts, void *const *d_out);

/* Waits for the streams of the last run, and tells whether it has left a result on each device of this rank. Not
 * collective.
 * Owns: nothing. Threads: one at a time. Errors: JR_ERROR_TRANSPORT (a device waited in vain, and which for which),
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT, JR_ERROR_INVALID_ARGUMENT (a stream is being captured). Since: 0.2. */
JR_API jr_status jr_allreduce_wait(jr_allreduce *allreduce);

/* Returns which way an all-reduce goes; and how many bytes its results take on each device, of segments those of each,
 * aligned as of jr_plan_run.
 * Owns: nothing. Threads: any. Errors: none; JR_ALLREDUCE_AUTO, 0 for NULL. Since: 0.2. */
JR_API jr_allreduce_way jr_allreduce_way_of(const jr_allreduce *allreduce);
JR_API size_t jr_allreduce_result_bytes(const jr_allreduce *allreduce);

#ifdef __cplusplus
}
#endif
#endif
