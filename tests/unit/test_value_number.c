/* jr_value_of_number and jr_value_number: the rule of conversions, on every number of the narrow floats and at the ends
 * of all types, against the tests' own encoder. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "jitreduce.h"
#include "support/every/every_row.h"
#include "support/fixtures/check.h"
#include "support/oracle/element.h"

TEST(narrow_floats_are_read_and_written_bit_for_bit) {
    for (size_t t = 0; t < EVERY_TYPES; t++) {
        if (!element_is_float(every_type[t]) || element_bytes(every_type[t]) > 2) continue;
        for (unsigned bits = 0; bits < 1u << (8 * element_bytes(every_type[t])); bits++) {
            jr_value value = {.type = every_type[t]}, back;
            double number;
            memcpy(&value.as, &bits, element_bytes(every_type[t]));
            assert_int_equal(jr_value_number(&value, &number), JR_OK);
            const double wanted = element_float(every_type[t], &value.as, 0);
            assert_true(isnan(wanted) ? isnan(number) : number == wanted && !signbit(number) == !signbit(wanted));
            assert_int_equal(jr_value_of_number(every_type[t], number, &back), JR_OK);
            if (!isnan(number)) assert_memory_equal(&back.as, &value.as, element_bytes(every_type[t]));
            if (isnan(number)) assert_true(isnan(element_float(every_type[t], &back.as, 0)));
        }
    }
}

/* Between neighbours, at their middle and one double away from it. */
TEST(floats_are_rounded_once_to_nearest_even_in_every_rounding_mode) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t t = 0; t < EVERY_TYPES; t++) {
        if (!element_is_float(every_type[t]) || element_bytes(every_type[t]) > 2) continue;
        for (unsigned bits = 0; bits + 1 < 1u << (8 * element_bytes(every_type[t]) - 1); bits++) {
            const unsigned next = bits + 1;
            const double low = element_float(every_type[t], &bits, 0), high = element_float(every_type[t], &next, 0);
            if (!isfinite(low) || !isfinite(high)) continue;
            const double middle = (low + high) / 2;
            const double numbers[] = {middle, nextafter(middle, low), nextafter(middle, high), -middle};
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
                unsigned wanted = 0;
                jr_value got;
                element_store_float(every_type[t], &wanted, numbers[i]);
                fesetround(modes[bits % 4]);
                const jr_status status = jr_value_of_number(every_type[t], numbers[i], &got);
                fesetround(FE_TONEAREST);
                assert_int_equal(status, JR_OK);
                assert_memory_equal(&got.as, &wanted, element_bytes(every_type[t]));
            }
        }
    }
}

TEST(numbers_become_integers_toward_zero_within_the_range) {
    static const struct {
        jr_type type;
        double number;
        int64_t integer;
    } rows[] = {{JR_I8, 127.9, 127},
                {JR_I8, 128, 127},
                {JR_I8, -128.9, -128},
                {JR_I8, -1e300, -128},
                {JR_I8, -0.9, 0},
                {JR_U8, 255.5, 255},
                {JR_U8, -1, 0},
                {JR_U8, (double)INFINITY, 255},
                {JR_I16, -32769, INT16_MIN},
                {JR_U16, 65536, UINT16_MAX},
                {JR_I32, 2147483648.0, INT32_MAX},
                {JR_I32, -2147483649.0, INT32_MIN},
                {JR_U32, 4294967296.0, UINT32_MAX},
                {JR_I64, 0x1p63, INT64_MAX},
                {JR_I64, -(double)INFINITY, INT64_MIN},
                {JR_I64, (double)NAN, 0},
                {JR_U64, 0x1p64, -1},
                {JR_U64, 0x1.8p63, INT64_MIN + (INT64_C(1) << 62)},
                {JR_U64, (double)NAN, 0},
                {JR_BOOL, 0.5, 1},
                {JR_BOOL, -0.0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jr_value value;
        assert_int_equal(jr_value_of_number(rows[i].type, rows[i].number, &value), JR_OK);
        assert_int_equal(value.type, rows[i].type);
        assert_int_equal(element_integer(rows[i].type, &value.as, 0), rows[i].integer);
    }
}

TEST(what_is_no_number_is_refused_and_changes_nothing) {
    jr_value value = {.type = JR_STRUCT}, same = value;
    double number = 7;
    assert_int_equal(jr_value_of_number(JR_STRUCT, 1, &value), JR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(jr_last_error()->message, "a struct has no value as a number");
    assert_int_equal(jr_value_of_number((jr_type)99, 1, &value), JR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(jr_last_error()->message, "unknown element type 99");
    assert_int_equal(jr_value_of_number(JR_F32, 1, NULL), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(jr_value_number(&value, &number), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(jr_value_number(NULL, &number), JR_ERROR_INVALID_ARGUMENT);
    assert_memory_equal(&value, &same, sizeof value);
    assert_true(number == 7);
}

TEST(each_type_says_what_it_is) {
    assert_int_equal(jr_type_class_of(JR_STRUCT), JR_CLASS_NONE);
    assert_int_equal(jr_type_class_of(JR_TYPE_NONE), JR_CLASS_NONE);
    assert_int_equal(jr_type_fraction_bits(JR_I32), 0);
    for (size_t t = 0; t < EVERY_TYPES; t++) {
        const jr_type_class wanted = every_type[t] == JR_BOOL           ? JR_CLASS_BOOLEAN
                                     : element_is_float(every_type[t])  ? JR_CLASS_FLOAT
                                     : element_is_signed(every_type[t]) ? JR_CLASS_SIGNED
                                                                        : JR_CLASS_UNSIGNED;
        assert_int_equal(jr_type_class_of(every_type[t]), wanted);
        if (wanted != JR_CLASS_FLOAT) continue;
        jr_value one, next;
        double number;
        const uint64_t step = 1;
        uint64_t bits = 0;
        assert_int_equal(jr_value_of_number(every_type[t], 1, &one), JR_OK);
        memcpy(&bits, &one.as, element_bytes(every_type[t]));
        bits += step;
        next = one;
        memcpy(&next.as, &bits, element_bytes(every_type[t]));
        assert_int_equal(jr_value_number(&next, &number), JR_OK);
        assert_true(number - 1 == ldexp(1, -jr_type_fraction_bits(every_type[t])));
    }
}

RUN_TESTS(NULL, NULL)
