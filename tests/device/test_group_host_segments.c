/* Segments of host memory, dealt out whole to the devices of a group. */
#include <stdlib.h>
#include <string.h>

#include "spec/reduction.h"
#include "support/fixtures/group_case.h"
#include "support/fixtures/rank_case.h"

enum { SHAPES = 5, MOST_RESULTS = 2200, PLACE = 64 };

/* How the first `elements` numbers are cut. */
typedef struct shape {
    jr_segment_layout layout;
    uint64_t count;
    const uint64_t *offsets;
} shape;

static const uint64_t ragged[] = {3, 3, 10, 10, 10, 5000, 5001, 20000, 20000, 30000, 30000};

static void shapes_make(shape all[SHAPES]) {
    static const uint64_t sizes[] = {7, 11, 13, 29};
    static const int one_and_three[] = {1, 3}, zero_and_two[] = {0, 2};
    const jr_axis inner = JR_INIT(jr_axis, .shape = sizes, .dimensions = 4, .axes = one_and_three, .axis_count = 2),
                  outer = JR_INIT(jr_axis, .shape = sizes, .dimensions = 4, .axes = zero_and_two, .axis_count = 2);
    for (int i = 0; i < SHAPES; i++) all[i] = (shape){.layout = JR_INIT(jr_segment_layout)};
    all[0].layout.kind = JR_SEGMENTS_EQUAL;
    all[0].layout.length = 17;
    all[0].count = 1765;
    all[1].layout.kind = JR_SEGMENTS_STRIDED;
    all[1].layout.length = 100;
    all[1].layout.inner = 30;
    all[1].count = 300;
    works(jr_segment_layout_of(&inner, &all[2].layout, &all[2].count));
    works(jr_segment_layout_of(&outer, &all[3].layout, &all[3].count));
    all[4].layout.kind = JR_SEGMENTS_OFFSETS;
    all[4].count = sizeof ragged / sizeof *ragged - 1;
    all[4].offsets = ragged;
}

static jr_work_data segments_of(const shape *of) {
    return JR_INIT(jr_work_data, .segments = of->count, .offsets = of->offsets);
}

static size_t bytes_of(const jr_spec *spec) {
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(spec, &layout));
    assert_in_range(layout.bytes, 1, PLACE);
    return layout.bytes;
}

/* Some of the offsets have nothing between them. */
static bool has_value_of_nothing(const jr_spec *spec) {
    return spec->op_count == 0 && spec->op != JR_OP_MIN && spec->op != JR_OP_ARGMIN && spec->op != JR_OP_ARGMAX;
}

DEVICE_TEST(every_device_takes_whole_segments) {
    static const size_t device_counts[] = {1, 2, 3, 7};
    static unsigned char results[MOST_RESULTS * PLACE], wanted[MOST_RESULTS * PLACE];
    int32_t *data = group_numbers();
    const void *const arrays[] = {data};
    jr_spec specs[GROUP_SPECS];
    shape shapes[SHAPES];
    group_specs(specs);
    shapes_make(shapes);
    for (int s = 0; s < GROUP_SPECS; s++)
        for (int k = 0; k < SHAPES; k++) {
            const jr_work_data segments = segments_of(&shapes[k]);
            specs[s].algorithm = JR_ALGORITHM_AUTO;
            specs[s].grid = 0;
            if (shapes[k].offsets != NULL && !has_value_of_nothing(&specs[s])) continue;
            if (!tests_take(s + k, 4)) continue;
            assert_in_range(shapes[k].count, 1, MOST_RESULTS);
            const jr_status whole = jr_work_run_host(device->context, WORK(&specs[s], .layout = &shapes[k].layout),
                                                     DATA_OF(segments, arrays, wanted));
            for (size_t d = 0; d < sizeof device_counts / sizeof *device_counts; d++) {
                if (!tests_take((int)d + s + k, 3)) continue;
                jr_group *group = group_new(device, device_counts[d]);
                memset(results, 7, sizeof results);
                const jr_status status = jr_work_group_host(group, WORK(&specs[s], .layout = &shapes[k].layout),
                                                            DATA_OF(segments, arrays, results));
                assert_int_equal(status, whole);
                if (status == JR_OK)
                    assert_memory_equal(results, wanted, shapes[k].count * bytes_of(&specs[s]));
                else
                    assert_int_equal(results[0], 7);
            }
        }
}

/* Runs of few and of many elements, one of them longer than the share of a device. */
static void make_keys(int16_t keys[GROUP_COUNT]) {
    for (int i = 0; i < GROUP_COUNT; i++) keys[i] = (int16_t)(i < 9000 ? i / 17 : i < 29990 ? 5 : i);
}

static void same_runs_by(const opened *device, size_t devices, const jr_spec *spec) {
    static unsigned char results[MOST_RESULTS * PLACE], wanted[MOST_RESULTS * PLACE];
    static int16_t keys[GROUP_COUNT], found[GROUP_COUNT], wanted_keys[GROUP_COUNT];
    const jr_segment_layout by_key = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I16);
    uint64_t count = 0, wanted_count = 0;
    jr_work_data runs = JR_INIT(jr_work_data, .keys = keys, .count = GROUP_COUNT);
    int32_t *data = group_numbers();
    const void *const arrays[] = {data};
    jr_group *group = group_new(device, devices);
    make_keys(keys);
    runs.run_keys = wanted_keys;
    runs.run_count = &wanted_count;
    works(jr_work_run_host(device->context, WORK(spec, .layout = &by_key), DATA_OF(runs, arrays, wanted)));
    runs.run_keys = found;
    runs.run_count = &count;
    works(jr_work_group_host(group, WORK(spec, .layout = &by_key), DATA_OF(runs, arrays, results)));
    assert_int_equal(count, wanted_count);
    assert_in_range(count, 500, MOST_RESULTS);
    assert_memory_equal(found, wanted_keys, count * sizeof *found);
    assert_memory_equal(results, wanted, count * bytes_of(spec));
}

TEST(every_device_takes_whole_runs_of_keys) {
    jr_spec specs[GROUP_SPECS];
    int taken = 0;
    group_specs(specs);
    for (int s = 0; s < GROUP_SPECS; s++) {
        specs[s].algorithm = JR_ALGORITHM_AUTO;
        specs[s].grid = 0;
        specs[s].unroll = tests_are_whole() ? 0 : 1; /* which compiles sooner */
        if (tests_take(s + 1, 2) && !jr_reduction_is_placed(&specs[s]) && has_value_of_nothing(&specs[s])) {
            same_runs_by(*state, 1 + (size_t)s % GROUP_DEVICES, &specs[s]);
            taken++;
        }
    }
    assert_in_range(taken, 5, GROUP_SPECS);
}

TEST(what_makes_no_sense_is_told_why) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  place = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "x > 5");
    static const uint64_t falling[] = {0, 9, 4, 10};
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    int32_t numbers[12] = {0};
    const void *const arrays[] = {numbers}, *const none[] = {NULL};
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4),
                            keys = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32),
                            offsets = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS),
                            odd = JR_INIT(jr_segment_layout, .kind = (jr_segment_kind)77);
    const jr_work_data three = JR_INIT(jr_work_data, .segments = 3),
                       huge = JR_INIT(jr_work_data, .segments = UINT64_MAX),
                       descend = JR_INIT(jr_work_data, .segments = 3, .offsets = falling),
                       keyless = JR_INIT(jr_work_data, .count = 3),
                       keyed = JR_INIT(jr_work_data, .keys = numbers, .count = 3);
    int64_t results[3] = {7, 7, 7};
    jr_group *group = group_new(*state, 2);
    numbers[1] = 6;
    fails(jr_work_group_host(group, WORK(&sum, .layout = &keys), DATA_OF(keyless, arrays, results)), wrong, "keys");
    fails(jr_work_group_host(group, WORK(&place, .layout = &keys), DATA_OF(keyed, arrays, results)),
          JR_ERROR_NOT_APPLICABLE, "the result of argmin and argmax is an index");
    fails(jr_work_group_host(group, WORK(&sum, .layout = &odd), DATA_OF(three, arrays, results)), wrong, "kind 77");
    fails(jr_work_group_host(group, WORK(&sum, .layout = &offsets), DATA_OF(descend, arrays, results)), wrong,
          "descend");
    fails(jr_work_group_host(group, WORK(&sum, .layout = &rows), DATA_OF(huge, arrays, results)), wrong, "");
    fails(jr_work_group_host(group, WORK(&sum, .layout = &rows), DATA_OF(three, none, results)), wrong, "NULL");
    fails(jr_work_group_host(group, WORK(&sum, .layout = &rows), DATA_OF(three, arrays, NULL)), wrong, "results");
    fails(jr_work_group_host(group, WORK(&least, .layout = &rows), DATA_OF(three, arrays, results)),
          JR_ERROR_EMPTY_INPUT, "min");
    assert_int_equal(results[0], 7);
    works(jr_work_group_host(group, WORK(&sum, .layout = &rows), DATA(.in = none, .segments = 0, .out = results)));
}

/* ---- ranks ---- */

/* Each has rows of its own: of another length, too. What fails on one fails on all. */
static int reduce_rows(const jr_group_options *options, void *user) {
    enum { ROWS = 5 };
    const opened *device = user;
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const uint64_t length = 10 + (uint64_t)options->rank;
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = ROWS);
    int32_t numbers[ROWS * 16];
    const void *const arrays[] = {numbers}, *const none[] = {NULL};
    jr_context *const contexts[] = {device->context, device->context};
    int64_t results[ROWS] = {7, 7, 7, 7, 7};
    jr_group_options own = *options;
    jr_group *group = NULL;
    own.contexts = contexts;
    own.context_count = 2;
    for (int i = 0; i < ROWS * 16; i++) numbers[i] = 1 + options->rank;
    RANK_FAILS_UNLESS(jr_group_open(&own, &group) == JR_OK);
    const jr_status failed = jr_work_group_host(group, WORK(&sum, .layout = &rows),
                                                DATA_OF(segments, options->rank == 1 ? none : arrays, results));
    RANK_FAILS_UNLESS(failed == (options->rank == 1 ? JR_ERROR_INVALID_ARGUMENT : JR_ERROR_RANK) && results[0] == 7);
    RANK_FAILS_UNLESS(jr_work_group_host(group, WORK(&sum, .layout = &rows), DATA_OF(segments, arrays, results)) ==
                      JR_OK);
    for (int r = 0; r < ROWS; r++) RANK_FAILS_UNLESS(results[r] == (int64_t)length * (1 + options->rank));
    jr_group_close(group);
    return 0;
}

TEST(ranks_have_segments_of_their_own) {
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) ranks_in_threads(ranks, reduce_rows, NULL, *state);
}

RUN_TESTS(open_context, close_context)
