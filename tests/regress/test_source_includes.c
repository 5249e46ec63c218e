/* What sources include, and the headers that go along with them. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/fixtures/check.h"
#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

/* A kernel's source was refused for what stands in its comments, strings and dead branches, and for includes by ".."
 * and by macros, though the same lines in a header were followed. */

#define KERNEL "extern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n"

static char top[SCRATCH_BYTES], folder[2 * SCRATCH_BYTES];

static int make_top(void **state) {
    (void)state;
    scratch_make(top);
    snprintf(folder, sizeof folder, "%s/src", top);
    scratch_folder(folder);
    return 0;
}

static int answer(void **state, const jr_program *program) {
    const opened *device = *state;
    jr_kernel *kernel = NULL;
    if (jr_kernel_get(device->context, program, &kernel) != JR_OK)
        fail_msg("%s\n%s\n%s", jr_last_error()->message, jr_last_error()->log, program->source);
    return kernel_answer(device, kernel);
}

/* With folders and without, all is the same. */
static void answers(void **state, const char *source, int expected) {
    const char *const folders[] = {folder};
    jr_program program = JR_INIT(jr_program, .name = "p", .source = source, .entry = "k");
    assert_int_equal(answer(state, &program), expected);
    program.include_folders = folders;
    program.include_folder_count = 1;
    assert_int_equal(answer(state, &program), expected);
}

TEST_BETWEEN(comments_strings_and_dead_branches_refuse_nothing, make_top, NULL) {
    static const char *const texts[] = {
        "// see #include section\n",
        "// like __has_include\n",
        "// #include \"/etc/passwd\"\n/* #include X */\n",
        "#if 0\n#include \"/usr/include/none.h\"\n#include H\n#include \"../none.h\"\n#endif\n",
        "#ifdef _WIN32\n#include \"C:\\none.h\"\n#endif\n",
        "__device__ const char *s = \"#include </etc/passwd>\";\n",
        "__device__ const char *s = R\"x(\n#include \"/etc/passwd\"\n)x\";\n",
        "#if __has_include(</etc/passwd>) || __has_include(\"/etc/passwd\")\n#error \"asked\"\n#endif\n",
        "#define H \"/etc/passwd\"\n#if __has_include(H)\n#error \"asked\"\n#endif\n",
        "#define H \"/etc/passwd\"\n#define HAS(h) __has_include(h)\n#if HAS(H)\n#error \"asked\"\n#endif\n",
        "#define HAS(h) __has_include(h)\n#if HAS(\"/etc/passwd\")\n#error \"asked\"\n#endif\n",
        "#if __has_include(<none.h>) || __has_include(\"../none.h\")\n#error \"asked\"\n#endif\n",
        "static const int big = 1'000'000;\n",
        "#if 0\ndon't #include /* this\n#endif\n/**/\n",
        "#pragma unroll // #include </x>\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char source[1024];
        snprintf(source, sizeof source, "%s#define ANSWER %zu\n" KERNEL, texts[i], i);
        answers(state, source, (int)i);
    }
}

TEST_BETWEEN(texts_that_editors_and_other_systems_write_compile, make_top, NULL) {
    answers(state, "\xef\xbb\xbf#define ANSWER 1\n" KERNEL, 1); /* a byte order mark */
    answers(state, "#define ANSWER \\\r\n 2\r\nextern \"C\" __global__ void k(int *o) {\r\n *o = ANSWER;\r\n}\r\n", 2);
    answers(state, "#define ANSWER 3\n" KERNEL "// the end", 3);
    answers(state, "#define ANSWER 4\n" KERNEL "\\", 4);
    answers(state, "#define ANSWER 5\n" KERNEL "// \\\n", 5);
    answers(state, "%:define ANSWER 6\n" KERNEL, 6);
}

TEST_BETWEEN(headers_of_strings_are_found_by_macros_and_paths, make_top, NULL) {
    const jr_named_text headers[] = {{"a.h", "\xef\xbb\xbf#pragma once\n#define ANSWER 7\nstruct once {};\n"},
                                     {"deep/b.h", "#include \"c.h\"\n#include \"../a.h\"\n"},
                                     {"deep/c.h", "#pragma once\nstruct c {};\n"},
                                     {"with space.h", "#define ANSWER 8\n"},
                                     {"/abs/d.h", "#define ANSWER 9\n"}};
    static const struct {
        const char *source;
        int answer;
    } cases[] = {{"#define H \"a.h\"\n#include H\n" KERNEL, 7},
                 {"#define DIR deep\n#define H <DIR/b.h>\n#include H // why\n" KERNEL, 7},
                 {"#include \"./a.h\"\n#include \"deep/../a.h\"\n" KERNEL, 7},
                 {"#include \"deep/b.h\"\n#include \"a.h\"\n" KERNEL, 7},
                 {"#include NAME\n" KERNEL, 7},
                 {"#include \"with space.h\"\n" KERNEL, 8},
                 {"#include \"/abs/d.h\"\n" KERNEL, 9},
                 {"#if __has_include(\"a.h\") && !__has_include(\"b.h\")\n#define ANSWER 1\n#endif\n" KERNEL, 1}};
    const char *const options[] = {"-DNAME=\"a.h\""};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const jr_program program =
            JR_INIT(jr_program, .name = "p", .source = cases[i].source, .entry = "k", .headers = headers,
                    .header_count = sizeof headers / sizeof *headers, .options = options, .option_count = 1);
        assert_int_equal(answer(state, &program), cases[i].answer);
    }
}

/* Every file that decides is in the key: another text of it is another kernel. */
TEST_BETWEEN(files_that_a_source_names_in_any_way_are_in_the_key, make_top, NULL) {
    static const char *const sources[] = {
        "#include \"../common/c.h\"\n" KERNEL, "#define H \"../common/c.h\"\n#include H\n" KERNEL,
        "#include \"one.h\"\n#include LATER\n" KERNEL, "#define P common\n#define H <../P/c.h>\n#include H\n" KERNEL,
        "#include \"with space.h\"\n" KERNEL};
    const char *const folders[] = {folder};
    scratch_text(scratch_path(top, "src/one.h"), "#define LATER \"two.h\"\n");
    scratch_text(scratch_path(top, "src/two.h"), "#include \"../common/c.h\"\n");
    scratch_text(scratch_path(top, "src/with space.h"), "#include \"../src/../common/c.h\"\n");
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const jr_program program = JR_INIT(jr_program, .name = "p", .source = sources[i], .entry = "k",
                                           .include_folders = folders, .include_folder_count = 1);
        for (int value = 1; value < 4; value++) {
            char text[64];
            snprintf(text, sizeof text, "#pragma once\n#define ANSWER %d\n", value % 3);
            scratch_text(scratch_path(top, "common/c.h"), text);
            assert_int_equal(answer(state, &program), value % 3);
        }
    }
}

TEST_BETWEEN(what_is_not_followed_is_told_with_what_to_do, make_top, NULL) {
    const opened *device = *state;
    static const struct {
        const char *source, *says;
    } cases[] = {{"#include \"/etc/hosts\"\n" KERNEL, "by an absolute path: /etc/hosts"},
                 {"#include </etc/hosts>\n" KERNEL, "program.include_folders"},
                 {"#inc\\\nlude \"/etc/hosts\"\n" KERNEL, "by an absolute path: /etc/hosts"},
                 {"%:include /* x */ \"/etc/hosts\"\n" KERNEL, "by an absolute path"},
                 {"#define H </etc/hosts>\n#include H\n" KERNEL, "by a macro: H"},
                 {"#define H(x) <x>\n#include H(/etc/hosts)\n" KERNEL, "by a macro: H"},
                 {"#include \"\\\n/etc/hosts\"\n" KERNEL, "by a macro"},
                 {"#include H\n" KERNEL, "by a macro: H"},
                 {"#include_next \"/etc/hosts\"\n" KERNEL, "by an absolute path"},
                 {"#include \"none.h\"\n" KERNEL, "includes none.h, which is not one of its headers"},
                 {"#include <cstdint>\n" KERNEL, "set program.toolkit_headers to 1"},
                 {"#include <vector>\n" KERNEL, "is for host code"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const jr_program program = JR_INIT(jr_program, .name = "p", .source = cases[i].source, .entry = "k");
        jr_kernel *kernel = NULL;
        fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE, "p");
        if (strstr(jr_last_error()->message, cases[i].says) == NULL)
            fail_msg("%s: %s", cases[i].source, jr_last_error()->message);
        assert_non_null(strstr(jr_last_error()->log, "p(")); /* where */
    }
}

TEST_BETWEEN(the_librarys_own_header_is_only_there_where_a_directive_names_it, make_top, NULL) {
    const jr_named_text header = {"jitreduce/mine.h", "#define ANSWER 5\n"};
    jr_program program = JR_INIT(jr_program, .name = "p", .entry = "k", .headers = &header, .header_count = 1);
    program.source = "// like <jitreduce/block.cuh>\n#include <jitreduce/mine.h>\n" KERNEL;
    assert_int_equal(answer(state, &program), 5);
    program = JR_INIT(jr_program, .name = "p", .entry = "k");
    program.source = "#define BLOCK <jitreduce/block.cuh>\n#include BLOCK\n#define ANSWER 6\n" KERNEL;
    assert_int_equal(answer(state, &program), 6);
}

/* NVRTC says of it that the input is invalid, and nothing else. */
DEVICE_TEST(two_headers_of_one_name_are_named) {
    const jr_named_text headers[] = {{"a.h", "#define ANSWER 3\n"}, {"b.h", ""}, {"a.h", "#define ANSWER 4\n"}};
    const jr_program program = JR_INIT(jr_program, .name = "p", .source = "#include \"a.h\"\n" KERNEL, .entry = "k",
                                       .headers = headers, .header_count = 3);
    jr_kernel *kernel = NULL;
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_INVALID_ARGUMENT,
          "headers[0] and headers[2] of program p are both named a.h");
}

RUN_TESTS(open_context, close_context)
