/* Kept states of exact sums as version 0.2 has them: a state together with its spec, over states of state.h. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exact/host_states.h"
#include "exact/state_bytes.h"
#include "given_work.h"
#include "guard.h"
#include "jitreduce.h"
#include "spec/operator.h"

struct jr_exact_state {
    jr_context *context;
    jr_reduction *reduction;
    unsigned char *states; /* two: this one, and what is to be added */
    uint64_t elements;
};

/* Fails, and says why, where a reduction does not accumulate exact sums alone. */
static jr_status check(const jr_reduction *reduction) {
    const jr_spec *spec = &reduction->spec;
    if (spec->accuracy != JR_ACCURACY_EXACT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a state of exact sums: set spec.accuracy to JR_ACCURACY_EXACT");
    if (reduction->sum_count > 0) return JR_OK;
    for (int i = 0; i < (spec->op_count > 0 ? spec->op_count : 1); i++) {
        const jr_operator *row = jr_operator_find(spec->op_count > 0 ? spec->ops[i] : spec->op);
        if (row->exact == NULL)
            return jr_fail(JR_ERROR_UNSUPPORTED_TYPE, "%s is not an exact sum: keep its state with jr_state_write",
                           row->name);
    }
    return jr_fail(JR_ERROR_UNSUPPORTED_TYPE,
                   "what rounds nothing, or once anyway, as a sum of integers, keeps no exact sum: ask for a result "
                   "of f64, or keep its state with jr_state_write");
}

static size_t bytes_of(const jr_exact_state *state) {
    return state->reduction->accumulator_bytes;
}

jr_status jr_exact_state_create(jr_context *context, const jr_spec *spec, jr_exact_state **state) {
    JR_GUARD_CALL;
    jr_size_spec own;
    jr_reduction *reduction = NULL;
    JR_TRY(JR_GIVEN(context, spec, state));
    JR_TRY(jr_size_spec_read(spec, &own));
    jr_status status = jr_reduction_create(&own.spec, &reduction);
    if (status == JR_OK) status = check(reduction);
    jr_exact_state *made = status == JR_OK ? malloc(sizeof *made) : NULL;
    unsigned char *states = made != NULL ? calloc(2, reduction->accumulator_bytes) : NULL;
    if (status == JR_OK && states == NULL)
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a state of %zu bytes", reduction->accumulator_bytes);
    if (status != JR_OK) {
        free(made);
        jr_reduction_destroy(reduction);
        return status;
    }
    *made = (jr_exact_state){.context = context, .reduction = reduction, .states = states};
    *state = made;
    return JR_OK;
}

void jr_exact_state_destroy(jr_exact_state *state) {
    JR_GUARD_CALL;
    if (state == NULL) return;
    jr_reduction_destroy(state->reduction);
    free(state->states);
    free(state);
}

/* Adds the second state, which is of so many elements. */
static jr_status add(jr_exact_state *state, uint64_t elements) {
    if (elements > UINT64_MAX - state->elements)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements and %llu more are more than 64 bits can count",
                       (unsigned long long)state->elements, (unsigned long long)elements);
    const jr_host_states both = {.states = state->states, .count = 2, .elements = state->elements + elements};
    JR_TRY(jr_host_states_merge(state->context, &state->reduction->spec, &both, state->states));
    state->elements += elements;
    return JR_OK;
}

static jr_status add_bytes(jr_exact_state *state, const void *bytes, size_t size) {
    uint64_t elements = 0;
    memset(state->states + bytes_of(state), 0, bytes_of(state));
    JR_TRY(jr_state_bytes_read(state->reduction, bytes, size, state->states + bytes_of(state), &elements));
    return add(state, elements);
}

/* Adds the state of a reduction whose sums may be wider or narrower. */
static jr_status add_of(jr_exact_state *state, const jr_reduction *from, const void *sums, uint64_t elements) {
    uint8_t *bytes = malloc(jr_state_bytes_most(from));
    size_t size = 0;
    if (bytes == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the bytes of a state");
    jr_status status = jr_state_bytes_write(from, sums, elements, bytes, &size);
    if (status == JR_OK) status = add_bytes(state, bytes, size);
    free(bytes);
    return status;
}

jr_status jr_exact_state_fold_host(jr_exact_state *state, const void *const *data, uint64_t count, uint64_t first) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, data));
    JR_TRY(jr_given_work_check_part(count, first));
    JR_TRY(jr_host_states_fold(state->context, &state->reduction->spec,
                               &(jr_host_part){.data = data, .count = count, .first = first},
                               state->states + bytes_of(state)));
    return add(state, count);
}

jr_status jr_exact_state_fold_plan(jr_exact_state *state, const jr_plan *plan, const void *left, uint64_t elements) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, plan, left));
    if (plan->kind != &jr_plan_flat || !plan->choice.tuning.to_state)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this plan writes no states: make it of a JR_WORK_STATE");
    JR_TRY(check(plan->reduction));
    return add_of(state, plan->reduction, left, elements);
}

jr_status jr_exact_state_add(jr_exact_state *state, const jr_exact_state *other) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, other));
    return add_of(state, other->reduction, other->states, other->elements);
}

jr_status jr_exact_state_add_bytes(jr_exact_state *state, const void *bytes, size_t size) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, bytes));
    return add_bytes(state, bytes, size);
}

jr_status jr_exact_state_write(const jr_exact_state *state, void *bytes, size_t room, size_t *size) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, size));
    if (room > 0) JR_TRY(JR_GIVEN(bytes));
    return jr_state_bytes_fit(state->reduction, state->states, state->elements, bytes, room, size);
}

jr_status jr_exact_state_value(const jr_exact_state *state, jr_value *values) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, values));
    const jr_host_states one = {.states = state->states, .count = 1, .elements = state->elements};
    return jr_host_states_finish(state->context, &state->reduction->spec, &one, values);
}

uint64_t jr_exact_state_elements(const jr_exact_state *state) {
    return state != NULL ? state->elements : 0;
}

jr_status jr_exact_state_look(const void *bytes, size_t size, jr_exact_state_info *info) {
    jr_state_info found = JR_INIT(jr_state_info);
    JR_TRY(JR_GIVEN(info));
    JR_TRY(jr_size_check(&jr_exact_state_info_sized, info));
    JR_TRY(jr_state_look(bytes, size, &found));
    jr_exact_state_info own = {
        .op_count = found.op_count, .input_count = found.input_count, .elements = found.elements, .kept = found.kept};
    _Static_assert(sizeof own.ops == sizeof found.ops && sizeof own.types == sizeof found.types, "the same members");
    memcpy(own.ops, found.ops, sizeof own.ops);
    memcpy(own.types, found.types, sizeof own.types);
    jr_size_write(&jr_exact_state_info_sized, &own, info);
    return JR_OK;
}
