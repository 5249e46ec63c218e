/* The public functions of segments (segment.h). */
#include "plan/segment_layout.h"

#include "base/error.h"
#include "guard.h"
#include "size.h"

jr_status jr_segment_layout_of(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(axis, layout, count));
    jr_axis own;
    jr_segment_layout found;
    JR_TRY(jr_size_check(&jr_segment_layout_sized, layout));
    JR_TRY(jr_size_read(&jr_axis_sized, axis, &own));
    if (own.strides != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "axis->strides is set, which a layout does not hold: set work.axis");
    JR_TRY(jr_segment_layout_find(&own, &found, count));
    jr_size_write(&jr_segment_layout_sized, &found, layout);
    return JR_OK;
}
