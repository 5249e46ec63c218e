/* Plans that reduce all elements to one result. */
#include "base/error.h"
#include "plan/plan.h"

static jr_status check(const jr_plan *plan, const jr_run *run) {
    JR_TRY(jr_plan_check_inputs(plan, run, run->count));
    JR_TRY(jr_plan_check_places(plan, run));
    if ((plan->choice.launch_count > 0 || plan->choice.row->needs_capacity) && run->count > plan->capacity)
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "a count of %llu is beyond the plan's capacity of %llu, which %s needs: set spec.capacity to the "
            "largest count",
            (unsigned long long)run->count, (unsigned long long)plan->capacity,
            plan->choice.launch_count > 0 ? "max_launch_ms" : plan->choice.row->name);
    const bool whole = !plan->choice.tuning.to_state && !plan->choice.tuning.to_all;
    return run->count == 0 && whole ? jr_reduction_check_empty(plan->reduction) : JR_OK;
}

const jr_plan_kind jr_plan_flat = {.check = check};
