/* Floats as text: the fewest digits of which the nearest decimal reads back. The oracle asks the C library for one
 * digit more until that holds. Powers of ten are multiplied out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/shortest.h"
#include "jitreduce.h"
#include "support/every/every_row.h"
#include "support/fixtures/check.h"
#include "support/oracle/element.h"

/* ---- the oracle ---- */

/* The next number of a type away from 0, or toward it. */
static double next_of(jr_type type, const jr_value *value, int step) {
    jr_value next = {.type = type};
    uint64_t bits = 0;
    memcpy(&bits, &value->as, element_bytes(type));
    bits += (uint64_t)(int64_t)step;
    memcpy(&next.as, &bits, element_bytes(type));
    return fabs(element_float(type, &next.as, 0));
}

/* Does a decimal read back as a number of a type? f64 reads it with ties to even; narrower types read it as f64 first,
 * so a decimal halfway between two numbers is not taken. */
static bool reads_back(double decimal, double number, const jr_value *value) {
    if (value->type == JR_F64) return decimal == number;
    const bool farther = fabs(decimal) > fabs(number);
    const double next = next_of(value->type, value, farther ? 1 : -1), inner = next_of(value->type, value, -1);
    const double gap = farther && !isfinite(next) ? fabs(number) - inner : fabs(next - fabs(number));
    return decimal == number || fabs(decimal - number) < gap / 2;
}

static void print_by_the_c_library(double number, const jr_value *value, char text[64]) {
    int digits = 1;
    for (;; digits++) {
        snprintf(text, 64, "%.*e", digits - 1, number);
        if (reads_back(strtod(text, NULL), number, value)) break;
    }
    const long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
    if (exponent >= -5 && exponent < 16)
        snprintf(text, 64, "%.*f", digits - 1 > exponent ? digits - 1 - (int)exponent : 0, number);
}

static void is_printed_alike(jr_type type, uint64_t bits) {
    jr_value value = {.type = type};
    char wanted[64], text[JR_VALUE_TEXT_BYTES];
    memcpy(&value.as, &bits, element_bytes(type));
    const double number = element_float(type, &value.as, 0);
    if (!isfinite(number)) return;
    print_by_the_c_library(number, &value, wanted);
    assert_int_equal(jr_value_print(&value, text, sizeof text), JR_OK);
    assert_string_equal(text, wanted);
}

/* ---- tests ---- */

TEST(every_narrow_float_has_the_digits_of_the_c_library) {
    for (size_t t = 0; t < EVERY_TYPES; t++)
        if (element_is_float(every_type[t]) && element_bytes(every_type[t]) <= 2)
            for (uint64_t bits = 0; bits < UINT64_C(1) << (8 * element_bytes(every_type[t])); bits++)
                is_printed_alike(every_type[t], bits);
}

/* The next smaller number is closer: decimals read back from farther above than below. */
TEST(powers_of_two_and_their_neighbours_have_the_digits_of_the_c_library) {
    for (uint64_t exponent = 0; exponent < 2047; exponent++)
        for (uint64_t next = 0; next < 3; next++) is_printed_alike(JR_F64, (exponent << 52) + next - 1);
    for (uint64_t exponent = 0; exponent < 255; exponent++)
        for (uint64_t next = 0; next < 3; next++) is_printed_alike(JR_F32, (uint32_t)((exponent << 23) + next - 1));
    for (int bit = 0; bit < 52; bit++) is_printed_alike(JR_F64, UINT64_C(1) << bit);
}

TEST(random_floats_have_the_digits_of_the_c_library) {
    for (uint64_t i = 0; i < 10000; i++) {
        is_printed_alike(JR_F64, jr_random_bits(2 * i));
        is_printed_alike(JR_F32, jr_random_bits(2 * i) >> 32);
        const double people_write[] = {(double)(jr_random_bits(2 * i + 1) % 1000000) / 100,
                                       (double)(jr_random_bits(2 * i + 1) >> i % 64)};
        for (int k = 0; k < 2; k++) {
            const float narrow = (float)people_write[k];
            uint64_t wide_bits;
            uint32_t narrow_bits;
            memcpy(&wide_bits, &people_write[k], sizeof wide_bits);
            memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
            is_printed_alike(JR_F64, wide_bits);
            is_printed_alike(JR_F32, narrow_bits);
        }
    }
}

/* ---- powers of ten ---- */

enum { WORDS = 40 };

/* A number of 32 * WORDS bits, the lowest first, times ten and a carry. */
static void multiply_by_ten(uint32_t number[WORDS]) {
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)number[i] * 10;
        number[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
}

static int bit_length(const uint32_t number[WORDS]) {
    for (int i = WORDS - 1; i >= 0; i--)
        for (int bit = 31; bit >= 0; bit--)
            if (number[i] >> bit & 1) return 32 * i + bit + 1;
    return 0;
}

/* The 128 bits below a bit; the number has zeros below its lowest. */
static void high_bits(const uint32_t number[WORDS], int end, uint64_t high[2]) {
    high[0] = high[1] = 0;
    for (int bit = end - 1, to = 127; to >= 0; bit--, to--)
        if (bit >= 0 && number[bit / 32] >> bit % 32 & 1) high[to < 64] |= UINT64_C(1) << to % 64;
}

TEST(a_power_of_ten_is_its_first_128_bits_and_one) {
    uint32_t power[WORDS] = {1};
    for (int e = 0; e <= JR_POWER_MAX; e++, multiply_by_ten(power)) {
        uint64_t high[2];
        high_bits(power, bit_length(power), high);
        const uint64_t *row = jr_power_of_ten(e);
        assert_int_equal(row[1], high[1] + 1);
        assert_int_equal(row[0], high[0] + (high[1] == UINT64_MAX));
    }
}

/* row - 1 <= 10^-e * 2^k < row: (row - 1) * 10^e has not more than k bits, row * 10^e has more. */
TEST(a_negative_power_of_ten_times_its_inverse_is_a_power_of_two) {
    for (int e = 1; e <= -JR_POWER_MIN; e++) {
        const uint64_t *row = jr_power_of_ten(-e);
        const uint64_t low = row[1] - 1, high = row[0] - (row[1] == 0);
        uint32_t below[WORDS] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
        uint32_t above[WORDS] = {(uint32_t)row[1], (uint32_t)(row[1] >> 32), (uint32_t)row[0],
                                 (uint32_t)(row[0] >> 32)};
        assert_true(row[0] >> 63);
        for (int i = 0; i < e; i++) {
            multiply_by_ten(below);
            multiply_by_ten(above);
        }
        assert_int_equal(bit_length(above), bit_length(below) + 1);
    }
}

RUN_TESTS(NULL, NULL)
