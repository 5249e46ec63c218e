/* The public functions of all-reduces (allreduce.h). */
#include "group/allreduce/allreduce.h"

#include "base/error.h"
#include "guard.h"
#include "size.h"

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
