/* Reduces runs of equal keys in host memory as segments by offsets: where each has a fixed tree of its own, and where
 * the data goes through the device in parts. The keys stay on the host, which finds the runs. */
#include "host.h"

#include "base/error.h"
#include "key_runs.h"
#include "plan/segment_layout.h"

static jr_status reduce(jr_context *context, const jr_spec *spec, const jr_segment_share *asked, jr_type key_type) {
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_segments *keyed = asked->segments;
    const jr_dtype *type = jr_dtype_find(key_type);
    jr_key_runs found = {.offsets = NULL};
    jr_status status = jr_key_runs_find(type, keyed->keys, keyed->elements, &found);
    const jr_segments runs = JR_INIT(jr_segments, .count = found.count, .offsets = found.offsets);
    jr_segment_share own = *asked;
    own.segments = &runs;
    if (status == JR_OK) status = jr_segment_host_share(context, spec, &layout, &own);
    if (status == JR_OK && keyed->run_count != NULL) *keyed->run_count = found.count;
    if (status == JR_OK && keyed->run_keys != NULL) jr_key_runs_write(&found, type, keyed->keys, keyed->run_keys);
    jr_key_runs_free(&found);
    return status;
}

jr_status jr_runs_host_run_tree(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                const void *const *data, const jr_segments *segments, void *results) {
    const jr_segment_share asked = {.data = data, .segments = segments, .results = results};
    jr_segment_layout own = *layout;
    uint64_t elements;
    jr_status status = jr_segment_layout_settle(&own, false);
    if (jr_reduction_is_placed(spec)) /* an element's index is that in all of them here, and in its segment there */
        status = jr_fail(JR_ERROR_NOT_APPLICABLE, "segments by keys have no fixed tree where the operator or an "
                                                  "expression sees the index: set spec.accuracy to another "
                                                  "JR_ACCURACY_ value");
    if (status == JR_OK) status = jr_segment_layout_elements(&own, segments, true, &elements);
    return status == JR_OK ? reduce(context, spec, &asked, own.key_type) : status;
}

jr_status jr_runs_host_run_parts(jr_context *context, const jr_spec *spec, jr_type key_type,
                                 const jr_segment_share *asked) {
    jr_spec own = *spec;
    own.algorithm = JR_ALGORITHM_AUTO; /* it may be one of keys alone */
    return reduce(context, &own, asked, key_type);
}
