/* Threads that have exited, wait or never come to an end; and modules that allocate. */
#include <stdio.h>

#include "support/cases/machine_case.h"

/* Threads that have exited, and lanes that a short last warp does not have, were asked for: a barrier of the block was
 * refused after any exit, and so was a .sync mask that names such a lane. From compute capability 7.0 on barriers and
 * masks wait for the threads that are left (PTX manual: "all non-exited threads"). */

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

/* A kernel that goes through memory without changing it was stopped as one that makes no progress (max over 2^31
 * columns of zeros), and one that writes one word for ever, or meets at a barrier for ever, was never stopped. */
enum { LIMIT = 20000 };

/* 64 MiB, a place in each 64 KiB of it; 5000 instructions between one and the next. */
#define BIG                                                                                                            \
    ".version 9.0\n.target sm_90\n.address_size 64\n.global .align 8 .b8 big[67108864];\n"                             \
    ".visible .entry k(.param .u64 words)\n{\n .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b64 %w;\n"  \
    " ld.param.u64 %w, [words]; mov.u64 %d1, big; mov.u32 %r1, 1024;\n"
#define WANDER(access)                                                                                                 \
    BIG " A: " access " mov.u32 %r2, 1700; B: sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra B;\n"             \
        " add.s64 %d1, %d1, 65536; sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra A;"                          \
        " st.global.u32 [%w], 7;" END

static void run_within(const char *ptx) {
    static machine_case test;
    test = (machine_case){.ptx = ptx, .block = 1, .step_limit = LIMIT};
    machine_good(&test);
    assert_int_equal(test.words[0], 7);
}

static void stop(const char *ptx, unsigned block, const char *words) {
    static machine_case test;
    test = (machine_case){.ptx = ptx, .block = block, .step_limit = LIMIT};
    machine_fails(&test, 702, words);
}

TEST(who_goes_through_memory_gets_on) {
    run_within(WANDER("st.global.u64 [%d1], 0;"));
    run_within(WANDER("ld.global.u64 %d2, [%d1];"));
}

TEST(who_writes_for_ever_is_stopped) {
    stop(KERNEL " L: add.u32 %r1, %r1, 1; st.global.u32 [%w], %r1; bra L;" END, 32, "JRSIM_STEP_LIMIT");
    stop(KERNEL " L: add.u32 %r1, %r1, 1; and.b32 %r2, %r1, 1023; mul.wide.u32 %d1, %r2, 4; add.s64 %d1, %d1, %w;"
                " st.global.u32 [%d1], %r1; bra L;" END,
         1, "no progress: kernel k, PTX line 9");
    stop(KERNEL " L: atom.global.add.u32 %r1, [%w], 1; bra L;" END, 32, "no progress: kernel k");
}

TEST(who_meets_for_ever_is_stopped) {
    stop(KERNEL " L: bar.sync 0; bra L;" END, 64, "no progress: kernel k");
}

/* As long as it takes within the limit for those who change memory, which is wider. */
TEST(who_writes_long_is_not_stopped) {
    run_within(
        KERNEL
        " mov.u32 %r1, 20000; L: sub.u32 %r1, %r1, 1; st.global.u32 [%w], %r1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;"
        " st.global.u32 [%w], 7;" END);
}

/* One kernel that allocates made the simulator call its whole module invalid, so that its neighbours could not be run
 * either. */

#define MODULE                                                                                                         \
    PTX ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n"                 \
        ".extern .func (.param .b64 r) __cuda_syscall_aligned_malloc (.param .b64 a, .param .b64 b);\n"                \
        ".visible .entry %s(.param .u64 words) { .reg .b64 %%d<4>; .param .b64 a; .param .b64 b; .param .b64 r;\n"     \
        " ld.param.u64 %%d1, [words]; st.param.b64 [a], 8; st.param.b64 [b], 64; call (r), malloc, (a);\n"             \
        " ld.param.b64 %%d2, [r]; st.u64 [%%d2], %%d1; call (r), __cuda_syscall_aligned_malloc, (a, b);\n"             \
        " ld.param.b64 %%d3, [r]; st.u64 [%%d3], %%d2; st.param.b64 [a], %%d2; call free, (a);\n"                      \
        " st.param.b64 [a], %%d3; call free, (a); st.global.u32 [%%d1], 7; ret; }\n"                                   \
        ".visible .entry %s(.param .u64 words) { .reg .b64 %%d; ld.param.u64 %%d, [words]; st.global.u32 [%%d], 5;"    \
        " ret; }\n"

/* Runs the kernel that is called k. */
static uint32_t run_of(const char *allocates, const char *plain) {
    static char ptx[4096];
    static machine_case test;
    snprintf(ptx, sizeof ptx, MODULE, allocates, plain);
    test = (machine_case){.ptx = ptx, .heap_bytes = 4096, .block = 1};
    machine_good(&test);
    assert_int_equal(test.leaks, 0);
    return test.words[0];
}

TEST(both_kernels_run) {
    assert_int_equal(run_of("other", "k"), 5);
    assert_int_equal(run_of("k", "other"), 7);
}

/* As a GPU's linker does: what nobody defines, and the system does not have, is a fault of the module. */
TEST(a_function_that_nobody_has_is_a_fault_of_the_module) {
    machine_refuses(PTX ".extern .func nobody;\n.visible .entry k(.param .u64 words) { call nobody; ret; }\n",
                    "line 5 'call nobody': the function 'nobody' is not defined");
}

RUN_TESTS(NULL, NULL)
