/* Reductions of runs of equal keys in host memory: what comes back, what is refused and changes nothing. */
#include "support/fixtures/open_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const jr_segment_layout by_i32 = {
    .size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32};

/* Keys and elements of a small input; what they come to. */
static const int32_t few_keys[] = {7, 7, 5, 5, 5, 7}, few[] = {1, 2, 3, 4, 5, 6};
enum { FEW = 6 };

DEVICE_TEST(results_keys_and_count_come_back) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    unsigned char room[8 * FEW + 1], keys[4 * FEW + 1]; /* no alignment required */
    uint64_t count = 99;
    int64_t sums[FEW];
    int32_t found[FEW];
    const jr_work_data segments =
        JR_INIT(jr_work_data, .keys = few_keys, .count = FEW, .run_keys = keys + 1, .run_count = &count);
    memset(room, 0xA5, sizeof room);
    memset(keys, 0xA5, sizeof keys);
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, FROM(few), room + 1)));
    memcpy(sums, room + 1, sizeof sums);
    memcpy(found, keys + 1, sizeof found);
    assert_int_equal(count, 3);
    assert_true(sums[0] == 3 && sums[1] == 12 && sums[2] == 6);
    assert_true(found[0] == 7 && found[1] == 5 && found[2] == 7);
    for (size_t b = 3; b < FEW; b++) assert_true(room[8 * b + 1] == 0xA5 && keys[4 * b + 1] == 0xA5);
}

DEVICE_TEST(no_elements_are_no_runs) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32),
                  named = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .algorithm = JR_ALGORITHM_ROWS);
    const void *none[] = {NULL};
    uint64_t count = 99;
    int32_t least = 98;
    const jr_work_data segments = JR_INIT(jr_work_data, .run_count = &count);
    fails(jr_work_run_host(device->context, WORK(&named, .layout = &by_i32), DATA_OF(segments, none, &least)),
          JR_ERROR_NOT_APPLICABLE, "algorithms of their own");
    assert_int_equal(count, 99);
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, none, &least)));
    assert_true(count == 0 && least == 98);
}

/* A run without an element that `where` keeps has no minimum; counts and sums it has. */
DEVICE_TEST(a_run_of_which_nothing_is_kept_is_nothing) {
    static const jr_op list[] = {JR_OP_MIN, JR_OP_SUM};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "x < 3 || x > 5");
    const void *data[] = {few};
    uint64_t count = 99;
    int32_t keys[FEW] = {-1}, least[FEW] = {-1};
    double means[FEW];
    unsigned char places[FEW][48];
    const jr_work_data segments =
        JR_INIT(jr_work_data, .keys = few_keys, .count = FEW, .run_keys = keys, .run_count = &count);
    fails(jr_work_run_host(device->context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, data, least)),
          JR_ERROR_EMPTY_INPUT, "min");
    assert_true(count == 99 && keys[0] == -1 && least[0] == -1);
    spec.op = JR_OP_MEAN;
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, data, means)));
    assert_true(means[0] == 1.5 && isnan(means[1]) && means[2] == 6);
    spec = JR_INIT(jr_spec, .ops = list, .op_count = 2, .type = JR_I32, .where = "x != 4", .kept = 1);
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, data, places)));
    static const int32_t mins[] = {1, 3, 6};
    static const int64_t rests[][2] = {{3, 2}, {8, 2}, {6, 1}};
    for (int s = 0; s < 3; s++) {
        assert_memory_equal(places[s], &mins[s], sizeof mins[s]);
        assert_memory_equal(places[s] + 16, &rests[s][0], sizeof(int64_t));
        assert_memory_equal(places[s] + 32, &rests[s][1], sizeof(int64_t));
    }
}

DEVICE_TEST(several_arrays_are_read_side_by_side) {
    const jr_value ten = {JR_F64, {.f64 = 10}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .input_count = 2, .more_types = {JR_F64},
                                 .map = "x * y", .map_type = JR_F64, .initial = &ten);
    const double y[FEW] = {1, 0.5, 2, 0.25, 1, 100};
    double sums[FEW];
    const jr_work_data segments = JR_INIT(jr_work_data, .keys = few_keys, .count = FEW);
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, FROM(few, y), sums)));
    assert_true(sums[0] == 12 && sums[1] == 22 && sums[2] == 610);
}

DEVICE_TEST(structs_are_reduced_in_their_order) {
    const jr_structure pair = JR_INIT(jr_structure, .name = "pair", .bytes = 12, .alignment = 4,
                                      .source = "struct pair { int first, last, count; };\n"
                                                "__device__ pair nothing() { return {0, 0, 0}; }\n"
                                                "__device__ pair join(const pair &a, const pair &b) {\n"
                                                "    if (a.count == 0) return b;\n"
                                                "    if (b.count == 0) return a;\n"
                                                "    return {a.first, b.last, a.count + b.count};\n"
                                                "}\n");
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &pair,
                                 .combine = "join(a, b)", .identity = "nothing()");
    enum { COUNT = 5000 };
    int32_t(*data)[3] = test_zeros(COUNT, sizeof *data), (*got)[3] = test_zeros(COUNT, sizeof *got);
    int32_t *keys = test_zeros(COUNT, sizeof *keys), number = 0;
    uint64_t seed = 9, runs = 0;
    for (int i = 0; i < COUNT; i++) {
        number += random_below(&seed, 6) == 0;
        keys[i] = number;
        data[i][0] = data[i][1] = i;
        data[i][2] = 1;
    }
    const jr_work_data segments = JR_INIT(jr_work_data, .keys = keys, .count = COUNT, .run_count = &runs);
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, FROM(data), got)));
    int32_t begin = 0;
    for (uint64_t s = 0; s < runs; s++) {
        assert_true(got[s][0] == begin && got[s][1] == begin + got[s][2] - 1);
        assert_true(keys[begin] == keys[got[s][1]]);
        begin += got[s][2];
        assert_true(begin == COUNT || keys[begin] != keys[begin - 1]);
    }
    assert_int_equal(begin, COUNT);
}

DEVICE_TEST(what_cannot_be_is_told_why) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_segment_layout keyless = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_STRUCT);
    const void *data[] = {few}, *none[] = {NULL};
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    int64_t sums[FEW] = {-1};
    jr_work_data segments = JR_INIT(jr_work_data, .keys = few_keys, .count = FEW);
    jr_context *context = device->context;
    fails(jr_work_run_host(context, WORK(&spec, .layout = &keyless), DATA_OF(segments, data, sums)),
          JR_ERROR_UNSUPPORTED_TYPE, "keys");
    fails(jr_work_run_host(context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, none, sums)), wrong,
          "data[0] is NULL");
    segments.keys = NULL;
    fails(jr_work_run_host(context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, data, sums)), wrong, "keys is ");
    segments.keys = (const char *)few_keys + 2;
    fails(jr_work_run_host(context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, data, sums)), wrong,
          "aligned to 4");
    segments.keys = few_keys;
    segments.count = UINT64_MAX / 32;
    fails(jr_work_run_host(context, WORK(&spec, .layout = &by_i32), DATA_OF(segments, data, sums)), wrong,
          "beyond the address space");
    assert_int_equal(sums[0], -1);
}

RUN_TESTS(open_context, close_context)
