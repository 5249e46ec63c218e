/* single_pass of scans: one launch reads every element once and writes its result; blocks draw tiles and leave their
 * totals in slots (kernels_src/scan/single_pass*.cu). */
#include "cut.h"
#include "plan.h"
#include "program/constants.h"

/* A launch has a slot for each of its tiles: what is more goes on where the last launch ended. So many bytes of slots
 * are enough for 2 GiB of elements of 4 bytes. */
enum { SLOTS_BYTES = 1 << 19 };

static uint64_t divide_up(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

static bool is_single_pass_inclusive(const jr_job *job) {
    return job->scan == JR_SCAN_INCLUSIVE && job->layout.kind == 0;
}

static bool is_single_pass_exclusive(const jr_job *job) {
    return job->scan == JR_SCAN_EXCLUSIVE && job->layout.kind == 0;
}

static bool has_heads(const jr_job *job) {
    return job->layout.kind != 0 && job->layout.kind != JR_SEGMENTS_STRIDED;
}

static bool is_segmented_inclusive(const jr_job *job) {
    return job->scan == JR_SCAN_INCLUSIVE && has_heads(job);
}

static bool is_segmented_exclusive(const jr_job *job) {
    return job->scan == JR_SCAN_EXCLUSIVE && has_heads(job);
}

/* Of what a slot holds: the number of the last head beside the fold, or whether there is one
 * (kernels_src/scan/heads.cuh).
 */
static size_t fold_bytes(const jr_plan *plan) {
    const size_t bytes = plan->reduction->accumulator_bytes;
    const jr_segment_layout *heads = jr_plan_heads(plan);
    if (heads == NULL) return bytes;
    const bool numbered = heads->kind == JR_SEGMENTS_KEYS && jr_constants_placed(plan->reduction);
    return JR_HEADED_BYTES(bytes, numbered ? sizeof(jr_u64) : sizeof(jr_u32));
}

static uint64_t count_tiles(const jr_plan *plan, uint32_t head, uint64_t count) {
    const uint64_t packs = jr_cut_ordered_packs(plan->reduction, head, count);
    const uint64_t tile = (uint64_t)plan->choice.tuning.block * (uint64_t)plan->choice.tuning.unroll;
    return divide_up(packs, tile);
}

/* As many as a launch has tiles at most: fewer where the capacity says so. An array that begins between two 16-byte
 * boundaries may have one tile more. Whole groups, of a block's threads each: a launch behind another begins with one.
 */
static uint32_t count_slots(const jr_plan *plan) {
    const uint64_t group = (uint64_t)plan->choice.tuning.block;
    const uint64_t most = SLOTS_BYTES / JR_SLOT_BYTES(fold_bytes(plan)) / group;
    const uint64_t groups = plan->capacity > 0 ? count_tiles(plan, 0, plan->capacity) / group + 1 : most;
    return (uint32_t)(group * (most == 0 ? 1 : groups < most ? groups : most));
}

static size_t workspace_bytes(const jr_plan *plan) {
    const size_t bytes = fold_bytes(plan);
    return JR_QUEUE_SLOTS(bytes, (size_t)plan->choice.tuning.block) + (size_t)count_slots(plan) * JR_SLOT_BYTES(bytes);
}

static int count_launches(const jr_plan *plan, uint64_t count) {
    return (int)divide_up(count_tiles(plan, 0, count), count_slots(plan));
}

/* All results but one; each slot is written, and read by every block. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    const uint64_t slots = count_tiles(plan, 0, count) * JR_SLOT_BYTES(fold_bytes(plan));
    return (count > 0 ? (count - 1) * plan->reduction->output_bytes : 0) + slots +
           slots * (uint64_t)jr_plan_grid(plan, count);
}

static uint64_t tile_count(const jr_plan *plan) {
    return (uint64_t)plan->choice.tuning.block * (uint64_t)plan->choice.tuning.unroll *
           jr_cut_pack_elements(plan->reduction);
}

static jr_status scan(const jr_plan *plan, const jr_run *part, jr_scanned *scanned) {
    const int wave = jr_plan_grid(plan, UINT64_MAX);
    jr_cut cut = jr_cut_of(plan->reduction, part->in, part->count);
    jr_call call = jr_plan_call(plan, part);
    jr_queue queue = {.workspace = (uint64_t)(uintptr_t)part->workspace, .slot_count = count_slots(plan)};
    jr_heads heads = {.offsets = (uint64_t)(uintptr_t)part->offsets,
                      .keys = (uint64_t)(uintptr_t)part->keys,
                      .count = part->segments,
                      .length = plan->layout.length};
    void *whole[] = {&cut, (void *)&part->out, &queue, &call};
    void *segmented[] = {&cut, (void *)&part->out, &queue, &heads, &call};
    void **args = jr_plan_heads(plan) != NULL ? segmented : whole;
    const uint64_t tiles = count_tiles(plan, cut.head, part->count);
    jr_status status = JR_OK;
    while (queue.first_tile < tiles && status == JR_OK) {
        const uint64_t left = tiles - queue.first_tile;
        queue.part = scanned->launches++;
        queue.begin = (uint32_t)(scanned->tiles % (uint64_t)plan->choice.tuning.block);
        const uint32_t room = queue.slot_count - queue.begin;
        queue.tile_count = left < room ? (uint32_t)left : room;
        queue.goes_on = part->goes_on || queue.tile_count < left;
        const int grid = queue.tile_count < (uint32_t)wave ? (int)queue.tile_count : wave;
        status = jr_plan_step(plan, 0, grid, part->stream, args);
        queue.first_tile += queue.tile_count;
        scanned->tiles += queue.tile_count;
    }
    return status;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_scanned scanned = {0};
    return scan(plan, run, &scanned);
}

#define SINGLE_PASS(form, which, parts)                                                                                \
    {                                                                                                                  \
        .algorithm = JR_ALGORITHM_SINGLE_PASS, .name = "single_pass", .kind = JR_JOB_SCAN,                             \
        .kernels = {{.source = "scan/" #form "_" #which ".cu", .entry = "jr_scan_" #form "_" #which}},                 \
        .splits_by_size = true, .needs = "a scan (jr_scan_plan_create)", .applicable = is_##form##_##which,            \
        .workspace_bytes = workspace_bytes, .partial_bytes = partial_bytes, .count_launches = count_launches,          \
        .run = run, .scan = (parts), .tile_count = tile_count                                                          \
    }

const jr_algorithm_row jr_scan_single_pass[2] = {[JR_SCAN_INCLUSIVE] = SINGLE_PASS(single_pass, inclusive, scan),
                                                 [JR_SCAN_EXCLUSIVE] = SINGLE_PASS(single_pass, exclusive, scan)};
/* A part of segments does not know what lies before it. */
const jr_algorithm_row jr_scan_segmented[2] = {[JR_SCAN_INCLUSIVE] = SINGLE_PASS(segmented, inclusive, NULL),
                                               [JR_SCAN_EXCLUSIVE] = SINGLE_PASS(segmented, exclusive, NULL)};
