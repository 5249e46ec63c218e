/* A load of shared memory that nobody wrote was refused though its value was never used, and so was a shuffle from a
 * lane that takes no part. Both give an undefined value, which kernels leave aside (the last steps of a merge, the
 * upper lanes of a tree). What uses one is refused as before, with the place of the use and of the load. */
#include "support/cases/machine_case.h"

#define SHARED                                                                                                         \
    KERNEL " .shared .align 16 .b8 s[256]; mov.u32 %r9, s; mad.lo.u32 %r10, %t, 4, %r9; setp.lt.u32 %p1, %t, 16;\n"    \
           " @%p1 st.shared.u32 [%r10], %t; bar.sync 0;\n"
/* Lanes 16 to 31 load what nobody wrote into %r1. */
#define LOADED SHARED " ld.shared.u32 %r1, [%r10];\n"
#define OUT    " mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1], "

static machine_case *run(const char *ptx) {
    static machine_case test;
    test = (machine_case){.ptx = ptx};
    machine_good(&test);
    return &test;
}

static void refuse(const char *ptx, const char *words) {
    static machine_case test;
    test = (machine_case){.ptx = ptx};
    machine_fails(&test, 719, words);
}

TEST(a_value_that_is_left_aside_is_no_fault) {
    run(LOADED END);
    const machine_case *test = run(LOADED " add.u32 %r1, %r1, 1; selp.u32 %r2, %r1, 99, %p1;" OUT "%r2;" END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(test->words[t], t < 16 ? t + 1 : 99);
    test = run(LOADED " mov.u32 %r1, 5;" OUT "%r1;" END); /* written over */
    for (unsigned t = 0; t < 32; t++) assert_int_equal(test->words[t], 5);
    test = run(LOADED " @%p1 bra A; mov.u32 %r1, 7; A: " OUT "%r1;" END); /* on the way of those lanes alone */
    for (unsigned t = 0; t < 32; t++) assert_int_equal(test->words[t], t < 16 ? t : 7);
}

/* p = there is one && it is less: the comparison is made of anything, its result is not used. */
TEST(a_condition_that_something_else_decides_is_defined) {
    static const char *const ways[] = {
        LOADED " setp.lt.u32 %p2, %r1, 10; and.pred %p3, %p2, %p1; @%p3 bra A; mov.u32 %r1, 50; A:" OUT "%r1;" END,
        LOADED " setp.lt.and.u32 %p3, %r1, 10, %p1; @!%p3 mov.u32 %r1, 50; " OUT "%r1;" END,
        LOADED " not.pred %p2, %p1; setp.ge.u32 %p3, %r1, 10; or.pred %p3, %p2, %p3; @%p3 mov.u32 %r1, 50;" OUT
               "%r1;" END,
        LOADED " setp.ge.or.u32 %p3, %r1, 10, !%p1; selp.u32 %r1, 50, %r1, %p3;" OUT "%r1;" END,
    };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const machine_case *test = run(ways[k]);
        for (unsigned t = 0; t < 32; t++) assert_int_equal(test->words[t], t < 10 ? t : 50);
    }
}

TEST(a_use_is_refused_with_both_places) {
    refuse(LOADED OUT "%r1;" END,
           "uninitialised shared memory: kernel k, PTX line 12 'st.global.u32 [%d1], %r1', block "
           "(0,0,0), thread (16,0,0), address 0x40 was never written by this block, and PTX line "
           "11 loaded it");
    refuse(LOADED " xor.b32 %r2, %r1, %r1; cvt.u64.u32 %d2, %r2; add.u64 %d2, %d2, %w; ld.global.u32 %r3, [%d2];" END,
           "uninitialised shared memory: kernel k, PTX line 12 'ld.global.u32 %r3, [%d2]'");
    refuse(LOADED " setp.lt.u32 %p2, %r1, 10; @%p2 bra A; mov.u32 %r2, 1; A:" END, "'@%p2 bra A'");
    refuse(LOADED " setp.lt.u32 %p2, %r1, 10; @%p2 st.global.u32 [%w], %t;" END, "'@%p2 st.global");
    refuse(LOADED " atom.global.add.u32 %r2, [%w], %r1;" END, "'atom.global.add");
    refuse(LOADED " setp.lt.u32 %p2, %r1, 10; vote.sync.any.pred %p3, %p2, -1;" END, "'vote.sync.any");
    refuse(LOADED " redux.sync.add.u32 %r2, %r1, -1;" END, "'redux.sync.add");
    refuse(LOADED " setp.lt.u32 %p2, %r1, 10; bar.red.popc.u32 %r2, 0, %p2;" END, "'bar.red.popc");
    refuse(LOADED " setp.lt.u32 %p2, %r1, 10; mov.u32 %r2, 1; @%p2 mov.u32 %r2, 2;" OUT "%r2;" END, "'st.global.u32");
    refuse(SHARED " ld.shared.v2.u16 {%h1, %h2}, [%r10]; mov.b32 %r1, {%h1, %h2}; add.u32 %r1, %r1, 1;" OUT "%r1;" END,
           "thread (16,0,0)");
    refuse(SHARED " atom.shared.add.u32 %r1, [%r10], 1;" END, "PTX line 11 'atom.shared.add"); /* at once: it is used */
}

TEST(an_undefined_value_in_shared_memory_is_as_if_never_written) {
    const machine_case *test = run(LOADED " st.shared.u32 [%r10+128], %r1; bar.sync 0; ld.shared.u32 %r2, [%r10+128];"
                                          " selp.u32 %r2, %r2, 3, %p1;" OUT "%r2;" END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(test->words[t], t < 16 ? t : 3);
    refuse(LOADED " st.shared.u32 [%r10+128], %r1; bar.sync 0; ld.shared.u32 %r2, [%r10+128];" OUT "%r2;" END,
           "thread (16,0,0), address 0xc0 was never written");
    run(LOADED " st.shared.u32 [%r10+128], %r1; bar.sync 0; st.shared.u32 [%r10+128], 8; ld.shared.u32 %r2, [%r10+128];"
               " shfl.sync.idx.b32 %r3, %r2, 31, 31, -1;" OUT "%r3;" END);
}

TEST(a_shuffle_moves_undefined_values_with_their_lanes) {
    const machine_case *test = run(LOADED " shfl.sync.idx.b32 %r1, %r1, 3, 31, -1;" OUT "%r1;" END);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(test->words[t], 3);
    refuse(LOADED " shfl.sync.bfly.b32 %r1, %r1, 16, 31, -1;" OUT "%r1;" END, "thread (0,0,0), address 0x40 was never");
}

TEST(a_shuffle_from_a_lane_that_takes_no_part_is_undefined) {
    static machine_case sums; /* a step of a tree over the 20 lanes that the block has */
    sums = (machine_case){.ptx = KERNEL
                          " mov.u32 %r2, %t; shfl.sync.down.b32 %r1, %r2, 16, 31, -1; add.u32 %r3, %t, 16;"
                          " setp.lt.u32 %p1, %r3, 20; selp.u32 %r1, %r1, 0, %p1; add.u32 %r2, %r2, %r1;" OUT "%r2;" END,
                          .block = 20};
    machine_good(&sums);
    for (unsigned t = 0; t < 20; t++) assert_int_equal(sums.words[t], t < 4 ? 2 * t + 16 : t);
    sums = (machine_case){.ptx = KERNEL " shfl.sync.down.b32 %r1, %t, 16, 31, -1;" OUT "%r1;" END, .block = 20};
    machine_fails(&sums, 719,
                  "undefined value: kernel k, PTX line 9 'st.global.u32 [%d1], %r1', block (0,0,0), thread (4,0,0), it "
                  "uses what PTX line 9 took from a lane that does not take part");
}

RUN_TESTS(NULL, NULL)
