/* What people write in other languages went to the compiler, whose words (or none: 1 < x < 3 is valid) reached them. An
 * expression is refused before any compile, and the message says what to write. */
#include <stdio.h>
#include <string.h>

#include "jitreduce.h"
#include "support/open_context.h"

typedef struct hint {
    const char *map, *why;
} hint;

static void refused_as(const hint *hints, size_t count, jr_type type) {
    for (size_t i = 0; i < count; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .map = hints[i].map);
        const jr_status status = jr_reduce_check(&spec, NULL);
        if (status != JR_ERROR_INVALID_EXPRESSION) fail_msg("'%s' gives %s", hints[i].map, jr_status_name(status));
        if (strstr(jr_last_error()->message, hints[i].why) == NULL || strstr(jr_last_error()->log, "^\n") == NULL)
            fail_msg("'%s': %s\n%s", hints[i].map, jr_last_error()->message, jr_last_error()->log);
    }
}
#define REFUSED(hints, type) refused_as(hints, sizeof(hints) / sizeof *(hints), type)

static void an_input_of_which_there_is_no_array_is_named(void **state) {
    (void)state;
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

static void a_letter_that_a_struct_declares_is_no_input(void **state) {
    (void)state;
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

static void a_variable_of_another_expression_is_explained(void **state) {
    (void)state;
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

static void words_of_other_languages_are_translated(void **state) {
    (void)state;
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
        {"x // 2", "floor(x / 2)"},
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_input_of_which_there_is_no_array_is_named),
        cmocka_unit_test(a_letter_that_a_struct_declares_is_no_input),
        cmocka_unit_test(a_variable_of_another_expression_is_explained),
        cmocka_unit_test(words_of_other_languages_are_translated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
