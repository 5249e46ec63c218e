/* How much an expression may hold, and what a formula makes of it. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expression/expression.h"
#include "jitreduce.h"
#include "support/fixtures/check.h"
#include "support/fixtures/open_context.h"

/* Nesting without brackets ended the process, and compile time had no bound. What an expression nests and weighs is
 * limited, and all that is allowed compiles. */

/* begin, then `more` so often, then end; malloc'd. */
static char *repeated(const char *begin, const char *more, size_t times, const char *end) {
    jr_text text = {0};
    jr_text_append(&text, "%s", begin);
    for (size_t i = 0; i < times; i++) jr_text_append(&text, "%s", more);
    jr_text_append(&text, "%s", end);
    char *made = jr_text_take(&text);
    return test_own(made);
}

/* f(x * 0) + f(x * 1) + ...; malloc'd. */
static char *calls(const char *function, size_t times) {
    jr_text text = {0};
    for (size_t i = 0; i < times; i++) jr_text_append(&text, "%s%s(x*%zu)", i > 0 ? "+" : "", function, i);
    char *made = jr_text_take(&text);
    return test_own(made);
}

static jr_status check(const jr_structure *structure, const char *map) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = structure != NULL ? JR_STRUCT : JR_F64,
                                 .map_type = JR_F64, .structure = structure, .map = map);
    return jr_reduce_check(&spec, NULL);
}

/* What nests, a way to write one level more. */
static const struct {
    const char *begin, *more, *end;
} nests[] = {{"", "!", "x"},       {"", "~", "i"},          {"", "- ", "x"},        {"", "+ ", "x"},
             {"", "(int)", "x"},   {"", "sizeof ", "x"},    {"", "- (int)", "x"},   {"1+", "!", "x*2"},
             {"x", "?x:x", ""},    {"", "x?", "x"},         {"max(1, ", "!", "x)"}, {"", "sqrt(", "x"},
             {"", "(", "x"},       {"", "-(", "x"},         {"", "(x?", "x"},       {"", "x?-(", "x"},
             {"", "1+(int)", "x"}, {"fmax(x,", "!", "x)*2"}};

TEST(nesting_of_every_kind_has_one_limit) {
    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
        char *deep = repeated(nests[i].begin, nests[i].more, JR_EXPRESSION_DEPTH + 1, nests[i].end);
        if (strcmp(nests[i].more, "1+(int)") == 0) { /* an operator ends what nests before it */
            works(check(NULL, deep));
        } else {
            if (check(NULL, deep) == JR_OK) fail_msg("taken: %s", deep);
            fails(check(NULL, deep), JR_ERROR_INVALID_EXPRESSION, "nest deeper than 128 here");
        }
    }
}

TEST(thousands_of_signs_are_refused_at_once) {
    static const char *const more[] = {"!", "~", "(int)", "x?x:", "- ", "x<", "x&&"};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char *text = repeated("", more[i], 4094 / strlen(more[i]), "x");
        fails(check(NULL, text), JR_ERROR_INVALID_EXPRESSION, " than ");
    }
}

TEST(what_would_compile_for_minutes_is_refused) {
    char *nested = repeated("", "pow(x,", 60, "x"), *closed = repeated(nested, ")", 60, "");
    char *lgammas = calls("lgamma", 200), *comparisons = repeated("x", "<x", 2000, ""),
         *ands = repeated("x", "&&x", 300, "");
    fails(check(NULL, closed), JR_ERROR_INVALID_EXPRESSION, "weighs more than 8000 here");
    fails(check(NULL, lgammas), JR_ERROR_INVALID_EXPRESSION, "weighs more than 8000 here");
    fails(check(NULL, ands), JR_ERROR_INVALID_EXPRESSION, "weighs more than 8000 here");
    fails(check(NULL, comparisons), JR_ERROR_INVALID_EXPRESSION, "than the 1024 words, numbers and signs");
}

TEST(the_expressions_of_a_spec_share_one_weight) {
    char *half = calls("sin", 25);
    const jr_spec one = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F64, .map = half},
                  two = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F64, .map = half, .where = half};
    works(jr_reduce_check(&one, NULL));
    fails(jr_reduce_check(&two, NULL), JR_ERROR_INVALID_EXPRESSION, "the where expression has 'sin'");
}

TEST(macros_that_repeat_their_arguments_weigh_as_such) {
    static const jr_structure squares = {.size = sizeof(jr_structure),
                                         .name = "pair",
                                         .source = "#define SQUARE(v) ((v) * (v))\nstruct pair { double key; };\n"
                                                   "__device__ double square(double v) { return v * v; }\n",
                                         .bytes = 8,
                                         .alignment = 8};
    works(check(&squares, "SQUARE(SQUARE(x.key)) + square(square(square(square(x.key))))"));
    fails(check(&squares, "SQUARE(SQUARE(SQUARE(SQUARE(x.key))))"), JR_ERROR_INVALID_EXPRESSION, "weighs more than");
    fails(check(&squares, "SQUARE(SQUARE(SQUARE(square(x.key) + x.key)))"), JR_ERROR_INVALID_EXPRESSION,
          "weighs more than");
}

TEST(what_is_allowed_compiles_within_the_limit_of_time) {
    const jr_options options = {.size = sizeof(jr_options), .device = "sim", .cache_dir = ""};
    static const double data[] = {1, 2};
    char *nested = repeated("", "pow(x,", 29, "x");
    char *texts[] = {repeated(nested, ")", 29, ""),
                     calls("sinf", 70),
                     calls("lgamma", 15),
                     repeated("x", "/x", 245, ""),
                     repeated("x", "&&x", 245, ""),
                     repeated("", "x<i?x:", JR_EXPRESSION_DEPTH, "x"),
                     repeated("", "!", JR_EXPRESSION_DEPTH, "x"),
                     repeated("x", "+(x<i)", 160, "")};
    jr_context *context = NULL;
    works(jr_context_open(&options, &context));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F64, .map = texts[i]};
        jr_value value = {0};
        works(jr_reduce_host(context, &spec, data, 2, &value));
    }
    jr_context_close(context);
}

/* A comparison whose right side is wrong went on with what nobody had written, and one of fractions whose difference
 * does not fit into 64 bits was false. */

/* What the next call finds where it has written nothing yet. */
static void fill_stack(void) {
    volatile unsigned char below[4096];
    for (size_t i = 0; i < sizeof below; i++) below[i] = 0;
}

TEST(a_wrong_right_side_is_an_error) {
    static const char *const wrong[] = {"1 < nothing",  "1 >= nothing", "1 == nothing", "1 != (2",
                                        "1 && nothing", "0 || nothing", "3 < 2 +",      "1 > 1/0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t value = 77;
        fill_stack();
        assert_int_equal(jr_formula_compute(wrong[i], NULL, 0, &value), JR_ERROR_INVALID_ARGUMENT);
        assert_int_equal(value, 77);
    }
}

TEST(fractions_are_compared_whatever_their_size) {
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {{"ceil(9223372036854775807/2 > 9223372036854775806/3)", 1},
                {"ceil(9223372036854775807/2 < 9223372036854775806/3)", 0},
                {"ceil(9223372036854775807/9223372036854775806 <= 9223372036854775805/9223372036854775804)", 1},
                {"ceil(0 - 9223372036854775807/2 < 9223372036854775807/3)", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t value = 77;
        assert_int_equal(jr_formula_compute(rows[i].text, NULL, 0, &value), JR_OK);
        assert_int_equal(value, rows[i].value);
    }
}

RUN_TESTS(NULL, NULL)
