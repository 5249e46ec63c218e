/* An empty selection: where and JR_NAN_IGNORE that leave out every element give what an empty input gives, not the
 * operator's identity as if it were a value. */
#include "support/every/every_row.h"
#include "support/fixtures/open_context.h"

#include <math.h>
#include <string.h>

enum { COUNT = 5000 };

typedef struct nothing {
    jr_op op;
    bool error;    /* of an empty input */
    double result; /* else */
} nothing;

/* The table of what an empty input gives, by hand: not from the library's rows. */
static const nothing table[] = {{JR_OP_SUM, false, 0},    {JR_OP_PROD, false, 1},  {JR_OP_MIN, true, 0},
                                {JR_OP_MAX, true, 0},     {JR_OP_ANY, false, 0},   {JR_OP_ALL, false, 1},
                                {JR_OP_ARGMIN, true, 0},  {JR_OP_ARGMAX, true, 0}, {JR_OP_COUNT_NONZERO, false, 0},
                                {JR_OP_MEAN, false, NAN}, {JR_OP_VAR, false, NAN}, {JR_OP_STD, false, NAN},
                                {JR_OP_NORM1, false, 0},  {JR_OP_NORM2, false, 0}, {JR_OP_NORMINF, false, 0},
                                {JR_OP_SUMSQ, false, 0},  {JR_OP_DOT, false, 0},   {JR_OP_LOGSUMEXP, false, -INFINITY},
                                {JR_OP_AND, false, -1},   {JR_OP_OR, false, 0},    {JR_OP_XOR, false, 0}};

static double number_of(const jr_value *value) {
    switch (value->type) {
    case JR_BOOL: return value->as.bytes[0];
    case JR_I32: return value->as.i32;
    case JR_I64: return (double)value->as.i64;
    case JR_U64: return (double)value->as.u64;
    case JR_F32: return (double)value->as.f32;
    default: return value->as.f64;
    }
}

static void judge(jr_status status, const nothing *wanted, const jr_value *value, const char *what) {
    if (wanted->error) {
        if (status != JR_ERROR_EMPTY_INPUT)
            fail_msg("%s of %s: %s", jr_op_name(wanted->op), what, jr_status_name(status));
        assert_non_null(strstr(jr_last_error()->message, "of no elements has no value"));
        return;
    }
    works(status);
    const double got = number_of(value);
    if (got != wanted->result && !(isnan(got) && isnan(wanted->result)))
        fail_msg("%s of %s is %g, not %g", jr_op_name(wanted->op), what, got, wanted->result);
}

DEVICE_TEST(an_operator_of_nothing_selected_gives_what_an_empty_input_gives) {
    static float data[COUNT];
    static const int32_t integers[COUNT];
    for (size_t o = 0; o < EVERY_OPS; o++) {
        bool there = every_op[o] == JR_OP_CUSTOM;
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) there = there || table[i].op == every_op[o];
        if (!there) fail_msg("the table lacks %s", jr_op_name(every_op[o]));
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const bool whole = table[i].op == JR_OP_AND || table[i].op == JR_OP_OR || table[i].op == JR_OP_XOR;
        const void *const arrays[2] = {whole ? (const void *)integers : data, data};
        jr_spec spec = JR_INIT(jr_spec, .op = table[i].op, .type = whole ? JR_I32 : JR_F32, .unroll = 1);
        jr_value value = {0};
        if (tests_take((int)i, 4)) /* a sample: each compiles a kernel of its own */
            judge(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = 0, .values = &value)),
                  &table[i], &value, "an empty input");
        spec.where = "x > 100";
        judge(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = &value)),
              &table[i], &value, "a selection");
    }
}

DEVICE_TEST(every_algorithm_tells_nothing_selected_from_a_value) {
    static int64_t data[COUNT];
    for (int i = 0; i < COUNT; i++) data[i] = i;
    data[1234] = INT64_MAX;
    for (size_t a = 0; a < EVERY_ALGORITHMS; a++) {
        const jr_parameter low = {"low", {JR_I64, {.i64 = INT64_MAX - 1}}};
        jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I64, .algorithm = every_algorithm[a], .unroll = 2,
                               .where = "x > low", .parameters = &low, .parameter_count = 1);
        jr_value value = {0};
        works(jr_reduce_host(device->context, &spec, data, COUNT, &value));
        assert_true(value.as.i64 == INT64_MAX); /* a value that is the identity */
        fails(jr_reduce_host(device->context, &spec, data, 1000, &value), JR_ERROR_EMPTY_INPUT, "min of no elements");
        if (!tests_take((int)a, 2)) continue;
        spec.op = JR_OP_ARGMAX;
        works(jr_reduce_host(device->context, &spec, data, COUNT, &value));
        assert_int_equal(value.as.i64, 1234);
        fails(jr_reduce_host(device->context, &spec, data, 1000, &value), JR_ERROR_EMPTY_INPUT,
              "argmax of no elements");
        assert_int_equal(value.as.i64, 1234);
    }
}

DEVICE_TEST(a_list_with_one_operator_that_has_no_value_has_none) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX, JR_OP_MEAN};
    static float data[COUNT];
    jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_F32, .where = "x != 0");
    jr_value values[3];
    const void *const arrays[] = {data};
    fails(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = values)),
          JR_ERROR_EMPTY_INPUT, "max");
    data[COUNT - 1] = -3;
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = values)));
    assert_true(values[0].as.f32 == -3 && values[1].as.f32 == -3 && values[2].as.f32 == -3);
}

/* Launches of a part each, data that goes through the device in parts, an initial value, a finish expression. */
DEVICE_TEST(parts_initial_and_finish_know_nothing_selected_too) {
    static float data[3 * COUNT];
    const jr_value initial = {JR_F32, {.f32 = 7}};
    jr_value value = {0};
    data[2 * COUNT] = 5;
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .where = "x > 0", .algorithm = JR_ALGORITHM_TWO_PASS);
    spec.device_bytes = 8192;
    works(jr_reduce_host(device->context, &spec, data, 3 * COUNT, &value));
    assert_true(value.as.f32 == 5);
    fails(jr_reduce_host(device->context, &spec, data, 2 * COUNT, &value), JR_ERROR_EMPTY_INPUT, "max");
    spec.device_bytes = 0;
    spec.max_launch_ms = 1e-9;
    fails(jr_reduce_host(device->context, &spec, data, 2 * COUNT, &value), JR_ERROR_EMPTY_INPUT, "max");
    spec.max_launch_ms = 0;
    spec.finish = "a + 1";
    works(jr_reduce_host(device->context, &spec, data, 3 * COUNT, &value));
    assert_true(value.as.f32 == 6);
    fails(jr_reduce_host(device->context, &spec, data, COUNT, &value), JR_ERROR_EMPTY_INPUT, "max");
    spec.finish = NULL;
    spec.initial = &initial;
    works(jr_reduce_host(device->context, &spec, data, COUNT, &value));
    assert_true(value.as.f32 == 7);
}

/* The index is -1 if all were NaN; a count says so where -1 may be an index. Infinities are numbers. */
DEVICE_TEST(an_index_among_nans_is_that_of_a_number_whatever_the_algorithm_and_the_result) {
    static const jr_type results[] = {JR_TYPE_NONE, JR_I32, JR_U64, JR_F64};
    static float data[3 * COUNT];
    for (size_t a = 0; a < 4 * EVERY_ALGORITHMS; a++) {
        jr_value value;
        if (!tests_take((int)(a + a / 4), 4)) continue; /* a sample: each algorithm with one of the results */
        jr_spec spec = JR_INIT(jr_spec, .type = JR_F32, .nan = JR_NAN_IGNORE, .result = results[a % 4], .unroll = 2,
                               .op = a % 8 < 4 ? JR_OP_ARGMIN : JR_OP_ARGMAX, .algorithm = every_algorithm[a / 4]);
        spec.device_bytes = spec.algorithm == JR_ALGORITHM_TWO_PASS ? 8192 : 0;
        for (int i = 0; i < 3 * COUNT; i++) data[i] = NAN;
        fails(jr_reduce_host(device->context, &spec, data, 3 * COUNT, &value), JR_ERROR_EMPTY_INPUT,
              "of no elements has no value");
        data[2 * COUNT + 1] = spec.op == JR_OP_ARGMIN ? INFINITY : -INFINITY;
        works(jr_reduce_host(device->context, &spec, data, 3 * COUNT, &value));
        assert_true(number_of(&value) == 2 * COUNT + 1);
        if (!tests_take((int)a / 4, 4)) continue;
        spec.finish = "a + 1";
        works(jr_reduce_host(device->context, &spec, data, 3 * COUNT, &value));
        assert_true(number_of(&value) == 2 * COUNT + 2);
        fails(jr_reduce_host(device->context, &spec, data, 2 * COUNT, &value), JR_ERROR_EMPTY_INPUT,
              "of no elements has no value");
    }
}

typedef struct among_nans {
    float fill, one, other; /* all elements but two; those at AT_ONE and AT_OTHER */
    const char *where;
    int least, most; /* the indices wanted; -1: none, an error */
} among_nans;

enum { AT_ONE = COUNT + 3, AT_OTHER = 2 * COUNT + 1 };

/* A context folds host data whole and in chunks, two devices fold a half each; some chunks and halves are NaN. */
DEVICE_TEST(nans_are_no_elements_for_an_index_and_infinities_are) {
    static const among_nans rows[] = {{NAN, NAN, NAN, NULL, -1, -1},
                                      {NAN, INFINITY, NAN, NULL, AT_ONE, AT_ONE},
                                      {NAN, -INFINITY, NAN, NULL, AT_ONE, AT_ONE},
                                      {NAN, INFINITY, -INFINITY, NULL, AT_OTHER, AT_ONE},
                                      {NAN, -INFINITY, -INFINITY, NULL, AT_ONE, AT_ONE},
                                      {INFINITY, INFINITY, INFINITY, NULL, 0, 0},
                                      {-INFINITY, NAN, -INFINITY, NULL, 0, 0},
                                      {-INFINITY, INFINITY, NAN, "i > 2", 3, AT_ONE},
                                      {1, NAN, NAN, "i == 5003 || i == 10001", -1, -1},
                                      {1, 2, NAN, "i == 5003 || i == 10001", AT_ONE, AT_ONE},
                                      {1, 2, 3, "i < 0", -1, -1}};
    static float data[3 * COUNT];
    const void *const in[] = {data};
    jr_group *group = group_held(&JR_INIT(jr_group_options, .devices = device->info.simulated ? "sim:2" : "cuda:0,0"));
    for (size_t i = 0; i < 6 * sizeof rows / sizeof rows[0]; i++) {
        const among_nans *row = &rows[i / 6];
        const int wanted = i % 2 == 0 ? row->least : row->most;
        const jr_spec spec =
            JR_INIT(jr_spec, .op = i % 2 == 0 ? JR_OP_ARGMIN : JR_OP_ARGMAX, .type = JR_F32, .nan = JR_NAN_IGNORE,
                    .where = row->where, .device_bytes = i % 6 / 2 == 1 ? 8192 : 0);
        const jr_work work = JR_INIT(jr_work, .spec = &spec);
        jr_value value = {0};
        const jr_work_data given = JR_INIT(jr_work_data, .in = in, .count = 3 * COUNT, .values = &value);
        for (int k = 0; k < 3 * COUNT; k++) data[k] = row->fill;
        data[AT_ONE] = row->one;
        data[AT_OTHER] = row->other;
        const jr_status status = i % 6 / 2 == 2 ? jr_work_group_host(group, &work, &given)
                                                : jr_work_run_host(device->context, &work, &given);
        if (wanted < 0) {
            fails(status, JR_ERROR_EMPTY_INPUT, "of no elements has no value");
            continue;
        }
        works(status);
        if (value.as.i64 != wanted) fail_msg("row %zu, way %zu: %lld", i / 6, i % 6, (long long)value.as.i64);
    }
}

/* Its accumulator was never combined with an identity: segments of one element, and the first result of a scan. */
DEVICE_TEST(a_segment_or_a_scan_that_begins_with_a_nan_has_no_index_there) {
    static const float data[] = {2, NAN, 3, NAN}, leading[] = {NAN, NAN, 3, 1};
    static const int64_t running[] = {-1, -1, 2, 3};
    const void *const in[] = {data}, *const scanned[] = {leading};
    int64_t out[4] = {0};
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32, .nan = JR_NAN_IGNORE);
    fails(jr_work_run_host(device->context, WORK(&spec, .layout = &layout),
                           DATA(.in = in, .count = 4, .segments = 4, .out = out)),
          JR_ERROR_EMPTY_INPUT, "segment 1");
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = scanned, .count = 4, .out = out)));
    assert_memory_equal(out, running, sizeof out);
}

/* NaNs alone: what the header says; of several operators each as alone. */
DEVICE_TEST(nan_left_out_alone_leaves_nothing_but_to_min_and_max) {
    static const jr_op ops[] = {JR_OP_MIN, JR_OP_SUM, JR_OP_MEAN, JR_OP_ANY, JR_OP_ARGMIN, JR_OP_MAX};
    static float data[COUNT];
    const void *const arrays[] = {data};
    jr_value alone, all[4], more[6];
    jr_spec spec = JR_INIT(jr_spec, .type = JR_F32, .nan = JR_NAN_IGNORE, .ops = ops, .op_count = 4);
    for (int i = 0; i < COUNT; i++) data[i] = NAN;
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = all)));
    assert_true(isnan(all[0].as.f32) && all[1].as.f32 == 0 && isnan(all[2].as.f32) && all[3].as.bytes[0] == 0);
    spec.op_count = 6;
    fails(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = more)),
          JR_ERROR_EMPTY_INPUT, "argmin");
    data[7] = 3;
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = more)));
    assert_int_equal(more[4].as.i64, 7);
    data[7] = NAN;
    spec.ops = NULL;
    spec.op_count = 0;
    spec.op = JR_OP_ARGMAX;
    fails(jr_reduce_host(device->context, &spec, data, COUNT, &alone), JR_ERROR_EMPTY_INPUT, "argmax");
    for (int i = 0; i < 4; i++) {
        spec.op = ops[i];
        works(jr_reduce_host(device->context, &spec, data, COUNT, &alone));
        assert_true(number_of(&alone) == number_of(&all[i]) || isnan(number_of(&alone)));
    }
    spec.op = JR_OP_MIN;
    spec.where = "i < 10";
    works(jr_reduce_host(device->context, &spec, data, COUNT, &alone));
    assert_true(isnan(alone.as.f32));
    spec.where = "i < 0";
    fails(jr_reduce_host(device->context, &spec, data, COUNT, &alone), JR_ERROR_EMPTY_INPUT, "min");
}

RUN_TESTS(open_context, close_context)
