/* segmented_threads: columns of few rows (kernels_src/segmented/strided/threads.cu). */
#include "base/whole.h"
#include "segments.h"

static uint32_t vector_of(const jr_reduction *reduction, int block) {
    return JR_COLUMN_VECTOR(reduction->inputs[0].bytes, reduction->accumulator_bytes, (size_t)block, 1, false);
}

/* Neighbouring threads read what lies together: of narrow rows, blocks read whole lines. */
static bool applicable(const jr_job *job) {
    const jr_reduction *reduction = job->reduction;
    const jr_segment_layout *layout = &job->layout;
    return layout->kind == JR_SEGMENTS_STRIDED && reduction->input_count == 1 &&
           reduction->inputs[0].type != JR_STRUCT && layout->length > 0 &&
           layout->length <= jr_tuned_number_of(job->device, JR_NUMBER_THREADS_ROWS_MAX) &&
           layout->inner >= jr_tuned_number_of(job->device, JR_NUMBER_THREADS_ROW_BYTES) / reduction->inputs[0].bytes;
}

/* Rounds of about equal length. The kernel's code is unrolled per element, so large accumulators and long operators get
 * short rounds. If there are more rows than one round has, and they begin at boundaries of vectors, a thread takes
 * fewer rows, of two vectors, at once. */
static int choose_unroll(const jr_job *job, int block) {
    const uint64_t at_once = jr_tuned_number_of(job->device, JR_NUMBER_THREADS_LOADS),
                   of_many = jr_tuned_number_of(job->device, JR_NUMBER_THREADS_LOADS_OF_MANY);
    const size_t bytes = job->reduction->accumulator_bytes;
    const uint32_t vector = vector_of(job->reduction, block);
    const bool shifts = jr_segments_shift(job->reduction); /* h100/moments_tunings.csv:39, of 17 rows 0.89 of 4 loads */
    const uint64_t elements = bytes <= 12 ? 64 : bytes <= 16 || shifts ? 32 : 16; /* at most */
    const bool many = job->layout.length > at_once && job->layout.inner % vector == 0 &&
                      JR_THREAD_VECTORS((uint32_t)of_many, vector, bytes) > 1;
    const uint64_t rows = many ? of_many : at_once;
    const uint64_t most = jr_least(rows, elements > vector ? elements / vector : 1);
    return (int)jr_divide_up(job->layout.length, jr_divide_up(job->layout.length, most));
}

/* A thread for each of few columns: the sooner all are loaded. */
static bool are_few(const jr_plan *plan, uint64_t columns) {
    return columns <= (uint64_t)plan->wave * (uint64_t)plan->choice.tuning.block / 4;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const jr_tuning *tuning = &plan->choice.tuning;
    const jr_reduction *reduction = plan->reduction;
    const uint32_t vector = vector_of(reduction, tuning->block);
    const uint32_t vectors = JR_THREAD_VECTORS((uint32_t)tuning->unroll, vector, reduction->accumulator_bytes);
    const uint64_t tile = (are_few(plan, run->count) ? 1 : (uint64_t)vectors * vector) * (uint64_t)tuning->block;
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

const jr_algorithm_row jr_segmented_threads = {
    .name = "segmented_threads",
    .tuned = JR_TUNED_SEGMENTED_THREADS,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/strided/threads.cu", .entry = "jr_segmented_threads"}},
    .applicable = applicable,
    .run = run,
    .choices = &choices};
