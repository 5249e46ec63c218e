/* What lanes, warps and memory exchange: shuffles, votes, reductions, barriers with results, atomics, wide accesses. */
#include <stdio.h>
#include <string.h>

#include "support/cases/machine_case.h"

#define STORE " mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1], %r1;"

static void run(machine_case *test, const char *ptx, unsigned block) {
    memset(test, 0, sizeof *test);
    test->ptx = ptx;
    test->block = block;
    machine_good(test);
}

TEST(shuffles_move_values_and_say_what_was_inside) {
    machine_case test;
#define SHUFFLE(mode, b, c)                                                                                            \
    KERNEL " shfl.sync." mode ".b32 %r1|%p1, %t, " b ", " c ", -1; @!%p1 add.u32 %r1, %r1, 1000;\n" STORE END
    run(&test, SHUFFLE("down", "4", "31"), 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i + 4 < 32 ? i + 4 : i + 1000);
    run(&test, SHUFFLE("up", "3", "0"), 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i >= 3 ? i - 3 : i + 1000);
    run(&test, SHUFFLE("bfly", "5", "31"), 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i ^ 5);
    run(&test, SHUFFLE("idx", "9", "31"), 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], 9);
    run(&test, SHUFFLE("down", "2", "0x181f"), 32); /* segments of 8 lanes */
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i % 8 < 6 ? i + 2 : i + 1000);
    run(&test, SHUFFLE("idx", "1", "0x181f"), 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i / 8 * 8 + 1);
}

TEST(votes_and_matches_see_all_lanes) {
    machine_case test;
    run(&test,
        KERNEL
        " setp.lt.u32 %p1, %t, 5; vote.sync.ballot.b32 %r1, %p1, -1; vote.sync.any.pred %p2, %p1, -1; "
        "vote.sync.all.pred %p3, !%p1, -1; @%p2 add.u32 %r1, %r1, 1000; @%p3 add.u32 %r1, %r1, 5000;\n" STORE END,
        32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], 31 + 1000);
    run(&test, KERNEL " and.b32 %r2, %t, 3; match.any.sync.b32 %r1, %r2, -1;\n" STORE END, 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], 0x11111111u << (i % 4));
    run(&test,
        KERNEL " mov.u64 %d2, 7; match.all.sync.b64 %r1|%p1, %d2, -1; @!%p1 mov.u32 %r1, 1; elect.sync %r2|%p2, -1; "
               "@%p2 mov.u32 %r1, 5;\n" STORE END,
        32);
    assert_int_equal(test.words[0], 5);
    assert_int_equal(test.words[1], 0xffffffffu);
}

TEST(redux_reduces_in_every_operation) {
    static const struct {
        const char *ptx;
        uint32_t result;
    } cases[] = {
#define REDUX(form) KERNEL " sub.s32 %r2, %t, 3; redux.sync." form " %r1, %r2, -1;\n" STORE END
        {REDUX("add.s32"), 31 * 32 / 2 - 96},
        {REDUX("min.s32"), (uint32_t)-3},
        {REDUX("max.s32"), 28},
        {REDUX("min.u32"), 0},
        {REDUX("max.u32"), 0xffffffffu},
        {REDUX("and.b32"), 0},
        {REDUX("or.b32"), 0xffffffffu},
        {REDUX("xor.b32"), 0xfffffffdu ^ 0xfffffffeu ^ 0xffffffffu ^ 28}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        machine_case test;
        run(&test, cases[i].ptx, 32);
        for (uint32_t lane = 0; lane < 32; lane++) assert_int_equal(test.words[lane], cases[i].result);
    }
}

/* Odd and even lanes come to one shuffle with masks of their own; then the halves of a warp by two roads. */
TEST(diverged_groups_wait_for_each_other_at_a_shuffle) {
    machine_case test;
    run(&test,
        KERNEL " and.b32 %r3, %t, 1; setp.eq.u32 %p1, %r3, 0; mov.u32 %r2, 0xaaaaaaaa; @%p1 mov.u32 %r2, 0x55555555; "
               "or.b32 %r4, %r3, 30;\n"
               " shfl.sync.idx.b32 %r1, %t, %r4, 31, %r2;\n" STORE END,
        32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], 30 + i % 2);
    run(&test,
        KERNEL " setp.lt.u32 %p1, %t, 16; @%p1 bra TWO; mov.u32 %r2, 1; bra MEET;\nTWO: add.u32 %r2, %t, 2;\n"
               "MEET: shfl.sync.bfly.b32 %r1, %r2, 16, 31, -1;\n" STORE END,
        32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i < 16 ? 1 : i - 16 + 2);
}

TEST(barriers_reduce_over_the_block) {
    machine_case test;
    run(&test,
        KERNEL " setp.lt.u32 %p1, %t, 40; bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred "
               "%p3, 0, %p1; bar.red.and.pred %p4, 0, !%p5;\n"
               " @%p2 add.u32 %r1, %r1, 100; @%p3 add.u32 %r1, %r1, 1000; @%p4 add.u32 %r1, %r1, 10000; barrier.sync "
               "3;\n" STORE END,
        96);
    for (uint32_t i = 0; i < 96; i++) assert_int_equal(test.words[i], 11040);
    run(&test,
        KERNEL " .shared .u32 s; setp.gt.u32 %p1, %t, 31; @%p1 bra WAIT; setp.eq.u32 %p2, %t, 0; @%p2 st.shared.u32 "
               "[s], 77; bar.arrive 1, 64; ret;\n"
               "WAIT: bar.sync 1, 64; ld.shared.u32 %r1, [s];\n" STORE END,
        64);
    assert_int_equal(test.words[40], 77);
}

TEST(atomics_return_the_old_value_and_keep_every_update) {
    machine_case test;
    run(&test,
        KERNEL
        " atom.global.add.u32 %r1, [%w+512], 2; red.global.max.s32 [%w+516], %t; red.global.add.f32 [%w+520], "
        "0f3F800000; add.s64 %d2, %w, 524; red.inc.u32 [%d2], 9;\n"
        " cvt.rn.f64.u32 %d3, %t; red.global.add.f64 [%w+528], %d3; red.global.or.b32 [%w+536], %t; "
        "red.global.add.noftz.f16x2 [%w+540], %r5; mov.u64 %d4, 1; atom.global.add.u64 %d5, [%w+544], %d4;\n" STORE END,
        32);
    double sum;
    memcpy(&sum, &test.words[132], sizeof sum);
    uint64_t old = 0;
    for (uint32_t i = 0; i < 32; i++) old += test.words[i];
    assert_int_equal(old, 2 * 31 * 32 / 2);
    assert_int_equal(test.words[128], 64);
    assert_int_equal(test.words[129], 31);
    assert_int_equal(test.words[130], 0x42000000); /* 32.0f */
    assert_int_equal(test.words[131], 2);          /* 32 increments wrapping at 9: 32 mod 10 */
    assert_true(sum == 496);                       /* 0 + 1 + ... + 31 */
    assert_int_equal(test.words[134], 31);
    assert_int_equal(test.words[136], 32);
}

TEST(generic_addresses_reach_every_window) {
    machine_case test;
    run(&test,
        KERNEL
        " .shared .u32 s[32]; .local .u32 l[2]; mov.u64 %d2, s; cvta.shared.u64 %d2, %d2; mul.wide.u32 %d3, %t, 4; "
        "add.s64 %d2, %d2, %d3; st.u32 [%d2], %t; ld.u32 %r1, [%d2];\n"
        " mov.u64 %d4, l; cvta.local.u64 %d4, %d4; st.u32 [%d4+4], 7; ld.u32 %r2, [%d4+4]; add.u32 %r1, %r1, %r2; "
        "isspacep.shared %p1, %d2; @%p1 add.u32 %r1, %r1, 100; isspacep.global %p2, %w; @%p2 add.u32 %r1, %r1, 1000;\n"
        " mov.b64 %d5, words; cvta.param.u64 %d5, %d5; ld.u64 %d6, [%d5]; setp.eq.u64 %p3, %d6, %w; @%p3 add.u32 %r1, "
        "%r1, 10000;\n" STORE END,
        32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i + 11107);
}

TEST(vectors_and_narrow_elements_are_loaded_and_stored) {
    machine_case test = {.ptx = KERNEL
                         " mul.wide.u32 %d1, %t, 16; add.s64 %d1, %d1, %w; ld.global.nc.L1::no_allocate.v4.f32 "
                         "{%r1,%r2,%r3,%r4}, [%d1];\n"
                         " add.u32 %r1, %r1, %r2; add.u32 %r3, %r3, %r4; st.global.v2.u32 [%d1+8192], {%r1, %r3};\n"
                         " mul.wide.u32 %d2, %t, 2; add.s64 %d2, %d2, %w; ld.global.s8 %r5, [%d2+1]; ld.global.v2.u8 "
                         "{%h1,%h2}, [%d2]; mov.b32 %r6, {%h1,%h2}; st.global.v2.b32 [%d1+10240], {%r5,%r6};\n"
                         " ld.global.v2.b64 {%d3,%d4}, [%d1]; st.global.b64 [%d1+12288], %d4;" END};
    for (uint32_t i = 0; i < 128; i++) test.words[i] = i * 0x01010183u;
    const uint8_t *bytes = (const uint8_t *)test.words;
    machine_good(&test);
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t *in = &test.words[4 * i];
        assert_int_equal(test.words[2048 + 4 * i], in[0] + in[1]);
        assert_int_equal(test.words[2048 + 4 * i + 1], in[2] + in[3]);
        assert_int_equal(test.words[2560 + 4 * i], (uint32_t)(int8_t)bytes[2 * i + 1]);
        assert_int_equal(test.words[2560 + 4 * i + 1], bytes[2 * i] | (uint32_t)bytes[2 * i + 1] << 16);
        assert_int_equal(test.words[3072 + 4 * i], in[2]);
    }
}

TEST(wide_words_are_exchanged_whole) {
    machine_case test;
    run(&test,
        KERNEL
        " .reg .b128 %q<4>; mov.u64 %d2, 5; mov.u64 %d3, 6; mov.b128 %q1, {%d2, %d3}; st.relaxed.gpu.global.b128 "
        "[%w+64], %q1; ld.relaxed.gpu.global.b128 %q2, [%w+64]; mov.b128 {%d4, %d5}, %q2;\n"
        " atom.global.cas.b128 %q3, [%w+64], %q1, %q2; st.global.v2.u64 [%w], {%d4, %d5};" END,
        1);
    assert_int_equal(test.words[0], 5);
    assert_int_equal(test.words[2], 6);
    assert_int_equal(test.words[18], 6);
}

TEST(carries_run_through_long_numbers) {
    machine_case test;
    run(&test,
        KERNEL " mov.u32 %r1, 0xffffffff; mov.u32 %r2, 1; add.cc.u32 %r3, %r1, %r2; addc.u32 %r4, 5, 0; sub.cc.u32 "
               "%r5, 0, 1; subc.u32 %r6, 9, 0; mad.lo.cc.u32 %r7, %r1, 2, 3; madc.hi.u32 %r8, %r1, 2, 10;\n"
               " st.global.v4.u32 [%w], {%r3,%r4,%r5,%r6}; st.global.v2.u32 [%w+16], {%r7,%r8};" END,
        1);
    const uint32_t expected[] = {0, 6, 0xffffffff, 8, 1, 12};
    for (size_t i = 0; i < 6; i++) assert_int_equal(test.words[i], expected[i]);
}

TEST(dynamic_shared_memory_follows_the_static) {
    static const char kernel[] = KERNEL
        " .shared .b8 s[20]; mov.u32 %r2, dyn; st.shared.u32 [dyn+4], 9; ld.shared.u32 %r3, [%r2+4]; mov.u32 "
        "%r4, %dynamic_smem_size; mov.u32 %r5, %total_smem_size;\n st.global.v4.u32 [%w], {%r2,%r3,%r4,%r5};" END;
    char text[4096];
    snprintf(text, sizeof text, PTX ".extern .shared .align 16 .b8 dyn[];\n%s", kernel + strlen(PTX));
    machine_case test = {.ptx = text, .block = 1, .shared_bytes = 64};
    machine_good(&test);
    const uint32_t expected[] = {32, 9, 64, 96};
    for (size_t i = 0; i < 4; i++) assert_int_equal(test.words[i], expected[i]);
}

RUN_TESTS(NULL, NULL)
