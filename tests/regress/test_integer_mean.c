/* Types of accumulators and results: means of integers, dot, norms and structs. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"

/* The mean of integers was rounded twice once the sum passed 2^53: to a double, and then by the division. */

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_size;

/* sum / n rounded to nearest, ties to even, by long division of the magnitude: significand bits at a time. */
static double quotient(wide sum, uint64_t n, int significand) {
    wide_size left = sum < 0 ? -(wide_size)sum : (wide_size)sum;
    int exponent = 0;
    if (left == 0) return 0;
    while (left / n < ((wide_size)1 << (significand + 1)) && left < (wide_size)1 << 126) {
        left *= 2;
        exponent--;
    }
    wide_size whole = left / n;
    bool rest = left % n != 0;
    while (whole >= ((wide_size)1 << (significand + 1))) {
        rest |= whole & 1;
        whole /= 2;
        exponent++;
    }
    /* One bit more than the significand, and what lies below it. */
    const bool half = whole & 1;
    whole /= 2;
    exponent++;
    if (half && (rest || (whole & 1))) whole++;
    const double size = ldexp((double)(uint64_t)whole, exponent);
    return sum < 0 ? -size : size;
}

TEST(the_oracle_divides_and_rounds) {
    assert_true(quotient(7, 2, 53) == 3.5);
    assert_true(quotient(-1, 3, 53) == -1.0 / 3);
    assert_true(quotient(1, 3, 24) == (double)(1.0f / 3));
    assert_true(quotient(((wide)1 << 53) + 1, 1, 53) == 0x1p53);
    assert_true(quotient(((wide)1 << 53) + 3, 1, 53) == 0x1p53 + 4);
    assert_true(quotient(((wide)1 << 54) + 3, 2, 53) == 0x1p53 + 2);
}

enum { MOST = 4096 };

static wide sum_of(jr_type type, const void *data, uint64_t begin, uint64_t end, const char *where, uint64_t *taken) {
    wide sum = 0;
    *taken = 0;
    for (uint64_t i = begin; i < end; i++) {
        if (where != NULL && i % 3 == 0) continue; /* "i % 3 != 0" */
        const uint64_t bits = element_integer(type, data, i);
        sum += element_is_signed(type) ? (wide)(int64_t)bits : (wide)bits;
        ++*taken;
    }
    return sum;
}

static void assert_mean(jr_type type, const void *data, uint64_t begin, uint64_t end, const char *where,
                        const jr_value *got) {
    uint64_t taken;
    const wide sum = sum_of(type, data, begin, end, where, &taken);
    const double wanted = quotient(sum, taken, got->type == JR_F32 ? 24 : 53);
    const double number = got->type == JR_F32 ? (double)got->as.f32 : got->as.f64;
    if (number != wanted)
        fail_msg("mean of %llu %s: %.17g, not %.17g", (unsigned long long)taken, jr_type_name(type), number, wanted);
}

static void fill(void *data, uint64_t *seed) {
    for (size_t i = 0; i < MOST; i++) ((uint64_t *)data)[i] = random_bits(seed);
}

static const jr_type types[] = {JR_I64, JR_U64, JR_I32, JR_U32, JR_I16, JR_U8};
enum { TYPE_COUNT = sizeof types / sizeof *types };

DEVICE_TEST(a_mean_of_integers_is_rounded_once) {
    static uint64_t data[MOST];
    uint64_t seed = 14;
    for (int round = 0; round < 40; round++) {
        fill(data, &seed);
        const uint64_t count = round < 8 ? (uint64_t)round + 1 : 1 + random_below(&seed, MOST);
        for (int t = 0; t < TYPE_COUNT; t++)
            for (int way = 0; way < 4; way++) {
                const jr_spec spec =
                    JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = types[t],
                            .algorithm = way == 1 ? JR_ALGORITHM_TWO_PASS : JR_ALGORITHM_AUTO,
                            .result = way == 2 ? JR_F32 : JR_TYPE_NONE, .where = way == 3 ? "i % 3 != 0" : NULL);
                if (!tests_take(t + way, 2) || (way == 3 && count < 2)) continue;
                jr_value value;
                works(jr_reduce_host(device->context, &spec, data, count, &value));
                assert_mean(types[t], data, 0, count, spec.where, &value);
            }
    }
}

DEVICE_TEST(so_are_means_of_lists_segments_and_scans) {
    static const jr_op ops[] = {JR_OP_MEAN, JR_OP_MAX};
    enum { COUNT = 600, LENGTH = 5 };
    static uint64_t data[MOST];
    double results[COUNT];
    uint64_t seed = 15;
    fill(data, &seed);
    for (int t = 0; t < TYPE_COUNT; t++) {
        const jr_spec list = {.size = sizeof(jr_spec), .ops = ops, .op_count = 2, .type = types[t]};
        const jr_spec one = {.size = sizeof(jr_spec), .op = JR_OP_MEAN, .type = types[t]};
        const void *arrays[] = {data};
        const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = LENGTH);
        const jr_work_data segments = {.size = sizeof(jr_work_data), .segments = COUNT / LENGTH};
        jr_value values[2] = {{JR_F64, {0}}};
        works(jr_work_run_host(device->context, WORK(&list), DATA(.in = arrays, .count = COUNT, .values = values)));
        assert_mean(types[t], data, 0, COUNT, NULL, &values[0]);
        works(jr_work_run_host(device->context, WORK(&one, .layout = &layout), DATA_OF(segments, arrays, results)));
        for (uint64_t s = 0; s < COUNT / LENGTH; s++) {
            const jr_value value = {.type = JR_F64, .as.f64 = results[s]};
            assert_mean(types[t], data, s * LENGTH, (s + 1) * LENGTH, NULL, &value);
        }
        works(jr_work_run_host(device->context, WORK(&one, .kind = JR_WORK_SCAN_INCLUSIVE),
                               DATA(.in = FROM(data), .count = COUNT, .out = results)));
        for (uint64_t i = 0; i < COUNT; i++) {
            const jr_value value = {.type = JR_F64, .as.f64 = results[i]};
            assert_mean(types[t], data, 0, i + 1, NULL, &value);
        }
    }
}

/* 2^62 + 1 + 2^62 + 2 over 2 is 2^62 + 1.5: as an integer it is cut off, not rounded to a double before. */
DEVICE_TEST(an_integer_mean_is_the_exact_quotient_cut_off) {
    static const struct {
        jr_type type, result;
        int64_t data[3];
        uint64_t count;
        int64_t wanted;
    } rows[] = {{JR_I64, JR_I64, {((int64_t)1 << 62) + 1, ((int64_t)1 << 62) + 2}, 2, ((int64_t)1 << 62) + 1},
                {JR_I64, JR_I64, {-((int64_t)1 << 62) - 1, -((int64_t)1 << 62) - 2}, 2, -((int64_t)1 << 62) - 1},
                {JR_U64, JR_U64, {-1, -1, -2}, 3, -2},
                {JR_I64, JR_I64, {3, 4, 4}, 3, 3},
                {JR_I64, JR_I8, {1000, 1002}, 2, 127},
                {JR_I64, JR_U8, {-5, -6}, 2, 0},
                {JR_I64, JR_BOOL, {0, 1}, 2, 1},
                {JR_I64, JR_BOOL, {-1, 1}, 2, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = rows[i].type, .result = rows[i].result);
        jr_value value;
        works(jr_reduce_host(device->context, &spec, rows[i].data, rows[i].count, &value));
        assert_int_equal(element_integer(rows[i].result, &value.as, 0), rows[i].wanted);
    }
}

/* 2048 + 1 + 2^-30: above the middle of two halves, by less than f32 keeps. */
DEVICE_TEST(a_narrow_mean_is_rounded_once) {
    static int64_t data[1 << 15];
    const uint64_t count = sizeof data / sizeof *data;
    for (uint64_t i = 0; i < count; i++) data[i] = 2049;
    data[7]++;
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_MEAN, .type = JR_I64, .result = JR_F16};
    jr_value value;
    works(jr_reduce_host(device->context, &spec, data, count, &value));
    assert_int_equal(value.as.f16, 0x6801);
    data[7] -= 2;
    works(jr_reduce_host(device->context, &spec, data, count, &value));
    assert_int_equal(value.as.f16, 0x6800);
}

/* A map to a struct that nobody described crashed; dot ignored the type of its second input; norms in unsigned
 * accumulators took negative elements for huge ones; parameters could be named as words of the language; the bytes of
 * a workspace for a huge capacity overflowed. */
TEST(a_map_to_a_struct_without_structure_is_refused) {
    const jr_structure unnamed =
        JR_INIT(jr_structure, .source = "struct pair { int a, b; };", .bytes = 8, .alignment = 4);
    const jr_structure huge = JR_INIT(jr_structure, "pair", "struct pair { int a[999]; };", 3996, 4);
    const jr_structure *const structures[] = {NULL, &unnamed, &huge};
    for (size_t i = 0; i < 3; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .map = "x", .map_type = JR_STRUCT,
                                     .combine = "a", .identity = "a", .structure = structures[i]);
        assert_int_equal(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, "struct"));
    }
}

DEVICE_TEST(dot_accumulates_in_the_wider_of_its_types) {
    const float x[2] = {1, 2};
    const double y[2] = {DBL_MAX / 4, 1};
    const void *arrays[] = {x, y}, *swapped[] = {y, x};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F32, .more_types = {JR_F64});
    jr_value value;
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = 2, .values = &value)));
    assert_int_equal(value.type, JR_F64);
    assert_true(value.as.f64 == DBL_MAX / 4);
    spec.type = JR_F64, spec.more_types[0] = JR_F32;
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = swapped, .count = 2, .values = &value)));
    assert_true(value.as.f64 == DBL_MAX / 4);
}

DEVICE_TEST(norms_in_unsigned_accumulators_take_the_size_of_elements) {
    const int8_t small[3] = {-128, 3, -4};
    const float floats[3] = {-128, 3, -4};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_NORM1, .type = JR_I8, .accumulate = JR_U64);
    jr_value value;
    works(jr_reduce_host(device->context, &spec, small, 3, &value));
    assert_int_equal(value.as.u64, 135);
    spec.type = JR_F32;
    works(jr_reduce_host(device->context, &spec, floats, 3, &value));
    assert_int_equal(value.as.u64, 135);
    spec.op = JR_OP_NORMINF;
    works(jr_reduce_host(device->context, &spec, floats, 3, &value));
    assert_int_equal(value.as.u64, 128);
}

TEST(words_of_the_language_cannot_name_parameters) {
    static const char *const names[] = {"int", "true", "if", "printf", "jr_x", "_Bool", "threadIdx"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const jr_parameter parameter = {names[i], {JR_F32, {.f32 = 1}}};
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = "x", .parameters = &parameter,
                                     .parameter_count = 1);
        assert_int_equal(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, names[i]));
    }
}

TEST(an_expression_without_a_value_is_shown_as_it_was_written) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = "(void)x");
    assert_int_equal(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->log, "(void)x"));
}

DEVICE_TEST(a_capacity_whose_workspace_would_overflow_is_refused) {
    const uint64_t wraps = (1ull << 62) + 2; /* with half as many accumulators of 8 bytes: 8 bytes */
    const jr_spec specs[] = {
        {.size = sizeof(jr_spec),
         .op = JR_OP_SUM,
         .type = JR_I32,
         .algorithm = JR_ALGORITHM_STRIDED,
         .unroll = 2,
         .capacity = wraps},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32, .max_launch_ms = 1, .capacity = UINT64_MAX}};
    for (size_t i = 0; i < 2; i++) {
        jr_plan *plan = NULL;
        assert_int_equal(jr_work_plan_create(device->context, WORK(&specs[i]), &plan), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, "capacity"));
        assert_null(plan);
    }
}

RUN_TESTS(open_context, close_context)
