/* Room for results along an axis could only be guessed from a type: a list of three operators wrote past it. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { ROWS = 3, COLUMNS = 5 };

static const jr_op ops[] = {JR_OP_MIN, JR_OP_MEAN, JR_OP_ARGMAX};
static const int8_t data[ROWS][COLUMNS] = {{3, 1, 4, 1, 5}, {-9, 2, 6, 5, 3}, {5, 8, 9, 7, 9}};

TEST(three_operators_along_an_axis_lie_where_the_layout_says) {
    const opened *device = *state;
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
    unsigned char *results = malloc(ROWS * layout.bytes + 16);
    assert_non_null(results);
    memset(results, 0xA5, ROWS * layout.bytes + 16);
    works(jr_reduce_host_axis(device->context, &spec, (const void *const[]){data}, &axis, results));
    for (size_t row = 0; row < ROWS; row++) {
        const unsigned char *at = results + row * layout.bytes;
        assert_memory_equal(at + layout.offsets[0], &least[row], sizeof least[row]);
        assert_memory_equal(at + layout.offsets[1], &means[row], sizeof means[row]);
        assert_memory_equal(at + layout.offsets[2], &places[row], sizeof places[row]);
    }
    for (size_t i = 0; i < 16; i++) assert_int_equal(results[ROWS * layout.bytes + i], 0xA5);
    free(results);
}

TEST(a_layout_asked_of_a_spec_is_that_of_its_plan) {
    const opened *device = *state;
    static const jr_op lists[][2] = {{JR_OP_SUM, JR_OP_MIN}, {JR_OP_ANY, JR_OP_VAR}, {JR_OP_MAX, JR_OP_MAX}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .ops = lists[i], .op_count = 2, .type = JR_I16);
        jr_result_layout layout = JR_INIT(jr_result_layout);
        jr_plan *plan;
        works(jr_result_layout_of(&spec, &layout));
        works(jr_plan_create(device->context, &spec, &plan));
        assert_int_equal(layout.count, jr_plan_result_count(plan));
        assert_int_equal(layout.bytes, jr_plan_result_bytes(plan));
        assert_true(layout.alignment > 0 && layout.alignment <= 16 && layout.bytes % layout.alignment == 0);
        for (int k = 0; k < layout.count; k++) {
            assert_int_equal(layout.offsets[k], jr_plan_result_offset(plan, k));
            assert_int_equal(layout.types[k], jr_plan_result_type_at(plan, k));
        }
        jr_plan_destroy(plan);
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

RUN_TESTS(open_context, close_context)
