/* cp.async: copies arrive when their thread waits for them, and every use without waiting is reported. */
#include <string.h>

#include "support/cases/machine_case.h"

#define SHARED KERNEL " .shared .align 16 .b8 s[2048]; .shared .align 8 .b64 bar;\n"
/* %r9: this thread's 16 bytes of s; %d9: its 16 bytes of global memory. */
#define OWN " mov.u32 %r9, s; mad.lo.u32 %r9, %t, 16, %r9; mul.wide.u32 %d9, %t, 16; add.s64 %d9, %d9, %w;\n"
/* %r1 into the words after the first 2048 bytes. */
#define STORE " mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1+4096], %r1;"

static void good(machine_case *test, const char *ptx, unsigned block) {
    memset(test, 0, sizeof *test);
    test->ptx = ptx;
    test->block = block;
    for (uint32_t i = 0; i < 1024; i++) test->words[i] = i + 1;
    machine_good(test);
}

static void fails(const char *ptx, unsigned block, const char *words) {
    machine_case test = {.ptx = ptx, .block = block};
    machine_fails(&test, strstr(words, "misaligned") ? 716 : strstr(words, "allocation") ? 700 : 719, words);
}

TEST(copies_of_each_size_land_after_the_wait) {
    machine_case test;
    good(&test,
         SHARED OWN
         "cp.async.ca.shared.global [%r9], [%d9], 4; cp.async.ca.shared::cta.global.L2::128B [%r9+8], [%d9+8], "
         "8; cp.async.wait_all; ld.shared.u32 %r1, [%r9]; ld.shared.u32 %r2, [%r9+12]; mad.lo.u32 %r1, %r2, "
         "1000, %r1;" STORE END,
         64);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[1024 + i], (4 * i + 4) * 1000 + 4 * i + 1);
    good(&test,
         SHARED OWN "mov.u64 %d2, 0; cp.async.cg.shared.global.L2::cache_hint [%r9], [%d9], 16, %d2; "
                    "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; xor.b32 %r3, %r9, 16; ld.shared.v4.u32 "
                    "{%r1, %r2, %r4, %r5}, [%r3];" STORE END,
         64);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[1024 + i], 4 * (i ^ 1) + 1);
}

TEST(short_and_ignored_sources_leave_zeros) {
    machine_case test;
    good(&test,
         SHARED OWN
         "and.b32 %r3, %t, 15; cp.async.cg.shared.global [%r9], [%d9], 16, %r3; cp.async.wait_all; ld.shared.u32 "
         "%r1, [%r9+8];" STORE END,
         32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t value = 4 * i + 3, bytes = i % 16 > 8 ? i % 16 - 8 : 0;
        assert_int_equal(test.words[1024 + i], bytes >= 4 ? value : bytes ? value & ((1u << 8 * bytes) - 1) : 0);
    }
    good(&test,
         SHARED OWN "setp.lt.u32 %p1, %t, 7; cp.async.ca.shared.global [%r9], [%d9], 4, %p1; cp.async.wait_all; "
                    "ld.shared.u32 %r1, [%r9];" STORE END,
         32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[1024 + i], i < 7 ? 0 : 4 * i + 1);
    fails(SHARED OWN "cp.async.ca.shared.global [%r9], [%d9], 8, 12;" END, 1, "12 bytes of the source for a copy of 8");
}

TEST(a_group_is_waited_for_and_later_ones_stay_in_flight) {
    machine_case test;
#define TWO                                                                                                            \
    SHARED OWN "cp.async.ca.shared.global [%r9], [%d9], 4; cp.async.commit_group; cp.async.ca.shared.global [%r9+4], " \
               "[%d9+4], 4; cp.async.commit_group; cp.async.wait_group 1; "
    good(&test, TWO "ld.shared.u32 %r1, [%r9];" STORE END, 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[1024 + i], 4 * i + 1);
    fails(TWO "ld.shared.u32 %r1, [%r9+4];" END, 32, "data race in shared memory: kernel k");
    fails(TWO "ld.shared.u32 %r1, [%r9+4];" END, 32,
          "the copy that thread (0,0,0) began at PTX line 11 writes it and has not been waited for");
    fails(TWO "st.shared.u32 [%r9+4], 1;" END, 32, "has not been waited for");
    fails(SHARED OWN "cp.async.ca.shared.global [%r9], [%d9], 4; cp.async.wait_group 0; ld.shared.u32 %r1, [%r9];" END,
          32, "has not been waited for"); /* it is in no group yet */
}

TEST(other_threads_need_a_barrier_after_the_wait) {
#define OTHER "xor.b32 %r3, %r9, 512; ld.shared.u32 %r1, [%r3];"
    fails(SHARED OWN "cp.async.ca.shared.global [%r9], [%d9], 4; cp.async.wait_all; " OTHER END, 64,
          "no barrier between");
    fails(SHARED OWN
          "st.shared.u32 [%r9], 0; bar.sync 0; cp.async.ca.shared.global [%r9], [%d9], 4; cp.async.wait_all; "
          "setp.gt.u32 %p1, %t, 31; @%p1 " OTHER END,
          64, "no barrier between");
    fails(SHARED OWN "st.shared.u32 [%r9], 0; xor.b32 %r3, %r9, 512; setp.gt.u32 %p1, %t, 31; @%p1 "
                     "cp.async.ca.shared.global [%r3], [%d9], 4;" END,
          64, "no barrier between");
}

TEST(sizes_alignment_and_bounds_are_kept) {
    fails(SHARED OWN "cp.async.cg.shared.global [%r9+8], [%d9], 16;" END, 1, "misaligned: kernel k");
    fails(SHARED OWN "cp.async.ca.shared.global [%r9], [%d9+4], 8;" END, 1, "misaligned: kernel k");
    fails(SHARED "cp.async.ca.shared.global [s+2056], [%w], 8;" END, 1, "past the end of shared memory");
    fails(SHARED "cp.async.ca.shared.global [s], [%w+16384], 8;" END, 1, "past the end of device allocation");
    machine_refuses(SHARED "cp.async.cg.shared.global [s], [%w], 8;" END, "a copy of 8 bytes");
    machine_refuses(SHARED "cp.async.ca.shared.global [s], [%w], 12;" END, "a copy of 12 bytes");
    machine_lacks(SHARED "cp.async.shared.global [s], [%w], 16;" END, "is not supported");
}

/* Every thread's arrival follows its copy; the phase is complete when all have landed. */
TEST(copies_arrive_on_an_mbarrier) {
    machine_case test;
#define ARRIVE(count, noinc)                                                                                           \
    SHARED OWN "setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [bar], " count "; bar.sync 0; "                  \
               "cp.async.ca.shared.global [%r9], [%d9], 4; cp.async.mbarrier.arrive" noinc ".shared.b64 [bar]; "
#define WAIT  "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra WAIT; "
#define CROSS "xor.b32 %r3, %r9, 512; ld.shared.u32 %r1, [%r3]; "
    good(&test, ARRIVE("64", ".noinc") WAIT CROSS STORE END, 64);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[1024 + i], 4 * (i ^ 32) + 1);
    good(&test, ARRIVE("64", "") "mbarrier.arrive.shared.b64 %d2, [bar]; " WAIT CROSS STORE END, 64);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[1024 + i], 4 * (i ^ 32) + 1);
    fails(ARRIVE("64", ".noinc") "bar.sync 0; " CROSS END, 64, "has not been waited for");
}

/* A block forgets what the one before it in its place has left in flight. */
TEST(copies_that_nobody_waits_for_do_not_reach_the_next_block) {
    machine_case test = {.ptx =
                             SHARED OWN "st.shared.u32 [%r9], 5; ld.shared.u32 %r1, [%r9]; cp.async.ca.shared.global "
                                        "[%r9], [%d9], 4;" STORE END,
                         .grid = 3,
                         .block = 32};
    machine_good(&test);
    assert_int_equal(test.words[1024], 5);
}

RUN_TESTS(NULL, NULL)
