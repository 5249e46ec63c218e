/* All-reduces: plans of groups whose results come to every device. */
#ifndef JR_ALLREDUCE_ALLREDUCE_H
#define JR_ALLREDUCE_ALLREDUCE_H

#include "group/group_plan.h"
#include "group/meeting.h"
#include "jitreduce/allreduce.h"

/* One way of the states to all devices: one file, one row. Ranks call these at the same time. */
typedef struct jr_allreduce_row {
    jr_allreduce_way way;
    bool to_all; /* the plans of the parts let their states meet */
    /* Can it be gone? Errors: JR_ERROR_NOT_APPLICABLE, with the reason. */
    jr_status (*check)(const jr_group *group, const jr_allreduce_options *options);
    jr_status (*prepare)(jr_allreduce *allreduce, const jr_spec *spec); /* what it takes, with the plan made */
    /* Waits for the last run, and tells how it went; NULL: jr_allreduce_await_streams. */
    jr_status (*await)(jr_allreduce *allreduce);
    /* status: how it went so far on this rank; of a failure before an exchange the other ranks are told. */
    jr_status (*run)(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out);
    void (*release)(jr_allreduce *allreduce); /* of what was prepared, perhaps in part */
} jr_allreduce_row;

extern const jr_allreduce_row jr_allreduce_by_peers, jr_allreduce_by_nccl, jr_allreduce_by_host;

/* The same of segments. */
extern const jr_allreduce_row jr_allreduce_segments_by_peers, jr_allreduce_segments_by_nccl,
    jr_allreduce_segments_by_host;

/* What runs on `count` segments need on each device; of one that was zeroed, nothing. */
typedef struct jr_allreduce_room {
    uint64_t count;
    /* Two times the states of its parts: of a run, and of the next one; behind them, where devices have shares, room
     * for all results. */
    jr_cu_deviceptr own[JR_GROUP_DEVICES_MAX];
    jr_cu_deviceptr all[JR_GROUP_DEVICES_MAX]; /* those of all devices */
    jr_cu_deviceptr workspace[JR_GROUP_DEVICES_MAX];
    jr_cu_event folded[JR_GROUP_DEVICES_MAX]; /* by peers: its states are there; made once */
    jr_cu_event merged[JR_GROUP_DEVICES_MAX]; /* likewise: the results of its share are */
    unsigned char *told;                      /* by the host: the states of this rank */
    unsigned runs;
} jr_allreduce_room;

struct jr_allreduce {
    jr_group_plan *plan;
    const jr_allreduce_row *row;
    double limit_ms;
    jr_stream streams[JR_GROUP_DEVICES_MAX]; /* of the last run */
    jr_plan *merges[JR_GROUP_DEVICES_MAX];   /* of each device, but by peers */
    jr_plan *meets[JR_GROUP_DEVICES_MAX];    /* of segments by peers: likewise, of states that meet */
    jr_cu_deviceptr
        states[JR_GROUP_DEVICES_MAX]; /* by NCCL: of each device its own state, and behind it those of all */
    size_t own_bytes;                 /* from there to these */
    const char *nccl;                 /* while it is made: as of the options */
    jr_meeting meeting;               /* by peers; of segments where they meet */
    jr_allreduce_room room;           /* of segments */
};

/* The public functions of the same names. status: whether spec and options, or parts, could be read. layouts: of
 * segments; NULL: there are none. */
jr_status jr_allreduce_make(jr_group *group, jr_status status, const jr_spec *spec, const jr_segment_layout *layouts,
                            const jr_allreduce_options *options, jr_allreduce **allreduce);
void jr_allreduce_free(jr_allreduce *allreduce);
jr_status jr_allreduce_start(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts,
                             void *const *d_out);
jr_status jr_allreduce_await(jr_allreduce *allreduce);

jr_status jr_allreduce_await_streams(jr_allreduce *allreduce);

/* The plan that knows the results. */
const jr_plan *jr_allreduce_results(const jr_allreduce *allreduce);

/* A plan on each device that merges states; and a run of each. */
jr_status jr_allreduce_make_merges(jr_allreduce *allreduce, const jr_spec *spec);
jr_status jr_allreduce_merge(const jr_allreduce *allreduce, const jr_cu_deviceptr *states, uint64_t elements,
                             void *const *d_out);

#endif
