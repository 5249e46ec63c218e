/* How far results are apart: in steps from each number of a type to the next. */
#include <float.h>
#include <math.h>

#include "base/distance.h"
#include "support/fixtures/check.h"

static jr_value of_f32(float x) {
    return (jr_value){.type = JR_F32, .as.f32 = x};
}

static jr_value of_f64(double x) {
    return (jr_value){.type = JR_F64, .as.f64 = x};
}

static void assert_steps(jr_value one, jr_value other, uint64_t steps) {
    const cli_distance forth = cli_distance_of(&one, &other), back = cli_distance_of(&other, &one);
    assert_true(forth.known && back.known);
    assert_true(forth.steps == steps && back.steps == steps);
}

static void assert_unknown(jr_value one, jr_value other) {
    char text[CLI_DISTANCE_BYTES];
    const cli_distance found = cli_distance_of(&one, &other);
    assert_false(found.known);
    assert_string_equal(cli_distance_text(&found, text), "-");
}

TEST(neighbours_are_a_step_apart_across_powers_of_2_and_0) {
    assert_steps(of_f32(1), of_f32(1), 0);
    assert_steps(of_f32(1), of_f32(nextafterf(1, 2)), 1);
    assert_steps(of_f32(1), of_f32(nextafterf(1, 0)), 1);
    assert_steps(of_f32(-1), of_f32(nextafterf(-1, 0)), 1);
    assert_steps(of_f32(0), of_f32(-0.0F), 0);
    assert_steps(of_f32(0x1p-149F), of_f32(-0x1p-149F), 2);
    assert_steps(of_f32(1), of_f32(2), 1 << 23);
    assert_steps(of_f64(1), of_f64(1 + 3 * DBL_EPSILON), 3);
    assert_steps(of_f64(DBL_MAX), of_f64(INFINITY), 1);
    assert_steps((jr_value){.type = JR_F16, .as.f16 = 0x3c00}, (jr_value){.type = JR_F16, .as.f16 = 0x4000}, 1024);
    assert_steps((jr_value){.type = JR_E4M3, .as.e4m3 = 0x81}, (jr_value){.type = JR_E4M3, .as.e4m3 = 0x02}, 3);
}

TEST(the_ends_of_f64_are_farthest_apart) {
    assert_steps(of_f64(-INFINITY), of_f64(INFINITY), UINT64_C(2) * 0x7ff0000000000000);
}

TEST(nan_is_at_no_distance_but_from_nan) {
    assert_steps(of_f32(NAN), of_f32(-NAN), 0);
    assert_unknown(of_f32(NAN), of_f32(1));
    assert_unknown(of_f64(1), of_f64(NAN));
    assert_unknown((jr_value){.type = JR_E4M3, .as.e4m3 = 0x7f}, (jr_value){.type = JR_E4M3, .as.e4m3 = 0x7e});
}

TEST(what_is_no_float_is_the_same_or_not) {
    const jr_value seven = {.type = JR_I64, .as.i64 = 7}, eight = {.type = JR_I64, .as.i64 = 8};
    assert_steps(seven, seven, 0);
    assert_unknown(seven, eight);
    assert_unknown(seven, of_f64(7));
    assert_unknown((jr_value){.type = JR_STRUCT}, (jr_value){.type = JR_STRUCT});
}

RUN_TESTS(NULL, NULL)
