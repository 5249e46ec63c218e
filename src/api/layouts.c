/* Reads layouts of segments. */
#include "layouts.h"

#include "base/error.h"
#include "group/group.h"
#include "plan/segment_layout.h"
#include "size.h"

jr_status jr_layouts_check(const jr_segment_layout *layout, const jr_segments *segments, bool scan) {
    const bool keys = layout->kind == JR_SEGMENTS_KEYS, offsets = layout->kind == JR_SEGMENTS_OFFSETS;
    const unsigned long long count = segments->count, elements = segments->elements, length = layout->length;
    if ((segments->run_keys != NULL || segments->run_count != NULL) && (scan || !keys))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "segments->%s is set: only reductions by JR_SEGMENTS_KEYS write it; leave it NULL%s",
                       segments->run_keys != NULL ? "run_keys" : "run_count",
                       scan ? ", since a scan writes a result for each element" : "");
    if (elements == 0 || keys) return JR_OK;
    if (count == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "segments->count is 0, but elements is %llu: set count to the number of segments", elements);
    if (offsets || (length <= UINT64_MAX / count && length * count == elements)) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "segments->elements is %llu, but %llu segments of %llu elements have another number: set count to "
                   "the number of segments, and leave elements 0",
                   elements, count, length);
}

jr_status jr_layouts_read_scan(const jr_segments *segments, jr_segments *own, jr_segment_layout *layout) {
    jr_status status = jr_size_read(&jr_segments_sized, segments, own);
    if (status == JR_OK && own->layout == NULL)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "segments.layout is NULL: set it to the layout of the segments");
    if (status == JR_OK) status = jr_size_read(&jr_segment_layout_sized, own->layout, layout);
    if (status == JR_OK) status = jr_segment_layout_settle(layout, true);
    return status == JR_OK ? jr_layouts_check(layout, own, true) : status;
}

jr_status jr_layouts_read(const jr_group *group, const jr_segment_layout *layouts, jr_segment_layout *own) {
    const size_t count = group->local_count;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < count; i++) {
        status = jr_size_read(&jr_segment_layout_sized, &layouts[i], &own[i]);
        if (status == JR_OK) status = jr_segment_layout_settle(&own[i], false);
    }
    return status;
}
