/* Two threads that write one value to one place with no barrier between were refused, though the memory holds that
 * value whoever comes last; and there was no way to let a kernel with a race, or one that reads what nobody wrote, run
 * on as it does on a GPU (JRSIM_JUDGE). */
#include <string.h>

#include "support/cases/machine_case.h"

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
