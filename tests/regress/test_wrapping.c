/* Whole numbers that their types do not hold have a note, or are refused: no result shows that they wrapped. */
#include <string.h>

#include "support/cases/hint_case.h"

TEST(values_of_map_that_wrap_are_noted) {
    static const struct {
        jr_type type;
        long long least, greatest; /* both 0: of any element */
        const char *map, *note;    /* NULL: no note */
    } rows[] = {
        {JR_U8, 1, 3, "x*300", "300 does not fit; a map type of i64 holds it"},
        {JR_U8, 3, 10, "x - 2", NULL},
        {JR_U8, 1, 10, "x - 2", "-1 does not fit"},
        {JR_I8, -10, -3, "x + 2", NULL},
        {JR_U8, 20, 30, "x * x", NULL},
        {JR_U32, 0, 0, "x - 5", "map: x - 5 may not fit unsigned int, and wraps: convert one side, as (double)x"},
        {JR_U32, 5, 9, "x - 5", NULL},
        {JR_U64, 0, 0, "-x", "map: -x may not fit unsigned long long, and wraps: write -(double)x"},
        {JR_U32, 0, 0, "x * -1", "x * -1 may not fit unsigned int, and wraps"},
        {JR_U32, 0, 0, "x > 1 ? x : -1", "x : -1: x is unsigned, and so -1 is taken as unsigned, too"},
        {JR_U32, 0, 0, "x > 1 ? -1 : x", "-1 : x: x is unsigned, and so -1 is taken as unsigned, too"},
        {JR_U32, 0, 0, "x > 1 ? x : 0", NULL},
        {JR_I32, 0, 0, "x > 1 ? x : -1", NULL},
        {JR_U32, 0, 0, "x * 2654435761u", NULL},
        {JR_U32, 0, 0, "(long long)x - 5", "-5 does not fit; a map type of i64"},
        {JR_U32, 0, 0, "(double)x - 5", NULL},
        {JR_I32, 0, 0, "x * 2147483647 * 2",
         "x * 2147483647 * 2 may not fit int, and wraps: convert one side, as (double)x"},
        {JR_I64, 0, 0, "x * 2147483647 * 2", NULL},
        {JR_I32, 0, 0, "x * x * x", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = rows[i].type, .map = rows[i].map);
        const jr_value ranges[] = {{JR_I64, {.i64 = rows[i].least}}, {JR_I64, {.i64 = rows[i].greatest}}};
        assert_noted(&spec, rows[i].least != 0 ? ranges : NULL, 10, rows[i].note);
    }
}

/* Parameters, the index and the count have no column that is read again as floats: their products wrapped without a
 * word, and 1 << x where x is beyond the bits of an int. */
TEST(numbers_that_are_no_elements_are_noted_in_every_expression) {
    static const struct {
        jr_type type;
        enum { in_map, in_where, in_finish } in;
        const char *text;
        long long least, greatest; /* both 0: of any element */
        const char *note;          /* NULL: no note */
    } rows[] = {
        {JR_F64, in_map, "i*i*i", 0, 0, "map: i*i*i may not fit long long, and wraps: convert one side, as (double)i"},
        {JR_F64, in_map, "x + k*k", 0, 0, "map: k*k may not fit long long, and wraps: convert one side, as (double)k"},
        {JR_I64, in_map, "i*i", 0, 0, NULL},
        {JR_F64, in_where, "x < k*k", 0, 0, "where: k*k may not fit long long"},
        {JR_I64, in_finish, "n*n*n", 0, 0,
         "finish: n*n*n may not fit long long, and wraps: convert one side, as (double)n"},
        {JR_F64, in_finish, "a + k * k", 0, 0, "finish: k * k may not fit long long"},
        {JR_I64, in_finish, "a*n", 0, 0, NULL},
        {JR_I64, in_finish, "1 << n", 0, 0, "finish: 1 << n may not fit int: write ldexp(1.0, n)"},
        {JR_I64, in_map, "1 << i", 0, 0, "map: 1 << i may not fit int: write ldexp(1.0, i)"},
        {JR_I64, in_map, "1LL << i", 0, 0, "map: 1LL << i may not fit long long: write ldexp(1.0, i)"},
        {JR_I64, in_map, "k << i", 0, 0, "map: k << i may not fit long long: write ldexp((double)k, i)"},
        {JR_I32, in_map, "1 << x", 0, 0, NULL},
        {JR_I32, in_map, "1 << x", 1, 30, NULL},
        {JR_I32, in_map, "1 << x", 1, 31, "map: 1 << x may not fit int: write 1LL << x"},
        {JR_I32, in_map, "1 << x", 1, 40, "map: 1 << x may not fit int: write 1LL << x"},
        {JR_I64, in_map, "1 << x", 1, 70, "map: 1 << x may not fit int: write ldexp(1.0, x)"},
        {JR_I64, in_map, "1LL << x", 1, 62, NULL},
        {JR_I64, in_map, "1LL << x", 1, 70, "map: 1LL << x may not fit long long: write ldexp(1.0, x)"},
        {JR_I64, in_map, "x < 60 ? 1LL << x : 0", 1, 70, NULL},
        {JR_I64, in_map, "x >> 3", 1, 70, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_parameter k = {.name = "k", .value = {.type = JR_I64, .as.i64 = 5000000000}};
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = rows[i].type, .parameters = &k,
                                     .parameter_count = 1, .map = rows[i].in == in_map ? rows[i].text : NULL,
                                     .where = rows[i].in == in_where ? rows[i].text : NULL,
                                     .finish = rows[i].in == in_finish ? rows[i].text : NULL);
        const jr_value ranges[] = {{JR_I64, {.i64 = rows[i].least}}, {JR_I64, {.i64 = rows[i].greatest}}};
        assert_noted(&spec, rows[i].least != 0 ? ranges : NULL, 3000000, rows[i].note);
    }
}

/* The greatest of negative numbers was 0, the identity, without a word. */
TEST(an_identity_that_changes_elements_is_noted) {
    static const struct {
        const char *combine, *identity;
        long long least, greatest; /* both 0: of any element */
        bool noted;
    } rows[] = {
        {"max(a, b)", "0", -5, -3, true},
        {"max(a, b)", "0", -5, 3, true},
        {"max(a, b)", "0", 1, 3, false},
        {"max(a, b)", "0", 0, 0, false}, /* nothing is known of the elements */
        {"max(a, b)", "-9223372036854775808", -5, -3, false},
        {"min(a, b)", "0", 1, 3, true},
        {"a * b", "0", 1, 3, true},
        {"a * b", "1", -2, 3, false},
        {"a + b", "1", 1, 3, true},
        {"a + b", "0", -2, 3, false},
        {"a > b ? a : b", "0", 1, 3, false},
        {"a ^ b", "0", 1, 300, false},
        {"a | b", "0", 1, 300, false},
        {"a & b", "-1", 1, 300, false},
        {"(a + b) % 97", "0", 1, 100, false}, /* 98 stands for 1 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I64, .combine = rows[i].combine,
                                     .identity = rows[i].identity);
        const jr_value ranges[] = {{JR_I64, {.i64 = rows[i].least}}, {JR_I64, {.i64 = rows[i].greatest}}};
        char note[512];
        unsigned flags;
        works(jr_reduce_foresee(&spec, rows[i].least != 0 ? ranges : NULL, 10, &flags, note, sizeof note));
        if ((strstr(note, "has to give the element") != NULL) != rows[i].noted)
            fail_msg("%s of %s from %lld to %lld: '%s'", rows[i].combine, rows[i].identity, rows[i].least,
                     rows[i].greatest, note);
    }
}

/* It wrapped without a word. */
TEST(an_identity_fits_its_type) {
    static const struct {
        jr_type type, accumulate;
        const char *identity, *why; /* NULL: it is taken */
    } rows[] = {
        {JR_I32, JR_TYPE_NONE, "-3000000000",
         "has '-' in column 1: -3000000000 does not fit i32, which holds -2147483648 to 2147483647: write one of "
         "these, "
         "or accumulate in a wider type"},
        {JR_I32, JR_TYPE_NONE, "3 * 1000000000ll", "3000000000 does not fit i32"},
        {JR_I32, JR_I64, "-3000000000", NULL},
        {JR_I32, JR_TYPE_NONE, "-2147483648", NULL},
        {JR_F32, JR_TYPE_NONE, "-3000000000", NULL},
        {JR_U32, JR_TYPE_NONE, "-1", "-1 does not fit u32, which holds 0 to 4294967295"},
        {JR_U32, JR_TYPE_NONE, "~0", NULL},
        {JR_U64, JR_TYPE_NONE, "18446744073709551615u", NULL},
        {JR_I64, JR_TYPE_NONE, "-9223372036854775808", NULL},
        {JR_I64, JR_TYPE_NONE, "9223372036854775808u", "9223372036854775808 does not fit i64"},
        {JR_U8, JR_TYPE_NONE, "-1", NULL}, /* accumulates in i32 */
        {JR_BOOL, JR_TYPE_NONE, "2", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = rows[i].type, .accumulate = rows[i].accumulate,
                    .combine = "a > b ? a : b", .identity = rows[i].identity);
        const jr_status status = jr_reduce_check(&spec, NULL);
        if (status != (rows[i].why != NULL ? JR_ERROR_INVALID_EXPRESSION : JR_OK) ||
            (rows[i].why != NULL && strstr(jr_last_error()->message, rows[i].why) == NULL))
            fail_msg("'%s' gives %s: %s", rows[i].identity, jr_status_name(status), jr_last_error()->message);
    }
}

RUN_TESTS(NULL, NULL)
