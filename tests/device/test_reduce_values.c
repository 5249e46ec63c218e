/* Special values through jr_reduce_host with every algorithm: NaN, infinities, zeros, subnormals, overflow, nothing at
 * all, initial values; and the same bits twice. */
#include "support/fixtures/plan_case.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle/reference.h"

enum { COUNT = 5003 }; /* several tiles of small blocks, a head and a tail */

static jr_spec spec_of(jr_op op, jr_type type, jr_algorithm algorithm) {
    return JR_INIT(jr_spec, .op = op, .type = type, .algorithm = algorithm, .unroll = 2, .block = 96);
}

static jr_value reduce(const opened *device, const jr_spec *spec, const void *data, uint64_t count) {
    jr_value value = {0};
    works(jr_reduce_host(device->context, spec, data, count, &value));
    return value;
}

/* Holds all algorithms against the reference, exactly; a sample takes every ninth, others for other pairs. */
static void agree(const opened *device, jr_op op, jr_type type, const void *data, uint64_t count) {
    FOR_EACH_ALGORITHM(algorithm) {
        if (!tests_take((int)algorithm + (int)op + (int)type, 9)) continue;
        const jr_spec spec = spec_of(op, type, algorithm);
        reference expected;
        reference_reduce(&spec, data, count, &expected);
        const jr_value value = reduce(device, &spec, data, count);
        reference_assert(&expected, &value, 0, jr_op_name(op));
    }
}

/* Puts x, as f32 and f64, at the first, the last and some places between, in data that is `rest` elsewhere. */
static void planted_agrees(const opened *device, jr_op op, double x, double rest) {
    static const uint64_t places[] = {0, 1, 2000, COUNT - 1};
    static float narrow[COUNT];
    static double wide[COUNT];
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (int i = 0; i < COUNT; i++) narrow[i] = (float)(wide[i] = rest);
        narrow[places[p]] = (float)(wide[places[p]] = x);
        agree(device, op, JR_F32, narrow, COUNT);
        agree(device, op, JR_F64, wide, COUNT);
    }
}

TEST(nan_wins_every_reduction_of_floats) {
    for (int op = JR_OP_SUM; op <= JR_OP_MAX; op++) planted_agrees(*state, (jr_op)op, NAN, 1);
    planted_agrees(*state, JR_OP_MIN, NAN, -INFINITY);
    planted_agrees(*state, JR_OP_MAX, -NAN, INFINITY);
}

/* An index is looked for only in the best of what a thread loads at a time: the best may be anywhere in it, may be the
 * value that nothing is better than, and may stand there twice. */
TEST(the_first_extremum_is_found_wherever_it_stands) {
    static float narrow[COUNT];
    static double wide[COUNT];
    static int8_t bytes[COUNT];
    static uint16_t halves[COUNT];
    for (int place = 0; place < 40; place++) {
        for (int i = 0; i < COUNT; i++) {
            const bool best = i >= place * 101 && (i % 3 != 1 || i == place * 101);
            narrow[i] = (float)(wide[i] = best ? place % 2 != 0 ? NAN : -INFINITY : INFINITY);
            bytes[i] = best ? INT8_MIN : INT8_MAX;
            halves[i] = best ? UINT16_MAX : 0;
        }
        agree(*state, JR_OP_ARGMIN, JR_F32, narrow, COUNT);
        agree(*state, JR_OP_ARGMIN, JR_F64, wide, COUNT);
        agree(*state, JR_OP_ARGMIN, JR_I8, bytes, COUNT);
        agree(*state, JR_OP_ARGMAX, JR_U16, halves, COUNT);
    }
}

TEST(an_index_is_found_where_all_are_equal) {
    static float narrow[COUNT];
    static int8_t bytes[COUNT];
    const float values[] = {INFINITY, -INFINITY, 0, NAN};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        for (int i = 0; i < COUNT; i++) narrow[i] = values[v];
        agree(*state, JR_OP_ARGMIN, JR_F32, narrow, COUNT);
        agree(*state, JR_OP_ARGMAX, JR_F32, narrow, COUNT);
    }
    memset(bytes, INT8_MAX, sizeof bytes);
    agree(*state, JR_OP_ARGMIN, JR_I8, bytes, COUNT);
}

TEST(infinities_are_values_like_others) {
    planted_agrees(*state, JR_OP_MIN, -INFINITY, 1);
    planted_agrees(*state, JR_OP_MAX, INFINITY, 1);
    planted_agrees(*state, JR_OP_MIN, 5, INFINITY);
    planted_agrees(*state, JR_OP_MAX, 5, -INFINITY);
    planted_agrees(*state, JR_OP_SUM, -INFINITY, 1);
    planted_agrees(*state, JR_OP_SUM, -INFINITY, INFINITY);
    planted_agrees(*state, JR_OP_PROD, 0, INFINITY);
    planted_agrees(*state, JR_OP_MIN, INFINITY, INFINITY); /* of infinities only: no FLT_MAX comes in */
    planted_agrees(*state, JR_OP_MAX, -INFINITY, -INFINITY);
}

TEST(minus_zero_is_below_zero) {
    planted_agrees(*state, JR_OP_MIN, -0.0, 0.0);
    planted_agrees(*state, JR_OP_MIN, 0.0, -0.0);
    planted_agrees(*state, JR_OP_MAX, 0.0, -0.0);
    planted_agrees(*state, JR_OP_MAX, -0.0, 0.0);
    planted_agrees(*state, JR_OP_MAX, -0.0, -0.0);
}

DEVICE_TEST(subnormals_count) {
    static float narrow[COUNT];
    static double wide[COUNT];
    for (int i = 0; i < COUNT; i++) {
        narrow[i] = FLT_TRUE_MIN;
        wide[i] = DBL_TRUE_MIN;
    }
    agree(device, JR_OP_SUM, JR_F32, narrow, COUNT);
    agree(device, JR_OP_SUM, JR_F64, wide, COUNT);
    agree(device, JR_OP_MIN, JR_F32, narrow, COUNT);
    agree(device, JR_OP_MAX, JR_F64, wide, COUNT);
    narrow[1234] = 0;
    wide[1234] = -DBL_TRUE_MIN;
    agree(device, JR_OP_MIN, JR_F32, narrow, COUNT);
    agree(device, JR_OP_MIN, JR_F64, wide, COUNT);
}

DEVICE_TEST(float_overflow_is_infinite) {
    static float narrow[COUNT];
    for (int i = 0; i < COUNT; i++) narrow[i] = FLT_MAX;
    agree(device, JR_OP_SUM, JR_F32, narrow, COUNT);
    agree(device, JR_OP_PROD, JR_F32, narrow, COUNT);
}

DEVICE_TEST(extremes_of_integers_are_right) {
    static int32_t narrow[COUNT];
    static int64_t wide[COUNT];
    for (int i = 0; i < COUNT; i++) {
        narrow[i] = i % 2 == 0 ? INT32_MIN : INT32_MAX;
        wide[i] = i % 2 == 0 ? INT64_MIN : INT64_MAX;
    }
    for (int op = JR_OP_SUM; op <= JR_OP_XOR; op++)
        for (int unsigned_too = 0; unsigned_too < 2; unsigned_too++) {
            if (!tests_take(op + unsigned_too, 2)) continue;
            agree(device, (jr_op)op, unsigned_too ? JR_U32 : JR_I32, narrow, COUNT);
            agree(device, (jr_op)op, unsigned_too ? JR_U64 : JR_I64, wide, COUNT);
        }
}

DEVICE_TEST(a_sum_of_i32_goes_beyond_2_31) {
    static int32_t data[COUNT];
    for (int i = 0; i < COUNT; i++) data[i] = INT32_MAX;
    FOR_EACH_ALGORITHM(algorithm) {
        const jr_spec spec = spec_of(JR_OP_SUM, JR_I32, algorithm);
        const jr_value value = reduce(device, &spec, data, COUNT);
        assert_int_equal(value.type, JR_I64);
        assert_int_equal(value.as.i64, (int64_t)COUNT * INT32_MAX);
    }
}

DEVICE_TEST(integers_wrap_modulo_2_64) {
    const uint64_t large[] = {UINT64_MAX, UINT64_MAX, 5}, odd[] = {UINT64_MAX, 3, UINT64_MAX / 3};
    const int64_t low[] = {INT64_MIN, -1}, factors[] = {INT64_MAX, 2, -3};
    FOR_EACH_ALGORITHM(algorithm) {
        jr_spec spec = spec_of(JR_OP_SUM, JR_U64, algorithm);
        assert_int_equal(reduce(device, &spec, large, 3).as.u64, 3);
        spec = spec_of(JR_OP_PROD, JR_U64, algorithm);
        assert_int_equal(reduce(device, &spec, odd, 3).as.u64, UINT64_MAX * 3 * (UINT64_MAX / 3));
        spec = spec_of(JR_OP_SUM, JR_I64, algorithm);
        assert_int_equal(reduce(device, &spec, low, 2).as.i64, INT64_MAX);
        spec = spec_of(JR_OP_PROD, JR_I64, algorithm);
        assert_int_equal(reduce(device, &spec, factors, 3).as.i64, 6); /* -6 (2^63 - 1) = 6 modulo 2^64 */
    }
}

DEVICE_TEST(nothing_has_the_identity) {
    for (int type = JR_I32; type <= JR_F64; type++)
        for (int op = JR_OP_SUM; op <= JR_OP_XOR; op++) {
            jr_type result;
            if (op == JR_OP_MIN || op == JR_OP_MAX || !tests_take(op + type, 3)) continue;
            if (jr_result_type((jr_op)op, (jr_type)type, &result) == JR_OK)
                agree(device, (jr_op)op, (jr_type)type, NULL, 0);
        }
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_AND, .type = JR_I64);
    assert_int_equal(reduce(device, &spec, NULL, 0).as.i64, -1);
}

DEVICE_TEST(min_and_max_of_nothing_are_an_error_unless_there_is_an_initial) {
    const jr_value initial = {JR_F32, {.f32 = -0.0f}};
    FOR_EACH_ALGORITHM(algorithm) {
        jr_spec spec = spec_of(JR_OP_MIN, JR_F32, algorithm);
        jr_value value = {JR_I32, {.i32 = 77}};
        fails(jr_reduce_host(device->context, &spec, NULL, 0, &value), JR_ERROR_EMPTY_INPUT, "min of no elements");
        spec.op = JR_OP_MAX;
        fails(jr_reduce_host(device->context, &spec, NULL, 0, &value), JR_ERROR_EMPTY_INPUT, "max of no elements");
        assert_int_equal(value.type, JR_I32);
        assert_int_equal(value.as.i32, 77);
        spec.initial = &initial;
        value = reduce(device, &spec, NULL, 0);
        assert_int_equal(value.type, JR_F32);
        assert_true(value.as.f32 == 0 && signbit(value.as.f32));
    }
}

/* A million in a sum of ones: folded in twice, or once a block, it would show. */
DEVICE_TEST(an_initial_value_is_folded_in_once) {
    static uint32_t ones[COUNT];
    for (int i = 0; i < COUNT; i++) ones[i] = 1;
    jr_value initial = {JR_U64, {.u64 = 1000000}};
    FOR_EACH_ALGORITHM(algorithm) {
        jr_spec spec = spec_of(JR_OP_SUM, JR_U32, algorithm);
        spec.initial = &initial;
        assert_int_equal(reduce(device, &spec, ones, COUNT).as.u64, 1000000 + COUNT);
        assert_int_equal(reduce(device, &spec, NULL, 0).as.u64, 1000000);
        spec.grid = algorithm == JR_ALGORITHM_ONE_BLOCK ? 1 : 13;
        assert_int_equal(reduce(device, &spec, ones, COUNT).as.u64, 1000000 + COUNT);
        initial.as.u64 = 2000000; /* read at each call, not compiled in */
        assert_int_equal(reduce(device, &spec, ones, COUNT).as.u64, 2000000 + COUNT);
        initial.as.u64 = 1000000;
    }
}

DEVICE_TEST(two_runs_give_the_same_bits) {
    enum { MANY = 200003, RUNS = 6 };
    uint64_t seed = 7;
    float *data = test_zeros(MANY, sizeof *data);
    for (int i = 0; i < MANY; i++) data[i] = (float)random_bits(&seed) * 0x1p-40f;
    FOR_EACH_ALGORITHM(algorithm) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = algorithm);
        if (algorithm == JR_ALGORITHM_ATOMIC) continue; /* its blocks come in any order */
        const jr_value first = reduce(device, &spec, data, MANY);
        for (int run = 1; run < RUNS; run++) {
            const jr_value again = reduce(device, &spec, data, MANY);
            assert_memory_equal(&again.as.f32, &first.as.f32, sizeof first.as.f32);
        }
    }
}

DEVICE_TEST(bad_host_arguments_are_named) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64);
    const double data[2] = {1, 2};
    const void *crooked = (const char *)data + 4;
    jr_value value = {0};
    fails(jr_reduce_host(NULL, &spec, data, 2, &value), JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    fails(jr_reduce_host(device->context, NULL, data, 2, &value), JR_ERROR_INVALID_ARGUMENT, "spec is NULL");
    fails(jr_reduce_host(device->context, &spec, data, 2, NULL), JR_ERROR_INVALID_ARGUMENT, "value is NULL");
    fails(jr_reduce_host(device->context, &spec, NULL, 2, &value), JR_ERROR_INVALID_ARGUMENT, "the count is 2");
    fails(jr_reduce_host(device->context, &spec, crooked, 1, &value), JR_ERROR_INVALID_ARGUMENT, "not aligned");
    fails(jr_reduce_host(device->context, &spec, data, UINT64_MAX / 2, &value), JR_ERROR_INVALID_ARGUMENT,
          "9223372036854775807 elements of 8 bytes");
    assert_int_equal(value.type, JR_TYPE_NONE);
    assert_true(reduce(device, &spec, data, 2).as.f64 == 3);
}

RUN_TESTS(open_context, close_context)
