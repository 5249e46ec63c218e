/* The public functions of all-reduces (allreduce.h). */
#include "group/allreduce/allreduce.h"

#include "base/error.h"
#include "guard.h"
#include "layouts.h"
#include "size.h"

/* With a group, jr_allreduce_make refuses wrong arguments, since the other ranks must learn of it. */
jr_status jr_allreduce_create(jr_group *group, const jr_spec *spec, const jr_allreduce_options *options,
                              jr_allreduce **allreduce) {
    JR_GUARD_CALL;
    jr_size_spec own;
    jr_allreduce_options how = {0};
    JR_TRY(JR_GIVEN(group, spec, allreduce));
    jr_status status = jr_size_spec_read(spec, &own);
    if (status == JR_OK && options != NULL) status = jr_size_read(&jr_allreduce_options_sized, options, &how);
    return jr_allreduce_make(group, status, &own.spec, NULL, &how, allreduce);
}

jr_status jr_allreduce_segment_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                      const jr_allreduce_options *options, jr_allreduce **allreduce) {
    JR_GUARD_CALL;
    jr_size_spec own;
    jr_segment_layout own_layouts[JR_GROUP_DEVICES_MAX] = {{.kind = 0}};
    jr_allreduce_options how = {0};
    JR_TRY(JR_GIVEN(group, spec, layouts, allreduce));
    jr_status status = jr_size_spec_read(spec, &own);
    if (status == JR_OK) status = jr_layouts_read(group, layouts, own_layouts);
    if (status == JR_OK && options != NULL) status = jr_size_read(&jr_allreduce_options_sized, options, &how);
    return jr_allreduce_make(group, status, &own.spec, own_layouts, &how, allreduce);
}

void jr_allreduce_destroy(jr_allreduce *allreduce) {
    JR_GUARD_CALL;
    jr_allreduce_free(allreduce);
}

jr_status jr_allreduce_run(jr_allreduce *allreduce, const jr_group_parts *parts, void *const *d_out) {
    JR_GUARD_RUN;
    jr_group_parts own;
    JR_TRY(JR_GIVEN(allreduce, parts, d_out));
    const jr_status status = jr_size_read(&jr_group_parts_sized, parts, &own);
    return jr_allreduce_start(allreduce, status, &own, d_out);
}

jr_status jr_allreduce_wait(jr_allreduce *allreduce) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(allreduce));
    return allreduce->row->await(allreduce);
}

jr_allreduce_way jr_allreduce_way_of(const jr_allreduce *allreduce) {
    return allreduce != NULL ? allreduce->row->way : JR_ALLREDUCE_AUTO;
}

size_t jr_allreduce_result_bytes(const jr_allreduce *allreduce) {
    return allreduce != NULL ? jr_plan_result_stride(jr_allreduce_results(allreduce)) : 0;
}
