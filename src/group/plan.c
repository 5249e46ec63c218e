/* Makes plans of groups. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "meaning.h"
#include "reduce/make.h"

static jr_status make_parts(const jr_spec *spec, jr_group_plan *plan) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        jr_job job = {.context = plan->group->contexts[i], .to_state = true};
        status = jr_make_of_spec(spec, &job, &plan->parts[i]);
    }
    return status;
}

static jr_status make_merge(const jr_spec *spec, jr_group_plan *plan) {
    jr_job job = {.context = plan->group->contexts[0], .kind = JR_JOB_MERGE};
    return jr_make_of_spec(spec, &job, &plan->merge);
}

static jr_status make_places(jr_group_plan *plan) {
    const jr_group *group = plan->group;
    const jr_device *device = &group->contexts[0]->device;
    bool pushed;
    plan->state_bytes = plan->merge->reduction->accumulator_bytes;
    plan->told_bytes = group->most_count * (sizeof(uint64_t) + plan->state_bytes);
    plan->told = calloc(1, plan->told_bytes);
    plan->firsts = calloc(group->local_count, sizeof *plan->firsts);
    if (plan->told == NULL || plan->firsts == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the states of %zu devices", group->size);
    jr_status status = jr_exchange_reserve(&plan->group->exchange, plan->told_bytes);
    if (status == JR_OK) status = jr_device_enter(device, &pushed);
    if (status != JR_OK) return status;
    status = jr_mapped_create(device, group->size * plan->state_bytes, &plan->states);
    jr_device_leave(device, pushed);
    return status;
}

/* All ranks, whether this one could make its plan or not. */
static jr_status compare_meanings(const jr_group_plan *plan, jr_status own) {
    jr_exchange *exchange = &plan->group->exchange;
    jr_meaning meaning, first, other;
    if (own == JR_OK) meaning = jr_meaning_of(plan->merge->reduction);
    const jr_payload payload = {JR_STEP_MEANING, &meaning, sizeof meaning};
    jr_status status = jr_exchange_run(exchange, own, &payload);
    for (int rank = 1; status == JR_OK && rank < exchange->ranks; rank++) {
        memcpy(&first, jr_exchange_of(exchange, 0), sizeof first);
        memcpy(&other, jr_exchange_of(exchange, rank), sizeof other);
        status = jr_meaning_compare(&first, &other, rank);
    }
    return status;
}

jr_status jr_group_plan_make(jr_group *group, jr_status status, const jr_spec *spec, jr_group_plan **plan) {
    jr_group_plan none = {.group = group}, *made = calloc(1, sizeof *made);
    if (made == NULL)
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a plan of a group");
    else
        made->group = group;
    if (status == JR_OK) status = make_parts(spec, made);
    if (status == JR_OK) status = make_merge(spec, made);
    if (status == JR_OK) status = make_places(made);
    status = compare_meanings(made != NULL ? made : &none, status);
    if (status == JR_OK)
        *plan = made;
    else
        jr_group_plan_free(made);
    return status;
}

static void free_states(jr_group_plan *plan) {
    const jr_device *device = &plan->group->contexts[0]->device;
    bool pushed;
    if (plan->states.host == NULL || jr_device_enter(device, &pushed) != JR_OK) return;
    jr_mapped_destroy(device, &plan->states);
    jr_device_leave(device, pushed);
}

void jr_group_plan_free(jr_group_plan *plan) {
    if (plan == NULL) return;
    jr_error_saved *saved = jr_error_save();
    free_states(plan);
    for (size_t i = 0; i < plan->group->local_count; i++) jr_plan_free(plan->parts[i]);
    jr_plan_free(plan->merge);
    free(plan->told);
    free(plan->firsts);
    free(plan);
    jr_error_restore(saved);
}
