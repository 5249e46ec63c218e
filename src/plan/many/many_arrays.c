/* Plans of many arrays, and their algorithms (kernels_src/many): one launch that reduces, and where the spec has apply
 * one more that gives elements values. */
#include "many_table.h"

#include <limits.h>

#include "base/error.h"
#include "base/whole.h"
#include "spec/operator.h"

enum { ACCUMULATOR_BYTES_MAX = 64 }; /* shuffles combine them word by word */

/* ---- runs ---- */

/* Where a workspace has what: the offsets, in bytes, and the end. */
typedef struct places {
    uint64_t done, slots, accumulators, results, end;
} places;

static uint64_t align(uint64_t bytes) {
    return jr_divide_up(bytes, JR_VECTOR_BYTES) * JR_VECTOR_BYTES;
}

/* A warp for each slice. */
static uint64_t blocks_of_all(const jr_plan *plan) {
    const uint64_t warps = (uint64_t)plan->choice.tuning.block / JR_WARP_LANES;
    return plan->arrays.slices > 0 ? jr_divide_up(plan->arrays.slices, warps) : 1;
}

static int grid(const jr_plan *plan, uint64_t count) {
    (void)count;
    return (int)jr_least(blocks_of_all(plan), (uint64_t)plan->wave);
}

static places places_of(const jr_plan *plan) {
    const jr_reduction *reduction = plan->reduction;
    const uint64_t slot = JR_SLOT_BYTES(reduction->accumulator_bytes), blocks = (uint64_t)jr_plan_grid(plan, 0);
    places made = {.done = 0};
    made.slots = align(plan->arrays.count * sizeof(jr_u32));
    made.accumulators = align(made.slots + (blocks - 1) * slot);
    made.results = align(made.accumulators + plan->arrays.slices * reduction->accumulator_bytes);
    made.end = made.results + (plan->arrays.count + 1) * align(reduction->total_bytes);
    return made;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)places_of(plan).end;
}

/* Results of an apply that nobody asks for stay in the workspace. */
static jr_many many_of(const jr_plan *plan, const jr_run *run) {
    const jr_plan_arrays *arrays = &plan->arrays;
    const places at = places_of(plan);
    const jr_many_places table = jr_many_places_of(plan);
    return (jr_many){.slices = plan->table,
                     .arrays = plan->table + table.arrays,
                     .starts = plan->table + table.starts,
                     .firsts = plan->table + table.firsts,
                     .accumulators = run->workspace + at.accumulators,
                     .done = run->workspace + at.done,
                     .slots = run->workspace + at.slots,
                     .results = run->out != 0 ? run->out : run->workspace + at.results,
                     .result_bytes =
                         plan->reduction->total_count > 0 ? plan->reduction->total_bytes : jr_plan_result_stride(plan),
                     .slice_count = arrays->slices,
                     .array_count = arrays->count};
}

/* Each block of the second launch ends early: as it does, others begin to load. */
static jr_status run(const jr_plan *plan, const jr_run *run) {
    const int asked = plan->choice.tuning.grid;
    const int many_blocks = asked > 0 ? asked : (int)jr_least(blocks_of_all(plan), INT_MAX);
    jr_many many = many_of(plan, run);
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&many, &call};
    JR_TRY(jr_plan_step(plan, 0, jr_plan_grid(plan, 0), run->stream, args));
    return plan->reduction->total_count > 0 ? jr_plan_step(plan, 1, many_blocks, run->stream, args) : JR_OK;
}

static jr_status check(const jr_plan *plan, const jr_run *run) {
    const bool applies = plan->reduction->total_count > 0;
    if (run->out != 0 || !applies)
        JR_TRY(jr_given_aligned("output address", jr_cu_pointer(run->out), plan->reduction->total_alignment));
    return jr_plan_check_workspace(run);
}

const jr_plan_kind jr_plan_many = {.each = "array", .counts = true, .check = check, .prepare = jr_many_prepare};

/* ---- algorithms ---- */

static bool has_index(const jr_reduction *reduction) {
    return (reduction->operator_files & JR_OPERATORS_INDEX) != 0;
}

/* Block 0 occupies its place while it waits for the others. */
static bool is_of_arrays(const jr_job *job) {
    const jr_reduction *reduction = job->reduction;
    return reduction->commutative && reduction->accumulator_bytes <= ACCUMULATOR_BYTES_MAX &&
           reduction->input_count == 1 && reduction->inputs[0].type != JR_STRUCT && !has_index(reduction) &&
           (job->requested.grid == 1 || job->device->multiprocessor_count >= 2);
}

static bool reduce_applies(const jr_job *job) {
    return is_of_arrays(job) && job->reduction->total_count == 0;
}

/* logsumexp is two numbers in an expression, and one as a result. */
static bool apply_applies(const jr_job *job) {
    const jr_spec *spec = &job->reduction->spec;
    bool logarithm = spec->op == JR_OP_LOGSUMEXP;
    for (int i = 0; i < spec->op_count; i++) logarithm |= spec->ops[i] == JR_OP_LOGSUMEXP;
    return is_of_arrays(job) && job->reduction->total_count > 0 && !logarithm;
}

#define MANY_REDUCE                                                                                                    \
    { .source = "many/many_reduce.cu", .entry = "jr_many_reduce", .full_optimisation = true }

const jr_algorithm_row jr_many_reduce = {.name = "many_reduce",
                                         .tuned = JR_TUNED_MANY_REDUCE,
                                         .kind = JR_JOB_MANY,
                                         .kernels = {MANY_REDUCE},
                                         .applicable = reduce_applies,
                                         .grid = grid,
                                         .workspace_bytes = workspace_bytes,
                                         .run = run};

const jr_algorithm_row jr_many_apply = {
    .name = "many_apply",
    .tuned = JR_TUNED_MANY_APPLY,
    .kind = JR_JOB_MANY,
    .kernels = {MANY_REDUCE, {.source = "many/many_apply.cu", .entry = "jr_many_apply", .full_optimisation = true}},
    .applicable = apply_applies,
    .grid = grid,
    .workspace_bytes = workspace_bytes,
    .launches = jr_plan_two_launches,
    .run = run};
