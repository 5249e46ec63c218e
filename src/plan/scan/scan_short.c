/* scan_short: scans of few elements each, of columns or of rows: a thread goes along each
 * (kernels_src/scan/rows/scan_short.cu). */
#include <limits.h>

#include "base/whole.h"
#include "plan/cut.h"
#include "scan_columns.h"
#include "scan_view.h"

enum { EACH = 4 }; /* columns of single elements that a thread takes at once, as in the kernel */

static bool applicable(const jr_job *job) {
    return (job->layout.kind == JR_SEGMENTS_STRIDED || job->layout.kind == JR_SEGMENTS_EQUAL) && !job->to_state &&
           job->layout.length <= jr_tuned_number_of(job->device, JR_NUMBER_SCAN_SHORT_LENGTH);
}

/* Rows pay as long as launches take longer than loads: neighbouring threads load elements that are `length` apart. */
static bool is_short(const jr_job *job) {
    const uint64_t most = jr_tuned_number_of(job->device, JR_NUMBER_SCAN_SHORT_ELEMENTS);
    return jr_job_scans_as_it_likes(job) && !job->on_host &&
           (job->layout.kind == JR_SEGMENTS_STRIDED ||
            jr_job_expected_count(job) <= most / (job->layout.length > 0 ? job->layout.length : 1));
}

/* All results but one. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    return count > 0 ? (count - 1) * plan->reduction->output_bytes : 0;
}

/* Columns of one element lie next to each other, whatever the shape. */
static jr_scan_columns columns_of(const jr_plan *plan, uint64_t count) {
    const uint64_t length = plan->layout.length;
    const bool columns = plan->layout.kind == JR_SEGMENTS_STRIDED;
    const uint64_t inner = length == 1 ? count : columns ? plan->layout.inner : 1;
    return (jr_scan_columns){.pieces = count / length / inner,
                             .length = length,
                             .inner = inner,
                             .part_length = length,
                             .parts = 1,
                             .lanes = 1};
}

/* Blocks for all columns: as they end, others begin to load. */
static jr_status run(const jr_plan *plan, const jr_run *run) {
    const uint64_t block = (uint64_t)plan->choice.tuning.block;
    const int asked = plan->choice.tuning.grid;
    jr_scan_columns columns = columns_of(plan, run->scan.segments.count * plan->layout.length);
    jr_cut cut = jr_scan_cut(plan, run);
    jr_call call = jr_plan_call(plan, run);
    uint64_t threads = columns.pieces * columns.inner;
    columns.packs = jr_scan_rows_have_packs(plan, run, &cut, columns.inner);
    if (columns.packs)
        threads = jr_divide_up(threads, jr_cut_pack_elements(plan->reduction));
    else if (threads > (uint64_t)jr_plan_grid(plan, UINT64_MAX) * block)
        threads = jr_divide_up(threads, columns.lanes = EACH);
    void *args[] = {&cut, (void *)&run->out, &columns, &call};
    const uint64_t blocks = jr_divide_up(threads, block), most = asked > 0 ? (uint64_t)asked : INT_MAX;
    return jr_plan_step(plan, 0, (int)(blocks < most ? blocks : most), run->stream, args);
}

static const jr_algorithm_choices choices = {.preferred = is_short};

const jr_algorithm_row jr_scan_short = {.name = "scan_short",
                                        .tuned = JR_TUNED_SCAN_SHORT,
                                        .kind = JR_JOB_SCAN,
                                        .kernels = {{.source = "scan/rows/scan_short.cu", .entry = "jr_scan_short"}},
                                        .needs = "segments of few elements",
                                        .applicable = applicable,
                                        .partial_bytes = partial_bytes,
                                        .run = run,
                                        .choices = &choices};
