/* A comparison whose right side is wrong went on with what nobody had written, and one of fractions whose difference
 * does not fit into 64 bits was false. */
#include <jitreduce.h>

#include "support/fixtures/check.h"

/* What the next call finds where it has written nothing yet. */
static void fill_stack(void) {
    volatile unsigned char below[4096];
    for (size_t i = 0; i < sizeof below; i++) below[i] = 0;
}

TEST(a_wrong_right_side_is_an_error) {
    static const char *const wrong[] = {"1 < nothing",  "1 >= nothing", "1 == nothing", "1 != (2",
                                        "1 && nothing", "0 || nothing", "3 < 2 +",      "1 > 1/0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t value = 77;
        fill_stack();
        assert_int_equal(jr_formula_compute(wrong[i], NULL, 0, &value), JR_ERROR_INVALID_ARGUMENT);
        assert_int_equal(value, 77);
    }
}

TEST(fractions_are_compared_whatever_their_size) {
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {{"ceil(9223372036854775807/2 > 9223372036854775806/3)", 1},
                {"ceil(9223372036854775807/2 < 9223372036854775806/3)", 0},
                {"ceil(9223372036854775807/9223372036854775806 <= 9223372036854775805/9223372036854775804)", 1},
                {"ceil(0 - 9223372036854775807/2 < 9223372036854775807/3)", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t value = 77;
        assert_int_equal(jr_formula_compute(rows[i].text, NULL, 0, &value), JR_OK);
        assert_int_equal(value, rows[i].value);
    }
}

RUN_TESTS(NULL, NULL)
