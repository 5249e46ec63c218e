/* Adds to kept states of exact sums, and finishes them. */
#include "exact_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/memory.h"
#include "exact_bytes.h"
#include "plan/make.h"

jr_status jr_exact_state_make(jr_context *context, const jr_spec *spec, jr_exact_state **state) {
    jr_reduction *reduction = NULL;
    jr_status status = jr_reduction_create(spec, &reduction);
    if (status == JR_OK) status = jr_exact_check(reduction);
    jr_exact_state *made = status == JR_OK ? malloc(sizeof *made) : NULL;
    unsigned char *sums = made != NULL ? calloc(1, reduction->accumulator_bytes) : NULL;
    if (status == JR_OK && sums == NULL)
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a state of %zu bytes", reduction->accumulator_bytes);
    if (status != JR_OK) {
        free(made);
        jr_reduction_destroy(reduction);
        return status;
    }
    *made = (jr_exact_state){.context = context, .reduction = reduction, .sums = sums};
    *state = made;
    return JR_OK;
}

void jr_exact_state_free(jr_exact_state *state) {
    if (state == NULL) return;
    jr_reduction_destroy(state->reduction);
    free(state->sums);
    free(state);
}

/* ---- adding ---- */

/* Room for what is to be added, which is nothing yet. */
static jr_status make_room(const jr_exact_state *state, unsigned char **room) {
    const size_t bytes = state->reduction->accumulator_bytes;
    *room = calloc(1, bytes);
    return *room != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a state of %zu bytes", bytes);
}

/* Reads what a reduction has accumulated, whose sums may be wider or narrower, and checks it. */
static jr_status read_sums(const jr_exact_state *state, const jr_reduction *from, const unsigned char *sums,
                           uint64_t elements, unsigned char *room) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < from->sum_count; i++) {
        jr_exact_number number;
        const uint64_t kept = jr_exact_sum_read(&from->sums[i], sums, &number);
        if (kept > elements)
            return jr_fail(JR_ERROR_STATE, "the state has sums of %llu elements, but %llu were given",
                           (unsigned long long)kept, (unsigned long long)elements);
        status = jr_exact_sum_write(&state->reduction->sums[i], &number, kept, room);
    }
    return status;
}

/* Adds what was checked; sums of two counts below 2^64 in all do not overflow. */
static jr_status add(jr_exact_state *state, const unsigned char *room, uint64_t elements) {
    if (elements > UINT64_MAX - state->elements)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements and %llu more are more than 64 bits can count",
                       (unsigned long long)state->elements, (unsigned long long)elements);
    for (int i = 0; i < state->reduction->sum_count; i++)
        jr_exact_sum_add(&state->reduction->sums[i], state->sums, room);
    state->elements += elements;
    return JR_OK;
}

static jr_status add_sums(jr_exact_state *state, const jr_reduction *from, const void *sums, uint64_t elements) {
    unsigned char *room = NULL;
    jr_status status = make_room(state, &room);
    if (status == JR_OK) status = read_sums(state, from, sums, elements, room);
    if (status == JR_OK) status = add(state, room, elements);
    free(room);
    return status;
}

jr_status jr_exact_state_fold(jr_exact_state *state, const jr_host_part *part) {
    unsigned char *room = NULL;
    jr_stats stats = {0};
    jr_host_part own = *part;
    if (part->count > UINT64_MAX - part->first)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements from number %llu on are more than 64 bits can count",
                       (unsigned long long)part->count, (unsigned long long)part->first);
    jr_status status = make_room(state, &room);
    own.stats = &stats;
    if (status == JR_OK) status = jr_host_fold(state->context, &state->reduction->spec, &own, room);
    if (status == JR_OK) status = add(state, room, part->count);
    if (status == JR_OK) jr_context_keep(state->context, &stats);
    free(room);
    return status;
}

jr_status jr_exact_state_take(jr_exact_state *state, const jr_plan *plan, const void *left, uint64_t elements) {
    if (plan->kind != &jr_plan_flat || !plan->choice.tuning.to_state)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this plan writes no states: make it of a JR_WORK_STATE");
    JR_TRY(jr_exact_check(plan->reduction));
    const jr_exact_meaning plans = jr_exact_meaning_of(plan->reduction), own = jr_exact_meaning_of(state->reduction);
    JR_TRY(jr_exact_meaning_compare(&plans, &own));
    return add_sums(state, plan->reduction, left, elements);
}

jr_status jr_exact_state_join(jr_exact_state *state, const jr_exact_state *other) {
    const jr_exact_meaning others = jr_exact_meaning_of(other->reduction), own = jr_exact_meaning_of(state->reduction);
    JR_TRY(jr_exact_meaning_compare(&others, &own));
    return add_sums(state, other->reduction, other->sums, other->elements);
}

jr_status jr_exact_state_decode(jr_exact_state *state, const void *bytes, size_t size) {
    unsigned char *room = NULL;
    uint64_t elements = 0;
    jr_status status = make_room(state, &room);
    if (status == JR_OK) status = jr_exact_bytes_read(state->reduction, bytes, size, room, &elements);
    if (status == JR_OK) status = add(state, room, elements);
    free(room);
    return status;
}

/* ---- finishing: a merge of one state, on the device ---- */

/* Writes the accumulator in the kernels' layout, followed by the count of kept elements if the reduction counts
 * them. */
static void fill(const jr_exact_state *state, unsigned char *accumulator) {
    const jr_reduction *reduction = state->reduction;
    jr_exact_number number;
    memcpy(accumulator, state->sums, reduction->accumulator_bytes);
    if (reduction->kept_offset == 0) return;
    const uint64_t kept = jr_exact_sum_read(&reduction->sums[0], state->sums, &number);
    memcpy(accumulator + reduction->accumulator_bytes - sizeof kept, &kept, sizeof kept);
}

/* The plan's context is current. */
static jr_status merge(jr_plan *plan, const jr_exact_state *state, jr_value *values) {
    const jr_device *device = &plan->context->device;
    jr_mapped sums = {.host = NULL};
    JR_TRY(jr_mapped_create(device, plan->reduction->accumulator_bytes, &sums));
    fill(state, sums.host);
    const jr_run run = {.in = {sums.address}, .merge.states = 1, .count = state->elements};
    const jr_status status = jr_plan_start_and_wait(plan, &run, values);
    JR_KEEP_ERROR;
    jr_mapped_destroy(device, &sums);
    return status;
}

jr_status jr_exact_state_finish(const jr_exact_state *state, jr_value *values) {
    const jr_device *device = &state->context->device;
    jr_job job = {.context = state->context, .kind = JR_JOB_MERGE};
    jr_plan *plan = NULL;
    JR_TRY(jr_make_of_spec(&state->reduction->spec, &job, &plan));
    JR_INSIDE inside = jr_inside_to_wait(device, NULL);
    const jr_status status = inside.status == JR_OK ? merge(plan, state, values) : inside.status;
    jr_plan_free(plan);
    return status;
}
