/* single_pass for scans: one launch reads every element once and writes its result; blocks draw tiles and store their
 * totals in slots (kernels_src/scan/queue/single_pass.cuh). It also reduces runs of equal keys
 * (kernels_src/scan/queue/runs.cu).
 */
#include "scan_queue.h"

/* A launch has a slot for each of its tiles: so many bytes of slots are enough for 2 GiB of elements of 4 bytes. */
enum { SLOTS_BYTES = 1 << 19 };

static jr_scan_queue queue(const jr_plan *plan) {
    const int block = plan->choice.tuning.block;
    return (jr_scan_queue){.tile_threads = block, .group = block, .apart = 1, .slots_bytes = SLOTS_BYTES};
}

static bool is_of_all(const jr_job *job) {
    return job->layout.kind == 0;
}

static bool has_heads(const jr_job *job) {
    return job->layout.kind != 0 && job->layout.kind != JR_SEGMENTS_STRIDED;
}

static const jr_algorithm_scan scan = {
    .queue = queue, .part = jr_scan_queue_part, .tile_count = jr_scan_queue_tile_count};
static const jr_algorithm_scan scan_of_runs = {.queue = queue};

#define SINGLE_PASS(row, source_of, form, takes)                                                                       \
    .algorithm = JR_ALGORITHM_SINGLE_PASS, .name = "single_pass", .kind = JR_JOB_SCAN,                                 \
    .kernels = {{.source = (source_of), .entry = "jr_" #form}}, .tuned = (row), .needs = "a scan",                     \
    .applicable = (takes), .workspace_bytes = jr_scan_queue_workspace, .partial_bytes = jr_scan_queue_moved,           \
    .launches = jr_scan_queue_launches, .run = jr_scan_queue_run, .scan = &scan

const jr_algorithm_row jr_scan_single_pass = {
    SINGLE_PASS(JR_TUNED_SCAN_SINGLE_PASS, "scan/queue/scan_single_pass.cu", scan_single_pass, is_of_all)};
const jr_algorithm_row jr_scan_segmented = {
    SINGLE_PASS(JR_TUNED_SCAN_SEGMENTED, "scan/queue/scan_segmented.cu", scan_segmented, has_heads)};
const jr_algorithm_row jr_scan_view_segmented = {
    .views = true,
    SINGLE_PASS(JR_TUNED_SCAN_VIEW_SEGMENTED, "scan/views/scan_views.cu", scan_view_segmented, has_heads)};

const jr_algorithm_row jr_segmented_runs = {
    .name = "segmented_runs",
    .tuned = JR_TUNED_SEGMENTED_RUNS,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "scan/queue/runs.cu", .entry = "jr_scan_runs", .large = true}},
    .applicable = jr_job_is_of_runs,
    .workspace_bytes = jr_scan_queue_workspace,
    .launches = jr_scan_queue_launches,
    .run = jr_scan_queue_run,
    .scan = &scan_of_runs};
