/* What is remembered of shared memory: words, bytes of words that were touched apart, and all lanes of a warp at once.
 */
#include "support/cases/machine_case.h"

#define SHARED KERNEL " .shared .align 16 .b8 s[64];\n mov.u32 %r9, s; shl.b32 %r8, %t, 2; add.u32 %r8, %r8, %r9;\n"

static void race(const char *ptx, unsigned block, const char *words) {
    machine_case test = {.ptx = ptx, .block = block};
    machine_fails(&test, 719, words);
}

static uint32_t first_result(const char *ptx, unsigned block) {
    static machine_case test;
    test = (machine_case){.ptx = ptx, .block = block};
    machine_good(&test);
    return test.words[0];
}

TEST(a_word_of_four_threads_bytes_is_read_after_a_barrier) {
    assert_int_equal(first_result(SHARED
                                  " add.u32 %r1, %r9, %t; cvt.u16.u32 %h1, %t; st.shared.u8 [%r1], %h1; bar.sync "
                                  "0; ld.shared.u32 %r0, [s];" OUT_R0,
                                  64),
                     0x03020100);
    race(SHARED " add.u32 %r1, %r9, %t; setp.lt.u32 %p1, %t, 4; cvt.u16.u32 %h1, %t; @%p1 st.shared.u8 [%r1], %h1; "
                "ld.shared.u32 %r0, [s];" OUT_R0,
         4, "thread (0,0,0), address 0x1: thread (1,0,0) wrote it");
}

TEST(a_byte_and_its_word_race) {
    race(SHARED " setp.eq.u32 %p1, %t, 33; setp.eq.u32 %p2, %t, 0; mov.u16 %h1, 7; @%p2 st.shared.u32 [s+8], 1; @%p1 "
                "st.shared.u8 [s+10], %h1;" END,
         64, "thread (33,0,0), address 0xa: thread (0,0,0) wrote it");
    race(SHARED " setp.eq.u32 %p1, %t, 0; setp.eq.u32 %p2, %t, 33; mov.u16 %h1, 7; @%p1 st.shared.u8 [s+10], %h1; @%p2 "
                "st.shared.u32 [s+8], 1;" END,
         64, "thread (33,0,0), address 0xa: thread (0,0,0) wrote it");
    race(SHARED " st.shared.u32 [%r8], %t; setp.eq.u32 %p1, %t, 0; setp.eq.u32 %p2, %t, 1; mov.u16 %h1, 7; bar.sync 0;"
                " @%p1 ld.shared.u8 %h2, [s+3];\n @%p2 st.shared.u32 [s], 1;" END,
         2, "thread (1,0,0), address 0x3: thread (0,0,0) read it");
}

TEST(one_unwritten_byte_of_a_word_is_told) {
    race(SHARED " mov.u16 %h1, 7; st.shared.u8 [s], %h1; st.shared.u8 [s+1], %h1; st.shared.u8 [s+3], %h1; "
                "ld.shared.u32 %r0, [s]; add.u32 %r0, %r0, 1;" OUT_R0,
         1, "address 0x2 was never written by this block");
}

TEST(all_lanes_read_what_one_of_them_has_just_stored) {
    race(SHARED " setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [s], 5; ld.shared.u32 %r0, [s];" OUT_R0, 32,
         "thread (1,0,0), address 0x0: thread (0,0,0) wrote it");
    assert_int_equal(first_result(SHARED
                                  " setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [s], 5; bar.sync 0; ld.shared.u32 "
                                  "%r0, [s];" OUT_R0,
                                  64),
                     5);
}

TEST(the_last_lane_that_read_a_word_is_told) {
    race(SHARED " setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [s], 5; bar.sync 0; add.u32 %r1, %t, -32; setp.lt.u32 "
                "%p2, %r1, 9;\n @%p2 ld.shared.u32 %r0, [s];\n @%p1 st.shared.u32 [s], 6;" OUT_R0,
         64, "thread (0,0,0), address 0x0: thread (40,0,0) read it");
    race(SHARED " setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [s], 5; bar.sync 0; setp.lt.u32 %p2, %t, 9; @%p2 "
                "ld.shared.u32 %r0, [s]; setp.eq.u32 %p3, %t, 8; @%p3 st.shared.u32 [s], 6;" OUT_R0,
         32, "thread (8,0,0), address 0x0: thread (8,0,0) read it");
}

TEST(lanes_that_store_one_word_at_once_do_not_race) {
    assert_int_equal(first_result(SHARED " st.shared.u32 [s], %t; bar.sync 0; ld.shared.u32 %r0, [s];" OUT_R0, 32), 31);
    race(SHARED " st.shared.u32 [s], %t;" END, 64, "thread (32,0,0), address 0x0: thread (31,0,0) wrote it");
}

RUN_TESTS(NULL, NULL)
