/* Scans of segments in host memory, dealt out whole to the devices of a group. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/group_scan_case.h"
#include "support/fixtures/rank_case.h"

enum { SHAPES = 6, DEVICE_COUNTS = 4 };

static const uint64_t ragged[] = {3, 3, 10, 10, 10, 5000, 5001, 20000, 20000, 30000, 30000};

/* How all numbers, or the first of them, are cut. */
typedef struct shape {
    jr_segment_layout layout;
    jr_work_data segments;
} shape;

static shape rows_of(jr_segment_kind kind, uint64_t length, uint64_t inner, uint64_t count) {
    return (shape){.layout = JR_INIT(jr_segment_layout, .kind = kind, .length = length, .inner = inner),
                   .segments = JR_INIT(jr_work_data, .segments = count)};
}

static shape keyed(jr_type type, const void *keys) {
    return (shape){.layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = type),
                   .segments = JR_INIT(jr_work_data, .keys = keys, .count = GROUP_COUNT)};
}

/* Runs of a few to thousands of elements; zeros of either sign are one key, and no NaN is another's. */
static void make_keys(int16_t whole[GROUP_COUNT], float floats[GROUP_COUNT]) {
    for (int i = 0; i < GROUP_COUNT; i++) {
        whole[i] = (int16_t)(i < 9000 ? i / 7 : i < 29990 ? 5 : i);
        const int number = i / 40;
        floats[i] = i / 5000 % 2 == 1 ? (float)number : i % 2 == 1 ? -0.0f : 0.0f;
        if (i / 1000 == 17) floats[i] = (float)NAN;
    }
}

static void shapes_make(shape all[SHAPES]) {
    static int16_t whole[GROUP_COUNT];
    static float floats[GROUP_COUNT];
    make_keys(whole, floats);
    all[0] = rows_of(JR_SEGMENTS_EQUAL, 17, 0, 1765);
    all[1] = rows_of(JR_SEGMENTS_STRIDED, 100, 30, 300);
    all[2] = rows_of(JR_SEGMENTS_STRIDED, 1000, 30, 30); /* one slice: it is not dealt out */
    all[3] =
        (shape){.layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS),
                .segments = JR_INIT(jr_work_data, .segments = sizeof ragged / sizeof *ragged - 1, .offsets = ragged)};
    all[4] = keyed(JR_I16, whole);
    all[5] = keyed(JR_F32, floats);
}

/* Only segments by themselves are scanned by an algorithm for them. */
static jr_spec segmented(const jr_spec *spec) {
    jr_spec own = *spec;
    own.algorithm = JR_ALGORITHM_AUTO;
    own.grid = 0;
    return own;
}

static void same_by(const opened *device, size_t devices, const jr_spec *spec, jr_work_kind kind, const shape *of) {
    static unsigned char results[GROUP_COUNT * GROUP_SCAN_BYTES], wanted[GROUP_COUNT * GROUP_SCAN_BYTES];
    int32_t *data = group_numbers();
    const void *const arrays[] = {data};
    jr_group *group = group_new(device, devices);
    memset(results, 7, sizeof results);
    memset(wanted, 7, sizeof wanted);
    const jr_status whole = jr_work_run_host(device->context, WORK(spec, .kind = kind, .layout = &of->layout),
                                             DATA_OF(of->segments, arrays, wanted));
    const jr_status dealt = jr_work_group_host(group, WORK(spec, .kind = kind, .layout = &of->layout),
                                               DATA_OF(of->segments, arrays, results));
    assert_int_equal(dealt, whole);
    if (whole == JR_OK) assert_memory_equal(results, wanted, sizeof results);
}

/* A sample of them, unless JR_TESTS=whole. */
TEST(every_device_scans_whole_segments) {
    static const size_t device_counts[DEVICE_COUNTS] = {1, 2, 3, 7};
    jr_spec specs[GROUP_SCANS];
    shape shapes[SHAPES];
    group_scan_specs(specs);
    shapes_make(shapes);
    for (int s = 0; s < GROUP_SCANS; s++)
        for (int f = 0; f < SHAPES; f++)
            for (int k = 0; k < 2; k++) {
                const jr_spec spec = segmented(&specs[s]);
                if (!tests_take(s + f, 6) || !tests_take((s + f) / 3 + s + k, 2)) continue;
                same_by(*state, device_counts[(s + k + f) % DEVICE_COUNTS], &spec, group_scan_kinds[k], &shapes[f]);
            }
}

TEST(an_index_by_keys_is_that_in_the_whole) {
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32);
    shape shapes[SHAPES];
    shapes_make(shapes);
    for (size_t devices = 1; devices <= GROUP_DEVICES; devices += 3) {
        same_by(*state, devices, &spec, JR_WORK_SCAN_INCLUSIVE, &shapes[4]);
        spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x + i");
        same_by(*state, devices, &spec, JR_WORK_SCAN_EXCLUSIVE, &shapes[5]);
    }
}

DEVICE_TEST(results_may_lie_upon_the_elements) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32);
    const shape rows = rows_of(JR_SEGMENTS_EQUAL, 17, 0, 1765);
    int32_t *data = group_numbers(), *wanted = group_numbers();
    jr_group *group = group_new(device, 3);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &rows.layout),
                           DATA_OF(rows.segments, FROM(wanted), wanted)));
    works(jr_work_group_host(group, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &rows.layout),
                             DATA_OF(rows.segments, FROM(data), data)));
    assert_memory_equal(data, wanted, GROUP_COUNT * sizeof *data);
}

TEST(what_makes_no_sense_is_told_why) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I64);
    static const uint64_t falling[] = {0, 9, 4, 10};
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    int64_t numbers[24] = {0}, out[12];
    const void *const arrays[] = {numbers}, *const none[] = {NULL};
    shape rows = rows_of(JR_SEGMENTS_EQUAL, 4, 0, 3), odd = rows_of((jr_segment_kind)77, 4, 0, 3),
          falls = {.layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS),
                   .segments = JR_INIT(jr_work_data, .segments = 3, .offsets = falling)},
          keys = keyed(JR_I64, numbers + 12);
    jr_group *group = group_new(*state, 2);
    keys.segments.count = 12;
#define SCAN(given, how, in, shape, to)                                                                                \
    jr_work_group_host(group, WORK(given, .kind = how, .layout = &(shape).layout), DATA_OF((shape).segments, in, to))
    fails(SCAN(&sum, JR_WORK_SCAN_INCLUSIVE, arrays, odd, out), wrong, "kind 77");
    fails(SCAN(&sum, JR_WORK_SCAN_INCLUSIVE, arrays, falls, out), wrong, "descend");
    fails(SCAN(&sum, (jr_work_kind)7, arrays, rows, out), wrong, "unknown kind of work");
    fails(SCAN(&sum, JR_WORK_SCAN_INCLUSIVE, none, rows, out), wrong, "NULL");
    fails(SCAN(&sum, JR_WORK_SCAN_INCLUSIVE, arrays, rows, NULL), wrong, "output");
    fails(SCAN(&sum, JR_WORK_SCAN_INCLUSIVE, arrays, rows, numbers + 5), wrong, "overlap");
    fails(SCAN(&sum, JR_WORK_SCAN_INCLUSIVE, arrays, keys, numbers + 12), wrong, "keys");
    fails(SCAN(&least, JR_WORK_SCAN_EXCLUSIVE, arrays, rows, out), JR_ERROR_EMPTY_INPUT, "min");
#undef SCAN
}

/* ---- ranks ---- */

/* Each has rows of its own: of another length, too. What fails on one fails on all. */
static int scan_rows(const jr_group_options *options, void *user) {
    enum { ROWS = 5 };
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const uint64_t length = 10 + (uint64_t)options->rank;
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = ROWS);
    int32_t numbers[ROWS * 16];
    const void *const arrays[] = {numbers}, *const none[] = {NULL};
    int64_t results[ROWS * 16] = {7};
    jr_group *group = NULL;
    for (int i = 0; i < ROWS * 16; i++) numbers[i] = 1 + options->rank;
    RANK_FAILS_UNLESS(group_open_rank(user, options, &group) == JR_OK);
    const jr_status failed = jr_work_group_host(group, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &rows),
                                                DATA_OF(segments, options->rank == 1 ? none : arrays, results));
    RANK_FAILS_UNLESS(failed == (options->rank == 1 ? JR_ERROR_INVALID_ARGUMENT : JR_ERROR_RANK));
    RANK_FAILS_UNLESS(jr_work_group_host(group, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &rows),
                                         DATA_OF(segments, arrays, results)) == JR_OK);
    for (uint64_t i = 0; i < ROWS * length; i++)
        RANK_FAILS_UNLESS(results[i] == (int64_t)(i % length + 1) * (1 + options->rank));
    jr_group_close(group);
    return 0;
}

TEST(ranks_scan_segments_of_their_own) {
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) ranks_in_threads(ranks, scan_rows, NULL, *state);
}

RUN_TESTS(open_context, close_context)
