/* The input as a whole: formats recognised, one type for all files, slices, generated elements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command is no library: a test of its parts is compiled together with them. */
// NOLINTBEGIN(bugprone-suspicious-include)
#include "../../tools/jitreduce/bytes.c"
#include "../../tools/jitreduce/data.c"
#include "../../tools/jitreduce/early.c"
#include "../../tools/jitreduce/error.c"
#include "../../tools/jitreduce/generate.c"
#include "../../tools/jitreduce/input.c"
#include "../../tools/jitreduce/lines.c"
#include "../../tools/jitreduce/npy_header.c"
#include "../../tools/jitreduce/number.c"
#include "../../tools/jitreduce/read_csv.c"
#include "../../tools/jitreduce/read_npy.c"
#include "../../tools/jitreduce/read_raw.c"
#include "../../tools/jitreduce/read_text.c"
// NOLINTEND(bugprone-suspicious-include)

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

static void the_type_of_text_is_the_first_that_holds_all_of_it(void **state) {
    (void)state;
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

static void all_files_take_the_type_of_the_npy(void **state) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    const int32_t expected[] = {7, 8, 5, 6};
    (void)state;
    write_text("a", "7 8");
    write_npy("b");
    assert_int_equal(read_input((cli_options){0}, "a", "b", &input, &error), CLI_OK);
    assert_int_equal(input.type, JR_I32);
    assert_int_equal(input.count, 4);
    assert_memory_equal(input.elements, expected, sizeof expected);
    cli_input_free(&input);
}

static void a_file_that_cannot_take_the_type_is_named(void **state) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    (void)state;
    write_npy("a");
    write_text("b", "1\n2.5");
    assert_int_equal(read_input((cli_options){0}, "a", "b", &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "b:2:1: '2.5' is not a whole number, and the type is i32");
    write_npy("a");
    assert_int_equal(read_input((cli_options){.spec.type = JR_F32}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "a: holds i32, and f32 is wanted");
}

static void a_file_that_cannot_be_read_is_named(void **state) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    (void)state;
    assert_int_equal(read_input((cli_options){0}, "absent", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "absent: cannot be opened: No such file or directory");
    assert_int_equal(read_input((cli_options){0}, "/", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "/: cannot be read: Is a directory");
    assert_int_equal(read_input((cli_options){0}, "-", "-", &input, &error), CLI_USAGE);
}

static void a_name_or_a_format_of_npy_wants_the_magic(void **state) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    (void)state;
    write_text("a.npy", "1 2");
    assert_int_equal(read_input((cli_options){0}, "a.npy", NULL, &input, &error), CLI_FAILURE);
    assert_non_null(strstr(error.message, "a.npy: npy header, byte 0: no npy file"));
    write_text("a", "");
    assert_int_equal(read_input((cli_options){.format = CLI_FORMAT_NPY}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_non_null(strstr(error.message, "a: npy header, byte 0: no npy file"));
}

static void raw_files_are_whole_elements(void **state) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    cli_options options = {.format = CLI_FORMAT_RAW, .spec.type = JR_F32};
    (void)state;
    write_text("a", "0123456789");
    assert_int_equal(read_input(options, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "a: byte 8: the file ends inside an element: 10 bytes, f32 takes 4");
    write_text("a", "01234567");
    assert_int_equal(read_input(options, "a", NULL, &input, &error), CLI_OK);
    assert_int_equal(input.count, 2);
    assert_memory_equal(input.elements, "01234567", 8);
    cli_input_free(&input);
}

static void a_slice_goes_over_all_files(void **state) {
    const int64_t expected[] = {3, 4};
    cli_input input = {0};
    cli_error error = {.message = ""};
    (void)state;
    write_text("a", "1 2 3");
    write_text("b", "4 5");
    assert_int_equal(read_input((cli_options){.offset = 2, .count = 2}, "a", "b", &input, &error), CLI_OK);
    assert_int_equal(input.count, 2);
    assert_memory_equal(input.elements, expected, sizeof expected);
    cli_input_free(&input);
}

static void a_slice_beyond_the_input_is_refused(void **state) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    (void)state;
    write_text("a", "1 2 3");
    assert_int_equal(read_input((cli_options){.offset = 4}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "--offset: 4 elements to leave out, and the input has 3");
    write_text("a", "1 2 3");
    assert_int_equal(read_input((cli_options){.offset = 1, .count = 3}, "a", NULL, &input, &error), CLI_FAILURE);
    assert_string_equal(error.message, "--count: 3 elements wanted, and the input has 2 behind the offset");
    cli_input_free(&input);
}

static void a_column_of_an_npy_is_a_usage_error(void **state) {
    cli_input input = {0};
    cli_error error = {.message = ""};
    (void)state;
    write_npy("a");
    assert_int_equal(read_input((cli_options){.column = 1}, "a", NULL, &input, &error), CLI_USAGE);
    cli_input_free(&input);
}

/* The known first outputs of splitmix64 with seed 1234567 (rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64). */
static void random_bits_are_those_of_splitmix64(void **state) {
    (void)state;
    assert_int_equal(random_bits(1234567, 0), UINT64_C(6457827717110365317));
    assert_int_equal(random_bits(1234567, 1), UINT64_C(3203168211198807973));
    assert_int_equal(random_bits(1234567, 4), UINT64_C(16408922859458223821));
}

#define ASSERT_WITHIN(name, c_type, low, high)                                                                         \
    do {                                                                                                               \
        cli_options options = {.random = true, .generated_count = 20000, .spec.type = JR_##name};                      \
        cli_data data = {0};                                                                                           \
        cli_error error = {.message = ""};                                                                             \
        c_type least = (high), greatest = (low);                                                                       \
        assert_int_equal(cli_generate(&options, &data, &error), CLI_OK);                                               \
        for (int i = 0; i < 20000; i++) {                                                                              \
            c_type element = ((const c_type *)data.elements)[i];                                                       \
            if (element < least) least = element;                                                                      \
            if (element > greatest) greatest = element;                                                                \
        }                                                                                                              \
        assert_true((double)least >= (double)(low) && greatest < (high));                                              \
        assert_true((double)greatest - (double)least > 0.99 * ((double)(high) - (double)(low)));                       \
        cli_data_free(&data);                                                                                          \
    } while (0)

static void random_elements_fill_their_range(void **state) {
    (void)state;
    ASSERT_WITHIN(F32, float, -1.0f, 1.0f);
    ASSERT_WITHIN(F64, double, -1.0, 1.0);
    ASSERT_WITHIN(I32, int32_t, -(1 << 20), 1 << 20);
    ASSERT_WITHIN(I64, int64_t, -(1 << 20), 1 << 20);
    ASSERT_WITHIN(U32, uint32_t, 0u, 1u << 20);
    ASSERT_WITHIN(U64, uint64_t, 0u, 1u << 20);
}

static void another_seed_gives_other_elements(void **state) {
    cli_options options = {.random = true, .generated_count = 4, .spec.type = JR_F64};
    cli_data first = {0}, again = {0}, other = {0};
    cli_error error = {.message = ""};
    (void)state;
    assert_int_equal(cli_generate(&options, &first, &error), CLI_OK);
    assert_int_equal(cli_generate(&options, &again, &error), CLI_OK);
    options.seed = 1;
    assert_int_equal(cli_generate(&options, &other, &error), CLI_OK);
    assert_memory_equal(first.elements, again.elements, 32);
    assert_memory_not_equal(first.elements, other.elements, 32);
    cli_data_free(&first);
    cli_data_free(&again);
    cli_data_free(&other);
}

static void iota_counts_from_zero_and_fits_its_type(void **state) {
    cli_options options = {.iota = true, .generated_count = 3, .spec.type = JR_F32};
    cli_data data = {0};
    cli_error error = {.message = ""};
    const float expected[] = {0, 1, 2};
    (void)state;
    assert_int_equal(cli_generate(&options, &data, &error), CLI_OK);
    assert_memory_equal(data.elements, expected, sizeof expected);
    cli_data_free(&data);
    options.spec.type = JR_I32;
    options.generated_count = (UINT64_C(1) << 31) + 1;
    assert_int_equal(cli_generate(&options, &data, &error), CLI_FAILURE);
    assert_string_equal(error.message, "--iota: 2147483648 does not fit i32");
    assert_true(holds(JR_I32, INT32_MAX) && holds(JR_U32, UINT32_MAX) && !holds(JR_U32, UINT64_C(1) << 32));
    assert_true(holds(JR_U64, UINT64_MAX) && !holds(JR_I64, UINT64_MAX));
}

static void more_elements_than_memory_are_refused(void **state) {
    cli_options options = {.random = true, .generated_count = UINT64_MAX / 4, .spec.type = JR_F64};
    cli_data data = {0};
    cli_error error = {.message = ""};
    (void)state;
    assert_int_equal(cli_generate(&options, &data, &error), CLI_FAILURE);
    assert_string_equal(error.message, "--random: out of memory for 4611686018427387903 elements of f64");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
        cmocka_unit_test(a_file_that_cannot_take_the_type_is_named),
        cmocka_unit_test(a_name_or_a_format_of_npy_wants_the_magic),
        cmocka_unit_test(a_slice_beyond_the_input_is_refused),
        cmocka_unit_test(a_column_of_an_npy_is_a_usage_error),
        cmocka_unit_test(more_elements_than_memory_are_refused),
        cmocka_unit_test(raw_files_are_whole_elements),
        cmocka_unit_test(the_type_of_text_is_the_first_that_holds_all_of_it),
        cmocka_unit_test(all_files_take_the_type_of_the_npy),
        cmocka_unit_test(a_slice_goes_over_all_files),
        cmocka_unit_test(random_bits_are_those_of_splitmix64),
        cmocka_unit_test(random_elements_fill_their_range),
        cmocka_unit_test(another_seed_gives_other_elements),
        cmocka_unit_test(iota_counts_from_zero_and_fits_its_type),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
