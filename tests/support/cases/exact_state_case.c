/* Makes kept states, and looks at their bytes. */
#include "exact_state_case.h"

jr_exact_state *exact_state_new(const opened *device, const jr_spec *spec) {
    jr_exact_state *state = NULL;
    works(jr_exact_state_create(device->context, spec, &state));
    return state;
}

written_state exact_state_written(const jr_exact_state *state) {
    written_state made = {.size = 0};
    size_t size;
    works(jr_exact_state_write(state, NULL, 0, &size));
    works(jr_exact_state_write(state, made.bytes, sizeof made.bytes, &made.size));
    assert_int_equal(made.size, size);
    return made;
}

void exact_state_assert(const jr_exact_state *state, const written_state *wanted) {
    const written_state found = exact_state_written(state);
    assert_int_equal(found.size, wanted->size);
    assert_memory_equal(found.bytes, wanted->bytes, wanted->size);
}

written_state exact_state_of_floats(const opened *device, const float *x, uint64_t count) {
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM);
    jr_exact_state *made = exact_state_new(device, &spec);
    const void *const arrays[] = {x};
    works(jr_exact_state_fold_host(made, arrays, count, 0));
    const written_state bytes = exact_state_written(made);
    jr_exact_state_destroy(made);
    return bytes;
}
