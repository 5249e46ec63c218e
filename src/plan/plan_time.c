/* Measures runs of plans. */
#include "base/error.h"
#include "device/stopwatch.h"
#include "plan.h"

/* Input and output once each, and what the algorithm keeps in between. */
static uint64_t moved_bytes(const jr_plan *plan, uint64_t count) {
    uint64_t bytes = jr_plan_result_stride(plan);
    for (int i = 0; i < plan->reduction->input_count; i++) bytes += count * plan->reduction->inputs[i].bytes;
    return bytes + (plan->choice.row->partial_bytes != NULL ? plan->choice.row->partial_bytes(plan, count) : 0);
}

static jr_status time_run(const jr_plan *plan, const jr_run *run, jr_stopwatch *watch, double *milliseconds) {
    JR_TRY(jr_stopwatch_start(watch, run->stream));
    JR_TRY(jr_plan_start(plan, run));
    JR_TRY(jr_stopwatch_stop(watch, run->stream));
    return jr_stopwatch_read(watch, milliseconds);
}

/* The context is current. */
static jr_status time_rounds(const jr_plan *plan, const jr_run *run, int rounds, double *least_ms) {
    jr_stopwatch watch = {0};
    jr_status status = jr_stopwatch_create(&plan->context->device, &watch);
    for (int round = 0; status == JR_OK && round < rounds; round++) {
        double milliseconds = 0;
        status = time_run(plan, run, &watch, &milliseconds);
        if (round == 0 || milliseconds < *least_ms) *least_ms = milliseconds;
    }
    JR_KEEP_ERROR;
    jr_stopwatch_destroy(&watch);
    return status;
}

jr_status jr_plan_measure(const jr_plan *plan, const jr_run *run, int rounds, jr_run_cost *cost) {
    jr_run_cost found = {0};
    if (rounds < 1) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d rounds: 1 or more are needed", rounds);
    JR_IN_DEVICE_TO_WAIT(&plan->context->device, run->stream);
    JR_TRY(time_rounds(plan, run, rounds, &found.kernel_ms));
    found.launches = jr_plan_launches(plan, run->count);
    found.moved_bytes = moved_bytes(plan, run->count);
    *cost = found;
    return JR_OK;
}
