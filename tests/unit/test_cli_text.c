/* The text readers: numbers between white space and commas, and one field of each line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_error.h"
#include "support/fixtures/check.h"
#include "text/cli_text.h"
#include "text_blocks.h"

/* column 0: every number. */
static cli_table_form form_of(uint64_t column) {
    return (cli_table_form){.columns = {{.number = column}}, .column_count = column > 0};
}

static void assert_numbers(const char *text, uint64_t column, const int64_t *expected, size_t count) {
    const cli_table_form form = form_of(column);
    cli_column read;
    cli_error error = {.message = ""};
    if (read_columns(text, &form, JR_I64, &read, &error) != CLI_OK) fail_msg("'%s': %s", text, error.message);
    assert_int_equal(read.vector.used, 8 * count);
    if (count) assert_memory_equal(read.vector.bytes, expected, 8 * count);
    cli_column_free(&read);
}

static void assert_form_refused(const char *text, const cli_table_form *form, const char *message) {
    cli_column read[JR_INPUTS_MAX];
    cli_error error = {.message = ""};
    assert_int_equal(read_columns(text, form, JR_I64, read, &error), CLI_FAILURE);
    assert_string_equal(error.message, message);
    for (int i = 0; i < cli_table_columns(form); i++) cli_column_free(&read[i]);
}

static void assert_refused(const char *text, uint64_t column, const char *message) {
    const cli_table_form form = form_of(column);
    assert_form_refused(text, &form, message);
}

#define NAMED(text)                                                                                                    \
    { .name = text, .length = sizeof text - 1 }

/* Two named columns of f64. */
static void assert_pair(const char *text, const cli_table_form *form, const double *x, const double *y, size_t count) {
    cli_column read[2];
    cli_error error = {.message = ""};
    if (read_columns(text, form, JR_F64, read, &error) != CLI_OK) fail_msg("'%s': %s", text, error.message);
    assert_int_equal(read[0].vector.used, 8 * count);
    assert_int_equal(read[1].vector.used, 8 * count);
    assert_memory_equal(read[0].vector.bytes, x, 8 * count);
    assert_memory_equal(read[1].vector.bytes, y, 8 * count);
    for (int i = 0; i < 2; i++) cli_column_free(&read[i]);
}

#define NUMBERS(...) (const int64_t[]){__VA_ARGS__}, sizeof(const int64_t[]){__VA_ARGS__} / 8

TEST(a_token_that_is_no_number_names_file_line_and_column) {
    assert_refused("x", 0, "t.txt:1:1: 'x' is not a number");
    assert_refused("1 2\n3 # x\n\n 4,5,six,7\n", 0, "t.txt:4:6: 'six' is not a number");
    assert_refused("1\n2.5\n", 0, "t.txt:2:1: '2.5' is not a whole number, but the type is i64");
    assert_refused("1\n  9223372036854775808", 0, "t.txt:2:3: '9223372036854775808' does not fit i64");
    assert_refused("\x7f\x45LF\x01\x02", 0,
                   "t.txt:1:1: '\\x7fELF\\x01\\x02' is not a number; for binary data give --format raw and --type");
    assert_refused(
        "1;2", 0,
        "t.txt:1:1: '1;2' is not a number; if ';' stands between columns, give --column 1 and --delimiter ';'");
}

TEST(numbers_stand_between_white_space_and_commas) {
    assert_numbers("1 2,3\n4\t5\r\n\v6\f7", 0, NUMBERS(1, 2, 3, 4, 5, 6, 7));
    assert_numbers("1 , 2,\n3,# four\n\n4 ,", 0, NUMBERS(1, 2, 3, 4));
    assert_numbers("-1 +2 -0", 0, NUMBERS(-1, 2, 0));
    assert_numbers("\xef\xbb\xbf"
                   "5\n",
                   0, NUMBERS(5));
}

TEST(an_empty_field_names_file_line_and_column) {
    assert_refused("1,,2", 0, "t.txt:1:3: an empty field before the comma; --na '' reads it as missing");
    assert_refused("1 2\n3, ,4", 0, "t.txt:2:4: an empty field before the comma; --na '' reads it as missing");
    assert_refused("1\n,2", 0, "t.txt:2:1: an empty field before the comma; --na '' reads it as missing");
    assert_refused("1,\n2,\n ,\n3", 0, "t.txt:3:2: an empty field before the comma; --na '' reads it as missing");
    assert_refused(",1", 0, "t.txt:1:1: an empty field before the comma; --na '' reads it as missing");
    assert_refused("1,# two\n,", 0, "t.txt:2:1: an empty field before the comma; --na '' reads it as missing");
}

TEST(comments_end_with_their_line) {
    assert_numbers("# header 1 2\n1 # 2\n3,#4\n#", 0, NUMBERS(1, 3));
}

TEST(a_text_without_numbers_is_empty) {
    static const char *const texts[] = {"", "\n", "   \n", "# 1", "\xef\xbb\xbf"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_numbers(texts[i], 0, NULL, 0);
        assert_numbers(texts[i], 1, NULL, 0);
    }
}

TEST(a_vector_grows_past_its_first_room) {
    enum { COUNT = 100000 };
    static char text[8 * COUNT];
    static int64_t expected[COUNT];
    char *at = text;
    for (int i = 0; i < COUNT; i++) {
        at += snprintf(at, 8, "%d\n", i);
        expected[i] = i;
    }
    assert_numbers(text, 0, expected, COUNT);
}

TEST(a_column_is_parted_by_what_the_first_line_has) {
    assert_numbers("1,2,3\n4,5,6\n", 2, NUMBERS(2, 5));
    assert_numbers("1;2;3\r\n4;5;6\r\n", 3, NUMBERS(3, 6));
    assert_numbers("1\t2\n3\t4", 1, NUMBERS(1, 3));
    assert_numbers("  1   2\n3 4", 2, NUMBERS(2, 4));
    assert_numbers("1\n2\n", 1, NUMBERS(1, 2));
    assert_numbers("1, 2 ,x\n3,\t4,y\n", 2, NUMBERS(2, 4));
}

TEST(a_header_blank_lines_and_comments_are_left_out) {
    const cli_table_form form = {.columns = {{.number = 2}, {.number = 3}}, .column_count = 2, .comment = '#'};
    assert_pair("# made by hand\nname,value,z\n\na,1,2\n# b,2\n   \nc,3,4\n", &form, (const double[]){1, 3},
                (const double[]){2, 4}, 2);
    assert_numbers("\xef\xbb\xbfvalue,name\n1,a", 1, NUMBERS(1));
}

TEST(quotes_keep_a_separator_inside_a_field) {
    assert_numbers("\"a,b\",\"1\"\n\"c\"\"d,\",\"2\"\n", 2, NUMBERS(1, 2));
}

#define NAME_IT(word, what)                                                                                            \
    "; if it stands for a missing value, give --na '" word                                                             \
    "' to read it as NaN, or with --missing skip to leave " what " out"

TEST(a_field_that_is_missing_or_no_number_is_named) {
    assert_refused("a,b\n1,2\n3\n", 2, "t.txt:3:1: the line has 1 field, but column 2 is wanted");
    assert_refused("1 2\n3 4\n", 3, "t.txt:1:1: the line has 2 fields, but column 3 is wanted");
    assert_refused("a,b\nc,d\n", 2, "t.txt:2:3: column 2: 'd' is not a number");
    assert_refused("1,2\n3,\n", 2, "t.txt:2:3: column 2: '' is not a number" NAME_IT("", "its line"));
    assert_refused("a,b\n1,  x y\n", 2, "t.txt:2:5: column 2: 'x y' is not a number");
    assert_refused("a,1.5\n", 2, "t.txt:1:3: column 2: '1.5' is not a whole number, but the type is i64");
}

TEST(a_word_that_often_stands_for_a_missing_value_is_told_of_na) {
    const cli_table_form named = {.columns = {{.number = 2}, {.number = 1}}, .column_count = 2, .missing = "-"};
    assert_refused("1\nNA\n", 0, "t.txt:2:1: 'NA' is not a number" NAME_IT("NA", "it"));
    assert_refused("1,2\n3,n/a\n", 2, "t.txt:2:3: column 2: 'n/a' is not a number" NAME_IT("n/a", "its line"));
    assert_refused("1,2\n3,Null\n", 2, "t.txt:2:3: column 2: 'Null' is not a number" NAME_IT("Null", "its line"));
    assert_refused("1,2\n3,-\n", 2, "t.txt:2:3: column 2: '-' is not a number" NAME_IT("-", "its line"));
    assert_form_refused("1,2\n3,?\n", &named, "t.txt:2:3: column 2: '?' is not a number" NAME_IT("?", "its line"));
    assert_refused("1,2\n3,NAB\n", 2, "t.txt:2:3: column 2: 'NAB' is not a number");
    assert_refused("1,2\n3,N\n", 2, "t.txt:2:3: column 2: 'N' is not a number");
}

TEST(columns_are_found_by_their_names) {
    const cli_table_form form = {.columns = {NAMED("price"), NAMED("a \"b\", c")}, .column_count = 2};
    assert_pair("\"a \"\"b\"\", c\",n,price\r\n1,x,2\r\n3,y,4\r\n", &form, (const double[]){2, 4},
                (const double[]){1, 3}, 2);
    assert_form_refused("prcie,n\n1,2\n", &form,
                        "t.txt:1:1: no column is named 'price': there are 'prcie' 'n'; did you mean 'prcie'?");
    assert_form_refused("price,price\n1,2\n", &form,
                        "t.txt:1:7: a second column is named 'price': columns 1 and 2; give the number of one");
    assert_form_refused("price,\"a \"\"b\"\", c\"\n1,2\n3,z\n", &form,
                        "t.txt:3:3: column 'a \"b\", c': 'z' is not a number");
}

TEST(a_quoted_field_may_break_lines) {
    const cli_table_form form = {.columns = {{.number = 3}, {.number = 1}}, .column_count = 2};
    assert_pair("1,\"two\nlines, \"\"and\"\" more\",3\n4,\"\",\"6\"\n", &form, (const double[]){3, 6},
                (const double[]){1, 4}, 2);
    assert_form_refused("1,\"a\nb\",3\n4,c,x\n", &form, "t.txt:3:5: column 3: 'x' is not a number");
    assert_form_refused("1,2,3\n4,\"5,6\n", &form, "t.txt:2:1: a quoted field of this line does not end");
}

TEST(a_missing_value_is_nan_or_its_line_is_left_out) {
    cli_table_form form = {.columns = {{.number = 1}, {.number = 2}}, .column_count = 2, .missing = "NA,-,"};
    const double nan = strtod("nan", NULL);
    assert_pair("1,NA\n-,4\n,6\n7,8\n", &form, (const double[]){1, nan, nan, 7}, (const double[]){nan, 4, 6, 8}, 4);
    assert_form_refused(
        "1,2\n3,NA\n", &form,
        "t.txt:2:3: column 2: a missing value, and i64 has no NaN: give --missing skip, or a type of floats");
    form.skips_missing = true;
    assert_pair("1,NA\n-,4\n,6\n7,8\n", &form, (const double[]){7}, (const double[]){8}, 1);
}

TEST(a_decimal_comma_parts_no_fields) {
    const cli_table_form form = {.columns = {{.number = 1}, {.number = 2}}, .column_count = 2, .decimal_comma = true};
    assert_pair("a;b\n1,5;-2\n0,25;1e3\n", &form, (const double[]){1.5, 0.25}, (const double[]){-2, 1000}, 2);
    assert_form_refused("1;2\n1.5;2\n", &form,
                        "t.txt:2:1: column 1: '1.5' is not a number; it is one with a decimal point, without --decimal "
                        "and --thousands");
}

TEST(a_delimiter_that_is_given_parts_fields) {
    const cli_table_form form = {.columns = {{.number = 2}, {.number = 1}}, .column_count = 2, .delimiter = '|'};
    assert_pair("1|2\n3 | 4\n", &form, (const double[]){2, 4}, (const double[]){1, 3}, 2);
}

TEST(an_open_column_widens_as_far_as_it_must) {
    static const struct {
        const char *text;
        jr_type type;
        double last;
    } rows[] = {{"1 -2 3", JR_I64, 3},
                {"1 2 18446744073709551615", JR_U64, 18446744073709551615.0},
                {"-1 18446744073709551615", JR_F64, 18446744073709551615.0},
                {"18446744073709551615 -1", JR_F64, -1},
                {"1 2.5", JR_F64, 2.5},
                {"9007199254740993 0.5 9007199254740993", JR_F64, 9007199254740992.0}};
    const cli_table_form form = {.column_count = 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cli_column read;
        cli_error error = {.message = ""};
        jr_value last = {.type = rows[i].type};
        double number;
        assert_int_equal(read_columns(rows[i].text, &form, JR_TYPE_NONE, &read, &error), CLI_OK);
        assert_int_equal(read.vector.type, rows[i].type);
        memcpy(last.as.bytes, read.vector.bytes + read.vector.used - 8, 8);
        assert_int_equal(jr_value_number(&last, &number), JR_OK);
        assert_true(number == rows[i].last);
        cli_column_free(&read);
    }
}

TEST(a_whole_minus_zero_stays_one_in_f64) {
    const cli_table_form form = {.column_count = 0};
    const double expected[] = {-0.0, 0.0, -0.0, 1.5};
    cli_column read;
    cli_error error = {.message = ""};
    assert_int_equal(read_columns("-0 0 -000 1.5", &form, JR_TYPE_NONE, &read, &error), CLI_OK);
    assert_int_equal(read.vector.used, sizeof expected);
    assert_memory_equal(read.vector.bytes, expected, sizeof expected);
    cli_column_free(&read);
}

TEST(names_may_stand_in_a_comment_before_the_first_line) {
    static const cli_table_form form = {.columns = {NAMED("x"), NAMED("y")}, .column_count = 2, .comment = '#'};
    assert_pair("# x y\n1 2\n3 4\n", &form, (const double[]){1, 3}, (const double[]){2, 4}, 2);
    assert_pair("#a\n \t#y,z,x\r\n1,2,3\n# x,y\n4,5,6", &form, (const double[]){3, 6}, (const double[]){1, 4}, 2);
    assert_pair("# x\nx,y\n1,2\n", &form, (const double[]){1}, (const double[]){2}, 1);
    assert_pair("#x,\"y\"\n1,2\n", &form, (const double[]){1}, (const double[]){2}, 1);
}

TEST(carriage_returns_alone_end_no_lines) {
    static const cli_table_form form = {.columns = {NAMED("x")}, .column_count = 1};
    assert_form_refused(
        "x,y\r1,2\r3,4\r", &form,
        "t.txt:1:4: lines that end in a carriage return alone are not read: tr '\\r' '\\n' makes lines");
}

RUN_TESTS(NULL, NULL)
