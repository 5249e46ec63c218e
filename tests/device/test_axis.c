/* Axes of arrays: shapes of up to eight dimensions against a plain loop; lists, expressions, several inputs; graphs. */
#include "support/cases/segment_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(wrong_axes_are_named) {
    const uint64_t shape[9] = {2, 3, 4, 1, 1, 1, 1, 1, 1}, vast[] = {1ull << 40, 1ull << 40};
    jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    uint64_t count = 77;
    fails(jr_segment_layout_of(NULL, &layout, &count), JR_ERROR_INVALID_ARGUMENT, "axis");
    fails(jr_segment_layout_of(&JR_INIT(jr_axis, NULL, 2, 0), &layout, &count), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_segment_layout_of(&JR_INIT(jr_axis, shape, 0, 0), &layout, &count), JR_ERROR_INVALID_ARGUMENT,
          "0 dimensions");
    fails(jr_segment_layout_of(&JR_INIT(jr_axis, shape, 9, 0), &layout, &count), JR_ERROR_INVALID_ARGUMENT,
          "9 dimensions");
    fails(jr_segment_layout_of(&JR_INIT(jr_axis, shape, 3, 3), &layout, &count), JR_ERROR_INVALID_ARGUMENT, "axis 3");
    fails(jr_segment_layout_of(&JR_INIT(jr_axis, shape, 3, -4), &layout, &count), JR_ERROR_INVALID_ARGUMENT, "axis -4");
    fails(jr_segment_layout_of(&JR_INIT(jr_axis, vast, 2, 0), &layout, &count), JR_ERROR_INVALID_ARGUMENT, "64 bits");
    assert_int_equal(layout.kind, JR_SEGMENTS_OFFSETS);
    assert_int_equal(count, 77);
}

TEST(an_axis_becomes_rows_or_columns) {
    const uint64_t shape[] = {2, 3, 4}, empty[] = {2, 0, 4};
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    uint64_t count;
    works(jr_segment_layout_of(&JR_INIT(jr_axis, shape, 3, -1), &layout, &count));
    assert_true(layout.kind == JR_SEGMENTS_EQUAL && layout.length == 4 && count == 6);
    works(jr_segment_layout_of(&JR_INIT(jr_axis, shape, 3, 1), &layout, &count));
    assert_true(layout.kind == JR_SEGMENTS_STRIDED && layout.length == 3 && layout.inner == 4 && count == 8);
    works(jr_segment_layout_of(&JR_INIT(jr_axis, empty, 3, 1), &layout, &count));
    assert_true(layout.length == 0 && count == 8);
    works(jr_segment_layout_of(&JR_INIT(jr_axis, empty, 3, 0), &layout, &count));
    assert_int_equal(count, 0);
}

static uint64_t product(const uint64_t *shape, int from, int to) {
    uint64_t all = 1;
    for (int i = from; i < to; i++) all *= shape[i];
    return all;
}

/* Sums and first minima of an array along an axis, each compared with a plain loop. */
static void judge_axis(const opened *device, const uint64_t *shape, int dimensions, int axis) {
    const uint64_t outer = product(shape, 0, axis), length = shape[axis];
    const uint64_t inner = product(shape, axis + 1, dimensions), elements = outer * length * inner;
    const jr_axis which = JR_INIT(jr_axis, shape, dimensions, axis);
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I16),
                  index = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I16);
    int16_t *data = test_zeros(elements, sizeof *data);
    int64_t *sums = test_zeros(outer * inner, sizeof *sums), *indexes = test_zeros(outer * inner, sizeof *indexes);
    uint64_t seed = elements;
    for (uint64_t i = 0; i < elements; i++) data[i] = (int16_t)random_below(&seed, 500);
    works(jr_work_run_host(device->context, WORK(&sum, .axis = &which), DATA(.in = FROM(data), .out = sums)));
    works(jr_work_run_host(device->context, WORK(&index, .axis = &which), DATA(.in = FROM(data), .out = indexes)));
    for (uint64_t o = 0; o < outer; o++)
        for (uint64_t i = 0; i < inner; i++) {
            int64_t wanted = 0, first = 0;
            for (uint64_t k = 0; k < length; k++) {
                const int16_t x = data[(o * length + k) * inner + i];
                wanted += x;
                if (x < data[(o * length + (uint64_t)first) * inner + i]) first = (int64_t)k;
            }
            if (sums[o * inner + i] != wanted || indexes[o * inner + i] != first)
                fail_msg("axis %d of %d, column %d of %d: %d at %d, not %d at %d", axis, dimensions, (int)i, (int)o,
                         (int)sums[o * inner + i], (int)indexes[o * inner + i], (int)wanted, (int)first);
        }
}

TEST(every_axis_of_an_array_agrees_with_a_plain_loop) {
    static const uint64_t shapes[][4] = {{30011},      {7, 5003},      {4001, 6},      {300, 70},     {1, 9000},
                                         {9000, 1},    {5, 40, 90},    {90, 33, 3},    {2, 3000, 2},  {64, 1, 65},
                                         {3, 5, 7, 9}, {2, 31, 33, 4}, {1, 700, 1, 8}, {40, 2, 40, 1}};
    static const int dimensions[] = {1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4};
    for (size_t s = 0; s < sizeof dimensions / sizeof *dimensions; s++)
        for (int axis = 0; axis < dimensions[s]; axis++) judge_axis(*state, shapes[s], dimensions[s], axis);
}

TEST(eight_dimensions_are_taken) {
    static const uint64_t shape[] = {2, 3, 2, 4, 3, 2, 5, 2};
    for (int axis = 0; axis < 8; axis++) judge_axis(*state, shape, 8, axis);
}

/* Few columns are cut into parts, many are not: the mean must know the whole count either way. */
DEVICE_TEST(means_and_lists_know_the_length_of_their_column) {
    static const jr_op ops[] = {JR_OP_MEAN, JR_OP_MIN, JR_OP_COUNT_NONZERO};
    static const uint64_t shapes[][3] = {{1, 6000, 2}, {2, 3, 900}, {500, 8, 1}, {4, 900, 1}};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_I32);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const uint64_t length = shapes[s][1], inner = shapes[s][2], elements = shapes[s][0] * length * inner;
        int32_t *data = test_zeros(elements, sizeof *data);
        unsigned char *got = test_zeros(elements / length, 48);
        for (uint64_t i = 0; i < elements; i++) data[i] = (int32_t)(i / inner % length);
        works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shapes[s], 3, 1)),
                               DATA(.in = FROM(data), .out = got)));
        for (uint64_t i = 0; i < elements / length; i++) {
            double mean;
            int32_t least;
            uint64_t nonzero;
            memcpy(&mean, got + 48 * i, sizeof mean);
            memcpy(&least, got + 48 * i + 16, sizeof least);
            memcpy(&nonzero, got + 48 * i + 32, sizeof nonzero);
            assert_true(mean == (double)(length - 1) / 2);
            assert_int_equal(least, 0);
            assert_int_equal(nonzero, length - 1);
        }
    }
}

DEVICE_TEST(expressions_see_the_index_within_the_segment) {
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * y", .where = "i % 2 == 1", .input_count = 2);
    static const uint64_t shapes[][3] = {{1, 6000, 2}, {2, 3, 900}, {500, 8, 1}, {4, 900, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const uint64_t length = shapes[s][1], inner = shapes[s][2], elements = shapes[s][0] * length * inner;
        int32_t *x = test_zeros(elements, sizeof *x), *y = test_zeros(elements, sizeof *y);
        int64_t *got = test_zeros(elements / length, sizeof *got);
        for (uint64_t i = 0; i < elements; i++) {
            x[i] = (int32_t)(i % inner) + 1;
            y[i] = (int32_t)(i / inner % length);
        }
        works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shapes[s], 3, 1)),
                               DATA(.in = FROM(x, y), .out = got)));
        /* 1 + 3 + 5 + ... of half the length is its square. */
        for (uint64_t i = 0; i < elements / length; i++)
            assert_int_equal(got[i], (length / 2) * (length / 2) * (i % inner + 1));
    }
}

DEVICE_TEST(a_struct_is_reduced_along_both_axes) {
    const jr_structure structure = JR_INIT(jr_structure, "rgb", "struct rgb { unsigned char r, g, b; };", 3, 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &structure,
                                 .map = "x.g - x.r", .map_type = JR_I32);
    enum { ROWS = 300, COLUMNS = 50 };
    static const uint64_t shape[] = {ROWS, COLUMNS};
    unsigned char *data = test_zeros(ROWS * COLUMNS, 3);
    int64_t got[ROWS];
    for (int i = 0; i < ROWS * COLUMNS; i++) data[3 * i + 1] = (unsigned char)(i % COLUMNS + (i / COLUMNS) % 4);
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 2, 0)),
                           DATA(.in = FROM(data), .out = got)));
    for (int c = 0; c < COLUMNS; c++) assert_int_equal(got[c], c * ROWS + 6 * ROWS / 4);
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 2, 1)),
                           DATA(.in = FROM(data), .out = got)));
    for (int r = 0; r < ROWS; r++) assert_int_equal(got[r], COLUMNS * (COLUMNS - 1) / 2 + r % 4 * COLUMNS);
}

/* Captures a run of each kind, and replays them over changing data. */
DEVICE_TEST(a_captured_run_replays_many_times) {
    const jr_driver *driver = &device->driver;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32);
    enum { COUNT = 40000, LENGTH = 5000 };
    static const jr_segment_layout layouts[] = {
        {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = LENGTH},
        {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_STRIDED, .length = LENGTH, .inner = 2},
        {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_OFFSETS}};
    uint64_t offsets[COUNT / LENGTH + 1];
    for (uint64_t s = 0; s <= COUNT / LENGTH; s++) offsets[s] = s * LENGTH;
    uint32_t *d_in = device_new(device, COUNT * sizeof *d_in);
    uint64_t *d_out = device_new(device, sizeof offsets), *d_offsets = device_new(device, sizeof offsets);
    device_write(device, d_offsets, offsets, sizeof offsets);
    jr_stream stream = stream_new(device);
    for (int l = 0; l < 3; l++) {
        jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layouts[l]));
        const jr_work_data segments =
            JR_INIT(jr_work_data, .segments = COUNT / LENGTH, .offsets = l == 2 ? d_offsets : NULL);
        void *workspace = workspace_new(device, plan, stream);
        graph_begin(device, stream);
        works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out), workspace, stream));
        jr_cu_graph_exec graph = graph_end(device, stream);
        for (unsigned turn = 1; turn <= 3; turn++) {
            uint64_t sums[COUNT / LENGTH];
            drives(driver->cuMemsetD32Async(device_address(d_in), turn, COUNT, stream));
            drives(driver->cuGraphLaunch(graph, stream));
            stream_wait(device, stream);
            device_read(device, sums, d_out, sizeof sums);
            for (int s = 0; s < COUNT / LENGTH; s++) assert_int_equal(sums[s], turn * LENGTH);
        }
        graph_free(device, graph);
        device_free(device, workspace);
    }
    stream_free(device, stream);
}

RUN_TESTS(open_context, close_context)
