/* The CPU reference itself, against values worked out by hand from semantics.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include "support/reference.h"

static reference reduce(jr_op op, jr_type type, const void *data, uint64_t count) {
    reference expected;
    const jr_spec spec = {.op = op, .type = type};
    reference_reduce(&spec, data, count, &expected);
    return expected;
}

static void integers_follow_the_table(void **state) {
    (void)state;
    const int32_t i[] = {INT32_MAX, INT32_MIN, -1, INT32_MAX};
    const uint64_t u[] = {UINT64_MAX, 3, 5};
    assert_int_equal(reduce(JR_OP_SUM, JR_I32, i, 4).value.as.i64, 2147483645);
    assert_int_equal(reduce(JR_OP_PROD, JR_I32, i, 2).value.as.i64, -4611686016279904256);
    assert_int_equal(reduce(JR_OP_MIN, JR_I32, i, 4).value.as.i32, INT32_MIN);
    assert_int_equal(reduce(JR_OP_MAX, JR_I32, i, 4).value.as.i32, INT32_MAX);
    assert_int_equal(reduce(JR_OP_MAX, JR_U32, i, 4).value.as.u32, UINT32_MAX);
    assert_int_equal(reduce(JR_OP_SUM, JR_U64, u, 3).value.as.u64, 7);
    assert_int_equal(reduce(JR_OP_PROD, JR_U64, u, 2).value.as.u64, (uint64_t)-3);
    assert_int_equal(reduce(JR_OP_MIN, JR_I64, u, 3).value.as.i64, -1);
    assert_int_equal(reduce(JR_OP_AND, JR_U64, u, 3).value.as.u64, 1);
    assert_int_equal(reduce(JR_OP_XOR, JR_U64, u, 3).value.as.u64, UINT64_MAX ^ 6);
    assert_int_equal(reduce(JR_OP_SUM, JR_U32, i, 1).value.type, JR_U64);
}

static void nothing_has_the_identity_or_no_value(void **state) {
    (void)state;
    assert_int_equal(reduce(JR_OP_PROD, JR_I32, NULL, 0).value.as.i64, 1);
    assert_int_equal(reduce(JR_OP_AND, JR_U32, NULL, 0).value.as.u32, UINT32_MAX);
    assert_true(reduce(JR_OP_MIN, JR_I32, NULL, 0).empty);
    assert_true(reduce(JR_OP_MAX, JR_F64, NULL, 0).empty);
    assert_false(reduce(JR_OP_SUM, JR_F32, NULL, 0).empty);
}

static void nan_wins_and_minus_zero_is_below_zero(void **state) {
    (void)state;
    const double zeros[] = {0.0, -0.0, 0.0}, mixed[] = {-INFINITY, NAN, INFINITY};
    const reference low = reduce(JR_OP_MIN, JR_F64, zeros, 3), high = reduce(JR_OP_MAX, JR_F64, zeros + 1, 2);
    assert_true(reference_agrees(&low, &(jr_value){JR_F64, {.f64 = -0.0}}, 0));
    assert_false(reference_agrees(&low, &(jr_value){JR_F64, {.f64 = 0.0}}, 0));
    assert_true(reference_agrees(&high, &(jr_value){JR_F64, {.f64 = 0.0}}, 0));
    const reference none = reduce(JR_OP_MIN, JR_F64, mixed, 3);
    assert_true(reference_agrees(&none, &(jr_value){JR_F64, {.f64 = -NAN}}, 0));
    assert_false(reference_agrees(&none, &(jr_value){JR_F64, {.f64 = -INFINITY}}, 0));
}

static void sums_are_exact_where_cancellation_is_total(void **state) {
    (void)state;
    const double terms[] = {1e300, 1, 0x1p-60, -1e300, -1};
    const reference sum = reduce(JR_OP_SUM, JR_F64, terms, 5);
    assert_true(sum.value.as.f64 == 0x1p-60);
    const float infinite[] = {INFINITY, 1, -INFINITY};
    assert_true(isnan(reduce(JR_OP_SUM, JR_F32, infinite, 3).value.as.f32));
    assert_true(isinf(reduce(JR_OP_SUM, JR_F32, infinite, 2).value.as.f32));
}

static void the_bound_takes_what_it_must_and_no_more(void **state) {
    (void)state;
    const float ones[] = {1, 1, 1, 1};
    const reference four = reduce(JR_OP_SUM, JR_F32, ones, 4);
    assert_true(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = 4}}, 0));
    assert_false(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = nextafterf(4, 5)}}, 0));
    assert_true(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = nextafterf(4, 5)}}, 3));
    assert_false(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = 4.001f}}, 3));
    assert_false(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = 3}}, 100));
    assert_false(reference_agrees(&four, &(jr_value){JR_F64, {.f64 = 4}}, 3));
}

static void the_initial_value_counts_once(void **state) {
    (void)state;
    const int32_t data[] = {2, 3};
    const jr_value ten = {JR_I64, {.i64 = 10}}, low = {JR_I32, {.i32 = -1}};
    reference expected;
    reference_reduce(&(jr_spec){.op = JR_OP_SUM, .type = JR_I32, .initial = &ten}, data, 2, &expected);
    assert_int_equal(expected.value.as.i64, 15);
    reference_reduce(&(jr_spec){.op = JR_OP_MIN, .type = JR_I32, .initial = &low}, data, 0, &expected);
    assert_false(expected.empty);
    assert_int_equal(expected.value.as.i32, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_follow_the_table),
        cmocka_unit_test(nothing_has_the_identity_or_no_value),
        cmocka_unit_test(nan_wins_and_minus_zero_is_below_zero),
        cmocka_unit_test(sums_are_exact_where_cancellation_is_total),
        cmocka_unit_test(the_bound_takes_what_it_must_and_no_more),
        cmocka_unit_test(the_initial_value_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
