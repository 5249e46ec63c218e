/* Kept states of exact sums by the functions of version 0.2, over the states of state.h. */
#include <string.h>

#include "support/cases/kept_state_case.h"

static jr_exact_state *state_new(const opened *device, const jr_spec *spec) {
    jr_exact_state *made = NULL;
    works(jr_exact_state_create(device->context, spec, &made));
    return made;
}

static written_state bytes_of(const jr_exact_state *state) {
    written_state made = {.size = 0};
    size_t size;
    works(jr_exact_state_write(state, NULL, 0, &size));
    works(jr_exact_state_write(state, made.bytes, size, &made.size));
    assert_int_equal(made.size, size);
    return made;
}

static void assert_bytes(const jr_exact_state *state, const written_state *wanted) {
    const written_state found = bytes_of(state);
    assert_int_equal(found.size, wanted->size);
    assert_memory_equal(found.bytes, wanted->bytes, wanted->size);
}

DEVICE_TEST(whatever_is_added_the_state_is_that_of_the_whole) {
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM), wide = EXACT_SPEC(.op = JR_OP_SUM, .result = JR_F64);
    const float x[] = {0x1p100F, 1, 2.5F, -0x1p100F, 3};
    const void *const first[] = {x}, *const last[] = {x + 4};
    const written_state wanted = kept_state_of_floats(device, &spec, x, 5);
    jr_exact_state *all = state_new(device, &spec), *other = state_new(device, &wide),
                   *third = state_new(device, &spec);
    jr_value value;
    works(jr_exact_state_fold_host(other, first, 2, 0));
    works(jr_exact_state_add(all, other));
    works(jr_exact_state_fold_host(third, last, 1, 4));
    const written_state bytes = bytes_of(third);
    works(jr_exact_state_add_bytes(all, bytes.bytes, bytes.size));
    jr_plan *plan = plan_held(device, &JR_INIT(jr_work, .spec = &wide, .kind = JR_WORK_STATE));
    float *d_x = device_new(device, sizeof x);
    unsigned char *d_state = device_new(device, 256), left[256];
    device_write(device, d_x, x, sizeof x);
    const void *const d_then[] = {d_x + 2};
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = d_then, .count = 2, .out = d_state), NULL, NULL));
    device_read(device, left, d_state, jr_plan_result_bytes(plan));
    fails(jr_exact_state_fold_plan(all, plan, left, 1), JR_ERROR_STATE, "sums of 2 elements");
    works(jr_exact_state_fold_plan(all, plan, left, 2));
    assert_bytes(all, &wanted);
    assert_int_equal(jr_exact_state_elements(all), 5);
    works(jr_exact_state_value(all, &value));
    assert_true(value.as.f32 == 6.5F);
    works(jr_exact_state_value(other, &value));
    assert_true(value.type == JR_F64 && value.as.f64 == 0x1p100 + 1);
    jr_exact_state_info info = JR_INIT(jr_exact_state_info);
    works(jr_exact_state_look(bytes.bytes, bytes.size, &info));
    assert_true(info.ops[0] == JR_OP_SUM && info.types[0] == JR_F32 && info.elements == 1 && info.kept == 1);
    jr_exact_state_destroy(all);
    jr_exact_state_destroy(other);
    jr_exact_state_destroy(third);
}

DEVICE_TEST(what_fails_leaves_the_state_as_it_was) {
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM), mean = EXACT_SPEC(.op = JR_OP_MEAN);
    const float x[] = {1, 2};
    const void *const arrays[] = {x}, *const none[] = {NULL};
    jr_exact_state *one = state_new(device, &spec), *other = state_new(device, &mean);
    works(jr_exact_state_fold_host(one, arrays, 2, 0));
    const written_state before = bytes_of(one);
    fails(jr_exact_state_add(one, other), JR_ERROR_STATE, "the state is of mean of f32, not of sum of f32");
    fails(jr_exact_state_add_bytes(one, before.bytes, before.size - 1), JR_ERROR_STATE, "truncated");
    fails(jr_exact_state_fold_host(one, none, 2, 0), JR_ERROR_INVALID_ARGUMENT, "NULL");
    assert_bytes(one, &before);
    uint8_t bytes[STATE_BYTES] = {7};
    size_t size = 99;
    fails(jr_exact_state_write(one, bytes, 10, &size), JR_ERROR_INVALID_ARGUMENT, "there is room for 10");
    fails(jr_exact_state_write(one, NULL, 10, &size), JR_ERROR_INVALID_ARGUMENT, "NULL");
    assert_true(bytes[0] == 7 && size == 99);
    jr_exact_state_destroy(one);
    jr_exact_state_destroy(other);
    jr_exact_state_destroy(NULL);
    assert_int_equal(jr_exact_state_elements(NULL), 0);
}

DEVICE_TEST(what_keeps_no_exact_sum_has_no_state) {
    static const jr_op list[] = {JR_OP_SUM, JR_OP_MIN};
    jr_exact_state *none = NULL;
    const jr_spec fast = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    fails(jr_exact_state_create(device->context, &fast, &none), JR_ERROR_INVALID_ARGUMENT, "JR_ACCURACY_EXACT");
    const jr_spec least = EXACT_SPEC(.op = JR_OP_MIN), some = EXACT_SPEC(.ops = list, .op_count = 2);
    fails(jr_exact_state_create(device->context, &least, &none), JR_ERROR_UNSUPPORTED_TYPE, "min is not an exact sum");
    fails(jr_exact_state_create(device->context, &some, &none), JR_ERROR_UNSUPPORTED_TYPE, "min is not an exact sum");
    const jr_spec whole = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .accuracy = JR_ACCURACY_EXACT);
    fails(jr_exact_state_create(device->context, &whole, &none), JR_ERROR_UNSUPPORTED_TYPE, "ask for a result of f64");
    const jr_spec prod = EXACT_SPEC(.op = JR_OP_PROD);
    fails(jr_exact_state_create(device->context, &prod, &none), JR_ERROR_UNSUPPORTED_TYPE, "prod");
    assert_null(none);
}

DEVICE_TEST(elements_beyond_64_bits_are_refused) {
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM);
    const float x = 1;
    const void *const arrays[] = {&x};
    jr_exact_state *many = state_new(device, &spec);
    works(jr_exact_state_fold_host(many, arrays, 1, 0));
    for (int i = 0; i < 63; i++) works(jr_exact_state_add(many, many));
    const written_state before = bytes_of(many);
    fails(jr_exact_state_add(many, many), JR_ERROR_INVALID_ARGUMENT, "more than 64 bits can count");
    fails(jr_exact_state_fold_host(many, arrays, 1, UINT64_MAX), JR_ERROR_INVALID_ARGUMENT, "from number");
    assert_bytes(many, &before);
    jr_value value;
    works(jr_exact_state_value(many, &value));
    assert_true(value.as.f32 == 0x1p63F);
    jr_exact_state_destroy(many);
}

RUN_TESTS(open_context, close_context)
