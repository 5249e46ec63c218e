/* Expressions that the compiler refuses: the NVRTC at hand is understood, wherever in the expression the fault is. */
#include <stdio.h>
#include <string.h>

#include "expression/expression.h"
#include "expression/expression_log.h"
#include "jitreduce.h"
#include "support/fixtures/open_context.h"

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
    const jr_options options = JR_INIT(jr_options, .cache_dir = "");
    const jr_program program = JR_INIT(jr_program, .name = "user", .source = text, .entry = "k");
    jr_image *image = NULL;
    snprintf(text, sizeof text, source, expressions[0].text, expressions[1].text);
    const jr_status status = jr_image_compile(&options, &program, "compute_80", &image);
    jr_image_destroy(image);
    return jr_expression_explain(status, expressions, 2);
}

/* All names in the texts below are known; only the compiler can find what is wrong with them. */
static jr_status check(const char *text) {
    static const jr_structure known = {
        .size = sizeof known, .name = "point", .source = "float key; int kee, q; void nothing(point);"};
    const jr_names names = {.what = "combine", .variables = "a b", .structure = &known};
    size_t weight = 0;
    return jr_expression_check(&names, text, &weight);
}

TEST(wrong_names_types_and_grammar_are_shown_with_a_caret) {
    static const struct {
        const char *combine, *sentence;
        size_t column;
    } rows[] = {
        {"a.key < q ? a : b", "identifier \"q\" is undefined", 8},
        {"q", "identifier \"q\" is undefined", 0},
        {"a.key < nothing(b) ? a : b", "identifier \"nothing\" is undefined", 8},
        {"a.key < b.kee ? a : b", "has no member \"kee\"", 10},
        {"a < b ? a : b", "no operator \"<\" matches these operands", 2},
        {"a b", "expected a \")\"", 2},
        {"sqrt(a.key, 2) ? a : b", "no instance of overloaded function \"sqrt\"", 0},
        {"a.key % 2 ? a : b", "expression must have integral", 0},
        {"a.key", "no suitable constructor exists to convert", 0},
        {"(a)(2) ? a : b", "call of an object of a class type", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char lines[256];
        const jr_expression expressions[] = {{"combine", rows[i].combine}, {"finish", "a.key"}};
        assert_int_equal(check(rows[i].combine), JR_OK);
        assert_int_equal(compile(expressions), JR_ERROR_INVALID_EXPRESSION);
        const jr_error *error = jr_last_error();
        snprintf(lines, sizeof lines, "\n  %s\n  %*s\n", rows[i].combine, (int)rows[i].column + 1, "^");
        if (strstr(error->message, rows[i].sentence) == NULL || strstr(error->log, lines) == NULL)
            fail_msg("'%s' gave '%s'\n%s", rows[i].combine, error->message, error->log);
        if (strstr(error->log, "jr_") != NULL || strstr(error->log, "return") != NULL)
            fail_msg("the text around the expression shows:\n%s", error->log);
    }
}

TEST(faults_in_two_expressions_are_both_shown) {
    const jr_expression expressions[] = {{"combine", "a + "}, {"finish", "sqrt(a.kez)"}};
    assert_int_equal(compile(expressions), JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->message, " expression does not compile: "));
    assert_non_null(strstr(jr_last_error()->log, "combine: error: expected an expression\n  a + \n      ^\n"));
    assert_non_null(strstr(jr_last_error()->log, "  sqrt(a.kez)\n         ^\n"));
}

TEST(the_longest_expression_is_shown_whole) {
    char text[JR_EXPRESSION_BYTES + 1];
    memset(text, ' ', JR_EXPRESSION_BYTES);
    text[0] = 'a';
    text[JR_EXPRESSION_BYTES - 1] = 'q';
    text[JR_EXPRESSION_BYTES] = '\0';
    const jr_expression expressions[] = {{"combine", text}, {"finish", "a.key"}};
    assert_int_equal(check(text), JR_OK);
    assert_int_equal(compile(expressions), JR_ERROR_INVALID_EXPRESSION);
    const char *caret = strchr(jr_last_error()->log, '^');
    assert_non_null(caret);
    assert_memory_equal(strstr(jr_last_error()->log, text), text, JR_EXPRESSION_BYTES);
    assert_int_equal(caret - strstr(jr_last_error()->log, text), JR_EXPRESSION_BYTES + 1 + 2 + JR_EXPRESSION_BYTES - 1);
}

TEST(expressions_without_fault_compile) {
    const jr_expression expressions[] = {{"combine", "a.key < b.key ? a : b"}, {"finish", "sqrtf(a.key)"}};
    assert_int_equal(compile(expressions), JR_OK);
}

/* A spec whose expression does not compile, and what is said. */
static const struct {
    jr_spec spec;
    const char *message, *log;
} wrong[] = {
    {{.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x * q"},
     "the map expression has 'q' in column 5: this name is unknown here: there are x i, parameters",
     "  x * q\n      ^\n"},
    {{.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_I32, .where = "x > "},
     "the where expression has '>' in column 3: no operand follows it",
     "  x > \n    ^\n"},
    {{.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F64, .finish = "a n"},
     "the finish expression has 'n' in column 3: an operator is missing before it",
     "  a n\n    ^\n"},
    {{.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F64, .finish = "a;"},
     "the finish expression has ';' in column 2",
     "  a;\n   ^\n"},
    {{.size = sizeof(jr_spec),
      .op = JR_OP_CUSTOM,
      .type = JR_F32,
      .commutative = 1,
      .combine = "a % b",
      .identity = "0"},
     "the combine expression has '%' in column 3: it takes whole numbers",
     "  a % b\n    ^\n"},
    /* The names around the expressions are out of their reach: this would never end. */
    {{.size = sizeof(jr_spec),
      .op = JR_OP_CUSTOM,
      .type = JR_F32,
      .commutative = 1,
      .combine = "combine(a, b)",
      .identity = "0"},
     "has 'combine' in column 1: this name is unknown",
     "  combine(a, b)\n  ^\n"},
    {{.size = sizeof(jr_spec),
      .op = JR_OP_CUSTOM,
      .type = JR_F32,
      .commutative = 1,
      .combine = "a + b",
      .identity = "identity()"},
     "has 'identity' in column 1: this name is unknown",
     "  identity()\n  ^\n"},
    {{.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "item.x"},
     "this name is unknown here",
     "  item.x\n  ^\n"},
    {{.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .finish = "call.ddof"},
     "this name is unknown here",
     "  call.ddof\n  ^\n"},
};

DEVICE_TEST(a_plan_says_which_expression_is_wrong) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        jr_plan *plan = NULL;
        fails(jr_work_plan_create(device->context, WORK(&wrong[i].spec), &plan), JR_ERROR_INVALID_EXPRESSION,
              wrong[i].message);
        assert_null(plan);
        if (strstr(jr_last_error()->log, wrong[i].log) == NULL)
            fail_msg("\n%slacks%s", jr_last_error()->log, wrong[i].log);
        if (strstr(jr_last_error()->log, "jr_") != NULL) fail_msg("our names show:\n%s", jr_last_error()->log);
    }
}

DEVICE_TEST(parameters_may_have_the_names_of_what_is_around) {
    static const float data[] = {3, 1, 2, 5, 4};
    const jr_parameter parameters[] = {{"call", {JR_F32, {.f32 = 10}}}, {"item", {JR_F32, {.f32 = 2}}}};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .commutative = 1, .combine = "a < b ? a : b",
                .identity = "INFINITY", .map = "x * call", .where = "x >= item", .finish = "a + item",
                .parameters = parameters, .parameter_count = 2);
    jr_value value;
    works(jr_reduce_host(device->context, &spec, data, 5, &value));
    assert_int_equal(value.type, JR_F32);
    assert_float_equal(value.as.f32, 22, 0);
}

RUN_TESTS(open_context, close_context)
