/* All-reduces: plans of groups whose results come to every device.
 *
 * Each device folds its parts to a state of each result. Then the states of all devices are gathered on each, by NCCL
 * or the host, and each merges them; or, by peers, each device pushes its states into slots of all others in the
 * kernels that wait for theirs, or pulls its share of many from all others. A value is one segment, but for how its
 * parts are counted and folded. */
#ifndef JR_ALLREDUCE_ALLREDUCE_STEPS_H
#define JR_ALLREDUCE_ALLREDUCE_STEPS_H

#include "group/group_plan.h"
#include "group/meeting.h"
#include "jitreduce/allreduce.h"

/* One way of the states to all devices: one file, one row. Ranks call these at the same time. */
typedef struct jr_allreduce_row {
    jr_allreduce_way way;
    bool to_all; /* the plans of the parts of a value let their states meet */
    /* Can it be gone? Errors: JR_ERROR_NOT_APPLICABLE, with the reason. */
    jr_status (*check)(const jr_group *group, const jr_allreduce_options *options, bool of_segments);
    jr_status (*prepare)(jr_allreduce *allreduce, const jr_spec *spec); /* what it takes, with the plan made */
    /* status: this rank's status so far; a failure before an exchange is sent to the other ranks. */
    jr_status (*run)(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out);
    jr_status (*await)(jr_allreduce *allreduce); /* waits for the last run, and reports how it went */
} jr_allreduce_row;

extern const jr_allreduce_row jr_allreduce_by_peers, jr_allreduce_by_nccl, jr_allreduce_by_host;

/* What runs on `count` segments need on each device; of one that was zeroed, nothing. */
typedef struct jr_allreduce_room {
    uint64_t count;
    /* Two times the states of its parts, for a run and the next one; then, if devices have shares, memory for all
     * results. */
    jr_cu_deviceptr own[JR_GROUP_DEVICES_MAX];
    jr_cu_deviceptr all[JR_GROUP_DEVICES_MAX]; /* those of all devices, where they are gathered */
    jr_cu_deviceptr workspace[JR_GROUP_DEVICES_MAX];
    unsigned char *told; /* by the host: the states of this rank */
    unsigned runs;
} jr_allreduce_room;

struct jr_allreduce {
    jr_group_plan *plan;
    const jr_allreduce_row *row;
    bool of_segments;
    double limit_ms;
    const char *nccl;                        /* while it is made: see the options */
    jr_stream streams[JR_GROUP_DEVICES_MAX]; /* of the last run */
    jr_plan *merges[JR_GROUP_DEVICES_MAX];   /* of each device: of states that are gathered, or by peers meet or are
                                              * pulled; of a value by peers: NULL */
    jr_cu_event folded[JR_GROUP_DEVICES_MAX], merged[JR_GROUP_DEVICES_MAX]; /* per device: its states, or the results of
                                                                             * its share, are complete */
    jr_meeting meeting;                                                     /* by peers, where states meet */
    jr_allreduce_room room;
};

jr_status jr_allreduce_await_streams(jr_allreduce *allreduce); /* of the last run */

/* The plan that knows the results. */
const jr_plan *jr_allreduce_results(const jr_allreduce *allreduce);

/* ---- steps of a run ---- */

/* Looks whether the parts can be taken, and whether all ranks can; makes room for so many segments, which waits for the
 * last run if that had another count. count: of the segments, of which none leave nothing to be done, or of a value's
 * elements. */
jr_status jr_allreduce_begin(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, uint64_t *count);

/* Makes room for the states of so many segments; a plan on each device that merges them. */
jr_status jr_allreduce_make_room(jr_allreduce *allreduce, uint64_t count);
void jr_allreduce_free_room(jr_allreduce *allreduce);
jr_status jr_allreduce_make_merges(jr_allreduce *allreduce, const jr_spec *spec);

/* Folds the parts of this rank's devices; where each device's states go in this run, and how many bytes they are. */
jr_status jr_allreduce_fold_one(const jr_allreduce *allreduce, const jr_group_parts *parts, size_t index);
jr_status jr_allreduce_fold(const jr_allreduce *allreduce, const jr_group_parts *parts);
jr_cu_deviceptr jr_allreduce_states(const jr_allreduce *allreduce, size_t index);
uint64_t jr_allreduce_bytes(const jr_allreduce *allreduce);

/* Merges on each device the states of all that lie at its address. count: see jr_allreduce_begin. */
jr_status jr_allreduce_merge(const jr_allreduce *allreduce, const jr_cu_deviceptr *states, uint64_t count,
                             void *const *d_out);

/* ---- segments by peers ---- */

/* Where there are so many bytes of states that each device merges its share of the segments for all: how many segments
 * a share has, the last ones perhaps fewer; 0: there are no shares. Fewer states meet in slots of all devices,
 * whose kernels wait for them. */
uint64_t jr_allreduce_share(const jr_allreduce *allreduce, uint64_t count);
bool jr_allreduce_meets(const jr_allreduce *allreduce, uint64_t count);

jr_cu_deviceptr jr_allreduce_merged(const jr_allreduce *allreduce, size_t index); /* where they leave its results */

#endif
