/* What becomes of NVRTC's logs when expressions are at fault: logs of NVRTC 13.0, word for word. */
/* link: fail_nth */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expression/expression_log.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"

#define MAP     "  static __device__ point map(point x, long long i) { return ("
#define COMBINE "  static __device__ point combine(point a, point b) { return ("
#define FINISH  "  static __device__ float finish(point a) { return ("
/* As many blanks as stand in NVRTC's caret lines below these. */
#define MAP_BLANKS     "                                                              "
#define COMBINE_BLANKS "                                                              "
#define FINISH_BLANKS  "                                                    "
#define ONE_ERROR      "\n1 error detected in the compilation of \"single_pass.cu\".\n"
#define REMARK         "\nRemark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"

/* A log, the one expression of it, and the user's log. */
typedef struct sample {
    const char *what, *text, *log, *users;
} sample;

static const sample samples[] = {
    {"combine", "a.key < q ? a : b",
     "combine(1): error: identifier \"q\" is undefined\n" COMBINE "a.key < q ? a : b); }\n" COMBINE_BLANKS
     "        ^\n" ONE_ERROR,
     "combine: error: identifier \"q\" is undefined\n"
     "  a.key < q ? a : b\n"
     "          ^\n"},
    /* Behind the last character. */
    {"combine", " a.key < ",
     "combine(1): error: expected an expression\n" COMBINE " a.key < ); }\n" COMBINE_BLANKS "         ^\n" ONE_ERROR,
     "combine: error: expected an expression\n"
     "   a.key < \n"
     "           ^\n"},
    {"combine", "a b", "combine(1): error: expected a \")\"\n" COMBINE "a b); }\n" COMBINE_BLANKS "  ^\n" ONE_ERROR,
     "combine: error: expected a \")\"\n"
     "  a b\n"
     "    ^\n"},
    /* The caret stands before the expression, at the bracket around it, and "a" stands in many places. */
    {"finish", "a",
     "finish(1): error: no suitable conversion function from \"point\" to \"float\" exists\n" FINISH "a); }\n"
     "                                                   ^\n" ONE_ERROR,
     "finish: error: no suitable conversion function from \"point\" to \"float\" exists\n"
     "  a\n"
     "  ^\n"},
    /* Sentences of several lines, and notes that are dropped. */
    {"finish", "min(a.key, 3u)",
     "finish(1): error: more than one instance of overloaded function \"min\" matches the argument list:\n"
     "            function \"min(float, double)\" (declared implicitly)\n"
     "            function \"min(float, float)\" (declared implicitly)\n"
     "            argument types are: (float, unsigned int)\n" FINISH "min(a.key, 3u)); }\n" FINISH_BLANKS
     "^\n" ONE_ERROR,
     "finish: error: more than one instance of overloaded function \"min\" matches the argument list:\n"
     "            function \"min(float, double)\" (declared implicitly)\n"
     "            function \"min(float, float)\" (declared implicitly)\n"
     "            argument types are: (float, unsigned int)\n"
     "  min(a.key, 3u)\n"
     "  ^\n"},
    {"finish", "fmax(a.key)",
     "finish(1): error: no instance of overloaded function \"fmax\" matches the argument list\n"
     "            argument types are: (float)\n" FINISH "fmax(a.key)); }\n" FINISH_BLANKS "^\n"
     "Note #3322-D: number of parameters of function \"fmax(double, double)\" does not match the call\n"
     "Note #3322-D: number of parameters of function \"fmax(float, float)\" does not match the call\n" ONE_ERROR,
     "finish: error: no instance of overloaded function \"fmax\" matches the argument list\n"
     "            argument types are: (float)\n"
     "  fmax(a.key)\n"
     "  ^\n"},
    /* In a template: with notes that have a place, and a backtrace. */
    {"combine", "a < b ? a : b",
     "combine(1): error: no operator \"<\" matches these operands\n"
     "            operand types are: point < point\n"
     "  static __device__ T combine(T a, T b) { return (a < b ? a : b); }\n"
     "                                                    ^\n"
     "combine(1): note #3328-D: built-in operator<(<nullptr>, <nullptr>) does not match because argument #1 does not "
     "match parameter\n"
     "  static __device__ T combine(T a, T b) { return (a < b ? a : b); }\n"
     "                                                    ^\n"
     "          detected during:\n"
     "            instantiation of \"T op<T>::combine(T, T) [with T=point]\" at line 2 of operators.cuh\n"
     "            instantiation of \"T fold(T, T) [with T=point]\" at line 3 of operators.cuh\n" ONE_ERROR,
     "combine: error: no operator \"<\" matches these operands\n"
     "            operand types are: point < point\n"
     "  a < b ? a : b\n"
     "    ^\n"},
    /* A warning before the error. */
    {"finish", "a.key + 1 / 0 + zz",
     "finish(1): warning #39-D: division by zero\n" FINISH "a.key + 1 / 0 + zz); }\n" FINISH_BLANKS
     "          ^\n" REMARK "finish(1): error: identifier \"zz\" is undefined\n" FINISH
     "a.key + 1 / 0 + zz); }\n" FINISH_BLANKS "                ^\n" ONE_ERROR,
     "finish: warning #39-D: division by zero\n"
     "  a.key + 1 / 0 + zz\n"
     "            ^\n"
     "finish: error: identifier \"zz\" is undefined\n"
     "  a.key + 1 / 0 + zz\n"
     "                  ^\n"},
    /* Without source lines, as --brief-diagnostics=true has it. */
    {"combine", "a<q",
     "combine(1): error: identifier \"q\" is undefined\n"
     "1 error detected in the compilation of \"reduce\".\n",
     "combine: error: identifier \"q\" is undefined\n"
     "  a<q\n"},
    /* Cut in the middle, as a record cuts long logs. */
    {"combine", "a<q", "combine(1): error: identifier \"q\" is undefined\n" COMBINE "a<\n[log cut at 16 KiB]",
     "combine: error: identifier \"q\" is undefined\n"
     "  a<q\n"},
    {"combine", "a<q", "combine(1): error: iden",
     "combine: error: iden\n"
     "  a<q\n"},
};

TEST(each_message_about_an_expression_shows_it_with_a_caret) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const jr_expression expression = {samples[i].what, samples[i].text};
        char *users = jr_expression_log(samples[i].log, &expression, 1);
        assert_non_null(users);
        assert_string_equal(users, samples[i].users);
        free(users);
    }
}

static const jr_expression two[] = {{"map", "x.kee"}, {"finish", "sqrt(a.key, 2)"}};
static const char log_of_two[] =
    "map(1): error: class \"point\" has no member \"kee\"\n" MAP "x.kee); }\n" MAP_BLANKS "  ^\n\n"
    "operators.cuh(4): error: identifier \"missing\" is undefined\n"
    "  __device__ float g() { return missing; }\n"
    "                                ^\n\n"
    "finish(1): error: no instance of overloaded function \"sqrt\" matches the argument list\n"
    "            argument types are: (float, int)\n" FINISH "sqrt(a.key, 2)); }\n" FINISH_BLANKS "^\n"
    "\n3 errors detected in the compilation of \"single_pass.cu\".\n";

TEST(messages_keep_their_order_and_those_about_other_places_are_left_out) {
    char *users = jr_expression_log(log_of_two, two, 2);
    assert_string_equal(users, "map: error: class \"point\" has no member \"kee\"\n"
                               "  x.kee\n"
                               "    ^\n"
                               "finish: error: no instance of overloaded function \"sqrt\" matches the argument list\n"
                               "            argument types are: (float, int)\n"
                               "  sqrt(a.key, 2)\n"
                               "  ^\n");
    free(users);
}

/* In memory of just the log's size, so that the address sanitizer sees any read beyond it. */
TEST(a_log_may_be_cut_anywhere) {
    const size_t first = strlen("map(1): ");
    for (size_t length = 0; length < sizeof log_of_two; length++) {
        char *cut = strndup(log_of_two, length);
        assert_non_null(cut);
        char *users = jr_expression_log(cut, two, 2);
        assert_non_null(users);
        if (length < first)
            assert_string_equal(users, cut);
        else
            assert_memory_equal(users, "map: ", 5);
        assert_null(strstr(users, "missing"));
        free(users);
        free(cut);
    }
}

/* Logs that blame no expression; the expressions are those above. */
static const char missing[] = "operators.cuh(4): error: identifier \"missing\" is undefined\n"
                              "  __device__ float g() { return missing; }\n"
                              "                                ^\n" ONE_ERROR;
/* A warning about an expression, but the error is elsewhere. */
static const char warned[] = "finish(1): warning #39-D: division by zero\n" FINISH "1 / 0); }\n" FINISH_BLANKS
                             "  ^\n" REMARK "operators.cuh(4): error: identifier \"missing\" is undefined\n";
static const char *const of_others[] = {
    missing,
    warned,
    "",
    "no message at all",
    "finish(1): note #3328-D: not an error\n",
    "finish_all(1): error: of another text\n",
    "finish(x): error: no line number\n",
    "finish: error: no line number\n",
    " finish(1): error: not at the line's beginning\n",
    "a finish(1): error: not at the line's beginning\n",
};

TEST(a_log_that_blames_no_expression_stays_as_it_is) {
    for (size_t i = 0; i < sizeof of_others / sizeof *of_others; i++) {
        char *users = jr_expression_log(of_others[i], two, 2);
        assert_string_equal(users, of_others[i]);
        free(users);
        jr_fail_with(JR_ERROR_COMPILE, "NVRTC_ERROR_COMPILATION", of_others[i], "program p does not compile");
        assert_int_equal(jr_expression_explain(JR_ERROR_COMPILE, two, 2), JR_ERROR_COMPILE);
        assert_string_equal(jr_last_error()->message, "program p does not compile");
        assert_string_equal(jr_last_error()->log, of_others[i]);
    }
    jr_fail_with(JR_ERROR_LOAD, "", log_of_two, "the image does not load");
    assert_int_equal(jr_expression_explain(JR_ERROR_LOAD, two, 2), JR_ERROR_LOAD);
    assert_string_equal(jr_last_error()->message, "the image does not load");
}

TEST(the_first_error_stands_in_the_message) {
    jr_fail_with(JR_ERROR_COMPILE, "NVRTC_ERROR_COMPILATION", log_of_two, "program p does not compile");
    assert_int_equal(jr_expression_explain(JR_ERROR_COMPILE, two, 2), JR_ERROR_INVALID_EXPRESSION);
    const jr_error *error = jr_last_error();
    assert_int_equal(error->status, JR_ERROR_INVALID_EXPRESSION);
    assert_string_equal(error->message, "the map expression does not compile: class \"point\" has no member \"kee\"");
    assert_string_equal(error->driver_name, "NVRTC_ERROR_COMPILATION");
    assert_ptr_equal(strstr(error->log, "map: error: "), error->log);
    assert_null(strstr(error->log, "missing"));
}

/* What NVRTC 13.0 prints about values that are not converted. */
static const char of_value[] =
    "core/convert.cuh(51): error: no suitable conversion function from \"const float2\" to \"float\" exists\n"
    "  JR_TO_AS_C(float)\n  ^\n"
    "          detected during instantiation of \"float jr_to<float, false>::of(const A &) [with A=float2]\" at line 7 "
    "of expressions.cuh\n\n" ONE_ERROR;
static const char of_pair[] =
    "core/convert.cuh(45): error: no suitable constructor exists to convert from \"const float\" to \"pair\"\n"
    "      template <class A> static __device__ __forceinline__ R of(const A &x) { return (R)x; }\n"
    "                                                                                        ^\n"
    "          detected during instantiation of \"R jr_to<R, true>::of(const A &) [with R=pair, A=float]\" at line 3 "
    "of "
    "expressions.cuh\n\n" ONE_ERROR;
static const char of_where[] =
    "expressions.cuh(13): error: no suitable conversion function from \"float2\" to \"__nv_bool\" exists\n"
    "      return (bool)((\n                   ^\n\n" ONE_ERROR;

TEST(a_value_that_is_not_converted_names_the_expressions_that_may_have_it) {
    static const jr_expression all[] = {{"combine", "a.key"}, {"identity", "none()"}, {"where", "x.key"}};
    static const struct {
        const char *log, *message, *shown;
    } cases[] = {{of_value,
                  "the combine or identity expression gives float2, which is no float: write the member that "
                  "is meant, or what makes a float of it",
                  "  a.key\n  ^\n  none()\n  ^\n"},
                 {of_pair,
                  "the combine or identity expression gives float, which is no pair: write the member that is "
                  "meant, or what makes a pair of it",
                  "  a.key\n  ^\n  none()\n  ^\n"},
                 {of_where,
                  "the where expression gives float2, which is no condition: write the member that is meant, "
                  "or what makes a condition of it",
                  "  x.key\n  ^\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jr_fail_with(JR_ERROR_COMPILE, "NVRTC_ERROR_COMPILATION", cases[i].log, "program p does not compile");
        assert_int_equal(jr_expression_explain(JR_ERROR_COMPILE, all, 3), JR_ERROR_INVALID_EXPRESSION);
        assert_string_equal(jr_last_error()->message, cases[i].message);
        assert_string_equal(jr_last_error()->log, cases[i].shown);
    }
}

TEST(a_conversion_that_no_expression_asks_for_keeps_what_the_compiler_says) {
    static const jr_expression where_alone[] = {{"where", "x.key"}};
    jr_fail_with(JR_ERROR_COMPILE, "NVRTC_ERROR_COMPILATION", of_value, "program p does not compile");
    assert_int_equal(jr_expression_explain(JR_ERROR_COMPILE, where_alone, 1), JR_ERROR_COMPILE);
    assert_string_equal(jr_last_error()->message, "program p does not compile");
}

static jr_status explain_value(void *user) {
    (void)user;
    jr_fail_with(JR_ERROR_COMPILE, "NVRTC_ERROR_COMPILATION", of_value, "program p does not compile");
    const jr_status status = jr_expression_explain(JR_ERROR_COMPILE, two, 2);
    return status == JR_ERROR_INVALID_EXPRESSION ? JR_OK : status;
}

static jr_status explain_one(void *user) {
    (void)user;
    jr_fail_with(JR_ERROR_COMPILE, "NVRTC_ERROR_COMPILATION", log_of_two, "program p does not compile");
    const jr_status status = jr_expression_explain(JR_ERROR_COMPILE, two, 2);
    return status == JR_ERROR_INVALID_EXPRESSION ? JR_OK : status;
}

static jr_status copy_one(void *user) {
    (void)user;
    char *users = jr_expression_log(missing, two, 2);
    const jr_status status = users != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the log");
    free(users);
    return status;
}

TEST(running_out_of_memory_is_told_and_leaks_nothing) {
    assert_true(fail_nth_walk(FAIL_MEMORY, explain_one, NULL) >= 1);
    assert_true(fail_nth_walk(FAIL_MEMORY, explain_value, NULL) >= 1);
    assert_true(fail_nth_walk(FAIL_MEMORY, copy_one, NULL) >= 1);
}

RUN_TESTS(NULL, NULL)
