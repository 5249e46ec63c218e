/* Constants may be expressions, as in C: the simulator took literals alone and called the module invalid. What is
 * expected is what ptxas makes of the same text. */
#include <stdio.h>

#include "support/cases/machine_case.h"

/* Thread 0 stores the constant as 64 bits. */
static uint64_t value_of(const char *type, const char *expression) {
    static char ptx[4096];
    static machine_case test;
    snprintf(ptx, sizeof ptx,
             "%s .reg .b64 %%v; mov.b64 %%v, 0; mov.%s %%v, %s; setp.eq.u32 %%p1, %%t, 0; @%%p1 st.global.b64 [%%w], "
             "%%v;" END,
             KERNEL, type, expression);
    test = (machine_case){.ptx = ptx};
    machine_good(&test);
    return test.words[0] | (uint64_t)test.words[1] << 32;
}

static void refuses(const char *expression, const char *words) {
    static char ptx[4096];
    snprintf(ptx, sizeof ptx, "%s .reg .b64 %%v; mov.b64 %%v, %s;" END, KERNEL, expression);
    machine_refuses(ptx, words);
}

TEST(integers_are_as_in_c) {
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"1<<4", 16},
                 {"(1<<4)+2", 18},
                 {"1<<4|2", 18},
                 {"7/2", 3},
                 {"-7/2", (uint64_t)-3},
                 {"7 % 4", 3},
                 {"-7 % 4", (uint64_t)-3},
                 {"7>3?1:2", 1},
                 {"0 ? 1 : 2", 2},
                 {"1?0?4:5:3", 5},
                 {"(1?2:3)+1", 3},
                 {"!3", 0},
                 {"!0", 1},
                 {"~3&0xff", 0xfc},
                 {"3^1", 2},
                 {"1 | 2", 3},
                 {"3 && 0", 0},
                 {"3||0", 1},
                 {"5==5", 1},
                 {"5!=5", 0},
                 {"10-3-2", 5},
                 {"2+3*4", 14},
                 {"(2+3)*4", 20},
                 {"-(4)", (uint64_t)-4},
                 {"--3", 3},
                 {"+3", 3},
                 {"WARP_SZ*2-1", 63},
                 {"-WARP_SZ", (uint64_t)-32},
                 {"(.s64)-3", (uint64_t)-3},
                 {"0b101+1", 6},
                 {"1<<63", UINT64_C(1) << 63},
                 {"1<<64", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (value_of("b64", cases[k].text) != cases[k].value) fail_msg("%s", cases[k].text);
}

/* A literal is signed unless it has a U or does not fit; what it meets becomes unsigned, too. */
TEST(signs_are_as_in_c) {
    assert_int_equal(value_of("b64", "-1>>28"), UINT64_MAX);
    assert_int_equal(value_of("b64", "(.u64)-1>>28"), UINT64_C(0xfffffffff));
    assert_int_equal(value_of("b64", "0xffffffffffffffff>>60"), 15);
    assert_int_equal(value_of("b64", "-1 < 1"), 1);
    assert_int_equal(value_of("b64", "-1 < 1U"), 0);
    assert_int_equal(value_of("b64", "-1 < 0xffffffffffffffff"), 0);
    assert_int_equal(value_of("b64", "0x8000000000000000/2"), UINT64_C(1) << 62);
    assert_int_equal(value_of("b64", "-7 % 4U"), 1);
    assert_int_equal(value_of("b64", "(.s64)(1U-2)/2"), 0);
    assert_int_equal(value_of("b64", "(-9223372036854775807-1)/-1"), UINT64_C(1) << 63);
    assert_int_equal(value_of("b64", "(-9223372036854775807-1)%-1"), 0);
}

TEST(floats_are_doubles) {
    assert_int_equal(value_of("f64", "1.5+2.5"), UINT64_C(0x4010000000000000));
    assert_int_equal(value_of("f64", "3.0*2.5-(1.0/4.0)"), UINT64_C(0x401d000000000000));
    assert_int_equal(value_of("f64", "-0.0"), UINT64_C(1) << 63);
    assert_int_equal(value_of("b64", "1.5>1.0"), 1);
    refuses("1.5+2", "an integer and a float in one expression");
    refuses("!1.5", "an integer is needed");
    refuses("1.5|2.5", "an integer is needed");
    refuses("0f3f800000+1.0", "0f");
}

TEST(what_is_no_constant_is_told) {
    static char deep[3000];
    refuses("5/0", "division by zero");
    refuses("5 % 0", "division by zero");
    refuses("(5", "')' expected");
    refuses("1 ? 2", "':' expected");
    refuses("1 +", "a constant expected");
    refuses("1 + %d1", "a constant expected");
    refuses("-%d1", "a constant expected");
    for (size_t k = 0; k < sizeof deep - 1; k++) deep[k] = '(';
    refuses(deep, "inside each other");
    for (size_t k = 0; k < sizeof deep - 1; k++) deep[k] = '~';
    refuses(deep, "inside each other");
}

/* Wherever a constant may stand: offsets, vectors, masks, initial values, arguments. */
TEST(expressions_stand_where_constants_do) {
    static machine_case test;
    test = (machine_case){
        .ptx =
            PTX ".global .align 8 .u32 g[7] = {1+2, (3<<2)|1, ~0, -(4), 7/2, WARP_SZ*2, 0}; .global .u32 h[WARP_SZ];\n"
                ".global .u64 a[2] = {g+4*2, generic(g)+(8)};\n"
                ".visible .entry k(.param .u64 words) { .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p;\n"
                " ld.param.u64 %d1, [words+1-1]; ld.global.u32 %r1, [g+4*2-4]; st.global.u32 [%d1], %r1;\n"
                " ld.global.u32 %r1, [g+2*4]; st.global.u32 [%d1+4|0], %r1; mov.u64 %d2, g; add.s64 %d2, %d2, 16;\n"
                " ld.global.v2.u32 {%r1, %r2}, [%d2+-(16)+(1?8:4)]; st.global.v2.u32 [%d1+1<<3], {%r2, 2+3};\n"
                " shfl.sync.idx.b32 %r3, %r2, 0, WARP_SZ-1, ~0; st.global.u32 [%d1+16], %r3;\n"
                " ld.global.u64 %d3, [a+8]; ld.global.u64 %d4, [a]; sub.s64 %d3, %d3, %d4; ld.global.u32 %r4, [%d4];\n"
                " cvt.u32.u64 %r5, %d3; st.global.v2.u32 [%d1+24], {%r4, %r5}; bar.sync 1+1, 32*1;\n"
                " mov.b64 %d5, {1+2, 3*3}; st.global.u64 [%d1+32], %d5; st.global.u32 [%d1+40], 20/4;" END};
    machine_good(&test);
    static const uint32_t expected[] = {13, UINT32_MAX, (uint32_t)-4, 5, (uint32_t)-4, 0, UINT32_MAX, 0, 3, 9, 5};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) assert_int_equal(test.words[k], expected[k]);
}

RUN_TESTS(NULL, NULL)
