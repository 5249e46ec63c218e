/* Rounds of the simulator's trace, and lines of sources. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/machine_case.h"
#include "support/fixtures/held.h"

/* The trace of rounds: stores, loads and exchanges of threads, and the content of shared memory at each barrier. */

#define SHARED KERNEL " .shared .align 16 .b8 s[256];\n"

/* Runs the kernel; the caller frees the trace. */
static char *told(machine_case test) {
    test.told = test_zeros(1, MACHINE_PRINTED);
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
}

TEST(a_load_into_its_own_address_is_told_by_where_it_was) {
    char *text = told((machine_case){.block = 1,
                                     .ptx = SHARED " st.shared.u32 [s+8], 5;\n mov.u32 %r1, s;\n"
                                                   " ld.shared.u32 %r1, [%r1+8];" END});
    has(text, "\nL 0 0 12 8 u32 5\n");
}

TEST(vectors_are_told_element_by_element) {
    char *text = told((machine_case){.block = 1,
                                     .ptx = SHARED " mov.f32 %r1, 0f3F800000;\n st.shared.v2.f32 [s], {%r1, %r1};\n"
                                                   " mov.u64 %d1, -1;\n st.shared.u64 [s+8], %d1;" END});
    has(text, "S 0 0 11 0 f32 3f800000\nS 0 0 11 4 f32 3f800000\nS 0 0 13 8 u64 ffffffffffffffff\n");
}

TEST(a_wider_store_takes_the_place_of_narrower_ones) {
    char *text = told((machine_case){.block = 1,
                                     .ptx = SHARED " st.shared.u32 [s], 1;\n st.shared.u32 [s+4], 2;\n"
                                                   " mov.u64 %d1, 3;\n st.shared.u64 [s], %d1;" END});
    has(text, "M 0 0 u64 3\nE 0\n");
}

TEST(shuffles_tell_what_was_given_and_got) {
    char *text = told((machine_case){
        .block = 32,
        .ptx = KERNEL " shfl.sync.down.b32 %r1, %t, 16, 31, -1;\n shfl.sync.bfly.b32 %t, %t, 1, 31, -1;" END});
    has(text, "X 0 0 9 b32 0 10\n");
    has(text, "X 0 16 9 b32 10 10\n");
    has(text, "X 0 0 10 b32 0 1\nX 0 1 10 b32 1 0\n");
}

TEST(atomics_tell_their_operand) {
    char *text = told((machine_case){.block = 1,
                                     .ptx = SHARED " st.shared.u32 [s], 1;\n atom.shared.add.u32 %r1, [s], 6;\n"
                                                   " red.global.add.u32 [%w+12], 9;" END});
    has(text, "A 0 0 11 0 u32 6\n");
    has(text, "M 0 0 u32 7\n");
    has(text, " 12 u32 9\n");
    has(text, "GA 0 0 12 ");
}

TEST(what_a_predicate_holds_back_is_not_told) {
    char *text = told((machine_case){
        .block = 2, .ptx = SHARED " setp.eq.u32 %p1, %t, 1;\n @%p1 st.shared.u32 [s], 4;\n @%p1 bra B;\n B:" END});
    has(text, "S 0 1 11 0 u32 4\n");
    assert_null(strstr(text, "S 0 0 "));
}

TEST(blocks_are_told_by_their_numbers) {
    char *text = told(
        (machine_case){.grid = 3, .block = 1, .ptx = SHARED " mov.u32 %r1, %ctaid.x;\n st.shared.u32 [s], %r1;" END});
    has(text, "S 0 0 11 0 u32 0\nM 0 0 u32 0\nE 0\n");
    has(text, "S 2 0 11 0 u32 2\nM 2 0 u32 2\nE 2\n");
}

/* Reports name lines of the source where the PTX says them (.file and .loc), and lines of the PTX alone where not. */

#define SHARED_TEXT " .shared .align 16 .b8 s[256];\n"
#define FILES       "\n\t.file\t1 \"/home/someone/saxpy.cu\"\n\t.file\t2 \"inc/add.cuh\", 1700000000, 99\n"

static void check(const char *ptx, unsigned block, const char *words) {
    machine_case test = {.ptx = ptx, .block = block};
    machine_fails(&test, strstr(ptx, "shared") || strstr(ptx, "bar.sync") ? 719 : 700, words);
}

TEST(a_fault_names_file_and_line) {
    check(KERNEL ".loc 1 7 3\n ld.global.u32 %r1, [%w];\n .loc\t1 12 5\n ld.global.u32 %r1, [%w+16388];" END FILES, 32,
          "out of bounds: kernel k, saxpy.cu:12, PTX line 12 'ld.global.u32 %r1, [%w+16388]', block (0,0,0)");
}

TEST(an_instruction_before_all_places_has_none) {
    check(KERNEL " ld.global.u32 %r1, [%w+16388];\n .loc 1 12 5\n" END FILES, 32, "kernel k, PTX line 9 'ld.global");
}

TEST(inlined_code_names_its_caller_too) {
    check(KERNEL
          " .loc 2 3 1, function_name $L__info_string0, inlined_at 1 12 9\n ld.global.u32 %r1, [%w+16388];" END FILES,
          32, "kernel k, add.cuh:3 inlined at saxpy.cu:12, PTX line 10 'ld.global");
}

TEST(a_race_names_both_lines) {
    check(KERNEL SHARED_TEXT " .loc 1 5 1\n st.shared.u32 [s], %t;\n .loc 1 6 1\n ld.shared.u32 %r1, [s];" END FILES,
          64, "saxpy.cu:5, PTX line 11");
}

TEST(an_uninitialised_read_names_its_load) {
    check(KERNEL SHARED_TEXT
          " .loc 1 5 1\n ld.shared.u32 %r1, [s+4];\n .loc 1 6 1\n st.global.u32 [%w], %r1;" END FILES,
          1, "kernel k, saxpy.cu:6, PTX line 13 'st.global.u32 [%w], %r1'");
    check(KERNEL SHARED_TEXT
          " .loc 1 5 1\n ld.shared.u32 %r1, [s+4];\n .loc 1 6 1\n st.global.u32 [%w], %r1;" END FILES,
          1, "and saxpy.cu:5, PTX line 11 loaded it");
}

TEST(a_barrier_says_where_the_others_are) {
    check(KERNEL
          " setp.lt.u32 %p1, %t, 32;\n @%p1 bra A;\n .loc 1 20 1\n bar.sync 1;\n A:\n .loc 1 22 1\n bar.sync 0;" END
              FILES,
          64, "saxpy.cu:2");
}

TEST(places_end_with_their_function) {
    check(PTX ".visible .entry first()\n{\n .loc 1 2 1\n ret;\n}\n.visible .entry k(.param .u64 words)\n{\n .reg .b32 "
              "%r1; .reg .b64 %w;\n ld.param.u64 %w, [words]; ld.global.u32 %r1, [%w+16388];" END FILES,
          32, "kernel k, PTX line 12 'ld.global");
}

TEST(odd_directives_are_passed_over) {
    static const char *const odd[] = {".loc",
                                      ".loc x",
                                      ".loc 1",
                                      ".loc 1 -4 5",
                                      ".loc 99999999999999999999 1 1",
                                      ".loc 0 5 5",
                                      ".file",
                                      ".file 1",
                                      ".file 1 \"no end",
                                      ".file 1 no begin\"",
                                      ".loc 1 2 3, inlined_at",
                                      ".loc 1 2 3, inlined_at 7"};
    char ptx[2048];
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        snprintf(ptx, sizeof ptx, "%s %s\n st.global.u32 [%%w], 7;%s", KERNEL, odd[i], END);
        machine_case test = {.ptx = ptx, .block = 1};
        machine_good(&test);
        assert_int_equal(test.words[0], 7);
    }
}

TEST(a_file_without_a_name_keeps_its_number) {
    check(KERNEL " .loc 3 12 5\n ld.global.u32 %r1, [%w+16388];" END FILES, 32, "kernel k, file 3:12, PTX line 10");
}

TEST(long_names_are_cut) {
    char ptx[8192], name[3001];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(ptx, sizeof ptx, "%s.file 1 \"%s\"\n",
             KERNEL " .loc 1 12 5, inlined_at 1 13 1\n ld.global.u32 %r1, [%w+16388];" END, name);
    ;
    check(ptx, 1, "nnnn:13, PTX line 10");
}

RUN_TESTS(NULL, NULL)
