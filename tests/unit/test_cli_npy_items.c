/* .npy files whose elements are not consecutive: Fortran order, fields of structured types. */
#include <stdio.h>
#include <string.h>

#include "input/readers.h"
#include "support/fixtures/check.h"

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
