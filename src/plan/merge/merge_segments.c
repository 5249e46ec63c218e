/* merge_segments: joins rows of states, one a segment, in their order, into the results
 * (kernels_src/segmented/join/parts_join.cu). */
#include "plan/segments/parts_join.h"

static bool applicable(const jr_job *job) {
    return job->layout.kind != 0 && !job->to_all;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    return jr_parts_join(plan, run, 0, run->in[0], run->merge.states);
}

const jr_algorithm_row jr_merge_segments = {.name = "merge_segments",
                                            .tuned = JR_TUNED_MERGE_SEGMENTS,
                                            .kind = JR_JOB_MERGE,
                                            .kernels = {JR_PARTS_JOIN_KERNEL},
                                            .applicable = applicable,
                                            .run = run};

static jr_status check(const jr_plan *plan, const jr_run *run) {
    return jr_plan_check_places(plan, run);
}

const jr_plan_kind jr_plan_merge_segments = {.each = "segment", .check = check};
