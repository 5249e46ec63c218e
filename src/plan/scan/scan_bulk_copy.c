/* bulk_copy for scans: one block per multiprocessor, whose warps have roles: bulk copies bring tiles into a ring, one
 * squad folds them, another one scans them (kernels_src/scan/ring/scan_bulk_copy.cu). */
#include "program/constants.h"
#include "scan_queue.h"
#include "spec/spec_expressions.h"

/* A launch has a slot for each of its tiles: so many bytes of slots are enough for 10 GiB of elements of 4 bytes. */
enum { SLOTS_BYTES = 1 << 22 };

static jr_scan_queue queue_of(const jr_plan *plan, bool of_runs) {
    const int slots = JR_AHEAD_SLOTS(jr_scan_queue_fold_bytes(plan)), block = plan->choice.tuning.block;
    const bool marked = plan->layout.kind == JR_SEGMENTS_OFFSETS;
    return (jr_scan_queue){.tile_threads = of_runs  ? JR_RUNS_SQUAD_THREADS(block)
                                           : marked ? JR_MARKED_SQUAD_THREADS(block)
                                                    : JR_SQUAD_THREADS(block),
                           .group = slots * JR_WARP_LANES,
                           .apart = 1,
                           .in_sequence = true,
                           .slots_bytes = SLOTS_BYTES};
}
static jr_scan_queue queue(const jr_plan *plan) {
    return queue_of(plan, false);
}
static jr_scan_queue queue_of_runs(const jr_plan *plan) {
    return queue_of(plan, true);
}

/* For scans of segments: a fold, with its data about segment starts, must fit in few registers. */
enum { ACCUMULATOR_MOST = 16 };

/* The instruction came with compute capability 9.0. */
static bool applicable(const jr_job *job) {
    return job->layout.kind == 0 && job->device->capability_major >= 9 &&
           job->reduction->accumulator_bytes <= JR_STRUCT_BYTES_MAX;
}

/* Is it ahead of wave? Segments, which wave does not take, have numbers of their own. */
bool jr_scan_is_large(const jr_job *job) {
    const uint64_t count = jr_job_expected_count(job), bytes = job->reduction->inputs[0].bytes;
    if (job->layout.kind == 0)
        return count >
               jr_tuned_number_of(job->device, JR_NUMBER_SCAN_LARGE_BYTES) / (bytes + job->reduction->output_bytes);
    return count >= jr_tuned_number_of(job->device, JR_NUMBER_SCAN_LARGE_ELEMENTS) ||
           count >= jr_tuned_number_of(job->device, JR_NUMBER_SCAN_LARGE_SEGMENTED_BYTES) / bytes;
}

static bool is_large(const jr_job *job) {
    return jr_job_scans_as_it_likes(job) && jr_scan_is_large(job);
}

/* Segments whose places in them nobody asks for, and whose results are as wide as their elements. */
static bool is_segmented(const jr_job *job, jr_segment_kind kind) {
    const jr_reduction *reduction = job->reduction;
    return job->layout.kind == kind && job->device->capability_major >= 9 &&
           reduction->accumulator_bytes <= ACCUMULATOR_MOST && !jr_constants_placed(reduction) &&
           reduction->input_count == 1 && reduction->inputs[0].bytes == reduction->output_bytes && !job->to_state;
}

static bool is_keyed(const jr_job *job) {
    return is_segmented(job, JR_SEGMENTS_KEYS);
}

static bool is_marked(const jr_job *job) {
    return is_segmented(job, JR_SEGMENTS_OFFSETS);
}

static bool is_equal(const jr_job *job) {
    return is_segmented(job, JR_SEGMENTS_EQUAL);
}

/* Of accumulators of 4 bytes for as many elements. */
static jr_tuned_number block_of_words(const jr_job *job, bool plain) {
    const bool few = jr_job_expected_count(job) <= jr_tuned_number_of(job->device, JR_NUMBER_SCAN_FEW_WORDS);
    return plain && few ? JR_NUMBER_SCAN_FEW_WORDS_BLOCK : JR_NUMBER_SCAN_WORDS_BLOCK;
}

/* Of accumulators and results of 8 bytes. */
static jr_tuned_number block_of_pairs(const jr_job *job, bool plain) {
    const bool few = jr_job_expected_count(job) <= jr_tuned_number_of(job->device, JR_NUMBER_SCAN_FEW_PAIRS);
    if (!plain) return JR_NUMBER_SCAN_EXPRESSIONS_BLOCK;
    switch (job->reduction->inputs[0].bytes) {
    case 1: return JR_NUMBER_SCAN_PAIRS_OF_1_BLOCK;
    case 2: return JR_NUMBER_SCAN_PAIRS_OF_2_BLOCK;
    case 4: return JR_NUMBER_SCAN_PAIRS_OF_4_BLOCK;
    case 8: return few ? JR_NUMBER_SCAN_FEW_PAIRS_BLOCK : JR_NUMBER_SCAN_PAIRS_BLOCK;
    default: return JR_NUMBERS;
    }
}

/* With small tiles the first results come sooner; with large tiles the look-ahead warp keeps up. If loads were
 * requested, or accumulators have other sizes than the measured ones, it is the block of the algorithm's entry. */
static int choose_block(const jr_job *job) {
    const jr_reduction *reduction = job->reduction;
    const size_t in = reduction->inputs[0].bytes, combined = reduction->accumulator_bytes;
    jr_expression expressions[JR_EXPRESSIONS_MAX];
    jr_tuned_number number = JR_NUMBERS;
    if (job->requested.unroll > 0) return 0;
    const bool plain = jr_spec_expressions_list(&reduction->spec, expressions) == 0;
    if (in == 4 && combined == 4)
        number = block_of_words(job, plain);
    else if (combined == 8 && reduction->output_bytes == 8)
        number = block_of_pairs(job, plain);
    return number == JR_NUMBERS ? 0 : (int)jr_tuned_number_of(job->device, number);
}

static const jr_algorithm_ring ring = {.tiles_least = 3, .tiles_max = 10, .squads = true, .fixed_bytes = 256};
static const jr_algorithm_scan scan = {
    .queue = queue, .part = jr_scan_queue_part, .tile_count = jr_scan_queue_tile_count};
static const jr_algorithm_choices choices = {.preferred = is_large, .block = choose_block};

const jr_algorithm_row jr_scan_bulk_copy = {
    .algorithm = JR_ALGORITHM_BULK_COPY,
    .name = "bulk_copy",
    .tuned = JR_TUNED_SCAN_BULK_COPY,
    .kind = JR_JOB_SCAN,
    .kernels = {{.source = "scan/ring/scan_bulk_copy.cu", .entry = "jr_scan_bulk_copy", .full_optimisation = true}},
    .needs = "a scan, and a device of compute capability 9.0 or more; what it "
             "combines has at most 64 bytes",
    .applicable = applicable,
    .grid = jr_scan_queue_grid,
    .workspace_bytes = jr_scan_queue_workspace,
    .partial_bytes = jr_scan_queue_moved,
    .launches = jr_scan_queue_launches,
    .run = jr_scan_queue_run,
    .choices = &choices,
    .ring = &ring,
    .scan = &scan};

static const jr_algorithm_choices segmented_choices = {.preferred = is_large};

/* By offsets some warps more mark heads. */
#define SEGMENTED(row, takes)                                                                                          \
    {                                                                                                                  \
        .algorithm = JR_ALGORITHM_BULK_COPY, .name = "bulk_copy", .kind = JR_JOB_SCAN,                                 \
        .kernels = {{.source = "scan/ring/scan_bulk_copy_segmented.cu",                                                \
                     .entry = "jr_scan_bulk_copy_segmented",                                                           \
                     .full_optimisation = true}},                                                                      \
        .tuned = (row),                                                                                                \
        .needs = "a device of compute capability 9.0 or more; of segments, results as wide as the elements of one "    \
                 "array",                                                                                              \
        .applicable = (takes), .grid = jr_scan_queue_grid, .workspace_bytes = jr_scan_queue_workspace,                 \
        .partial_bytes = jr_scan_queue_moved, .launches = jr_scan_queue_launches, .run = jr_scan_queue_run,            \
        .choices = &segmented_choices, .ring = &ring, .scan = &scan                                                    \
    }

const jr_algorithm_row jr_scan_bulk_copy_keyed = SEGMENTED(JR_TUNED_SCAN_BULK_COPY_KEYED, is_keyed);
const jr_algorithm_row jr_scan_bulk_copy_marked = SEGMENTED(JR_TUNED_SCAN_BULK_COPY_MARKED, is_marked);
const jr_algorithm_row jr_scan_bulk_copy_equal = SEGMENTED(JR_TUNED_SCAN_BULK_COPY_EQUAL, is_equal);

/* As wide as elements; that they are counted, or combined only, another row does. */
static bool is_of_runs(const jr_job *job) {
    const jr_reduction *reduction = job->reduction;
    return jr_job_is_of_runs(job) && job->device->capability_major >= 9 &&
           reduction->accumulator_bytes <= ACCUMULATOR_MOST && !jr_constants_placed(reduction) &&
           reduction->input_count == 1 && reduction->inputs[0].bytes == reduction->output_bytes && !job->to_state &&
           reduction->kept_offset == 0;
}

/* True if it is faster than runs.cu for short runs by more than it is slower for long ones. */
static bool is_large_of_runs(const jr_job *job) {
    const uint64_t count = jr_job_expected_count(job), bytes = job->reduction->inputs[0].bytes;
    return jr_job_scans_as_it_likes(job) &&
           (count >= jr_tuned_number_of(job->device, JR_NUMBER_SCAN_LARGE_ELEMENTS) ||
            count >= jr_tuned_number_of(job->device, JR_NUMBER_RUNS_LARGE_BYTES) / bytes);
}

static const jr_algorithm_scan scan_of_runs = {.queue = queue_of_runs};
static const jr_algorithm_choices choices_of_runs = {.preferred = is_large_of_runs};

const jr_algorithm_row jr_segmented_runs_ring = {.algorithm = JR_ALGORITHM_BULK_COPY,
                                                 .name = "bulk_copy",
                                                 .tuned = JR_TUNED_SEGMENTED_RUNS_RING,
                                                 .kind = JR_JOB_SEGMENTS,
                                                 .kernels = {{.source = "scan/ring/bulk_copy_runs.cu",
                                                              .entry = "jr_scan_bulk_copy_runs",
                                                              .full_optimisation = true}},
                                                 .applicable = is_of_runs,
                                                 .grid = jr_scan_queue_grid,
                                                 .workspace_bytes = jr_scan_queue_workspace,
                                                 .launches = jr_scan_queue_launches,
                                                 .run = jr_scan_queue_run,
                                                 .choices = &choices_of_runs,
                                                 .ring = &ring,
                                                 .scan = &scan_of_runs};
