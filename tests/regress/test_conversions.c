/* Values of one type that become those of another: elements, results of map and finish. */
#include <math.h>
#include <string.h>

#include "support/every/every_row.h"
#include "support/fixtures/kernel_case.h"
#include "support/oracle/element.h"

/* max of unsigned or bool elements with a signed result of 8 or 16 bits was always the lowest value, as the identity
 * was the result's; and a narrowing result wrapped on one side and clamped on the other. */
static int64_t reduce_alike(const opened *device, jr_op op, jr_type type, jr_type result, const int64_t *numbers,
                            int count) {
    unsigned char data[8 * 8];
    for (int i = 0; i < count; i++)
        element_store_integer(type, data + (size_t)i * element_bytes(type), (uint64_t)numbers[i]);
    const jr_spec spec = {.size = sizeof(jr_spec), .op = op, .type = type, .result = result, .unroll = 1};
    const int turn = (int)op + (int)type + (int)result; /* a sample: as a scan or as a segment */
    jr_value value, scanned[8];
    memset(scanned, 0, sizeof scanned);
    works(jr_reduce_host(device->context, &spec, data, (uint64_t)count, &value));
    const int64_t got = (int64_t)element_integer(result, &value.as, 0);
    if (tests_take(turn, 2)) {
        works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                               DATA(.in = FROM(data), .count = (uint64_t)count, .out = scanned)));
        assert_int_equal(element_integer(result, scanned, (uint64_t)count - 1), got);
    }
    if (!tests_take(turn + 1, 2)) return got;
    const uint64_t segment_count = 1;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = (uint64_t)count);
    const jr_work_data segments = {.size = sizeof(jr_work_data), .segments = segment_count};
    const void *arrays[] = {data};
    uint64_t one = 0;
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, arrays, &one)));
    assert_int_equal(element_integer(result, &one, 0), got);
    return got;
}

TEST(an_extremum_of_unsigned_elements_has_a_signed_result) {
    static const int64_t numbers[] = {5, 9}, flags[] = {0, 1};
    static const struct {
        jr_op op;
        jr_type type;
        const int64_t *numbers;
        int64_t wanted;
    } rows[] = {{JR_OP_MAX, JR_U8, numbers, 9},
                {JR_OP_MIN, JR_U8, numbers, 5},
                {JR_OP_MAX, JR_U64, numbers, 9},
                {JR_OP_MAX, JR_BOOL, flags, 1},
                {JR_OP_MIN, JR_BOOL, flags, 0}};
    for (int wide = 0; wide < 2; wide++)
        for (int r = 0; r < (int)(sizeof rows / sizeof *rows); r++) {
            if (!tests_take(r + wide, 2)) continue; /* a sample: each with one of the results */
            assert_int_equal(reduce_alike(*state, rows[r].op, rows[r].type, wide ? JR_I16 : JR_I8, rows[r].numbers, 2),
                             rows[r].wanted);
        }
}

TEST(integers_wrap_on_both_sides) {
    static const int64_t numbers[] = {300, 400}, low[] = {-300, -400};
    assert_int_equal(reduce_alike(*state, JR_OP_MIN, JR_I64, JR_I8, numbers, 2), (int8_t)300);
    assert_int_equal(reduce_alike(*state, JR_OP_MAX, JR_I64, JR_I8, numbers, 2), (int8_t)(400 - 512));
    assert_int_equal(reduce_alike(*state, JR_OP_MIN, JR_I32, JR_U8, low, 2), (uint8_t)(-400 + 512));
    assert_int_equal(reduce_alike(*state, JR_OP_MAX, JR_I32, JR_U16, low, 2), 65536 - 300);
    assert_int_equal(reduce_alike(*state, JR_OP_SUM, JR_I32, JR_I8, numbers, 2), (int8_t)(700 - 768));
}

/* Device plans: the identity of the element's type, converted as any result. */
DEVICE_TEST(the_extrema_of_nothing_are_the_ends_of_the_elements_range) {
    static const struct {
        jr_op op;
        jr_type type, result;
        int64_t wanted;
    } rows[] = {{JR_OP_MIN, JR_I8, JR_I8, INT8_MAX},  {JR_OP_MAX, JR_I8, JR_I8, INT8_MIN},
                {JR_OP_MAX, JR_I8, JR_I64, INT8_MIN}, {JR_OP_MIN, JR_U8, JR_I8, -1},
                {JR_OP_MAX, JR_U16, JR_I16, 0},       {JR_OP_MIN, JR_BOOL, JR_I32, 1},
                {JR_OP_MIN, JR_I64, JR_I8, -1},       {JR_OP_MIN, JR_U32, JR_I64, UINT32_MAX},
                {JR_OP_AND, JR_BOOL, JR_I32, 1},      {JR_OP_AND, JR_U8, JR_I32, UINT8_MAX},
                {JR_OP_AND, JR_I16, JR_I64, -1}};
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    uint64_t *d_offsets = device_new(device, 2 * sizeof *d_offsets), *d_out = device_new(device, sizeof *d_out);
    void *d_in = device_new(device, 16);
    const uint64_t offsets[2] = {0, 0};
    device_write(device, d_offsets, offsets, sizeof offsets);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec =
            JR_INIT(jr_spec, .op = rows[i].op, .type = rows[i].type, .result = rows[i].result, .unroll = 1);
        if (!tests_take((int)i, 2)) continue;
        const jr_work_data segments = JR_INIT(jr_work_data, .segments = 1, .offsets = d_offsets);
        uint64_t got = 0;
        jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
        works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out), NULL, NULL));
        device_read(device, &got, d_out, element_bytes(rows[i].result));
        assert_int_equal(element_integer(rows[i].result, &got, 0), rows[i].wanted);
    }
}

static jr_value of_float(const opened *device, jr_type type, jr_type result, double number) {
    unsigned char data[8];
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = type, .result = result, .unroll = 1};
    jr_value value;
    element_store_float(type, data, number);
    works(jr_reduce_host(device->context, &spec, data, 1, &value));
    return value;
}

TEST(floats_become_integers_within_the_range_and_NaN_is_0) {
    static const struct {
        jr_type result;
        double number;
        int64_t wanted;
    } rows[] = {{JR_I8, 300, 127},  {JR_I8, -300, -128},        {JR_I8, 127.5, 127},        {JR_U8, -1, 0},
                {JR_U8, 1e30, 255}, {JR_I16, -1e30, INT16_MIN}, {JR_U16, 65535.5, 65535},   {JR_I32, 1e30, INT32_MAX},
                {JR_U32, -5, 0},    {JR_I64, 1e30, INT64_MAX},  {JR_I64, -1e30, INT64_MIN}, {JR_U64, 1e30, -1},
                {JR_I8, -0.75, 0},  {JR_BOOL, 0.5, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int wide = 0; wide < 2; wide++) {
            if (!tests_take((int)rows[i].result + wide, 2)) continue; /* a sample: each result of one of the types */
            const jr_value value = of_float(*state, wide ? JR_F64 : JR_F32, rows[i].result, rows[i].number);
            assert_int_equal(element_integer(rows[i].result, &value.as, 0), rows[i].wanted);
            const jr_value nan = of_float(*state, wide ? JR_F64 : JR_F32, rows[i].result, (double)NAN);
            assert_int_equal(element_integer(rows[i].result, &nan.as, 0), rows[i].result == JR_BOOL);
        }
}

/* A double between two halves, and very near their middle: through f32 it would be the middle. */
TEST(a_double_is_rounded_once_to_a_narrow_float) {
    static const struct {
        jr_type result;
        double number;
        uint16_t wanted;
    } rows[] = {{JR_F16, 2049 + 0x1p-40, 0x6801}, {JR_F16, 2051 - 0x1p-40, 0x6801}, {JR_BF16, 257 + 0x1p-40, 0x4381},
                {JR_BF16, 259 - 0x1p-40, 0x4381}, {JR_F16, 0x1p-25 + 0x1p-70, 1},   {JR_F16, 1e300, 0x7c00},
                {JR_BF16, -1e300, 0xff80}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(of_float(*state, JR_F64, rows[i].result, rows[i].number).as.f16, rows[i].wanted);
}

/* map_type was not applied for i8 u8 i16 u16 f16 bf16 bool: the operator was given the wider value of a register. */
/* At a small unroll factor, whose kernels compile in half the time. */
static jr_value reduce(const opened *device, const jr_spec *spec, const void *data, uint64_t count) {
    jr_value value;
    jr_spec small = *spec;
    small.unroll = 1;
    works(jr_reduce_host(device->context, &small, data, count, &value));
    return value;
}

TEST(what_map_gives_is_converted_before_the_operator_sees_it) {
    const float half[] = {0.5f}, two[] = {300, 1e30f}, large[] = {2049, 1};
    const uint8_t flags[] = {1, 1, 0};
    jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_ANY, .type = JR_F32, .map = "x", .map_type = JR_BOOL};
    assert_int_equal(reduce(*state, &spec, half, 1).as.boolean, 1);
    spec = (jr_spec){.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_BOOL, .map = "x * 5"};
    assert_int_equal(reduce(*state, &spec, flags, 3).as.u64, 2);
    spec = (jr_spec){.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x", .map_type = JR_I8};
    assert_int_equal(reduce(*state, &spec, two, 2).as.i64, 254);
    spec.map = "(int)x + 200";
    assert_int_equal(reduce(*state, &spec, half, 1).as.i64, -56);
    spec = (jr_spec){.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x", .map_type = JR_F16};
    assert_true((double)reduce(*state, &spec, large, 1).as.f32 == 2048);
    spec.map_type = JR_BF16;
    assert_true((double)reduce(*state, &spec, large, 1).as.f32 == 2048);
}

/* The same for every type: a sum of one element, in what the type accumulates. */
TEST(every_type_of_map_is_the_type_that_was_promised) {
    static const double numbers[] = {0, 0.5, -0.75, 1, -1, 3.25, 100, 200, 300, -300, 40000, -40000, 70000, 2049, 1e9};
    for (size_t t = 0; t < EVERY_TYPES; t++)
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .map = "x",
                                         .map_type = every_type[t], .result = JR_F64);
            jr_value element;
            works(jr_value_of_number(every_type[t], numbers[i], &element));
            const long double wanted = element_number(every_type[t], &element.as, 0);
            const double got = reduce(*state, &spec, &numbers[i], 1).as.f64;
            if ((long double)got != wanted && !(isnan(got) && isnan(wanted)))
                fail_msg("%g as %s: %g, not %Lg", numbers[i], jr_type_name(every_type[t]), got, wanted);
        }
}

/* Their sum needs 4 bits of fraction: floats of 8 bits round it. */
TEST(an_exact_sum_is_rounded_to_every_type_of_floats) {
    static const float numbers[] = {3.5f, 1.75f};
    for (size_t t = 0; t < EVERY_TYPES; t++) {
        if (!element_is_float(every_type[t])) continue;
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT, .result = every_type[t],
                    .algorithm = tests_take((int)t, 4) ? JR_ALGORITHM_AUTO : JR_ALGORITHM_ONE_BLOCK);
        const jr_value value = reduce(*state, &spec, numbers, 2);
        jr_value wanted = {.type = every_type[t]};
        element_store_float(every_type[t], &wanted.as, 5.25);
        assert_int_equal(value.type, every_type[t]);
        assert_memory_equal(&value.as, &wanted.as, element_bytes(every_type[t]));
    }
}

/* An initial value is folded in before `finish` makes something else of the result, and has the type that the result
 * has before. */
enum { COUNT = 1000 };

static float data[COUNT];

static jr_value reduced(const opened *device, const jr_spec *spec, uint64_t count) {
    jr_value value;
    for (int i = 0; i < COUNT; i++) data[i] = (float)(i % 10);
    works(jr_reduce_host(device->context, spec, data, count, &value));
    return value;
}

TEST(the_initial_value_is_folded_in_before_finish_by_every_algorithm) {
    const jr_value initial = {JR_F32, {.f32 = 100}};
    for (size_t i = 0; i < EVERY_ALGORITHMS; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = every_algorithm[i],
                                     .initial = &initial, .finish = "2 * a + n");
        const jr_value value = reduced(*state, &spec, COUNT);
        assert_int_equal(value.type, JR_F32);
        assert_true(value.as.f32 == 2 * (4500 + 100) + COUNT);
    }
}

TEST(its_type_is_the_results_before_finish_and_result) {
    const jr_value whole = {JR_F32, {.f32 = -3}}, converted = {JR_I32, {.i32 = -3}};
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .initial = &whole, .finish = "a * 2", .result = JR_I32);
    const jr_value value = reduced(*state, &spec, COUNT);
    assert_int_equal(value.type, JR_I32);
    assert_int_equal(value.as.i32, -6);
    spec.initial = &converted;
    fails(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_ARGUMENT,
          "the initial value is of type i32: it must be of the result type before finish, f32");
}

TEST(nothing_has_the_initial_values_finish) {
    const jr_value initial = {JR_F32, {.f32 = 9}};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .initial = &initial, .finish = "sqrtf(a) + n");
    assert_true(reduced(*state, &spec, 0).as.f32 == 3);
}

DEVICE_TEST(a_custom_operator_and_a_scan_take_both) {
    const jr_value initial = {JR_F32, {.f32 = 4}};
    const jr_spec custom = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a + b", .identity = "0",
                                   .commutative = 1, .initial = &initial, .finish = "a / 2");
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .initial = &initial, .finish = "a / 2");
    float out[4];
    assert_true(reduced(device, &custom, COUNT).as.f32 == 2252);
    works(jr_work_run_host(device->context, WORK(&sum, .kind = JR_WORK_SCAN_EXCLUSIVE),
                           DATA(.in = FROM(data), .count = 4, .out = out)));
    assert_true(out[0] == 2 && out[1] == 2 && out[2] == 2.5f && out[3] == 3.5f);
}

RUN_TESTS(open_context, close_context)
