/* The trace of rounds: stores, loads and exchanges of threads, and the content of shared memory at each barrier. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/machine_case.h"

#define SHARED KERNEL " .shared .align 16 .b8 s[256];\n"

/* Runs the kernel; the caller frees the trace. */
static char *told(machine_case test) {
    test.told = calloc(1, MACHINE_PRINTED);
    assert_non_null(test.told);
    machine_good(&test);
    return test.told;
}

static void has(const char *text, const char *line) {
    if (strstr(text, line) == NULL) fail_msg("'%s' is not in:\n%s", line, text);
}

TEST(shared_memory_is_told_at_barriers_and_at_the_end) {
    char *text = told((machine_case){
        .block = 2,
        .ptx =
            SHARED " mov.u32 %r9, s; mad.lo.u32 %r10, %t, 4, %r9;\n add.u32 %r1, %t, 7;\n st.shared.u32 [%r10], %r1;\n"
                   " bar.sync 0;\n ld.shared.u32 %r2, [s+4];\n st.global.u32 [%w+8], %r2;" END});
    assert_int_equal(strncmp(text, "launch k 1 1 1 2 1 1\n", 21), 0);
    has(text,
        "\nS 0 0 12 0 u32 7\nS 0 1 12 4 u32 8\nM 0 0 u32 7\nM 0 4 u32 8\nW 0 13\nL 0 0 14 4 u32 8\nL 0 1 14 4 u32 8\n");
    has(text, " 8 u32 8\nM 0 0 u32 7\nM 0 4 u32 8\nE 0\n(end)\n");
    free(text);
}

TEST(a_load_into_its_own_address_is_told_by_where_it_was) {
    char *text = told((machine_case){.block = 1,
                                     .ptx = SHARED " st.shared.u32 [s+8], 5;\n mov.u32 %r1, s;\n"
                                                   " ld.shared.u32 %r1, [%r1+8];" END});
    has(text, "\nL 0 0 12 8 u32 5\n");
    free(text);
}

TEST(vectors_are_told_element_by_element) {
    char *text = told((machine_case){.block = 1,
                                     .ptx = SHARED " mov.f32 %r1, 0f3F800000;\n st.shared.v2.f32 [s], {%r1, %r1};\n"
                                                   " mov.u64 %d1, -1;\n st.shared.u64 [s+8], %d1;" END});
    has(text, "S 0 0 11 0 f32 3f800000\nS 0 0 11 4 f32 3f800000\nS 0 0 13 8 u64 ffffffffffffffff\n");
    free(text);
}

TEST(a_wider_store_takes_the_place_of_narrower_ones) {
    char *text = told((machine_case){.block = 1,
                                     .ptx = SHARED " st.shared.u32 [s], 1;\n st.shared.u32 [s+4], 2;\n"
                                                   " mov.u64 %d1, 3;\n st.shared.u64 [s], %d1;" END});
    has(text, "M 0 0 u64 3\nE 0\n");
    free(text);
}

TEST(shuffles_tell_what_was_given_and_got) {
    char *text = told((machine_case){
        .block = 32,
        .ptx = KERNEL " shfl.sync.down.b32 %r1, %t, 16, 31, -1;\n shfl.sync.bfly.b32 %t, %t, 1, 31, -1;" END});
    has(text, "X 0 0 9 b32 0 10\n");
    has(text, "X 0 16 9 b32 10 10\n");
    has(text, "X 0 0 10 b32 0 1\nX 0 1 10 b32 1 0\n");
    free(text);
}

TEST(atomics_tell_their_operand) {
    char *text = told((machine_case){.block = 1,
                                     .ptx = SHARED " st.shared.u32 [s], 1;\n atom.shared.add.u32 %r1, [s], 6;\n"
                                                   " red.global.add.u32 [%w+12], 9;" END});
    has(text, "A 0 0 11 0 u32 6\n");
    has(text, "M 0 0 u32 7\n");
    has(text, " 12 u32 9\n");
    has(text, "GA 0 0 12 ");
    free(text);
}

TEST(what_a_predicate_holds_back_is_not_told) {
    char *text = told((machine_case){
        .block = 2, .ptx = SHARED " setp.eq.u32 %p1, %t, 1;\n @%p1 st.shared.u32 [s], 4;\n @%p1 bra B;\n B:" END});
    has(text, "S 0 1 11 0 u32 4\n");
    assert_null(strstr(text, "S 0 0 "));
    free(text);
}

TEST(blocks_are_told_by_their_numbers) {
    char *text = told(
        (machine_case){.grid = 3, .block = 1, .ptx = SHARED " mov.u32 %r1, %ctaid.x;\n st.shared.u32 [s], %r1;" END});
    has(text, "S 0 0 11 0 u32 0\nM 0 0 u32 0\nE 0\n");
    has(text, "S 2 0 11 0 u32 2\nM 2 0 u32 2\nE 2\n");
    free(text);
}

RUN_TESTS(NULL, NULL)
