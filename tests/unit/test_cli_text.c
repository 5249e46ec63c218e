/* The text readers: numbers between white space and commas, and one field of each line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "error.h"
#include "lines.h"
#include "number.h"
#include "readers.h"

/* Reads text of exactly its size, so that the address sanitizer sees a step too far. column 0: every number. */
static cli_exit read_text(const char *text, uint64_t column, cli_vector *vector, cli_error *error) {
    size_t size = strlen(text);
    char *copy = malloc(size ? size : 1);
    cli_number_status reason;
    assert_non_null(copy);
    for (size_t i = 0; i < size; i++) copy[i] = text[i];
    cli_bytes bytes = {.name = "t.txt", .data = copy, .size = size};
    cli_exit code =
        column ? cli_read_csv(&bytes, column, vector, &reason, error) : cli_read_text(&bytes, vector, &reason, error);
    free(copy);
    return code;
}

static void assert_numbers(const char *text, uint64_t column, const int64_t *expected, size_t count) {
    cli_vector vector = {.type = JR_I64, .size = 8};
    cli_error error = {.message = ""};
    if (read_text(text, column, &vector, &error) != CLI_OK) fail_msg("'%s': %s", text, error.message);
    assert_int_equal(vector.used, 8 * count);
    if (count) assert_memory_equal(vector.bytes, expected, 8 * count);
    free(vector.bytes);
}

static void assert_refused(const char *text, uint64_t column, const char *message) {
    cli_vector vector = {.type = JR_I64, .size = 8};
    cli_error error = {.message = ""};
    assert_int_equal(read_text(text, column, &vector, &error), CLI_FAILURE);
    assert_string_equal(error.message, message);
    free(vector.bytes);
}

#define NUMBERS(...) (const int64_t[]){__VA_ARGS__}, sizeof(const int64_t[]){__VA_ARGS__} / 8

static void a_token_that_is_no_number_names_file_line_and_column(void **state) {
    (void)state;
    assert_refused("x", 0, "t.txt:1:1: 'x' is not a number");
    assert_refused("1 2\n3 # x\n\n 4,5,six,7\n", 0, "t.txt:4:6: 'six' is not a number");
    assert_refused("1\n2.5\n", 0, "t.txt:2:1: '2.5' is not a whole number, but the type is i64");
    assert_refused("1\n  9223372036854775808", 0, "t.txt:2:3: '9223372036854775808' does not fit i64");
    assert_refused("\x7f\x45LF\x01\x02", 0,
                   "t.txt:1:1: '\\x7fELF\\x01\\x02' is not a number; for binary data give --raw and --type");
    assert_refused("1;2", 0, "t.txt:1:1: '1;2' is not a number");
}

static void numbers_stand_between_white_space_and_commas(void **state) {
    (void)state;
    assert_numbers("1 2,3\n4\t5\r\n\v6\f7", 0, NUMBERS(1, 2, 3, 4, 5, 6, 7));
    assert_numbers("1 , 2,\n3,# four\n\n4 ,", 0, NUMBERS(1, 2, 3, 4));
    assert_numbers("-1 +2 -0", 0, NUMBERS(-1, 2, 0));
    assert_numbers("\xef\xbb\xbf"
                   "5\n",
                   0, NUMBERS(5));
}

static void an_empty_field_names_file_line_and_column(void **state) {
    (void)state;
    assert_refused("1,,2", 0, "t.txt:1:3: an empty field before the comma");
    assert_refused("1 2\n3, ,4", 0, "t.txt:2:4: an empty field before the comma");
    assert_refused("1\n,2", 0, "t.txt:2:1: an empty field before the comma");
    assert_refused("1,\n2,\n ,\n3", 0, "t.txt:3:2: an empty field before the comma");
    assert_refused(",1", 0, "t.txt:1:1: an empty field before the comma");
    assert_refused("1,# two\n,", 0, "t.txt:2:1: an empty field before the comma");
}

static void comments_end_with_their_line(void **state) {
    (void)state;
    assert_numbers("# header 1 2\n1 # 2\n3#4\n#", 0, NUMBERS(1, 3));
}

static void a_text_without_numbers_is_empty(void **state) {
    static const char *const texts[] = {"", "\n", "   \n", "# 1", "\xef\xbb\xbf"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_numbers(texts[i], 0, NULL, 0);
        assert_numbers(texts[i], 1, NULL, 0);
    }
}

static void a_vector_grows_past_its_first_room(void **state) {
    enum { COUNT = 100000 };
    static char text[8 * COUNT];
    static int64_t expected[COUNT];
    char *at = text;
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        at += snprintf(at, 8, "%d\n", i);
        expected[i] = i;
    }
    assert_numbers(text, 0, expected, COUNT);
}

static void a_column_is_parted_by_what_the_first_line_has(void **state) {
    (void)state;
    assert_numbers("1,2,3\n4,5,6\n", 2, NUMBERS(2, 5));
    assert_numbers("1;2;3\r\n4;5;6\r\n", 3, NUMBERS(3, 6));
    assert_numbers("1\t2\n3\t4", 1, NUMBERS(1, 3));
    assert_numbers("  1   2\n3 4", 2, NUMBERS(2, 4));
    assert_numbers("1\n2\n", 1, NUMBERS(1, 2));
    assert_numbers("1, 2 ,x\n3,\t4,y\n", 2, NUMBERS(2, 4));
}

static void a_header_blank_lines_and_comments_are_left_out(void **state) {
    (void)state;
    assert_numbers("# made by hand\nname,value\n\na,1\n# b,2\n   \nc,3\n", 2, NUMBERS(1, 3));
    assert_numbers("\xef\xbb\xbfvalue,name\n1,a", 1, NUMBERS(1));
}

static void quotes_keep_a_separator_inside_a_field(void **state) {
    (void)state;
    assert_numbers("\"a,b\",\"1\"\n\"c\"\"d,\",2\n", 2, NUMBERS(1, 2));
}

static void a_field_that_is_missing_or_no_number_is_named(void **state) {
    (void)state;
    assert_refused("a,b\n1,2\n3\n", 2, "t.txt:3:1: the line has 1 field, but column 2 is wanted");
    assert_refused("1 2\n3 4\n", 3, "t.txt:1:1: the line has 2 fields, but column 3 is wanted");
    assert_refused("a,b\nc,d\n", 2, "t.txt:2:3: 'd' is not a number");
    assert_refused("1,2\n3,\n", 2, "t.txt:2:3: '' is not a number");
    assert_refused("a,b\n1,  x y\n", 2, "t.txt:2:5: 'x y' is not a number");
    assert_refused("a,1.5\n", 2, "t.txt:1:3: '1.5' is not a whole number, but the type is i64");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_that_is_no_number_names_file_line_and_column),
        cmocka_unit_test(an_empty_field_names_file_line_and_column),
        cmocka_unit_test(a_field_that_is_missing_or_no_number_is_named),
        cmocka_unit_test(numbers_stand_between_white_space_and_commas),
        cmocka_unit_test(comments_end_with_their_line),
        cmocka_unit_test(a_text_without_numbers_is_empty),
        cmocka_unit_test(a_vector_grows_past_its_first_room),
        cmocka_unit_test(a_column_is_parted_by_what_the_first_line_has),
        cmocka_unit_test(a_header_blank_lines_and_comments_are_left_out),
        cmocka_unit_test(quotes_keep_a_separator_inside_a_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
