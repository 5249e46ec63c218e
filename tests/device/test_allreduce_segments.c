/* All-reduces of segments: every device gets the results of all segments, of which each has a part. */
#include <stdlib.h>
#include <string.h>

#include "support/fakes/stand_in.h"
#include "support/fixtures/allreduce_case.h"
#include "support/fixtures/rank_case.h"

enum { PLANES = 50, COLUMNS = 588, COUNT = PLANES * COLUMNS, SPECS = 7, PLACE = 16 };
_Static_assert((int)COUNT <= (int)GROUP_COUNT, "there are as many numbers");

static void segment_specs(jr_spec specs[SPECS]) {
    static const jr_value initial = {JR_I64, {.i64 = -1000}};
    const jr_spec all[SPECS] = {
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .initial = &initial, .finish = "a * 2 + (long long)n"),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "b != 0 ? b : a", .identity = "0"),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .where = "x > 2", .map = "x * (long long)i",
                .map_type = JR_I64),
        JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_I32, .accuracy = JR_ACCURACY_EXACT), /* a state of many words */
    };
    memcpy(specs, all, sizeof all);
}

/* Planes of an array, of which device i has those from begins[i] on: an array cut along its first axis. */
typedef struct cut {
    dealt of;
    uint64_t begins[DEALT_DEVICES + 1];
    jr_segment_layout layouts[DEALT_DEVICES];
    uint64_t columns[DEALT_DEVICES]; /* the parts' counts */
    jr_group_parts parts;
    void *d_out[DEALT_DEVICES];
} cut;

static jr_segment_layout layout_of(uint64_t planes) {
    return JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = planes, .inner = COLUMNS);
}

static void cut_open(const opened *device, size_t count, const int32_t *data, cut *own) {
    static const uint64_t begins[] = {0, 7, 8, 30};
    dealt_open(device, count, &own->of);
    for (size_t i = 0; i < count; i++) own->begins[i] = begins[i];
    own->begins[count] = PLANES;
    for (size_t i = 0; i < count; i++) {
        jr_context *context = jr_group_context(own->of.group, i);
        const uint64_t planes = own->begins[i + 1] - own->begins[i], bytes = planes * COLUMNS * sizeof *data;
        works(jr_memory_new(context, bytes, &own->of.d_in[i]));
        works(jr_memory_write(context, own->of.d_in[i], data + own->begins[i] * COLUMNS, bytes));
        works(jr_memory_new(context, COLUMNS * PLACE, &own->d_out[i]));
        own->of.d_out[i] = NULL;
        own->of.arrays[i] = own->of.d_in[i];
        own->of.in[i] = &own->of.arrays[i];
        own->layouts[i] = layout_of(planes);
        own->columns[i] = COLUMNS;
    }
    own->parts = JR_INIT(jr_group_parts, .d_in = own->of.in, .counts = own->columns);
}

static void cut_close(cut *own) {
    for (size_t i = 0; i < own->of.count; i++) jr_memory_free(jr_group_context(own->of.group, i), own->d_out[i]);
    dealt_close(&own->of);
}

static void assert_all_have(const cut *own, const void *wanted, size_t bytes) {
    unsigned char found[COLUMNS * PLACE];
    for (size_t i = 0; i < own->of.count; i++) {
        works(jr_memory_read(jr_group_context(own->of.group, i), found, own->d_out[i], bytes));
        assert_memory_equal(found, wanted, bytes);
    }
}

static void reduce_whole(const opened *device, const jr_spec *spec, const int32_t *data, void *results) {
    const uint64_t sizes[] = {PLANES, COLUMNS};
    const jr_axis axis = JR_INIT(jr_axis, .shape = sizes, .dimensions = 2, .axis = 0);
    works(jr_work_run_host(device->context, WORK(spec, .axis = &axis), DATA(.in = FROM(data), .out = results)));
}

/* Three runs, as the memory that they fold into takes turns; one of fewer segments between. */
static void check(const cut *own, const jr_spec *spec, jr_allreduce_way way, const void *wanted) {
    const jr_allreduce_options options = JR_INIT(jr_allreduce_options, .way = way);
    jr_allreduce *made = NULL;
    if (way == JR_ALLREDUCE_NCCL && !dealt_has_nccl(&own->of)) return;
    works(jr_work_allreduce_create(own->of.group, WORK(spec, .layout = own->layouts), &options, &made));
    assert_int_equal(jr_allreduce_way_of(made), way);
    const size_t bytes = COLUMNS * jr_allreduce_result_bytes(made);
    assert_in_range(bytes, COLUMNS, COLUMNS * PLACE);
    for (int round = 0; round < 2; round++) {
        for (int run = 0; run < 3; run++) works(jr_allreduce_run(made, &own->parts, own->d_out));
        works(jr_allreduce_wait(made));
        assert_all_have(own, wanted, bytes);
    }
    jr_allreduce_destroy(made);
}

DEVICE_TEST(every_device_gets_the_results_of_all_segments) {
    static unsigned char wanted[COLUMNS * PLACE];
    jr_spec specs[SPECS];
    int32_t *data = group_numbers();
    segment_specs(specs);
    for (size_t count = 1; count <= dealt_devices(device); count++) {
        cut own;
        cut_open(device, count, data, &own);
        for (int s = 0; s < SPECS; s++) { /* of the sample each on one of these numbers of devices */
            if (!tests_take(s + (int)count, 4)) continue;
            reduce_whole(device, &specs[s], data, wanted);
            for (int w = 0; w < DEALT_WAYS; w++) check(&own, &specs[s], dealt_ways[w], wanted);
        }
        cut_close(&own);
    }
}

/* On streams of their own that do not wait for each other; the first one is late. Other segments follow at once. */
DEVICE_TEST(runs_follow_one_another_on_streams_that_do_not_wait) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    int64_t wanted[COLUMNS];
    int32_t *data = group_numbers();
    jr_stream streams[2];
    cut own;
    cut_open(device, 2, data, &own);
    reduce_whole(device, &sum, data, wanted);
    for (size_t i = 0; i < 2; i++)
        works(jr_stream_create(jr_group_context(own.of.group, i), JR_STREAM_NON_BLOCKING, &streams[i]));
    own.parts.streams = streams;
    for (int w = 0; w < DEALT_WAYS; w++) {
        const jr_allreduce_options options = JR_INIT(jr_allreduce_options, .way = dealt_ways[w]);
        uint64_t rows[] = {3, 3};
        jr_group_parts few = own.parts;
        jr_allreduce *made = NULL;
        few.counts = rows;
        if (dealt_ways[w] == JR_ALLREDUCE_NCCL && !dealt_has_nccl(&own.of)) continue;
        own.layouts[0] = own.layouts[1] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 100);
        works(jr_work_allreduce_create(own.of.group, WORK(&sum, .layout = own.layouts), &options, &made));
        for (uint64_t count = 1; count <= 3; count++) {
            rows[0] = rows[1] = count;
            works(jr_allreduce_run(made, &few, own.d_out));
        }
        works(jr_allreduce_wait(made));
        int64_t found[2][3] = {{0}};
        for (size_t i = 0; i < 2; i++)
            works(jr_memory_read(jr_group_context(own.of.group, i), found[i], own.d_out[i], sizeof found[i]));
        for (size_t r = 0; r < 3; r++) {
            int64_t of_row = 0;
            for (size_t e = 0; e < 100; e++) of_row += data[r * 100 + e] + data[own.begins[1] * COLUMNS + r * 100 + e];
            assert_int_equal(found[0][r], of_row);
            assert_int_equal(found[1][r], of_row);
        }
        jr_allreduce_destroy(made);
    }
    for (size_t i = 0; i < 2; i++) works(jr_stream_destroy(jr_group_context(own.of.group, i), streams[i]));
    cut_close(&own);
}

TEST(what_makes_no_sense_is_told_why) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32);
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    int32_t *data = group_numbers();
    jr_allreduce *made = NULL, *flat = NULL;
    cut own;
    cut_open(*state, 2, data, &own);
    own.layouts[1] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    fails(jr_work_allreduce_create(own.of.group, WORK(&sum, .layout = own.layouts), NULL, &made),
          JR_ERROR_NOT_APPLICABLE, "kind 2");
    own.layouts[1] = layout_of(PLANES - own.begins[1]);
    works(jr_work_allreduce_create(own.of.group, WORK(&sum, .layout = own.layouts), NULL, &made));
    assert_int_equal(jr_allreduce_way_of(made), JR_ALLREDUCE_PEERS);
    own.columns[1]--;
    fails(jr_allreduce_run(made, &own.parts, own.d_out), wrong, "587");
    own.columns[1]++;
    void *const crooked[] = {own.d_out[0], (char *)own.d_out[1] + 1};
    fails(jr_allreduce_run(made, &own.parts, crooked), wrong, "device 1 of the group");
    works(jr_work_allreduce_create(own.of.group, WORK(&sum), NULL, &flat));
    own.columns[0] = own.columns[1] = 0;
    works(jr_allreduce_run(made, &own.parts, own.d_out));
    works(jr_allreduce_wait(made));
    jr_allreduce_destroy(made);
    own.layouts[0] = own.layouts[1] = layout_of(0);
    own.columns[0] = own.columns[1] = COLUMNS;
    works(jr_work_allreduce_create(own.of.group, WORK(&least, .layout = own.layouts), NULL, &made));
    fails(jr_allreduce_run(made, &own.parts, own.d_out), JR_ERROR_EMPTY_INPUT, "min");
    jr_allreduce_destroy(made);
    jr_allreduce_destroy(flat);
    cut_close(&own);
}

/* ---- ranks ---- */

typedef struct data {
    const opened *device;
    const int32_t *numbers;
    int32_t *d_numbers;
    int64_t *d_out[RANKS_MAX], wanted[COLUMNS];
} data;

/* By the host: ranks in threads have no NCCL. The second rank has fewer segments once. */
static int reduce_columns(const jr_group_options *options, void *user) {
    static const uint64_t begins[] = {0, 7, 8, PLANES};
    const data *of = user;
    const size_t rank = (size_t)options->rank;
    const jr_spec least = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32);
    const jr_segment_layout layout = layout_of(begins[rank + 1] - begins[rank]);
    const jr_allreduce_options host = JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_HOST);
    const void *const arrays[] = {of->d_numbers + begins[rank] * COLUMNS};
    const void *const *const in[] = {arrays};
    const uint64_t counts[] = {COLUMNS}, fewer[] = {COLUMNS - (rank == 1)};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = counts),
                         other = JR_INIT(jr_group_parts, .d_in = in, .counts = fewer);
    void *const out[] = {of->d_out[rank]};
    int64_t found[COLUMNS];
    jr_group_options own = *options;
    jr_group *group = NULL;
    jr_allreduce *made = NULL;
    own.contexts = &of->device->context;
    own.context_count = 1;
    RANK_FAILS_UNLESS(jr_group_open(&own, &group) == JR_OK);
    RANK_FAILS_UNLESS(jr_work_allreduce_create(group, WORK(&least, .layout = &layout), &host, &made) == JR_OK);
    RANK_FAILS_UNLESS(jr_allreduce_run(made, &other, out) == JR_ERROR_RANKS_DIFFER);
    for (int run = 0; run < 3; run++) RANK_FAILS_UNLESS(jr_allreduce_run(made, &parts, out) == JR_OK);
    RANK_FAILS_UNLESS(jr_allreduce_wait(made) == JR_OK);
    RANK_FAILS_UNLESS(jr_memory_read(of->device->context, found, out[0], sizeof found) == JR_OK);
    RANK_FAILS_UNLESS(memcmp(found, of->wanted, sizeof found) == 0);
    jr_allreduce_destroy(made);
    jr_group_close(group);
    return 0;
}

TEST(every_rank_gets_the_results_of_all_segments) {
    int32_t *numbers = group_numbers();
    data of = {.device = *state, .numbers = numbers};
    of.d_numbers = device_new(*state, COUNT * sizeof *numbers);
    device_write(*state, of.d_numbers, numbers, COUNT * sizeof *numbers);
    for (int r = 0; r < RANKS_MAX; r++) of.d_out[r] = device_new(*state, sizeof of.wanted);
    reduce_whole(*state, &JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32), numbers, of.wanted);
    ranks_in_threads(RANKS_MAX, reduce_columns, NULL, &of);
    for (int r = 0; r < RANKS_MAX; r++) device_free(*state, of.d_out[r]);
    device_free(*state, of.d_numbers);
}

RUN_TESTS(stand_in_open_devices, stand_in_close_devices)
