/* Types that a spec leaves out: a float expression over integers was cut to the element's type, u8 u16 and bool were
 * unsigned in expressions, and so was the count n. */
#include <stdio.h>
#include <string.h>

#include "support/fixtures/open_context.h"

static jr_type result_of(const jr_spec *spec) {
    jr_type type;
    works(jr_reduce_check(spec, &type));
    return type;
}

/* At a small unroll factor, whose kernels compile in half the time. */
static jr_value reduce(const opened *device, const jr_spec *spec, const void *const *data, uint64_t count) {
    jr_value value;
    jr_spec small = *spec;
    small.unroll = 1;
    works(jr_work_run_host(device->context, WORK(&small), DATA(.in = data, .count = count, .values = &value)));
    return value;
}

/* ---- the rule ---- */

static const struct {
    const char *map;
    jr_type x, y, of;
} rule[] = {{"x * 0.1", JR_I64, 0, JR_F64},
            {"x * 0.1f", JR_I64, 0, JR_F64},
            {"x * 0.1f", JR_I32, 0, JR_F64},
            {"x * 0.1f", JR_I16, 0, JR_F32},
            {"x * 0.1f", JR_U16, 0, JR_F32},
            {"x * 0.1f", JR_BOOL, 0, JR_F32},
            {"x * 0.1", JR_U8, 0, JR_F64},
            {"sqrt(x)", JR_U8, 0, JR_F64},
            {"sqrtf(x)", JR_I8, 0, JR_F32},
            {"x / 2", JR_I32, 0, JR_I32},
            {"x * 0.1", JR_F32, 0, JR_F32},
            {"x * 0.1", JR_F16, 0, JR_F16},
            {"x * 0.1", JR_E4M3, 0, JR_E4M3},
            {"x > 1", JR_F32, 0, JR_F32},
            {"fabs(x - y)", JR_I64, JR_F32, JR_F64},
            {"fabs(x - y)", JR_F32, JR_I64, JR_F64},
            {"fabs(x - y)", JR_I8, JR_F32, JR_F32},
            {"fabs(x - y)", JR_F32, JR_U16, JR_F32},
            {"x * y * 0.1", JR_U8, JR_F32, JR_F32},
            {"x - y", JR_F32, JR_F64, JR_F64},
            {"x - y", JR_F64, JR_F32, JR_F64},
            {"x + y", JR_F16, JR_F32, JR_F32},
            {"x + y", JR_F16, JR_BF16, JR_F32},
            {"x + y", JR_E4M3, JR_F16, JR_F16},
            {"x + y", JR_I8, JR_I32, JR_I32},
            {"x + y", JR_U8, JR_I8, JR_U8},
            {"x ? y : 0", JR_BOOL, JR_U8, JR_U8},
            {"x + y", JR_I64, JR_U64, JR_I64},
            {"x > y", JR_I16, JR_F16, JR_I16},
            {"x > y", JR_I64, JR_F32, JR_I64},
            {"(float)(x * 0.1)", JR_U8, 0, JR_F32},
            {"i * 0.5f + x", JR_I8, 0, JR_F32},
            {"x ? 1 : 0.5f", JR_I8, 0, JR_F32},
            {"x ? 0.5 : x ? 1 : 2", JR_I8, 0, JR_F64},
            {"x > 0.5", JR_I32, 0, JR_I32},
            {"-(x << 1) + ~x % 3", JR_I8, 0, JR_I8},
            {"sizeof(double)", JR_I8, 0, JR_I8},
            {"sizeof(x * 0.5) + x", JR_I8, 0, JR_I8},
            {"sizeof x * 0.5", JR_I8, 0, JR_F64},
            {"(int)0.5 + x", JR_I8, 0, JR_I8},
            {"int(0.5) * 1.0f", JR_I8, 0, JR_F32},
            {"static_cast<double>(x)", JR_I8, 0, JR_F64},
            {"0x1e + x", JR_I8, 0, JR_I8},
            {"0x1p3f + x", JR_I8, 0, JR_F32},
            {"0x1p3 + x", JR_I8, 0, JR_F64},
            {"x + 1e2f", JR_I8, 0, JR_F32},
            {"x + .5l", JR_I8, 0, JR_F64},
            {"x + 10ull", JR_I8, 0, JR_I8},
            {"0xff + x", JR_I8, 0, JR_I8},
            {"make_float2(x, 2).y", JR_I8, 0, JR_F32},
            {"make_int2(x, 2).y", JR_I8, 0, JR_I8},
            {"make_double2(x, 2).y * 2", JR_I8, 0, JR_F64},
            {"x * INFINITY", JR_I8, 0, JR_F32},
            {"!(x * 0.5)", JR_I8, 0, JR_I8},
            {"x * (true ? 2 : 3)", JR_I8, 0, JR_I8},
            {"max(x, 2.0f)", JR_I8, 0, JR_F32},
            {"max(x, 2)", JR_I8, 0, JR_I8},
            {"abs(x * 1.5)", JR_I8, 0, JR_F64},
            {"lrint(x * 1.5)", JR_I8, 0, JR_I8},
            {"isnan(x * 1.5)", JR_I8, 0, JR_I8},
            {"(x ? x : 2) ? 1.0f : 2", JR_I8, 0, JR_F32}};

DEVICE_TEST(the_type_of_map_is_the_values_own_where_a_float_comes_out_of_integers) {
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        const double zeros[2] = {0};
        const void *data[] = {zeros, zeros};
        jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = rule[i].x, .map = rule[i].map,
                               .more_types = {rule[i].y}, .input_count = rule[i].y != 0 ? 2 : 1);
        const jr_type got = result_of(&spec);
        if (got != rule[i].of)
            fail_msg("%s over %s: %s, not %s", rule[i].map, jr_type_name(rule[i].x), jr_type_name(got),
                     jr_type_name(rule[i].of));
        /* The compiler agrees, or the kernel's assertion fails. */
        if (tests_take((int)i, 6)) (void)reduce(device, &spec, data, 1);
    }
}

TEST(what_is_asked_for_stays) {
    const int64_t data[] = {1, 2, 3};
    const void *all[] = {data};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64, .map = "x * 0.5");
    assert_true(reduce(*state, &spec, all, 3).as.f64 == 3);
    spec.map_type = JR_I64;
    assert_int_equal(reduce(*state, &spec, all, 3).as.i64, 2);
    spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64, .finish = "a * 0.25", .result = JR_I64);
    assert_int_equal(reduce(*state, &spec, all, 3).as.i64, 1);
    spec.result = JR_TYPE_NONE;
    assert_true(reduce(*state, &spec, all, 3).as.f64 == 1.5);
    spec.finish = "a / 4";
    assert_int_equal(reduce(*state, &spec, all, 3).as.i64, 1);
}

TEST(labels_and_predictions_may_come_in_any_order) {
    const int64_t labels[] = {1, 0, 1};
    const float predictions[] = {0.75f, 0.25f, 0.5f};
    const void *one[] = {labels, predictions}, *other[] = {predictions, labels};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64, .more_types = {JR_F32}, .input_count = 2,
                           .map = "fabs(x - y)");
    assert_true(reduce(*state, &spec, one, 3).as.f64 == 1);
    spec.type = JR_F32;
    spec.more_types[0] = JR_I64;
    assert_true(reduce(*state, &spec, other, 3).as.f64 == 1);
}

TEST(every_operator_is_given_the_value_as_it_is) {
    static const struct {
        jr_op op;
        double value;
    } rows[] = {{JR_OP_SUM, 1.25},      {JR_OP_PROD, 0.0625}, {JR_OP_MIN, 0.25},     {JR_OP_MAX, 0.5},
                {JR_OP_MEAN, 1.25 / 3}, {JR_OP_NORM1, 1.25},  {JR_OP_SUMSQ, 0.5625}, {JR_OP_NORM2, 0.75},
                {JR_OP_NORMINF, 0.5},   {JR_OP_ARGMIN, 0},    {JR_OP_ARGMAX, 1},     {JR_OP_COUNT_NONZERO, 3},
                {JR_OP_ALL, 1}};
    static const jr_accuracy accuracies[] = {JR_ACCURACY_FAST, JR_ACCURACY_EXACT, JR_ACCURACY_REPRODUCIBLE};
    const int32_t data[] = {1, 2, 2};
    const void *all[] = {data};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t a = 0; a < 3; a++) {
            if (!tests_take((int)(i + a), 3)) continue; /* a sample: each operator by one of the accuracies */
            const jr_spec spec = JR_INIT(jr_spec, .op = rows[i].op, .type = JR_I32, .map = "x * 0.25",
                                         .accuracy = rows[i].op == JR_OP_PROD && a == 1 ? 0 : accuracies[a]);
            const jr_value value = reduce(*state, &spec, all, 3);
            double got;
            works(jr_value_number(&value, &got));
            if (got != rows[i].value) fail_msg("%s: %.17g, not %.17g", jr_op_name(rows[i].op), got, rows[i].value);
        }
}

TEST(an_operator_of_integers_refuses_floats) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_AND, .type = JR_I32, .map = "x * 0.25");
    assert_int_equal(jr_reduce_check(&spec, NULL), JR_ERROR_UNSUPPORTED_TYPE);
}

DEVICE_TEST(a_list_and_a_scan_have_the_same_types) {
    const jr_op ops[] = {JR_OP_SUM, JR_OP_MIN, JR_OP_MEAN};
    const int32_t data[] = {1, 2, 2};
    const void *all[] = {data};
    jr_value values[3];
    double sums[3];
    const jr_spec list = JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_I32, .map = "x * 0.25");
    const jr_spec scan = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * 0.25");
    works(jr_work_run_host(device->context, WORK(&list), DATA(.in = all, .count = 3, .values = values)));
    assert_true(values[0].as.f64 == 1.25 && values[1].as.f64 == 0.25 && values[2].as.f64 == 1.25 / 3);
    works(jr_work_run_host(device->context, WORK(&scan, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = 3, .out = sums)));
    assert_true(sums[0] == 0.25 && sums[1] == 0.75 && sums[2] == 1.25);
}

TEST(a_combine_that_gives_floats_accumulates_floats) {
    const int64_t data[] = {1, 1};
    const uint8_t bytes[] = {1, 1};
    const void *all[] = {data}, *small[] = {bytes};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I64, .combine = "hypot(a, b)", .identity = "0",
                           .commutative = 1);
    assert_int_equal(result_of(&spec), JR_F64);
    assert_true(reduce(*state, &spec, all, 2).as.f64 > 1.4);
    spec.accumulate = JR_I64;
    assert_int_equal(reduce(*state, &spec, all, 2).as.i64, 1);
    spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_U8, .combine = "a + b + 0.5f * (a * b)", .identity = "0",
                   .commutative = 1);
    assert_int_equal(result_of(&spec), JR_F32);
    assert_true((double)reduce(*state, &spec, small, 2).as.f32 == 2.5);
}

/* ---- what the struct's text declares ---- */

DEVICE_TEST(a_float_of_unknown_type_is_never_cut) {
    static const jr_structure structure = {.size = sizeof(jr_structure),
                                           .name = "pair",
                                           .source = "struct pair { float key; int id; };\n"
                                                     "__device__ float half_of(int x) { return 0.5f * x; }\n"
                                                     "__device__ int twice(int x) { return 2 * x; }\n",
                                           .bytes = 8,
                                           .alignment = 4};
    const int32_t data[] = {1, 2};
    const void *all[] = {data};
    jr_value value;
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "half_of(x)", .structure = &structure);
    assert_int_equal(jr_reduce_host(device->context, &spec, data, 2, &value), JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->message, "map_type"));
    assert_non_null(strstr(jr_last_error()->log, "half_of(x)"));
    spec.map_type = JR_F32;
    assert_true((double)reduce(device, &spec, all, 2).as.f32 == 1.5);
    spec.map_type = JR_TYPE_NONE;
    spec.map = "twice(x)";
    assert_int_equal(reduce(device, &spec, all, 2).as.i64, 6);
    spec.map = "half_of(x) * 1.0";
    assert_true(reduce(device, &spec, all, 2).as.f64 == 1.5);
}

/* ---- C's promotions ---- */

TEST(narrow_integers_are_int) {
    const uint8_t bytes[] = {10, 30}, flags[] = {1, 0};
    const uint16_t words[] = {10, 30};
    const int8_t chars[] = {10, 30};
    const void *all[][2] = {{bytes, bytes}, {words, bytes}, {chars, bytes}, {flags, flags}};
    const jr_type types[] = {JR_U8, JR_U16, JR_I8, JR_BOOL};
    for (size_t i = 0; i < 4; i++) {
        if (!tests_take((int)i, 3)) continue; /* of a sample u8 and bool */
        const jr_type second = i == 3 ? JR_BOOL : JR_U8;
        jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_COUNT_NONZERO, .type = types[i], .where = "x > -1 && y > -1",
                    .more_types = {second}, .input_count = 2, .map = "abs(x - 50) == 50 - x && abs(y - 50) == 50 - y");
        assert_int_equal(reduce(*state, &spec, all[i], 2).as.u64, 2);
        spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = types[i], .map = "x - 40", .map_type = JR_I64);
        assert_int_equal(reduce(*state, &spec, all[i], 2).as.i64, i == 3 ? -79 : -40);
        spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = types[i], .finish = "a - 100", .result = JR_I64);
        assert_int_equal(reduce(*state, &spec, all[i], 2).as.i64, i == 3 ? -99 : -70);
        spec = JR_INIT(jr_spec, .op = JR_OP_ANY, .type = types[i], .finish = "a - 2", .result = JR_I64);
        assert_int_equal(reduce(*state, &spec, all[i], 2).as.i64, -1);
        spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = types[i], .combine = "a < b ? b : a", .identity = "-1",
                       .finish = "a - 100", .result = JR_I64);
        assert_int_equal(reduce(*state, &spec, all[i], 2).as.i64, i == 3 ? -99 : -70);
        spec.combine = "abs(a - b)";
        spec.identity = "0";
        spec.finish = NULL;
        assert_int_equal(reduce(*state, &spec, all[i], 2).as.i64, i == 3 ? 1 : 20);
    }
}

TEST(the_count_is_signed) {
    const int64_t data[] = {-3, -5};
    const void *all[] = {data};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64, .finish = "a / n");
    assert_int_equal(reduce(*state, &spec, all, 2).as.i64, -4);
    spec.finish = "-n < 0";
    assert_int_equal(reduce(*state, &spec, all, 2).as.i64, 1);
}

RUN_TESTS(open_context, close_context)
