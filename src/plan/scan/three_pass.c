/* three_pass: rows are folded, their sums are scanned by one block, then each row is scanned from its start
 * (kernels_src/scan/rows/three_pass_*.cu). */
#include "plan/cut.h"
#include "plan/plan.h"

enum { RESULTS, SUMS, STARTS }; /* kernels; the first one decides how many blocks are resident */

/* Source: row-wise reduce-then-scan, in which one block folds all rows' sums. */
enum { ROWS_MAX = 1000 };

static bool applicable(const jr_job *job) {
    return job->layout.kind == 0;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)jr_plan_grid(plan, UINT64_MAX) * plan->reduction->accumulator_bytes;
}

/* A single row begins with the initial value: nothing has to be folded before. */
static int count_launches(const jr_plan *plan, uint64_t count) {
    return count == 0 ? 0 : jr_plan_grid(plan, count) == 1 ? 1 : 3;
}

/* The input a second time, all results but one; sums and starts are written and read. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    const uint64_t rows = (uint64_t)jr_plan_grid(plan, count);
    uint64_t bytes = count > 0 ? (count - 1) * plan->reduction->output_bytes : 0;
    for (int i = 0; i < plan->reduction->input_count && rows > 1; i++)
        bytes += count * plan->reduction->inputs[i].bytes;
    return bytes + (rows > 1 ? 4 * rows * plan->reduction->accumulator_bytes : 0);
}

/* Deals the tiles of a cut array to rows. */
static jr_deal deal_tiles(const jr_plan *plan, const jr_cut *cut, uint64_t count, int row_count) {
    return jr_cut_deal(jr_cut_ordered_packs(plan->reduction, cut->head, count),
                       (uint64_t)plan->choice.tuning.block * (uint64_t)plan->choice.tuning.unroll, (uint64_t)row_count);
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const int grid = jr_plan_grid(plan, run->count);
    uint32_t row_count = (uint32_t)grid;
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_deal deal = deal_tiles(plan, &cut, run->count, grid);
    jr_call call = jr_plan_call(plan, run);
    jr_cu_deviceptr starts = grid > 1 ? run->workspace : 0;
    void *sums_args[] = {&cut, &starts, &deal, &call}, *starts_args[] = {&starts, &row_count, &call};
    void *scan_args[] = {&cut, (void *)&run->out, &starts, &deal, &call};
    jr_status status = JR_OK;
    if (grid > 1) status = jr_plan_step(plan, SUMS, grid, run->stream, sums_args);
    if (grid > 1 && status == JR_OK) status = jr_plan_step(plan, STARTS, 1, run->stream, starts_args);
    return status == JR_OK ? jr_plan_step(plan, RESULTS, grid, run->stream, scan_args) : status;
}

const jr_algorithm_row jr_algorithm_row_THREE_PASS = {
    .algorithm = JR_ALGORITHM_THREE_PASS,
    .name = "three_pass",
    .tuned = JR_TUNED_THREE_PASS,
    .kind = JR_JOB_SCAN,
    .kernels = {{.source = "scan/rows/three_pass_results.cu", .entry = "jr_scan_three_pass_results"},
                {.source = "scan/rows/three_pass_sums.cu", .entry = "jr_scan_three_pass_sums", .of_both_scans = true},
                {.source = "scan/rows/three_pass_starts.cu",
                 .entry = "jr_scan_three_pass_starts",
                 .alone = true,
                 .of_both_scans = true}},
    .grid_max = ROWS_MAX,
    .needs = "a scan",
    .applicable = applicable,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = partial_bytes,
    .launches = count_launches,
    .run = run};
