/* Works that a caller gives. */
#ifndef JR_API_GIVEN_WORK_H
#define JR_API_GIVEN_WORK_H

#include "base/error.h"
#include "group/group.h"
#include "jitreduce/work.h"
#include "plan/plan.h"
#include "size.h"

/* What carries out works, and what it takes besides reductions without a layout. */
typedef struct jr_work_taker {
    const char *name; /* as messages have it: "an all-reduce" */
    bool scans, segments, segment_scans, states, applies;
    bool strides; /* along axes */
    bool many;    /* arrays */
} jr_work_taker;

/* A work as this version knows it. Not copied: it points into itself. */
typedef struct jr_own_work {
    jr_size_spec spec;
    jr_work_kind kind;
    bool divided;             /* it has segments */
    jr_segment_layout layout; /* then: settled */
    jr_view view;             /* of an axis with strides; else none */
    uint64_t segments;        /* of an axis: how many there are; else 0 */
} jr_own_work;

/* Reads a work. If its layouts are an array, one per device of a group, own gets the first. Errors:
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE: also what the taker does not take. own: zeroed; after an error
 * it has the kind, and whether it is divided, as far as these were read. */
jr_status jr_given_work_read(const jr_work *given, const jr_work_taker *taker, jr_own_work *own);

/* Reads the layouts of this rank's devices, each as its own size says. layouts: room for JR_GROUP_DEVICES_MAX. */
jr_status jr_given_work_read_layouts(const jr_work *given, const jr_group *group, jr_segment_layout *layouts);

bool jr_given_work_is_scan(const jr_own_work *own);
bool jr_given_work_is_exclusive(const jr_own_work *own);
bool jr_given_work_is_merge(const jr_own_work *own);
bool jr_given_work_is_to_state(const jr_own_work *own);
bool jr_given_work_applies(const jr_own_work *own);

/* The job of a work, with its context, and as adviser this one where stored tunings are of such jobs. */
jr_job jr_given_work_job(const jr_own_work *own, jr_context *context, const jr_adviser *adviser);

/* Reads where a run's elements and results are. arrays: it needs arrays of its own. Errors:
 * JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_given_work_read_data(const jr_work_data *given, bool arrays, jr_work_data *own);

/* Members of a run's data that only some runs use. */
typedef enum jr_work_member {
    JR_MEMBER_VALUES = 1,
    JR_MEMBER_SEGMENTS = 2,
    JR_MEMBER_OFFSETS = 4,
    JR_MEMBER_KEYS = 8,
    JR_MEMBER_RUN_KEYS = 16,
    JR_MEMBER_RUN_COUNT = 32,
    JR_MEMBER_FIRST = 64,
    JR_MEMBER_STATES = 128,
    JR_MEMBERS_OF_SEGMENTS =
        JR_MEMBER_SEGMENTS | JR_MEMBER_OFFSETS | JR_MEMBER_KEYS | JR_MEMBER_RUN_KEYS | JR_MEMBER_RUN_COUNT
} jr_work_member;

/* Refuses those of them that are set and not used. used: of jr_work_member. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_given_work_check_members(const jr_work_data *data, unsigned used);

/* Reads the data of a run of many arrays; and refuses all but `out`. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_given_work_read_many(const jr_work_data *given, jr_work_data *own);
jr_status jr_given_work_check_many(const jr_work_data *data);

/* Refuses a part whose last element has no number. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_given_work_check_part(uint64_t count, uint64_t first);

/* Sets the number of segments. of_axis: how many an axis has, or 0. Errors: JR_ERROR_INVALID_ARGUMENT: the data names
 * another number. */
jr_status jr_given_work_count_segments(jr_work_data *data, uint64_t of_axis);

/* Refuses members of segments that contradict each other, or that would not be written. layout: settled. Does not read
 * what they point to. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_given_work_check_segments(const jr_segment_layout *layout, const jr_work_data *data, bool scan);

/* Does a plan's run have nothing but arrays, a count and a place for the results? */
static inline bool jr_given_work_is_plain(const jr_plan *plan) {
    return plan->layout.kind == 0 && !plan->choice.tuning.to_state && plan->kind != &jr_plan_merge;
}

/* Refuses another plan. Errors: JR_ERROR_INVALID_ARGUMENT. */
__attribute__((cold)) jr_status jr_given_work_fail_plain(const jr_plan *plan);

/* Layouts that a program of 0.2 gives, one after the other: copies without the members that their kinds do not use,
 * which 0.2 took. Those that cannot be read stay the caller's: whoever gets them reports that. own: room for `count`.
 */
const jr_segment_layout *jr_given_layouts_of_0_2(const jr_segment_layout *given, size_t count, jr_segment_layout *own);

#endif
