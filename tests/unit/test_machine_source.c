/* Reports name lines of the source where the PTX says them (.file and .loc), and lines of the PTX alone where not. */
#include <stdio.h>
#include <string.h>

#include "support/cases/machine_case.h"

#define SHARED " .shared .align 16 .b8 s[256];\n"
#define FILES  "\n\t.file\t1 \"/home/someone/saxpy.cu\"\n\t.file\t2 \"inc/add.cuh\", 1700000000, 99\n"

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
    check(KERNEL SHARED " .loc 1 5 1\n st.shared.u32 [s], %t;\n .loc 1 6 1\n ld.shared.u32 %r1, [s];" END FILES, 64,
          "saxpy.cu:5, PTX line 11");
}

TEST(an_uninitialised_read_names_its_load) {
    check(KERNEL SHARED " .loc 1 5 1\n ld.shared.u32 %r1, [s+4];\n .loc 1 6 1\n st.global.u32 [%w], %r1;" END FILES, 1,
          "kernel k, saxpy.cu:6, PTX line 13 'st.global.u32 [%w], %r1'");
    check(KERNEL SHARED " .loc 1 5 1\n ld.shared.u32 %r1, [s+4];\n .loc 1 6 1\n st.global.u32 [%w], %r1;" END FILES, 1,
          "and saxpy.cu:5, PTX line 11 loaded it");
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
