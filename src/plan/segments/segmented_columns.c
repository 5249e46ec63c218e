/* segmented_columns: segments whose elements lie apart (kernels_src/segmented/strided/columns.cu). */
#include "base/whole.h"
#include "column_bands.h"
#include "parts_join.h"

enum { COLUMNS, JOIN };

static bool applicable(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_STRIDED;
}

static uint32_t vector_of(const jr_reduction *reduction, int block) {
    const jr_input *input = &reduction->inputs[0];
    return JR_COLUMN_VECTOR(input->bytes, reduction->accumulator_bytes, (size_t)block, reduction->input_count,
                            input->type == JR_STRUCT);
}

/* Do a vector's accumulators leave room for many blocks at once? */
static bool is_light(const jr_device_info *device, const jr_reduction *reduction, uint32_t vector) {
    return reduction->commutative && vector > 1 &&
           vector * reduction->accumulator_bytes <= jr_tuned_number_of(device, JR_NUMBER_COLUMNS_LIGHT_BYTES);
}

/* Are many blocks at work at once on lines that all begin at the boundaries of vectors? */
static bool is_plain(const jr_job *job, uint32_t vector) {
    return is_light(job->device, job->reduction, vector) && jr_column_bands_period(job->layout.inner, vector) == 1;
}

/* Lanes of a slab of so few lines that its threads' rounds are counted (column_bands.h); 0: others. */
static uint32_t short_lanes(const jr_job *job, uint32_t vector) {
    return is_plain(job, vector) ? jr_column_bands_lanes(job->device, job->layout.length) : 0;
}

/* Are there wide rows, and so many of them that a thread has many rounds of loads? Fewer in each are enough then. */
static bool are_long(const jr_job *job, uint32_t vector) {
    const uint64_t row_bytes = jr_tuned_number_of(job->device, JR_NUMBER_COLUMNS_LONG_ROW_BYTES);
    return is_plain(job, vector) &&
           job->layout.length >= jr_tuned_number_of(job->device, JR_NUMBER_COLUMNS_LONG_LENGTH) &&
           job->layout.inner >= row_bytes / job->reduction->inputs[0].bytes;
}

/* Few lines are reduced in small blocks, which end soon and wait for few others. */
static int choose_block(const jr_job *job) {
    const int block = (int)jr_tuned_number_of(job->device, JR_NUMBER_COLUMNS_SHORT_BLOCK);
    if (jr_segments_shift(job->reduction)) return block; /* whose accumulators leave room for more blocks */
    return short_lanes(job, vector_of(job->reduction, block)) > 0 ? block : 0;
}

/* Are there many short rows that are better put together? */
static bool has_short_rows(const jr_job *job) {
    enum { USUAL = 256 };
    const jr_reduction *reduction = job->reduction;
    return job->layout.kind == JR_SEGMENTS_STRIDED &&
           job->layout.length >= jr_tuned_number_of(job->device, JR_NUMBER_COLUMNS_JOINED_LENGTH) &&
           job->requested.block == 0 && reduction->input_count == 1 &&
           is_light(job->device, reduction, vector_of(reduction, USUAL)) &&
           jr_column_bands_fold(job->device, job->layout.inner * reduction->inputs[0].bytes) > 0;
}

static int choose_rows_block(const jr_job *job) {
    return (int)jr_column_bands_block(job->device, job->layout.inner * job->reduction->inputs[0].bytes);
}

/* Rounds of as equal a length as can be. */
static uint64_t even_rounds(uint64_t lines, uint64_t most) {
    return lines == 0 ? 1 : jr_divide_up(lines, jr_divide_up(lines, most));
}

/* As many 16-byte loads as a thread has accumulators' registers for, and no more than it has lines. Each load is of
 * `vector` elements, of which each is lifted and combined in the kernel's text: with large accumulators, and
 * operators that are long, fewer keep the compile short. Of var and std on an H100 (h100/moments_tunings.csv): 8 loads
 * of 128 threads take 0.85 to 0.98 of the time of 4 of 256 threads, but for rows that begin at four places between
 * boundaries 0.94, and 4 loads 0.87. */
static int choose_unroll(const jr_job *job, int block) {
    enum { LOADS_HEAVY = 4, HEAVY_BYTES = 64 };
    const size_t bytes = job->reduction->accumulator_bytes;
    const uint32_t vector = vector_of(job->reduction, block);
    const uint64_t period = job->reduction->commutative ? jr_column_bands_period(job->layout.inner, vector) : 1;
    const bool shifts = jr_segments_shift(job->reduction) && period <= 2;
    const uint32_t elements = bytes <= 12 ? 64 : bytes <= 16 || shifts ? 32 : 16; /* at most */
    const uint32_t usual = (uint32_t)jr_tuned_number_of(job->device, JR_NUMBER_COLUMNS_LOADS);
    const uint32_t loads = vector * bytes <= HEAVY_BYTES || shifts ? usual : LOADS_HEAVY;
    const uint32_t most = elements / vector < loads ? elements / vector : loads;
    const uint64_t lines = job->layout.length / period + (job->layout.length % period != 0);
    const uint32_t lanes = short_lanes(job, vector);
    if (most == usual && are_long(job, vector))
        return (int)jr_tuned_number_of(job->device, JR_NUMBER_COLUMNS_LONG_LOADS);
    if (lanes > 0) return (int)even_rounds(jr_divide_up(lines, lanes), most);
    return lines == 0 ? 1 : lines < most ? (int)lines : (int)most;
}

/* Partial results that there is room for; a run in parts has no more. */
static uint64_t room_of(const jr_plan *plan) {
    enum { TIMES = 4, LARGE_BYTES = 16 };
    const uint64_t times = plan->reduction->accumulator_bytes <= LARGE_BYTES ? TIMES : 1;
    return times * (uint64_t)jr_plan_grid(plan, UINT64_MAX) * (uint64_t)plan->choice.tuning.block;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)room_of(plan) * plan->reduction->accumulator_bytes;
}

/* fold: see jr_band_job. */
static jr_status run_bands(const jr_plan *plan, const jr_run *run, uint32_t fold) {
    const int block = plan->choice.tuning.block;
    const uint32_t vector = vector_of(plan->reduction, block);
    const jr_device_info *device = &plan->context->device.info;
    jr_segments_args given = jr_segments_args_of(plan, run);
    const jr_band_job job = {.count = run->count,
                             .length = plan->layout.length,
                             .inner = plan->layout.inner,
                             .wave = (uint64_t)jr_plan_grid(plan, UINT64_MAX),
                             .room = room_of(plan),
                             .block = (uint32_t)block,
                             .unroll = (uint32_t)plan->choice.tuning.unroll,
                             .vector = vector,
                             .head = given.input.head,
                             .in_order = !plan->reduction->commutative,
                             .fold = fold,
                             .short_lanes = jr_column_bands_lanes(device, plan->layout.length),
                             .light = is_light(device, plan->reduction, vector)};
    jr_band_cut cut = jr_column_bands_of(&job);
    cut.result_bytes = given.segments.result_bytes;
    given.call.count = plan->layout.length;
    void *args[] = {&given.input, (void *)&run->out, (void *)&run->workspace, &cut, &given.call};
    const int grid = jr_segments_grid_of_all(plan, cut.units);
    const jr_status status = jr_plan_step(plan, COLUMNS, grid, run->stream, args);
    if (status != JR_OK || cut.parts == 1) return status;
    return jr_parts_join(plan, run, JOIN, run->workspace, cut.parts);
}

static jr_status run_rows(const jr_plan *plan, const jr_run *run) {
    return run_bands(
        plan, run,
        jr_column_bands_fold(&plan->context->device.info, plan->layout.inner * plan->reduction->inputs[0].bytes));
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    return run_bands(plan, run, 0);
}

static const jr_algorithm_choices rows_choices = {.block = choose_rows_block, .unroll = choose_unroll},
                                  choices = {.block = choose_block, .unroll = choose_unroll};

const jr_algorithm_row jr_segmented_columns_rows = {
    .name = "segmented_columns",
    .tuned = JR_TUNED_SEGMENTED_COLUMNS_ROWS,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/strided/columns.cu", .entry = "jr_segmented_columns"}, JR_PARTS_JOIN_KERNEL},
    .workspace_bytes = workspace_bytes,
    .launches = jr_plan_two_launches,
    .applicable = has_short_rows,
    .run = run_rows,
    .choices = &rows_choices};

/* With all optimisation, measured on an H100, sum f32 of shapes whose rows are long or few takes 0.5 to 13 % less,
 * argmax 0.9 to 6.5 %, but sum of (10^6,100) along axis 0 in the blocks above 6 % more. */
const jr_algorithm_row jr_segmented_columns = {
    .name = "segmented_columns",
    .tuned = JR_TUNED_SEGMENTED_COLUMNS,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/strided/columns.cu", .entry = "jr_segmented_columns", .full_optimisation = true},
                JR_PARTS_JOIN_KERNEL},
    .workspace_bytes = workspace_bytes,
    .launches = jr_plan_two_launches,
    .applicable = applicable,
    .run = run,
    .choices = &choices};
