/* Makes kept states, and looks at their bytes. */
#include "kept_state_case.h"

#include <string.h>

static size_t bytes_of(const jr_spec *spec) {
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(spec, &layout));
    assert_true(layout.state_bytes > 0 && layout.state_bytes <= STATE_BYTES);
    return layout.state_bytes;
}

kept_state kept_state_of(const opened *device, const jr_spec *spec, const void *const *arrays, uint64_t count,
                         uint64_t first) {
    kept_state made = {.elements = count};
    works(jr_work_run_host(device->context, &JR_INIT(jr_work, .spec = spec, .kind = JR_WORK_STATE),
                           &JR_INIT(jr_work_data, .in = arrays, .count = count, .first = first, .out = made.state)));
    return made;
}

written_state kept_state_of_floats(const opened *device, const jr_spec *spec, const float *x, uint64_t count) {
    const void *const arrays[] = {x};
    const kept_state made = kept_state_of(device, spec, arrays, count, 0);
    return kept_state_written(spec, &made);
}

void kept_state_add(const opened *device, const jr_spec *spec, kept_state *to, const kept_state *more) {
    const size_t bytes = bytes_of(spec);
    uint8_t both[2 * STATE_BYTES];
    const void *const states[] = {both};
    memcpy(both, to->state, bytes);
    memcpy(both + bytes, more->state, bytes);
    works(jr_work_run_host(
        device->context, &JR_INIT(jr_work, .spec = spec, .kind = JR_WORK_MERGE_STATES),
        &JR_INIT(jr_work_data, .in = states, .states = 2, .count = to->elements + more->elements, .out = to->state)));
    to->elements += more->elements;
}

void kept_state_values(const opened *device, const jr_spec *spec, const kept_state *kept, jr_value *values) {
    const void *const states[] = {kept->state};
    works(
        jr_work_run_host(device->context, &JR_INIT(jr_work, .spec = spec, .kind = JR_WORK_MERGE),
                         &JR_INIT(jr_work_data, .in = states, .states = 1, .count = kept->elements, .values = values)));
}

written_state kept_state_written(const jr_spec *spec, const kept_state *kept) {
    written_state made = {.size = 0};
    size_t size;
    works(jr_state_write(spec, kept->state, kept->elements, NULL, 0, &size));
    works(jr_state_write(spec, kept->state, kept->elements, made.bytes, size, &made.size));
    assert_int_equal(made.size, size);
    return made;
}

kept_state kept_state_read(const jr_spec *spec, const written_state *written) {
    kept_state made = {.elements = 0};
    bytes_of(spec);
    works(jr_state_read(spec, written->bytes, written->size, made.state, &made.elements));
    return made;
}

void kept_state_assert(const jr_spec *spec, const kept_state *kept, const written_state *wanted) {
    const written_state found = kept_state_written(spec, kept);
    assert_int_equal(found.size, wanted->size);
    assert_memory_equal(found.bytes, wanted->bytes, wanted->size);
}
