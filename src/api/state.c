/* The public functions of partial states (state.h). */
#include "plan/make.h"

#include "base/error.h"
#include "guard.h"
#include "size.h"

jr_status jr_state_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec, plan));
    jr_size_spec own;
    jr_job job = {.context = context, .to_state = true};
    JR_TRY(jr_size_spec_read(spec, &own));
    return jr_make_of_spec(&own.spec, &job, plan);
}

jr_status jr_state_plan_run(jr_plan *plan, const jr_part *part, void *d_state, void *workspace, jr_stream stream) {
    JR_GUARD_RUN;
    jr_part own;
    jr_run run = {.out = jr_cu_address(d_state), .workspace = jr_cu_address(workspace), .stream = stream};
    JR_TRY(JR_GIVEN(plan, part));
    if (plan->kind != &jr_plan_flat || !plan->choice.tuning.to_state)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this plan writes no states: make it with jr_state_plan_create");
    JR_TRY(jr_size_read(&jr_part_sized, part, &own));
    if (own.d_in == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "part->d_in is NULL");
    if (own.first > UINT64_MAX - own.count)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements from number %llu on are more than 64 bits can count",
                       (unsigned long long)own.count, (unsigned long long)own.first);
    run.count = own.count;
    run.first = own.first;
    for (int i = 0; i < plan->reduction->input_count; i++) run.in[i] = jr_cu_address(own.d_in[i]);
    return jr_plan_start(plan, &run);
}

jr_status jr_merge_plan_create(jr_context *context, const jr_spec *spec, jr_merge_kind kind, jr_plan **plan) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context, spec, plan));
    if (kind != JR_MERGE_TO_RESULT && kind != JR_MERGE_TO_STATE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown merge kind %d: give a JR_MERGE_ value", (int)kind);
    jr_size_spec own;
    jr_job job = {.context = context, .kind = JR_JOB_MERGE, .to_state = kind == JR_MERGE_TO_STATE};
    JR_TRY(jr_size_spec_read(spec, &own));
    return jr_make_of_spec(&own.spec, &job, plan);
}

size_t jr_merge_plan_state_bytes(const jr_plan *plan) {
    return plan != NULL && plan->kind == &jr_plan_merge ? plan->reduction->accumulator_bytes : 0;
}

jr_status jr_merge_plan_run(jr_plan *plan, const jr_states *states, void *d_out, jr_stream stream) {
    JR_GUARD_RUN;
    jr_states own;
    jr_run run = {.out = jr_cu_address(d_out), .stream = stream};
    JR_TRY(JR_GIVEN(plan, states));
    if (plan->kind != &jr_plan_merge)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this plan merges no states: make it with jr_merge_plan_create");
    JR_TRY(jr_size_read(&jr_states_sized, states, &own));
    run.in[0] = jr_cu_address(own.d_states);
    run.merge.states = own.count;
    run.count = own.elements;
    return jr_plan_start(plan, &run);
}
