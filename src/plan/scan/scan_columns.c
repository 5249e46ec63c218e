/* scan_columns: scans of segments whose elements are not contiguous (kernels_src/scan/rows/columns_*.cu): parts of
 * columns are folded, their folds scanned, and each part is scanned from its start; one launch where a column is one
 * part. */
#include "scan_columns.h"

#include "base/whole.h"
#include "plan/cut.h"
#include "scan_view.h"

enum { RESULTS, SUMS, STARTS }; /* kernels; the first one decides how many blocks are resident */

/* So many threads keep an H200 busy: 1536 on a multiprocessor with 32 bytes each, or 384 with 128. Not the device's own
 * number: on it the bits of results would depend. Parts of few rows do not pay. Lanes do, where they keep a part of the
 * device busy, or go down a column in few steps: else columns are cut into parts, which are read twice. */
enum { THREADS_WANTED = 1 << 17, PART_ROWS = 16, LANE_THREADS_LEAST = 1 << 15, LANE_STEPS_FEW = 8 };

/* Lanes of a column, at most: then neighbouring lanes still read lines of memory, by packs or by single elements. The
 * latter are loaded slower than parts, but for columns of one step. (4096,4099) axis 0 on an H100: 166 us, parts 132.
 */
enum { LANES_BY_PACKS = 32, LANES_BY_ELEMENTS = 8 };

static bool applicable(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_STRIDED;
}

static uint64_t at_least_one(uint64_t number) {
    return number > 0 ? number : 1;
}

/* Columns that a thread takes where they lie at vectors' boundaries. */
static uint64_t columns_at_once(const jr_plan *plan) {
    const uint64_t elements = jr_cut_pack_elements(plan->reduction);
    return JR_COLUMNS_FIT(elements, plan->reduction->accumulator_bytes) ? elements : 1;
}

/* As many lanes a column as are wanted; 1: columns of so many rows are cut into parts, or need no lanes. */
static uint32_t lanes_of(const jr_plan *plan, const jr_scan_rows *rows, uint64_t threads, uint64_t wanted) {
    const uint64_t at_once = columns_at_once(plan), step = JR_COLUMN_ROWS_AT_ONCE(at_once);
    const bool packs = rows->inner % at_once == 0;
    const uint64_t most = packs ? LANES_BY_PACKS : LANES_BY_ELEMENTS;
    uint64_t lanes = 1;
    if (plan->view.arrays > 0 ||
        !JR_COLUMN_LANES_FIT((size_t)plan->choice.tuning.block, at_once, plan->reduction->accumulator_bytes))
        return 1;
    while (lanes < most && lanes < wanted && lanes * step < rows->length) lanes *= 2;
    const bool pays =
        rows->length <= lanes * step * (packs ? LANE_STEPS_FEW : 1) || (packs && threads * lanes >= LANE_THREADS_LEAST);
    return pays ? (uint32_t)lanes : 1;
}

/* How columns are cut: that is said by how many of them there are in all. */
static jr_scan_columns columns_of(const jr_plan *plan, const jr_scan_rows *rows) {
    const uint64_t threads = at_least_one(jr_divide_up(rows->all, columns_at_once(plan)));
    const uint64_t wanted = at_least_one(THREADS_WANTED / threads);
    const uint32_t lanes = lanes_of(plan, rows, threads, wanted);
    const uint64_t most = lanes > 1 ? 1 : rows->length / PART_ROWS + 1;
    const uint64_t part_length = at_least_one(jr_divide_up(rows->length, wanted < most ? wanted : most));
    const uint64_t parts = at_least_one(jr_divide_up(rows->length, part_length));
    return (jr_scan_columns){.pieces = rows->columns / rows->inner * parts,
                             .length = rows->length,
                             .inner = rows->inner,
                             .part_length = part_length,
                             .parts = parts,
                             .lanes = lanes,
                             .before = rows->before,
                             .carry = rows->carry};
}

static jr_scan_rows all_rows(const jr_plan *plan, uint64_t columns) {
    return (jr_scan_rows){
        .all = columns, .columns = columns, .length = plan->layout.length, .inner = plan->layout.inner};
}

bool jr_scan_rows_have_packs(const jr_plan *plan, const jr_run *run, const jr_cut *cut, uint64_t inner) {
    const uint64_t elements = jr_cut_pack_elements(plan->reduction);
    return plan->view.arrays == 0 && columns_at_once(plan) > 1 && inner % elements == 0 && cut->head == 0 &&
           cut->pack_count > 0 && run->out % JR_VECTOR_BYTES == 0;
}

/* As many as there are parts in any shape: where a column is one part, none. */
static size_t workspace_bytes(const jr_plan *plan) {
    return THREADS_WANTED * (size_t)columns_at_once(plan) * plan->reduction->accumulator_bytes;
}

int jr_scan_rows_launches(const jr_plan *plan, const jr_scan_rows *rows) {
    return columns_of(plan, rows).parts > 1 ? 3 : 1;
}

static int count_launches(const jr_plan *plan, uint64_t count) {
    const uint64_t length = plan->layout.length;
    if (count == 0 || length == 0) return 0;
    const jr_scan_rows rows = all_rows(plan, count / length);
    return jr_scan_rows_launches(plan, &rows);
}

/* The input a second time, all results but one; folds are written, read, written and read. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    const jr_scan_rows rows = all_rows(plan, plan->layout.length > 0 ? count / plan->layout.length : 0);
    const jr_scan_columns columns = columns_of(plan, &rows);
    uint64_t bytes = count > 0 ? (count - 1) * plan->reduction->output_bytes : 0;
    for (int i = 0; i < plan->reduction->input_count && columns.parts > 1; i++)
        bytes += count * plan->reduction->inputs[i].bytes;
    return bytes + (columns.parts > 1 ? 4 * columns.pieces * columns.inner * plan->reduction->accumulator_bytes : 0);
}

/* Blocks for so many threads: a wave at most. */
static int grid_of(const jr_plan *plan, uint64_t threads) {
    const uint64_t most = (uint64_t)jr_plan_grid(plan, UINT64_MAX);
    const uint64_t blocks = at_least_one(jr_divide_up(threads, (uint64_t)plan->choice.tuning.block));
    return (int)(blocks < most ? blocks : most);
}

jr_status jr_scan_rows_run(const jr_plan *plan, const jr_run *run, const jr_scan_rows *rows) {
    jr_scan_columns columns = columns_of(plan, rows);
    jr_cut cut = jr_scan_cut(plan, run);
    jr_view_axes axes;
    jr_scan_view_axes(plan, &axes);
    jr_call call = jr_plan_call(plan, run);
    columns.packs = jr_scan_rows_have_packs(plan, run, &cut, rows->inner);
    jr_cu_deviceptr starts = columns.parts > 1 ? run->workspace : 0;
    jr_cu_deviceptr none = 0;
    void *sums_args[] = {&cut, &starts, &columns, &call}, *starts_args[] = {&starts, &columns, &call};
    void *view_sums_args[] = {&cut, &none, &starts, &columns, &call, &axes};
    void *scan_args[] = {&cut, (void *)&run->out, &starts, &columns, &call, &axes};
    void **folded = plan->view.arrays > 0 ? view_sums_args : sums_args;
    const uint64_t threads =
        columns.pieces * columns.inner * columns.lanes / (columns.packs ? columns_at_once(plan) : 1);
    const uint64_t blocks_of = columns.parts > JR_PARTS_BY_THREAD ? (uint64_t)plan->choice.tuning.block : 1;
    const int grid = grid_of(plan, threads), starts_grid = grid_of(plan, rows->columns * blocks_of);
    jr_status status = JR_OK;
    if (starts != 0) status = jr_plan_step(plan, SUMS, grid, run->stream, folded);
    if (starts != 0 && status == JR_OK) status = jr_plan_step(plan, STARTS, starts_grid, run->stream, starts_args);
    return status == JR_OK ? jr_plan_step(plan, RESULTS, grid, run->stream, scan_args) : status;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const jr_scan_rows rows = all_rows(plan, run->scan.segments.count);
    return jr_scan_rows_run(plan, run, &rows);
}

static const jr_algorithm_scan scan = {.by_rows = true};

#define COLUMNS                                                                                                        \
    .name = "scan_columns", .kind = JR_JOB_SCAN, .needs = "segments with gaps between them", .applicable = applicable, \
    .workspace_bytes = workspace_bytes, .partial_bytes = partial_bytes, .launches = count_launches, .run = run,        \
    .scan = &scan
#define STARTS_KERNEL                                                                                                  \
    { .source = "scan/rows/columns_starts.cu", .entry = "jr_scan_columns_starts", .of_both_scans = true }

const jr_algorithm_row jr_scan_columns_row = {
    .tuned = JR_TUNED_SCAN_COLUMNS,
    .kernels = {{.source = "scan/rows/columns_results.cu", .entry = "jr_scan_columns_results"},
                {.source = "scan/rows/columns_sums.cu", .entry = "jr_scan_columns_sums", .of_both_scans = true},
                STARTS_KERNEL},
    COLUMNS};

#define VIEW_KERNEL                                                                                                    \
    { .source = "scan/views/scan_views.cu", .entry = "jr_scan_view_columns" }

const jr_algorithm_row jr_scan_view_columns = {
    .views = true, .tuned = JR_TUNED_SCAN_VIEW_COLUMNS, .kernels = {VIEW_KERNEL, VIEW_KERNEL, STARTS_KERNEL}, COLUMNS};
