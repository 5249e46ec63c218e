/* The input as a whole: formats recognised, one type for all files, slices, generated elements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli_error.h"
#include "base/number.h"
#include "input/early.h"
#include "input/input.h"
#include "input/readers.h"
#include "io/bytes.h"
#include "io/data.h"
#include "npy/npy_header.h"
#include "support/fixtures/check.h"
#include "text/lines.h"

static char folder[] = "/tmp/jitreduce-input-XXXXXX";

static int enter_folder(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int remove_folder(void **state) {
    (void)state;
    return chdir("/") != 0 || rmdir(folder) != 0;
}

static void write_file(const char *name, const void *data, size_t bytes) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text) {
    write_file(name, text, strlen(text));
}

#define NPY_I32 "\x93NUMPY\x01\x00\x37\x00{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}"

static void write_npy(const char *name) {
    write_file(name, NPY_I32 "\x05\x00\x00\x00\x06\x00\x00\x00", sizeof NPY_I32 - 1 + 8);
}

/* Reads one or two files and removes them. */
static cli_exit read_input(cli_options options, const char *first, const char *second, cli_input *input,
                           cli_error *error) {
    char names[2][32];
    char *files[] = {names[0], names[1]};
    snprintf(names[0], sizeof names[0], "%s", first);
    snprintf(names[1], sizeof names[1], "%s", second ? second : "");
    options.files = files;
    options.file_count = second ? 2 : 1;
    if (options.count == 0) options.count = UINT64_MAX;
    cli_exit code = cli_input_read(&options, input, error);
    unlink(first);
    if (second) unlink(second);
    return code;
}

static void assert_type_of(const char *first, const char *second, jr_type type) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    write_text("a", first);
    if (second) write_text("b", second);
    cli_exit code = read_input((cli_options){0}, "a", second ? "b" : NULL, &input, &error);
    if (code != CLI_OK || input.type != type) fail_msg("'%s' is %s %s", first, jr_type_name(input.type), error.message);
    cli_input_free(&input);
}

TEST(the_type_of_text_is_the_first_that_holds_all_of_it) {
    assert_type_of("", NULL, JR_I64);
    assert_type_of("1 -2", NULL, JR_I64);
    assert_type_of("-9223372036854775808", NULL, JR_I64);
    assert_type_of("9223372036854775808", NULL, JR_U64);
    assert_type_of("1 9223372036854775808", NULL, JR_U64);
    assert_type_of("-1 9223372036854775808", NULL, JR_F64);
    assert_type_of("18446744073709551616", NULL, JR_F64);
    assert_type_of("9223372036854775808 1.5", NULL, JR_F64);
    assert_type_of("1 2 inf", NULL, JR_F64);
    assert_type_of("1 2", "3 4", JR_I64);
    assert_type_of("1 2", "3 4.5", JR_F64);
    assert_type_of("1 2.5", "9223372036854775808", JR_F64);
}

TEST(all_files_take_the_type_of_the_npy) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    const int32_t expected[] = {7, 8, 5, 6};
    write_text("a", "7 8");
    write_npy("b");
    assert_int_equal(read_input((cli_options){0}, "a", "b", &input, &error), CLI_OK);
    assert_int_equal(input.type, JR_I32);
    assert_int_equal(input.count, 4);
    assert_memory_equal(input.elements, expected, sizeof expected);
    cli_input_free(&input);
}

TEST(a_file_that_cannot_take_the_type_is_named) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    write_npy("a");
    write_text("b", "1\n2.5");
    assert_int_equal(read_input((cli_options){0}, "a", "b", &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "b:2:1: '2.5' is not a whole number, but the type is i32");
    write_npy("a");
    assert_int_equal(read_input((cli_options){.spec.type = JR_F32}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "a: has i32, but the type must be f32");
}

TEST(a_file_that_cannot_be_read_is_named) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    assert_int_equal(read_input((cli_options){0}, "absent", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "absent: cannot be opened: No such file or directory");
    assert_int_equal(read_input((cli_options){0}, "/", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "/: cannot be read: Is a directory");
    assert_int_equal(read_input((cli_options){0}, "-", "-", &input, &error), CLI_USAGE);
}

TEST(a_name_or_a_format_of_npy_wants_the_magic) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    write_text("a.npy", "1 2");
    assert_int_equal(read_input((cli_options){0}, "a.npy", NULL, &input, &error), CLI_FAILURE);
    assert_non_null(strstr(error.message, "a.npy: npy header, byte 0: not an npy file"));
    write_text("a", "");
    assert_int_equal(read_input((cli_options){.format = CLI_FORMAT_NPY}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_non_null(strstr(error.message, "a: npy header, byte 0: not an npy file"));
}

TEST(raw_files_are_whole_elements) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    cli_options options = {.format = CLI_FORMAT_RAW, .spec.type = JR_F32};
    write_text("a", "0123456789");
    assert_int_equal(read_input(options, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "a: byte 8: the file ends inside an element: 10 bytes, f32 takes 4");
    write_text("a", "01234567");
    assert_int_equal(read_input(options, "a", NULL, &input, &error), CLI_OK);
    assert_int_equal(input.count, 2);
    assert_memory_equal(input.elements, "01234567", 8);
    cli_input_free(&input);
}

TEST(a_slice_goes_over_all_files) {
    const int64_t expected[] = {3, 4};
    cli_input input = {0};
    cli_error error = {.message = ""};
    write_text("a", "1 2 3");
    write_text("b", "4 5");
    assert_int_equal(read_input((cli_options){.offset = 2, .count = 2}, "a", "b", &input, &error), CLI_OK);
    assert_int_equal(input.count, 2);
    assert_memory_equal(input.elements, expected, sizeof expected);
    cli_input_free(&input);
}

TEST(a_slice_beyond_the_input_is_refused) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    write_text("a", "1 2 3");
    assert_int_equal(read_input((cli_options){.offset = 4}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "--offset: 4 elements to skip, but the input has 3");
    write_text("a", "1 2 3");
    assert_int_equal(read_input((cli_options){.offset = 1, .count = 3}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "--count: 3 elements requested, but the input has 2 after the offset");
    cli_input_free(&input);
}

TEST(a_column_of_an_npy_is_a_usage_error) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    write_npy("a");
    assert_int_equal(
        read_input((cli_options){.table = {.columns = {{.number = 1}}, .column_count = 1}}, "a", NULL, &input, &error),
        CLI_USAGE);
    cli_input_free(&input);
}

TEST(bools_are_0_and_1) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    const cli_options raw = {.format = CLI_FORMAT_RAW, .spec.type = JR_BOOL};
    const unsigned char good[] = {1, 0, 1}, bad[] = {1, 0, 255, 2};
    write_file("a", bad, sizeof bad);
    assert_int_equal(read_input(raw, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "a: byte 2: a bool is 0 or 1, not 255; read it as u8");
    write_text("a", "true 2");
    assert_int_equal(read_input((cli_options){.spec.type = JR_BOOL}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "a:1:6: '2' does not fit bool");
    write_file("a", good, sizeof good);
    assert_int_equal(read_input(raw, "a", NULL, &input, &error), CLI_OK);
    assert_memory_equal(input.elements, good, sizeof good);
    cli_input_free(&input);
    write_text("a", "True,0\nFALSE 1");
    assert_int_equal(read_input((cli_options){.spec.type = JR_BOOL}, "a", NULL, &input, &error), CLI_OK);
    assert_memory_equal(input.elements, "\1\0\0\1", 4);
    cli_input_free(&input);
}

TEST(structs_are_read_raw) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    const cli_options options = {.format = CLI_FORMAT_RAW,
                                 .spec.type = JR_STRUCT,
                                 .structure = {.name = "p", .bytes = 12, .alignment = 4},
                                 .offset = 1};
    write_text("a", "0123456789");
    assert_int_equal(read_input(options, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "a: byte 0: the file ends inside an element: 10 bytes, struct takes 12");
    write_text("a", "0123456789ab");
    write_text("b", "abcdefghijklmnopqrstuvwx");
    assert_int_equal(read_input(options, "a", "b", &input, &error), CLI_OK);
    assert_int_equal(input.count, 2);
    assert_int_equal(input.element_bytes, 12);
    assert_memory_equal(input.elements, "abcdefghijklmnopqrstuvwx", 24);
    cli_input_free(&input);
}

RUN_TESTS(enter_folder, remove_folder)
