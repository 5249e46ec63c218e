/* Commas, ~ of a truth value, numbers as conditions and octal numbers had values that nobody meant; missing operands
 * and signs of other languages reached the user in the compiler's words. */
#include <stdio.h>
#include <string.h>

#include "support/cases/hint_case.h"

TEST(a_comma_stands_only_in_a_call) {
    static const hint hints[] = {
        {"x * 1,000", "has ',' in column 6: a number has no comma: the decimal point is '.', and 1,000 is 1000"},
        {"1,5 * x", "a number has no comma"},
        {"x > 1, x < 4", "for two conditions write a && b"},
        {"(x, 1)", "a comma only separates the arguments of a call"},
        {"max((x, 1), 2)", "a comma only separates"},
        {"sqrt(x > 0 ? (1, x) : 0)", "a comma only separates"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_I64);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = "max(x, fma(x, 2, 1))");
    works(jr_reduce_check(&spec, NULL));
}

TEST(numbers_are_decimal_and_plain) {
    static const hint hints[] = {
        {"010 * x", "has '010' in column 1: a leading 0 makes it an octal number in C"},
        {"x + 08", "write it without the 0"},
        {"x * 1_000", "a number is written without _"},
        {"x * 1.000.000", "it is not a number"},
        {"x > 2024-12-31", "has '2024' in column 5: a date is no number, and 2024-12-31 is 2024 minus 12 minus 31"},
        {"x > 2024-01-01 && x < 5", "has '2024' in column 5: a date is no number"},
    };
    REFUSED(hints, JR_I32);
    static const char *const good[] = {
        "x - 2024 - 12 - 31", "x > 2024-12-311", "x > 202-12-31", "x - 2024-12", "x * 0",
        "x + 00.5",           "x * 0x10",        "x + 0.25",      "x + 0b11",    "x * 01e2"};
    TAKEN(good, JR_I32);
}

TEST(what_is_true_or_false_has_no_bits_to_turn) {
    static const hint hints[] = {
        {"~(x > 1)",
         "has '~' in column 1: it turns all bits of (x > 1), which is 0 or 1, and never gives 0: write !(x > 1)"},
        {"~isnan(x)", "write !isnan(x)"},
        {"~((x > 1) & (x < 3))", "write !((x > 1) & (x < 3))"},
        {"~!x", "write !!x"},
        {"~bool(x)", "write !bool(x)"},
        {"x > 2 ? ~true : 0", "write !true"},
        {"~(x > 1 ? x > 2 : x > 3)", "it turns all bits"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_I64);
    static const hint masks[] = {{"~x", "write !x"}};
    REFUSED(masks, JR_BOOL);
    static const char *const good[] = {
        "~x", "~(x & 1)", "~-(x > 1)", "~(x > 1 ? 1 : 2)", "~((x > 1) + 0)", "~((x > 1) >> 3)"};
    TAKEN(good, JR_I32);
}

TEST(a_number_is_no_condition) {
    static const hint hints[] = {
        {"x == 1 || 2", "has '||' in column 8: 2 alone is always true: write x == 1 || x == 2"},
        {"x == 1 || x == 2 || 3", "3 alone is always true: write a comparison, as x == 3"},
        {"x != 1 && 2.5", "write x != 1 && x != 2.5"},
        {"-1 || x > 2", "-1 alone is always true"},
        {"x > 0 ? x == 1 || -2 : 0", "write x == 1 || x == -2"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_I64);
    static const char *const good[] = {"x == 1 || 0", "1 && x > 2", "x == 1 || true", "x || x > 2"};
    TAKEN(good, JR_I32);
}

TEST(a_comparison_with_nan_is_refused) {
    static const hint hints[] = {
        {"x == NAN", "has '==' in column 3: a comparison with NAN is always false: write isnan(x)"},
        {"x != NAN", "has '!=' in column 3: a comparison with NAN is always true: write !isnan(x)"},
        {"NAN == x", "write isnan(x)"},
        {"x > 1 && x == -NAN", "write isnan(x)"},
        {"x < NAN ? 1 : 2", "write isnan(x)"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_F64);
    static const char *const good[] = {"x > 2 ? NAN : x", "isnan(NAN)", "NAN", "x + NAN"};
    TAKEN(good, JR_F32);
}

TEST(a_float_that_cannot_equal_a_double_is_noted) {
    static const struct {
        const char *where, *note;
        jr_type type;
    } rows[] = {
        {"x == 0.1", "where: x is a float and never exactly 0.1, a double: write 0.1f", JR_F32},
        {"1e-3 != x", "where: x is a float and never exactly 1e-3, a double: write 1e-3f", JR_F16},
        {"x == 16777217.0", "write 16777217.0f", JR_F32},
        {"x == -0.3", "write -0.3f", JR_F32},
        {"x == 0.1", "", JR_F64},
        {"x == 0.1f", "", JR_F32},
        {"x == 0.5 || x == 1e6 || x == -.375 || x == 2 || x == 1e300 || x == 0.0", "", JR_F32},
        {"x < 0.1", "", JR_F32},
        {"x >= 0.1", "", JR_F32}, /* 0.1f is above 0.1, */
        {"x > 0.1", "where: x is a float, and the float nearest to 0.1, a double, is not equal to it: write 0.1f",
         JR_F32},
        {"x <= 0.1", "write 0.1f", JR_F32},
        {"0.1 < x", "write 0.1f", JR_F32},
        {"0.1 > x", "", JR_F32},
        {"x >= 0.7", "write 0.7f", JR_F32}, /* and 0.7f below 0.7 */
        {"x > 0.7", "", JR_F32},
        {"0.7 <= x", "write 0.7f", JR_F32},
        {"x < -0.1", "write -0.1f", JR_F32},
        {"x > -9223372036854775808", "", JR_I64},
        {"x > -(9223372036854775808)",
         "where: -(9223372036854775808) is a positive number in C, where (9223372036854775808) alone is unsigned: "
         "write "
         "(-9223372036854775807 - 1)",
         JR_I64},
        {"x > -9223372036854775807 - 1", "", JR_I64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = rows[i].type, .where = rows[i].where);
        assert_noted(&spec, NULL, 1, rows[i].note);
    }
}

TEST(missing_operands_are_found_before_the_compiler) {
    static const hint hints[] = {
        {"x =! 4", "C has no operator =!: write !="},
        {"x => 4", "C has no operator =>: write >="},
        {"x =< 4", "C has no operator =<: write <="},
        {"x === 4", "C has no operator ===: write =="},
        {"x !== 4", "C has no operator !==: write !="},
        {"x == NULL", "isnan(x) finds a missing number"},
        {"x * 20%", "20 percent of x is 0.2 * x"},
        {"20% * x", "20 percent of x is 0.2 * x"},
        {"|x|", "has '|' in column 1: C has no sign for it: |x| is fabs(x)"},
        {"1 + |x|", "|x| is fabs(x)"},
        {"x > 3 ? x", "has '?' in column 7: it has no ':': write condition ? one : other"},
        {"(x > 3 ? x) + 1", "it has no ':'"},
        {"max(x > 3 ? x, 1)", "it has no ':'"},
        {"x > 3 ? x : 1 : 2", "it belongs to a ?: write condition ? one : other"},
        {"x +", "has '+' in column 3: no operand follows it"},
        {"(x +) * 2", "no operand follows it"},
        {"x + / 2", "no operand follows it"},
        {"/ 2", "an operand is missing before it"},
        {"-", "no operand follows it"},
        {"x * ()", "nothing stands between the brackets"},
        {"x > \"a\"", "a string is not a value"},
        {"x \xe2\x89\xa5 3", "has a character beyond ASCII in column 3 (byte 0xe2): it is no sign of C: write >="},
        {"x \xe2\x88\x92 3", "write -, the minus of the keyboard"},
        {"x \xe2\x86\x92 x", "an arrow is no sign of C"},
        {"x\xc2\xb2", "write x*x or pow(x, 2)"},
        {"X + 1", "did you mean 'x'?"},
        {"SQRT(x)", "did you mean 'sqrt'?"},
        {"x < FLT_MAX", "write INFINITY"},
        {"x < INT_MAX", "write 2147483647"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_I32);
    static const jr_structure limits = {.size = sizeof(jr_structure),
                                        .name = "pair",
                                        .source = "const int limit = 3;\nstruct pair { float key; int id; };\n",
                                        .bytes = 8,
                                        .alignment = 4};
    static const char *const good[] = {"x.key > (limit) ? 1 : 0", "x.key / (limit)", "(limit) / 2 + x.id", "-(limit)"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &limits,
                                     .map_type = JR_F32, .map = good[i]);
        if (jr_reduce_check(&spec, NULL) != JR_OK) fail_msg("'%s': %s", good[i], jr_last_error()->message);
    }
}

TEST(powers_are_written_as_products) {
    static const hint floats[] = {{"x^2 > 4", "it is exclusive or, not a power: write x*x > 4"},
                                  {"x ^ 3 == 8", "write pow(x, 3) == 8"}};
    REFUSED(floats, JR_F32);
    static const hint whole[] = {{"x ^ 2 > 4", "write x*x > 4, or brackets around its two sides"}};
    REFUSED(whole, JR_I32);
    static const hint notes[] = {{"x^2", "map: x ^ 2 is exclusive or in C; a square is x*x or pow(x, 2)"},
                                 {"x ^ 3", "map: x ^ 3 is exclusive or in C; a power is pow(x, 3)"},
                                 {"x ^ 1", ""},
                                 {"x ^ 255", ""}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64, .map = notes[i].map);
        assert_noted(&spec, NULL, 10, notes[i].why);
    }
}

/* fabs(a) > fabs(b) gave 0 without a word: ? a : b had been forgotten. */
TEST(a_comparison_of_two_elements_is_none_of_them) {
    static const jr_structure pair = {.size = sizeof(jr_structure),
                                      .name = "pair",
                                      .source = "struct pair { float key; int id; };\n",
                                      .bytes = 8,
                                      .alignment = 4};
    static const struct {
        jr_type type;
        const char *combine, *why; /* NULL: it may be meant */
    } rows[] = {
        {JR_F32, "fabs(a) > fabs(b)",
         "has '>' in column 9: it gives 0 or 1, and neither a nor b: write fabs(a) > fabs(b) ? a : b"},
        {JR_F64, "((b) <= (a))", "write ((b) <= (a)) ? a : b"},
        {JR_F32, "!(a < b)", "write !(a < b) ? a : b"},
        {JR_F16, "a * a != b * b", "write a * a != b * b ? a : b"},
        {JR_F32, "fabs(a - 1.0f) * 1.0f > fabs(b - 1.0f) * 1.0f", "write condition ? a : b"},
        {JR_I32, "a > b", "write a > b ? a : b"},
        {JR_U64, "a >= b", "write a >= b ? a : b"},
        {JR_BOOL, "a < b", "write a < b ? a : b"},
        {JR_STRUCT, "a.key > b.key", "write a.key > b.key ? a : b"},
        {JR_BOOL, "a == b", NULL},
        {JR_I32, "a != b", NULL},
        {JR_F32, "a && b", NULL},
        {JR_I32, "a || b", NULL},
        {JR_F32, "a > 0 && b > 0", NULL},
        {JR_F32, "a + b > 0", NULL},
        {JR_F32, "(float)(a != b)", NULL},
        {JR_F32, "(a > b) * a + (a <= b) * b", NULL},
        {JR_F32, "a > b ? a : b", NULL},
        {JR_F32, "(a > b ? a : b)", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool structure = rows[i].type == JR_STRUCT;
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = rows[i].type, .combine = rows[i].combine,
                                     .identity = structure ? "pair()" : "0", .structure = structure ? &pair : NULL);
        const jr_status status = jr_reduce_check(&spec, NULL);
        if (status != (rows[i].why != NULL ? JR_ERROR_INVALID_EXPRESSION : JR_OK) ||
            (rows[i].why != NULL && strstr(jr_last_error()->message, rows[i].why) == NULL))
            fail_msg("'%s' gives %s: %s", rows[i].combine, jr_status_name(status), jr_last_error()->message);
    }
}

RUN_TESTS(NULL, NULL)
