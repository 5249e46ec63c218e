/* Several axes at once: what they are merged to, every operator and type along them, in order where that counts,
 * indexes along all of them together; what cannot be. */
#include "support/cases/segment_case.h"
#include "support/every/every_row.h"
#include "support/oracle/reference.h"

#include <stdlib.h>
#include <string.h>

enum { SHAPES = 12 };

/* An array and the axes that are reduced. */
typedef struct axes_case {
    uint64_t shape[JR_DIMENSIONS_MAX];
    int dimensions;
    unsigned reduced;
} axes_case;

/* First and last, first and third, one in the middle left, ones in between, four and four; long and short ones. */
static const axes_case cases[SHAPES] = {{{7, 5, 33}, 3, 5},
                                        {{40, 3, 2}, 3, 5},
                                        {{3, 4, 5, 6}, 4, 5},
                                        {{3, 4, 5, 6}, 4, 10},
                                        {{9, 70, 20, 3}, 4, 5},
                                        {{5, 1, 17, 1, 12}, 5, 21},
                                        {{2, 3, 2, 4, 3, 2, 5, 2}, 8, 0x55},
                                        {{2, 3, 2, 4, 3, 2, 5, 2}, 8, 0xaa},
                                        {{3000, 2, 3}, 3, 5},
                                        {{2, 2, 4001}, 3, 5},
                                        {{6, 8, 1100, 3}, 4, 5},
                                        {{16, 3, 50, 40}, 4, 13}};

static segment_case segments_of(const axes_case *axes) {
    return segments_axes(axes->shape, axes->dimensions, axes->reduced);
}

static jr_status find(const uint64_t *shape, int dimensions, const int *axes, size_t axis_count,
                      jr_segment_layout *layout, uint64_t *count) {
    return jr_segment_layout_of(
        &JR_INIT(jr_axis, .shape = shape, .dimensions = dimensions, .axes = axes, .axis_count = axis_count), layout,
        count);
}

TEST(wrong_lists_of_axes_are_named) {
    const uint64_t shape[] = {2, 3, 4};
    const int twice[] = {0, -3}, far[] = {1, 3}, first[] = {0};
    jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    uint64_t count = 77;
    fails(find(shape, 3, twice, 2, &layout, &count), JR_ERROR_INVALID_ARGUMENT, "axis -3 is given twice");
    fails(find(shape, 3, far, 2, &layout, &count), JR_ERROR_INVALID_ARGUMENT, "axis 3 is out of range");
    fails(find(shape, 3, first, 0, &layout, &count), JR_ERROR_INVALID_ARGUMENT, "axes is set, but axis_count is 0");
    fails(find(shape, 3, NULL, 1, &layout, &count), JR_ERROR_INVALID_ARGUMENT, "axes is NULL, but axis_count is 1");
    assert_int_equal(layout.kind, JR_SEGMENTS_OFFSETS);
    assert_int_equal(count, 77);
}

DEVICE_TEST(scans_go_along_one_axis) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64);
    const uint64_t shape[] = {2, 3, 2};
    const int axes[] = {0, 2};
    const jr_segment_layout layout = segments_of(&cases[0]).layout;
    int64_t data[12] = {0}, out[12];
    jr_plan *plan = NULL;
    fails(jr_work_run_host(device->context,
                           WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE,
                                .axis = &JR_INIT(jr_axis, shape, 3, .axes = axes, .axis_count = 2)),
                           DATA(.in = FROM(data), .out = out)),
          JR_ERROR_INVALID_ARGUMENT, "2 axes: a scan takes one axis");
    fails(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout), &plan),
          JR_ERROR_INVALID_ARGUMENT, "are for reductions");
}

TEST(neighbours_are_merged_and_ones_left_out) {
    const uint64_t shape[] = {2, 3, 4, 5}, ones[] = {6, 1, 7, 1}, empty[] = {2, 0, 4};
    const int last_two[] = {-1, 2}, middle[] = {2, 1}, all[] = {0, 1, 2, 3}, ends[] = {3, 0}, apart[] = {0, 2};
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    uint64_t count;
    works(find(shape, 4, last_two, 2, &layout, &count));
    assert_true(layout.kind == JR_SEGMENTS_EQUAL && layout.length == 20 && count == 6);
    works(find(shape, 4, middle, 2, &layout, &count));
    assert_true(layout.kind == JR_SEGMENTS_STRIDED && layout.length == 12 && layout.inner == 5 && count == 10);
    works(find(shape, 4, all, 4, &layout, &count));
    assert_true(layout.kind == JR_SEGMENTS_EQUAL && layout.length == 120 && count == 1);
    works(find(ones, 4, apart, 2, &layout, &count));
    assert_true(layout.kind == JR_SEGMENTS_EQUAL && layout.length == 42 && count == 1);
    works(find(ones, 4, (const int[]){1, 3}, 2, &layout, &count));
    assert_true(layout.kind == JR_SEGMENTS_EQUAL && layout.length == 1 && count == 42);
    works(find(empty, 3, apart, 2, &layout, &count));
    assert_true(layout.length == 8 && count == 0);
    works(find(empty, 3, (const int[]){0, 1}, 2, &layout, &count));
    assert_true(layout.length == 0 && count == 4);
    works(find(shape, 4, ends, 2, &layout, &count));
    assert_true(layout.kind == JR_SEGMENTS_AXES && layout.length == 10 && count == 12 && layout.dimensions == 3);
    assert_true(layout.reduced == 5 && layout.shape[0] == 2 && layout.shape[1] == 12 && layout.shape[2] == 5);
}

DEVICE_TEST(wrong_layouts_of_axes_are_named) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_segment_layout layout = segments_of(&cases[0]).layout;
    jr_plan *plan = NULL;
    layout.reduced = 8;
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &layout), &plan), JR_ERROR_INVALID_ARGUMENT,
          "reduced is 0x8");
    layout.reduced = 0;
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &layout), &plan), JR_ERROR_INVALID_ARGUMENT,
          "reduced is 0x0");
    layout.reduced = 5;
    layout.length = 230;
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &layout), &plan), JR_ERROR_INVALID_ARGUMENT,
          "layout.length is 230: the dimensions that are reduced have 231");
    layout.dimensions = 9;
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &layout), &plan), JR_ERROR_INVALID_ARGUMENT,
          "9 dimensions");
    layout.dimensions = 3;
    layout.length = 231;
    works(jr_work_plan_create(device->context, WORK(&spec, .layout = &layout), &plan));
    fails(jr_work_plan_run(plan, DATA(.in = FROM(NULL), .segments = 6, .out = NULL), NULL, NULL),
          JR_ERROR_INVALID_ARGUMENT, "6 segments: the axes that are left have 5");
    jr_plan_destroy(plan);
}

TEST(every_operator_agrees_with_the_reference) {
    uint64_t seed = 1;
    for (int o = 0; o < EVERY_OPS; o++) {
        const jr_op op = every_op[o];
        if (op == JR_OP_DOT || op == JR_OP_CUSTOM) continue;            /* two arrays; no operator by itself */
        if (!reference_can_be_exact(op) || op == JR_OP_NORM2) continue; /* rounded: below */
        if (!tests_take(o, 3)) continue;
        for (int c = o % 4; c < SHAPES; c += tests_are_whole() ? 4 : 8) {
            segment_case segments = segments_of(&cases[c]);
            segments.input_shift = (uint64_t)c % 4;
            segments_judge(*state, &JR_INIT(jr_spec, .op = op, .type = JR_I32, .unroll = 2), &segments, &seed);
        }
    }
    for (int c = 0; c < SHAPES; c += tests_are_whole() ? 4 : 8) {
        const segment_case segments = segments_of(&cases[c]);
        segments_judge_accumulators(*state, JR_F32, &segments, &seed);
    }
}

TEST(elements_of_every_type_agree_with_the_reference) {
    static const jr_type types[] = {JR_I8,  JR_U8,  JR_BOOL, JR_U16, JR_F16, JR_BF16,
                                    JR_F32, JR_F64, JR_U64,  JR_I64, JR_E4M3};
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MIN, JR_OP_ARGMAX, JR_OP_MEAN};
    uint64_t seed = 2;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int c = (int)t % 2; c < SHAPES; c += 2) {
            if (!tests_take(c / 2 + (int)t, 6)) continue;
            segment_case segments = segments_of(&cases[c]);
            segments.input_shift = 3 * (uint64_t)c % 16;
            segments_judge(*state, &JR_INIT(jr_spec, .op = ops[c / 2 % 4], .type = types[t], .unroll = 2), &segments,
                           &seed);
        }
}

TEST(an_operator_that_does_not_commute_is_given_the_axes_in_order) {
    uint64_t seed = 3;
    for (int c = 0; c < SHAPES; c++) {
        const segment_case segments = segments_of(&cases[c]);
        segments_judge_order(*state, &segments, &seed);
    }
}

TEST(any_block_and_grid_give_the_same) {
    static const int blocks[] = {32, 96, 512}, grids[] = {1, 3, 40};
    uint64_t seed = 4;
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < SHAPES; c++) {
            if (!tests_take(i + c, 6)) continue;
            const jr_spec spec = JR_INIT(jr_spec, .op = c % 2 == 0 ? JR_OP_XOR : JR_OP_ARGMIN, .type = JR_U32,
                                         .block = blocks[i], .grid = grids[i]);
            const segment_case segments = segments_of(&cases[c]);
            segments_judge(*state, &spec, &segments, &seed);
        }
}

/* The sum of where * (index + 1), and what it is by a plain loop. */
DEVICE_TEST(expressions_see_the_index_along_all_axes) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * (i + 1)", .map_type = JR_I64,
                                 .where = "i % 3 != 1", .kept = 1);
    for (int c = 0; c < SHAPES; c++) {
        const segment_case segments = segments_of(&cases[c]);
        int32_t *data = test_zeros(segments.elements, sizeof *data);
        for (uint64_t e = 0; e < segments.elements; e++) data[e] = (int32_t)(e % 1009);
        unsigned char *got = segments_run(device, &spec, &segments, data);
        for (uint64_t s = 0; s < segments.count; s++) {
            int64_t wanted = 0, sum;
            uint64_t wanted_kept = 0, kept;
            for (uint64_t k = 0; k < segments.layout.length; k++) {
                if (k % 3 == 1) continue;
                wanted += data[segments_element(&segments, s, k)] * (int64_t)(k + 1);
                wanted_kept++;
            }
            memcpy(&sum, got + 32 * s, sizeof sum);
            memcpy(&kept, got + 32 * s + 16, sizeof kept);
            assert_int_equal(sum, wanted);
            assert_int_equal(kept, wanted_kept);
        }
    }
}

/* A list's mean divides by the whole count, counts of what is kept go through both steps, and a parameter reaches both.
 */
DEVICE_TEST(lists_parameters_and_counts_go_through_both_steps) {
    static const jr_op ops[] = {JR_OP_MEAN, JR_OP_MAX, JR_OP_COUNT_NONZERO};
    const jr_parameter limit = {"limit", {JR_I32, {.i32 = 5}}};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_I32, .where = "x < limit", .kept = 1,
                                 .parameters = &limit, .parameter_count = 1);
    const segment_case segments = segments_of(&cases[4]);
    int32_t *data = test_zeros(segments.elements, sizeof *data);
    unsigned char *got = test_zeros(segments.count, 64);
    for (uint64_t e = 0; e < segments.elements; e++) data[e] = (int32_t)(e % 11);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &segments.layout));
    works(jr_plan_parameter_set(plan, "limit", &(jr_value){JR_I32, {.i32 = 9}}));
    int32_t *d_in = device_new(device, segments.elements * sizeof *d_in);
    unsigned char *d_out = device_new(device, segments.count * 64);
    device_write(device, d_in, data, segments.elements * sizeof *data);
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .segments = segments.count, .out = d_out), NULL, NULL));
    device_read(device, got, d_out, segments.count * 64);
    for (uint64_t s = 0; s < segments.count; s++) {
        uint64_t kept = 0, nonzero = 0, counts[2];
        int64_t sum = 0;
        int32_t most = 0, max;
        double mean;
        for (uint64_t k = 0; k < segments.layout.length; k++) {
            const int32_t x = data[segments_element(&segments, s, k)];
            if (x >= 9) continue;
            kept++;
            nonzero += x != 0;
            sum += x;
            most = x > most ? x : most;
        }
        memcpy(&mean, got + 64 * s, sizeof mean);
        memcpy(&max, got + 64 * s + 16, sizeof max);
        memcpy(&counts[0], got + 64 * s + 32, sizeof counts[0]);
        memcpy(&counts[1], got + 64 * s + 48, sizeof counts[1]);
        assert_true(mean == (double)sum / (double)kept);
        assert_true(max == most && counts[0] == nonzero && counts[1] == kept);
    }
}

/* An initial value is folded in once, not once a step; of two inputs both are read where they lie. */
DEVICE_TEST(an_initial_value_comes_once_and_inputs_lie_side_by_side) {
    const jr_value initial = {JR_I64, {.i64 = 1000}};
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .initial = &initial),
                  dot = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * y", .input_count = 2);
    static const uint64_t shape[] = {9, 4, 20, 3};
    static const int axes[] = {-2, 0};
    const jr_axis axis = JR_INIT(jr_axis, shape, 4, .axes = axes, .axis_count = 2);
    const segment_case segments = segments_axes(shape, 4, 5);
    int32_t x[9 * 4 * 20 * 3], y[9 * 4 * 20 * 3];
    int64_t sums[12], dots[12];
    for (int e = 0; e < 9 * 4 * 20 * 3; e++) x[e] = e % 17, y[e] = e % 5 - 2;
    works(jr_work_run_host(device->context, WORK(&sum, .axis = &axis), DATA(.in = FROM(x), .out = sums)));
    works(jr_work_run_host(device->context, WORK(&dot, .axis = &axis), DATA(.in = FROM(x, y), .out = dots)));
    for (uint64_t s = 0; s < 12; s++) {
        int64_t wanted = 1000, product = 0;
        for (uint64_t k = 0; k < 180; k++) {
            const uint64_t e = segments_element(&segments, s, k);
            wanted += x[e];
            product += x[e] * y[e];
        }
        assert_int_equal(sums[s], wanted);
        assert_int_equal(dots[s], product);
    }
}

RUN_TESTS(open_context, close_context)
