/* Plans of many arrays, and their algorithms (kernels_src/many): one launch that reduces, and where the spec has apply
 * one more that gives elements values. */
#include "many_arrays.h"

#include <limits.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"
#include "device/memory.h"
#include "spec/dtype.h"
#include "spec/operator.h"

enum {
    ACCUMULATOR_BYTES_MAX = 64, /* shuffles combine them word by word */
    SLICE_ELEMENTS = 4096,      /* 4 rounds of a warp's loads of f32 */
    SLICES_MAX = 2048           /* of an array; of longer ones slices are longer: a warp combines them at the end */
};

/* ---- the table ---- */

static jr_type type_of(const jr_reduction *reduction, const jr_array *array) {
    return array->type != JR_TYPE_NONE ? array->type : reduction->inputs[0].type;
}

/* What kernels call it; -1: the spec does not take it. */
static int code_of(jr_type spec, jr_type type) {
    if (type == spec) return JR_SLICE_OF_X;
    if (spec != JR_F32 && spec != JR_F64) return -1;
    if (type == JR_F16) return JR_SLICE_OF_F16;
    if (type == JR_BF16) return JR_SLICE_OF_BF16;
    return type == JR_F32 ? JR_SLICE_OF_F32 : -1;
}

size_t jr_many_element_bytes(const jr_reduction *reduction, const jr_array *array) {
    return jr_dtype_find(type_of(reduction, array))->bytes;
}

static jr_status check_array(const jr_reduction *reduction, const jr_array *array, uint64_t index) {
    const jr_type type = type_of(reduction, array), spec = reduction->inputs[0].type;
    const unsigned long long number = index, count = array->count;
    if (jr_dtype_find(type) == NULL || code_of(spec, type) < 0)
        return jr_fail(
            JR_ERROR_UNSUPPORTED_TYPE,
            "array %llu is of %s, the spec of %s: arrays have the spec's type, or f16 and bf16 with a spec of "
            "f32, and f32 as well with one of f64",
            number, jr_dtype_find(type) != NULL ? jr_dtype_find(type)->name : "an unknown type",
            jr_dtype_find(spec)->name);
    const size_t bytes = jr_dtype_find(type)->bytes;
    if (array->unused != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "arrays[%llu].unused is %d, and must be 0", number, array->unused);
    if (array->data == NULL && count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "arrays[%llu].data is NULL, but its count is %llu", number, count);
    if ((uintptr_t)array->data % bytes != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "arrays[%llu].data is %p: it must be aligned to its elements of %zu bytes", number, array->data,
                       bytes);
    if (count > (UINT64_MAX - (uintptr_t)array->data) / bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "arrays[%llu] has %llu elements of %zu bytes, beyond the address space", number, count, bytes);
    return JR_OK;
}

/* Elements of each of an array's slices but the last. */
static uint64_t slice_elements(uint64_t count) {
    uint64_t each = SLICE_ELEMENTS;
    while (count > each * SLICES_MAX) each *= 2;
    return each;
}

/* An array without elements has one slice, too: somebody writes its result. */
static uint64_t slices_of(uint64_t count) {
    return count > 0 ? jr_divide_up(count, slice_elements(count)) : 1;
}

static uint64_t count_slices(const jr_segment_layout *layout) {
    uint64_t slices = 0;
    for (uint64_t a = 0; a < layout->array_count; a++) slices += slices_of(layout->arrays[a].count);
    return slices;
}

jr_status jr_many_check(const jr_reduction *reduction, const jr_segment_layout *layout) {
    uint64_t elements = 0;
    if (layout->array_count > JR_SLICE_ARRAY)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "layout.array_count is %llu: at most %u are possible",
                       (unsigned long long)layout->array_count, JR_SLICE_ARRAY);
    if (layout->arrays == NULL && layout->array_count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "layout.arrays is NULL, but array_count is %llu",
                       (unsigned long long)layout->array_count);
    for (uint64_t a = 0; a < layout->array_count; a++) {
        JR_TRY(check_array(reduction, &layout->arrays[a], a));
        if (layout->arrays[a].count > (UINT64_MAX >> 16) - elements)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the arrays have 2^48 elements or more");
        elements += layout->arrays[a].count;
    }
    if (count_slices(layout) <= UINT32_MAX / 2) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the arrays have %llu elements: make several tables of them",
                   (unsigned long long)elements);
}

/* Writes the slices of an array. */
static void cut_array(const jr_reduction *reduction, const jr_array *array, jr_u32 index, jr_sliced *row,
                      jr_slice *slices) {
    const uint64_t each = slice_elements(array->count), bytes = jr_many_element_bytes(reduction, array);
    const jr_u32 code = (jr_u32)code_of(reduction->inputs[0].type, type_of(reduction, array));
    row->count = array->count;
    row->each = (jr_u32)each;
    row->slices = (jr_u32)slices_of(array->count);
    for (jr_u32 k = 0; k < row->slices; k++) {
        const uint64_t first = k * each;
        slices[k] = (jr_slice){.at = (uintptr_t)array->data + first * bytes,
                               .count = (jr_u32)jr_least(array->count - first, each),
                               .of = index | code << JR_SLICE_TYPE | (row->slices == 1 ? JR_SLICE_WHOLE : 0)};
    }
}

static uint64_t table_bytes(const jr_plan_arrays *arrays) {
    return arrays->slices * sizeof(jr_slice) + arrays->count * sizeof(jr_sliced);
}

/* The slices, one array's after the other's, and then the arrays. */
static void fill_table(const jr_reduction *reduction, const jr_segment_layout *layout, jr_plan_arrays *arrays,
                       jr_slice *slices) {
    jr_sliced *rows = (jr_sliced *)(slices + arrays->slices);
    jr_u32 first = 0;
    for (jr_u32 a = 0; a < arrays->count; a++) {
        rows[a].first = first;
        cut_array(reduction, &layout->arrays[a], a, &rows[a], slices + first);
        first += rows[a].slices;
        arrays->elements += rows[a].count;
    }
}

static jr_status prepare(const jr_job *job, jr_plan *plan) {
    const jr_device *device = &plan->context->device;
    const jr_segment_layout *layout = &job->layout;
    JR_TRY(jr_many_check(plan->reduction, layout));
    jr_plan_arrays *arrays = &plan->arrays;
    *arrays = (jr_plan_arrays){.count = (uint32_t)layout->array_count, .slices = (uint32_t)count_slices(layout)};
    plan->layout.arrays = NULL; /* the caller's */
    if (arrays->count == 0) return JR_OK;
    const uint64_t bytes = table_bytes(arrays);
    jr_slice *table = calloc(1, bytes);
    if (table == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a table of %u arrays", arrays->count);
    fill_table(plan->reduction, layout, arrays, table);
    jr_status status = jr_memory_allocate(device, bytes, NULL, &plan->table);
    if (status == JR_OK) status = jr_memory_upload(device, plan->table, table, bytes, NULL);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    free(table);
    return status;
}

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
    return (jr_many){.slices = plan->table,
                     .arrays = plan->table + arrays->slices * sizeof(jr_slice),
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

const jr_plan_kind jr_plan_many = {.each = "array", .counts = true, .check = check, .prepare = prepare};

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
