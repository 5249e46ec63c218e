/* Calls of functions, and pairs of narrow numbers. */
#include <stdio.h>
#include <string.h>

#include "support/cases/machine_case.h"

/* Functions: parameters, recursion, calls through addresses, tables of branches, and printf. */

#define STORE " mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1], %r1;\n"
#define CALL(function)                                                                                                 \
    "{ .param .b32 p0; st.param.b32 [p0], %r1; .param .b32 q0; call.uni (q0), " function                               \
    ", (p0); ld.param.b32 %r1, [q0]; }\n"

/* f(n) = n < 2 ? n : f(n - 1) + f(n - 2), with its argument kept in local memory across the calls */
#define FIBONACCI                                                                                                      \
    ".func (.param .b32 r) fib(.param .b32 n)\n{\n .local .b32 kept; .reg .b32 %a<5>; .reg .pred %p; .reg .b64 %l;\n"  \
    " ld.param.b32 %a1, [n]; mov.u64 %l, kept; st.local.b32 [%l], %a1; setp.lt.u32 %p, %a1, 2; @%p bra OUT;\n"         \
    " add.s32 %a2, %a1, -1;\n { .param .b32 p; st.param.b32 [p], %a2; .param .b32 q; call.uni (q), fib, (p); "         \
    "ld.param.b32 %a3, [q]; }\n"                                                                                       \
    " ld.local.b32 %a2, [%l]; add.s32 %a2, %a2, -2;\n { .param .b32 p; st.param.b32 [p], %a2; .param .b32 q; "         \
    "call.uni (q), fib, (p); ld.param.b32 %a4, [q]; }\n"                                                               \
    " add.s32 %a1, %a3, %a4;\nOUT: st.param.b32 [r], %a1; ret;\n}\n"

static char *after_head(char *text, size_t bytes, const char *functions, const char *kernel) {
    snprintf(text, bytes, PTX "%s%s", functions, kernel + strlen(PTX));
    return text;
}

TEST(functions_recurse_with_diverged_lanes) {
    char text[8192];
    machine_case test = {
        .ptx = after_head(text, sizeof text, FIBONACCI, KERNEL " and.b32 %r1, %t, 15;\n" CALL("fib") STORE END),
        .block = 64};
    uint32_t fibonacci[16] = {0, 1};
    for (int i = 2; i < 16; i++) fibonacci[i] = fibonacci[i - 1] + fibonacci[i - 2];
    machine_good(&test);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[i], fibonacci[i % 16]);
}

TEST(endless_recursion_overflows_the_stack) {
    char text[8192];
    machine_case test = {
        .ptx = after_head(text, sizeof text, ".func f()\n{\n call f;\n ret;\n}\n", KERNEL " call f;" END)};
    machine_fails(&test, 719, "call stack overflow: kernel k in f, PTX line 6 'call f'");
}

/* A function that has so many bytes of its own; a thread of a GPU has 512 KiB of local memory. */
#define WIDE(name, bytes, inside)                                                                                      \
    ".func (.param .b32 r) " name "(.param .b32 n)\n{ .local .align 4 .b8 own[" bytes                                  \
    "]; .reg .b32 %r<3>; .reg .b64 %l; "                                                                               \
    "ld.param.b32 %r1, [n]; mov.u64 %l, own; st.local.b32 [%l + " bytes " - 4], %r1;\n" inside                         \
    " ld.local.b32 %r2, [%l + " bytes " - 4]; add.u32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret; }\n"

TEST(local_memory_of_a_lane_is_as_large_as_a_threads) {
    char text[8192];
    machine_case test = {.ptx = after_head(text, sizeof text,
                                           WIDE("inner", "200000", "") WIDE("outer", "300000", CALL("inner")),
                                           KERNEL " mov.u32 %r1, %t;\n" CALL("outer") STORE END)};
    machine_good(&test);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], 3 * i);
    test = (machine_case){.ptx = after_head(text, sizeof text,
                                            WIDE("inner", "250000", "") WIDE("outer", "300000", CALL("inner")),
                                            KERNEL " mov.u32 %r1, %t;\n" CALL("outer") STORE END)};
    machine_fails(&test, 719, "2 calls deep, 550048 bytes of local memory");
}

TEST(calls_through_addresses_take_each_lane_to_its_function) {
    char text[8192];
    const char *functions = ".func (.param .b32 r) twice(.param .b32 n)\n{ .reg .b32 %a; ld.param.b32 %a, [n]; shl.b32 "
                            "%a, %a, 1; st.param.b32 [r], %a; ret; }\n"
                            ".func (.param .b32 r) plus(.param .b32 n)\n{ .reg .b32 %a; ld.param.b32 %a, [n]; add.u32 "
                            "%a, %a, 100; st.param.b32 [r], %a; ret; }\n";
    machine_case test = {.ptx =
                             after_head(text, sizeof text, functions,
                                        KERNEL " mov.u32 %r1, %t; and.b32 %r2, %t, 1; setp.eq.u32 %p1, %r2, 0; mov.u64 "
                                               "%d2, twice; mov.u64 %d3, plus; selp.b64 %d4, %d2, %d3, %p1;\n"
                                               "PROTO: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                                               "{ .param .b32 p0; st.param.b32 [p0], %r1; .param .b32 q0; call (q0), "
                                               "%d4, (p0), PROTO; ld.param.b32 %r1, [q0]; }\n" STORE END)};
    machine_good(&test);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i % 2 ? i + 100 : 2 * i);
}

TEST(a_branch_table_takes_each_lane_to_its_label) {
    machine_case test = {.ptx = KERNEL
                         " rem.u32 %r2, %t, 3;\n T: .branchtargets A, B, C;\n brx.idx %r2, T;\n"
                         "A: mov.u32 %r1, 10; bra D;\nB: mov.u32 %r1, 20; bra D;\nC: mov.u32 %r1, 30;\nD:\n" STORE END};
    machine_good(&test);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], (i % 3 + 1) * 10);
}

TEST(printf_prints_whole_calls_lane_after_lane) {
    char text[8192];
    machine_case test = {
        .ptx = after_head(
            text, sizeof text,
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
            ".global .align 1 .b8 fmt[] = {0};\n" /* replaced below */,
            KERNEL " .local .align 8 .b8 depot[48]; .reg .b64 %SP;\n mov.u64 %SP, depot; cvta.local.u64 %d2, %SP; "
                   "mov.u64 %d3, fmt; cvta.global.u64 %d3, %d3; mov.u64 %d4, str; cvta.global.u64 %d4, %d4;\n"
                   " st.local.u32 [%SP], %t; st.local.u64 [%SP+8], -5; st.local.f64 [%SP+16], 0d3FF8000000000000; "
                   "st.local.u64 [%SP+24], %d4; st.local.u32 [%SP+32], 65;\n"
                   "{ .param .b64 p0; st.param.b64 [p0], %d3; .param .b64 p1; st.param.b64 [p1], %d2; .param .b32 q; "
                   "call.uni (q), vprintf, (p0, p1); ld.param.b32 %r1, [q]; }\n" STORE END),
        .block = 2};
    /* "%d %lld%% %.2f %s %c\n" and "hi" */
    char *at = strstr(text, ".global .align 1 .b8 fmt[] = {0};\n");
    char rest[8192];
    snprintf(rest, sizeof rest, "%s", at + strlen(".global .align 1 .b8 fmt[] = {0};\n"));
    snprintf(at, sizeof text - (size_t)(at - text), "%s%s",
             ".global .align 1 .b8 fmt[22] = {37,100,32,37,108,108,100,37,37,32,37,46,50,102,32,37,115,32,37,99,10};\n"
             ".global .align 1 .b8 str[3] = {104, 105};\n",
             rest);
    machine_good(&test);
    assert_string_equal(test.printed, "0 -5% 1.50 hi A\n1 -5% 1.50 hi A\n");
    assert_int_equal(test.words[0], 5);
}

/* Values of packed and newer arithmetic: pairs of 16 bits, relu, magnitudes, minima of three, szext, flushed sums. */

#define END_OF_PAIR "\n st.global.u32 [%w], %r1; st.global.u32 [%w+4], %r2;\n ret;\n}\n"

/* A body that gives %r1 and %r2, and what they must be. */
typedef struct value_case {
    const char *ptx;
    uint32_t first, second;
} value_case;

static void check(const value_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        machine_case test = {.ptx = cases[i].ptx, .block = 1};
        machine_good(&test);
        if (test.words[0] != cases[i].first || test.words[1] != cases[i].second)
            fail_msg("0x%x and 0x%x, not 0x%x and 0x%x, from %s", test.words[0], test.words[1], cases[i].first,
                     cases[i].second, strstr(cases[i].ptx, "ld.param"));
    }
}

TEST(pairs_of_integers_do_not_touch_each_other) {
    static const value_case cases[] = {
        {KERNEL
         "mov.u32 %r3, 0x1ffff; mov.u32 %r4, 0x10001; add.u16x2 %r1, %r3, %r4; add.s16x2 %r2, %r4, %r4;" END_OF_PAIR,
         0x00020000, 0x00020002},
        {KERNEL
         "mov.u32 %r3, 0xffff0001; mov.u32 %r4, 0x10002; min.u16x2 %r1, %r3, %r4; min.s16x2 %r2, %r3, %r4;" END_OF_PAIR,
         0x00010001, 0xffff0001},
        {KERNEL
         "mov.u32 %r3, 0xffff0001; mov.u32 %r4, 0x10002; max.u16x2 %r1, %r3, %r4; max.s16x2 %r2, %r3, %r4;" END_OF_PAIR,
         0xffff0002, 0x00010002},
        {KERNEL "mov.u32 %r3, 0x8000fffe; mov.u32 %r4, 0xffffffff; min.relu.s16x2 %r1, %r3, 0x50003; max.relu.s16x2 "
                "%r2, %r3, %r4;" END_OF_PAIR,
         0, 0},
        {KERNEL "mov.u32 %r3, 7; max.relu.s32 %r1, %r3, -8; min.relu.s32 %r2, %r3, -8;" END_OF_PAIR, 7, 0},
        {KERNEL "mov.u32 %r3, 0x1fa; szext.wrap.s32 %r1, %r3, 4; szext.clamp.u32 %r2, %r3, 40;" END_OF_PAIR, 0xfffffffa,
         0x1fa},
    };
    check(cases, sizeof cases / sizeof *cases);
}

TEST(pairs_of_floats_are_compared_half_by_half) {
    static const value_case cases[] = {
        /* (2, 1) against (1, 1), then with NaN in the upper half */
        {KERNEL
         "mov.u32 %r3, 0x40003c00; mov.u32 %r4, 0x3c003c00; setp.gt.f16x2 %p1|%p2, %r3, %r4; selp.u32 %r1, 1, 0, "
         "%p1; selp.u32 %r2, 1, 0, %p2;" END_OF_PAIR,
         0, 1},
        {KERNEL "mov.u32 %r3, 0x7fc03f80; mov.u32 %r4, 0x3f803f80; setp.leu.bf16x2 %p1|%p2, %r3, %r4; selp.u32 %r1, 1, "
                "0, %p1; set.le.bf16x2.bf16x2 %r2, %r3, %r4;" END_OF_PAIR,
         1, 0x3f80},
        /* the boolean operand is the register that is written first */
        {KERNEL "mov.u32 %r3, 0x3c004000; mov.u32 %r4, 0x3c003c00; setp.eq.u32 %p1, %r3, %r3; setp.eq.and.f16x2 "
                "%p1|%p2, %r3, %r4, %p1; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2;" END_OF_PAIR,
         0, 1},
        {KERNEL
         "mov.u32 %r3, 0x00010001; mov.u32 %r4, 0; set.ne.f16x2.f16x2 %r1, %r3, %r4; set.ne.ftz.f16x2.f16x2 %r2, "
         "%r3, %r4;" END_OF_PAIR,
         0x3c003c00, 0},
    };
    check(cases, sizeof cases / sizeof *cases);
}

TEST(relu_and_magnitudes_follow_the_manual) {
    static const value_case cases[] = {
        /* -1 * 1 + 0 in the lower half, 2 * 1 + 0 in the upper one; NaN stays the one NaN */
        {KERNEL
         "mov.u32 %r3, 0x4000bc00; mov.u32 %r4, 0x3c003c00; mov.u32 %r5, 0; fma.rn.relu.f16x2 %r1, %r3, %r4, %r5; "
         "mov.u32 %r3, 0xffc0bf80; mov.u32 %r4, 0x3f803f80; fma.rn.relu.bf16x2 %r2, %r3, %r4, %r5;" END_OF_PAIR,
         0x40000000, 0x7fff0000},
        {KERNEL "mov.f32 %r3, 0fC0400000; mov.f32 %r4, 0f40000000; min.xorsign.abs.f32 %r1, %r3, %r4; "
                "max.xorsign.abs.f32 %r2, %r3, %r3;" END_OF_PAIR,
         0xc0000000, 0x40400000},
        {KERNEL "mov.u32 %r3, 0xc2004200; mov.u32 %r4, 0x40007e00; min.xorsign.abs.f16x2 %r1, %r3, %r4; "
                "max.NaN.xorsign.abs.f16x2 %r2, %r3, %r4;" END_OF_PAIR,
         0xc0004200, 0xc2007fff},
    };
    check(cases, sizeof cases / sizeof *cases);
}

TEST(minima_of_three_need_a_newer_target) {
    static const char three[] =
        ".version 9.0\n.target sm_100\n.address_size 64\n.visible .entry k(.param .u64 words)\n{\n .reg .f32 %f<4>; "
        ".reg .b32 %r<4>; .reg .b64 %w;\n ld.param.u64 %w, [words]; mov.f32 %f1, 0f40000000; mov.f32 %f2, 0fC0400000; "
        "mov.f32 %f3, 0f7FC00000; min.f32 %r1, %f1, %f2, %f3; max.NaN.abs.f32 %r2, %f1, %f2, %f1;" END_OF_PAIR;
    static const value_case cases[] = {{three, 0xc0400000, 0x40400000}};
    check(cases, 1);
    machine_refuses(KERNEL "min.f32 %r1, %r2, %r3, %r4;" END_OF_PAIR, "three sources needs .target sm_100");
    machine_refuses(KERNEL "min.u32 %r1, %r2, %r3, %r4;" END_OF_PAIR, "'min.u32' takes 3 operands");
}

/* 2^-149 added to 0 */
TEST(sums_in_global_memory_flush_subnormals_and_those_in_shared_memory_do_not) {
    static const value_case cases[] = {
        {KERNEL ".shared .b32 s; mov.u32 %r3, 1; mov.u32 %r4, 0; st.shared.u32 [s], %r4; st.global.u32 [%w+8], %r4; "
                "red.shared.add.f32 [s], %r3; red.global.add.f32 [%w+8], %r3; ld.shared.u32 %r1, [s]; ld.global.u32 "
                "%r2, [%w+8];" END_OF_PAIR,
         1, 0},
        {KERNEL ".shared .b32 s; mov.u32 %r3, 1; mov.u32 %r4, 0x80000002; st.shared.u32 [s], %r4; st.global.u32 "
                "[%w+8], %r4; cvta.shared.u64 %d1, s; atom.add.f32 %r5, [%d1], %r3; atom.add.f32 %r6, [%w+8], %r3; "
                "ld.shared.u32 %r1, [s]; ld.global.u32 %r2, [%w+8];" END_OF_PAIR,
         0x80000001, 0},
    };
    check(cases, sizeof cases / sizeof *cases);
}

RUN_TESTS(NULL, NULL)
