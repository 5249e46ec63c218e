/* f16, bf16, small integers and bools as text: each rounded once, to the nearest, ties to even. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cli_error.h"
#include "base/number.h"
#include "support/fixtures/check.h"

static cli_number_status parse_text(jr_type type, const char *text, uint16_t *bits) {
    *bits = 0;
    return cli_number_parse(type, text, text + strlen(text), bits);
}

static void assert_bits(jr_type type, const char *text, uint16_t expected) {
    uint16_t bits;
    if (parse_text(type, text, &bits) != CLI_NUMBER_OK) fail_msg("%s: refused", text);
    if (bits != expected) fail_msg("%s as %s: %04x, not %04x", text, jr_type_name(type), bits, expected);
}

/* The number that positive, finite bits stand for. */
static double value_of(jr_type type, unsigned bits) {
    if (type == JR_BF16) {
        const uint32_t wide = (uint32_t)bits << 16;
        float value;
        memcpy(&value, &wide, sizeof value);
        return value;
    }
    const int exponent = (int)(bits >> 10), fraction = (int)(bits & 0x3ff);
    return exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
}

TEST(what_does_not_fit_is_refused) {
    static const struct {
        jr_type type;
        const char *text;
    } rows[] = {{JR_F16, "65520"},
                {JR_F16, "-65520"},
                {JR_F16, "1e300"},
                {JR_F16, "1e400"},
                {JR_BF16, "3.3961776e38"},
                {JR_BF16, "-1e39"},
                {JR_I8, "128"},
                {JR_I8, "-129"},
                {JR_U8, "256"},
                {JR_U8, "-1"},
                {JR_I16, "32768"},
                {JR_I16, "-32769"},
                {JR_U16, "65536"},
                {JR_BOOL, "2"},
                {JR_BOOL, "-1"},
                {JR_BOOL, "999999999999999999999"}};
    uint16_t bits;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (parse_text(rows[i].type, rows[i].text, &bits) != CLI_NUMBER_DOES_NOT_FIT || bits != 0)
            fail_msg("%s was taken for %s", rows[i].text, jr_type_name(rows[i].type));
    assert_int_equal(parse_text(JR_BOOL, "yes", &bits), CLI_NUMBER_NONE);
    assert_int_equal(parse_text(JR_BOOL, "0.5", &bits), CLI_NUMBER_NOT_INTEGER);
    assert_int_equal(parse_text(JR_F16, "0x1p3", &bits), CLI_NUMBER_NONE);
}

TEST(zeros_ends_and_specials_have_their_bits) {
    assert_bits(JR_F16, "0", 0);
    assert_bits(JR_F16, "-0.0", 0x8000);
    assert_bits(JR_F16, "1", 0x3c00);
    assert_bits(JR_F16, "-2", 0xc000);
    assert_bits(JR_F16, "65504", 0x7bff);
    assert_bits(JR_F16, "65519.999999999999999999999999", 0x7bff);
    assert_bits(JR_F16, "5.9604644775390625e-8", 1);
    assert_bits(JR_F16, "2.98023223876953125e-8", 0);
    assert_bits(JR_F16, "2.98023223876953125000000000000000001e-8", 1);
    assert_bits(JR_F16, "-1e-400", 0x8000);
    assert_bits(JR_F16, "inf", 0x7c00);
    assert_bits(JR_F16, "-inf", 0xfc00);
    assert_bits(JR_F16, "nan", 0x7e00);
    assert_bits(JR_BF16, "0", 0);
    assert_bits(JR_BF16, "-1.0", 0xbf80);
    assert_bits(JR_BF16, "0.1", 0x3dcd);
    assert_bits(JR_BF16, "3.3895314e38", 0x7f7f);
    assert_bits(JR_BF16, "9.2e-41", 1);
    assert_bits(JR_BF16, "-infinity", 0xff80);
    assert_bits(JR_BOOL, "TRUE", 1);
    assert_bits(JR_BOOL, "false", 0);
    assert_bits(JR_BOOL, "1", 1);
    assert_bits(JR_I8, "-128", 0x80);
    assert_bits(JR_U16, "65535", 0xffff);
}

/* Every number, the tie between it and the next one, and the neighbours of the tie: too little for a double. */
static void assert_each_number_and_tie(jr_type type, unsigned greatest) {
    char text[400];
    for (unsigned bits = 0; bits < greatest; bits++) {
        const double low = value_of(type, bits), high = value_of(type, bits + 1), tie = (low + high) / 2;
        snprintf(text, sizeof text, "%.17g", low);
        assert_bits(type, text, (uint16_t)bits);
        const int length = snprintf(text, sizeof text, "%.150f", tie);
        assert_bits(type, text, (uint16_t)(bits + (bits & 1)));
        snprintf(text + length, sizeof text - (size_t)length, "1");
        assert_bits(type, text, (uint16_t)(bits + 1));
        snprintf(text, sizeof text, "-%.17g", nextafter(tie, 0));
        assert_bits(type, text, (uint16_t)(0x8000 | bits));
    }
}

TEST(every_f16_is_the_nearest_ties_to_even) {
    assert_each_number_and_tie(JR_F16, 0x7bff);
}

TEST(every_bf16_is_the_nearest_ties_to_even) {
    assert_each_number_and_tie(JR_BF16, 0x7f7f);
}

/* Below a tie by less than a double can represent. */
TEST(a_half_is_never_rounded_twice) {
    assert_bits(JR_F16, "2049", 0x6800);
    assert_bits(JR_F16, "2051", 0x6802);
    assert_bits(JR_F16, "2050.9999999999999999999999999", 0x6801);
    assert_bits(JR_F16, "2049.0000000000000000000000001", 0x6801);
    assert_bits(JR_BF16, "257", 0x4380);
    assert_bits(JR_BF16, "257.00000000000000000000000001", 0x4381);
    assert_bits(JR_BF16, "258.99999999999999999999999999", 0x4381);
}

TEST(the_reason_for_a_bool_says_what_is_one) {
    char buffer[192];
    const char *text = "yes";
    assert_string_equal(cli_number_explain(CLI_NUMBER_NONE, JR_BOOL, text, text + 3, buffer),
                        "'yes' is not a number, true or false");
}

RUN_TESTS(NULL, NULL)
