/* segmented_exact: exact sums of segments, a warp or a block each (kernels_src/exact/exact_segments.cu). */
#include "base/whole.h"
#include "plan/segments/segments.h"

/* Whether the results, and not states, are exact sums that windows take, of numbers and not of factors. What kernels
 * share with flat sums is made for four warps at least; smaller blocks take the slow way. */
static bool is_of_windows(const jr_job *job) {
    enum { BLOCK_LEAST = 128 };
    const jr_type summand = job->reduction->summand;
    return (summand == JR_F32 || summand == JR_F64) && !job->to_state && !job->to_all &&
           job->reduction->inputs[0].type != JR_STRUCT && job->device->capability_major >= 8 &&
           (job->requested.block == 0 || job->requested.block >= BLOCK_LEAST);
}

/* A warp has one segment at a time: of fewer elements a thread adds each to an integer sooner. */
static bool is_long(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_OFFSETS ||
           (job->layout.kind == JR_SEGMENTS_EQUAL &&
            job->layout.length >= jr_tuned_number_of(job->device, JR_NUMBER_EXACT_SEGMENT_LENGTH));
}

static bool applicable(const jr_job *job) {
    return is_of_windows(job) && is_long(job);
}

/* Loads of a lane, whose summands stay in registers. */
static int choose_unroll(const jr_job *job, int block) {
    enum { SUMMANDS_MOST = 32 };
    const int most = SUMMANDS_MOST / (int)jr_cut_pack_elements(job->reduction);
    const bool several = job->reduction->input_count > 1;
    const int loads = (int)jr_tuned_number_of(job->device, several ? JR_NUMBER_EXACT_SEGMENT_LOADS_OF_SEVERAL
                                                                   : JR_NUMBER_EXACT_SEGMENT_LOADS);
    (void)block;
    return most < loads ? most : loads;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_segments_args given = jr_segments_args_of(plan, run);
    uint32_t together = jr_segments_together(plan, run->count);
    void *args[] = {&given.input, &given.segments, &together, (void *)&run->out, &given.call};
    return jr_plan_step(plan, 0, jr_segments_grid(plan, jr_divide_up(run->count, together)), run->stream, args);
}

static const jr_algorithm_choices choices = {.unroll = choose_unroll};
static const jr_algorithm_shared lanes = {.thread_bytes = JR_EXACT_LANE_BYTES};

const jr_algorithm_row jr_segmented_exact = {
    .name = "segmented_exact",
    .tuned = JR_TUNED_SEGMENTED_EXACT,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "exact/exact_segments.cu", .entry = "jr_segmented_exact", .full_optimisation = true}},
    .applicable = applicable,
    .run = run,
    .choices = &choices,
    .shared = &lanes};
