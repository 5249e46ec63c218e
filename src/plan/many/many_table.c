/* The table of many arrays, as kernels read it: slices, arrays, and which block has which slices. */
#include "many_table.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"
#include "device/memory.h"
#include "spec/dtype.h"

enum {
    SLICE_BYTES = 1 << 14,     /* so that a warp has some rounds of loads */
    SLICE_BYTES_MAX = 1 << 30, /* fit 32 bits */
    SLICES_MAX = 1 << 13,      /* of an array; of longer ones slices are longer: a warp combines them at the end */
    SLICE_COST = 1 << 10       /* bytes that a warp would read in the time that a slice takes besides its bytes */
};

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
static uint64_t slice_elements(const jr_reduction *reduction, const jr_array *array) {
    const uint64_t size = jr_many_element_bytes(reduction, array);
    uint64_t bytes = SLICE_BYTES;
    while (array->count > bytes / size * SLICES_MAX && bytes < SLICE_BYTES_MAX) bytes *= 2;
    return bytes / size;
}

/* An array without elements has one slice, too: somebody writes its result. */
static uint64_t slices_of(const jr_reduction *reduction, const jr_array *array) {
    return array->count > 0 ? jr_divide_up(array->count, slice_elements(reduction, array)) : 1;
}

static uint64_t count_slices(const jr_reduction *reduction, const jr_segment_layout *layout) {
    uint64_t slices = 0;
    for (uint64_t a = 0; a < layout->array_count; a++) slices += slices_of(reduction, &layout->arrays[a]);
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
    if (count_slices(reduction, layout) <= UINT32_MAX / 2) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the arrays have %llu elements: make several tables of them",
                   (unsigned long long)elements);
}

/* Writes the slices of an array. */
static void cut_array(const jr_reduction *reduction, const jr_array *array, jr_u32 index, jr_sliced *row,
                      jr_slice *slices) {
    const uint64_t each = slice_elements(reduction, array), bytes = jr_many_element_bytes(reduction, array);
    const jr_u32 code = (jr_u32)code_of(reduction->inputs[0].type, type_of(reduction, array));
    row->count = array->count;
    row->each = (jr_u32)each;
    row->slices = (jr_u32)slices_of(reduction, array);
    for (jr_u32 k = 0; k < row->slices; k++) {
        const uint64_t first = k * each;
        slices[k] = (jr_slice){.at = (uintptr_t)array->data + first * bytes,
                               .count = (jr_u32)jr_least(array->count - first, each),
                               .of = index | code << JR_SLICE_TYPE | (row->slices == 1 ? JR_SLICE_WHOLE : 0)};
    }
}

/* Writes the slices, one array's after the other's, and the arrays. */
static void fill_slices(const jr_reduction *reduction, const jr_segment_layout *layout, jr_plan_arrays *arrays,
                        jr_slice *slices, jr_sliced *rows) {
    jr_u32 first = 0;
    for (jr_u32 a = 0; a < arrays->count; a++) {
        rows[a].first = first;
        cut_array(reduction, &layout->arrays[a], a, &rows[a], slices + first);
        first += rows[a].slices;
        arrays->elements += rows[a].count;
    }
}

static uint64_t cost_of(const jr_reduction *reduction, const jr_segment_layout *layout, const jr_slice *slice) {
    const jr_array *array = &layout->arrays[slice->of & JR_SLICE_ARRAY];
    return slice->count * jr_many_element_bytes(reduction, array) + SLICE_COST;
}

/* Divides the slices among the blocks, so that all have about as many bytes. */
static void fill_starts(const jr_reduction *reduction, const jr_segment_layout *layout, const jr_many_places *at,
                        const jr_slice *slices, jr_u32 *starts) {
    uint64_t all = 0, before = 0;
    jr_u32 slice = 0;
    for (jr_u32 c = 0; c < at->slice_count; c++) all += cost_of(reduction, layout, &slices[c]);
    for (uint64_t b = 0; b < at->blocks; b++) {
        const uint64_t from = all / at->blocks * b + all % at->blocks * b / at->blocks;
        for (; slice < at->slice_count && before < from; slice++) before += cost_of(reduction, layout, &slices[slice]);
        starts[b] = slice;
    }
    starts[at->blocks] = (jr_u32)at->slice_count;
}

static void fill_firsts(const jr_many_places *at, const jr_slice *slices, const jr_u32 *starts, jr_slice *firsts) {
    for (uint64_t b = 0; b < at->blocks; b++)
        for (jr_u32 w = 0; w < (jr_u32)at->warps; w++)
            if (starts[b] + w < starts[b + 1]) firsts[b * at->warps + w] = slices[starts[b] + w];
}

static uint64_t align(uint64_t bytes) {
    return jr_divide_up(bytes, JR_VECTOR_BYTES) * JR_VECTOR_BYTES;
}

jr_many_places jr_many_places_of(const jr_plan *plan) {
    jr_many_places at = {.slice_count = plan->arrays.slices,
                         .blocks = (uint64_t)jr_plan_grid(plan, 0),
                         .warps = (uint64_t)plan->choice.tuning.block / JR_WARP_LANES};
    at.arrays = at.slice_count * sizeof(jr_slice);
    at.firsts = align(at.arrays + plan->arrays.count * sizeof(jr_sliced));
    at.starts = at.firsts + at.blocks * at.warps * sizeof(jr_slice);
    at.end = at.starts + (at.blocks + 1) * sizeof(jr_u32);
    return at;
}

static void fill_table(const jr_reduction *reduction, const jr_segment_layout *layout, jr_plan *plan,
                       const jr_many_places *at, char *table) {
    jr_slice *slices = (jr_slice *)(void *)table;
    jr_u32 *starts = (jr_u32 *)(void *)(table + at->starts);
    fill_slices(reduction, layout, &plan->arrays, slices, (jr_sliced *)(void *)(table + at->arrays));
    fill_starts(reduction, layout, at, slices, starts);
    fill_firsts(at, slices, starts, (jr_slice *)(void *)(table + at->firsts));
}

jr_status jr_many_prepare(const jr_job *job, jr_plan *plan) {
    const jr_device *device = &plan->context->device;
    const jr_reduction *reduction = plan->reduction;
    const jr_segment_layout *layout = &job->layout;
    JR_TRY(jr_many_check(reduction, layout));
    plan->arrays.count = (uint32_t)layout->array_count;
    plan->arrays.slices = (uint32_t)count_slices(reduction, layout);
    plan->layout.arrays = NULL; /* the caller's */
    const jr_many_places at = jr_many_places_of(plan);
    char *table = calloc(1, at.end);
    if (table == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a table of %u arrays", plan->arrays.count);
    fill_table(reduction, layout, plan, &at, table);
    jr_status status = jr_memory_allocate(device, at.end, NULL, &plan->table);
    if (status == JR_OK) status = jr_memory_upload(device, plan->table, table, at.end, NULL);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    free(table);
    return status;
}
