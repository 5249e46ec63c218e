/* The public functions of states that are kept (state.h). */
#include "jitreduce/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exact/state_bytes.h"
#include "guard.h"
#include "size.h"

static jr_status create(const jr_spec *spec, jr_reduction **reduction) {
    jr_size_spec own;
    JR_TRY(jr_size_spec_read(spec, &own));
    return jr_reduction_create(&own.spec, reduction);
}

jr_status jr_state_write(const jr_spec *spec, const void *state, uint64_t elements, void *bytes, size_t room,
                         size_t *size) {
    JR_GUARD_CALL;
    jr_reduction *reduction = NULL;
    JR_TRY(JR_GIVEN(spec, state, size));
    if (room > 0) JR_TRY(JR_GIVEN(bytes));
    JR_TRY(create(spec, &reduction));
    const jr_status status = jr_state_bytes_fit(reduction, state, elements, bytes, room, size);
    jr_reduction_destroy(reduction);
    return status;
}

static jr_status read(const jr_reduction *reduction, const void *bytes, size_t size, void *state, uint64_t *elements) {
    unsigned char *made = calloc(1, reduction->accumulator_bytes);
    if (made == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a state of %zu bytes", reduction->accumulator_bytes);
    const jr_status status = jr_state_bytes_read(reduction, bytes, size, made, elements);
    if (status == JR_OK) memcpy(state, made, reduction->accumulator_bytes);
    free(made);
    return status;
}

jr_status jr_state_read(const jr_spec *spec, const void *bytes, size_t size, void *state, uint64_t *elements) {
    JR_GUARD_CALL;
    jr_reduction *reduction = NULL;
    JR_TRY(JR_GIVEN(spec, bytes, state, elements));
    JR_TRY(create(spec, &reduction));
    const jr_status status = read(reduction, bytes, size, state, elements);
    jr_reduction_destroy(reduction);
    return status;
}

jr_status jr_state_look(const void *bytes, size_t size, jr_state_info *info) {
    JR_GUARD_CALL;
    jr_state_head head;
    JR_TRY(JR_GIVEN(bytes, info));
    JR_TRY(jr_size_check(&jr_state_info_sized, info));
    JR_TRY(jr_state_bytes_check(bytes, size, &head));
    const jr_state_meaning *meaning = &head.meaning;
    jr_state_info found = {.op_count = meaning->op_count,
                           .input_count = meaning->input_count,
                           .elements = head.elements,
                           .kept = head.kept,
                           .exact = meaning->sum_count > 0,
                           .skips_nan = meaning->skips_nan};
    for (int i = 0; i < found.op_count; i++) found.ops[i] = (jr_op)meaning->ops[i];
    for (int i = 0; i < found.input_count; i++) found.types[i] = (jr_type)meaning->types[i];
    jr_size_write(&jr_state_info_sized, &found, info);
    return JR_OK;
}
