/* Makes the plans for parts of axes. */
#include "base/error.h"
#include "chunked_axes.h"
#include "plan/make.h"

/* Accumulators are joined as rows of columns, which the results are of. */
static jr_segment_layout columns_of(uint64_t length) {
    return (jr_segment_layout){.kind = JR_SEGMENTS_STRIDED, .length = length, .inner = 1};
}

jr_segment_layout jr_axes_plans_layout(const jr_segment_layout *whole, const jr_axes_parts *parts) {
    return parts->pieces ? columns_of(whole->length) : parts->kind[0].layout;
}

/* Who sees the index has it counted on from what is before the part: as columns and axes do. */
static jr_segment_layout layout_of(const jr_job *job, const jr_axes_parts *parts, int kind) {
    const jr_axes_part *part = &parts->kind[kind];
    const bool rows = part->layout.kind == JR_SEGMENTS_EQUAL;
    if (!parts->pieces || !job->reduction->sees_index || !rows) return part->layout;
    jr_segment_layout columns = columns_of(part->length);
    if (part->length == 1) columns.inner = part->results;
    return columns;
}

static jr_status make(const jr_job *job, jr_segment_layout layout, bool to_state, jr_plan **plan) {
    jr_job own = *job;
    own.layout = layout;
    own.to_state = to_state;
    JR_TRY(jr_make_plan(&own, plan));
    if (!to_state) jr_plan_count_kept(*plan);
    (*plan)->dependent = false;
    return JR_OK;
}

jr_status jr_axes_plans_make(const jr_job *job, const jr_axes_parts *parts, const jr_plan *results,
                             jr_axes_plans *plans) {
    jr_status status = JR_OK;
    plans->results = results;
    for (int k = parts->pieces ? 0 : 1; k < parts->kinds && status == JR_OK; k++)
        status = make(job, layout_of(job, parts, k), parts->pieces, &plans->kind[k]);
    if (status == JR_OK && parts->pieces) status = make(job, columns_of(1), true, &plans->joined);
    return status;
}

void jr_axes_plans_free(jr_axes_plans *plans) {
    jr_plan_free(plans->joined);
    for (int k = 0; k < 2; k++) jr_plan_free(plans->kind[k]);
}
