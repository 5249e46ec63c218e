/* The public functions of exact sums that are kept (exact_state.h). */
#include "exact/exact_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exact/exact_bytes.h"
#include "guard.h"
#include "size.h"

jr_status jr_exact_state_create(jr_context *context, const jr_spec *spec, jr_exact_state **state) {
    JR_GUARD_CALL;
    jr_size_spec own;
    JR_TRY(JR_GIVEN(context, spec, state));
    JR_TRY(jr_size_spec_read(spec, &own));
    return jr_exact_state_make(context, &own.spec, state);
}

void jr_exact_state_destroy(jr_exact_state *state) {
    JR_GUARD_CALL;
    jr_exact_state_free(state);
}

jr_status jr_exact_state_fold_host(jr_exact_state *state, const void *const *data, uint64_t count, uint64_t first) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, data));
    return jr_exact_state_fold(state, &(jr_host_part){.data = data, .count = count, .first = first});
}

jr_status jr_exact_state_fold_plan(jr_exact_state *state, const jr_plan *plan, const void *left, uint64_t elements) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, plan, left));
    return jr_exact_state_take(state, plan, left, elements);
}

jr_status jr_exact_state_add(jr_exact_state *state, const jr_exact_state *other) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, other));
    return jr_exact_state_join(state, other);
}

jr_status jr_exact_state_add_bytes(jr_exact_state *state, const void *bytes, size_t size) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, bytes));
    return jr_exact_state_decode(state, bytes, size);
}

jr_status jr_exact_state_write(const jr_exact_state *state, void *bytes, size_t room, size_t *size) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, size));
    if (room > 0) JR_TRY(JR_GIVEN(bytes));
    uint8_t *written = malloc(jr_exact_bytes_most(state->reduction));
    if (written == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the bytes of a state");
    const size_t count = jr_exact_bytes_write(state->reduction, state->sums, state->elements, written);
    jr_status status = JR_OK;
    if (room >= count)
        memcpy(bytes, written, count);
    else if (room > 0)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "the state has %zu bytes, and there is room for %zu", count, room);
    free(written);
    if (status == JR_OK) *size = count;
    return status;
}

jr_status jr_exact_state_value(const jr_exact_state *state, jr_value *values) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(state, values));
    return jr_exact_state_finish(state, values);
}

uint64_t jr_exact_state_elements(const jr_exact_state *state) {
    return state != NULL ? state->elements : 0;
}

jr_status jr_exact_state_look(const void *bytes, size_t size, jr_exact_state_info *info) {
    JR_GUARD_CALL;
    jr_exact_head head;
    JR_TRY(JR_GIVEN(bytes, info));
    JR_TRY(jr_size_check(&jr_exact_state_info_sized, info));
    JR_TRY(jr_exact_bytes_check(bytes, size, &head));
    const jr_exact_meaning *meaning = &head.meaning;
    jr_exact_state_info found = {.op_count = meaning->op_count,
                                 .input_count = meaning->input_count,
                                 .elements = head.elements,
                                 .kept = head.kept};
    for (int i = 0; i < found.op_count; i++) found.ops[i] = (jr_op)meaning->ops[i];
    for (int i = 0; i < found.input_count; i++) found.types[i] = (jr_type)meaning->types[i];
    jr_size_write(&jr_exact_state_info_sized, &found, info);
    return JR_OK;
}
