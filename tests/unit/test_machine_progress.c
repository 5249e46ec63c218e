/* Code that waits for a resident lane, warp or block makes progress, on one CPU thread too, in any order of warps. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "support/cases/machine_case.h"

/* Lanes, warps and blocks take one lock by turns: words[0] is the lock, words[1] what it guards. */
#define LOCK                                                                                                           \
    KERNEL "L: atom.global.cas.b32 %r1, [%w], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;\n"                            \
           " ld.volatile.global.u32 %r2, [%w+4]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%w+4], %r2;\n"           \
           " membar.gl; atom.global.exch.b32 %r3, [%w], 0;" END

TEST(spin_locks_between_lanes_warps_and_blocks_end) {
    for (unsigned threads = 1; threads <= 3; threads++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            machine_case test = {.ptx = LOCK, .grid = 4, .block = 96, .resident = 4, .threads = threads, .seed = seed};
            machine_good(&test);
            assert_int_equal(test.words[1], 4 * 96);
        }
    }
}

/* Block 0 waits for a slot of every other block; the last blocks are begun last. */
TEST(a_block_that_polls_lets_the_others_run) {
    machine_case test = {
        .ptx =
            KERNEL " mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d1, %w; mov.u32 %r2, %nctaid.x;\n"
                   " setp.ne.u32 %p1, %r1, 0; @%p1 bra PUT; mov.u32 %r3, 1; mov.u32 %r7, 0;\n"
                   "NEXT: setp.ge.u32 %p2, %r3, %r2; @%p2 bra DONE; mul.wide.u32 %d2, %r3, 4; add.s64 %d2, %d2, %w;\n"
                   "POLL: ld.relaxed.gpu.global.u32 %r4, [%d2]; setp.eq.u32 %p3, %r4, 0; @%p3 bra POLL;\n"
                   " add.u32 %r7, %r7, %r4; add.u32 %r3, %r3, 1; bra NEXT;\n"
                   "DONE: st.global.u32 [%w], %r7; ret;\n"
                   "PUT: st.release.gpu.global.u32 [%d1], %r1;" END,
        .grid = 100,
        .block = 1,
        .resident = 2};
    machine_good(&test);
    assert_int_equal(test.words[0], 99 * 100 / 2);
}

TEST(a_warp_that_sleeps_lets_the_others_run) {
    machine_case test = {
        .ptx =
            KERNEL " setp.gt.u32 %p1, %t, 31; @%p1 bra SET;\n"
                   "L: nanosleep.u32 100; ld.volatile.global.u32 %r1, [%w]; setp.eq.u32 %p2, %r1, 0; @%p2 bra L; ret;\n"
                   "SET: st.volatile.global.u32 [%w], 7;" END,
        .block = 64};
    machine_good(&test);
    assert_int_equal(test.words[0], 7);
}

/* Lane i runs i + 1 rounds; all meet again: the ballot after the loop sees every lane. */
TEST(diverged_lanes_meet_again) {
    machine_case test = {
        .ptx = KERNEL
        " mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
        "L: add.u32 %r1, %r1, 1; add.u32 %r2, %r2, %r1; setp.le.u32 %p1, %r1, %t; @%p1 bra L;\n"
        " activemask.b32 %r3; mul.wide.u32 %d1, %t, 8; add.s64 %d1, %d1, %w; st.global.v2.u32 [%d1], {%r2, %r3};" END};
    machine_good(&test);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(test.words[2 * i], (i + 1) * (i + 2) / 2);
        assert_int_equal(test.words[2 * i + 1], 0xffffffffu);
    }
}

TEST(every_block_and_thread_runs_once_whatever_the_seed) {
    for (uint64_t seed = 0; seed < 5; seed++) {
        machine_case test = {
            .ptx = KERNEL
            " mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %t; mul.wide.u32 %d1, %r3, 4;\n"
            " add.s64 %d1, %d1, %w; red.global.add.u32 [%d1], 1;" END,
            .grid = 37,
            .block = 70,
            .resident = 5,
            .threads = 2,
            .seed = seed};
        machine_good(&test);
        for (uint32_t i = 0; i < 37 * 70; i++) assert_int_equal(test.words[i], 1);
        assert_int_equal(test.words[37 * 70], 0);
    }
}

/* Three times as many instructions as may go without progress. */
static const machine_case waiting = {
    .ptx = KERNEL " mov.u32 %r1, 0;\n"
                  "L: ld.volatile.global.u32 %r2, [%w]; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 7500000;\n"
                  " @%p1 bra L;" END,
    .block = 1,
    .step_limit = 10000000};

typedef struct beside {
    jrs_activity activity;
    _Atomic bool over;
} beside;

static void *make_progress(void *argument) {
    beside *self = argument;
    while (!atomic_load(&self->over)) {
        atomic_fetch_add(&self->activity.progress, 1);
        sched_yield();
    }
    return NULL;
}

TEST(a_kernel_that_waits_alone_is_stopped) {
    machine_case test = waiting;
    beside nobody = {.over = false};
    machine_fails(&test, 702, "no progress");
    test = waiting;
    test.activity = &nobody.activity;
    machine_fails(&test, 702, "no progress");
}

TEST(a_kernel_may_wait_while_another_launch_makes_progress) {
    machine_case test = waiting;
    beside other = {.over = false};
    pthread_t thread;
    test.activity = &other.activity;
    assert_int_equal(pthread_create(&thread, NULL, make_progress, &other), 0);
    const bool done = machine_run(&test);
    atomic_store(&other.over, true);
    pthread_join(thread, NULL);
    if (!done) fail_msg("%s", test.report.message);
}

RUN_TESTS(NULL, NULL)
