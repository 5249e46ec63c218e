/* An initial value is folded in before `finish` makes something else of the result, and has the type that the result
 * has before. */
#include "support/every/every_row.h"
#include "support/fixtures/kernel_case.h"

enum { COUNT = 1000 };

static float data[COUNT];

static jr_value reduced(const opened *device, const jr_spec *spec, uint64_t count) {
    jr_value value;
    works(jr_reduce_host(device->context, spec, data, count, &value));
    return value;
}

static int fill(void **state) {
    for (int i = 0; i < COUNT; i++) data[i] = (float)(i % 10);
    return open_context(state);
}

TEST(the_initial_value_is_folded_in_before_finish_by_every_algorithm) {
    const jr_value initial = {JR_F32, {.f32 = 100}};
    for (size_t i = 0; i < EVERY_ALGORITHMS; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = every_algorithm[i],
                                     .initial = &initial, .finish = "2 * a + n");
        const jr_value value = reduced(*state, &spec, COUNT);
        assert_int_equal(value.type, JR_F32);
        assert_true(value.as.f32 == 2 * (4500 + 100) + COUNT);
    }
}

TEST(its_type_is_the_results_before_finish_and_result) {
    const jr_value whole = {JR_F32, {.f32 = -3}}, converted = {JR_I32, {.i32 = -3}};
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .initial = &whole, .finish = "a * 2", .result = JR_I32);
    const jr_value value = reduced(*state, &spec, COUNT);
    assert_int_equal(value.type, JR_I32);
    assert_int_equal(value.as.i32, -6);
    spec.initial = &converted;
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_ARGUMENT,
          "the initial value is of type i32: it must be of the result type before finish, f32");
}

TEST(nothing_has_the_initial_values_finish) {
    const jr_value initial = {JR_F32, {.f32 = 9}};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .initial = &initial, .finish = "sqrtf(a) + n");
    assert_true(reduced(*state, &spec, 0).as.f32 == 3);
}

TEST(a_custom_operator_and_a_scan_take_both) {
    const opened *device = *state;
    const jr_value initial = {JR_F32, {.f32 = 4}};
    const jr_spec custom = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a + b", .identity = "0",
                                   .commutative = 1, .initial = &initial, .finish = "a / 2");
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .initial = &initial, .finish = "a / 2");
    float out[4];
    assert_true(reduced(device, &custom, COUNT).as.f32 == 2252);
    works(jr_scan_host(device->context, &sum, JR_SCAN_EXCLUSIVE, data, 4, out));
    assert_true(out[0] == 2 && out[1] == 2 && out[2] == 2.5f && out[3] == 3.5f);
}

RUN_TESTS(fill, close_context)
