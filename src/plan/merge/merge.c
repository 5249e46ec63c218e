/* Merges of states in their order: merge, of all elements, by one block (kernels_src/reduce/finish.cu); merge_segments
 * (kernels_src/segmented/join/parts_join.cu); meet_segments (parts_meet.cu, parts_reach.cu). */
#include "base/error.h"
#include "base/whole.h"
#include "plan/plan.h"
#include "plan/segments/parts_join.h"
#include "plan/segments/segments.h"
#include "spec/operator.h"

static bool is_of_all(const jr_job *job) {
    return job->layout.kind == 0;
}

/* Whether a mean would be divided by a count of 0, which gives inf where it was forgotten. */
static bool is_mean_of_nothing(const jr_plan *plan, const jr_run *run) {
    const jr_reduction *reduction = plan->reduction;
    const bool counts = reduction->spec.where != NULL || reduction->skips_nan || reduction->spec.op_count > 0;
    return run->count == 0 && !plan->choice.tuning.to_state && !counts &&
           jr_operator_is(jr_operator_find(reduction->spec.op), JR_OPERATOR_DIVIDES);
}

static jr_status run_merge(const jr_plan *plan, const jr_run *run) {
    uint64_t states = run->in[0], count = is_mean_of_nothing(plan, run) ? 0 : run->merge.states;
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&states, &count, (void *)&run->out, &call};
    return jr_plan_step(plan, 0, 1, run->stream, args);
}

const jr_algorithm_row jr_merge = {
    .name = "merge",
    .tuned = JR_TUNED_MERGE,
    .kind = JR_JOB_MERGE,
    .kernels = {{.source = "reduce/finish.cu", .entry = "jr_reduce_finish", .alone = true}},
    .grid_max = 1,
    .applicable = is_of_all,
    .run = run_merge};

/* The states lie apart from what is made of them. */
static jr_status check_states(const jr_plan *plan, const jr_run *run) {
    const uint64_t at = run->in[0], out = run->out;
    const size_t bytes = plan->reduction->accumulator_bytes;
    if (at != 0 || run->merge.states > 0) JR_TRY(jr_given_aligned("address of the states", jr_cu_pointer(at), 16));
    if (run->merge.states > (UINT64_MAX - at) / bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu states of %zu bytes are beyond the address space",
                       (unsigned long long)run->merge.states, bytes);
    if (out < at + run->merge.states * bytes && at < out + jr_plan_result_stride(plan))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the output at %p, %zu bytes, overlaps the %llu states at %p, %zu each", jr_cu_pointer(out),
                       jr_plan_result_stride(plan), (unsigned long long)run->merge.states, jr_cu_pointer(at), bytes);
    return JR_OK;
}

static jr_status check_merge(const jr_plan *plan, const jr_run *run) {
    jr_status status = jr_plan_check_places(plan, run);
    if (status == JR_OK) status = check_states(plan, run);
    if (status != JR_OK || plan->choice.tuning.to_state) return status;
    return run->count == 0 || run->merge.states == 0 ? jr_reduction_check_empty(plan->reduction) : JR_OK;
}

const jr_plan_kind jr_plan_merge = {.check = check_merge};

/* ---- merge_segments: rows of states, one a segment, joined in their order into the results ---- */

static bool is_of_segments(const jr_job *job) {
    return job->layout.kind != 0 && !job->to_all;
}

static jr_status run_merge_segments(const jr_plan *plan, const jr_run *run) {
    return jr_parts_join(plan, run, 0, run->in[0], run->merge.states);
}

const jr_algorithm_row jr_merge_segments = {.name = "merge_segments",
                                            .tuned = JR_TUNED_MERGE_SEGMENTS,
                                            .kind = JR_JOB_MERGE,
                                            .kernels = {JR_PARTS_JOIN_KERNEL},
                                            .applicable = is_of_segments,
                                            .run = run_merge_segments};

static jr_status check_merge_segments(const jr_plan *plan, const jr_run *run) {
    return jr_plan_check_places(plan, run);
}

const jr_plan_kind jr_plan_merge_segments = {.each = "segment", .check = check_merge_segments};

/* ---- meet_segments: states of segments, pushed into slots of all devices of a group and joined there; or those of a
 * share of them, loaded from all devices and joined for all ---- */

static bool is_of_segments_of_all(const jr_job *job) {
    return job->layout.kind != 0 && job->to_all;
}

enum { MEET, REACH };

/* A wave at most: blocks that meet wait for those of other devices. */
static int grid_of(const jr_plan *plan, uint64_t count) {
    return jr_segments_grid(plan, jr_divide_up(count, (uint64_t)plan->choice.tuning.block));
}

static jr_status run_reach(const jr_plan *plan, const jr_run *run) {
    uint64_t first = run->first, count = run->count, result_bytes = jr_plan_result_stride(plan);
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {(void *)run->merge.reach, &first, &count, &result_bytes, &call};
    return jr_plan_step(plan, REACH, grid_of(plan, count), run->stream, args);
}

static jr_status run_meet(const jr_plan *plan, const jr_run *run) {
    uint64_t states = run->in[0], count = run->count, result_bytes = jr_plan_result_stride(plan);
    uint32_t epoch = run->merge.epoch;
    jr_call call = jr_plan_call(plan, run);
    if (run->merge.reach != NULL) return run_reach(plan, run);
    call.count = plan->layout.length;
    void *args[] = {(void *)&run->out, &states, &count, &result_bytes, &epoch, &call};
    return jr_plan_step(plan, MEET, grid_of(plan, count), run->stream, args);
}

const jr_algorithm_row jr_meet_segments = {
    .name = "meet_segments",
    .tuned = JR_TUNED_MEET_SEGMENTS,
    .kind = JR_JOB_MERGE,
    .kernels = {[MEET] = {.source = "segmented/join/parts_meet.cu", .entry = "jr_segmented_parts_meet"},
                [REACH] = {.source = "segmented/join/parts_reach.cu", .entry = "jr_segmented_parts_reach"}},
    .applicable = is_of_segments_of_all,
    .run = run_meet};
