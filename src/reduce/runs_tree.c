/* Reduces runs of equal keys in host memory by the fixed tree: their lengths are counted first, and what they have is
 * then reduced as segments by offsets, each of which has a tree of its own. Slower, as keys go through the device by
 * themselves. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/dtype.h"
#include "segment_layout.h"

/* One call: what was found of the runs. */
typedef struct tree_call {
    uint64_t *offsets, count;
    unsigned char *keys;
} tree_call;

static jr_status allocate(const jr_segment_layout *layout, const jr_segments *segments, tree_call *call) {
    const size_t key_bytes = jr_dtype_find(layout->key_type)->bytes;
    if (segments->elements < SIZE_MAX / sizeof(uint64_t) / 2) {
        call->offsets = calloc(segments->elements + 1, sizeof *call->offsets);
        call->keys = malloc((segments->elements + 1) * key_bytes);
    }
    if (call->offsets != NULL && call->keys != NULL) return JR_OK;
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the lengths and keys of runs of %llu elements",
                   (unsigned long long)segments->elements);
}

/* How many elements each run has, from which follows where it begins. */
static jr_status find_runs(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                           const jr_segments *segments, tree_call *call) {
    const jr_spec count = JR_INIT(jr_spec, .op = JR_OP_COUNT_NONZERO, .type = layout->key_type, .map = "1",
                                  .map_type = JR_I32, .result = JR_U64, .device_bytes = spec->device_bytes);
    jr_segments of_keys = *segments;
    of_keys.run_count = &call->count;
    of_keys.run_keys = call->keys;
    const void *const arrays[] = {segments->keys};
    const jr_status status = jr_runs_host_run(context, &count, layout, arrays, &of_keys, call->offsets + 1);
    for (uint64_t r = 0; status == JR_OK && r < call->count; r++) call->offsets[r + 1] += call->offsets[r];
    return status;
}

static jr_status reduce(jr_context *context, const jr_spec *spec, const void *const *data, const tree_call *call,
                        void *results) {
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_segments runs = JR_INIT(jr_segments, .count = call->count, .offsets = call->offsets);
    return jr_segment_host_run(context, spec, &layout, data, &runs, results);
}

/* An element's index is that in all of them here, and in its segment there. */
static jr_status check_index(const jr_spec *spec) {
    jr_reduction *reduction = NULL;
    jr_status status = jr_reduction_create(spec, &reduction);
    if (status == JR_OK && reduction->sees_index)
        status = jr_fail(JR_ERROR_NOT_APPLICABLE, "segments by keys have no fixed tree where the operator or an "
                                                  "expression sees the index: set spec.accuracy to another "
                                                  "JR_ACCURACY_ value");
    jr_reduction_destroy(reduction);
    return status;
}

jr_status jr_runs_host_run_tree(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                const void *const *data, const jr_segments *segments, void *results) {
    tree_call call = {.offsets = NULL};
    uint64_t elements;
    jr_segment_layout own = *layout;
    jr_status status = check_index(spec);
    if (status == JR_OK) status = jr_segment_layout_settle(&own, false);
    if (status == JR_OK) status = jr_segment_layout_elements(&own, segments, true, &elements);
    if (status == JR_OK) status = allocate(&own, segments, &call);
    if (status == JR_OK) status = find_runs(context, spec, &own, segments, &call);
    if (status == JR_OK) status = reduce(context, spec, data, &call, results);
    if (status == JR_OK && segments->run_count != NULL) *segments->run_count = call.count;
    if (status == JR_OK && segments->run_keys != NULL && call.count > 0)
        memcpy(segments->run_keys, call.keys, call.count * jr_dtype_find(own.key_type)->bytes);
    free(call.offsets);
    free(call.keys);
    return status;
}
