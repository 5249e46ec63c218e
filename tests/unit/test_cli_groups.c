/* Groups: words of a column of keys are numbered, keys are ordered, and elements sorted by them in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/group_words.h"
#include "reduce/groups.h"
#include "support/fixtures/check.h"
#include "text/cli_text.h"

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void append(cli_key_column *column, const char *text, bool doubled) {
    assert_true(cli_key_column_append(column, text, text + strlen(text), doubled));
}

TEST(equal_words_have_one_number_and_words_stay_where_they_are) {
    cli_key_column column = {.count = 0};
    char word[32];
    append(&column, "", false);
    append(&column, "a\"\"b", true);
    append(&column, "a\"b", false);
    const char *first = column.texts[1].begin;
    assert_int_equal(column.count, 2);
    for (int i = 0; i < 20000; i++) {
        snprintf(word, sizeof word, "word %d", i % 5000);
        append(&column, word, false);
    }
    assert_int_equal(column.count, 5002);
    assert_int_equal(column.row_count, 20003);
    assert_ptr_equal(column.texts[1].begin, first);
    assert_int_equal(column.texts[1].length, 3);
    assert_memory_equal(first, "a\"b", 3);
    for (uint64_t i = 3; i < column.row_count; i++) assert_int_equal(column.rows[i], 2 + (i - 3) % 5000);
    cli_key_column_free(&column);
}

TEST(a_word_may_be_longer_than_a_page) {
    enum { BYTES = 200000 };
    cli_key_column column = {.count = 0};
    char *word = test_bytes(BYTES);
    memset(word, 'x', BYTES);
    append(&column, "before", false);
    assert_true(cli_key_column_append(&column, word, word + BYTES, false));
    append(&column, "behind", false);
    assert_int_equal(column.count, 3);
    assert_int_equal(column.texts[1].length, BYTES);
    assert_memory_equal(column.texts[1].begin, word, BYTES);
    cli_key_column_free(&column);
}

static void assert_sorted(uint64_t count, uint64_t mask, int shift) {
    uint64_t seed = count;
    uint64_t *codes = test_bytes((count + 1) * sizeof *codes);
    cli_coded_row *rows = test_bytes((count + 1) * sizeof *rows);
    cli_groups groups;
    cli_error error;
    for (uint64_t i = 0; i < count; i++) {
        codes[i] = (next_random(&seed) & mask) << shift;
        rows[i] = (cli_coded_row){codes[i], i};
    }
    assert_int_equal(cli_group_sort(rows, count, &groups, &error), CLI_OK);
    assert_int_equal(groups.offsets[0], 0);
    assert_int_equal(groups.offsets[groups.count], count);
    for (uint64_t group = 0; group < groups.count; group++) {
        assert_true(groups.offsets[group] < groups.offsets[group + 1]);
        for (uint64_t i = groups.offsets[group]; i < groups.offsets[group + 1]; i++) {
            const uint64_t row = groups.rows != NULL ? groups.rows[i] : i;
            const uint64_t before = i == 0 ? 0 : groups.rows != NULL ? groups.rows[i - 1] : i - 1;
            if (i == 0) continue;
            if (i == groups.offsets[group])
                assert_true(codes[before] < codes[row]);
            else
                assert_true(codes[before] == codes[row] && before < row);
        }
    }
    cli_groups_free(&groups);
}

TEST(elements_are_sorted_by_code_and_keep_their_order) {
    for (uint64_t count = 0; count < 40; count++) assert_sorted(count, 3, 0);
    assert_sorted(10000, 0x7fffffff, 0);
    assert_sorted(10000, 0xff, 56);
    assert_sorted(10000, 0xffff, 20);
    assert_sorted(10000, 0, 0);
}

TEST(codes_have_the_order_of_numbers) {
    static const double doubles[] = {-1.0 / 0.0, -1e300, -1.5, -1e-310, 0, 1e-310, 1, 1e300, 1.0 / 0.0};
    static const int64_t longs[] = {INT64_MIN, -9007199254740993, -9007199254740992, -1, 0, 1, INT64_MAX};
    static const int8_t bytes[] = {-128, -1, 0, 127};
    uint64_t before, code;
    const double minus = -0.0, none = 0.0 / 0.0;
    for (size_t i = 1; i < sizeof doubles / sizeof *doubles; i++) {
        assert_true(cli_key_code(JR_F64, &doubles[i - 1], &before) && cli_key_code(JR_F64, &doubles[i], &code));
        assert_true(before < code);
    }
    for (size_t i = 1; i < sizeof longs / sizeof *longs; i++) {
        assert_true(cli_key_code(JR_I64, &longs[i - 1], &before) && cli_key_code(JR_I64, &longs[i], &code));
        assert_true(before < code);
    }
    for (size_t i = 1; i < sizeof bytes; i++) {
        assert_true(cli_key_code(JR_I8, &bytes[i - 1], &before) && cli_key_code(JR_I8, &bytes[i], &code));
        assert_true(before < code);
    }
    assert_true(cli_key_code(JR_F64, &minus, &before) && cli_key_code(JR_F64, &doubles[4], &code));
    assert_int_equal(before, code);
    assert_false(cli_key_code(JR_F64, &none, &code));
}

/* What words are taken for: a type, or JR_TYPE_NONE for texts. */
static jr_type type_of(const char *const *words, size_t count) {
    const cli_table_form form = {.key_count = 1};
    cli_key_column column = {.count = 0};
    cli_error error;
    cli_group_words made;
    for (size_t i = 0; i < count; i++) append(&column, words[i], false);
    const cli_group_lines lines = {.column = &column, .form = &form, .count = count};
    assert_int_equal(cli_group_words_make(&lines, &made, &error), CLI_OK);
    const jr_type type = made.type;
    cli_group_words_free(&made);
    cli_key_column_free(&column);
    return type;
}

#define TYPE_OF(...)                                                                                                   \
    type_of((const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

TEST(words_are_numbers_where_these_can_stand_for_them) {
    assert_int_equal(TYPE_OF("1", "-20", "+3", "0"), JR_I64);
    assert_int_equal(TYPE_OF("1", "18446744073709551615"), JR_U64);
    assert_int_equal(TYPE_OF("1", "2.5", "1e3", "-inf", "0.5"), JR_F64);
    assert_int_equal(TYPE_OF("1", "007"), JR_TYPE_NONE);
    assert_int_equal(TYPE_OF("00.5"), JR_TYPE_NONE);
    assert_int_equal(TYPE_OF("2.5", "nan"), JR_TYPE_NONE);
    assert_int_equal(TYPE_OF("-1", "18446744073709551615"), JR_TYPE_NONE);
    assert_int_equal(TYPE_OF("100000000000000000001"), JR_TYPE_NONE);
    assert_int_equal(TYPE_OF("1", ""), JR_TYPE_NONE);
    assert_int_equal(TYPE_OF("Berlin"), JR_TYPE_NONE);
}

TEST(texts_are_ordered_by_their_bytes) {
    const cli_key_text a = {"a", 1}, ab = {"ab", 2}, b = {"b", 1}, high = {"\xc3\xa4", 2}, nothing = {NULL, 0};
    assert_true(cli_key_text_compare(&a, &ab) < 0);
    assert_true(cli_key_text_compare(&ab, &b) < 0);
    assert_true(cli_key_text_compare(&b, &high) < 0);
    assert_true(cli_key_text_compare(&nothing, &a) < 0);
    assert_int_equal(cli_key_text_compare(&ab, &ab), 0);
}

static void assert_json(const char *text, size_t length, const char *expected) {
    char *printed = NULL;
    size_t bytes;
    const cli_key_text key = {text, length};
    FILE *out = open_memstream(&printed, &bytes);
    assert_non_null(out);
    cli_key_text_json(out, &key);
    fclose(out);
    assert_string_equal(printed, expected);
    free(printed);
}

TEST(json_strings_hold_no_bytes_that_are_no_text) {
    assert_json("a\"\\\n\0", 5, "\"a\\\"\\\\\\u000a\\u0000\"");
    assert_json("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
    assert_json("\xc3", 1, "\"\\ufffd\"");
    assert_json("\xc0\x80", 2, "\"\\ufffd\\ufffd\"");
    assert_json("\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"");
    assert_json("\xf4\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    assert_json("\xe2\x82", 2, "\"\\ufffd\\ufffd\"");
}

RUN_TESTS(NULL, NULL)

static void append_pair(cli_key_column *column, const char *first, const char *second) {
    const cli_key_part parts[] = {{first, first + strlen(first), false}, {second, second + strlen(second), true}};
    assert_true(cli_key_parts_append(column, parts, 2));
}

TEST(keys_of_several_columns_are_ordered_by_the_first_then_the_second) {
    static const char *const pairs[][2] = {{"10", "b"}, {"2", "c"}, {"2.0", "b\"\"x"}, {"10", "b"}, {"10", ""}};
    const uint64_t ranks[] = {3, 1, 0, 3, 2}; /* of the words: the fourth line is the first word again */
    const cli_table_form form = {.key_count = 2};
    cli_key_column column = {.count = 0};
    cli_error error;
    cli_group_keys keys;
    cli_keys taken[2] = {{.texts = NULL}};
    for (size_t i = 0; i < 5; i++) append_pair(&column, pairs[i][0], pairs[i][1]);
    const cli_group_lines lines = {.column = &column, .key_count = 2, .form = &form, .count = 5};
    assert_int_equal(cli_group_keys_make(&lines, &keys, &error), CLI_OK);
    for (size_t i = 0; i < 5; i++) assert_int_equal(keys.codes[column.rows[i]], ranks[i]);
    assert_true(cli_group_keys_take(&keys, 0, column.rows, 5, &taken[0]));
    assert_true(cli_group_keys_take(&keys, 1, column.rows, 5, &taken[1]));
    assert_int_equal(cli_keys_type(&taken[0]), JR_F64);
    assert_float_equal(cli_keys_number(&taken[0], 3).as.f64, 10, 0);
    assert_int_equal(cli_keys_type(&taken[1]), JR_TYPE_NONE);
    assert_int_equal(taken[1].texts[2].length, 3);
    assert_memory_equal(taken[1].texts[2].begin, "b\"x", 3);
    assert_int_equal(taken[1].texts[4].length, 0);
    cli_data_free(&taken[0].numbers);
    free(taken[1].texts);
    cli_group_keys_free(&keys);
    cli_key_column_free(&column);
}
