/* The record of forms distinguishes equal results from different ones, and near values from far ones. */
#include <string.h>

#include "support/fixtures/check.h"
#include "support/ptx/form_record.h"

static const form_row exact = FORM("add.%s", "u32 u64", "T T T");
static const form_row near_single = {"ex2.approx.%s", "f32", "T T", "", NULL, &(const form_bound){2, 0, 0}};
static const form_row near_absolute = {"sin.approx.%s", "f32", "T T", "", NULL, &(const form_bound){0, 0x1p-20, 3}};
static const form_row near_pair = {"ex2.approx.%s", "f16x2", "T T", "", NULL, &(const form_bound){1, 0, 0}};

static void fill(uint64_t *results, size_t count, uint64_t value) {
    for (size_t i = 0; i < count; i++) results[i] = value;
}

TEST(a_digest_tells_one_bit) {
    uint64_t results[2 * FORM_ELEMENTS];
    jr_text text = {0};
    char why[256] = "";
    fill(results, 2 * FORM_ELEMENTS, 5);
    form_record_print(&exact, results, &text);
    const char *at = jr_text_string(&text);
    assert_non_null(strstr(at, " add.%s: u32 u64\n"));
    assert_true(form_record_compare(&exact, results, &at, why));
    assert_int_equal(*at, '\0');
    results[2 * FORM_ELEMENTS - 1] ^= UINT64_C(1) << 63;
    at = jr_text_string(&text);
    assert_false(form_record_compare(&exact, results, &at, why));
    assert_non_null(strstr(why, "add.%s"));
    assert_int_equal(*at, '\0');
    jr_text_free(&text);
}

TEST(a_row_without_a_record_is_named_and_the_next_is_compared) {
    static const form_row added = FORM("sub.%s", "u32 u64", "T T T");
    uint64_t results[2 * FORM_ELEMENTS];
    jr_text text = {0};
    char why[256] = "";
    fill(results, 2 * FORM_ELEMENTS, 5);
    form_record_print(&exact, results, &text);
    const char *at = jr_text_string(&text);
    assert_false(form_record_compare(&added, results, &at, why));
    assert_string_equal(why, "no record of sub.%s: u32 u64: make record, on a GPU, writes it");
    assert_true(form_record_compare(&exact, results, &at, why));
    assert_int_equal(*at, '\0');
    jr_text_free(&text);
}

/* Compares results with the record of others; the lines for people in between are passed over. */
static bool recorded_as(const form_row *row, const uint64_t *results, const uint64_t *recorded, char why[256]) {
    jr_text text = {0};
    jr_text_append(&text, "# a GPU\n");
    form_record_print(row, recorded, &text);
    const char *at = jr_text_string(&text);
    bool same = form_record_compare(row, results, &at, why);
    jr_text_free(&text);
    return same;
}

TEST(values_may_be_some_units_away) {
    uint64_t results[FORM_ELEMENTS], recorded[FORM_ELEMENTS];
    char why[256] = "";
    fill(results, FORM_ELEMENTS, 0x3f800001);
    fill(recorded, FORM_ELEMENTS, 0x3f800003);
    assert_true(recorded_as(&near_single, results, recorded, why));
    recorded[700] = 0x3f800004;
    assert_false(recorded_as(&near_single, results, recorded, why));
    assert_non_null(strstr(why, "1 values are beyond the bound, 3 units at most"));
    assert_non_null(strstr(why, "0x3f800001, recorded 0x3f800004"));
    recorded[700] = results[700] = 0x7fffffff;
    assert_true(recorded_as(&near_single, results, recorded, why));
    results[700] = 0x7fc00000; /* another NaN */
    assert_true(recorded_as(&near_single, results, recorded, why));
    results[700] = 0x7f800000;
    assert_false(recorded_as(&near_single, results, recorded, why));
    results[700] = recorded[700] = 0xff800000;
    assert_true(recorded_as(&near_single, results, recorded, why));
    recorded[700] = 0xff7fffff;
    assert_false(recorded_as(&near_single, results, recorded, why));
    assert_false(recorded_as(&near_pair, results, recorded, why));
}

TEST(halves_of_pairs_count_each) {
    uint64_t results[FORM_ELEMENTS], recorded[FORM_ELEMENTS];
    char why[256] = "";
    fill(results, FORM_ELEMENTS, 0x3c003c01);
    fill(recorded, FORM_ELEMENTS, 0x3c013c00);
    assert_true(recorded_as(&near_pair, results, recorded, why));
    results[3] = 0x3c033c00;
    assert_false(recorded_as(&near_pair, results, recorded, why));
    results[3] = 0x3c013c02;
    assert_false(recorded_as(&near_pair, results, recorded, why));
}

TEST(an_absolute_bound_holds_in_its_domain) {
    uint64_t results[FORM_ELEMENTS], recorded[FORM_ELEMENTS], input[FORM_ELEMENTS];
    size_t inside = 0, outside = 0;
    char why[256] = "";
    form_input(&near_absolute, 0, 0, input);
    for (size_t i = 0; i < FORM_ELEMENTS; i++) {
        double x = form_number("f32", input[i], 0);
        if (x < 3 && x > -3) inside = i;
        if (x > 3 || x < -3) outside = i;
    }
    fill(results, FORM_ELEMENTS, 0x3f800000);
    fill(recorded, FORM_ELEMENTS, 0x3f800008); /* 2^-20 above 1 */
    assert_true(recorded_as(&near_absolute, results, recorded, why));
    recorded[outside] = 0x40000000;
    assert_true(recorded_as(&near_absolute, results, recorded, why));
    recorded[inside] = 0x3f800009;
    assert_false(recorded_as(&near_absolute, results, recorded, why));
}

TEST(numbers_are_read_from_every_format) {
    assert_true(form_number("f64", UINT64_C(0xc008000000000000), 0) == -3);
    assert_true(form_number("f32", 1, 0) == 0x1p-149);
    assert_true(form_number("f16", 0x0001, 0) == 0x1p-24);
    assert_true(form_number("bf16x2", 0x40403f80, 1) == 3);
    assert_true(form_number("f16x2", 0xfbff3c00, 1) == -65504);
}

RUN_TESTS(NULL, NULL)
