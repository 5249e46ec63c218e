/* Names and functions in expressions: which there are, and of what types they are. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expression/functions.h"
#include "jitreduce.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

/* A function's name without a call gave its address, and CUDA's own names passed the check and failed in ptxas. An
 * expression names what reduce.h lists, and nothing else. */
static jr_status check_map(const char *map) {
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = map};
    return jr_reduce_check(&spec, NULL);
}

TEST(a_function_can_only_be_called) {
    static const char *const wrong[] = {"(unsigned long long)fabsf", "fabsf", "sqrt + 1", "(sin)(x)", "x ? sinf : cosf",
                                        "max<float>(x, 1)",          "min, x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        fails(check_map(wrong[i]), JR_ERROR_INVALID_EXPRESSION, "it is a function, which can only be called");
    works(check_map("fabsf (x) + sqrt(x)"));
}

TEST(names_of_cuda_and_of_other_expressions_are_unknown) {
    static const char *const wrong[] = {
        "any",     "all",         "ballot(1)", "any(x)",     "popc(i)",      "clz(1)",          "saturate(x)",
        "dim3(1)", "double4",     "uint3",     "tex3D",      "sm_90",        "arrive(1)",       "nanosleep(1)",
        "main()",  "strlen(0)",

        "a",       "n",           "b + x",     "combine",    "cooperative",  "half(x)",         "activemask()",
        "prmt(1)", "isnormal(x)", "fns(1)",    "syncwarp()", "expect(x, 1)", "cudaGetDevice(0)"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (check_map(wrong[i]) != JR_ERROR_INVALID_EXPRESSION) fail_msg("taken: %s", wrong[i]);
    const jr_spec identity =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a + b", .identity = "x", .commutative = 1);
    fails(jr_reduce_check(&identity, NULL), JR_ERROR_INVALID_EXPRESSION, "identity has no variables");
    const jr_spec dot = {.size = sizeof(jr_spec), .op = JR_OP_DOT, .type = JR_F32, .where = "x > y"};
    works(jr_reduce_check(&dot, NULL));
}

TEST(the_names_of_a_struct_are_known) {
    static const jr_structure pair = {.size = sizeof(jr_structure),
                                      .name = "pair",
                                      .source = "const int most = 3;\n"
                                                "struct pair { float key; int id; };\n"
                                                "__device__ float worth (pair p) { return p.key; }\n",
                                      .bytes = 8,
                                      .alignment = 4};
    static const char *const good[] = {"x.key * most", "worth(x)", "((pair)x).key", "pair(x).id", "x.id % most"};
    static const char *const wrong[] = {"worth",  "worth + 1", "(unsigned long long)worth", "(pair)&x", "(most)*x.id",
                                        "p2.key", "__device__"};
    for (size_t i = 0; i < sizeof good / sizeof *good + sizeof wrong / sizeof *wrong; i++) {
        const bool allowed = i < sizeof good / sizeof *good;
        const char *map = allowed ? good[i] : wrong[i - sizeof good / sizeof *good];
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &pair, .map_type = JR_F32, .map = map);
        if ((jr_reduce_check(&spec, NULL) == JR_OK) != allowed)
            fail_msg("%s: %s", map, allowed ? jr_last_error()->message : "taken");
    }
}

static const char *const names[] = {
#define NAME(name, weight, single, gives) #name, (single)> 0 ? #name "f" : "",
    JR_FUNCTIONS(NAME)
#undef NAME
};
enum { NAMES = sizeof names / sizeof *names, AT_ONCE = 16, CALL_BYTES = 160 };

static int arguments_of(const char *name) {
    static const char two[] = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot max min umin "
                              "umax llmin llmax ullmin ullmax fdividef ldexp scalbn scalbln";
    const jr_token word = {JR_TOKEN_WORD, name, strlen(name)};
    if (jr_token_is_one_of(word, two)) return 2;
    if (jr_token_is_one_of(word, "fma norm3d rnorm3d")) return 3;
    return jr_token_is_one_of(word, "norm4d rnorm4d") ? 4 : 1;
}

DEVICE_TEST(every_function_compiles) {
    static const double data[] = {0.5, 0.25};
    for (int i = 0; i < NAMES;) {
        static const char *const arguments[] = {"", "x", "x, x", "x, x, x", "x, x, x, x"};
        jr_text text = {0};
        for (int end = i + AT_ONCE; i < NAMES && i < end; i++)
            if (*names[i] != '\0')
                jr_text_append(&text, "%s%s(%s)", text.length > 0 ? " + " : "", names[i],
                               arguments[arguments_of(names[i / 2 * 2])]);
        const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F64, .map = jr_text_string(&text)};
        jr_value value = {0};
        works(jr_reduce_host(device->context, &spec, data, 2, &value));
        jr_text_free(&text);
    }
}

/* Is a word in a text? */
static bool has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        if (!isalnum((unsigned char)at[-1]) && at[-1] != '_' && !isalnum((unsigned char)at[length]) &&
            at[length] != '_')
            return true;
    return false;
}

TEST(the_header_lists_every_function_and_no_other) {
    static const char head[] = "Functions of double;";
    size_t bytes, listed = 0, known = 0;
    const char *source = getenv("JR_TEST_SOURCE");
    assert_non_null(source);
    char *text = scratch_read(scratch_path(source, "include/jitreduce/reduce.h"), &bytes);
    char *list = strstr(text, head), *end = strstr(list, "\n *\n");
    assert_non_null(end);
    *end = '\0';
    for (size_t i = 0; i < NAMES; i += 2) {
        if (!has_word(list, names[i])) fail_msg("%s is not in the list", names[i]);
        known++;
    }
    for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, " *     ", 7) == 0)
            for (char *word = line + 7; *word != '\0'; word += strspn(word, " ")) {
                listed++;
                word += strcspn(word, " ");
            }
    assert_int_equal(listed, known);
}

/* The kinds of functions' values: the host's table is held against the compiler, for arguments of int, float and
 * double. */

/* Writes a call whose k-th argument is of the k-th digit's type. */
static void print_call(const char *name, unsigned digits, char text[CALL_BYTES]) {
    static const char *const types[] = {"int", "float", "double"};
    int length = snprintf(text, CALL_BYTES, "%s(", name);
    const int count = arguments_of(name);
    for (int k = 0; k < count; k++, digits /= 3)
        length += snprintf(text + length, CALL_BYTES - (size_t)length, "%s(%s)x", k > 0 ? ", " : "", types[digits % 3]);
    snprintf(text + length, CALL_BYTES - (size_t)length, ")");
}

/* What the host makes of it: over i8 elements a float is f32, a double f64, and an integer i8. */
static jr_type type_of(const char *call) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I8, .map = call);
    jr_type type;
    works(jr_reduce_check(&spec, &type));
    return type;
}

static int64_t value_of(const opened *device, const char *map, jr_type map_type) {
    const int8_t one = 1;
    jr_value value;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I8, .map = map, .map_type = map_type);
    works(jr_reduce_host(device->context, &spec, &one, 1, &value));
    return value.as.i64;
}

/* Floats and doubles by their size; of the sum of all integers the kernel asserts that it is one. */
static void compare(const opened *device, char (*calls)[CALL_BYTES], size_t count) {
    jr_text sizes = {0}, integers = {0};
    for (size_t k = 0; k < count; k++) {
        jr_text_append(&sizes, "%s((long long)(sizeof(%s) == 8) << %zu)", k > 0 ? " + " : "", calls[k], k);
        if (type_of(calls[k]) == JR_I8) jr_text_append(&integers, "%s%s", integers.length > 0 ? " + " : "", calls[k]);
    }
    const int64_t doubles = value_of(device, jr_text_string(&sizes), JR_I64);
    for (size_t k = 0; k < count; k++) {
        const jr_type found = type_of(calls[k]);
        if (found != JR_I8 && (found == JR_F64) != (doubles >> k & 1))
            fail_msg("%s is not of type %s", calls[k], jr_type_name(found));
    }
    if (integers.length > 0) (void)value_of(device, jr_text_string(&integers), JR_TYPE_NONE);
    jr_text_free(&sizes);
    jr_text_free(&integers);
}

TEST(every_function_gives_what_the_compiler_says) {
    char calls[AT_ONCE][CALL_BYTES];
    size_t count = 0;
    for (size_t i = 0; i < NAMES; i += 2) {
        unsigned most = 1;
        for (int k = 0; k < arguments_of(names[i]); k++) most *= 3;
        for (unsigned digits = 0; digits < most; digits++) {
            print_call(names[i], digits, calls[count]);
            if (strcmp(calls[count], "pow((float)x, (int)x)") == 0) continue; /* reduce.h: CUDA has that form alone */
            if (++count < AT_ONCE) continue;
            compare(*state, calls, count);
            count = 0;
        }
    }
    compare(*state, calls, count);
}

/* Functions in expressions: of integers, and of numbers of several types, the compiler found no form, as CUDA has those
 * of float and double alone; `sqrt(a / n)` of integers, which the help page shows, did not compile. */

/* Holds one element of i32, 3, to what an expression says of it. */
static bool is_true(const opened *device, const char *expression) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ALL, .type = JR_I32, .map = expression);
    const int32_t data = 3;
    jr_value value;
    works(jr_reduce_host(device->context, &spec, &data, 1, &value));
    return value.as.u8 == 1;
}

static void holds(const opened *device, const char *expression) {
    if (!is_true(device, expression)) fail_msg("%s does not hold", expression);
}

/* Appends a pattern in which $ stands for a function. */
static void append_pattern(jr_text *text, const char *pattern, const char *function) {
    jr_text_append(text, "%s(", text->length > 0 ? " && " : "");
    for (; *pattern != '\0'; pattern++)
        if (*pattern == '$')
            jr_text_append(text, "%s", function);
        else
            jr_text_append(text, "%c", *pattern);
    jr_text_append(text, ")");
}

/* Holds what a pattern says of functions: of several in one compile, and where that does not hold, of each alone. */
static void hold_each(const opened *device, const char *const *functions, size_t count, const char *pattern) {
    enum { SOME = 8 };
    for (size_t i = 0, end; i < count; i = end) {
        jr_text some = {0};
        for (end = i; end < count && end < i + SOME; end++) append_pattern(&some, pattern, functions[end]);
        const bool good = is_true(device, jr_text_string(&some));
        if (!good && end == i + 1) fail_msg("%s does not hold", jr_text_string(&some));
        jr_text_free(&some);
        for (; !good && i < end; i++) hold_each(device, &functions[i], 1, pattern);
    }
}

TEST(one_integer_is_taken_as_double) {
    static const char *const functions[] = {
        "acos",      "acosh",      "asin",          "asinh",        "atan",    "atanh", "cbrt",   "ceil",     "cos",
        "cosh",      "cospi",      "erf",           "erfc",         "erfcinv", "erfcx", "erfinv", "exp",      "exp10",
        "exp2",      "expm1",      "fabs",          "floor",        "ilogb",   "j0",    "j1",     "lgamma",   "llrint",
        "log",       "llround",    "log10",         "log1p",        "log2",    "logb",  "lrint",  "lround",   "normcdf",
        "rcbrt",     "rint",       "round",         "rsqrt",        "sin",     "sinh",  "sinpi",  "sqrt",     "tan",
        "tanh",      "tgamma",     "trunc",         "y0",           "y1",      "isnan", "isinf",  "isfinite", "signbit",
        "nearbyint", "normcdfinv", "cyl_bessel_i0", "cyl_bessel_i1"};
    hold_each(*state, functions, sizeof functions / sizeof *functions, "$(x) == $((double)x) || isnan($((double)x))");
}

TEST(several_types_are_taken_as_double) {
    static const char *const two[] = {"atan2", "copysign", "fdim",      "fmax",   "fmin",     "fmod",
                                      "hypot", "pow",      "nextafter", "rhypot", "remainder"};
    static const char *const three[] = {"fma", "norm3d", "rnorm3d"};
    hold_each(*state, two, sizeof two / sizeof *two, "$(x, 2) == $(3.0, 2.0) && $(0.1f, 2.5) == $((double)0.1f, 2.5)");
    hold_each(*state, three, sizeof three / sizeof *three, "$(x, 0.1f, x) == $(3.0, (double)0.1f, 3.0)");
}

TEST(powers_of_two_scale_integers) {
    holds(*state, "ldexp(x, 2) == 12 && scalbn(x, x) == 24 && scalbln(x, 1) == 6 && ldexp((long long)x, i + 1) == 6");
}

TEST(the_greater_of_several_types_has_the_type_of_their_sum) {
    holds(*state, "max(x, (long long)1 << 40) == (long long)1 << 40 && min((unsigned long long)5, x) == 3");
    holds(*state, "max(x, 3.5) == 3.5 && min(2.5f, x) == 2.5f && min(i, 1) == 0 && max(0.1f, 0.2) != 0.2f");
    holds(*state, "max(x, NAN) == 3 && min((short)1, (short)2) == 1");
}

TEST(floats_keep_their_forms) {
    holds(*state, "sqrt(0.1f) == sqrtf(0.1f) && sqrt(0.1) != sqrtf(0.1f)");
    holds(*state, "pow(0.1f, 0.3f) == powf(0.1f, 0.3f) && fma(0.1f, 0.3f, 1.0f) == fmaf(0.1f, 0.3f, 1.0f)");
}

RUN_TESTS(open_context, close_context)
