/* Segments that lie on several devices: merged, they are what one device makes of the whole array. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/group_case.h"
#include "support/fixtures/rank_case.h"

enum { DEVICES = 3, PLANES = 50, ROWS = 21, LINES = 28, COUNT = PLANES * ROWS * LINES, RESULT_BYTES_MAX = 64 };
_Static_assert((int)COUNT <= (int)GROUP_COUNT, "there are as many numbers");

/* Where each device's planes begin: the array is cut along its first axis, which is reduced. */
static const uint64_t planes[DEVICES + 1] = {0, 7, 8, PLANES};

/* How the whole is reduced, and a part of `count` planes. */
typedef struct shape {
    int axes[2], axis_count;
    uint64_t results;
} shape;

static const shape first_axis = {{0}, 1, ROWS *LINES}, first_and_last = {{0, 2}, 2, ROWS},
                   all_but_last = {{0, 1}, 2, LINES};

static jr_segment_layout layout_of(const shape *of, uint64_t count) {
    const uint64_t sizes[] = {count, ROWS, LINES};
    const jr_axis axis =
        JR_INIT(jr_axis, .shape = sizes, .dimensions = 3, .axes = of->axes, .axis_count = (size_t)of->axis_count);
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    uint64_t results;
    works(jr_segment_layout_of(&axis, &layout, &results));
    assert_int_equal(results, of->results);
    return layout;
}

static void reduce_whole(const opened *device, const jr_spec *spec, const shape *of, const int32_t *numbers,
                         void *results) {
    const uint64_t sizes[] = {PLANES, ROWS, LINES};
    const jr_axis axis =
        JR_INIT(jr_axis, .shape = sizes, .dimensions = 3, .axes = of->axes, .axis_count = (size_t)of->axis_count);
    const void *const arrays[] = {numbers};
    works(jr_work_run_host(device->context, WORK(spec, .axis = &axis), DATA(.in = arrays, .out = results)));
}

static size_t bytes_of(const jr_spec *spec) {
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(spec, &layout));
    assert_in_range(layout.bytes, 1, RESULT_BYTES_MAX);
    return layout.bytes;
}

typedef struct world {
    const opened *device;
    int32_t *numbers;
    void *d_numbers;
    jr_spec specs[GROUP_SPECS];
} world;

static world world_new(const opened *device) {
    world made = {.device = device, .numbers = group_numbers()};
    made.d_numbers = device_new(device, COUNT * sizeof *made.numbers);
    device_write(device, made.d_numbers, made.numbers, COUNT * sizeof *made.numbers);
    group_specs(made.specs);
    for (int s = 0; s < GROUP_SPECS; s++) made.specs[s].algorithm = JR_ALGORITHM_AUTO;
    return made;
}

static void world_free(world *w) {
    device_free(w->device, w->d_numbers);
}

/* Those of `count` devices from the first one on. */
static jr_status run(const world *w, jr_group_plan *plan, size_t first, size_t count, const shape *of, void *results) {
    const void *arrays[DEVICES];
    const void *const *d_in[DEVICES];
    uint64_t counts[DEVICES];
    for (size_t i = 0; i < count; i++) {
        arrays[i] = (const int32_t *)w->d_numbers + planes[first + i] * ROWS * LINES;
        d_in[i] = &arrays[i];
        counts[i] = of->results;
    }
    return jr_work_group_plan_run(plan, PARTS(.d_in = d_in, .counts = counts, .results = results));
}

static void check(const world *w, jr_group *group, const jr_spec *spec, const shape *of) {
    static unsigned char results[ROWS * LINES * RESULT_BYTES_MAX], wanted[sizeof results];
    jr_segment_layout layouts[DEVICES];
    for (int i = 0; i < DEVICES; i++) layouts[i] = layout_of(of, planes[i + 1] - planes[i]);
    jr_group_plan *plan = group_plan_held(group, WORK(spec, .layout = layouts));
    reduce_whole(w->device, spec, of, w->numbers, wanted);
    for (int again = 0; again < 2; again++) {
        memset(results, 0, sizeof results);
        works(run(w, plan, 0, DEVICES, of, results));
        assert_memory_equal(results, wanted, of->results * bytes_of(spec));
    }
}

TEST(parts_of_segments_make_what_the_whole_makes) {
    world w = world_new(*state);
    jr_group *group = group_new(*state, DEVICES);
    const jr_spec kept = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .where = "x > 2", .kept = 1);
    for (int s = 0; s < GROUP_SPECS; s++) {
        if (tests_take(s, 4)) check(&w, group, &w.specs[s], &first_axis);
        if (tests_take(s + 2, 4)) check(&w, group, &w.specs[s], &first_and_last);
    }
    check(&w, group, &kept, &all_but_last);
    check(&w, group, &w.specs[3], &all_but_last);
    world_free(&w);
}

/* Rows, too, count on where the device before ended. */
TEST(places_in_rows_count_on) {
    enum { ROWS_OF_ALL = 3, EACH = 1000 };
    static const uint64_t lengths[DEVICES] = {EACH - 1, 1, EACH};
    const jr_spec greatest = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32),
                  weighed = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * (long long)i",
                                    .map_type = JR_I64, .where = "i % 3 != 1");
    world w = world_new(*state);
    jr_group *group = group_new(*state, DEVICES);
    jr_segment_layout layouts[DEVICES];
    jr_group_plan *places = NULL, *sums = NULL;
    const void *arrays[DEVICES];
    const void *const *d_in[DEVICES];
    const uint64_t counts[] = {ROWS_OF_ALL, ROWS_OF_ALL, ROWS_OF_ALL};
    int64_t found[ROWS_OF_ALL], sum[ROWS_OF_ALL];
    uint64_t at = 0;
    for (int i = 0; i < DEVICES; at += ROWS_OF_ALL * lengths[i++]) {
        layouts[i] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = lengths[i]);
        arrays[i] = (const int32_t *)w.d_numbers + at;
        d_in[i] = &arrays[i];
    }
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts);
    works(jr_work_group_plan_create(group, WORK(&greatest, .layout = layouts), &places));
    works(jr_work_group_plan_create(group, WORK(&weighed, .layout = layouts), &sums));
    works(group_results(places, parts, found));
    works(group_results(sums, parts, sum));
    for (uint64_t row = 0; row < ROWS_OF_ALL; row++) {
        int64_t wanted = 0, place = 0, best = 0, k = 0;
        uint64_t begin = 0;
        for (int i = 0; i < DEVICES; begin += ROWS_OF_ALL * lengths[i++])
            for (uint64_t e = 0; e < lengths[i]; e++, k++) {
                const int64_t x = w.numbers[begin + row * lengths[i] + e];
                if (k % 3 != 1) wanted += x * k;
                if (k == 0 || x > best) {
                    place = k;
                    best = x;
                }
            }
        assert_int_equal(found[row], place);
        assert_int_equal(sum[row], wanted);
    }
    jr_group_plan_destroy(places);
    jr_group_plan_destroy(sums);
    world_free(&w);
}

TEST(what_is_no_part_of_each_segment_is_refused) {
    world w = world_new(*state);
    jr_group *group = group_new(*state, DEVICES);
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "x > 100");
    jr_segment_layout layouts[DEVICES];
    jr_group_plan *plan = NULL, *flat = NULL;
    unsigned char results[ROWS * LINES * sizeof(int64_t)] = {7};
    const void *const arrays[] = {w.d_numbers};
    const void *const *const d_in[] = {arrays, arrays, NULL};
    const uint64_t counts[] = {4, 4, 5};
    for (int i = 0; i < DEVICES; i++) layouts[i] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    fails(jr_work_group_plan_create(group, WORK(&sum, .layout = layouts), &plan), JR_ERROR_NOT_APPLICABLE, "kind 2");
    for (int i = 0; i < DEVICES; i++) layouts[i] = layout_of(&first_axis, planes[i + 1] - planes[i]);
    works(jr_work_group_plan_create(group, WORK(&sum, .layout = layouts), &plan));
    works(jr_work_group_plan_create(group, WORK(&sum), &flat));
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts);
    fails(group_results(plan, parts, results), JR_ERROR_INVALID_ARGUMENT, "device 2 5");
    fails(group_results(flat, parts, results), JR_ERROR_INVALID_ARGUMENT, "writes to values");
    fails(group_values(plan, parts, &(jr_value){JR_I32, {0}}), JR_ERROR_INVALID_ARGUMENT, "writes to results");
    jr_group_plan_destroy(plan);
    works(jr_work_group_plan_create(group, WORK(&least, .layout = layouts), &plan));
    fails(run(&w, plan, 0, DEVICES, &first_axis, results), JR_ERROR_EMPTY_INPUT, "min");
    assert_int_equal(results[0], 7);
    jr_group_plan_destroy(plan);
    jr_group_plan_destroy(flat);
    world_free(&w);
}

/* ---- ranks ---- */

static int reduce_columns(const jr_group_options *options, void *user) {
    const world *w = user;
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  least = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32);
    const size_t rank = (size_t)options->rank;
    const jr_segment_layout layout = layout_of(&first_axis, planes[rank + 1] - planes[rank]);
    const shape fewer = {.results = first_axis.results - (rank == 1)};
    int64_t results[ROWS * LINES] = {0}, wanted[ROWS * LINES];
    jr_group_options own = *options;
    jr_group *group = NULL;
    jr_group_plan *plan = NULL;
    own.contexts = &w->device->context;
    own.context_count = 1;
    RANK_FAILS_UNLESS(jr_group_open(&own, &group) == JR_OK);
    RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(&sum, .layout = &layout), &plan) == JR_OK);
    RANK_FAILS_UNLESS(run(w, plan, rank, 1, &fewer, results) == JR_ERROR_RANKS_DIFFER);
    RANK_FAILS_UNLESS(run(w, plan, rank, 1, &first_axis, results) == JR_OK);
    reduce_whole(w->device, &sum, &first_axis, w->numbers, wanted);
    RANK_FAILS_UNLESS(memcmp(results, wanted, sizeof results) == 0);
    jr_group_plan_destroy(plan);
    RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(&least, .layout = &layout), &plan) == JR_OK);
    RANK_FAILS_UNLESS(run(w, plan, rank, 1, &first_axis, results) == JR_OK);
    reduce_whole(w->device, &least, &first_axis, w->numbers, wanted);
    RANK_FAILS_UNLESS(memcmp(results, wanted, sizeof results) == 0);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    return 0;
}

TEST(every_rank_gets_all_segments) {
    world w = world_new(*state);
    ranks_in_threads(DEVICES, reduce_columns, NULL, &w);
    world_free(&w);
}

RUN_TESTS(open_context, close_context)
