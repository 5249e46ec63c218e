/* Which operator expressions are refused, and what is said of them. */
/* link: fail_nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "jitreduce/status.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"

/* A hostile expression, the column from 0 that is pointed at, and words of the reason. */
typedef struct hostile {
    const char *text;
    size_t column;
    const char *why;
} hostile;

static const hostile lexical[] = {
    {"", 0, "is empty"},
    {"    ", 0, "is empty"},
    {"a\n+ b", 1, "a byte 0x0a in column 2: write printable ASCII"},
    {"a\r\n", 1, "a byte 0x0d"},
    {"a\t+ b", 1, "a byte 0x09"},
    {"a \x1b[31m", 2, "a byte 0x1b"},
    {"a \x7f", 2, "a byte 0x7f"},
    {"a + \xc3\xa9", 4, "has a character beyond ASCII in column 5 (byte 0xc3): write printable ASCII"},
    {"\xff", 0, "beyond ASCII in column 1 (byte 0xff)"},
    {"#include \"/etc/passwd\"", 0, "has '#' in column 1: it begins a preprocessor directive"},
    {"a # b", 2, "'#'"},
    {"a; b", 1, "';' in column 2: it ends a statement"},
    {"({ a", 1, "'{'"},
    {"a }", 2, "'}'"},
    {"float{a}", 5, "'{'"},
    {"a \\ b", 2, "'\\'"},
    {"\\u0061", 0, "'\\'"},
    {"a @ b", 2, "'@'"},
    {"$a", 0, "'$'"},
    {"`id`", 0, "'`'"},
    {"\"text\"", 0, "'\"' in column 1: a string is not a value"},
    {"x ? \"a\" : 0", 4, "'\"'"},
    {"R\"(a)\"", 0, "'R'"},
    {"'a'", 0, "without quotes"},
    {"1'000", 1, "without quotes"},
    {"%:define a", 0, "second spelling"},
    {"a %:%: b", 2, "'%:%:'"},
    {"<% a %>", 0, "second spelling"},
    {"a %>", 2, "second spelling"},
    {"a<:0:>", 1, "second spelling"},
    {"0:>", 1, "second spelling"},
    {"a<:::b", 1, "second spelling"},
    {"?\?=define", 0, "second spelling"},
    {"a ?\?/ b", 2, "second spelling"},
    {"?\?< a ?\?>", 0, "second spelling"},
    {"a ?\?' b", 2, "second spelling"},
    {"a // b", 2, "comments are not allowed"},
    {"a /* b", 2, "comments are not allowed"},
    {"a */ b", 2, "comments are not allowed"},
    {"1.0.0", 0, "has '1.0.0' in column 1: it is not a number"},
    {"a + 1e", 4, "'1e'"},
    {"0x + a", 0, "'0x'"},
    {"3x", 0, "'3x'"},
    {"0x1e+jr_secret", 5, "'jr_secret'"},
};

static const hostile bracketed[] = {
    {"(a", 0, "has '(' in column 1: it is never closed"},
    {"((a)", 0, "never closed"},
    {"a)", 1, "has ')' in column 2: no bracket is open"},
    {"a) + (b", 1, "no bracket is open"},
    {"(a]", 2, "']' in column 3: x is one element"},
    {"a.index[4]", 7, "x is one element"},
    {"i[a.index]", 1, "x is one element"},
    {"[] (int x)", 0, "x is one element"},
    {"(x > 0 ? sqrtf : 0)(x)", 9, "it is a function, which can only be called"},
    {"(x > 0 ? y : 0)(x)", 15, "only a name can be called"},
    {"(a + b)(c)", 7, "only a name can be called; * multiplies"},
    {"((a + b))(c)", 9, "only a name can be called"},
    {"((x))(0)", 5, "only a name can be called"},
};

static const hostile worded[] = {
    {"__nanosleep(1000000)", 0, "'__nanosleep'"},
    {"a + my__name", 4, "the compiler's own"},
    {"__asm__(0)", 0, "the compiler's own"},
    {"_Generic(a, int: 1)", 0, "the compiler's own"},
    {"jr_limits", 0, "the library's own"},
    {"JR_BLOCK + 1", 0, "the library's own"},
    {"asm(0)", 0, "belongs to statements"},
    {"goto a", 0, "belongs to statements"},
    {"a + throw 1", 4, "'throw'"},
    {"return a", 0, "'return'"},
    {"co_await a", 0, "'co_await'"},
    {"new float", 0, "handles memory"},
    {"delete a", 0, "handles memory"},
    {"typeid(a)", 0, "belongs to declarations"},
    {"decltype(a)(b)", 0, "belongs to declarations"},
    {"operator+(a, b)", 0, "'operator'"},
    {"(const float)a", 1, "'const'"},
    {"reinterpret_cast<float>(a)", 0, "convert with float(x)"},
    {"this", 0, "it is a pointer"},
    {"(va_list)5", 1, "it is a pointer"},
    {"bitand a", 0, "write the operator's sign"},
    {"x and y", 2, "write the operator's sign"},
    {"printf(0)", 0, "it prints"},
    {"malloc(1 + x)", 0, "handles memory"},
    {"memcpy(0, 0, 8)", 0, "handles memory"},
    {"atomicAdd(0, 1)", 0, "'atomicAdd'"},
    {"tex1Dfetch<float>(1, i)", 0, "handles memory"},
    {"surf2Dread<int>(1, 2, 3)", 0, "handles memory"},
    {"cudaMalloc(0, 1)", 0, "handles memory"},
    {"frexp(x, 0)", 0, "it takes a pointer"},
    {"1 + sincosf(x, 0, 0)", 4, "it takes a pointer"},
    {"jn(2147483647, x)", 0, "for as long as"},
    {"assert(x)", 0, "it stops the kernel"},
    {"trap()", 0, "it stops the kernel"},
    {"clock64()", 0, "must not depend on the time"},
    {"x + threadIdx.x", 4, "must not depend on the thread"},
    {"blockIdx.x == 0 ? x : y", 0, "must not depend on the thread"},
};

static const hostile pointing[] = {
    {"a = b", 2, "'=' in column 3: it assigns, and an expression may only compute; == compares"},
    {"a += b", 2, "it assigns"},
    {"a <<= 1", 2, "'<<='"},
    {"x >>= 1", 2, "'>>='"},
    {"a++", 1, "'++'"},
    {"--a", 0, "'--'"},
    {"a--b", 1, "'--'"},
    {"a->key", 1, "goes through a pointer"},
    {"a.*key", 1, "goes through a pointer"},
    {"std::min(a, b)", 0, "write a function's name alone"},
    {"::combine(a, b)", 0, "out of reach"},
    {"a<<<1, 1>>>(a)", 1, "launches a kernel"},
    {"*a", 0, "'*' in column 1: nothing precedes it"},
    {"a + *b", 4, "nothing precedes it"},
    {"a * *b", 4, "nothing precedes it"},
    {"a ? *b : 0", 4, "nothing precedes it"},
    {"&a", 0, "nothing precedes it"},
    {"sqrt(&a)", 5, "nothing precedes it"},
    {"a < &&b", 4, "nothing precedes it"},
    {"sizeof *a", 7, "nothing precedes it"},
    {"(float)*a", 7, "nothing precedes it"},
    {"(unsigned long long)&a", 20, "nothing precedes it"},
    {"(int)(float)&a", 12, "nothing precedes it"},
    {"*(float*)a", 0, "nothing precedes it"},
    {"((float*)a)", 7, "'*' in column 8: nothing follows it"},
    {"((float(*)(float))64)(a)", 8, "nothing precedes it"},
    {"static_cast<float*>(a)", 17, "nothing follows it"},
    {"x<int*, 3>(a)", 5, "nothing follows it"},
    {"x<y<int*>>(a)", 7, "nothing follows it"},
    {"(float&)a", 6, "nothing follows it"},
    {"(double&&)a", 7, "nothing follows it"},
    {"(int(&)())a", 5, "nothing precedes it"},
    {"sizeof(int*?", 10, "nothing follows it"},
    {"a *", 2, "nothing follows it"},
};

static const jr_names all_names = {.what = "combine", .variables = "x y z w i a b n"};

static jr_status check(const char *text) {
    size_t weight = 0;
    return jr_expression_check(&all_names, text, &weight);
}

/* What the log must be: the expression, and a caret below the column; '?' for what cannot be shown. */
static void expect_caret(const char *text, size_t column) {
    char wanted[256];
    const size_t length = strlen(text);
    assert_true(2 * length + 8 < sizeof wanted);
    int at = snprintf(wanted, sizeof wanted, "  %s\n  ", text);
    for (int i = 2; i < 2 + (int)length; i++)
        if ((unsigned char)wanted[i] < 0x20 || (unsigned char)wanted[i] > 0x7e) wanted[i] = '?';
    for (size_t i = 0; i < column; i++) wanted[at++] = ' ';
    snprintf(wanted + at, sizeof wanted - (size_t)at, "^\n");
    assert_string_equal(jr_last_error()->log, wanted);
}

static void expect_refused(const hostile *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (check(rows[i].text) != JR_ERROR_INVALID_EXPRESSION) fail_msg("taken: %s", rows[i].text);
        const jr_error *error = jr_last_error();
        if (strstr(error->message, "the combine expression ") != error->message ||
            strstr(error->message, rows[i].why) == NULL)
            fail_msg("'%s' lacks '%s'", error->message, rows[i].why);
        expect_caret(rows[i].text, rows[i].column);
    }
}

TEST(characters_and_signs_that_make_no_expression_are_refused) {
    expect_refused(lexical, sizeof lexical / sizeof *lexical);
}

TEST(brackets_that_do_not_match_are_refused) {
    expect_refused(bracketed, sizeof bracketed / sizeof *bracketed);
}

TEST(words_with_effects_or_of_other_owners_are_refused) {
    expect_refused(worded, sizeof worded / sizeof *worded);
}

TEST(assignments_pointers_and_addresses_are_refused) {
    expect_refused(pointing, sizeof pointing / sizeof *pointing);
}

TEST(a_null_expression_is_as_an_empty_one) {
    assert_int_equal(check(NULL), JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->message, "the combine expression is empty"));
}

TEST(the_limits_of_length_and_depth_are_told_and_reached) {
    char text[JR_EXPRESSION_BYTES + 2], number[16];
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(check(text), JR_ERROR_INVALID_EXPRESSION);
    snprintf(number, sizeof number, "%d bytes", JR_EXPRESSION_BYTES);
    assert_non_null(strstr(jr_last_error()->message, number));
    assert_int_equal(strlen(jr_last_error()->log), 2 * (2 + JR_EXPRESSION_BYTES + 1) + 1);
    text[JR_EXPRESSION_BYTES] = '\0';
    assert_int_equal(check(text), JR_OK);

    const size_t depth = JR_EXPRESSION_DEPTH + 1;
    memset(text, '(', depth);
    text[depth] = '1';
    memset(text + depth + 1, ')', depth);
    text[2 * depth + 1] = '\0';
    assert_int_equal(check(text), JR_ERROR_INVALID_EXPRESSION);
    snprintf(number, sizeof number, "than %d", JR_EXPRESSION_DEPTH);
    assert_non_null(strstr(jr_last_error()->message, number));
    text[strlen(text) - 1] = '\0';
    assert_int_equal(check(text + 1), JR_OK);
}

TEST(a_long_word_is_cut_in_the_message) {
    assert_int_equal(check("__345678901234567890123456789012345678901234567890"), JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->message, "'__34567890123456789012345678901234567890...' in column 1"));
}

TEST(without_memory_the_reason_is_told_without_its_log) {
    fail_nth_begin(FAIL_MEMORY, 1);
    const jr_status status = check("x;");
    assert_true(fail_nth_end());
    assert_int_equal(status, JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->message, "has ';' in column 2"));
    assert_string_equal(jr_last_error()->log, "");
}

RUN_TESTS(NULL, NULL)
