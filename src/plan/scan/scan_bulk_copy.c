/* bulk_copy of scans: one block a multiprocessor, whose warps have roles: bulk copies bring tiles into a ring, one
 * squad folds them, another one scans them (kernels_src/scan/ring/bulk_copy.cuh). */
#include "plan/estimate.h"
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

/* Of scans of segments: with what tells of a head a fold is to stay in few registers. */
enum { ACCUMULATOR_MOST = 16 };

/* The instruction came with compute capability 9.0. */
static bool applicable(const jr_job *job) {
    return job->layout.kind == 0 && job->device->capability_major >= 9 &&
           job->reduction->accumulator_bytes <= JR_STRUCT_BYTES_MAX;
}

/* Beyond so many bytes of elements and results it is ahead of wave. Measured on an H100: f32 and f64 of 8 MiB 8.4
 * and 9.5 us (wave 8.6 and 9.0), of 16 MiB 13.5 and 14.1 (15.4 and 15.7). Segments, which wave does not take, have a
 * number of their own. */
enum { LARGE_BYTES = 18 << 20, LARGE_SEGMENTED_BYTES = 1 << 24, LARGE_ELEMENTS = 1 << 22 };
/* Nothing that has fewer bytes of elements is large: results have 8 times as many at most. */
enum { LARGE_LEAST = LARGE_BYTES / 9 };

bool jr_scan_is_large(const jr_job *job) {
    const uint64_t count = jr_job_expected_count(job), bytes = job->reduction->inputs[0].bytes;
    if (job->layout.kind == 0) return count > LARGE_BYTES / (bytes + job->reduction->output_bytes);
    return count >= LARGE_ELEMENTS || count >= LARGE_SEGMENTED_BYTES / bytes;
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

/* Has a multiprocessor more than 30 bytes a nanosecond of the memory's bandwidth, as an H200 (37), and not an H100
 * (25)? A tile that comes in 0.9 us was the best for f32 of 2^22 elements on both: 33 and 23 KB. */
static bool has_fast_memory(const jr_device_info *device) {
    enum { FAST = 30 };
    return jr_estimate_memory_rate(device) > FAST * 1e6 * device->multiprocessor_count;
}

/* Of accumulators of 4 bytes for as many elements. Measured by 5 loads: H200s, 2^22, 2^23, 2^24 and 2^28, 576 threads
 * 12.0, 19.9, 35.9 and 516 us, 640 11.8, 19.2, 35.4 and 515, 832 11.8, 19.0, 35.9 and 519, 896 11.5, 20.3 and 36.4;
 * an H100, 2^22, 2^23 and 2^24, 576 13.3, 23.7 and 46.2, 640 13.1, 23.7 and 46.1, 832 14.7, 24.8 and 46.8, 896 14.7,
 * 26.0 and 47.5. */
static int choose_block_of_words(const jr_job *job, bool plain) {
    enum { WORDS = 640, FEW_WORDS = 896, FEW = 1 << 22 };
    return plain && jr_job_expected_count(job) <= FEW && has_fast_memory(job->device) ? FEW_WORDS : WORDS;
}

/* Of accumulators and results of 8 bytes. Measured on H200s, f64 of 2^21, 2^22, 2^24 and 2^27 by 5 loads, 576
 * threads 12.8, 21.4, 70.6 and 531 us, 704 12.7, 20.5, 68.5 and 518, 832 12.4, 19.8, 67.8 and 518, 896 12.1, 20.4, 69.1
 * and 522; i32 in i64 of 2^28, 576, 704 and 832 threads 822, 803 and 812 us; i8 and i16 in i64 by one load, 704 threads
 * 645 and 793 us, 768 629 and 745, 896 641 and 694, 1024 640 and 677. On an H100 f64 takes as long by 832 threads as by
 * 576, within 2 %; i8 852 us by 768 threads and 844 by 576. */
static int choose_block_of_pairs(const jr_job *job, bool plain) {
    enum { EXPRESSIONS = 640, OF_8 = 832, FEW_OF_8 = 896, FEW = 1 << 21, OF_4 = 704, OF_2 = 1024, OF_1 = 768 };
    if (!plain) return EXPRESSIONS;
    switch (job->reduction->inputs[0].bytes) {
    case 1: return OF_1;
    case 2: return OF_2;
    case 4: return OF_4;
    case 8: return jr_job_expected_count(job) <= FEW ? FEW_OF_8 : OF_8;
    default: return 0;
    }
}

/* Small tiles begin sooner, large ones keep whoever looks ahead from falling behind. Devices with less shared memory
 * than those of the measurements have no room for so large tiles, nor have loads that were asked for; up to 640 threads
 * have 96 registers each, 832 have 72, which expressions may need more of. */
static int choose_block(const jr_job *job) {
    enum { ROOM = 192 << 10 };
    const jr_reduction *reduction = job->reduction;
    const size_t in = reduction->inputs[0].bytes, combined = reduction->accumulator_bytes;
    jr_expression expressions[JR_EXPRESSIONS_MAX];
    if (job->device->shared_bytes_per_block_optin < ROOM || job->wishes.unroll > 0) return 0;
    const bool plain = jr_spec_expressions_list(&reduction->spec, expressions) == 0;
    if (in == 4 && combined == 4) return choose_block_of_words(job, plain);
    return combined == 8 && reduction->output_bytes == 8 ? choose_block_of_pairs(job, plain) : 0;
}

static const jr_algorithm_ring ring = {.tiles_least = 3, .tiles_max = 10, .squads = true, .fixed_bytes = 256};
static const jr_algorithm_scan scan = {
    .queue = queue, .part = jr_scan_queue_part, .tile_count = jr_scan_queue_tile_count};
static const jr_algorithm_choices choices = {.preferred = is_large, .block = choose_block};

const jr_algorithm_row jr_scan_bulk_copy = {
    .algorithm = JR_ALGORITHM_BULK_COPY,
    .name = "bulk_copy",
    .kind = JR_JOB_SCAN,
    .kernels = {{.source = "scan/ring/scan_bulk_copy.cu", .entry = "jr_scan_bulk_copy", .slowly = true}},
    .block = 576,
    .unroll = 5,
    .preferred_from_bytes = LARGE_LEAST,
    .needs = "a scan (jr_scan_plan_create), and a device of compute capability 9.0 or more; what it "
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
#define SEGMENTED(takes, threads, loads)                                                                               \
    {                                                                                                                  \
        .algorithm = JR_ALGORITHM_BULK_COPY, .name = "bulk_copy", .kind = JR_JOB_SCAN,                                 \
        .kernels = {{.source = "scan/ring/scan_bulk_copy_segmented.cu",                                                \
                     .entry = "jr_scan_bulk_copy_segmented",                                                           \
                     .slowly = true}},                                                                                 \
        .block = (threads), .unroll = (loads), .preferred_from_bytes = LARGE_ELEMENTS,                                 \
        .needs = "a device of compute capability 9.0 or more; of segments, results as wide as the elements of one "    \
                 "array",                                                                                              \
        .applicable = (takes), .grid = jr_scan_queue_grid, .workspace_bytes = jr_scan_queue_workspace,                 \
        .partial_bytes = jr_scan_queue_moved, .launches = jr_scan_queue_launches, .run = jr_scan_queue_run,            \
        .choices = &segmented_choices, .ring = &ring, .scan = &scan                                                    \
    }

/* Measured on an H200, f32, 2^28 elements, driver 580.159: by keys of i32 448 threads with 5 loads 865 us (9 loads
 * 1207, 832 threads with 3 935, a copy of the bytes 761); by offsets, 4096 elements a segment, squads of 256 threads
 * with 7 loads 528 us, of 192 with 9 585 (a copy 506). */
const jr_algorithm_row jr_scan_bulk_copy_keyed = SEGMENTED(is_keyed, 448, 9);
const jr_algorithm_row jr_scan_bulk_copy_marked = SEGMENTED(is_marked, 768, 7);
const jr_algorithm_row jr_scan_bulk_copy_equal = SEGMENTED(is_equal, 576, 7);

/* As wide as elements; that they are counted, or combined only, another row does. */
static bool is_of_runs(const jr_job *job) {
    const jr_reduction *reduction = job->reduction;
    return jr_job_is_of_runs(job) && job->device->capability_major >= 9 &&
           reduction->accumulator_bytes <= ACCUMULATOR_MOST && !jr_constants_placed(reduction) &&
           reduction->input_count == 1 && reduction->inputs[0].bytes == reduction->output_bytes && !job->to_state &&
           reduction->kept_offset == 0;
}

/* From there on it is ahead of the tiles of runs.cu, or behind by less than it is ahead where runs are short. Measured
 * on an H100, f32 of 4 MiB by runs of 1.5 and of 64: 14.4 and 11.3 us (runs.cu 17.5 and 10.7). */
static bool is_large_of_runs(const jr_job *job) {
    enum { LARGE_RUNS_BYTES = 1 << 22 };
    const uint64_t count = jr_job_expected_count(job);
    return jr_job_scans_as_it_likes(job) &&
           (count >= LARGE_ELEMENTS || count >= LARGE_RUNS_BYTES / job->reduction->inputs[0].bytes);
}

static const jr_algorithm_scan scan_of_runs = {.queue = queue_of_runs};
static const jr_algorithm_choices choices_of_runs = {.preferred = is_large_of_runs};

/* Measured on an H100, driver 580.159, 2^28 f32 by keys of i32, runs of 1.5 and of 64: 1205 and 745 us (a copy of the
 * bytes 1187 and 728); 448 threads 1217 and 754, 480 1257 and 765, 416 with 7 loads 1253 and 762; two squads that put
 * tiles together in turn, of 608 threads, 1204 and 745. */
const jr_algorithm_row jr_segmented_runs_ring = {
    .algorithm = JR_ALGORITHM_BULK_COPY,
    .name = "bulk_copy",
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "scan/ring/bulk_copy_runs.cu", .entry = "jr_scan_bulk_copy_runs", .slowly = true}},
    .block = 416,
    .unroll = 9,
    .preferred_from_bytes = LARGE_ELEMENTS,
    .applicable = is_of_runs,
    .grid = jr_scan_queue_grid,
    .workspace_bytes = jr_scan_queue_workspace,
    .launches = jr_scan_queue_launches,
    .run = jr_scan_queue_run,
    .choices = &choices_of_runs,
    .ring = &ring,
    .scan = &scan_of_runs};
