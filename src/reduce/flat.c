/* Plans that reduce all elements to one result, perhaps in parts. */
#include "base/error.h"
#include "parts.h"

static jr_status check(const jr_plan *plan, const jr_run *run) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < plan->reduction->input_count; i++)
        status = jr_plan_check_input(plan, i, run->in[i], run->count);
    if (status == JR_OK) status = jr_plan_check_places(plan, run);
    if (status != JR_OK) return status;
    if ((plan->launch_count > 0 || plan->choice.row->needs_capacity) && run->count > plan->capacity)
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "a count of %llu is beyond the plan's capacity of %llu, which %s needs: set spec.capacity to the "
            "largest count",
            (unsigned long long)run->count, (unsigned long long)plan->capacity,
            plan->launch_count > 0 ? "max_launch_ms" : plan->choice.row->name);
    return run->count == 0 ? jr_reduction_check_empty(plan->reduction) : JR_OK;
}

static jr_status launch(const jr_plan *plan, const jr_run *run) {
    return plan->launch_count > 0 ? jr_parts_run(plan, run) : plan->choice.row->run(plan, run);
}

static int launches(const jr_plan *plan, uint64_t count) {
    return plan->launch_count > 0 ? (int)jr_parts_launches(plan, count) + 1 : jr_plan_row_launches(plan, count);
}

static size_t workspace_bytes(const jr_plan *plan) {
    return plan->launch_count > 0 ? (size_t)jr_parts_bytes(plan, plan->capacity) : jr_plan_row_workspace(plan);
}

const jr_plan_kind jr_plan_flat = {
    .check = check, .launch = launch, .launches = launches, .workspace_bytes = workspace_bytes};
