/* Plans that reduce rows and give each element a value, and their algorithms (kernels_src/apply): a row in the
 * registers of some lanes, of a block or of a cluster's blocks, or read twice by a block. */
#include "apply.h"

#include <limits.h>

#include "base/error.h"
#include "base/whole.h"
#include "plan/cut.h"
#include "plan/segment_layout.h"

enum { ACCUMULATOR_BYTES_MAX = 64 }; /* shuffles combine them word by word */

static bool is_of_rows(const jr_job *job) {
    return job->reduction->commutative && job->reduction->accumulator_bytes <= ACCUMULATOR_BYTES_MAX;
}

static uint64_t packs_of(const jr_job *job) {
    return job->layout.length / jr_cut_pack_elements(job->reduction);
}

static uint64_t number_of(const jr_job *job, jr_tuned_number number) {
    return jr_tuned_number_of(job->device, number);
}

/* Elements of at most 2 bytes. */
static bool is_narrow(const jr_job *job) {
    return jr_cut_pack_elements(job->reduction) > 4;
}

/* Packs of a thread where none was asked for. What a thread does once a row, combining and finishing, costs as much as
 * many elements: the more, the larger the accumulator. More than 4 packs of narrow elements take too many registers,
 * unless no block had enough threads. */
static uint64_t packs_of_thread(const jr_job *job) {
    const uint64_t packs = packs_of(job), elements = jr_cut_pack_elements(job->reduction);
    if (packs <= number_of(job, JR_NUMBER_APPLY_FEW_PACKS) && elements * job->reduction->accumulator_bytes <= 32)
        return 2;
    const bool many = packs > number_of(job, JR_NUMBER_APPLY_MANY_PACKS) && !is_narrow(job);
    return many || packs > 4 * JR_BLOCK_MAX ? 8 : 4;
}

/* A block's threads hold no row of more: NVRTC 13.0 would keep some of it in local memory. */
static uint64_t packs_of_block_most(const jr_job *job) {
    return (is_narrow(job) && job->reduction->accumulator_bytes > 8 ? 4 : 8) * JR_BLOCK_MAX;
}

static jr_row_cut rows_of(const jr_plan *plan, const jr_run *run) {
    jr_row_cut rows = {.x = run->in[0], .out = run->out, .count = run->count, .length = plan->layout.length};
    for (int i = 1; i < plan->reduction->input_count; i++) {
        rows.more[i - 1] = run->in[i];
        rows.step[i - 1] = jr_apply_is_shared(plan->reduction, i) ? 0 : rows.length;
    }
    return rows;
}

/* A block for so many rows, unless a grid was asked for: as blocks end, others begin to load. */
static int grid_of(const jr_plan *plan, uint64_t blocks) {
    const int asked = plan->choice.tuning.grid;
    const uint64_t most = asked > 0 ? (uint64_t)asked : INT_MAX;
    return (int)(blocks < most ? blocks : most);
}

static jr_status run_blocks(const jr_plan *plan, const jr_run *run) {
    jr_row_cut rows = rows_of(plan, run);
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&rows, &call};
    return jr_plan_step(plan, 0, grid_of(plan, rows.count), run->stream, args);
}

/* ---- lanes ---- */

static bool lanes_apply(const jr_job *job) {
    const int unroll = job->requested.unroll;
    const uint64_t held = unroll > 0 ? (uint64_t)unroll * JR_WARP_LANES : number_of(job, JR_NUMBER_APPLY_LANES_PACKS);
    return is_of_rows(job) && packs_of(job) <= held;
}

static int choose_lanes_unroll(const jr_job *job, int block) {
    (void)block;
    return (int)packs_of_thread(job);
}

/* The lanes of a row hold its packs, and one each of the elements outside packs: fewer than a pack's at either end, and
 * 0 if all rows begin and end at 16-byte boundaries. */
static jr_u32 choose_size(const jr_plan *plan, const jr_row_cut *rows) {
    const uint64_t pack = jr_cut_pack_elements(plan->reduction), length = rows->length;
    const bool whole = rows->x % JR_VECTOR_BYTES == 0 && length % pack == 0;
    const uint64_t outside = whole ? 0 : length < 2 * pack - 2 ? length : 2 * pack - 2;
    const uint64_t held = jr_divide_up(length / pack, (uint64_t)plan->choice.tuning.unroll);
    jr_u32 size = 0;
    while (1ull << size < held || 1ull << size < outside) size++;
    return size;
}

static jr_status run_lanes(const jr_plan *plan, const jr_run *run) {
    jr_row_cut rows = rows_of(plan, run);
    jr_call call = jr_plan_call(plan, run);
    jr_u32 size = choose_size(plan, &rows);
    void *args[] = {&rows, &size, &call};
    const uint64_t together = (uint64_t)plan->choice.tuning.block >> size;
    return jr_plan_step(plan, 0, grid_of(plan, jr_divide_up(rows.count, together)), run->stream, args);
}

static const jr_algorithm_choices lanes_choices = {.unroll = choose_lanes_unroll};

const jr_algorithm_row jr_apply_lanes = {
    .name = "apply_lanes",
    .tuned = JR_TUNED_APPLY_LANES,
    .kind = JR_JOB_APPLY,
    .kernels = {{.source = "apply/apply_lanes.cu", .entry = "jr_apply_lanes", .full_optimisation = true}},
    .applicable = lanes_apply,
    .run = run_lanes,
    .choices = &lanes_choices};

/* ---- block ---- */

static int choose_block(const jr_job *job) {
    const int unroll = job->requested.unroll;
    const uint64_t each = unroll > 0 ? (uint64_t)unroll : packs_of_thread(job);
    const uint64_t threads = jr_divide_up(jr_divide_up(packs_of(job), each), JR_BLOCK_STEP) * JR_BLOCK_STEP;
    return threads == 0 ? JR_BLOCK_STEP : threads < JR_BLOCK_MAX ? (int)threads : JR_BLOCK_MAX;
}

static int choose_unroll(const jr_job *job, int block) {
    const uint64_t each = jr_divide_up(packs_of(job), (uint64_t)block);
    return each == 0 ? 1 : each < JR_UNROLL_MAX ? (int)each : JR_UNROLL_MAX;
}

/* With what was asked for a row must fit. */
static bool block_applies(const jr_job *job) {
    const int block = job->requested.block > 0 ? job->requested.block : choose_block(job);
    const int unroll = job->requested.unroll > 0 ? job->requested.unroll : choose_unroll(job, block);
    const bool open = job->requested.block == 0 && job->requested.unroll == 0;
    return is_of_rows(job) && packs_of(job) <= (uint64_t)block * (uint64_t)unroll &&
           (!open || packs_of(job) <= packs_of_block_most(job));
}

static const jr_algorithm_choices block_choices = {.block = choose_block, .unroll = choose_unroll};

const jr_algorithm_row jr_apply_block = {
    .name = "apply_block",
    .tuned = JR_TUNED_APPLY_BLOCK,
    .kind = JR_JOB_APPLY,
    .kernels = {{.source = "apply/apply_block.cu", .entry = "jr_apply_block", .full_optimisation = true}},
    .applicable = block_applies,
    .run = run_blocks,
    .choices = &block_choices};

/* ---- cluster ---- */

enum {
    CLUSTER_ACCUMULATOR_BYTES_MAX = 8, /* larger ones take longer to exchange than a row to read again */
    CLUSTER_PACKS = 8                  /* of a thread, at most */
};

static int choose_cluster_unroll(const jr_job *job, int block) {
    const uint64_t usual = !is_narrow(job) && job->reduction->accumulator_bytes <= 4 ? 4 : CLUSTER_PACKS;
    const uint64_t each = jr_divide_up(packs_of(job), JR_ROW_BLOCKS * (uint64_t)block);
    return (int)(each > usual ? CLUSTER_PACKS : usual);
}

/* Threads that hold a row with the usual packs each, or with more. */
static int choose_cluster_block(const jr_job *job) {
    const uint64_t each = job->requested.unroll > 0 ? (uint64_t)job->requested.unroll
                                                    : (uint64_t)choose_cluster_unroll(job, JR_BLOCK_MAX);
    const uint64_t steps = jr_divide_up(packs_of(job), JR_ROW_BLOCKS * each * JR_BLOCK_STEP);
    return steps == 0 ? JR_BLOCK_STEP : (int)jr_least(steps * JR_BLOCK_STEP, JR_BLOCK_MAX);
}

/* Clusters came with compute capability 9.0. */
static bool cluster_applies(const jr_job *job) {
    const int block = job->requested.block > 0 ? job->requested.block : choose_cluster_block(job);
    const int unroll = job->requested.unroll > 0 ? job->requested.unroll : choose_cluster_unroll(job, block);
    const bool open = job->requested.block == 0 && job->requested.unroll == 0;
    return is_of_rows(job) && job->device->capability_major >= 9 &&
           packs_of(job) <= JR_ROW_BLOCKS * (uint64_t)block * (uint64_t)unroll &&
           (!open || (job->reduction->accumulator_bytes <= CLUSTER_ACCUMULATOR_BYTES_MAX &&
                      packs_of(job) <= JR_ROW_BLOCKS * packs_of_block_most(job) / (is_narrow(job) ? 2 : 1)));
}

static jr_status run_cluster(const jr_plan *plan, const jr_run *run) {
    jr_row_cut rows = rows_of(plan, run);
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&rows, &call};
    const int clusters = grid_of(plan, rows.count * JR_ROW_BLOCKS) / (int)JR_ROW_BLOCKS;
    return jr_plan_step(plan, 0, (clusters > 0 ? clusters : 1) * (int)JR_ROW_BLOCKS, run->stream, args);
}

static const jr_algorithm_choices cluster_choices = {.block = choose_cluster_block, .unroll = choose_cluster_unroll};

const jr_algorithm_row jr_apply_cluster = {
    .name = "apply_cluster",
    .tuned = JR_TUNED_APPLY_CLUSTER,
    .kind = JR_JOB_APPLY,
    .kernels = {{.source = "apply/apply_cluster.cu", .entry = "jr_apply_cluster", .full_optimisation = true}},
    .applicable = cluster_applies,
    .run = run_cluster,
    .choices = &cluster_choices};

/* ---- long ---- */

const jr_algorithm_row jr_apply_long = {
    .name = "apply_long",
    .tuned = JR_TUNED_APPLY_LONG,
    .kind = JR_JOB_APPLY,
    .kernels = {{.source = "apply/apply_long.cu", .entry = "jr_apply_long", .full_optimisation = true}},
    .applicable = is_of_rows,
    .run = run_blocks};

/* ---- runs ---- */

jr_status jr_apply_check_places(const jr_reduction *reduction, uint64_t length, const jr_run *run) {
    const uint64_t elements = run->count * length;
    const jr_run_range values = {"values", run->out, elements * reduction->output_bytes};
    for (int i = 0; i < reduction->input_count; i++) {
        const bool shared = jr_apply_is_shared(reduction, i);
        const uint64_t bytes = (shared ? length : elements) * reduction->inputs[i].bytes;
        const jr_run_range input = {"input", run->in[i], bytes};
        if (shared || input.at != values.at || bytes != values.bytes) JR_TRY(jr_plan_check_apart(&values, &input));
    }
    return JR_OK;
}

static jr_status check(const jr_plan *plan, const jr_run *run) {
    const jr_reduction *reduction = plan->reduction;
    const uint64_t length = plan->layout.length;
    const jr_work_data data = {.segments = run->count};
    uint64_t elements;
    JR_TRY(jr_segment_layout_elements(&plan->layout, &data, false, &elements));
    if (elements == 0) return JR_OK;
    for (int i = 0; i < reduction->input_count; i++)
        JR_TRY(jr_plan_check_input(plan, i, run->in[i], jr_apply_is_shared(reduction, i) ? length : elements));
    JR_TRY(jr_plan_check_places(plan, run));
    return jr_apply_check_places(reduction, length, run);
}

const jr_plan_kind jr_plan_apply = {.each = "element", .check = check};
