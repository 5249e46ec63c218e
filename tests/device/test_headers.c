/* Include folders: which file an include finds, and that the cache knows when it finds another one, or other bytes. */
/* cache: own */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

static char top[SCRATCH_BYTES], folder_a[2 * SCRATCH_BYTES], folder_b[2 * SCRATCH_BYTES];

static int make_top(void **state) {
    (void)state;
    scratch_make(top);
    snprintf(folder_a, sizeof folder_a, "%s/a", top);
    snprintf(folder_b, sizeof folder_b, "%s/b", top);
    return 0;
}

static const char answer_source[] = "#include <answer.h>\nextern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n";

static jr_program program_of(const char *source, const char *const *folders, size_t count) {
    return JR_INIT(jr_program, .name = "headers", .source = source, .entry = "k", .include_folders = folders,
                   .include_folder_count = count);
}

/* A context of its own, as another process would open it, with a cache below the test's folder. */
static opened fresh(const char *cache) {
    opened made = {0};
    const jr_options options = JR_INIT(jr_options, .cache_dir = cache);
    works(jr_context_open(&options, &made.context));
    return made;
}

/* What a program answers in a fresh context, and whether it had to be compiled. */
static int answer_of(void **state, const jr_program *program, bool *compiled) {
    opened device = **(opened **)state;
    char cache[2 * SCRATCH_BYTES];
    snprintf(cache, sizeof cache, "%s/cache", top);
    device.context = fresh(cache).context;
    const int answer = kernel_answer(&device, kernel_new(&device, program));
    jr_counters counters = JR_INIT(jr_counters, .compiles = 0);
    works(jr_context_counters(device.context, &counters));
    *compiled = counters.compiles > 0;
    jr_context_close(device.context);
    return answer;
}

static void answers(void **state, const jr_program *program, int expected, bool compiles) {
    bool compiled;
    assert_int_equal(answer_of(state, program, &compiled), expected);
    assert_int_equal(compiled, compiles);
}

TEST_BETWEEN(a_header_is_found_and_the_second_process_finds_the_kernel_on_disk, make_top, NULL) {
    const char *const folders[] = {folder_a};
    const jr_program program = program_of(answer_source, folders, 1);
    scratch_text(scratch_path(top, "a/answer.h"), "#define ANSWER 41\n");
    answers(state, &program, 41, true);
    answers(state, &program, 41, false);
}

TEST_BETWEEN(a_touched_header_is_a_hit_and_a_changed_one_a_miss, make_top, NULL) {
    const char *const folders[] = {folder_a};
    char header[3 * SCRATCH_BYTES];
    snprintf(header, sizeof header, "%s/answer.h", folder_a);
    const jr_program program = program_of(answer_source, folders, 1);
    const struct timespec old[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    scratch_text(header, "#define ANSWER 41\n");
    answers(state, &program, 41, true);
    assert_int_equal(utimensat(AT_FDCWD, header, old, 0), 0);
    answers(state, &program, 41, false);
    scratch_text(header, "#define ANSWER 41\n"); /* written again, equal */
    answers(state, &program, 41, false);
    scratch_text(header, "#define ANSWER 42\n");              /* of the same size */
    assert_int_equal(utimensat(AT_FDCWD, header, old, 0), 0); /* and time */
    answers(state, &program, 42, true);
    scratch_text(header, "#define ANSWER 41\n");
    answers(state, &program, 41, false); /* as before */
}

TEST_BETWEEN(a_header_that_comes_to_shadow_another_is_a_miss, make_top, NULL) {
    const char *const folders[] = {folder_a, folder_b};
    const jr_program program = program_of(answer_source, folders, 2);
    scratch_folder(scratch_path(top, "a"));
    scratch_text(scratch_path(top, "b/answer.h"), "#define ANSWER 2\n");
    answers(state, &program, 2, true);
    scratch_text(scratch_path(top, "a/answer.h"), "#define ANSWER 1\n");
    answers(state, &program, 1, true);
    assert_int_equal(unlink(scratch_path(top, "a/answer.h")), 0);
    answers(state, &program, 2, false);
}

TEST_BETWEEN(a_header_that_is_asked_for_and_comes_later_is_a_miss, make_top, NULL) {
    const char *const folders[] = {folder_a};
    const jr_program program =
        program_of("#if __has_include(\"later.h\")\n#include \"later.h\"\n#else\n#define ANSWER 1\n#endif\n"
                   "extern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n",
                   folders, 1);
    scratch_folder(folders[0]);
    answers(state, &program, 1, true);
    answers(state, &program, 1, false);
    scratch_text(scratch_path(top, "a/later.h"), "#define ANSWER 2\n");
    answers(state, &program, 2, true);
}

TEST_BETWEEN(quotes_look_beside_the_includer_and_next_behind_its_folder, make_top, NULL) {
    const char *const folders[] = {folder_a, folder_b};
    const jr_program program =
        program_of("#include <deep/first.h>\n#include <deep/first.h>\nextern \"C\" __global__ void k(int *o) "
                   "{ *o = NEAR + 10 * FAR + 100 * NEXT + 1000 * UP; }\n",
                   folders, 2);
    scratch_text(scratch_path(top, "a/deep/first.h"),
                 "#pragma once\n#include \"near.h\"\n#include <near.h>\n#include \"../up.h\"\n"
                 "#include_next <deep/first.h>\nstruct only_once {};\n");
    scratch_text(scratch_path(top, "a/deep/near.h"), "#define NEAR 1\n");
    scratch_text(scratch_path(top, "a/near.h"), "#define FAR 2\n");
    scratch_text(scratch_path(top, "b/deep/first.h"), "#define NEXT 3\n#include \"near.h\"\n");
    scratch_text(scratch_path(top, "b/deep/near.h"), "struct beside {};\n");
    scratch_text(scratch_path(top, "a/up.h"), "#pragma once\n#define UP 4\nstruct up {};\n#include \"deep/../up.h\"\n");
    answers(state, &program, 4321, true);
}

TEST_BETWEEN(a_virtual_header_goes_before_a_file_and_may_include_one, make_top, NULL) {
    const char *const folders[] = {folder_a};
    const jr_named_text header = {"answer.h", "#include <real.h>\n#define ANSWER (REAL + 1)\n"};
    jr_program program = program_of(answer_source, folders, 1);
    program.headers = &header;
    program.header_count = 1;
    scratch_text(scratch_path(top, "a/answer.h"), "#error \"shadowed\"\n");
    scratch_text(scratch_path(top, "a/real.h"), "#define REAL 6\n");
    answers(state, &program, 7, true);
    scratch_text(scratch_path(top, "a/real.h"), "#define REAL 7\n");
    answers(state, &program, 8, true);
}

TEST_BETWEEN(one_file_under_two_paths_is_included_once, make_top, NULL) {
    const char *const folders[] = {folder_a, folder_b};
    const jr_program program = program_of("#include <x.h>\n#include <sub/x.h>\n#include <only_b.h>\n"
                                          "extern \"C\" __global__ void k(int *o) { *o = 5; }\n",
                                          folders, 2);
    scratch_text(scratch_path(top, "a/x.h"), "#pragma once\nstruct one {};\n");
    scratch_text(scratch_path(top, "a/only_b.h"), "struct other {};\n");
    assert_int_equal(symlink("a", scratch_path(top, "b")), 0); /* a folder that is a link into another */
    assert_int_equal(symlink(".", scratch_path(top, "a/sub")), 0);
    answers(state, &program, 5, true);
}

TEST_BETWEEN(any_name_of_a_folder_will_do, make_top, NULL) {
    static const char *const names[] = {"with space", "with\nnewline", "%s\"quoted\"", "-dash", "~", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char folder[2 * SCRATCH_BYTES], header[3 * SCRATCH_BYTES], text[64];
        snprintf(folder, sizeof folder, "%s/%s", top, names[i]);
        snprintf(header, sizeof header, "%s/answer.h", folder);
        snprintf(text, sizeof text, "#define ANSWER %zu\n", i);
        const char *const folders[] = {folder};
        const jr_program program = program_of(answer_source, folders, 1);
        scratch_text(header, text);
        answers(state, &program, (int)i, true);
        answers(state, &program, (int)i, false);
    }
}

TEST_BETWEEN(a_relative_folder_is_below_the_working_directory, make_top, NULL) {
    const char *const folders[] = {"a"};
    const jr_program program = program_of(answer_source, folders, 1);
    char *here = getcwd(NULL, 0);
    scratch_text(scratch_path(top, "one/a/answer.h"), "#define ANSWER 1\n");
    scratch_text(scratch_path(top, "two/a/answer.h"), "#define ANSWER 2\n");
    assert_int_equal(chdir(scratch_path(top, "one")), 0);
    answers(state, &program, 1, true);
    assert_int_equal(chdir(scratch_path(top, "two")), 0);
    answers(state, &program, 2, true);
    assert_int_equal(chdir(here), 0);
    free(here);
}

TEST_BETWEEN(ten_thousand_headers_are_followed, make_top, NULL) {
    enum { COUNT = 10000 };
    const char *const folders[] = {folder_a};
    const jr_program program =
        program_of("#include <h0.h>\nextern \"C\" __global__ void k(int *o) { *o = LAST; }\n", folders, 1);
    for (int i = 0; i < COUNT; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "a/h%d.h", i);
        if (i % 100 == 99 || i == COUNT - 1) /* NVRTC nests them 100 deep here, not 10000 */
            snprintf(text, sizeof text, "#define LAST %d\n#undef LAST\n#define LAST 77\n", i);
        else
            snprintf(text, sizeof text, "#include \"h%d.h\"\n", i + 1);
        scratch_text(scratch_path(top, name), text);
    }
    FILE *first = fopen(scratch_path(top, "a/h0.h"), "w");
    assert_non_null(first);
    for (int i = 100; i < COUNT; i += 100) fprintf(first, "#include \"h%d.h\"\n", i);
    assert_int_equal(fclose(first), 0);
    answers(state, &program, 77, true);
    answers(state, &program, 77, false);
    scratch_text(scratch_path(top, "a/h9999.h"), "#undef LAST\n#define LAST 78\n");
    answers(state, &program, 78, true);
}

TEST_BETWEEN(macros_and_absolute_paths_are_not_followed_and_say_so, make_top, NULL) {
    const opened *device = *state;
    const char *const folders[] = {folder_a};
    jr_kernel *kernel = NULL;
    const jr_program program = program_of(answer_source, folders, 1);
    static const struct {
        const char *text, *says;
    } cases[] = {{"#include X\n", "by a macro: X"},
                 {"#define X </etc/hosts>\n#include X\n", "by a macro: X"},
                 {"#define R /etc\n#define X <R/hosts>\n#include X\n", "by a macro: X"},
                 {"#define X(f) <f.h>\n#include X(other)\n", "by a macro: X"},
                 {"#include \"/etc/hosts\"\n", "by an absolute path: /etc/hosts"},
                 {"#inc\\\nlude </etc/hosts>\n", "by an absolute path: /etc/hosts"},
                 {"%:include </etc/hosts>\n", "by an absolute path: /etc/hosts"},
                 {"#include \\\n \"/etc/\\\nhosts\"\n", "by a macro"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scratch_text(scratch_path(top, "a/answer.h"), cases[i].text);
        fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE, "headers");
        assert_non_null(strstr(jr_last_error()->message, cases[i].says));
        assert_non_null(strstr(jr_last_error()->log, "answer.h(")); /* where */
    }
    scratch_text(scratch_path(top, "a/answer.h"), "#if 0\n#include X\n#endif\n#define ANSWER 3\n");
    bool compiled;
    assert_int_equal(answer_of(state, &program, &compiled), 3); /* not compiled: not refused */
}

TEST_BETWEEN(a_macro_is_followed_through_all_that_it_may_mean, make_top, NULL) {
    const char *const folders[] = {folder_a};
    const jr_named_text two = {"WHICH", "two"};
    jr_program program = program_of(answer_source, folders, 1);
    scratch_text(scratch_path(top, "a/answer.h"), "#include \"which.h\"\n#include HEADER\n");
    scratch_text(scratch_path(top, "a/which.h"),
                 "#ifndef WHICH\n#  define WHICH one\n#endif\n#define HEADER <sub/WHICH.h>\n");
    scratch_text(scratch_path(top, "a/sub/one.h"), "#define ANSWER 1\n");
    scratch_text(scratch_path(top, "a/sub/two.h"), "#define ANSWER 2\n");
    answers(state, &program, 1, true);
    program.constants = &two;
    program.constant_count = 1;
    answers(state, &program, 2, true);
    scratch_text(scratch_path(top, "a/sub/two.h"), "#define ANSWER 3\n");
    answers(state, &program, 3, true);
}

RUN_TESTS(open_context, close_context)
