/* What the simulator makes of memory that nobody wrote, and of accesses that no GPU allows. */
#include <string.h>

#include "support/cases/machine_case.h"

/* A load of shared memory that nobody wrote was refused though its value was never used, and so was a shuffle from a
 * lane that takes no part. Both give an undefined value, which kernels leave aside (the last steps of a merge, the
 * upper lanes of a tree). What uses one is refused as before, with the place of the use and of the load. */

#define HALF_WRITTEN                                                                                                   \
    KERNEL " .shared .align 16 .b8 s[256]; mov.u32 %r9, s; mad.lo.u32 %r10, %t, 4, %r9; setp.lt.u32 %p1, %t, 16;\n"    \
           " @%p1 st.shared.u32 [%r10], %t; bar.sync 0;\n"
/* Lanes 16 to 31 load what nobody wrote into %r1. */
#define LOADED HALF_WRITTEN " ld.shared.u32 %r1, [%r10];\n"
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
    refuse(HALF_WRITTEN " ld.shared.v2.u16 {%h1, %h2}, [%r10]; mov.b32 %r1, {%h1, %h2}; add.u32 %r1, %r1, 1;" OUT
                        "%r1;" END,
           "thread (16,0,0)");
    refuse(HALF_WRITTEN " atom.shared.add.u32 %r1, [%r10], 1;" END,
           "PTX line 11 'atom.shared.add"); /* at once: it is used */
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

/* What a kernel reads of shared and local memory that it never wrote depended on the block that ran there before, or on
 * what malloc gave: with JRSIM_JUDGE=off one kernel printed zeros on one machine and anything on another. */

/* Adds up the initial content of shared memory (the kernel's and the launch's) and of local memory, writes the sum, and
 * sets all their bits. */
#define LEAVINGS                                                                                                       \
    PTX ".extern .shared .align 16 .b8 more[];\n"                                                                      \
        ".visible .entry k(.param .u64 words)\n{\n .reg .b32 %r<20>; .reg .b64 %d<9>;\n"                               \
        " .local .align 16 .b8 own[16];\n .shared .align 16 .b8 s[256];\n"                                             \
        " ld.param.u64 %d1, [words]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"                                    \
        " shl.b32 %r3, %r1, 2; mov.u32 %r4, s; add.u32 %r4, %r4, %r3; mov.u32 %r5, more; add.u32 %r5, %r5, %r3;\n"     \
        " ld.shared.u32 %r6, [%r4]; ld.shared.u32 %r7, [%r5]; ld.local.u32 %r8, [own+4];\n"                            \
        " or.b32 %r9, %r6, %r7; or.b32 %r9, %r9, %r8; mov.u32 %r10, -1;\n"                                             \
        " st.shared.u32 [%r4], %r10; st.shared.u32 [%r5], %r10; st.local.u32 [own+4], %r10;\n"                         \
        " mad.lo.u32 %r11, %r2, 64, %r1; mul.wide.u32 %d2, %r11, 4; add.s64 %d2, %d2, %d1;\n"                          \
        " st.global.u32 [%d2], %r9;\n ret;\n}\n"

enum { GRID = 5, BLOCK = 64 };

TEST(memory_that_no_one_wrote_is_zero_in_every_block) {
    machine_case test = {.ptx = LEAVINGS,
                         .grid = GRID,
                         .block = BLOCK,
                         .shared_bytes = BLOCK * sizeof(uint32_t),
                         .judge = JRS_JUDGE_OFF};
    for (unsigned t = 0; t < GRID * BLOCK; t++) test.words[t] = 7;
    machine_good(&test);
    for (unsigned t = 0; t < GRID * BLOCK; t++)
        if (test.words[t] != 0) fail_msg("thread %u of block %u found %#x", t % BLOCK, t / BLOCK, test.words[t]);
}

/* Two threads that write one value to one place with no barrier between were refused, though the memory holds that
 * value whoever comes last; and there was no way to let a kernel with a race, or one that reads what nobody wrote, run
 * on as it does on a GPU (JRSIM_JUDGE). */

#define SHARED KERNEL " .shared .align 16 .b8 s[256]; mov.u32 %r9, s; mad.lo.u32 %r10, %t, 4, %r9;"
#define OUT    " mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %w; st.global.u32 [%d1], "

/* Warps 0 and 1 write 5 to one word; all read it after a barrier. */
#define ONE_VALUE SHARED " mov.u32 %r1, 5; st.shared.u32 [s], %r1; bar.sync 0; ld.shared.u32 %r2, [s];" OUT "%r2;" END
/* Each warp writes its own number. */
#define TWO_VALUES                                                                                                     \
    SHARED " shr.u32 %r1, %t, 5; st.shared.u32 [s], %r1; bar.sync 0; ld.shared.u32 %r2, [s];" OUT "%r2;" END
/* Warp 1 reads what warp 0 writes, with no barrier. */
#define READ_RACE                                                                                                      \
    SHARED " st.shared.u32 [%r10], %t; xor.b32 %r1, %t, 32; mad.lo.u32 %r2, %r1, 4, %r9; setp.gt.u32 %p1, %t, 31; "    \
           "@%p1 ld.shared.u32 %r3, [%r2];" OUT "%r3;" END
#define UNWRITTEN SHARED " ld.shared.u32 %r1, [%r10];" OUT "%r1;" END
#define BOUNDS    SHARED " st.shared.u32 [s+256], %t;" END
#define EARLY     KERNEL " st.global.u32 [%w], 7;" END

/* A thread overwrites what its copy has not read yet; then all threads store that they have reached the end. */
#define BULK_RACE                                                                                                      \
    SHARED " mov.u32 %r1, 7; st.shared.v4.u32 [s], {%r1, %r1, %r1, %r1}; fence.proxy.async.shared::cta; setp.eq.u32 "  \
           "%p1, %t, 0; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%w], [s], 16; @%p1 st.shared.u32 [s], 8; "   \
           "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; add.s64 %w, %w, 1024;" OUT "%t;" END

static machine_case of(const char *ptx, jrs_judge judge) {
    return (machine_case){.ptx = ptx, .block = 64, .judge = judge};
}

TEST(two_writes_of_one_value_are_noted_and_not_refused) {
    machine_case test = of(ONE_VALUE, JRS_JUDGE_STRICT);
    machine_good(&test);
    for (unsigned t = 0; t < 64; t++) assert_int_equal(test.words[t], 5);
    assert_int_equal(test.note_count, 1); /* not one a lane */
    assert_non_null(strstr(test.note,
                           "one value written twice to shared memory: kernel k, PTX line 9 'st.shared.u32 [s], "
                           "%r1', block (0,0,0), thread (32,0,0), address 0x0: thread (31,0,0) wrote it at "
                           "PTX line 9 with no barrier between"));
}

TEST(two_values_stay_a_race) {
    machine_case test = of(TWO_VALUES, JRS_JUDGE_STRICT);
    machine_fails(&test, 719, "data race in shared memory: kernel k");
    /* The same word, another of its bytes; and a vector of which one element differs. */
    machine_case byte =
        of(SHARED " mov.u32 %r1, 0x01010101; st.shared.u32 [s], %r1;\n shr.u32 %r2, %t, 5; add.u32 %r2, "
                  "%r2, 1; add.u32 %r3, %r9, %r2; st.shared.u8 [%r3], %r2;" END,
           JRS_JUDGE_STRICT);
    machine_fails(&byte, 719, "data race");
    machine_case vector =
        of(SHARED " shr.u32 %r1, %t, 5; mov.u32 %r2, 3; st.shared.v4.u32 [s], {%r2, %r2, %r1, %r2};" END,
           JRS_JUDGE_STRICT);
    machine_fails(&vector, 719, "address 0x8: thread (31,0,0) wrote it");
}

TEST(a_read_between_two_writes_of_one_value_stays_a_race) {
    machine_case test =
        of(SHARED " mov.u32 %r1, 5; st.shared.u32 [s], %r1; ld.shared.u32 %r2, [s];" OUT "%r2;" END, JRS_JUDGE_STRICT);
    machine_fails(&test, 719, "data race");
}

TEST(a_judge_that_warns_notes_and_lets_the_kernel_go_on) {
    static const struct {
        const char *ptx, *words;
        bool dependent;
    } rows[] = {
        {TWO_VALUES, "data race in shared memory: kernel k", false},
        {READ_RACE, "data race in shared memory: kernel k", false},
        {UNWRITTEN, "uninitialised shared memory: kernel k", false},
        {EARLY, "access before griddepcontrol.wait in a dependent launch: kernel k", true},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        machine_case strict = of(rows[k].ptx, JRS_JUDGE_STRICT), warn = of(rows[k].ptx, JRS_JUDGE_WARN);
        machine_case off = of(rows[k].ptx, JRS_JUDGE_OFF);
        strict.dependent = warn.dependent = off.dependent = rows[k].dependent;
        machine_fails(&strict, 719, rows[k].words);
        assert_int_equal(strict.note_count, 0);
        machine_good(&warn);
        assert_int_equal(warn.note_count, 1);
        assert_non_null(strstr(warn.note, rows[k].words));
        machine_good(&off);
        assert_int_equal(off.note_count, 0);
    }
    machine_case read = of(READ_RACE, JRS_JUDGE_WARN);
    machine_good(&read);
    for (unsigned t = 32; t < 64; t++) assert_int_equal(read.words[t], t ^ 32);
}

/* Under a judge that lets it go on, such a kernel ended in the middle, as if it had come to its end. */
TEST(a_write_to_what_a_bulk_copy_reads_is_judged_as_a_race) {
    for (int judge = JRS_JUDGE_WARN; judge <= JRS_JUDGE_OFF; judge++) {
        machine_case goes_on = of(BULK_RACE, (jrs_judge)judge);
        goes_on.block = 32;
        machine_good(&goes_on);
        for (unsigned t = 1; t < 32; t++) assert_int_equal(goes_on.words[256 + t], t);
        assert_int_equal(goes_on.note_count, judge == JRS_JUDGE_WARN);
    }
    machine_case strict = of(BULK_RACE, JRS_JUDGE_STRICT);
    strict.block = 32;
    machine_fails(&strict, 719, "data race in shared memory: kernel k");
}

TEST(what_the_hardware_stops_is_stopped_under_any_judge) {
    for (int judge = JRS_JUDGE_STRICT; judge <= JRS_JUDGE_OFF; judge++) {
        machine_case bounds = of(BOUNDS, (jrs_judge)judge);
        machine_fails(&bounds, 719, "out of bounds");
        machine_case barrier = of(KERNEL " setp.lt.u32 %p1, %t, 32; @%p1 bar.sync 0;" END, (jrs_judge)judge);
        machine_good(&barrier); /* warp 1 exits: it is not waited for */
        machine_case stuck = of(KERNEL " setp.lt.u32 %p1, %t, 32; @%p1 bar.sync 0, 64;" END, (jrs_judge)judge);
        machine_fails(&stuck, 719, "divergent barrier");
    }
}

RUN_TESTS(NULL, NULL)
