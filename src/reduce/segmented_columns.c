/* segmented_columns: segments whose elements lie apart (kernels_src/segmented/columns.cu). */
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

/* As many 16-byte loads as a thread has accumulators' registers for, and no more than it has lines. Each load is of
 * `vector` elements, of which each is lifted and combined in the kernel's text: with large accumulators, and
 * operators that are long, fewer keep the compile short. */
static int choose_unroll(const jr_job *job, int block) {
    enum { LOADS_MOST = 8, LOADS_HEAVY = 4, HEAVY_BYTES = 64 };
    const size_t bytes = job->reduction->accumulator_bytes;
    const uint32_t vector = vector_of(job->reduction, block);
    const uint32_t elements = bytes <= 12 ? 64 : bytes <= 16 ? 32 : 16; /* at most */
    const uint32_t loads = vector * bytes <= HEAVY_BYTES ? LOADS_MOST : LOADS_HEAVY;
    const uint32_t most = elements / vector < loads ? elements / vector : loads;
    const uint64_t period = job->reduction->commutative ? jr_column_bands_period(job->layout.inner, vector) : 1;
    const uint64_t lines = job->layout.length / period + (job->layout.length % period != 0);
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

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const int block = plan->choice.tuning.block;
    jr_segments_args given = jr_segments_args_of(plan, run);
    const jr_band_job job = {.count = run->count,
                             .length = plan->layout.length,
                             .inner = plan->layout.inner,
                             .wave = (uint64_t)jr_plan_grid(plan, UINT64_MAX),
                             .room = room_of(plan),
                             .block = (uint32_t)block,
                             .unroll = (uint32_t)plan->choice.tuning.unroll,
                             .vector = vector_of(plan->reduction, block),
                             .head = given.input.head,
                             .in_order = !plan->reduction->commutative};
    jr_band_cut cut = jr_column_bands_of(&job);
    cut.result_bytes = given.segments.result_bytes;
    given.call.count = plan->layout.length;
    void *args[] = {&given.input, (void *)&run->out, (void *)&run->workspace, &cut, &given.call};
    const int grid = jr_segments_grid_of_all(plan, cut.units);
    const jr_status status = jr_plan_step(plan, COLUMNS, grid, run->stream, args);
    if (status != JR_OK || cut.parts == 1) return status;
    return jr_parts_join(plan, run, JOIN, (uint64_t)(uintptr_t)run->workspace, cut.parts);
}

const jr_algorithm_row jr_segmented_columns = {
    .name = "segmented_columns",
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/columns.cu", .entry = "jr_segmented_columns"}, JR_PARTS_JOIN_KERNEL},
    .workspace_bytes = workspace_bytes,
    .launches = 2,
    .applicable = applicable,
    .choose_unroll = choose_unroll,
    .run = run};
