/* The public plan functions (plan.h). */
#include "plan/plan.h"

#include "base/error.h"
#include "device/memory.h"
#include "given_work.h"
#include "guard.h"
#include "size.h"

void jr_plan_destroy(jr_plan *plan) {
    JR_GUARD_CALL;
    jr_plan_free(plan);
}

jr_status jr_plan_value(jr_plan *plan, const void *const *d_in, uint64_t count, jr_stream stream, jr_value *values) {
    JR_GUARD_CALL;
    jr_run run = {.count = count, .stream = stream};
    JR_TRY(JR_GIVEN(plan, d_in, values));
    if (!jr_given_work_is_plain(plan)) return jr_given_work_fail_plain(plan);
    if (plan->kind->each != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the plan has a result for every %s, not one value: use jr_work_plan_run", plan->kind->each);
    for (int i = 0; i < plan->reduction->input_count; i++) run.in[i] = jr_cu_address(d_in[i]);
    return jr_plan_start_and_wait(plan, &run, values);
}

jr_status jr_plan_time(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out, int rounds,
                       jr_run_cost *cost) {
    JR_GUARD_CALL;
    jr_run run = {.count = count, .out = jr_cu_address(d_out)};
    JR_TRY(JR_GIVEN(plan, d_in, cost));
    jr_run_cost found;
    jr_status status = jr_size_check(&jr_run_cost_sized, cost);
    if (status == JR_OK && !jr_given_work_is_plain(plan)) status = jr_given_work_fail_plain(plan);
    for (int i = 0; i < plan->reduction->input_count; i++) run.in[i] = jr_cu_address(d_in[i]);
    if (status == JR_OK) status = jr_plan_measure(plan, &run, rounds, &found);
    if (status == JR_OK) jr_size_write(&jr_run_cost_sized, &found, cost);
    return status;
}

jr_status jr_plan_parameter_set(jr_plan *plan, const char *name, const jr_value *value) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(plan, name, value));
    return jr_plan_parameter_write(plan, name, value);
}

/* Does it apply to many arrays, so that its results are the operators', and values go where the elements were? */
static bool has_totals(const jr_plan *plan) {
    return plan->kind == &jr_plan_many && plan->reduction->total_count > 0;
}

/* A state is the only result of its plan, and of no type that is public. Type 0: there is no such result. */
static jr_output find_result(const jr_plan *plan, int index) {
    if (plan == NULL || index < 0 || index >= jr_plan_result_count(plan)) return (jr_output){.type = JR_TYPE_NONE};
    if (plan->choice.tuning.to_state) return (jr_output){.type = JR_STRUCT};
    if (!has_totals(plan)) return plan->reduction->outputs[index];
    return (jr_output){.type = plan->reduction->totals[index], .offset = (size_t)index * JR_RESULT_STRIDE};
}

int jr_plan_result_count(const jr_plan *plan) {
    if (plan == NULL) return 0;
    if (has_totals(plan)) return plan->reduction->total_count;
    return plan->choice.tuning.to_state ? 1 : plan->reduction->output_count;
}

size_t jr_plan_result_bytes(const jr_plan *plan) {
    if (plan == NULL) return 0;
    if (has_totals(plan)) return plan->reduction->total_bytes;
    return plan->choice.tuning.to_state ? plan->reduction->accumulator_bytes : plan->reduction->output_bytes;
}

size_t jr_plan_result_offset(const jr_plan *plan, int index) {
    return find_result(plan, index).offset;
}

size_t jr_plan_workspace_bytes(const jr_plan *plan) {
    return plan != NULL ? jr_plan_workspace(plan) : 0;
}

jr_status jr_plan_workspace_prepare(jr_plan *plan, void *workspace, jr_stream stream) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(plan));
    if (jr_plan_workspace(plan) > 0) JR_TRY(JR_GIVEN(workspace));
    JR_TRY(jr_plan_check_workspace(&(jr_run){.workspace = jr_cu_address(workspace)}));
    const jr_device *device = &plan->context->device;
    JR_IN_DEVICE(device);
    return jr_memory_clear(device, jr_cu_address(workspace), jr_plan_workspace(plan), stream);
}

jr_type jr_plan_result_type_at(const jr_plan *plan, int index) {
    return find_result(plan, index).type;
}

jr_type jr_plan_result_type(const jr_plan *plan) {
    return jr_plan_result_type_at(plan, 0);
}

jr_status jr_plan_stats(const jr_plan *plan, jr_stats *stats) {
    JR_TRY(JR_GIVEN(plan, stats));
    const jr_status status = jr_size_check(&jr_stats_sized, stats);
    if (status == JR_OK) jr_size_write(&jr_stats_sized, &plan->stats, stats);
    return status;
}

unsigned jr_plan_kernel_count(const jr_plan *plan) {
    return plan != NULL ? plan->kernel_count : 0;
}

static jr_status check_index(const jr_plan *plan, unsigned index) {
    if (index < plan->kernel_count) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "kernel %u is out of range: the plan has %u, counted from 0", index,
                   plan->kernel_count);
}

jr_status jr_plan_kernel(const jr_plan *plan, unsigned index, jr_kernel **kernel) {
    JR_TRY(JR_GIVEN(plan, kernel));
    const jr_status status = check_index(plan, index);
    if (status == JR_OK) *kernel = plan->kernels[index];
    return status;
}

jr_status jr_plan_launch_get(const jr_plan *plan, unsigned index, jr_launch *launch) {
    JR_TRY(JR_GIVEN(plan, launch));
    JR_TRY(check_index(plan, index));
    JR_TRY(jr_size_check(&jr_launch_sized, launch));
    const bool alone = plan->choice.row->kernels[index].alone;
    const jr_launch found = {.grid = {alone ? 1 : (unsigned)jr_plan_grid(plan, UINT64_MAX), 1, 1},
                             .block = {(unsigned)plan->choice.tuning.block, 1, 1},
                             .shared_bytes = plan->choice.tuning.shared_bytes};
    jr_size_write(&jr_launch_sized, &found, launch);
    return JR_OK;
}
