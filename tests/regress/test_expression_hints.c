/* What people write in other languages went to the compiler, whose words (or none: 1 < x < 3 is valid) reached them. An
 * expression is refused before any compile, and the message says what to write. */
#include <stdio.h>
#include <string.h>

#include "support/cases/hint_case.h"

TEST(an_input_of_which_there_is_no_array_is_named) {
    static const hint hints[] = {
        {"x * y", "has 'y' in column 5: y is the second input, and there is one (input_count)"},
        {"z", "z is the third input, and there is one"},
        {"1 + w", "w is the fourth input, and there is one"},
    };
    REFUSED(hints, JR_F32);
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .input_count = 2, .map = "x * y", .where = "z > 0");
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION,
          "the where expression has 'z' in column 1: z is the third input, and there are two (input_count)");
    spec.where = "y > 0";
    works(jr_reduce_check(&spec, NULL));
    const jr_spec dot = JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F32, .where = "y > 0");
    works(jr_reduce_check(&dot, NULL));
}

TEST(a_letter_that_a_struct_declares_is_no_input) {
    static const jr_structure pair = {.size = sizeof(jr_structure),
                                      .name = "pair",
                                      .source = "const int y = 3;\nstruct pair { float key; int id; };\n",
                                      .bytes = 8,
                                      .alignment = 4};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &pair, .map_type = JR_F32);
    spec.map = "x.key * y";
    works(jr_reduce_check(&spec, NULL));
    spec.map = "x.key * z";
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION, "z is the third input");
}

TEST(a_variable_of_another_expression_is_explained) {
    static const hint hints[] = {
        {"a + 1", "a is one of the two values of combine, and the result in finish; map has x i"},
        {"b", "b is one of the two values of combine"},
        {"x / n", "n is the number of elements, which finish is given"}};
    REFUSED(hints, JR_F32);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .finish = "x / n");
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION,
          "x is an element, which map and where are given; finish has a n");
    spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a + i", .identity = "0");
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION, "i is the index of an element");
    spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a + b", .identity = "x");
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION, "identity has no variables");
}

TEST(words_of_other_languages_are_translated) {
    static const hint hints[] = {
        {"x ** 2", "has '*' in column 4: C has no operator **: write x*x or pow(x, 2)"},
        {"x <> 2", "C has no operator <>: write !="},
        {"x > 1 and x < 3", "has 'and' in column 7: write the operator's sign, &&"},
        {"x < 1 or x > 3", "write the operator's sign, ||"},
        {"not x", "write the operator's sign, !"},
        {"x if x > 0 else 0", "has 'if' in column 3: an expression chooses with ? and :, as x > 0 ? x : 0"},
        {"x = 3", "== compares"},
        {"2x", "it is not a number; a product is 2 * x"},
        {"$1 * 2", "an element is x"},
        {"x // 2", "floor(x / 2.0)"},
        {"True", "write true"},
        {"np.sqrt(x)", "write a function's name alone, as sqrt(x)"},
        {"math.sqrt(x)", "write a function's name alone"},
        {"square(x)", "write x * x"},
        {"ln(x)", "write log(x)"},
        {"x between 1 and 2", "write low <= x && x <= high"},
        {"x in (1, 2)", "write x == 1 || x == 2"},
        {"mean(x)", "it is an operator's name"},
        {"inf", "write INFINITY"},
        {"sqtr(x)", "did you mean 'sqrt'?"},
        {"maxx(x, 1)", "did you mean 'max'?"},
        {"quantity > 3", "this name is unknown here: there are x i, parameters and functions, as sqrt(x)"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_I64);
    const jr_parameter limit = {"limit", {.type = JR_F64, .as.f64 = 1}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .where = "x < limt", .parameters = &limit,
                                 .parameter_count = 1);
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION, "did you mean 'limit'?");
}

TEST(floats_have_no_bits_and_no_remainder_sign) {
    static const hint hints[] = {
        {"x % 2", "has '%' in column 3: it takes whole numbers: of floats write fmod(x, 2)"},
        {"x ^ 2", "it is exclusive or, of whole numbers: write x*x or pow(x, 2)"},
        {"(x + 1) ^ 3", "write pow((x + 1), 3)"},
        {"x & 3", "convert a float with (long long), or write && between conditions"},
        {"x | 1", "|| between conditions"},
        {"~x", "it takes the bits of whole numbers"},
        {"x << 3", "write ldexp(x, 3)"},
        {"x >> 3", "write ldexp(x, -3)"},
    };
    static const jr_type floats[] = {JR_F32, JR_F64, JR_F16, JR_BF16};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) REFUSED(hints, floats[i]);
    static const char *const good[] = {"x % 2", "x ^ 2",  "x & 3",  "x | 1",
                                       "~x",    "x << 3", "x >> 3", "(int)(x * 0.5) % 3"};
    TAKEN(good, JR_I32);
    static const hint mixed[] = {{"x ^ 0.5", "write pow(x, 0.5)"}, {"x * 0.5 % 2", "write fmod(x * 0.5, 2)"}};
    REFUSED(mixed, JR_I32);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I32, .finish = "a % 2");
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION, "write fmod(a, 2)");
    spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a & b", .identity = "0");
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION, "the combine expression has '&' in column 3");
}

TEST(comparisons_do_not_chain) {
    static const hint hints[] = {
        {"1 < x < 3", "has '<' in column 7: it compares the 0 or 1 of 1 < x with 3: write 1 < x && x < 3"},
        {"x == 1 == 1", "write x == 1 && 1 == 1"},
        {"1 == x < 3", "write two comparisons and &&"},
        {"!x == 3", "! binds more tightly than it: write !(x == 3)"},
        {"x > 0 ? 1 < x < 3 : 0", "write 1 < x && x < 3"},
        {"sqrt(1 < x < 3)", "write 1 < x && x < 3"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_I64);
    static const hint masks[] = {{"x & 1 == 0", "it binds less tightly than the comparison: write (x & 1) == 0"},
                                 {"x == 1 & 3", "brackets around x == 1"}};
    REFUSED(masks, JR_I32);
    static const char *const good[] = {"(1 < x) < 3",  "1 < x && x < 3",    "x > 1 == x > 2",
                                       "(x & 1) == 0", "x > 1 & x < 3",     "!x == !x",
                                       "(!x) == 1",    "x < 1 ? x : x > 3", "(x == 1) == 1"};
    TAKEN(good, JR_I32);
}

TEST(constants_that_do_not_fit_are_refused) {
    static const hint hints[] = {
        {"x + 1000000 * 1000000",
         "has '*' in column 13: 1000000 * 1000000 does not fit int: write 1000000.0 or 1000000LL"},
        {"2147483647 + 1", "2147483647 + 1 does not fit int"},
        {"-2147483647 - 2", "does not fit int"},
        {"9223372036854775807 + 1", "does not fit long long"},
        {"-(-2147483647 - 1)", "does not fit int"},
        {"1 << 31", "1 << 31 does not fit int: write 1LL << 31"},
        {"1 << 40", "1 is an int, which has 32 bits: write 1LL << 40"},
        {"1LL << 64", "a number of 64 bits is shifted by 0 to 63, not by 64"},
        {"1 >> -1", "a number of 32 bits is shifted by 0 to 31"},
        {"(int)3 * 2000000000", "does not fit int"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_I64);
    static const char *const good[] = {"1000000LL * 1000000",
                                       "1000000.0 * 1000000",
                                       "4294967295 * 4",
                                       "0u - 1",
                                       "-2147483648",
                                       "0xffffffff * 2",
                                       "1u << 31",
                                       "x * 1000000",
                                       "1 / 2",
                                       "x / 0.0",
                                       "(1 << 30) - 1 + (1 << 30)",
                                       "-static_cast<short>(-2147483648)",
                                       "-(short)(-2147483648)",
                                       "2147483647 + (unsigned char)256",
                                       "2147483647 - (short unsigned)-1",
                                       "2147483647 + static_cast<char>(200)"};
    TAKEN(good, JR_I64);
}

TEST(calls_and_operands_are_counted) {
    static const hint hints[] = {
        {"max(x)", "has 'max' in column 1: it takes 2 arguments; over all elements it is an operator"},
        {"min(x, 1, 2)", "it takes 2 arguments"},
        {"round(x, 2)", "has 'round' in column 1: it takes 1 argument"},
        {"powf(x)", "it takes 2 arguments"},
        {"fma(x, x)", "it takes 3 arguments"},
        {"sqrt()", "it takes 1 argument"},
        {"x 2", "has '2' in column 3: an operator is missing before it: a product is x * 2"},
        {"(x) x", "an operator is missing before it"},
        {"x.abs()", "has 'abs' in column 3: x is a number and has no members: a function is called as abs(x)"},
    };
    REFUSED(hints, JR_F32);
    REFUSED(hints, JR_I64);
    static const char *const good[] = {
        "make_float2(x, 1).y", "max(x, 1)",   "(unsigned long long)x", "unsigned(x)", "sizeof x",
        "sizeof(long long)",   "pow(x, (1))", "static_cast<int>(x)",   "(float)(x)",  "max(min(x, 3), 1)"};
    TAKEN(good, JR_I64);
}

RUN_TESTS(NULL, NULL)
