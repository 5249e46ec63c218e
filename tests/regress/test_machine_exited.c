/* Threads that have exited, and lanes that a short last warp does not have, were asked for: a barrier of the block was
 * refused after any exit, and so was a .sync mask that names such a lane. From compute capability 7.0 on barriers and
 * masks wait for the threads that are left (PTX manual: "all non-exited threads"). */
#include "support/cases/machine_case.h"

#define SHARED KERNEL " .shared .align 16 .b8 s[256]; mov.u32 %r9, s; mad.lo.u32 %r10, %t, 4, %r9;"
#define OUT    " mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1], "

static machine_case *run(const char *ptx, unsigned block) {
    static machine_case test;
    for (uint64_t seed = 3; seed-- > 0;) { /* three orders of the warps */
        test = (machine_case){.ptx = ptx, .block = block, .seed = seed};
        machine_good(&test);
    }
    return &test;
}

static void refuse(const char *ptx, unsigned block, const char *words) {
    machine_case test = {.ptx = ptx, .block = block};
    machine_fails(&test, 719, words);
}

TEST(a_barrier_does_not_wait_for_warps_that_have_exited) {
    const machine_case *test =
        run(SHARED " setp.ge.u32 %p1, %t, 64; @%p1 exit; st.shared.u32 [%r10], %t; bar.sync 0;"
                   " xor.b32 %r1, %t, 32; mad.lo.u32 %r2, %r1, 4, %r9; ld.shared.u32 %r3, [%r2];" OUT "%r3;" END,
            128);
    for (unsigned t = 0; t < 64; t++) assert_int_equal(test->words[t], t ^ 32);
}

TEST(a_barrier_does_not_wait_for_lanes_that_have_exited) {
    const machine_case *test = run(SHARED " setp.ge.u32 %p1, %t, 40; @%p1 exit; st.shared.u32 [%r10], %t; bar.sync 0;"
                                          " sub.u32 %r1, 39, %t; mad.lo.u32 %r2, %r1, 4, %r9; ld.shared.u32 %r3, [%r2];"
                                          " bar.sync 0; " OUT "%r3;" END,
                                   64);
    for (unsigned t = 0; t < 40; t++) assert_int_equal(test->words[t], 39 - t);
}

/* Warp 1 exits when warp 0 has long been waiting. */
TEST(an_exit_lets_those_go_who_waited_for_the_thread) {
    const machine_case *test =
        run(KERNEL " setp.lt.u32 %p1, %t, 32; @%p1 bra A; mov.u32 %r1, 5000; L: sub.u32 %r1, %r1,"
                   " 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra L; exit; A: bar.sync 0;" OUT "7;" END,
            64);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(test->words[t], 7);
}

/* The remaining lanes wait before the barrier for the rest of their warp, which exits later. */
TEST(a_warp_that_waits_to_come_together_goes_on_without_lanes_that_exit) {
    const machine_case *test = run(KERNEL " setp.lt.u32 %p1, %t, 16; @!%p1 bra A; bar.sync 0;" OUT "9; ret; A: mov.u32 "
                                          "%r1, 5000; L: sub.u32 %r1, %r1, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra L;" END,
                                   32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(test->words[t], t < 16 ? 9 : 0);
}

TEST(a_reducing_barrier_counts_the_threads_that_are_left) {
    const machine_case *test =
        run(KERNEL " setp.ge.u32 %p1, %t, 50; @%p1 exit; setp.lt.u32 %p2, %t, 100; bar.red.popc"
                   ".u32 %r1, 0, %p2; barrier.cta.red.and.pred %p3, 0, %p2; selp.u32 %r2, 100, 0,"
                   " %p3; add.u32 %r1, %r1, %r2;" OUT "%r1;" END,
            96);
    for (unsigned t = 0; t < 50; t++) assert_int_equal(test->words[t], 150);
}

TEST(a_mask_may_name_lanes_that_have_exited) {
    const machine_case *test =
        run(KERNEL " setp.ge.u32 %p1, %t, 20; @%p1 exit; bar.warp.sync -1; shfl.sync.idx.b32 %r1, %t, 3, 31, -1;"
                   " setp.gt.u32 %p2, %t, 17; vote.sync.ballot.b32 %r2, %p2, -1; add.u32 %r1, %r1, %r2;"
                   " redux.sync.add.u32 %r3, %t, -1; add.u32 %r1, %r1, %r3; and.b32 %r4, %t, 1; match.any.sync.b32 %r5,"
                   " %r4, -1; and.b32 %r5, %r5, 0xff000000; add.u32 %r1, %r1, %r5;" OUT "%r1;" END,
            32);
    for (unsigned t = 0; t < 20; t++) assert_int_equal(test->words[t], 3 + (1 << 18 | 1 << 19) + 190);
}

TEST(a_mask_may_name_lanes_that_a_short_warp_does_not_have) {
    const machine_case *test =
        run(KERNEL " shfl.sync.up.b32 %r1|%p1, %t, 1, 0, -1; selp.u32 %r1, %r1, 0, %p1; activemask.b32 %r2;"
                   " vote.sync.any.pred %p2, %p1, -1; selp.u32 %r2, %r2, 0, %p2; elect.sync %r3|%p3, -1;"
                   " selp.u32 %r3, 5, %r3, %p3; add.u32 %r1, %r1, %r3; xor.b32 %r1, %r1, %r2;" OUT "%r1;" END,
            10);
    for (unsigned t = 0; t < 10; t++) assert_int_equal(test->words[t], (t ? t - 1 : 5) ^ 0x3ff);
}

/* Lanes 0 to 15 wait in an exchange for lanes that exit later instead of taking part. */
TEST(an_exit_lets_an_exchange_go_on) {
    const machine_case *test =
        run(KERNEL " setp.lt.u32 %p1, %t, 16; @!%p1 bra A; vote.sync.ballot.b32 %r1, %p1, -1; "
                   "bar.warp.sync -1;" OUT "%r1; ret; A: mov.u32 %r1, 5000; L: sub.u32 %r1, %r1, "
                   "1; setp.ne.u32 %p2, %r1, 0; @%p2 bra L;" END,
            32);
    for (unsigned t = 0; t < 16; t++) assert_int_equal(test->words[t], 0xffff);
}

TEST(what_never_comes_and_has_not_exited_is_still_told) {
    refuse(KERNEL " setp.lt.u32 %p1, %t, 32; @%p1 exit; bar.sync 0, 64;" END, 64, "has exited");
    refuse(KERNEL " setp.lt.u32 %p1, %t, 7; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:" END, 32,
           "waits at PTX line 9 'bar.sync 0'");
    refuse(KERNEL " setp.lt.u32 %p1, %t, 32; @%p1 bra A; bar.sync 1; bra B; A: bar.sync 2; B:" END, 64,
           "divergent barrier");
    refuse(KERNEL " setp.lt.u32 %p1, %t, 7; @%p1 exit; setp.lt.u32 %p1, %t, 9; @!%p1 bra A; bar.sync 0; exit; A: "
                  "bar.warp.sync -1;" END,
           32, "lane 9 of the warp waits at");
    refuse(KERNEL " shfl.sync.idx.b32 %r1, %t, 0, 31, 0xffff;" END, 32,
           "lane 16 runs the instruction but is not in its mask 0xffff");
}

RUN_TESTS(NULL, NULL)
