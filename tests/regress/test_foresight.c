/* For untyped whole numbers a map was compiled twice, to see whether it wraps; now ranges decide beforehand, and silent
 * effects of integers (1/2, a truncated quotient, a divisor of 0, -1 next to an unsigned number) get a message. */
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/open_context.h"

/* A spec over x from low to high, and what it may do. */
typedef struct foreseen {
    const char *map, *where, *finish;
    jr_op op;
    int64_t low, high;
    uint64_t count;
    unsigned flags;
} foreseen;

static unsigned flags_of(const foreseen *of) {
    const jr_value ranges[] = {{.type = JR_I64, .as.i64 = of->low}, {.type = JR_I64, .as.i64 = of->high}};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = of->op, .type = JR_I64, .map = of->map, .where = of->where, .finish = of->finish);
    unsigned flags = 99;
    works(jr_reduce_foresee(&spec, ranges, of->count, &flags, NULL, 0));
    return flags;
}

static const foreseen cases[] = {
    {"x*x", NULL, NULL, JR_OP_SUM, 1, 10, 10, 0},
    {"x*x", NULL, NULL, JR_OP_SUM, -3000000000, 3000000000, 1, 0},
    {"x*x", NULL, NULL, JR_OP_SUM, 0, 3000000000, 2, JR_MAY_WRAP},
    {"x*x", NULL, NULL, JR_OP_MAX, 0, 3000000000, 2, 0},
    {"x*x", NULL, NULL, JR_OP_MAX, 0, 5000000000, 2, JR_MAY_WRAP},
    {"x*x*0.5", NULL, NULL, JR_OP_MAX, 0, 5000000000, 2, JR_MAY_WRAP},
    {"x*0.5*x", NULL, NULL, JR_OP_MAX, 0, 5000000000, 2, 0},
    {"x & 7", NULL, NULL, JR_OP_SUM, INT64_MIN, INT64_MAX, 1000, 0},
    {"x ^ 3", NULL, NULL, JR_OP_SUM, -5, 5, 11, 0},
    {"x << 62", NULL, NULL, JR_OP_MAX, 0, 1, 2, 0},
    {"x << 62", NULL, NULL, JR_OP_MAX, 0, 2, 2, JR_MAY_WRAP},
    {"-x", NULL, NULL, JR_OP_MAX, INT64_MIN, 0, 2, JR_MAY_WRAP},
    {"abs(x)", NULL, NULL, JR_OP_MAX, INT64_MIN + 1, 0, 2, 0},
    {NULL, NULL, NULL, JR_OP_SUM, 0, INT64_MAX, 1, 0},
    {NULL, NULL, NULL, JR_OP_SUM, 0, INT64_MAX, 2, JR_MAY_WRAP},
    {NULL, NULL, NULL, JR_OP_SUM, INT64_MIN, 0, 2, JR_MAY_WRAP},
    {NULL, NULL, NULL, JR_OP_PROD, 1, 20, 14, 0},
    {NULL, NULL, NULL, JR_OP_PROD, 1, 20, 15, JR_MAY_WRAP},
    {NULL, NULL, NULL, JR_OP_PROD, -1, 1, UINT64_MAX, 0},
    {NULL, "x % 2 == 1", "a + 1", JR_OP_SUM, 1, 10, 10, 0},
    {NULL, NULL, "a * a", JR_OP_SUM, 0, 1000000000, 10, JR_MAY_WRAP},
    {NULL, NULL, "a * a", JR_OP_SUM, 0, 1000000, 10, 0},
    {"x / 2", NULL, NULL, JR_OP_SUM, 1, 10, 10, JR_MAY_CUT},
    {"x / 1", NULL, NULL, JR_OP_SUM, 1, 10, 10, 0},
    {"x / 2.0", NULL, NULL, JR_OP_SUM, 1, 10, 10, 0},
    {NULL, NULL, "a / n", JR_OP_SUM, 1, 10, 10, JR_MAY_CUT},
    {NULL, NULL, "a / n", JR_OP_MEAN, 1, 10, 10, 0},
    {"10 % x", NULL, NULL, JR_OP_SUM, 1, 10, 10, 0},
    {"10 % x", NULL, NULL, JR_OP_SUM, 0, 10, 10, JR_MAY_DIVIDE_BY_ZERO},
    {"10 % (x - 3)", NULL, NULL, JR_OP_SUM, 1, 10, 10, JR_MAY_DIVIDE_BY_ZERO},
    {NULL, "10 % x == 0", NULL, JR_OP_SUM, -1, 1, 10, JR_MAY_DIVIDE_BY_ZERO},
    {NULL, NULL, "7 % a", JR_OP_SUM, -1, 1, 10, JR_MAY_DIVIDE_BY_ZERO},
};

TEST(ranges_tell_what_integers_may_do) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (flags_of(&cases[i]) != cases[i].flags)
            fail_msg("%s %s %s over %lld to %lld: %u, not %u", cases[i].map ? cases[i].map : "",
                     jr_op_name(cases[i].op), cases[i].finish ? cases[i].finish : "", (long long)cases[i].low,
                     (long long)cases[i].high, flags_of(&cases[i]), cases[i].flags);
}

TEST(without_ranges_all_of_a_type_may_come) {
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I8, .map = "x * x");
    unsigned flags;
    spec.map_type = JR_I32;
    works(jr_reduce_foresee(&spec, NULL, 10, &flags, NULL, 0));
    assert_int_equal(flags, 0);
    spec.type = JR_I64;
    works(jr_reduce_foresee(&spec, NULL, 10, &flags, NULL, 0));
    assert_int_equal(flags, JR_MAY_WRAP);
    spec.type = JR_F32;
    works(jr_reduce_foresee(&spec, NULL, 10, &flags, NULL, 0));
    assert_int_equal(flags, 0);
    fails(jr_reduce_foresee(&spec, NULL, 10, NULL, NULL, 0), JR_ERROR_INVALID_ARGUMENT, "flags is NULL");
}

TEST(what_may_not_be_meant_is_noted) {
    static const struct {
        const char *map;
        jr_type type;
        const char *note;
    } notes[] = {{"1/2 * x", JR_I64, "map: 1 / 2 is a whole number in C, cut: write 1.0 / 2"},
                 {"4/2 * x", JR_I64, ""},
                 {"1/2 * x", JR_F32, "map: 1 / 2 is a whole number in C"},
                 {"x > -1", JR_U64, "map: x > -1: x is unsigned, and so -1 is taken as unsigned, too"},
                 {"x > -1", JR_U8, ""},
                 {"x > 1", JR_U64, ""},
                 {"x < i", JR_U64, ""},
                 {"x > -1", JR_I64, ""}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = notes[i].type, .map = notes[i].map);
        char note[512] = "?";
        unsigned flags;
        works(jr_reduce_foresee(&spec, NULL, 10, &flags, note, sizeof note));
        if (*notes[i].note == '\0' ? note[0] != '\0' : strstr(note, notes[i].note) == NULL)
            fail_msg("%s: '%s', not '%s'", notes[i].map, note, notes[i].note);
    }
}

RUN_TESTS(NULL, NULL)
