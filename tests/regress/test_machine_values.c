/* Values as a GPU computes them, whatever the caller's own modes. */
#include <fenv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

#include "support/cases/machine_case.h"

/* What NVRTC makes of ordinary CUDA C and ptxas takes, and the simulator refused, or read otherwise: most instructions
 * ignored a ! before a predicate. Expected values follow from the manual's definitions. */
static void check(const char *ptx, uint32_t expected) {
    const machine_case *test = machine_made(ptx);
    assert_int_equal(test->words[5], expected); /* thread 5: %p1 holds, %p2 does not */
}

/* %p1: the thread is odd, %p2: it is more than 5 */
#define PREDICATES KERNEL " and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 1; setp.gt.u32 %p2, %t, 5;"
#define SHOW       " selp.u32 %r0, 7, 9, %p3;" OUT_R0

TEST(a_predicate_that_is_read_may_be_negated) {
    check(PREDICATES " mov.pred %p3, !%p1;" SHOW, 9);
    check(PREDICATES " and.pred %p3, %p1, !%p2;" SHOW, 7);
    check(PREDICATES " or.pred %p3, !%p1, %p2;" SHOW, 9);
    check(PREDICATES " xor.pred %p3, !%p1, !%p2;" SHOW, 7);
    check(PREDICATES " not.pred %p3, !%p2;" SHOW, 9);
    check(PREDICATES " setp.eq.and.u32 %p3, %t, 5, !%p2;" SHOW, 7);
    check(PREDICATES " setp.eq.or.u32 %p3, %t, 4, !%p1;" SHOW, 9);
    check(PREDICATES " selp.u32 %r0, 7, 9, !%p1;" OUT_R0, 9);
    check(PREDICATES " vote.sync.ballot.b32 %r0, !%p1, -1;" OUT_R0, 0x55555555);
    check(PREDICATES " bar.red.popc.u32 %r0, 0, !%p2;" OUT_R0, 6);
    machine_refuses(KERNEL " add.u32 %r1, !%r2, 3;" END, "a ! before something that is not a predicate");
    machine_refuses(KERNEL " setp.eq.u32 !%p1, %r1, 3;" END, "a ! is not allowed here");
}

TEST(votes_take_their_words_in_both_orders) {
    check(PREDICATES " vote.ballot.sync.b32 %r0, %p1, -1;" OUT_R0, 0xaaaaaaaa);
    check(PREDICATES " vote.sync.ballot.b32 %r0, %p1, -1;" OUT_R0, 0xaaaaaaaa);
    check(PREDICATES " vote.any.sync.pred %p3, %p1, -1;" SHOW, 7);
    check(PREDICATES " vote.all.sync.pred %p3, %p1, -1;" SHOW, 9);
    check(PREDICATES " vote.uni.sync.pred %p3, %p1, -1;" SHOW, 9);
}

/* libcu++ writes the operation before ordering and scope. */
TEST(atomics_take_their_words_in_any_order) {
    assert_int_equal(machine_made(KERNEL " atom.add.relaxed.gpu.s32 %r0, [%w], 3;" END)->words[0], 96);
    assert_int_equal(machine_made(KERNEL " atom.max.acquire.gpu.global.s32 %r0, [%w], %t;" END)->words[0], 31);
    assert_int_equal(machine_made(KERNEL " red.or.release.cta.b32 [%w], %t;" END)->words[0], 31);
    assert_int_equal(machine_made(KERNEL " atom.cas.acquire.gpu.b32 %r0, [%w], 0, 8;" END)->words[0], 8);
    machine_lacks(KERNEL " atom.add.relaxed.relaxed.gpu.s32 %r0, [%w], 3;" END, "is not supported");
}

#define VECTOR KERNEL " .reg .f32 %f<9>; .reg .b16 %g<9>; mov.f32 %f1, 0f3f800000; mov.f32 %f2, 0f40000000;"

TEST(atomics_add_vectors) {
    const machine_case *test =
        machine_made(VECTOR " red.global.add.v2.f32 [%w], {%f1, %f2};"
                            " atom.global.add.v4.f32 {%f3, %f4, %f5, %f6}, [%w+16], {%f1, %f2, %f2, %f1};" END);
    const uint32_t sums[] = {0x42000000, 0x42800000, 0, 0, 0x42000000, 0x42800000, 0x42800000, 0x42000000, 0};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) assert_int_equal(test->words[k], sums[k]);
    /* 1.0 and 2.0 in f16, in bf16; a register may be added and hold what was there */
    test = machine_made(VECTOR
                        " setp.ne.u32 %p1, %t, 5; @%p1 bra L; mov.b16 %g1, 0x3c00; mov.b16 %g2, 0x4000; "
                        "red.global.add.noftz.v2.f16 [%w], {%g1, %g2}; atom.global.add.noftz.v2.f16 {%g1, %g2}, [%w], "
                        "{%g2, %g1}; mov.b32 %r0, {%g1, %g2}; st.global.u32 [%w+8], %r0; mov.b32 %r1, 0x40003f80; "
                        "red.global.add.noftz.v2.bf16x2 [%w+16], {%r1, %r1}; L:" END);
    assert_int_equal(test->words[0], 0x42004200); /* 1 + 2, 2 + 1 */
    assert_int_equal(test->words[2], 0x40003c00);
    assert_int_equal(test->words[4], 0x40003f80);
    assert_int_equal(test->words[5], 0x40003f80);
    machine_refuses(VECTOR " red.global.add.v2.f32 [%w], {%f1, %f2, %f1};" END, "3 registers for 2 elements");
    machine_lacks(VECTOR " red.shared.add.v2.f32 [%r1], {%f1, %f2};" END, "is not supported");
}

TEST(comparisons_of_pairs_give_masks) {
    /* {2.0, 1.0} and {2.0, NaN} */
    check(KERNEL " mov.b32 %r1, 0x40003c00; mov.b32 %r2, 0x40007fff; set.eq.u32.f16x2 %r0, %r1, %r2;" OUT_R0,
          0xffff0000);
    check(KERNEL " mov.b32 %r1, 0x40003c00; mov.b32 %r2, 0x40007fff; set.neu.s32.f16x2 %r0, %r1, %r2;" OUT_R0, 0xffff);
    check(KERNEL " mov.b32 %r1, 0x40003f80; mov.b32 %r2, 0x40007fff; set.equ.u32.bf16x2 %r0, %r1, %r2;" OUT_R0,
          0xffffffff);
}

static uint32_t differences(uint32_t a, uint32_t b, int sign, uint32_t *sum) {
    uint32_t bytes = 0;
    for (unsigned k = 0; k < 32; k += 8) {
        const uint8_t x = (uint8_t)(a >> k), y = (uint8_t)(b >> k);
        const int apart = sign ? abs((int8_t)x - (int8_t)y) : abs(x - y);
        bytes |= (uint32_t)(apart & 255) << k;
        *sum += (uint32_t)apart;
    }
    return bytes;
}

#define ABSDIFF(type, add)                                                                                             \
    KERNEL " mad.lo.u32 %r1, %t, 0x9e3779b9, 0x7f4a7c15; mad.lo.u32 %r2, %t, 0x85ebca6b, 0x80ff017f;"                  \
           " vabsdiff4.u32." type "." type add " %r0, %r1, %r2, %t;" OUT_R0

TEST(bytes_apart_are_those_of_the_manual) {
    const char *const texts[2][2] = {{ABSDIFF("u32", ""), ABSDIFF("u32", ".add")},
                                     {ABSDIFF("s32", ""), ABSDIFF("s32", ".add")}};
    for (int sign = 0; sign < 2; sign++) {
        for (int add = 0; add < 2; add++) {
            const machine_case *test = machine_made(texts[sign][add]);
            for (uint32_t t = 0; t < 32; t++) {
                uint32_t sum = t;
                const uint32_t bytes =
                    differences(t * 0x9e3779b9u + 0x7f4a7c15u, t * 0x85ebca6bu + 0x80ff017fu, sign, &sum);
                assert_int_equal(test->words[t], add ? sum : bytes);
            }
        }
    }
}

#define RESERVED "%reserved_smem_offset_"

/* Cooperative groups keep their words there, after the kernel's own shared memory; they start as zeros. */
TEST(the_systems_shared_memory_exists) {
    const machine_case *test = machine_made(
        KERNEL " .shared .align 4 .b8 s[20]; mov.u32 %r1, s; st.shared.u32 [%r1+16], %t; mov.u32 %r2, " RESERVED
               "begin; mov.u32 %r3, " RESERVED "end; mov.u32 %r4, " RESERVED "cap; mov.u32 %r5, " RESERVED
               "0; mov.u32 %r6, " RESERVED "1; st.global.v4.u32 [%w], {%r2, %r3, %r4, %r5}; st.global.u32 [%w+16], "
               "%r6; cvt.u64.u32 %d1, %r6; cvta.shared.u64 %d1, %d1; ld.u32 %r7, [%d1+284]; atom.add.u32 %r8, "
               "[%d1], 1; bar.sync 0; ld.shared.u32 %r9, [%r6]; mov.u32 %r10, %total_smem_size; st.global.v4.u32 "
               "[%w+32], {%r7, %r9, %r10, %r10};" END);
    const uint32_t *w = test->words;
    assert_true(w[0] >= 20 && w[1] == w[0] + w[2] && w[3] >= w[0] && w[4] + 288 <= w[1]);
    assert_int_equal(w[8], 0);
    assert_int_equal(w[9], 32);
    assert_int_equal(w[10], 20);
}

TEST(who_does_not_name_it_does_not_have_it) {
    machine_case test = {.ptx = KERNEL " .shared .align 4 .b8 s[16]; mov.u32 %r1, s; ld.shared.u32 %r2, [%r1+16];" END};
    machine_fails(&test, 719, "past the end of shared memory");
}

TEST(a_block_is_a_cluster_of_one) {
    const machine_case *test = machine_made(
        KERNEL " mov.u32 %r1, %cluster_ctaid.x; mov.u32 %r2, %cluster_nctaid.y; mov.u32 %r3, %cluster_nctarank; "
               "mov.u32 %r4, %cluster_ctarank; st.global.v4.u32 [%w], {%r1, %r2, %r3, %r4}; pmevent 1; pmevent.mask "
               "3;" END);
    const uint32_t expected[] = {0, 1, 1, 0};
    for (size_t k = 0; k < 4; k++) assert_int_equal(test->words[k], expected[k]);
}

/* There is one carry flag: a subtraction sets it when nothing is borrowed, and whatever reads it next may be of another
 * kind. The simulator kept a borrow in it, so that only chains of one kind were right. Expected values are an H100's.
 */

#define OUT " st.global.u32 [%w], %r0;" END

static void gives(const char *ptx, uint32_t expected) {
    static machine_case test;
    test = (machine_case){.ptx = ptx};
    machine_good(&test);
    assert_int_equal(test.words[0], expected);
}

/* Operands come from memory, which holds zeros, so that a compiler could not fold them. */
#define CHAIN KERNEL " ld.global.u32 %r1, [%w]; add.u32 %r2, %r1, 1; add.u32 %r3, %r1, 2; add.u32 %r5, %r1, 5;"

TEST(a_subtraction_without_borrow_sets_the_flag) {
    gives(CHAIN " sub.cc.u32 %r7, %r2, %r3; addc.u32 %r0, %r1, %r1;" OUT, 0);
    gives(CHAIN " sub.cc.u32 %r7, %r3, %r2; addc.u32 %r0, %r1, %r1;" OUT, 1);
    gives(CHAIN " sub.cc.u32 %r7, %r3, %r3; addc.u32 %r0, %r1, %r1;" OUT, 1);
    gives(CHAIN " sub.cc.u32 %r7, %r3, %r2; madc.lo.u32 %r0, %r3, %r3, %r1;" OUT, 5);
}

TEST(a_subtraction_adds_the_complement_and_the_flag) {
    gives(CHAIN " add.cc.u32 %r7, %r1, %r1; subc.u32 %r0, %r5, %r3;" OUT, 2);
    gives(CHAIN " add.cc.u32 %r7, %r2, -1; subc.u32 %r0, %r5, %r3;" OUT, 3);
    gives(CHAIN " mad.hi.cc.u32 %r7, -1, -1, 2; subc.u32 %r0, %r5, %r3;" OUT, 3);
    gives(CHAIN " add.cc.u32 %r7, %r1, %r1; subc.cc.u32 %r7, %r3, %r3; addc.u32 %r0, %r1, %r1;" OUT, 0);
}

TEST(chains_of_one_kind_are_wide_numbers) {
    gives(CHAIN " sub.cc.u32 %r7, %r2, %r3; subc.u32 %r0, %r5, %r3;" OUT, 2);
    gives(CHAIN " sub.cc.u32 %r7, %r3, %r2; subc.u32 %r0, %r5, %r3;" OUT, 3);
    gives(CHAIN " add.cc.u32 %r7, %r2, -1; addc.u32 %r0, %r5, %r3;" OUT, 8);
}

/* The flag of 64 bits is the flag of 32 bits. */
TEST(widths_share_the_flag) {
    gives(CHAIN " cvt.u64.u32 %d1, %r1; sub.cc.u64 %d2, %d1, %d1; addc.u32 %r0, %r1, %r1;" OUT, 1);
    gives(CHAIN " cvt.u64.u32 %d1, %r5; add.cc.u32 %r7, %r1, %r1; subc.u64 %d2, %d1, 2; cvt.u32.u64 %r0, %d2;" OUT, 2);
}

/* An f64 operation on NaNs gives the first one, quieted. Compilers exchange the operands of sums and products: a whole
 * warp got the second one. */
TEST(the_first_of_several_nans_of_f64_stays) {
#define NANS CHAIN " mov.b64 %d1, {%r1, 0x7ff00001}; mov.b64 %d2, {%r5, 0xfff80002}; mov.b64 %d4, {%r2, 0x3ff00000};"
#define HIGH " mov.b64 {%r1, %r0}, %d3;" OUT
    gives(NANS " add.f64 %d3, %d1, %d2;" HIGH, 0x7ff80001);
    gives(NANS " add.f64 %d3, %d2, %d1;" HIGH, 0xfff80002);
    gives(NANS " mul.f64 %d3, %d1, %d2;" HIGH, 0x7ff80001);
    gives(NANS " mul.f64 %d3, %d2, %d1;" HIGH, 0xfff80002);
    gives(NANS " fma.rn.f64 %d3, %d1, %d2, %d4;" HIGH, 0x7ff80001);
    gives(NANS " fma.rn.f64 %d3, %d2, %d1, %d4;" HIGH, 0xfff80002);
    gives(NANS " fma.rn.f64 %d3, %d4, %d1, %d2;" HIGH, 0x7ff80001);
    gives(NANS " fma.rn.f64 %d3, %d4, %d2, %d1;" HIGH, 0xfff80002);
}

/* The simulator computed in its caller's floating-point environment: with subnormals made zeros or a rounding mode set
 * a kernel's sums were others, in threads started meanwhile, too; and with traps switched on a kernel's 1/0 ended the
 * process. */

#ifdef __SSE__

/* Flush-to-zero and denormals-are-zero. */
static bool make_zeros_of_subnormals(bool wanted) {
    _mm_setcsr(wanted ? _mm_getcsr() | 0x8040U : _mm_getcsr() & ~0x8040U);
    return true;
}
#else
static bool make_zeros_of_subnormals(bool wanted) {
    return !wanted;
}
#endif

enum { BLOCKS = 4, DIVISION = 8 };

/* Every block: words[ctaid] = the smallest subnormal + itself, words[8 + 2 * ctaid] = 1 / 3 (nearest even), then 1 / 0.
 */
#define SUBNORMAL_SUMS                                                                                                 \
    KERNEL " mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %w; .reg .f32 %f<4>; .reg .f64 %e<4>;" \
           " ld.global.f32 %f1, [%w+64]; add.f32 %f1, %f1, %f1; st.global.f32 [%d1], %f1;"                             \
           " mul.wide.u32 %d2, %r1, 8; add.s64 %d2, %d2, %w; mov.f64 %e1, 0d3FF0000000000000;"                         \
           " mov.f64 %e2, 0d4008000000000000; div.rn.f64 %e1, %e1, %e2; st.global.f64 [%d2+32], %e1;"                  \
           " mov.f64 %e2, 0d0000000000000000; div.rn.f64 %e1, %e1, %e2; ret;\n}\n"

/* What the caller's environment shows from outside: (1 / 3, the smallest subnormal doubled). */
typedef struct seen {
    double third;
    float doubled;
    int rounding;
} seen;

static seen look(void) {
    volatile double one = 1, three = 3;
    volatile float least = 0x1p-149F;
    return (seen){one / three, least + least, fegetround()};
}

static void run(void) {
    static machine_case test;
    const float least = 0x1p-149F;
    test = (machine_case){.ptx = SUBNORMAL_SUMS, .grid = BLOCKS, .resident = BLOCKS, .threads = 2, .block = 1};
    memcpy(&test.words[16], &least, sizeof least);
    machine_good(&test);
    for (unsigned b = 0; b < BLOCKS; b++) {
        uint64_t third;
        memcpy(&third, &test.words[DIVISION + 2 * b], sizeof third);
        assert_int_equal(test.words[b], 2); /* bits: the second subnormal */
        assert_int_equal(third, UINT64_C(0x3FD5555555555555));
    }
}

static void run_in_callers_environment(void) {
    const seen before = look();
    run();
    const seen after = look();
    assert_memory_equal(&before.third, &after.third, sizeof before.third);
    assert_memory_equal(&before.doubled, &after.doubled, sizeof before.doubled);
    assert_int_equal(before.rounding, after.rounding);
}

TEST(a_rounding_mode_of_the_caller_does_not_reach_a_kernel) {
    assert_int_equal(fesetround(FE_UPWARD), 0);
    run_in_callers_environment();
    assert_int_equal(fegetround(), FE_UPWARD);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
}

TEST(subnormals_count_whatever_the_caller_makes_of_them) {
    if (!make_zeros_of_subnormals(true)) skip_because("this processor's mode is not known here\n");
    assert_true(look().doubled == 0);
    run_in_callers_environment();
    make_zeros_of_subnormals(false);
}

TEST(a_division_by_zero_does_not_trap_though_the_caller_asked_for_traps) {
    assert_int_not_equal(feenableexcept(FE_DIVBYZERO | FE_INVALID), -1);
    run();
    assert_int_equal(fegetexcept(), FE_DIVBYZERO | FE_INVALID);
    assert_int_equal(fetestexcept(FE_DIVBYZERO), 0); /* the kernel's exception is not the caller's */
    fedisableexcept(FE_ALL_EXCEPT);
}

RUN_TESTS(NULL, NULL)
