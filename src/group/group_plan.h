/* Plans of groups: a plan of states for each device, and one that merges them. */
#ifndef JR_GROUP_GROUP_PLAN_H
#define JR_GROUP_GROUP_PLAN_H

#include "device/memory.h"
#include "meeting.h"
#include "plan/plan.h"

/* What a run on `count` segments needs in addition to the plan; a zeroed one needs nothing. */
typedef struct jr_group_room {
    uint64_t count;
    jr_cu_deviceptr states[JR_GROUP_DEVICES_MAX], workspace[JR_GROUP_DEVICES_MAX]; /* of this rank's devices */
    jr_cu_deviceptr all, out; /* on the first of them: the states of all, and the results' places */
    unsigned char *told, *places;
} jr_group_room;

struct jr_group_plan {
    jr_group *group;
    jr_plan *parts[JR_GROUP_DEVICES_MAX]; /* of this rank's devices */
    jr_plan *merge;                       /* on the first of them */
    /* For scans, per device: the scan, and the plan that folds the initial value and the states before it. On host
     * memory only the first device has a fold. */
    jr_plan *scans[JR_GROUP_DEVICES_MAX], *carries[JR_GROUP_DEVICES_MAX];
    jr_mapped states; /* of all devices, for that one */
    size_t state_bytes;
    unsigned char *told; /* what this rank sends to the others: told_bytes, jr_told_... */
    size_t told_bytes;
    size_t parameters_at, parameter_bytes; /* in it: the values of the spec's parameters */
    uint64_t *firsts;                      /* of this rank's parts: elements of all before them */
    bool meets;                            /* its parts' states meet on the first device, which has the result */
    jr_meeting meeting;
    uint64_t before;    /* of a call on host memory: elements of the ranks before this one; of segments: of each */
    jr_group_room room; /* of segments */
};

/* What a plan is for. */
typedef struct jr_group_use {
    bool on_devices;                  /* has plans for the parts of devices */
    const jr_segment_layout *layouts; /* for segments: the layout of each device's parts; NULL without segments */
    bool reduces_to_all;              /* the results are to be on every device */
    bool to_all;                      /* then: the plans of the parts let their states meet (jr_tuning) */
    int way;                          /* the same for ways: a number for each */
    bool scans;                       /* in this way; else it reduces */
    bool exclusive;
    uint64_t count; /* of calls on host memory: elements of this rank */
} jr_group_use;

/* The public functions of the same names. status: whether the spec, and the parts, which must be complete, could be
 * read; the other ranks learn of a failure. */
jr_status jr_group_plan_make(jr_group *group, jr_status status, const jr_spec *spec, const jr_group_use *use,
                             jr_group_plan **plan);
jr_status jr_group_plan_parameter_write(jr_group_plan *plan, const char *name, const jr_value *value);
void jr_group_plan_free(jr_group_plan *plan);
void jr_group_room_free(jr_group *group, jr_group_room *room);

/* A part's run, and its error with the device in front. */
jr_run jr_group_plan_run_of(const jr_group_plan *plan, const jr_group_parts *parts, size_t index);
jr_status jr_group_plan_explain(const jr_group_plan *plan, size_t index, jr_status status);

/* Where a plan's own states go, with their counts. */
void jr_group_plan_tell(jr_group_plan *plan, size_t device, uint64_t count);
unsigned char *jr_group_plan_state(jr_group_plan *plan, size_t device);
void jr_group_plan_tell_parameters(jr_group_plan *plan);

#endif
