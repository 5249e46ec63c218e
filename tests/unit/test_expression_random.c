/* Which operator expressions are allowed; and random ones, of which none slips through. */
#include <stdio.h>
#include <string.h>

#include "expression/expression.h"
#include "jitreduce/status.h"
#include "support/fixtures/open_context.h"

enum { ROUNDS = 20000, TEXT_BYTES = 512 };

static const char *const harmless[] = {
    "a", "b", "x", "y",  "i",  "1",     "2.5f",  "1e-3",      "0x1p3",  "(",     ")",       "(",   ")",      "+", "-",
    "*", "/", "%", "<",  ">",  "<=",    "==",    "!=",        "!",      "~",     "&",       "&&",  "|",      "^", "?",
    ":", ",", ".", "<<", ">>", "float", "sqrt(", "min(a, b)", "sizeof", "x * y", "a - (b)", "i <", "n ? 1 :"};
static const char *const harmful[] = {
    "#",    ";",    "{",      "}",         "\\",        "@",     "$",   "`",   "\"",    "'",    "=",
    "++",   "--",   "+=",     "->",        "::",        "//",    "/*",  "*/",  "%:",    "<%",   "<:",
    "?\?=", "\n",   "\t",     "\x80",      "\xff",      "\x01",  "__x", "x__", "jr_x",  "JR_X", "_Pragma",
    "asm",  "this", "printf", "atomicAdd", "threadIdx", "frexp", "1e",  "<<<", "bitand"};

static const jr_structure point = {
    .size = sizeof(jr_structure), .name = "point", .source = "struct point { float key; };\nfloat twice(point p);\n"};
static const jr_parameter parameters[] = {{.name = "m"}, {.name = "newer"}, {.name = "clock_rate"}, {.name = "_x1"}};
static const jr_names names = {.what = "where",
                               .variables = "x y z w i a b n",
                               .parameters = parameters,
                               .parameter_count = 4,
                               .structure = &point};

static jr_status check(const char *text) {
    size_t weight = 0;
    return jr_expression_check(&names, text, &weight);
}

/* One of a list, chosen by the random number. */
#define PICK(list, seed) list[random_below(seed, sizeof list / sizeof *list)]

static void random_expression(uint64_t *seed, char text[TEXT_BYTES]) {
    const uint64_t count = 1 + random_below(seed, 10);
    size_t length = 0;
    text[0] = '\0';
    for (uint64_t i = 0; i < count; i++) {
        const char *token = random_below(seed, 20) == 0 ? PICK(harmful, seed) : PICK(harmless, seed);
        const char *blank = random_below(seed, 2) == 0 ? " " : "";
        length += (size_t)snprintf(text + length, TEXT_BYTES - length, "%s%s", token, blank);
    }
}

static int is_balanced(const char *text) {
    int depth = 0;
    for (; *text != '\0' && depth >= 0; text++) depth += (*text == '(') - (*text == ')');
    return depth == 0;
}

/* Whether a name stands in a text, not as a part of a longer one. */
static int has_word(const char *text, const char *word) {
    static const char of_names[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    while (*text != '\0') {
        const size_t length = strspn(text, of_names);
        if (length == strlen(word) && memcmp(text, word, length) == 0) return 1;
        text += length > 0 ? length : 1;
    }
    return 0;
}

static void expect_harmless(const char *text) {
    static const char *const signs[] = {"__", "++", "--", "+=", "->", "::", "//", "/*", "*/", "%:", "<<<", "?\?="};
    static const char *const words[] = {"jr_x",   "JR_X",      "_Pragma",   "asm",   "this",
                                        "printf", "atomicAdd", "threadIdx", "frexp", "bitand"};
    if (!is_balanced(text)) fail_msg("taken with wrong brackets: %s", text);
    if (strpbrk(text, "#;{}[]\\@$`\"'") != NULL) fail_msg("taken with a refused character: %s", text);
    for (const char *c = text; *c != '\0'; c++)
        if (*c < ' ' || *c > '~') fail_msg("taken with byte 0x%02x: %s", (unsigned char)*c, text);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(text, signs[i]) != NULL) fail_msg("taken with %s: %s", signs[i], text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(text, words[i])) fail_msg("taken with %s: %s", words[i], text);
}

/* Whether it was taken. */
static int check_one(const char *text) {
    const jr_status status = check(text);
    if (status == JR_OK) {
        expect_harmless(text);
        return 1;
    }
    assert_int_equal(status, JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->log, "^\n"));
    return 0;
}

TEST(no_random_expression_slips_through) {
    uint64_t seed = 301;
    char text[TEXT_BYTES];
    int taken = 0;
    for (int i = 0; i < ROUNDS; i++) {
        random_expression(&seed, text);
        taken += check_one(text);
    }
    assert_in_range(taken, ROUNDS / 20, ROUNDS - ROUNDS / 20);
}

TEST(random_bytes_do_no_harm) {
    uint64_t seed = 302;
    char text[TEXT_BYTES];
    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t length = random_below(&seed, 12);
        for (uint64_t at = 0; at < length; at++) text[at] = (char)(1 + random_below(&seed, 255));
        text[length] = '\0';
        check_one(text);
    }
}

static const char *const good[] = {
    "a",
    "  a  ",
    "0",
    "-INFINITY",
    "a < b ? a : b",
    "a<b?a:b",
    "a + b",
    "a - -b",
    "a*b",
    "x*-y",
    "x * +y * !z * ~i",
    "(a) * (b)",
    "(x - m) * (x - m)",
    "fmax(a, b)",
    "fmaxf(fabsf(a), fabsf(b))",
    "sqrt(a)",
    "1 / (1 + exp(-x))",
    "x*y + z*w",
    "x > 3",
    "x <= y && !(z != w)",
    "x >= 1 || y == 2",
    "i % 2 == 0",
    "isnan(x)",
    "isnan(x) ? 0.f : x",
    "min(a, 3u)",
    "a.key < b.key ? a : b",
    "a . key",
    "(point)(x)",
    "max((a), (b + i)) * (n)",
    "twice(a) * twice(point(a))",
    "(point)x",
    "((a) + (b))",
    "float(x)",
    "(float)x",
    "(unsigned int)-x",
    "(double)(x) * y",
    "(long long)x & 255",
    "sizeof(x)",
    "sizeof(float)*x",
    "sizeof(float) & 7",
    "static_cast<float>(x)",
    "static_cast<float>(x) * y",
    "1e-3f*x",
    "0x1p3 + 0x1.8p-2f",
    ".5 * x + 1. - 1.e3",
    "0xFFull ^ 0b101",
    "10ull",
    "(a & b) | (a ^ b)",
    "a & -b",
    "a && (b || x)",
    "a << 3 >> 1",
    "x < -1",
    "x<-1",
    "make_float4(x, y, z, w)",
    "pow(x , 2)",
    "a ? b ? 1 : 2 : 3",
    "true && !false",
    "newer + clock_rate",
    "_x1 + a.y_z + b._",
    "(point(a) + point(b)) * m",
    "a < b",
    "a > b && i < (n)",
};

TEST(expressions_of_values_are_allowed) {
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (check(good[i]) != JR_OK) fail_msg("refused: %s: %s", good[i], jr_last_error()->message);
}

RUN_TESTS(NULL, NULL)
