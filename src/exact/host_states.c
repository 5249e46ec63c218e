/* Folds parts of host memory to states, and merges states. */
#include "host_states.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/memory.h"
#include "exact_sums.h"
#include "plan/make.h"

jr_status jr_host_states_fold(jr_context *context, const jr_spec *spec, const jr_host_part *part, void *state) {
    jr_stats stats = {0};
    jr_host_part own = *part;
    own.stats = &stats;
    const jr_status status = jr_host_fold(context, spec, &own, state);
    if (status == JR_OK) jr_context_keep(context, &stats);
    return status;
}

/* ---- on the host: exact sums ---- */

/* Sums of counts that are below 2^64 together do not overflow. */
static jr_status add_sums(const jr_reduction *reduction, const jr_host_states *given, void *state) {
    const size_t bytes = reduction->accumulator_bytes;
    unsigned char *all = calloc(1, bytes);
    if (all == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a state of %zu bytes", bytes);
    for (uint64_t s = 0; s < given->count; s++)
        for (int i = 0; i < reduction->sum_count; i++)
            jr_exact_sum_add(&reduction->sums[i], all, given->states + s * bytes);
    jr_exact_count_kept(reduction, all);
    memcpy(state, all, bytes);
    free(all);
    return JR_OK;
}

/* ---- on the device ---- */

static jr_status run(jr_plan *plan, const jr_host_states *given, const jr_mapped *mapped, void *state,
                     jr_value *values) {
    const jr_run run = {.in = {mapped->address}, .merge.states = given->count, .count = given->elements};
    const size_t bytes = plan->reduction->accumulator_bytes;
    const unsigned char *place = NULL;
    if (given->count > 0) memcpy(mapped->host, given->states, (size_t)given->count * bytes);
    if (values != NULL) return jr_plan_start_and_wait(plan, &run, values);
    JR_TRY(jr_plan_start_watched(plan, &run));
    JR_TRY(jr_plan_wait_watched(plan, run.stream, &place));
    memcpy(state, place, bytes);
    return JR_OK;
}

/* The plan's context is current. */
static jr_status run_mapped(jr_plan *plan, const jr_host_states *given, void *state, jr_value *values) {
    const jr_device *device = &plan->context->device;
    const size_t bytes = plan->reduction->accumulator_bytes;
    jr_mapped mapped = {.host = NULL};
    if (given->count > SIZE_MAX / bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu states of %zu bytes are beyond the address space",
                       (unsigned long long)given->count, bytes);
    JR_TRY(jr_mapped_create(device, (size_t)(given->count > 0 ? given->count : 1) * bytes, &mapped));
    const jr_status status = run(plan, given, &mapped, state, values);
    JR_KEEP_ERROR;
    jr_mapped_destroy(device, &mapped);
    return status;
}

static jr_status merge(const jr_job *job, const jr_host_states *given, void *state, jr_value *values) {
    jr_plan *plan = NULL;
    JR_TRY(jr_make_plan(job, &plan));
    JR_INSIDE inside = jr_inside_to_wait(&job->context->device, NULL);
    const jr_status status = inside.status == JR_OK ? run_mapped(plan, given, state, values) : inside.status;
    jr_plan_free(plan);
    return status;
}

jr_status jr_host_states_merge(jr_context *context, const jr_spec *spec, const jr_host_states *given, void *state) {
    jr_job job = {.context = context, .kind = JR_JOB_MERGE, .to_state = true};
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK)
        status = job.reduction->sum_count > 0 ? add_sums(job.reduction, given, state) : merge(&job, given, state, NULL);
    jr_job_free(&job);
    return status;
}

jr_status jr_host_states_finish(jr_context *context, const jr_spec *spec, const jr_host_states *given,
                                jr_value *values) {
    jr_job job = {.context = context, .kind = JR_JOB_MERGE};
    jr_value made[JR_OPS_MAX];
    jr_status status = jr_job_make(spec, &job);
    if (status == JR_OK) status = merge(&job, given, NULL, made);
    if (status == JR_OK) memcpy(values, made, (size_t)job.reduction->output_count * sizeof *values);
    jr_job_free(&job);
    return status;
}
