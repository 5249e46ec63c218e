/* The count of kept elements, on request: it follows the results of every algorithm, list, segment and operator. */
#include "support/fixtures/open_context.h"

#include <stdlib.h>
#include <string.h>

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

TEST(every_algorithm_counts_what_it_was_given) {
    const opened *device = *state;
#define ALGORITHM(id, number, text) JR_ALGORITHM_##id,
    static const jr_algorithm algorithms[] = {JR_ALGORITHMS(ALGORITHM)};
#undef ALGORITHM
    const void *const arrays[] = {numbers()};
    for (size_t a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32, .algorithm = algorithms[a],
                                     .where = "x % 7 == 0", .kept = 1);
        jr_value values[2];
        works(jr_reduce_host_arrays(device->context, &spec, arrays, COUNT, values));
        assert_int_equal(values[0].as.i32, (KEPT - 1) * 7);
        assert_int_equal(values[1].type, JR_U64);
        assert_int_equal(values[1].as.u64, KEPT);
    }
}

TEST(every_kind_of_operator_has_the_count_beside_its_result) {
    const opened *device = *state;
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MEAN, JR_OP_VAR, JR_OP_ARGMAX, JR_OP_ANY, JR_OP_LOGSUMEXP};
    const void *const arrays[] = {numbers()};
    jr_value values[2];
    for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = JR_I32, .where = "x % 7 == 0", .kept = 1);
        jr_type types[2];
        works(jr_reduce_check(&spec, types));
        assert_int_equal(types[1], JR_U64);
        works(jr_reduce_host_arrays(device->context, &spec, arrays, COUNT, values));
        assert_int_equal(values[1].as.u64, KEPT);
    }
    const jr_value initial = {JR_I32, {.i32 = -1}};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .initial = &initial, .kept = 1);
    works(jr_reduce_host_arrays(device->context, &spec, arrays, COUNT, values));
    assert_true(values[0].as.i32 == -1 && values[1].as.u64 == COUNT);
    spec.where = "x < 0";
    works(jr_reduce_host_arrays(device->context, &spec, arrays, COUNT, values));
    assert_true(values[0].as.i32 == -1 && values[1].as.u64 == 0);
    const jr_spec custom = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "a > b ? a : b",
                                   .identity = "-1", .where = "x % 7 == 0", .kept = 1);
    works(jr_reduce_host_arrays(device->context, &custom, arrays, COUNT, values));
    assert_true(values[0].as.i32 == (KEPT - 1) * 7 && values[1].as.u64 == KEPT);
}

/* A struct of 3 bytes: its accumulator is aligned to 1. */
TEST(structs_of_any_size_are_counted) {
    const opened *device = *state;
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
    works(jr_reduce_host_arrays(device->context, &spec, arrays, PIXELS, values));
    assert_true(values[0].as.bytes[0] == 199 && values[0].as.bytes[2] == 3);
    assert_int_equal(values[1].as.u64, PIXELS / 2);
}

TEST(a_list_of_segments_has_a_count_for_each) {
    const opened *device = *state;
    enum { SEGMENTS = 50, LENGTH = 40 };
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MIN};
    const jr_spec spec =
        JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_I32, .where = "x >= 100 && i % 4 == 1", .kept = 1);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = LENGTH);
    const jr_segments segments = JR_INIT(jr_segments, .count = SEGMENTS);
    jr_result_layout results = JR_INIT(jr_result_layout);
    jr_plan *plan;
    works(jr_result_layout_of(&spec, &results));
    assert_true(results.count == 3 && results.bytes == 48 && results.offsets[2] == 32 && results.alignment == 16);
    unsigned char got[SEGMENTS * 48], *d_out = device_new(device, sizeof got);
    int32_t *d_in = device_new(device, SEGMENTS * LENGTH * sizeof *d_in);
    device_write(device, d_in, numbers(), SEGMENTS * LENGTH * sizeof *d_in);
    works(jr_segment_plan_create(device->context, &spec, &layout, &plan));
    assert_int_equal(jr_plan_result_bytes(plan), 48);
    works(jr_segment_plan_run(plan, d_in, &segments, d_out, NULL, NULL));
    device_read(device, got, d_out, sizeof got);
    for (int s = 0; s < SEGMENTS; s++) {
        uint64_t kept = 0;
        for (int k = 1; k < LENGTH; k += 4) kept += s * LENGTH + k >= 100;
        assert_int_equal(count_at(got + (size_t)s * 48, results.offsets[2]), kept);
    }
    jr_plan_destroy(plan);
    device_free(device, d_in);
    device_free(device, d_out);
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
    fails(jr_scan_plan_create(device->context, &scan, JR_SCAN_INCLUSIVE, &plan), JR_ERROR_INVALID_ARGUMENT, "kept");
}

RUN_TESTS(open_context, close_context)
