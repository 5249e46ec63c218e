/* Values of packed and newer arithmetic: pairs of 16 bits, relu, magnitudes, minima of three, szext, flushed sums. */
#include <string.h>

#include "support/cases/machine_case.h"

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
