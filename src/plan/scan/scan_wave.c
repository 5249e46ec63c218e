/* wave: a block for each tile, which it has in registers from its loads to its results
 * (kernels_src/scan/queue/scan_wave.cu). */
#include "scan_queue.h"

/* A launch has a slot for each of its tiles: so many bytes of slots are enough for 64 MiB of elements of 4 bytes. */
enum { SLOTS_BYTES = 1 << 19 };

static jr_scan_queue queue(const jr_plan *plan) {
    const size_t bytes = plan->reduction->accumulator_bytes;
    const int block = plan->choice.tuning.block;
    return (jr_scan_queue){.tile_threads = JR_WAVE_THREADS(block),
                           .group = JR_WAVE_GROUP(bytes, block),
                           .apart = (int)JR_WAVE_APART(bytes),
                           .slots_bytes = SLOTS_BYTES};
}

static bool applicable(const jr_job *job) {
    return job->layout.kind == 0 && job->requested.grid == 0 &&
           job->reduction->accumulator_bytes <= JR_STRUCT_BYTES_MAX &&
           (job->requested.block == 0 || JR_WAVE_THREADS(job->requested.block) > 0);
}

/* What more than one block takes; and no more than that, as the slots that every block asks for become too many. */
static bool is_of_middle_size(const jr_job *job) {
    return jr_job_scans_as_it_likes(job) && !jr_scan_is_large(job) &&
           jr_job_expected_count(job) >
               jr_tuned_number_of(job->device, JR_NUMBER_SCAN_SMALL_BYTES) / job->reduction->inputs[0].bytes;
}

static const jr_algorithm_scan scan = {
    .queue = queue, .tile_a_block = true, .part = jr_scan_queue_part, .tile_count = jr_scan_queue_tile_count};
static const jr_algorithm_choices choices = {.preferred = is_of_middle_size};

const jr_algorithm_row jr_algorithm_row_WAVE = {
    .algorithm = JR_ALGORITHM_WAVE,
    .name = "wave",
    .tuned = JR_TUNED_WAVE,
    .kind = JR_JOB_SCAN,
    .kernels = {{.source = "scan/queue/scan_wave.cu", .entry = "jr_scan_wave", .full_optimisation = true}},
    .needs = "a scan without a grid of your own, and a block of 96 threads or "
             "more; what it combines has at most 64 bytes",
    .applicable = applicable,
    .grid = jr_scan_queue_grid,
    .workspace_bytes = jr_scan_queue_workspace,
    .partial_bytes = jr_scan_queue_moved,
    .launches = jr_scan_queue_launches,
    .run = jr_scan_queue_run,
    .choices = &choices,
    .scan = &scan};
