/* A function's name without a call gave its address, and CUDA's own names passed the check and failed in ptxas. An
 * expression names what reduce.h lists, and nothing else. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expression/functions.h"
#include "jitreduce.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

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
    const jr_spec identity = {.size = sizeof(jr_spec),
                              .op = JR_OP_CUSTOM,
                              .type = JR_F32,
                              .combine = "a + b",
                              .identity = "x",
                              .commutative = 1};
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
        const jr_spec spec = {.size = sizeof(jr_spec),
                              .op = JR_OP_SUM,
                              .type = JR_STRUCT,
                              .structure = &pair,
                              .map_type = JR_F32,
                              .map = map};
        if ((jr_reduce_check(&spec, NULL) == JR_OK) != allowed)
            fail_msg("%s: %s", map, allowed ? jr_last_error()->message : "taken");
    }
}

static const char *const names[] = {
#define NAME(name, weight, single, gives) #name, (single)> 0 ? #name "f" : "",
    JR_FUNCTIONS(NAME)
#undef NAME
};
enum { NAMES = sizeof names / sizeof *names };

/* Appends a call of a function, with as many arguments as it has. */
static void append_call(jr_text *text, const char *name) {
    static const char *const two[] = {"atan2",  "copysign",  "fdim",  "fmax",      "fmin",   "fmod",
                                      "hypot",  "nextafter", "pow",   "remainder", "rhypot", "max",
                                      "min",    "umin",      "umax",  "llmin",     "llmax",  "ullmin",
                                      "ullmax", "fdividef",  "ldexp", "scalbn",    "scalbln"};
    const size_t length = strlen(name);
    const char *arguments = "x";
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (strncmp(name, two[i], strlen(two[i])) == 0 && length <= strlen(two[i]) + 1) arguments = "x, x";
    if (strncmp(name, "fma", 3) == 0 && length <= 4 && name[3] != 'x') arguments = "x, x, x";
    if (strstr(name, "norm3d")) arguments = "x, x, x";
    if (strstr(name, "norm4d")) arguments = "x, x, x, x";
    jr_text_append(text, "%s%s(%s)", text->length > 0 ? " + " : "", name, arguments);
}

TEST(every_function_compiles) {
    const opened *device = *state;
    static const double data[] = {0.5, 0.25};
    enum { AT_ONCE = 16 };
    for (int i = 0; i < NAMES;) {
        jr_text text = {0};
        for (int end = i + AT_ONCE; i < NAMES && i < end; i++)
            if (*names[i] != '\0') append_call(&text, names[i]);
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
    free(text);
}

RUN_TESTS(open_context, close_context)
