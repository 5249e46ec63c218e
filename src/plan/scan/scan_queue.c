/* Scans by a queue: tiles, slots and launches. Runs of equal keys are reduced so, too. */
#include "scan_queue.h"

#include "base/whole.h"
#include "plan/cut.h"
#include "program/constants.h"
#include "scan_view.h"

/* Besides the fold, a slot has the number of the last segment start, or whether a segment starts
 * (kernels_src/scan/common/segmented.cuh); for runs, also how many start (kernels_src/scan/queue/runs.cuh). */
size_t jr_scan_queue_fold_bytes(const jr_plan *plan) {
    const size_t bytes = plan->reduction->accumulator_bytes;
    const jr_segment_layout *heads = jr_plan_heads(plan);
    if (heads == NULL) return bytes;
    if (plan->kind == &jr_plan_runs) return JR_RUN_BYTES(bytes, jr_constants_placed(plan->reduction));
    const bool numbered = heads->kind == JR_SEGMENTS_KEYS && jr_constants_placed(plan->reduction);
    return JR_HEADED_BYTES(bytes, numbered ? sizeof(jr_u64) : sizeof(jr_u32));
}

static jr_scan_queue queue_of(const jr_plan *plan) {
    return plan->choice.row->scan->queue(plan);
}

static uint64_t tile_packs(const jr_plan *plan) {
    return (uint64_t)queue_of(plan).tile_threads * (uint64_t)plan->choice.tuning.unroll;
}

static uint64_t count_tiles(const jr_plan *plan, uint32_t head, uint64_t count) {
    return jr_divide_up(jr_cut_ordered_packs(plan->reduction, head, count), tile_packs(plan));
}

/* One slot per tile of the largest launch: fewer if the capacity is smaller. An array that begins between two 16-byte
 * boundaries may have one tile more. The number is rounded up to whole groups, since a launch that continues another
 * begins with a group. */
static uint32_t count_slots(const jr_plan *plan) {
    const jr_scan_queue queue = queue_of(plan);
    const uint64_t group = (uint64_t)queue.group;
    const uint64_t most =
        queue.slots_bytes / JR_SLOT_BYTES(jr_scan_queue_fold_bytes(plan)) / (uint64_t)queue.apart / group;
    const uint64_t groups = plan->capacity > 0 ? count_tiles(plan, 0, plan->capacity) / group + 1 : most;
    return (uint32_t)(group * (most == 0 ? 1 : groups < most ? groups : most));
}

int jr_scan_queue_grid(const jr_plan *plan, uint64_t count) {
    const uint64_t most = plan->choice.row->scan->tile_a_block ? count_slots(plan) : (uint64_t)plan->wave;
    const uint64_t tiles = count_tiles(plan, 0, count);
    return (int)(tiles == 0 ? 1 : tiles < most ? tiles : most);
}

size_t jr_scan_queue_workspace(const jr_plan *plan) {
    const size_t bytes = jr_scan_queue_fold_bytes(plan),
                 slots = (size_t)count_slots(plan) * (size_t)queue_of(plan).apart;
    return JR_QUEUE_SLOTS(bytes, (size_t)plan->choice.tuning.block) + slots * JR_SLOT_BYTES(bytes);
}

int jr_scan_queue_launches(const jr_plan *plan, uint64_t count) {
    return (int)jr_divide_up(count_tiles(plan, 0, count), count_slots(plan));
}

/* All results but one; each slot is written, and read by every block. */
uint64_t jr_scan_queue_moved(const jr_plan *plan, uint64_t count) {
    const uint64_t slots = count_tiles(plan, 0, count) * JR_SLOT_BYTES(jr_scan_queue_fold_bytes(plan));
    return (count > 0 ? (count - 1) * plan->reduction->output_bytes : 0) + slots +
           slots * (uint64_t)jr_plan_grid(plan, count);
}

uint64_t jr_scan_queue_tile_count(const jr_plan *plan) {
    return tile_packs(plan) * jr_cut_pack_elements(plan->reduction);
}

/* Does a result take the place of an element? */
static bool is_in_place(const jr_plan *plan, const jr_run *part) {
    bool in_place = false;
    for (int i = 0; i < plan->reduction->input_count; i++) in_place |= part->in[i] == part->out;
    return in_place;
}

/* Elements that make room for results cost less than results that must be written back meanwhile, as long as the cache
 * holds these. */
static bool results_fit_cache(const jr_plan *plan, uint64_t count) {
    return count <= plan->context->device.info.l2_bytes / plan->reduction->output_bytes;
}

jr_status jr_scan_queue_part(const jr_plan *plan, const jr_run *part, jr_scanned *scanned) {
    const jr_scan_queue shape = queue_of(plan);
    const uint32_t slots = count_slots(plan), wave = (uint32_t)jr_plan_grid(plan, UINT64_MAX);
    jr_cut cut = jr_scan_cut(plan, part);
    jr_view_axes axes;
    jr_scan_view_axes(plan, &axes);
    jr_call call = jr_plan_call(plan, part);
    jr_queue queue = {.workspace = part->workspace,
                      .slot_count = slots * (uint32_t)shape.apart,
                      .flags = (is_in_place(plan, part) ? 0 : JR_QUEUE_BY_INDEX) |
                               (results_fit_cache(plan, part->count) ? JR_QUEUE_KEPT : 0)};
    jr_heads heads = {.offsets = part->scan.segments.offsets,
                      .keys = part->scan.segments.keys,
                      .count = part->scan.segments.count,
                      .length = plan->layout.length};
    jr_runs runs = {.keys = part->scan.segments.run_keys,
                    .count = part->scan.segments.run_count,
                    .result_bytes = jr_plan_result_stride(plan)};
    void *whole[] = {&cut, (void *)&part->out, &queue, &call};
    void *segmented[] = {&cut, (void *)&part->out, &queue, &heads, &call, &axes};
    void *counted[] = {&cut, (void *)&part->out, &queue, &heads, &runs, &call};
    void **args = plan->kind == &jr_plan_runs ? counted : jr_plan_heads(plan) != NULL ? segmented : whole;
    const uint64_t tiles = count_tiles(plan, cut.head, part->count);
    jr_status status = JR_OK;
    do { /* of nothing runs are counted, too */
        const uint64_t left = tiles - queue.first_tile;
        queue.part = scanned->launches++;
        queue.begin = (uint32_t)(scanned->tiles % (uint64_t)shape.group);
        const uint32_t room = slots - queue.begin;
        queue.tile_count = left < room ? (uint32_t)left : room;
        queue.goes_on = part->scan.goes_on || queue.tile_count < left;
        const int grid = (int)(queue.tile_count < wave ? queue.tile_count : wave);
        status = jr_plan_step(plan, 0, grid > 0 ? grid : 1, part->stream, args);
        queue.first_tile += queue.tile_count;
        scanned->tiles += queue.tile_count;
    } while (queue.first_tile < tiles && status == JR_OK);
    return status;
}

/* Behind something the first launch is the second part, which begins with an odd part's carry. */
jr_scanned jr_scan_queue_begin(bool continued) {
    return (jr_scanned){.launches = continued ? 1 : 0};
}

jr_cu_deviceptr jr_scan_queue_carry(const jr_plan *plan) {
    return plan->workspace + JR_QUEUE_CARRY(plan->reduction->accumulator_bytes, 1);
}

jr_status jr_scan_queue_run(const jr_plan *plan, const jr_run *run) {
    jr_scanned scanned = jr_scan_queue_begin(run->scan.continued);
    return jr_scan_queue_part(plan, run, &scanned);
}
