/* The .npy reader: strict about headers, whatever they say; in place where order and alignment allow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_error.h"
#include "input/readers.h"
#include "io/data.h"
#include "npy/npy_header.h"
#include "support/fixtures/check.h"

static char *made[2]; /* the latest files, for static analysers: what lies in a global is not lost */

/* A file in memory of exactly its size, so that the address sanitizer sees a step too far. */
static cli_bytes make_file(unsigned version, const char *dictionary, const void *data, size_t data_bytes) {
    size_t length = strlen(dictionary), start = version == 1 ? 10 : 12, size = start + length + data_bytes;
    char *file = malloc(size);
    assert_non_null(file);
    made[1] = made[0];
    made[0] = file;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (char)version;
    file[7] = 0;
    for (size_t i = 8; i < start; i++) file[i] = (char)(length >> 8 * (i - 8) & 0xff);
    memcpy(file + start, dictionary, length);
    if (data_bytes) memcpy(file + start + length, data, data_bytes);
    return (cli_bytes){.name = "t.npy", .data = file, .size = size};
}

static void free_file(cli_bytes *bytes) {
    free((void *)(uintptr_t)bytes->data);
}

/* Reads a file that must be refused, with this message unless it is NULL; leaves *data alone. */
static void assert_file_refused(cli_bytes *file, jr_type type, const char *message) {
    cli_data data = {.count = 77};
    cli_error error;
    const cli_exit status = cli_read_npy(file, type, &data, &error);
    const size_t count = data.count;
    if (status == CLI_OK) cli_data_free(&data);
    assert_int_equal(status, CLI_FAILURE);
    assert_int_equal(count, 77);
    if (message) assert_string_equal(error.message, message);
}

static void assert_refused(unsigned version, const char *dictionary, const char *message) {
    cli_bytes file = make_file(version, dictionary, "12345678", 8);
    assert_file_refused(&file, JR_TYPE_NONE, message);
    free_file(&file);
}

TEST(headers_that_are_no_dictionary_of_ours_are_refused) {
    static const struct {
        const char *dictionary, *message;
    } rows[] = {
        {"", "t.npy: npy header, byte 10: '{' expected"},
        {"{", "t.npy: npy header, byte 11: a quoted string expected"},
        {"{'descr'}", "t.npy: npy header, byte 18: ':' expected"},
        {"{'descr': '<f4}", "t.npy: npy header, byte 20: a string that does not end"},
        {"{'descr': '<\\x66'}", "t.npy: npy header, byte 20: an escape in a string"},
        {"{'descr': <f4}", "t.npy: npy header, byte 20: a quoted string expected"},
        {"{'descr': '<f4', 'descr': '<f4'}", "t.npy: npy header, byte 27: 'descr' is given twice"},
        {"{'descr': '<f4' 'shape': (2,)}", "t.npy: npy header, byte 26: ',' or '}' expected"},
        {"{'evil': 1}", "t.npy: npy header, byte 11: unknown key 'evil'"},
        {"{}", "t.npy: npy header, byte 10: the key 'descr' is missing"},
        {"{'descr': '<f4', 'shape': (2,)}", "t.npy: npy header, byte 10: the key 'fortran_order' is missing"},
        {"{'descr': '<f4', 'fortran_order': False}", "t.npy: npy header, byte 10: the key 'shape' is missing"},
        {"{'fortran_order': 0}", "t.npy: npy header, byte 28: True or False expected"},
        {"{'shape': 2}", "t.npy: npy header, byte 20: '(' expected"},
        {"{'shape': (2", "t.npy: npy header, byte 22: ',' or ')' expected in the shape"},
        {"{'shape': (-1,)}", "t.npy: npy header, byte 21: a dimension expected: a number that is not negative"},
        {"{'shape': (18446744073709551616,)}", "t.npy: npy header, byte 21: a dimension of 2^64 or more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
         "t.npy: npy header, byte 66: something follows the dictionary"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_refused(1, rows[i].dictionary, rows[i].message);
}

TEST(types_that_are_not_ours_are_named) {
    static const struct {
        const char *type, *advice;
    } types[] = {{"<c8", "; of complex numbers x.real, x.imag or abs(x) is saved by NumPy"},
                 {"|S5", "; texts that are keys stand in a column of a table, or in a text file, one in a line"},
                 {"<U3", "; texts that are keys stand in a column of a table, or in a text file, one in a line"},
                 {"<M8[s]", "; of times x.astype('i8') is saved by NumPy"},
                 {"|O", "; of Python's objects x.astype('f8') is saved by NumPy"},
                 {"|b3", ""},
                 {"<i3", ""},
                 {"<f16", ""},
                 {"f4", ""},
                 {"", ""},
                 {"?f4", ""},
                 {"<i0", ""},
                 {"<f9", ""}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char dictionary[128], message[256];
        snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (1,)}",
                 types[i].type);
        snprintf(message, sizeof message,
                 "t.npy: npy header, byte 20: type '%s' is not one of i32 u32 i64 u64 f32 f64 i8 u8 i16 u16 f16 bool%s",
                 types[i].type, types[i].advice);
        assert_refused(1, dictionary, message);
    }
    assert_refused(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                   "t.npy: npy header, byte 20: a structured type: give one of its fields by --field: 'a'");
}

TEST(shapes_that_lie_are_refused) {
    assert_refused(
        1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "t.npy: byte 73: the file ends early: the header promises 3 elements of f32 (12 bytes) from byte 65 on, "
        "but only 8 bytes follow");
    assert_refused(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
                   "t.npy: byte 69: 4 bytes after the last element");
    assert_refused(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}",
                   "t.npy: npy header, byte 10: the shape's size in bytes is 2^64 or more");
    assert_refused(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
                   "t.npy: npy header, byte 10: the shape's size in bytes is 2^64 or more");
    assert_refused(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387903,)}",
                   "t.npy: byte 91: the file ends early: the header promises 4611686018427387903 elements of f32 "
                   "(18446744073709551612 bytes) from byte 83 on, but only 8 bytes follow");
}

TEST(lengths_and_versions_that_lie_are_refused) {
    static const char long_header[] = "\x93NUMPY\x02\x00\xff\xff\xff\x7f{}";
    static const char version[] = "\x93NUMPY\x04\x00\x02\x00\x00\x00{}";
    static const char minor[] = "\x93NUMPY\x01\x01\x02\x00{}";
    static const struct {
        const char *file;
        size_t size;
        const char *message;
    } rows[] = {
        {long_header, 14, "t.npy: npy header, byte 8: a header of 2147483647 bytes; at most 1048576 are read"},
        {version, 14, "t.npy: npy header, byte 6: format version 4.0 is not one of 1.0 2.0 3.0"},
        {minor, 12, "t.npy: npy header, byte 6: format version 1.1 is not one of 1.0 2.0 3.0"},
        {long_header, 6, "t.npy: npy header, byte 6: the file ends in the header"},
        {long_header, 9, "t.npy: npy header, byte 9: the file ends in the header"},
        {"\x93NUMPX", 6, "t.npy: npy header, byte 0: not an npy file: the magic \\x93NUMPY is missing"},
        {"\x93", 1, "t.npy: npy header, byte 0: not an npy file: the magic \\x93NUMPY is missing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *copy = malloc(rows[i].size);
        assert_non_null(copy);
        memcpy(copy, rows[i].file, rows[i].size);
        cli_bytes file = {.name = "t.npy", .data = copy, .size = rows[i].size};
        assert_file_refused(&file, JR_TYPE_NONE, rows[i].message);
        free(copy);
    }
}

TEST(a_header_beyond_the_limit_is_refused) {
    size_t length = ((size_t)1 << 20) + 1;
    char *dictionary = test_bytes(length + 1);
    memset(dictionary, ' ', length);
    dictionary[length] = '\0';
    assert_refused(2, dictionary, "t.npy: npy header, byte 8: a header of 1048577 bytes; at most 1048576 are read");
}

TEST(another_type_than_the_wanted_one_is_refused) {
    cli_bytes file = make_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "12345678", 8);
    assert_file_refused(&file, JR_I32, "t.npy: has f32, but the type must be i32");
    free_file(&file);
}

/* Every prefix of a good file is refused, and none is read beyond its end. */
TEST(every_truncation_is_refused) {
    cli_bytes file = make_file(2, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }  \n", "12345678", 8);
    for (size_t size = 1; size < file.size; size++) {
        char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, file.data, size);
        cli_bytes part = {.name = "t.npy", .data = copy, .size = size};
        assert_file_refused(&part, JR_TYPE_NONE, NULL);
        free(copy);
    }
    free_file(&file);
}

/* Any byte of the header changed to any other: refused, or still a description of what is there. */
TEST(damaged_headers_never_read_beyond_the_file) {
    cli_bytes file = make_file(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n", "12345678", 8);
    char *bytes = (char *)(uintptr_t)file.data;
    int taken = 0;
    for (size_t at = 0; at < file.size - 8; at++) {
        char before = bytes[at];
        for (int value = 0; value < 256; value++) {
            cli_data data = {0};
            cli_error error;
            bytes[at] = (char)value;
            if (cli_read_npy(&file, JR_TYPE_NONE, &data, &error) != CLI_OK) continue;
            assert_int_equal(data.count * jr_type_size(data.type), 8);
            cli_data_free(&data);
            taken++;
        }
        bytes[at] = before;
    }
    assert_in_range(taken, file.size - 8, 1000);
    free_file(&file);
}

static void read_two(unsigned version, const char *dictionary, const void *bytes, int32_t expected[2]) {
    cli_bytes file = make_file(version, dictionary, bytes, 8);
    cli_data data = {0};
    cli_error error;
    assert_int_equal(cli_read_npy(&file, JR_I32, &data, &error), CLI_OK);
    assert_int_equal(data.count, 2);
    assert_int_equal((uintptr_t)data.elements % sizeof(int32_t), 0);
    assert_memory_equal(data.elements, expected, 8);
    cli_data_free(&data);
    free_file(&file);
}

TEST(all_versions_and_byte_orders_are_read) {
    static const unsigned char little[8] = {1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff};
    static const unsigned char big[8] = {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe};
    int32_t expected[2] = {1, -2};
    for (unsigned version = 1; version <= 3; version++) {
        read_two(version, "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n", little, expected);
        read_two(version, "{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }\n", big, expected);
        read_two(version, "{\"shape\":(1,2),\"fortran_order\":True,\"descr\":\"<i4\"}", little, expected);
        read_two(version, " { 'shape' : ( 2L , ) , 'fortran_order' : True , 'descr' : '=i4' , } ", little, expected);
    }
}

/* Whatever the header's length, the elements come out aligned. */
TEST(misaligned_data_is_copied) {
    static const unsigned char little[8] = {1, 0, 0, 0, 2, 0, 0, 0};
    int32_t expected[2] = {1, 2};
    char dictionary[128] = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}";
    for (int i = 0; i < 8; i++) {
        read_two(1, dictionary, little, expected);
        dictionary[strlen(dictionary)] = ' ';
    }
}

TEST(empty_and_zero_dimensional_arrays_are_read) {
    cli_bytes none =
        make_file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (9223372036854775807, 9, 0)}", "", 0);
    cli_bytes one = make_file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': ()}", "12345678", 8);
    cli_data data = {0};
    cli_error error;
    assert_int_equal(cli_read_npy(&none, JR_TYPE_NONE, &data, &error), CLI_OK);
    assert_int_equal(data.count, 0);
    cli_data_free(&data);
    assert_int_equal(cli_read_npy(&one, JR_TYPE_NONE, &data, &error), CLI_OK);
    assert_int_equal(data.count, 1);
    assert_memory_equal(data.elements, "12345678", 8);
    cli_data_free(&data);
    free_file(&none);
    free_file(&one);
}

RUN_TESTS(NULL, NULL)
