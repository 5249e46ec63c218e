/* Makes, runs and frees all-reduces: what all ways have in common. */
#include "allreduce.h"

#include <stdlib.h>
#include <string.h>

#include "allreduce_pull.h"
#include "base/error.h"

enum { ROWS = 3 };
static const jr_allreduce_row *const rows[ROWS] = {&jr_allreduce_by_peers, &jr_allreduce_by_nccl,
                                                   &jr_allreduce_by_host};

/* ---- which way ---- */

/* The first that can be gone. */
static jr_status choose(const jr_group *group, const jr_allreduce_options *options, bool of_segments,
                        const jr_allreduce_row **row) {
    jr_error_saved *before = jr_error_save();
    jr_status status = JR_ERROR_NOT_APPLICABLE;
    for (size_t i = 0; status != JR_OK && i < ROWS; i++) {
        status = rows[i]->check(group, options, of_segments);
        if (status == JR_OK) *row = rows[i];
    }
    if (status == JR_OK)
        jr_error_restore(before);
    else
        jr_error_discard(before);
    return status;
}

static const jr_allreduce_row *row_of(uint32_t way) {
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i]->way == (jr_allreduce_way)way) return rows[i];
    return NULL;
}

static jr_status find_row(const jr_group *group, const jr_allreduce_options *options, bool of_segments,
                          const jr_allreduce_row **row) {
    if (!(options->wait_limit_ms >= 0))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "wait_limit_ms %g is not allowed: 0 or a positive number",
                       options->wait_limit_ms);
    if (options->way == JR_ALLREDUCE_AUTO) return choose(group, options, of_segments, row);
    *row = row_of((uint32_t)options->way);
    if (*row != NULL) return (*row)->check(group, options, of_segments);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown way %d: give a JR_ALLREDUCE_ value", (int)options->way);
}

/* What is left to the library must be one way for all ranks: the last of those that they have found. */
static jr_status agree(jr_group *group, jr_status status, const jr_allreduce_options *options,
                       const jr_allreduce_row **row) {
    uint32_t way = status == JR_OK ? (uint32_t)(*row)->way : 0, last = 0;
    const jr_payload payload = {JR_STEP_WAY, &way, sizeof way};
    if (jr_group_is_alone(group)) return status;
    status = jr_exchange_run(&group->exchange, status, &payload);
    for (int rank = 0; status == JR_OK && rank < group->exchange.ranks; rank++) {
        uint32_t other;
        memcpy(&other, jr_exchange_of(&group->exchange, rank), sizeof other);
        if (last < other) last = other;
    }
    if (status == JR_OK && options->way == JR_ALLREDUCE_AUTO) *row = row_of(last);
    return status;
}

static jr_status prepare(jr_group *group, jr_allreduce *made, const jr_spec *spec) {
    const jr_payload payload = {JR_STEP_WAY, "", 0};
    const jr_status status = made->row->prepare(made, spec);
    return jr_exchange_run(&group->exchange, status, &payload);
}

/* ---- making and freeing ---- */

static jr_status begin(const jr_allreduce_options *options, bool of_segments, jr_allreduce **made) {
    *made = calloc(1, sizeof **made);
    if (*made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for an all-reduce");
    (*made)->of_segments = of_segments;
    (*made)->limit_ms = options->wait_limit_ms;
    (*made)->nccl = options->nccl;
    return JR_OK;
}

jr_status jr_allreduce_make(jr_group *group, jr_status status, const jr_spec *spec, const jr_segment_layout *layouts,
                            const jr_allreduce_options *options, jr_allreduce **allreduce) {
    jr_group_use use = {.on_devices = true, .reduces_to_all = true, .layouts = layouts};
    const jr_allreduce_row *row = NULL;
    jr_group_plan *plan = NULL;
    jr_allreduce *made = NULL;
    if (status == JR_OK) status = find_row(group, options, layouts != NULL, &row);
    if (status == JR_OK) status = begin(options, layouts != NULL, &made);
    status = agree(group, status, options, &row);
    if (status == JR_OK) {
        use.to_all = row->to_all && layouts == NULL;
        use.way = (int)row->way;
    }
    status = jr_group_plan_make(group, status, spec, &use, &plan);
    if (status == JR_OK) {
        made->row = row;
        made->plan = plan;
        status = prepare(group, made, spec);
    }
    if (status == JR_OK)
        *allreduce = made;
    else
        jr_allreduce_free(made);
    return status;
}

void jr_allreduce_free(jr_allreduce *allreduce) {
    if (allreduce == NULL) return;
    JR_KEEP_ERROR;
    if (allreduce->plan != NULL) {
        jr_allreduce_free_room(allreduce);
        jr_allreduce_free_events(allreduce);
    }
    for (size_t i = 0; i < JR_GROUP_DEVICES_MAX; i++) jr_plan_free(allreduce->merges[i]);
    jr_group_plan_free(allreduce->plan);
    free(allreduce);
}

/* ---- running ---- */

static jr_status check_places(const jr_allreduce *allreduce, void *const *d_out) {
    const jr_group_plan *plan = allreduce->plan;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++)
        status = jr_group_plan_explain(plan, i,
                                       jr_plan_check_places(plan->merge, &(jr_run){.out = jr_cu_address(d_out[i])}));
    return status;
}

jr_status jr_allreduce_start(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts,
                             void *const *d_out) {
    if (status == JR_OK) status = check_places(allreduce, d_out);
    for (size_t i = 0; status == JR_OK && i < allreduce->plan->group->local_count; i++)
        allreduce->streams[i] = parts->streams != NULL ? parts->streams[i] : NULL;
    return allreduce->row->run(allreduce, status, parts, d_out);
}
