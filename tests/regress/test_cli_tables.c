/* Tables lost rows that began with '#', counted names that are numbers as data, and took a decimal comma for what parts
 * the fields; plain text cut words at a '#'. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_error.h"
#include "support/fixtures/check.h"
#include "text/cli_text.h"
#include "unit/text_blocks.h"

/* One column of f64 by its number, as the form says for the rest. */
static void assert_column(const char *text, cli_table_form form, uint64_t number, const double *expected,
                          size_t count) {
    cli_column read;
    cli_error error = {.message = ""};
    form.columns[0].number = number;
    form.column_count = number > 0;
    if (read_columns(text, &form, JR_F64, &read, &error) != CLI_OK) fail_msg("'%s': %s", text, error.message);
    assert_int_equal(read.vector.used, 8 * count);
    if (count > 0) assert_memory_equal(read.vector.bytes, expected, 8 * count);
    cli_column_free(&read);
}

static void assert_refused(const char *text, cli_table_form form, uint64_t number, const char *message) {
    cli_column read;
    cli_error error = {.message = ""};
    form.columns[0].number = number;
    form.column_count = number > 0;
    assert_int_equal(read_columns(text, &form, JR_F64, &read, &error), CLI_FAILURE);
    assert_string_equal(error.message, message);
    cli_column_free(&read);
}

#define NUMBERS(...) (const double[]){__VA_ARGS__}, sizeof(const double[]){__VA_ARGS__} / 8
#define FORM(...)    ((cli_table_form){.skips_missing = false, __VA_ARGS__})

TEST(a_row_that_begins_with_a_hash_counts_unless_comments_are_asked_for) {
    assert_column("#cuda,3\nx,4\n", FORM(.decimal_comma = false), 2, NUMBERS(3, 4));
    assert_column("a,b\n#cuda,3\nx,4\n", FORM(.decimal_comma = false), 2, NUMBERS(3, 4));
    assert_column("a,b\n#cuda,3\nx,4\n", FORM(.comment = '#'), 2, NUMBERS(4));
    assert_column("a,b\n;cuda,3\n ;\nx,4\n#y,5\n", FORM(.comment = ';'), 2, NUMBERS(4, 5));
    assert_refused("# by hand\n# a,b\n1,2\n", FORM(.decimal_comma = false), 1,
                   "t.txt:2:1: column 1: '#' is not a number; lines that begin with '#' are left out by --comment '#'");
}

TEST(numbers_are_names_where_the_line_below_says_so) {
    static const struct {
        const char *text;
        double first;
        size_t count;
    } rows[] = {{"country,2020,2021\nfr,10,2\nde,3,4\n", 10, 2},
                {"country,2020,2021\nfr,1,2\nde,3,4\n", 1, 2},
                {",0,1,2\n0,10,2,3\n1,4,5,6\n", 10, 2},
                {",0,1\nx,1,2\ny,3,4\n", 1, 2},
                {"id,7\n1,5\n2,6\n", 5, 2},
                {"\"1\",\"2\"\n10,20\n3,4\n", 20, 2},
                {"fr,10,2\nde,3,4\n", 10, 2},
                {"fr,2020,5\nde,3,4\n", 2020, 2},
                {"1,2,3\n4,5,6\n", 2, 2},
                {"2020,2021\n2022,2023\n", 2021, 2},
                {"\"a\",\"2\"\n\"b\",\"3\"\n", 2, 2},
                {"NA,2\n1,3\n", 2, 2},
                {"fr,7\n", 7, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cli_column read;
        cli_error error = {.message = ""};
        const cli_table_form form = {.columns = {{.number = 2}}, .column_count = 1};
        double first;
        if (read_columns(rows[i].text, &form, JR_F64, &read, &error) != CLI_OK)
            fail_msg("'%s': %s", rows[i].text, error.message);
        memcpy(&first, read.vector.bytes, sizeof first);
        if (read.vector.used / 8 != rows[i].count || first != rows[i].first)
            fail_msg("'%s': %zu numbers, the first is %g", rows[i].text, read.vector.used / 8, first);
        cli_column_free(&read);
    }
}

TEST(the_command_line_says_whether_there_is_a_header) {
    assert_column("1,2\n3,4\n", FORM(.header = CLI_HEADER_YES), 2, NUMBERS(4));
    assert_column("\"1\",\"2\"\n3,4\n", FORM(.header = CLI_HEADER_NO), 2, NUMBERS(2, 4));
    assert_refused("a,b\n3,4\n", FORM(.header = CLI_HEADER_NO), 2, "t.txt:1:3: column 2: 'b' is not a number");
    assert_column("a,b\n", FORM(.header = CLI_HEADER_AUTO), 2, NULL, 0);
    assert_column("1,2\n", FORM(.header = CLI_HEADER_YES), 2, NULL, 0);
}

TEST(first_lines_are_left_out_whatever_they_hold) {
    assert_column("so, \"what\nelse\n1,2\n", FORM(.skip_lines = 2), 2, NUMBERS(2));
    assert_column("x y\n1 2\n", FORM(.skip_lines = 1), 0, NUMBERS(1, 2));
    assert_column("\xef\xbb\xbfx\n\n1", FORM(.skip_lines = 2), 0, NUMBERS(1));
    assert_column("1\n2", FORM(.skip_lines = 3), 0, NULL, 0);
    assert_refused("x\ny\n", FORM(.skip_lines = 1), 0, "t.txt:2:1: 'y' is not a number");
}

TEST(both_lines_agree_on_what_parts_the_fields) {
    const cli_table_form comma = {.decimal_comma = true};
    assert_column("Preis, netto;Menge\n12,50;1\n", comma, 1, NUMBERS(12.5));
    assert_column("12,50;1\n1,5;2\n", comma, 1, NUMBERS(12.5, 1.5));
    assert_column("a,b\n\"12,50\",1\n\"0,5\",2\n", comma, 1, NUMBERS(12.5, 0.5));
    assert_column("Preis, netto\tMenge\n1,5\t2\n", comma, 1, NUMBERS(1.5));
    assert_column("1,5\n2,5\n", comma, 1, NUMBERS(1.5, 2.5));
    assert_column("price, net;n\n12.5;1\n", FORM(.decimal_comma = false), 1, NUMBERS(12.5));
    assert_column("a,b;c\n1,2\n", FORM(.decimal_comma = false), 1, NUMBERS(1));
}

TEST(a_comment_begins_at_a_words_start) {
    const cli_table_form plain = {.column_count = 0};
    assert_refused("1.#INF", plain, 0, "t.txt:1:1: '1.#INF' is not a number");
    assert_refused("3#4", plain, 0, "t.txt:1:1: '3#4' is not a number");
    assert_column("3 #4\n5,#6\n#7\n\t# 8", plain, 0, NUMBERS(3, 5));
}

TEST(groups_of_digits_are_parted_as_the_form_says) {
    assert_column("1,234,567 -2,000.5\n3", FORM(.thousands = ','), 0, NUMBERS(1234567, -2000.5, 3));
    assert_column("a;b\n1.234,5;6\n", FORM(.thousands = '.', .decimal_comma = true), 1, NUMBERS(1234.5));
    assert_column("a,b\n\"12,34,567\",6\n", FORM(.thousands = ','), 1, NUMBERS(1234567));
    assert_column("a;b\n1 234;6\n", FORM(.thousands = ' '), 1, NUMBERS(1234));
    assert_refused("12,34", FORM(.thousands = ','), 0, "t.txt:1:1: '12,34' is not a number; --decimal , reads it");
    assert_refused("1,2345", FORM(.thousands = ','), 0, "t.txt:1:1: '1,2345' is not a number; --decimal , reads it");
    assert_refused("1.5,000", FORM(.thousands = ','), 0, "t.txt:1:1: '1.5,000' is not a number");
}

TEST(a_quoted_number_may_have_blanks_around_it) {
    assert_column("a,b\n\" 6 \",1\n\"7\t\",2\n", FORM(.decimal_comma = false), 1, NUMBERS(6, 7));
}

TEST(a_column_without_a_type_takes_what_is_beyond_f64_as_infinite) {
    static const char text[] = "1 -1e400\n1e400";
    const cli_table_form form = {.column_count = 0};
    const double expected[] = {1, -INFINITY, INFINITY};
    cli_column column = cli_column_of(JR_TYPE_NONE);
    cli_text read = cli_text_of("t.txt", &form, &column);
    cli_beyond beyond = {.infinite = 0};
    cli_error error = {.message = ""};
    read.beyond = &beyond;
    assert_int_equal(read_blocks(&read, text, sizeof text - 1, 100, &error), CLI_OK);
    assert_int_equal(column.vector.used, sizeof expected);
    assert_memory_equal(column.vector.bytes, expected, sizeof expected);
    assert_int_equal(beyond.infinite, 2);
    assert_string_equal(beyond.note, "t.txt:1:3: this number is out of the range of f64 and is read as inf");
    cli_column_free(&column);
    assert_refused("1e400", form, 0, "t.txt:1:1: '1e400' does not fit f64");
}

RUN_TESTS(NULL, NULL)
