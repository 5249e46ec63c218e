/* segmented_threads: columns of few rows (kernels_src/segmented/strided/threads.cu). */
#include "base/whole.h"
#include "segments.h"

enum { ROWS_MOST = 32 }; /* of more, threads of a block share columns */

static uint32_t vector_of(const jr_reduction *reduction, int block) {
    return JR_COLUMN_VECTOR(reduction->inputs[0].bytes, reduction->accumulator_bytes, (size_t)block, 1, false);
}

/* Neighbouring threads read what lies together: of narrow rows, blocks read whole lines. */
static bool applicable(const jr_job *job) {
    enum { ROW_BYTES_LEAST = 256 };
    const jr_reduction *reduction = job->reduction;
    const jr_segment_layout *layout = &job->layout;
    return layout->kind == JR_SEGMENTS_STRIDED && reduction->input_count == 1 &&
           reduction->inputs[0].type != JR_STRUCT && layout->length > 0 && layout->length <= ROWS_MOST &&
           layout->inner >= ROW_BYTES_LEAST / reduction->inputs[0].bytes;
}

/* Rounds of as equal a length as can be: each element is lifted and combined in the kernel's text, where large
 * accumulators, and operators that are long, take few. Of more rows than one round has, that begin at the boundaries of
 * vectors, a thread takes 4 of two vectors at once. Measured, sum f32 along axis 0, by 5 to 8 loads and by 4: on an
 * H200 (20,5*10^6) 104.4 and 101.3 us; on an H100 145.1 and 143.6, (10,10^7) 151.8 and 149.6, (12,8*10^6) 144.2 and
 * 141.3, (16,6*10^6) 138.5 and 138.8. */
static int choose_unroll(const jr_job *job, int block) {
    enum { ROWS_AT_ONCE = 8, ROWS_OF_MANY = 4 };
    const size_t bytes = job->reduction->accumulator_bytes;
    const uint32_t vector = vector_of(job->reduction, block);
    const uint64_t elements = bytes <= 12 ? 64 : bytes <= 16 ? 32 : 16; /* at most */
    const bool many = job->layout.length > ROWS_AT_ONCE && job->layout.inner % vector == 0 &&
                      JR_THREAD_VECTORS(ROWS_OF_MANY, vector, bytes) > 1;
    const uint64_t rows = many ? ROWS_OF_MANY : ROWS_AT_ONCE;
    const uint64_t most = jr_least(rows, elements > vector ? elements / vector : 1);
    return (int)jr_divide_up(job->layout.length, jr_divide_up(job->layout.length, most));
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const jr_tuning *tuning = &plan->choice.tuning;
    const jr_reduction *reduction = plan->reduction;
    const uint32_t vector = vector_of(reduction, tuning->block);
    const uint32_t vectors = JR_THREAD_VECTORS((uint32_t)tuning->unroll, vector, reduction->accumulator_bytes);
    const uint64_t tile = (uint64_t)vectors * vector * (uint64_t)tuning->block;
    jr_segments_args args = jr_segments_args_of(plan, run);
    jr_thread_cut cut = {.count = run->count,
                         .length = plan->layout.length,
                         .inner = plan->layout.inner,
                         .result_bytes = args.segments.result_bytes};
    void *kernel_args[] = {&args.input, (void *)&run->out, &cut, &args.call};
    const int grid = jr_segments_grid_of_all(plan, jr_divide_up(run->count, tile));
    return jr_plan_step(plan, 0, grid, run->stream, kernel_args);
}

static const jr_algorithm_choices choices = {.unroll = choose_unroll};

/* Measured, sum f32 by blocks of 256 and of 128 threads: on an H200 (3,5*10^7) along axis 0 200.6 and 193.4 us,
 * (64,3,512,512) along axis 1 68.3 and 65.5; on an H100 267.8 and 269.1, 91.2 and 91.5. */
const jr_algorithm_row jr_segmented_threads = {
    .name = "segmented_threads",
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/strided/threads.cu", .entry = "jr_segmented_threads"}},
    .block = 128,
    .applicable = applicable,
    .run = run,
    .choices = &choices};
