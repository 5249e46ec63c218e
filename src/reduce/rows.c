/* rows: blocks march along rows of consecutive data blocks, in order; one block folds the rows' sums
 * (kernels_src/reduce_rows.cu, reduce_finish.cu). */
#include "cut.h"
#include "plan.h"

enum { ROWS_MAX = 1000 };

/* How data blocks are dealt to rows: the first `longer` rows have one more than the others. Passed to the kernel by
 * value: the layout is jr_rows' in kernels_src/reduce_rows.cu. */
typedef struct row_lengths {
    uint64_t tiles, longer;
} row_lengths;

static bool applicable(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device) {
    (void)reduction, (void)device;
    return spec->grid <= ROWS_MAX;
}

static uint64_t part_count(const jr_plan *plan, uint64_t count) {
    return (uint64_t)jr_plan_grid(plan, count);
}

static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    return 2 * part_count(plan, count) * plan->reduction.accumulator_bytes;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)part_count(plan, UINT64_MAX) * plan->reduction.accumulator_bytes;
}

static int launches(const jr_plan *plan, uint64_t count) {
    (void)plan, (void)count;
    return 2;
}

/* An array of structs without a 16-byte boundary between two of them is marched along by elements. */
static row_lengths deal(const jr_plan *plan, const jr_cut *cut, uint64_t rows) {
    const bool by_elements = plan->reduction.inputs[0].type == JR_STRUCT && cut->pack_count == 0;
    const uint64_t units = by_elements ? cut->ends : cut->pack_count;
    const uint64_t tile = (uint64_t)plan->tuning.block * (uint64_t)plan->tuning.unroll;
    const uint64_t tiles = units / tile + (units % tile != 0);
    return (row_lengths){.tiles = tiles / rows, .longer = tiles % rows};
}

static jr_status fold(const jr_plan *plan, const jr_run *part, uint64_t first, uint64_t partials) {
    const int rows = jr_plan_grid(plan, part->count);
    jr_cut cut = jr_cut_of(&plan->reduction, part->in, part->count);
    row_lengths lengths = deal(plan, &cut, (uint64_t)rows);
    jr_call call = jr_plan_call(plan, part->count);
    call.first = first;
    void *args[] = {&cut, &lengths, &partials, &call};
    return jr_plan_step(plan, 0, rows, part->stream, args);
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const uint64_t sums = (uint64_t)(uintptr_t)run->workspace;
    const jr_status status = fold(plan, run, 0, sums);
    return status == JR_OK ? jr_plan_finish(plan, run, sums, part_count(plan, run->count)) : status;
}

/* A warp asks for nothing while it combines what it got: twice as many as usual wait at a time. */
const jr_algorithm_row jr_algorithm_rows = {
    .algorithm = JR_ALGORITHM_ROWS,
    .name = "rows",
    .kernels = {{"reduce_rows.cu", "jr_reduce_rows"}, {"reduce_finish.cu", "jr_reduce_finish"}},
    .grid_max = ROWS_MAX,
    .vectors_in_flight = 6144,
    .needs = "a grid of at most 1000, since it has at most 1000 rows",
    .applicable = applicable,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = partial_bytes,
    .launches = launches,
    .run = run,
    .part_count = part_count,
    .fold = fold,
    .finish = jr_plan_finish};
