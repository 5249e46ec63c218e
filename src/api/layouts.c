/* Reads layouts of segments. */
#include "layouts.h"

#include "base/error.h"
#include "group/group.h"
#include "plan/segment_layout.h"
#include "size.h"

jr_status jr_layouts_read_scan(const jr_segments *segments, jr_segments *own, jr_segment_layout *layout) {
    jr_status status = jr_size_read(&jr_segments_sized, segments, own);
    if (status == JR_OK && own->layout == NULL)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "segments.layout is NULL: set it to the layout of the segments");
    if (status == JR_OK) status = jr_size_read(&jr_segment_layout_sized, own->layout, layout);
    return status == JR_OK ? jr_segment_layout_settle(layout, true) : status;
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
