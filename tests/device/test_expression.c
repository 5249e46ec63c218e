/* Expressions that the compiler refuses: the NVRTC at hand is understood, wherever in the expression the fault is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "jitreduce.h"
#include "program/expression.h"
#include "program/expression_log.h"

/* The text around the expressions, with a template as the library's operators are. */
static const char source[] = "struct point { float key; int index; };\n"
                             "template <class T> struct jr_user {\n"
                             "#line 1 \"combine\"\n"
                             "static __device__ T combine(T a, T b) { return (%s); }\n"
                             "#line 1 \"finish\"\n"
                             "static __device__ float finish(T a) { return (%s); }\n"
                             "#line 1 \"operators.cuh\"\n"
                             "};\n"
                             "template <class T> __device__ T jr_fold(T a, T b) { return jr_user<T>::combine(a, b); }\n"
                             "extern \"C\" __global__ void k(point *p, float *r) {\n"
                             "    r[0] = jr_user<point>::finish(jr_fold(p[1], p[2]));\n"
                             "}\n";

static jr_status compile(const jr_expression expressions[2]) {
    char text[2 * JR_EXPRESSION_BYTES + sizeof source];
    const jr_options options = {.cache_dir = ""};
    const jr_program program = {.name = "user", .source = text, .entry = "k"};
    jr_image *image = NULL;
    snprintf(text, sizeof text, source, expressions[0].text, expressions[1].text);
    const jr_status status = jr_image_compile(&options, &program, "compute_80", &image);
    jr_image_destroy(image);
    return jr_expression_explain(status, expressions, 2);
}

static void wrong_names_types_and_grammar_are_shown_with_a_caret(void **state) {
    (void)state;
    static const struct {
        const char *combine, *sentence;
        size_t column;
    } rows[] = {
        {"a.key < q ? a : b", "identifier \"q\" is undefined", 8},
        {"q", "identifier \"q\" is undefined", 0},
        {"a.key < nothing(b) ? a : b", "identifier \"nothing\" is undefined", 8},
        {"a.key < b.kee ? a : b", "has no member \"kee\"", 10},
        {"a < b ? a : b", "no operator \"<\" matches these operands", 2},
        {"a.key < ", "expected an expression", 8},
        {"a b", "expected a \")\"", 2},
        {"a.key < b.key ? a", "expected a \":\"", 17},
        {"sqrt(a.key, 2) ? a : b", "no instance of overloaded function \"sqrt\"", 0},
        {"a.key % 2 ? a : b", "expression must have integral", 0},
        {"a.key", "no suitable constructor exists to convert", 0},
        {"(a)(2) ? a : b", "call of an object of a class type", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char lines[256];
        const jr_expression expressions[] = {{"combine", rows[i].combine}, {"finish", "a.key"}};
        assert_int_equal(jr_expression_check("combine", rows[i].combine), JR_OK);
        assert_int_equal(compile(expressions), JR_ERROR_INVALID_EXPRESSION);
        const jr_error *error = jr_last_error();
        snprintf(lines, sizeof lines, "\n  %s\n  %*s\n", rows[i].combine, (int)rows[i].column + 1, "^");
        if (strstr(error->message, rows[i].sentence) == NULL || strstr(error->log, lines) == NULL)
            fail_msg("'%s' gave '%s'\n%s", rows[i].combine, error->message, error->log);
        if (strstr(error->log, "jr_") != NULL || strstr(error->log, "return") != NULL)
            fail_msg("the text around the expression shows:\n%s", error->log);
    }
}

static void faults_in_two_expressions_are_both_shown(void **state) {
    (void)state;
    const jr_expression expressions[] = {{"combine", "a + "}, {"finish", "sqrt(a.kez)"}};
    assert_int_equal(compile(expressions), JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->message, " expression does not compile: "));
    assert_non_null(strstr(jr_last_error()->log, "combine: error: expected an expression\n  a + \n      ^\n"));
    assert_non_null(strstr(jr_last_error()->log, "  sqrt(a.kez)\n         ^\n"));
}

static void the_longest_expression_is_shown_whole(void **state) {
    (void)state;
    char text[JR_EXPRESSION_BYTES + 1];
    memset(text, ' ', JR_EXPRESSION_BYTES);
    text[0] = 'a';
    text[JR_EXPRESSION_BYTES - 1] = 'q';
    text[JR_EXPRESSION_BYTES] = '\0';
    const jr_expression expressions[] = {{"combine", text}, {"finish", "a.key"}};
    assert_int_equal(jr_expression_check("combine", text), JR_OK);
    assert_int_equal(compile(expressions), JR_ERROR_INVALID_EXPRESSION);
    const char *caret = strchr(jr_last_error()->log, '^');
    assert_non_null(caret);
    assert_memory_equal(strstr(jr_last_error()->log, text), text, JR_EXPRESSION_BYTES);
    assert_int_equal(caret - strstr(jr_last_error()->log, text), JR_EXPRESSION_BYTES + 1 + 2 + JR_EXPRESSION_BYTES - 1);
}

static void expressions_without_fault_compile(void **state) {
    (void)state;
    const jr_expression expressions[] = {{"combine", "a.key < b.key ? a : b"}, {"finish", "sqrtf(a.key)"}};
    assert_int_equal(compile(expressions), JR_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_names_types_and_grammar_are_shown_with_a_caret),
        cmocka_unit_test(faults_in_two_expressions_are_both_shown),
        cmocka_unit_test(the_longest_expression_is_shown_whole),
        cmocka_unit_test(expressions_without_fault_compile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
