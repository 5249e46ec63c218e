/* mbarriers and bulk copies: phases, bytes, tokens, and every misuse reported with its place. */
#include <string.h>

#include "support/cases/machine_case.h"

#define SHARED KERNEL " .shared .align 128 .b8 s[4096]; .shared .align 8 .b64 bar;\n"
#define FIRST  " setp.eq.u32 %p1, %t, 0;\n"
/* Thread 0 makes the mbarrier; all see it. */
#define INIT(count) FIRST " @%p1 mbarrier.init.shared::cta.b64 [bar], " count "; fence.proxy.async; bar.sync 0;\n"
#define WAIT(parity)                                                                                                   \
    "\n{ .reg .pred %done; W: mbarrier.try_wait.parity.shared::cta.b64 %done, [bar], " parity                          \
    ", 1000; @!%done bra W; }\n"
#define LOAD(to, from, bytes)                                                                                          \
    " cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" to "], [" from "], " bytes ", [bar];"
#define STORE " mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1+8192], %r1;"

static void good(machine_case *test, const char *ptx, unsigned block) {
    memset(test, 0, sizeof *test);
    test->ptx = ptx;
    test->block = block;
    for (uint32_t i = 0; i < 2048; i++) test->words[i] = i + 1;
    machine_good(test);
}

static void fails(const char *ptx, unsigned block, int error, const char *words) {
    machine_case test = {.ptx = ptx, .block = block, .step_limit = 100000};
    machine_fails(&test, error, words);
}

TEST(a_bulk_copy_completes_a_phase_by_its_bytes) {
    machine_case test;
    for (uint64_t seed = 0; seed < 3; seed++) {
        good(&test,
             SHARED INIT("1") "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 4096; @%p1" LOAD("s", "%w",
                                                                                                         "4096")
                 WAIT("0") "mov.u32 %r2, s; mad.lo.u32 %r2, %t, 4, %r2; ld.shared.u32 %r1, [%r2];" STORE END,
             1024);
        for (uint32_t i = 0; i < 1024; i++) assert_int_equal(test.words[2048 + i], i + 1);
    }
}

/* Two copies in two phases through one buffer: all threads arrive before it is filled again. */
TEST(phases_follow_one_another) {
    machine_case test;
    good(&test,
         SHARED
         ".shared .align 8 .b64 empty; " FIRST
         " @%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.init.shared.b64 [empty], 64; bar.sync 0; mov.u32 "
         "%r8, 0; mov.u32 %r1, 0; mov.u32 %r9, s; mad.lo.u32 %r9, %t, 4, %r9; mov.u64 %d5, %w;\n"
         "NEXT: @!%p1 bra TAKE; xor.b32 %r7, %r8, 1; and.b32 %r7, %r7, 1;\n"
         "E: mbarrier.test_wait.parity.acquire.cta.shared.b64 %p3, [empty], %r7; @!%p3 bra E;\n"
         " mbarrier.arrive.expect_tx.release.cta.shared.b64 %d7, [bar], 256;\n"
         " cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [s], [%d5], 256, [bar], "
         "%d6;\n"
         "TAKE: and.b32 %r7, %r8, 1;\n"
         "F: mbarrier.try_wait.parity.shared.b64 %p3, [bar], %r7; @!%p3 bra F;\n"
         " ld.shared.u32 %r2, [%r9]; add.u32 %r1, %r1, %r2; mbarrier.arrive.shared.b64 _, [empty];\n"
         " add.s64 %d5, %d5, 256; add.u32 %r8, %r8, 1; setp.lt.u32 %p4, %r8, 7; @%p4 bra NEXT;\n" STORE END,
         64);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[2048 + i], 7 * (i + 1) + 64 * 21);
}

TEST(tokens_tell_phases_and_pending_counts) {
    machine_case test;
    good(&test,
         SHARED INIT("32") "mbarrier.arrive.shared.b64 %d2, [bar]; mbarrier.pending_count.b64 %r1, %d2;\n"
                           "W: mbarrier.test_wait.shared.b64 %p2, [bar], %d2; @!%p2 bra W;" STORE END,
         32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[2048 + i], 32 - i);
    good(&test,
         SHARED
         "mbarrier.init.shared.b64 [bar], 5; mbarrier.arrive.noComplete.release.cta.shared.b64 %d2, [bar], 2; "
         "mbarrier.arrive_drop.shared.b64 %d3, [bar]; mbarrier.test_wait.shared.b64 %p2, [bar], %d3; selp.u32 %r1, "
         "10, 0, %p2; mbarrier.arrive.shared.b64 %d4, [bar], 2; mbarrier.test_wait.shared.b64 %p2, [bar], %d4; @%p2 "
         "add.u32 %r1, %r1, 1; mbarrier.arrive.shared.b64 %d5, [bar], 4; mbarrier.test_wait.shared.b64 %p2, [bar], "
         "%d5; @%p2 add.u32 %r1, %r1, 1; mbarrier.inval.shared.b64 [bar]; st.shared.u64 [bar], 3;" STORE END,
         1);
    assert_int_equal(test.words[2048], 2);
    fails(SHARED
          "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 %d2, [bar]; mbarrier.arrive.shared.b64 %d3, "
          "[bar]; mbarrier.test_wait.shared.b64 %p2, [bar], %d2;" END,
          1, 719, "the state is of phase 0; at address 0x1000 phase 2 is under way");
}

TEST(bulk_copies_to_global_memory_land_by_groups) {
    machine_case test;
#define OUT(wait)                                                                                                      \
    SHARED "mov.u32 %r2, s; mad.lo.u32 %r2, %t, 4, %r2; st.shared.u32 [%r2], %t; fence.proxy.async.shared::cta; "      \
           "bar.sync "                                                                                                 \
           "0; setp.ne.u32 %p1, %t, 0; @%p1 ret; cp.async.bulk.global.shared::cta.bulk_group [%w], [s], 128; "         \
           "cp.async.bulk.commit_group; cp.async.bulk.global.shared::cta.bulk_group [%w+128], [s], 64; "               \
           "cp.async.bulk.commit_group; " wait
    good(&test, OUT("cp.async.bulk.wait_group.read 0;") END, 32);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[i], i);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(test.words[32 + i], i < 16 ? i : i + 33);
    fails(OUT("cp.async.bulk.wait_group 1;") END, 32, 719, "bad asynchronous copy: kernel k");
    fails(OUT("cp.async.bulk.wait_group 1;") END, 32, 719, "the thread ends while its copy of PTX line 10 from shared");
    fails(OUT("cp.async.bulk.wait_group 1; st.shared.u32 [s], 1;") END, 32, 719,
          "the copy of PTX line 10 reads it and has not been waited for");
    fails(SHARED "mov.u32 %r2, s; mad.lo.u32 %r2, %t, 4, %r2; fence.proxy.async; st.shared.u32 [%r2], %t; bar.sync 0; "
                 "setp.ne.u32 %p1, %t, 0; @%p1 ret; cp.async.bulk.global.shared::cta.bulk_group [%w], [s], 128;" END,
          32, 719, "was written at PTX line 10, and no fence.proxy.async followed");
    good(&test, OUT("cp.async.bulk.wait_group 1; st.shared.u32 [s+64], 1; cp.async.bulk.wait_group 0;") END, 32);
}

TEST(bulk_copies_keep_sizes_alignment_and_bounds) {
    fails(SHARED INIT("1") LOAD("s", "%w", "24") END, 1, 719, "24 bytes are not a multiple of 16");
    fails(SHARED INIT("1") LOAD("s+8", "%w", "16") END, 1, 716, "misaligned: kernel k");
    fails(SHARED INIT("1") LOAD("s", "%w+4", "16") END, 1, 716, "misaligned: kernel k");
    fails(SHARED INIT("1") LOAD("s", "%w+16368", "32") END, 1, 700, "32 bytes reach 16 bytes past the end of device");
    fails(SHARED INIT("1") LOAD("s+4080", "%w", "32") END, 1, 719, "past the end of shared memory");
    fails(SHARED INIT("1") "ld.global.u64 %d1, [%w+16376];" LOAD("s", "%d1", "16") END, 1, 700, "use after free");
    fails(SHARED "cp.async.bulk.global.shared::cta.bulk_group [%w+8], [s], 16;" END, 1, 719, "uninitialised shared");
    fails(SHARED
          "st.shared.v4.u32 [s], {%t, %t, %t, %t}; cp.async.bulk.global.shared::cta.bulk_group [%w+8], [s], 16;" END,
          1, 716, "misaligned");
}

TEST(data_that_was_not_waited_for_is_not_touched) {
#define BEGUN SHARED INIT("1") "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16; @%p1" LOAD("s", "%w", "16")
    fails(BEGUN "ld.shared.u32 %r1, [s];" END, 32, 719, "has not been waited for");
    fails(BEGUN "st.shared.u32 [s+12], 1;" END, 32, 719, "has not been waited for");
    fails(BEGUN END, 32, 719, "the block ends while the copy into its shared memory is in flight");
    /* the buffer is filled again while another warp may read it */
    fails(SHARED INIT("1") "mov.u32 %r2, s; mad.lo.u32 %r2, %t, 4, %r2; st.shared.u32 [%r2], 1; @%p1" LOAD(
              "s+128", "%w", "16") END,
          64, 719, "no barrier between");
}

TEST(misuse_of_an_mbarrier_is_told) {
    fails(SHARED "mbarrier.arrive.shared.b64 %d2, [bar];" END, 1, 719, "at address 0x1000 no mbarrier was initialised");
    fails(SHARED FIRST "@%p1 mbarrier.init.shared.b64 [bar], 64; mbarrier.arrive.shared.b64 %d2, [bar];" END, 64, 719,
          "thread (0,0,0) initialised it at PTX line");
    fails(SHARED "mbarrier.init.shared.b64 [bar], 0;" END, 1, 719, "a count of 0; it must be 1 to 1048575");
    fails(SHARED "mbarrier.init.shared.b64 [bar], 1; st.shared.u32 [bar+4], 0;" END, 1, 719, "is in an mbarrier");
    fails(SHARED "mbarrier.init.shared.b64 [bar], 1; mbarrier.init.shared.b64 [bar], 1;" END, 1, 719,
          "is in an mbarrier");
    fails(SHARED "mbarrier.init.shared.b64 [s+4], 1;" END, 1, 716, "misaligned");
    fails(SHARED "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 %d2, [bar], 3;" END, 1, 719,
          "3 arrivals at address 0x1000, which waits for 2 of 2");
    fails(SHARED "mbarrier.init.shared.b64 [bar], 2; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 1048575; "
                 "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 1;" END,
          1, 719, "would count 1048576 bytes");
    fails(SHARED "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.noComplete.shared.b64 %d2, [bar], 2;" END, 1, 719,
          ".noComplete");
    fails(SHARED "mbarrier.init.b64 [%w], 2;" END, 1, 719, "is not in shared memory");
    machine_refuses(SHARED "mbarrier.arrive.expect_tx.shared.b64 _, [bar];" END, "takes 3 operands");
    machine_lacks(SHARED "mbarrier.init.parity.shared.b64 [bar], 1;" END, "is not supported");
}

TEST(a_wait_without_end_is_told_with_what_it_waits_for) {
    fails(SHARED INIT("2") "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32; @%p1" LOAD("s", "%w", "16")
              WAIT("0") END,
          32, 702, "no progress: kernel k");
    fails(SHARED INIT("2") "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32; @%p1" LOAD("s", "%w", "16")
              WAIT("0") END,
          32, 702, "the mbarrier at address 0x1000 waits in phase 0 for 1 of 2 arrivals and 16 bytes");
}

#define EXACT ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 words) .maxntid 128\n{\n"

/* Generic addresses, as C++ code without a state space gives them; a policy and a fence stand by. */
TEST(generic_addresses_and_hints_are_taken) {
    machine_case test;
    good(&test,
         SHARED
         "mov.u64 %d2, bar; cvta.shared.u64 %d2, %d2; " FIRST
         "@%p1 mbarrier.init.b64 [%d2], 1; fence.mbarrier_init.release.cluster; createpolicy.fractional.L2::evict_first"
         ".b64 %d3, 1.0; bar.sync 0; @%p1 mbarrier.arrive.expect_tx.b64 %d4, [%d2], 16; "
         "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [s], [%w], 16, [bar], "
         "%d3;\nW: mbarrier.try_wait.parity.b64 %p2, [%d2], 0; @!%p2 bra W; ld.shared.u32 %r1, [s+12]; "
         "cp.async.bulk.prefetch.L2.global [%w], 16;" STORE END,
         32);
    assert_int_equal(test.words[2048], 4);
    machine_lacks(KERNEL "fence.proxy.nonsense;" END, ".nonsense");
    machine_refuses(KERNEL "ld.global.L2::cache_hint.u32 %r1, [%w];" END, "takes 3 operands, 2 found");
    machine_refuses(KERNEL "st.global.u32 [%w], %r1, %d1;" END, "takes 2 operands, 3 found");
    machine_refuses(KERNEL "red.global.add.L2::cache_hint.u32 [%w], %r1, %r2;" END, "has 32 bits where 64 are needed");
    machine_refuses(KERNEL "setmaxnreg.inc.sync.aligned.u32 32;" END, "needs a .target like sm_90a");
    machine_refuses(EXACT "setmaxnreg.inc.sync.aligned.u32 30; ret;\n}\n", "30 registers");
    good(&test, EXACT "setmaxnreg.dec.sync.aligned.u32 24; ret;\n}\n", 128);
}

RUN_TESTS(NULL, NULL)
