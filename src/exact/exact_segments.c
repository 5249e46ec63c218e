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
           (job->wishes.block == 0 || job->wishes.block >= BLOCK_LEAST);
}

/* A warp has one segment at a time: of fewer elements a thread adds each to an integer sooner. Measured on an H200,
 * f32, 2^26 elements, in us: of 1, 4, 16, 32 elements 54339, 13208, 3490, 1711, and by integers 4562, 6153, 6213, 9713.
 */
static bool is_long(const jr_job *job) {
    enum { LENGTH_LEAST = 16 };
    return job->layout.kind == JR_SEGMENTS_OFFSETS ||
           (job->layout.kind == JR_SEGMENTS_EQUAL && job->layout.length >= LENGTH_LEAST);
}

static bool applicable(const jr_job *job) {
    return is_of_windows(job) && is_long(job);
}

/* Loads of a lane, whose summands stay in registers. */
static int choose_unroll(const jr_job *job, int block) {
    enum { LOADS = 8, LOADS_OF_SEVERAL = 4, SUMMANDS_MOST = 32 };
    const int most = SUMMANDS_MOST / (int)jr_cut_pack_elements(job->reduction);
    const int loads = job->reduction->input_count > 1 ? LOADS_OF_SEVERAL : LOADS;
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
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "exact/exact_segments.cu", .entry = "jr_segmented_exact", .slowly = true}},
    .block = 320, /* two on a multiprocessor: few long segments leave little of the last wave idle. Measured on an H100,
                   * f32, 2^26 elements in segments of 1024, 4096 and 2^17: 93.9, 99.7 and 95.5 us, by 384 threads,
                   * whose registers do not hold a tile, 106.7, 105.5 and 99.7 us */
    .applicable = applicable,
    .run = run,
    .choices = &choices,
    .shared = &lanes};
