/* The .npy format: what is written, and items. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_error.h"
#include "input/readers.h"
#include "io/data.h"
#include "npy/npy_header.h"
#include "npy/npy_write.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

/* The .npy writer: what it writes is read back, and a file is written whole or not at all. */
static int make_folder(void **state) {
    static char folder[SCRATCH_BYTES];
    scratch_make(folder);
    *state = folder;
    return 0;
}

/* Writes data, and reads it back with the reader of the command. */
static void assert_round_trip(const char *folder, const cli_data *data) {
    const char *path = scratch_path(folder, "a.npy");
    size_t size;
    cli_data found = {0};
    cli_error error = {0};
    assert_int_equal(cli_npy_write("--output", path, data, &error), CLI_OK);
    char *bytes = scratch_read(path, &size);
    const cli_bytes file = {.name = "a.npy", .data = bytes, .size = size};
    assert_int_equal(cli_read_npy(&file, data->type, &found, &error), CLI_OK);
    assert_int_equal(found.count, data->count);
    assert_int_equal(found.shape.dimensions, data->shape.dimensions);
    assert_memory_equal(found.shape.sizes, data->shape.sizes, sizeof found.shape.sizes);
    assert_memory_equal(found.elements, data->elements, data->count * jr_type_size(data->type));
    assert_int_equal((size - data->count * jr_type_size(data->type)) % 64, 0);
    cli_data_free(&found);
}

TEST_BETWEEN(every_type_that_numpy_has_is_read_back, make_folder, NULL) {
    static const _Alignas(8) unsigned char elements[3 * 8] = {1, 0, 1, 7, 9, 60};
#define ROUND_TRIP(name, number, text)                                                                                 \
    if (cli_npy_kind(JR_##name) != '\0' && JR_##name != JR_BOOL)                                                       \
        assert_round_trip(*state, &(cli_data){JR_##name, 3, elements, NULL, cli_shape_flat(3)});
    JR_TYPES(ROUND_TRIP)
#undef ROUND_TRIP
    assert_round_trip(*state, &(cli_data){JR_BOOL, 3, elements, NULL, cli_shape_flat(3)});
}

TEST_BETWEEN(every_number_of_dimensions_is_read_back, make_folder, NULL) {
    static const int32_t elements[6] = {1, 2, 3, 4, 5, 6};
    const uint64_t most = UINT64_MAX;
    for (int dimensions = 0; dimensions <= JR_DIMENSIONS_MAX; dimensions++) {
        cli_data data = {.type = JR_I32, .count = dimensions ? 6 : 1, .elements = elements};
        data.shape.dimensions = dimensions;
        for (int i = 0; i < dimensions; i++) data.shape.sizes[i] = i + 1 == dimensions ? 6 : 1;
        assert_round_trip(*state, &data);
    }
    assert_round_trip(
        *state,
        &(cli_data){.type = JR_I32, .elements = elements, .shape = {8, {most, most, most, most, most, most, most, 0}}});
}

TEST(bf16_and_structs_are_refused_with_a_reason) {
    cli_error error = {0};
    assert_int_equal(cli_npy_check_type(JR_BF16, &error), CLI_USAGE);
    assert_string_equal(error.message, "--output: NumPy has no bf16; give --result f32");
    assert_int_equal(cli_npy_check_type(JR_STRUCT, &error), CLI_USAGE);
    assert_string_equal(error.message, "--output: an .npy file cannot hold structs; .csv, .tsv, .json and .txt can");
    assert_int_equal(cli_npy_check_type(JR_F16, &error), CLI_OK);
}

/* 0: what was there is there still, and nothing else. */
static int overfill(void *user) {
    static uint64_t elements[1 << 16];
    const char *path = user;
    char text[8] = "";
    cli_error error = {0};
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs("before", file) < 0 || fclose(file) != 0) return 1;
    const cli_data data = {JR_U64, 1 << 16, elements, NULL, cli_shape_flat(1 << 16)};
    if (cli_npy_write("--output", path, &data, &error) != CLI_FAILURE) return 2;
    if (strstr(error.message, "cannot be written: No space left on device") == NULL) return 3;
    file = fopen(path, "r");
    if (file == NULL || fgets(text, sizeof text, file) == NULL || fclose(file) != 0) return 4;
    return strcmp(text, "before") == 0 ? 0 : 5;
}

TEST_BETWEEN(a_full_disk_leaves_the_file_that_was_there, make_folder, NULL) {
    const char *folder = *state;
    char path[SCRATCH_BYTES + 16];
    snprintf(path, sizeof path, "%s/a.npy", folder);
    const int result = scratch_in_small_file_system(folder, 64, overfill, path);
    if (result < 0) skip_because("skipped: no file system of our own can be had here\n");
    assert_int_equal(result, 0);
}

TEST_BETWEEN(a_failure_leaves_no_temporary_file, make_folder, NULL) {
    static const int32_t one[1] = {1};
    const cli_data data = {JR_I32, 1, one, NULL, cli_shape_flat(1)};
    cli_error error = {0};
    char message[SCRATCH_BYTES + 128];
    scratch_folder(scratch_path(*state, "folder"));
    const char *path = scratch_path(*state, "folder");
    assert_int_equal(cli_npy_write("--output", path, &data, &error), CLI_FAILURE);
    snprintf(message, sizeof message, "--output: %s: exists and is not a regular file", path);
    assert_string_equal(error.message, message);
    path = scratch_path(*state, "no/such.npy");
    assert_int_equal(cli_npy_write("--output", path, &data, &error), CLI_FAILURE);
    snprintf(message, sizeof message, "--output: %s: cannot be written: No such file or directory", path);
    assert_string_equal(error.message, message);
    assert_int_equal(scratch_count(*state), 1);
}

/* .npy files whose elements are not consecutive: Fortran order, fields of structured types. */

/* A file of format 1 in memory that stays. */
static cli_bytes make_file(const char *dictionary, const char *elements, const char *field) {
    static _Alignas(16) char bytes[512];
    const size_t length = strlen(dictionary), size = strlen(elements);
    const unsigned char head[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, length & 0xff, (unsigned char)(length >> 8)};
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, dictionary, length + 1);
    memcpy(bytes + sizeof head + length, elements, size + 1);
    return (cli_bytes){.name = "t.npy", .data = bytes, .size = sizeof head + length + size, .field = field};
}

static void assert_read(const char *dictionary, const char *elements, const char *field, const char *expected) {
    const cli_bytes file = make_file(dictionary, elements, field);
    cli_data data;
    cli_error error = {.message = ""};
    if (cli_read_npy(&file, JR_TYPE_NONE, &data, &error) != CLI_OK) fail_msg("%s", error.message);
    assert_int_equal(data.count * jr_type_size(data.type), strlen(expected));
    assert_memory_equal(data.elements, expected, strlen(expected));
    cli_data_free(&data);
}

static void assert_refused(const char *dictionary, const char *field, const char *message) {
    const cli_bytes file = make_file(dictionary, "", field);
    cli_data data;
    cli_error error = {.message = ""};
    assert_int_equal(cli_read_npy(&file, JR_TYPE_NONE, &data, &error), CLI_FAILURE);
    assert_string_equal(error.message, message);
}

TEST(fortran_order_is_read_in_c_order) {
    assert_read("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3)}", "aaaabbbbccccddddeeeeffff", NULL,
                "aaaacccceeeebbbbddddffff");
    assert_read("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 2, 2)}", "abcdefgh", NULL, "aecgbfdh");
    assert_read("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 2)}", "AaBbCcDd", NULL, "aAcCbBdD");
}

#define RECORD "{'descr': [('a', '|u1'), ('b', [('c', '>u2'), ('d', '<U1')]), ('', '|V1')], 'fortran_order': "

TEST(a_field_is_read_from_its_place_in_each_element) {
    assert_read(RECORD "False, 'shape': (2,)}", "ACcxxxx.BDdxxxx.", "b.c", "cCdD");
    assert_read(RECORD "False, 'shape': (2,)}", "ACcxxxx.BDdxxxx.", "a", "AB");
    assert_read(RECORD "True, 'shape': (2, 2)}", "A.......B.......C.......D.......", "a", "ACBD");
}

TEST(a_field_that_is_none_of_ours_is_named) {
    assert_refused(RECORD "False, 'shape': (2,)}", "e",
                   "t.npy: npy header, byte 20: no field is called 'e': there are 'a' 'b'");
    assert_refused(RECORD "False, 'shape': (2,)}", NULL,
                   "t.npy: npy header, byte 20: a structured type: give one of its fields by --field: 'a' 'b'");
    assert_refused(RECORD "False, 'shape': (2,)}", "b",
                   "t.npy: npy header, byte 41: the field has fields: --field b.NAME");
    assert_refused(RECORD "False, 'shape': (2,)}", "b.d",
                   "t.npy: npy header, byte 62: the field's type '<U1' cannot be reduced");
    assert_refused("{'descr': [('a', '<f4', (3,))], 'fortran_order': False, 'shape': (0,)}", "a",
                   "t.npy: npy header, byte 23: the field 'a' is an array in each element");
    assert_refused("{'descr': [('a', '|V4294967295'), ('b', '<f4')], 'fortran_order': False, 'shape': (0,)}", "b",
                   "t.npy: npy header, byte 50: a type of 4 GiB or more");
    assert_refused("{'descr': [[[", "b", "t.npy: npy header, byte 21: '(' expected");
}

RUN_TESTS(NULL, NULL)
