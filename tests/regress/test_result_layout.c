/* Where results lie, and the count of kept elements after them. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

/* Room for results along an axis could only be guessed from a type: a list of three operators wrote past it. */
enum { ROWS = 3, COLUMNS = 5 };

DEVICE_TEST(three_operators_along_an_axis_lie_where_the_layout_says) {
    static const jr_op ops[] = {JR_OP_MIN, JR_OP_MEAN, JR_OP_ARGMAX};
    static const int8_t data[ROWS][COLUMNS] = {{3, 1, 4, 1, 5}, {-9, 2, 6, 5, 3}, {5, 8, 9, 7, 9}};
    const uint64_t shape[] = {ROWS, COLUMNS};
    const jr_axis axis = JR_INIT(jr_axis, shape, 2, 1);
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_I8);
    const double means[ROWS] = {2.8, 1.4, 7.6};
    const int8_t least[ROWS] = {1, -9, 5};
    const int64_t places[ROWS] = {4, 2, 2};
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(&spec, &layout));
    assert_int_equal(layout.count, 3);
    assert_true(layout.bytes > 3 * sizeof(int8_t));
    unsigned char *results = test_bytes(ROWS * layout.bytes + 16);
    memset(results, 0xA5, ROWS * layout.bytes + 16);
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &axis), DATA(.in = FROM(data), .out = results)));
    for (size_t row = 0; row < ROWS; row++) {
        const unsigned char *at = results + row * layout.bytes;
        assert_memory_equal(at + layout.offsets[0], &least[row], sizeof least[row]);
        assert_memory_equal(at + layout.offsets[1], &means[row], sizeof means[row]);
        assert_memory_equal(at + layout.offsets[2], &places[row], sizeof places[row]);
    }
    for (size_t i = 0; i < 16; i++) assert_int_equal(results[ROWS * layout.bytes + i], 0xA5);
}

DEVICE_TEST(a_layout_asked_of_a_spec_is_that_of_its_plan) {
    static const jr_op lists[][2] = {{JR_OP_SUM, JR_OP_MIN}, {JR_OP_ANY, JR_OP_VAR}, {JR_OP_MAX, JR_OP_MAX}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .ops = lists[i], .op_count = 2, .type = JR_I16);
        jr_result_layout layout = JR_INIT(jr_result_layout);
        works(jr_result_layout_of(&spec, &layout));
        jr_plan *plan = plan_held(device, WORK(&spec));
        assert_int_equal(layout.count, jr_plan_result_count(plan));
        assert_int_equal(layout.bytes, jr_plan_result_bytes(plan));
        assert_true(layout.alignment > 0 && layout.alignment <= 16 && layout.bytes % layout.alignment == 0);
        for (int k = 0; k < layout.count; k++) {
            assert_int_equal(layout.offsets[k], jr_plan_result_offset(plan, k));
            assert_int_equal(layout.types[k], jr_plan_result_type_at(plan, k));
        }
    }
}

TEST(a_struct_is_one_result_of_its_size_and_alignment) {
    const jr_structure rgb =
        JR_INIT(jr_structure, "rgb", "struct rgb { unsigned char r, g, b; };\n__device__ rgb none();", 3, 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &rgb, .combine = "a",
                                 .identity = "none()");
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(&spec, &layout));
    assert_int_equal(layout.count, 1);
    assert_int_equal(layout.types[0], JR_STRUCT);
    assert_int_equal(layout.bytes, 3);
    assert_int_equal(layout.alignment, 1);
}

TEST(a_spec_that_is_wrong_leaves_the_layout_alone) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_F32);
    jr_result_layout layout = JR_INIT(jr_result_layout, .count = 77);
    fails(jr_result_layout_of(&spec, &layout), JR_ERROR_UNSUPPORTED_TYPE, "xor");
    fails(jr_result_layout_of(NULL, &layout), JR_ERROR_INVALID_ARGUMENT, "spec is NULL");
    fails(jr_result_layout_of(&spec, NULL), JR_ERROR_INVALID_ARGUMENT, "layout is NULL");
    assert_int_equal(layout.count, 77);
}

/* The count of kept elements, on request: it follows the results of every algorithm, list, segment and operator. */
enum { COUNT = 70001, KEPT = COUNT / 7 + 1 }; /* every seventh is kept */

static const void *numbers(void) {
    static int32_t data[COUNT];
    for (int i = 0; i < COUNT; i++) data[i] = i;
    return data;
}

static uint64_t count_at(const unsigned char *results, size_t offset) {
    uint64_t count;
    memcpy(&count, results + offset, sizeof count);
    return count;
}

DEVICE_TEST(every_algorithm_counts_what_it_was_given) {
#define ALGORITHM(id, number, text) JR_ALGORITHM_##id,
    static const jr_algorithm algorithms[] = {JR_ALGORITHMS(ALGORITHM)};
#undef ALGORITHM
    const void *const arrays[] = {numbers()};
    for (size_t a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32, .algorithm = algorithms[a],
                                     .where = "x % 7 == 0", .kept = 1);
        jr_value values[2];
        works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = values)));
        assert_int_equal(values[0].as.i32, (KEPT - 1) * 7);
        assert_int_equal(values[1].type, JR_U64);
        assert_int_equal(values[1].as.u64, KEPT);
    }
}

DEVICE_TEST(every_kind_of_operator_has_the_count_beside_its_result) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MEAN, JR_OP_VAR, JR_OP_ARGMAX, JR_OP_ANY, JR_OP_LOGSUMEXP};
    const void *const arrays[] = {numbers()};
    jr_value values[2];
    for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = JR_I32, .where = "x % 7 == 0", .kept = 1);
        jr_type types[2];
        works(jr_reduce_check(&spec, types));
        assert_int_equal(types[1], JR_U64);
        works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = values)));
        assert_int_equal(values[1].as.u64, KEPT);
    }
    const jr_value initial = {JR_I32, {.i32 = -1}};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .initial = &initial, .kept = 1);
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = values)));
    assert_true(values[0].as.i32 == -1 && values[1].as.u64 == COUNT);
    spec.where = "x < 0";
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = values)));
    assert_true(values[0].as.i32 == -1 && values[1].as.u64 == 0);
    const jr_spec custom = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "a > b ? a : b",
                                   .identity = "-1", .where = "x % 7 == 0", .kept = 1);
    works(jr_work_run_host(device->context, WORK(&custom), DATA(.in = arrays, .count = COUNT, .values = values)));
    assert_true(values[0].as.i32 == (KEPT - 1) * 7 && values[1].as.u64 == KEPT);
}

/* A struct of 3 bytes: its accumulator is aligned to 1. */
DEVICE_TEST(structs_of_any_size_are_counted) {
    enum { PIXELS = 1001 };
    const jr_structure pixel =
        JR_INIT(jr_structure, .name = "pixel",
                .source = "struct pixel { unsigned char r, g, b; }; __device__ pixel nothing() { return {0, 0, 0}; }",
                .bytes = 3, .alignment = 1);
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &pixel, .combine = "a.r > b.r ? a : b",
                .identity = "nothing()", .where = "x.g == 1", .kept = 1);
    unsigned char data[PIXELS][3];
    jr_value values[2];
    const void *const arrays[] = {data};
    for (int i = 0; i < PIXELS; i++) {
        data[i][0] = (unsigned char)(i % 200);
        data[i][1] = (unsigned char)(i % 2);
        data[i][2] = 3;
    }
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = PIXELS, .values = values)));
    assert_true(values[0].as.bytes[0] == 199 && values[0].as.bytes[2] == 3);
    assert_int_equal(values[1].as.u64, PIXELS / 2);
}

DEVICE_TEST(a_list_of_segments_has_a_count_for_each) {
    enum { SEGMENTS = 50, LENGTH = 40 };
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MIN};
    const jr_spec spec =
        JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_I32, .where = "x >= 100 && i % 4 == 1", .kept = 1);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = LENGTH);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = SEGMENTS);
    jr_result_layout results = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(&spec, &results));
    assert_true(results.count == 3 && results.bytes == 48 && results.offsets[2] == 32 && results.alignment == 16);
    unsigned char got[SEGMENTS * 48], *d_out = device_new(device, sizeof got);
    int32_t *d_in = device_new(device, SEGMENTS * LENGTH * sizeof *d_in);
    device_write(device, d_in, numbers(), SEGMENTS * LENGTH * sizeof *d_in);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
    assert_int_equal(jr_plan_result_bytes(plan), 48);
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out), NULL, NULL));
    device_read(device, got, d_out, sizeof got);
    for (int s = 0; s < SEGMENTS; s++) {
        uint64_t kept = 0;
        for (int k = 1; k < LENGTH; k += 4) kept += s * LENGTH + k >= 100;
        assert_int_equal(count_at(got + (size_t)s * 48, results.offsets[2]), kept);
    }
}

TEST(what_cannot_be_counted_is_refused) {
    static const jr_op ops[JR_OPS_MAX] = {JR_OP_SUM, JR_OP_SUM, JR_OP_SUM, JR_OP_SUM,
                                          JR_OP_SUM, JR_OP_SUM, JR_OP_SUM, JR_OP_SUM};
    const jr_spec eight = JR_INIT(jr_spec, .ops = ops, .op_count = JR_OPS_MAX, .type = JR_F32, .kept = 1);
    const jr_spec twice = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .kept = 2);
    const jr_spec scan = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .kept = 1);
    const opened *device = *state;
    jr_plan *plan;
    fails(jr_reduce_check(&eight, NULL), JR_ERROR_INVALID_ARGUMENT, "1 to 7");
    fails(jr_reduce_check(&twice, NULL), JR_ERROR_INVALID_ARGUMENT, "kept is 2");
    fails(jr_work_plan_create(device->context, WORK(&scan, .kind = JR_WORK_SCAN_INCLUSIVE), &plan),
          JR_ERROR_INVALID_ARGUMENT, "kept");
}

RUN_TESTS(open_context, close_context)
