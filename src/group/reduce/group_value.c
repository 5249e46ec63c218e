/* Reduces parts, or stretches of host memory: a state of each device, an exchange, and the merge of all states in their
 * order. */
#include "group_value.h"

#include <string.h>

#include "base/error.h"
#include "group/host_sum.h"
#include "group/launchers.h"
#include "group/lost.h"
#include "group/stretch.h"
#include "host/host.h"
#include "value_met.h"

/* A rank sends as many counts, and then states, as the rank with the most devices has. This returns its states. */
static const unsigned char *states_told(const jr_group_plan *plan, const void *told) {
    return (const unsigned char *)told + plan->group->most_count * sizeof(uint64_t);
}

static jr_status add_count(uint64_t count, uint64_t *sum) {
    if (count > UINT64_MAX - *sum)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parts of %llu elements and %llu more are beyond 64 bits",
                       (unsigned long long)*sum, (unsigned long long)count);
    *sum += count;
    return JR_OK;
}

/* Adds up the counts that the ranks below one have sent. */
static jr_status count_before(const jr_group *group, int rank, uint64_t *sum) {
    jr_status status = JR_OK;
    *sum = 0;
    for (int r = 0; r < rank; r++) {
        const unsigned char *counts = jr_exchange_of(&group->exchange, r);
        for (size_t i = 0; status == JR_OK && i < group->counts[r]; i++) {
            uint64_t count;
            memcpy(&count, counts + i * sizeof count, sizeof count);
            status = add_count(count, sum);
        }
    }
    return status;
}

/* ---- before the launches ---- */

jr_status jr_group_plan_check_parts(const jr_group_plan *plan, const jr_group_parts *parts) {
    JR_TRY(JR_GIVEN(parts->d_in, parts->counts));
    for (size_t i = 0; i < plan->group->local_count; i++)
        if (parts->d_in[i] == NULL && parts->counts[i] > 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parts->d_in[%zu] is NULL, but parts->counts[%zu] is %llu", i, i,
                           (unsigned long long)parts->counts[i]);
    return JR_OK;
}

/* Where this rank's parts begin, by their own counts. */
static jr_status find_firsts(jr_group_plan *plan, const jr_group_parts *parts) {
    uint64_t at = 0;
    jr_status status = jr_group_plan_check_parts(plan, parts);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        plan->firsts[i] = at;
        jr_group_plan_tell(plan, i, parts->counts[i]);
        status = add_count(parts->counts[i], &at);
    }
    return status;
}

/* Moves the first indices of this rank's parts by the elements of all ranks before it, which have sent their counts. */
static jr_status move_firsts(jr_group_plan *plan) {
    uint64_t before;
    const jr_status status = count_before(plan->group, plan->group->exchange.rank, &before);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) plan->firsts[i] += before;
    return status;
}

static jr_status exchange_firsts(jr_group_plan *plan, jr_status own, uint64_t *elements) {
    jr_group *group = plan->group;
    const jr_payload payload = {JR_STEP_COUNTS, plan->told, group->most_count * sizeof(uint64_t)};
    JR_TRY(jr_exchange_run(&group->exchange, own, &payload));
    JR_TRY(count_before(group, group->exchange.ranks, elements));
    return move_firsts(plan);
}

/* ---- launches ---- */

static jr_stream stream_of(const jr_group_parts *parts, size_t index) {
    return parts->streams != NULL ? parts->streams[index] : NULL;
}

/* What the launches of a call have in common. */
typedef struct fold_call {
    const jr_group_plan *plan;
    const jr_group_parts *parts;
    bool *started; /* of each device */
} fold_call;

static jr_status start(void *user, size_t index) {
    const fold_call *call = user;
    const jr_run run = jr_group_plan_run_of(call->plan, call->parts, index);
    const jr_status status = jr_plan_start_watched(call->plan->parts[index], &run);
    call->started[index] = status == JR_OK;
    return jr_group_plan_explain(call->plan, index, status);
}

/* All devices at a time; those that were started are waited for, whatever becomes of the others. */
static jr_status fold_parts(jr_group_plan *plan, const jr_group_parts *parts) {
    bool started[JR_GROUP_DEVICES_MAX] = {false};
    jr_status status = jr_launchers_run(plan->group, parts->streams, start, &(fold_call){plan, parts, started});
    jr_error_saved *saved = status != JR_OK ? jr_error_save() : NULL;
    for (size_t i = 0; i < plan->group->local_count; i++) {
        const unsigned char *state;
        if (!started[i]) continue;
        const jr_status waited = jr_plan_wait_watched(plan->parts[i], stream_of(parts, i), &state);
        if (waited == JR_OK) memcpy(jr_group_plan_state(plan, i), state, plan->state_bytes);
        if (waited == JR_OK || status != JR_OK) continue;
        status = jr_group_plan_explain(plan, i, waited);
        saved = jr_error_save();
    }
    jr_error_restore(saved);
    return status;
}

/* ---- the states, after the parts ---- */

static void collect_states(const jr_group_plan *plan) {
    const jr_group *group = plan->group;
    unsigned char *to = plan->states.host;
    for (int rank = 0; rank < group->exchange.ranks; rank++) {
        const size_t bytes = group->counts[rank] * plan->state_bytes;
        memcpy(to, states_told(plan, jr_exchange_of(&group->exchange, rank)), bytes);
        to += bytes;
    }
}

static bool sum_here(const jr_group_plan *plan, jr_value *values) {
    const jr_reduction *reduction = plan->merge->reduction;
    return jr_host_sum_can(reduction, plan->group->size) &&
           jr_host_sum(reduction, plan->states.host, plan->group->size, values);
}

static jr_status merge(jr_group_plan *plan, uint64_t elements, jr_value *values) {
    const jr_run run = {.in = {plan->states.address}, .merge.states = plan->group->size, .count = elements};
    if (elements > 0 && sum_here(plan, values)) return JR_OK;
    return jr_group_name_lost(plan->group, 0, jr_plan_start_and_wait(plan->merge, &run, values));
}

jr_status jr_group_plan_compare_parameters(const jr_group_plan *plan) {
    const jr_exchange *exchange = &plan->group->exchange;
    const unsigned char *first = jr_exchange_of(exchange, 0);
    for (int rank = 1; rank < exchange->ranks; rank++) {
        const unsigned char *other = jr_exchange_of(exchange, rank);
        if (memcmp(first + plan->parameters_at, other + plan->parameters_at, plan->parameter_bytes) != 0)
            return jr_fail(JR_ERROR_RANKS_DIFFER,
                           "rank 0 and rank %d have other values of parameters: set the same on all ranks", rank);
    }
    return JR_OK;
}

jr_status jr_group_plan_gather(jr_group_plan *plan, jr_status status, uint64_t *elements) {
    jr_group *group = plan->group;
    const jr_payload payload = {JR_STEP_STATES, plan->told, plan->told_bytes};
    jr_group_plan_tell_parameters(plan);
    status = jr_exchange_run(&group->exchange, status, &payload);
    if (status == JR_OK) status = jr_group_plan_compare_parameters(plan);
    if (status == JR_OK) status = count_before(group, group->exchange.ranks, elements);
    if (status == JR_OK) collect_states(plan);
    return status;
}

/* The end of a reduction: that, and the merge. */
static jr_status finish(jr_group_plan *plan, jr_status status, jr_value *values) {
    uint64_t elements;
    status = jr_group_plan_gather(plan, status, &elements);
    return status == JR_OK ? merge(plan, elements, values) : status;
}

/* Whether counts are exchanged before the states are. */
static bool counts_first(const jr_group_plan *plan) {
    return plan->merge->reduction->sees_index && !jr_group_is_alone(plan->group);
}

jr_status jr_group_plan_place(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, uint64_t *elements) {
    if (status == JR_OK) status = find_firsts(plan, parts);
    if (!jr_group_is_alone(plan->group)) return exchange_firsts(plan, status, elements);
    *elements = 0;
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) *elements += parts->counts[i];
    return status;
}

/* A failure is sent to the other ranks once: in the exchange of counts, or in that of states. */
jr_status jr_group_plan_collect(jr_group_plan *plan, jr_status status, const jr_group_parts *parts,
                                uint64_t *elements) {
    if (counts_first(plan)) {
        status = jr_group_plan_place(plan, status, parts, elements);
        if (status != JR_OK) return status;
    } else if (status == JR_OK) {
        status = find_firsts(plan, parts);
    }
    if (status == JR_OK) status = fold_parts(plan, parts);
    status = jr_group_plan_gather(plan, status, elements);
    return status == JR_OK && !counts_first(plan) && !jr_group_is_alone(plan->group) ? move_firsts(plan) : status;
}

jr_status jr_group_plan_reduce(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, jr_value *values) {
    uint64_t elements;
    if (plan->meets) {
        status = jr_group_plan_place(plan, status, parts, &elements);
        return status == JR_OK ? jr_group_plan_meet(plan, parts, elements, values) : status;
    }
    status = jr_group_plan_collect(plan, status, parts, &elements);
    return status == JR_OK ? merge(plan, elements, values) : status;
}

/* ---- host memory ---- */

static jr_status fold(jr_group_plan *plan, const jr_spec *spec, const jr_work_data *data) {
    jr_stretch stretches[JR_GROUP_DEVICES_MAX];
    JR_TRY(jr_stretch_cut(plan, spec, data->in, data->count, stretches));
    return jr_stretch_work(plan->group, stretches, jr_stretch_fold);
}

/* The nodes of a fixed tree are not those of the devices' shares: one device folds all of it. */
static jr_status reduce_by_one(jr_group *group, const jr_spec *spec, const jr_work_data *data) {
    const jr_status status = jr_host_reduce(group->contexts[0], spec, NULL, data->in, data->count, data->values);
    if (status == JR_OK) group->stats = jr_context_kept(group->contexts[0]);
    return status;
}

jr_status jr_group_host_reduce(jr_group *group, jr_status status, const jr_spec *spec, const jr_work_data *data) {
    jr_group_plan *plan = NULL;
    if (status == JR_OK && jr_group_is_alone(group) && jr_reduction_is_tree(spec))
        return reduce_by_one(group, spec, data);
    status = jr_group_plan_make(group, status, spec, &(jr_group_use){.count = data->count}, &plan);
    if (status != JR_OK) return status;
    status = finish(plan, fold(plan, spec, data), data->values);
    jr_group_plan_free(plan);
    return status;
}
