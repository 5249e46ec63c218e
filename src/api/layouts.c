/* Reads layouts of segments. */
#include "layouts.h"

#include "group/group.h"
#include "reduce/segment_layout.h"
#include "size.h"

jr_status jr_layouts_read(const jr_group *group, const jr_segment_layout *layouts, jr_segment_layout *own) {
    const size_t count = group->local_count;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < count; i++) {
        status = jr_size_read(&jr_segment_layout_sized, &layouts[i], &own[i]);
        if (status == JR_OK) status = jr_segment_layout_settle(&own[i], false);
    }
    return status;
}
