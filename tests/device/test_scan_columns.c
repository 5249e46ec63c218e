/* Scans of columns in device memory: by packs and one by one, in parts, in place, misaligned; order, places, marks. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/scan_case.h"
#include "support/fixtures/plan_case.h"

/* An array of outer * length * inner elements. */
typedef struct array_shape {
    uint64_t outer, length, inner;
} array_shape;

static uint64_t count_of(const array_shape *shape) {
    return shape->outer * shape->length * shape->inner;
}

static jr_plan *columns_plan(const opened *device, const jr_spec *spec, jr_work_kind kind, const array_shape *shape) {
    const bool rows = shape->inner == 1;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = rows ? JR_SEGMENTS_EQUAL : JR_SEGMENTS_STRIDED,
                                             .length = shape->length, .inner = rows ? 0 : shape->inner);
    jr_spec sized = *spec;
    jr_plan *plan = NULL;
    if (shape->length <= 4) sized.capacity = count_of(shape); /* a thread has a row or a column, where they are few */
    works(jr_work_plan_create(device->context, WORK(&sized, .kind = kind, .layout = &layout), &plan));
    return plan;
}

static void run_columns(jr_plan *plan, const array_shape *shape, const void *d_in, void *d_out) {
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = shape->outer * shape->inner);
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out), NULL, NULL));
}

/* Sums of small integers in f32: exact. in, out: shifts of the arrays, in elements; in place when they are -1. */
static void assert_sums(const opened *device, const array_shape *shape, jr_work_kind kind, int in, int out) {
    const uint64_t count = count_of(shape);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    float *data = test_bytes(count * sizeof *data), *results = test_bytes(count * sizeof *results);
    float *d_in = device_new(device, (count + 4) * sizeof *d_in),
          *d_out = device_new(device, (count + 4) * sizeof *d_out);
    uint64_t seed = 3;
    for (uint64_t i = 0; i < count; i++) data[i] = (float)(random_bits(&seed) % 9) - 4;
    float *from = d_in + (in < 0 ? 0 : in), *to = in < 0 ? from : d_out + out;
    device_write(device, from, data, count * sizeof *data);
    jr_plan *plan = columns_plan(device, &spec, kind, shape);
    run_columns(plan, shape, from, to);
    device_read(device, results, to, count * sizeof *results);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t row = i / shape->inner % shape->length;
        const float before =
            row == 0 ? 0 : results[i - shape->inner] + (kind == JR_WORK_SCAN_EXCLUSIVE ? data[i - shape->inner] : 0);
        if (results[i] != before + (kind == JR_WORK_SCAN_INCLUSIVE ? data[i] : 0))
            fail_msg("element %llu of %llu x %llu x %llu: %g", (unsigned long long)i, (unsigned long long)shape->outer,
                     (unsigned long long)shape->length, (unsigned long long)shape->inner, results[i]);
    }
    jr_plan_destroy(plan);
}

/* One part, by a thread and by lanes, and several, gone along by a thread (64 at most) and by a block; packs and single
 * columns; short ones. */
DEVICE_TEST(every_column_is_scanned_for_itself) {
    static const array_shape shapes[] = {{1, 1, 1},    {2, 3, 5},     {7, 40, 4},   {1, 5000, 8},  {3, 2000, 12},
                                         {1, 999, 3},  {1, 17, 4096}, {5, 300, 36}, {2, 1, 64},    {1, 40000, 4},
                                         {90, 70, 52}, {301, 9, 7},   {2, 2, 5001}, {1, 65, 3000}, {700, 1, 1},
                                         {401, 3, 1},  {3, 4, 8},     {90001, 2, 3}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        assert_sums(device, &shapes[s], JR_WORK_SCAN_INCLUSIVE, 0, 0);
        assert_sums(device, &shapes[s], JR_WORK_SCAN_EXCLUSIVE, (int)s % 4, (int)s / 4 % 4);
        assert_sums(device, &shapes[s], s % 2 ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE, -1, 0);
        assert_sums(device, &shapes[s], JR_WORK_SCAN_INCLUSIVE, 0, 1 + (int)s % 3);
    }
}

/* Rounded sums of a column by lanes, which are as many wherever arrays begin. */
DEVICE_TEST(the_bits_of_columns_are_the_same_wherever_arrays_begin) {
    const array_shape shape = {.outer = 40, .length = 130, .inner = 64};
    const uint64_t bytes = count_of(&shape) * sizeof(float);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    float *data = test_bytes(bytes), *results = test_bytes(bytes), *others = test_bytes(bytes);
    float *d_in = device_new(device, bytes + 16), *d_out = device_new(device, bytes + 16);
    uint64_t seed = 5;
    for (uint64_t i = 0; i < count_of(&shape); i++) data[i] = (float)(random_bits(&seed) % 1000) / 7;
    jr_plan *plan = columns_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE, &shape);
    for (int shift = 0; shift < 2; shift++) {
        device_write(device, d_in + shift, data, bytes);
        run_columns(plan, &shape, d_in + shift, d_out + shift);
        device_read(device, shift ? others : results, d_out + shift, bytes);
    }
    assert_memory_equal(results, others, bytes);
    jr_plan_destroy(plan);
}

/* x -> a x + b modulo 2^32: composition does not commute. */
static const jr_structure map_structure = {
    .size = sizeof(jr_structure),
    .name = "map",
    .source = "struct map { unsigned a, b; };\n"
              "__device__ map then(const map &f, const map &g) { return {g.a * f.a, g.a * f.b + g.b}; }\n"
              "__device__ map same() { return {1, 0}; }\n",
    .bytes = 8,
    .alignment = 4};

static void maps_follow_each_other(const opened *device, array_shape shape) {
    const uint64_t count = count_of(&shape);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &map_structure,
                                 .combine = "then(a, b)", .identity = "same()");
    uint32_t(*maps)[2] = test_bytes(count * sizeof *maps), (*results)[2] = test_bytes(count * sizeof *results);
    uint32_t *d_maps = device_new(device, count * sizeof *maps);
    uint64_t seed = 17;
    for (uint64_t i = 0; i < count; i++)
        for (int m = 0; m < 2; m++) maps[i][m] = (uint32_t)random_bits(&seed) | 1;
    device_write(device, d_maps, maps, count * sizeof *maps);
    jr_plan *plan = columns_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE, &shape);
    run_columns(plan, &shape, d_maps, d_maps);
    device_read(device, results, d_maps, count * sizeof *results);
    for (uint64_t i = 0; i < count; i++) {
        const bool first = i / shape.inner % shape.length == 0;
        const uint32_t *f = first ? (const uint32_t[]){1, 0} : results[i - shape.inner];
        assert_int_equal(results[i][0], maps[i][0] * f[0]);
        assert_int_equal(results[i][1], maps[i][0] * f[1] + maps[i][1]);
    }
    jr_plan_destroy(plan);
}

DEVICE_TEST(operators_that_do_not_commute_are_given_rows_in_order) {
    maps_follow_each_other(device, (array_shape){.outer = 2, .length = 3000, .inner = 6});
    maps_follow_each_other(device, (array_shape){.outer = 2, .length = 300, .inner = 6}); /* by lanes */
}

static void count_rows(const opened *device, array_shape shape) {
    const uint64_t count = count_of(&shape);
    const jr_value ten = {JR_I64, {.i64 = 10}};
    const jr_spec places = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x + (int)i", .initial = &ten),
                  means = JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I32);
    int32_t *d_in = device_new(device, count * sizeof *d_in);
    int64_t *d_out = device_new(device, count * sizeof *d_out), *results = test_bytes(count * sizeof *results);
    double *averages = (double *)results;
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 2, count));
    jr_plan *plan = columns_plan(device, &places, JR_WORK_SCAN_EXCLUSIVE, &shape);
    run_columns(plan, &shape, d_in, d_out);
    device_read(device, results, d_out, count * sizeof *results);
    for (uint64_t i = 0; i < count; i++) {
        const int64_t row = (int64_t)(i / shape.inner % shape.length);
        assert_int_equal(results[i], 10 + 2 * row + row * (row - 1) / 2);
    }
    jr_plan_destroy(plan);
    plan = columns_plan(device, &means, JR_WORK_SCAN_INCLUSIVE, &shape);
    run_columns(plan, &shape, d_in, d_out);
    device_read(device, results, d_out, count * sizeof *results);
    for (uint64_t i = 0; i < count; i++) assert_true(averages[i] == 2);
    jr_plan_destroy(plan);
}

DEVICE_TEST(rows_are_counted_from_the_column_s_first) {
    count_rows(device, (array_shape){.outer = 3, .length = 100, .inner = 4});
    count_rows(device, (array_shape){.outer = 3, .length = 3, .inner = 4});
    count_rows(device, (array_shape){.outer = 30, .length = 4, .inner = 1});
}

DEVICE_TEST(an_axis_of_host_data_is_scanned_and_nothing_of_nothing) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "x > 0");
    static const int32_t data[2][2][3] = {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}};
    static const int64_t middle[] = {1, 2, 3, 5, 7, 9, 7, 8, 9, 17, 19, 21},
                         last[] = {1, 3, 6, 4, 9, 15, 7, 15, 24, 10, 21, 33};
    static const uint64_t shape[] = {2, 2, 3}, empty[] = {2, 0, 3};
    const void *const arrays[] = {data};
    int64_t out[12];
    jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = 1);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis),
                           DATA(.in = arrays, .out = out)));
    assert_memory_equal(out, middle, sizeof out);
    axis.axis = -1;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis),
                           DATA(.in = arrays, .out = out)));
    assert_memory_equal(out, last, sizeof out);
    axis.axis = 1;
    axis.shape = empty;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis),
                           DATA(.in = arrays)));
    axis.axis = 3;
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis),
                           DATA(.in = arrays, .out = out)),
          JR_ERROR_INVALID_ARGUMENT, "axis 3 is out of range");
    const int32_t none[4] = {1, -2, 3, 4};
    const void *const kept[] = {none};
    axis = (jr_axis){.size = sizeof axis, .shape = (const uint64_t[]){2, 2}, .dimensions = 2, .axis = 0};
    fails(jr_work_run_host(device->context, WORK(&least, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis),
                           DATA(.in = kept, .out = out)),
          JR_ERROR_EMPTY_INPUT, "min");
}

RUN_TESTS(open_context, close_context)
