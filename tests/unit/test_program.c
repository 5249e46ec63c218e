/* Programs: what is refused before NVRTC sees it, and the text that it is given. */
/* link: fail_nth */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/directives.h"
#include "program/program.h"
#include "program/sources.h"
#include "spec/expressions.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"

static const jr_program plain = {
    .size = sizeof(jr_program), .name = "saxpy", .source = "line one\nline two\n", .entry = "saxpy"};

static void refused(const jr_program *program, const char *why) {
    jr_program_text text = {.text = (char *)&text};
    assert_int_equal(jr_program_text_make(program, &text), JR_ERROR_INVALID_ARGUMENT);
    assert_ptr_equal(text.text, &text);
    assert_told(why);
}

static void becomes(const jr_program *program, const char *wanted) {
    jr_program_text text = {0};
    assert_int_equal(jr_program_text_make(program, &text), JR_OK);
    assert_ptr_equal(text.program, program);
    assert_string_equal(text.text, wanted);
    jr_program_text_free(&text);
    assert_null(text.text);
}

TEST(names_that_could_be_paths_or_break_the_line_are_refused) {
    static const char *const names[] = {"", "a/b", "/etc/passwd", "a\\b", "a\"b", "a\nb"};
    refused(NULL, "program is NULL");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jr_program program = plain;
        program.name = names[i];
        refused(&program, "program name '");
    }
    jr_program program = plain;
    program.name = NULL;
    refused(&program, "program->name is NULL");
}

TEST(a_program_needs_source_and_entry) {
    jr_program program = plain;
    program.source = NULL;
    refused(&program, "program->source is NULL (program saxpy)");
    program = plain;
    program.entry = NULL;
    refused(&program, "program saxpy names no entry, and its source declares no __global__ function");
    program.entry = "";
    refused(&program, "program saxpy has no entry");
    program.entry = "a\nb";
    refused(&program, "program saxpy has no entry");
}

TEST(constants_that_are_no_identifier_with_one_line_are_refused) {
    static const char *const names[] = {"", "1A", "A-B", "A B", "A(x)", "\xc3\xa4"};
    static const char *const texts[] = {"1\n#include \"/etc/passwd\"", "1\\", "1\r2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const jr_named_text constant = {names[i], "1"};
        jr_program program = plain;
        program.constants = &constant;
        program.constant_count = 1;
        refused(&program, "is not an identifier");
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const jr_named_text constants[] = {{"GOOD", "1"}, {"BAD", texts[i]}};
        jr_program program = plain;
        program.constants = constants;
        program.constant_count = 2;
        refused(&program, "constant BAD of program saxpy");
    }
}

TEST(headers_need_a_name_and_a_text) {
    const jr_named_text wrong[] = {{NULL, "x"}, {"", "x"}, {"a.h", NULL}};
    static const char *const why[] = {"headers[1].name of program saxpy is NULL",
                                      "headers[1].name of program saxpy is empty",
                                      "headers[1].text of program saxpy is NULL"};
    for (size_t i = 0; i < 3; i++) {
        const jr_named_text headers[] = {{"good.h", ""}, wrong[i]};
        jr_program program = plain;
        program.headers = headers;
        program.header_count = 2;
        refused(&program, why[i]);
    }
}

static void takes_option(const char *option, bool taken) {
    jr_program program = plain;
    program.options = &option;
    program.option_count = 1;
    if (taken)
        becomes(&program, "#line 1 \"saxpy\"\nline one\nline two\n");
    else
        refused(&program, option ? option : "options[0] of program saxpy is NULL");
}

TEST(options_that_read_files_or_choose_the_output_are_refused) {
    static const char *const wrong[] = {NULL,
                                        "",
                                        "O3",
                                        "-I/usr/include",
                                        "-I",
                                        "--include-path=/usr/include",
                                        "-include=x.h",
                                        "--pre-include=x.h",
                                        "-arch=sm_90",
                                        "--gpu-architecture=sm_80",
                                        "--gpu-architecture sm_80",
                                        "-dlto",
                                        "--pch",
                                        "--use-pch=x",
                                        "--fdevice-time-trace=/tmp/x",
                                        "--time=/tmp/x",
                                        "--optix-ir"};
    static const char *const right[] = {"--maxrregcount=32", "-lineinfo", "--fmad=false", "-DX=1",
                                        "--std=c++14",       "-archaic",  "--timer"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) takes_option(wrong[i], false);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) takes_option(right[i], true);
}

TEST(constants_stand_before_the_source_which_keeps_its_line_numbers) {
    const jr_named_text constants[] = {{"A", "1"}, {"_B2", "float4"}, {"EMPTY", ""}};
    jr_program program = plain;
    becomes(&program, "#line 1 \"saxpy\"\nline one\nline two\n");
    program.constants = constants;
    program.constant_count = 3;
    becomes(&program, "#define A 1\n#define _B2 float4\n#define EMPTY \n#line 1 \"saxpy\"\nline one\nline two\n");
    program.source = "100% %s %n";
    becomes(&program, "#define A 1\n#define _B2 float4\n#define EMPTY \n#line 1 \"saxpy\"\n100% %s %n");
}

static jr_status make_one(void *user) {
    (void)user;
    const jr_named_text constant = {"A", "1"};
    jr_program program = plain;
    jr_program_text text = {0};
    program.constants = &constant;
    program.constant_count = 1;
    const jr_status status = jr_program_text_make(&program, &text);
    jr_program_text_free(&text);
    return status;
}

TEST(running_out_of_memory_is_told_and_leaks_nothing) {
    assert_true(fail_nth_walk(FAIL_MEMORY, make_one, NULL) >= 1);
}

TEST(every_kernel_is_embedded_and_found_by_its_name) {
    for (size_t i = 0; i < jr_embedded_source_count; i++)
        assert_ptr_equal(jr_sources_find(jr_embedded_sources[i].name), jr_embedded_sources[i].text);
#define CHECK_SOURCE(id, number, text) assert_non_null(jr_sources_find("reduce/" text ".cu"));
    JR_ALGORITHMS(CHECK_SOURCE)
#undef CHECK_SOURCE
    assert_null(jr_sources_find("reduce/none.cu"));
}

/* Those that are embedded are not looked through at run time. */
TEST(embedded_texts_include_no_file_of_the_machine) {
    for (size_t i = 0; i < jr_embedded_source_count; i++) {
        jr_directives walk;
        jr_directive_name name;
        jr_directives_begin(&walk, jr_embedded_sources[i].text, 17);
        while (jr_directives_next(&walk, &name))
            if (name.kind == JR_DIRECTIVE_COMPUTED || name.kind == JR_DIRECTIVE_ASKED || name.text[0] == '/' ||
                name.text[0] == '.')
                fail_msg("%s: %.*s", jr_embedded_sources[i].name, (int)name.length, name.text);
    }
}

static size_t index_in(const jr_named_text *headers, size_t count, const jr_directive_name *name) {
    for (size_t i = 0; i < count; i++)
        if (strlen(headers[i].name) == name->length && memcmp(headers[i].name, name->text, name->length) == 0) return i;
    return count;
}

/* Marks what a text of `file` includes, in any branch; fails where a header is not among those of the file. */
static void follow(const char *file, const char *text, const jr_named_text *headers, size_t count, bool *reached) {
    jr_directives walk;
    jr_directive_name name;
    jr_directives_begin(&walk, text, 17);
    while (jr_directives_next(&walk, &name)) {
        if (name.kind != JR_DIRECTIVE_INCLUDE || !name.quoted) continue; /* <stdint.h> of a host compiler */
        const size_t i = index_in(headers, count, &name);
        const bool is_made = strncmp(name.text, JR_DECLARATIONS_HEADER, name.length) == 0 ||
                             strncmp(name.text, JR_EXPRESSIONS_HEADER, name.length) == 0;
        if (i == count && !is_made) fail_msg("%s lacks %.*s", file, (int)name.length, name.text);
        if (i == count || reached[i]) continue;
        reached[i] = true;
        follow(file, headers[i].text, headers, count, reached);
    }
}

/* Headers of kernels_src beyond a fixed number were silently missing in every program, and each header stood in the key
 * of each kernel, so that to change one made all caches cold. */
TEST(an_embedded_text_has_the_headers_that_it_includes_and_no_others) {
    jr_named_text headers[JR_SOURCE_HEADERS_MAX];
    for (size_t f = 0; f < jr_embedded_source_count; f++) {
        const jr_embedded_source *file = &jr_embedded_sources[f];
        const size_t count = jr_sources_headers(file->name, headers);
        bool reached[JR_SOURCE_HEADERS_MAX] = {false};
        follow(file->name, file->text, headers, count, reached);
        for (size_t i = 0; i < count; i++)
            if (!reached[i]) fail_msg("%s does not include %s", file->name, headers[i].name);
    }
    assert_int_equal(jr_sources_headers("reduce/none.cu", headers), 0);
}

RUN_TESTS(NULL, NULL)
