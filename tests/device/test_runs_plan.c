/* Plans of runs of equal keys: more tiles than slots, bits that no grid changes, graphs, streams, refusals. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/run_case.h"

static jr_plan *plan_of(const opened *device, const jr_spec *spec, const segment_case *runs) {
    jr_plan *plan = NULL;
    works(jr_work_plan_create(device->context, WORK(spec, .layout = &runs->layout), &plan));
    return plan;
}

/* Tiles of 128 elements; room for the totals of 32 where the capacity says so. */
static jr_spec small_tiles(int grid, uint64_t capacity) {
    return JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 32, .unroll = 1, .grid = grid,
                   .capacity = capacity);
}

/* The same by bulk copies, on devices that have them: squads of 32 threads, room for the totals of 64 tiles. */
static jr_spec small_ring(const opened *device, int grid, uint64_t capacity) {
    jr_spec spec = small_tiles(grid, capacity);
    if (device->info.capability_major < 9) return spec;
    spec.algorithm = JR_ALGORITHM_BULK_COPY;
    spec.block = 128;
    return spec;
}

DEVICE_TEST(more_tiles_than_slots_go_on_with_the_open_run) {
    const jr_spec specs[] = {small_tiles(0, 128), small_ring(device, 0, 128)};
    static const uint64_t most[] = {2, 300, 30000};
    uint64_t seed = 1;
    for (int m = 0; m < 3; m++) {
        segment_case runs = segments_runs(JR_I32, 60000 / most[m], most[m], &seed);
        runs.input_shift = (uint64_t)m;
        for (int s = 0; s < 2; s++) segments_judge(device, &specs[s], &runs, &seed);
    }
}

static float *random_floats(uint64_t count, uint64_t *seed) {
    float *data = test_zeros(count, sizeof *data);
    for (uint64_t i = 0; i < count; i++) data[i] = (float)random_bits(seed) / 1e15f;
    return data;
}

typedef jr_spec make_spec(const opened *device, int grid, uint64_t capacity);

static jr_spec small_default(const opened *device, int grid, uint64_t capacity) {
    (void)device;
    return small_tiles(grid, capacity);
}

static void has_the_same_bits(const opened *device, make_spec *make) {
    uint64_t seed = 2;
    segment_case runs = segments_runs(JR_I32, 40, 900, &seed);
    float *data = random_floats(runs.elements, &seed);
    const jr_spec spec = make(device, 1, 0);
    unsigned char *first = segments_run(device, &spec, &runs, data);
    for (int grid = 2; grid < 40; grid += 6) {
        const jr_spec other = make(device, grid, grid % 12 == 2 ? 128 : 0);
        unsigned char *got = segments_run(device, &other, &runs, data);
        assert_memory_equal(first, got, runs.count * sizeof(float));
    }
}

TEST(the_bits_of_float_sums_are_the_same_in_every_grid_and_workspace) {
    has_the_same_bits(*state, small_default);
    has_the_same_bits(*state, small_ring);
}

/* What a graph has captured runs over what is there when it is launched. */
DEVICE_TEST(a_captured_run_counts_anew_every_time) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 64, .unroll = 1);
    uint64_t seed = 3;
    segment_case runs = segments_runs(JR_U8, 700, 12, &seed), none = runs;
    float *data = random_floats(runs.elements, &seed);
    jr_stream stream = stream_new(device);
    jr_plan *plan = plan_of(device, &spec, &runs);
    run_arrays arrays = run_arrays_new(device, plan, &runs, &spec, data);
    unsigned char *first = NULL;
    graph_begin(device, stream);
    works(jr_work_plan_run(plan, DATA_OF(arrays.segments, FROM(arrays.in), arrays.out), NULL, stream));
    jr_cu_graph_exec graph = graph_end(device, stream);
    for (int turn = 0; turn < 3; turn++) {
        run_arrays_clear(device, &arrays, &runs);
        drives(device->driver.cuGraphLaunch(graph, stream));
        stream_wait(device, stream);
        unsigned char *got = run_arrays_read(device, &arrays, &runs);
        if (turn == 0) first = got;
        assert_memory_equal(first, got, runs.count * sizeof(float));
    }
    none.count = 1; /* with keys that are all the same there is one */
    drives(device->driver.cuMemsetD8_v2(device_address(arrays.segments.keys), none.keys[0], runs.elements));
    run_arrays_clear(device, &arrays, &runs);
    drives(device->driver.cuGraphLaunch(graph, stream));
    stream_wait(device, stream);
    run_arrays_read(device, &arrays, &none);
    graph_free(device, graph);
    run_arrays_free(device, &arrays);
    jr_plan_destroy(plan);
    stream_free(device, stream);
}

DEVICE_TEST(two_streams_at_once_need_only_a_workspace_each) {
    enum { STREAMS = 2, RUNS = 6 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 64, .grid = 50);
    uint64_t seed = 4;
    segment_case cases[STREAMS] = {segments_runs(JR_I16, 5000, 4, &seed), segments_runs(JR_I16, 50, 400, &seed)};
    jr_plan *plan = plan_of(device, &spec, &cases[0]);
    run_arrays arrays[STREAMS];
    jr_stream streams[STREAMS];
    void *workspaces[STREAMS];
    for (int s = 0; s < STREAMS; s++) {
        float *data = random_floats(cases[s].elements, &seed);
        arrays[s] = run_arrays_new(device, plan, &cases[s], &spec, data);
        streams[s] = stream_new(device);
        workspaces[s] = workspace_new(device, plan, streams[s]);
    }
    for (int i = 0; i < RUNS; i++)
        for (int s = 0; s < STREAMS; s++)
            works(jr_work_plan_run(plan, DATA_OF(arrays[s].segments, FROM(arrays[s].in), arrays[s].out), workspaces[s],
                                   streams[s]));
    for (int s = 0; s < STREAMS; s++) {
        stream_wait(device, streams[s]);
        run_arrays_read(device, &arrays[s], &cases[s]);
        run_arrays_free(device, &arrays[s]);
        stream_free(device, streams[s]);
        device_free(device, workspaces[s]);
    }
    jr_plan_destroy(plan);
}

DEVICE_TEST(keys_and_counts_of_runs_are_written_only_where_they_are_asked_for) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    uint64_t seed = 5, got = 0;
    segment_case runs = segments_runs(JR_I64, 100, 3, &seed);
    float *data = random_floats(runs.elements, &seed);
    jr_plan *plan = plan_of(device, &spec, &runs);
    run_arrays arrays = run_arrays_new(device, plan, &runs, &spec, data);
    jr_work_data segments = arrays.segments;
    segments.run_keys = NULL;
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(arrays.in), arrays.out), NULL, NULL));
    device_read(device, &got, arrays.segments.run_keys, sizeof got);
    assert_true(got == UINT64_C(0xA5A5A5A5A5A5A5A5));
    device_read(device, &got, segments.run_count, sizeof got);
    assert_int_equal(got, 100);
    run_arrays_clear(device, &arrays, &runs);
    segments.run_count = NULL;
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(arrays.in), arrays.out), NULL, NULL));
    device_read(device, &got, arrays.segments.run_count, sizeof got);
    assert_true(got == UINT64_C(0xA5A5A5A5A5A5A5A5));
    run_arrays_free(device, &arrays);
    jr_plan_destroy(plan);
}

DEVICE_TEST(the_number_of_runs_is_a_value_in_host_memory) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    uint64_t seed = 6;
    segment_case runs = segments_runs(JR_I16, 700, 5, &seed);
    jr_plan *plan = plan_of(device, &spec, &runs);
    run_arrays arrays = run_arrays_new(device, plan, &runs, &spec, random_floats(runs.elements, &seed));
    jr_work_data segments = arrays.segments;
    jr_value number;
    segments.values = &number;
    fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(arrays.in), arrays.out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "data->values and data->run_count are both set");
    segments.run_count = NULL;
    for (int turn = 0; turn < 3; turn++) {
        const uint64_t count = turn == 1 ? 0 : runs.count;
        number = (jr_value){.type = JR_TYPE_NONE};
        segments.count = turn == 1 ? 0 : runs.elements;
        works(jr_work_plan_run(plan, DATA_OF(segments, FROM(arrays.in), arrays.out), NULL, NULL));
        assert_int_equal(number.type, JR_U64);
        assert_int_equal(number.as.u64, count);
    }
    device_write(device, arrays.segments.run_count, &runs.count, sizeof runs.count);
    run_arrays_read(device, &arrays, &runs);
    run_arrays_free(device, &arrays);
    jr_plan_destroy(plan);
}

DEVICE_TEST(what_no_run_can_write_is_refused) {
    enum { COUNT = 40 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  named = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = JR_ALGORITHM_SINGLE_PASS);
    const jr_segment_layout keyless = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS),
                            keys = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I16);
    char *room = device_new(device, 4096), *d_in = room, *d_keys = room + 512, *d_out = room + 1024,
         *d_run_keys = room + 2048, *d_count = room + 3072;
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &keyless), &plan), JR_ERROR_UNSUPPORTED_TYPE,
          "keys of type 0");
    fails(jr_work_plan_create(device->context, WORK(&named, .layout = &keys), &plan), JR_ERROR_NOT_APPLICABLE,
          "spec.algorithm (1)");
    assert_null(plan);
    works(jr_work_plan_create(device->context, WORK(&spec, .layout = &keys), &plan));
    const struct {
        const void *in, *keys, *out, *run_keys, *run_count;
        const char *why;
    } cases[] = {
        {NULL, d_keys, d_out, d_run_keys, d_count, "d_in is NULL, but the count"},
        {d_in, NULL, d_out, d_run_keys, d_count, "keys is NULL"},
        {d_in, d_keys, NULL, d_run_keys, d_count, "output address"},
        {d_in, d_keys + 1, d_out, d_run_keys, d_count, "aligned to 2"},
        {d_in, d_keys, d_out, d_run_keys + 1, d_count, "the keys of runs, "},
        {d_in, d_keys, d_out, d_run_keys, d_count + 4, "the count of runs, "},
        {d_in, d_keys, d_in + 8, d_run_keys, d_count, "the results at"},
        {d_in, d_keys, d_keys, d_run_keys, d_count, "overlap the keys"},
        {d_in, d_keys, d_out, d_keys + 2 * COUNT - 2, d_count, "the keys of runs at"},
        {d_in, d_keys, d_out, d_in, d_count, "overlap the input"},
        {d_in, d_keys, d_out, d_out + 2, d_count, "overlap the keys of runs"},
        {d_in, d_keys, d_out, d_run_keys, d_in, "the count of runs at"},
        {d_in, d_keys, d_out, d_run_keys, d_out, "overlap the count of runs"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const jr_work_data segments = JR_INIT(jr_work_data, .keys = cases[c].keys, .count = COUNT,
                                              .run_keys = (void *)(uintptr_t)cases[c].run_keys,
                                              .run_count = (uint64_t *)(uintptr_t)cases[c].run_count);
        fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(cases[c].in), (void *)(uintptr_t)cases[c].out), NULL, NULL),
              JR_ERROR_INVALID_ARGUMENT, cases[c].why);
    }
    jr_value value;
    const jr_work_data offsets = JR_INIT(jr_work_data, .keys = d_keys, .count = 4, .offsets = (uint64_t *)(void *)room);
    fails(jr_work_plan_run(plan, DATA_OF(offsets, FROM(d_in), d_out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "leave offsets NULL");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .out = d_out), room + 4, NULL), JR_ERROR_INVALID_ARGUMENT,
          "workspace");
    fails(jr_plan_value(plan, FROM(d_in), 4, NULL, &value), JR_ERROR_INVALID_ARGUMENT,
          "this plan is of segments: run it with jr_work_plan_run");
    jr_plan_destroy(plan);
}

static bool takes_the_ring(const opened *device, jr_type type, uint64_t capacity) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .capacity = capacity);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    jr_stats stats = JR_INIT(jr_stats);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
    works(jr_plan_stats(plan, &stats));
    return stats.algorithm == JR_ALGORITHM_BULK_COPY;
}

DEVICE_TEST(many_elements_go_through_the_ring) {
    const bool has_ring = device->info.capability_major >= 9;
    enum { MiB = 1 << 20 };
    assert_false(takes_the_ring(device, JR_F32, MiB - 1));
    assert_int_equal(takes_the_ring(device, JR_F32, MiB), has_ring);
    assert_false(takes_the_ring(device, JR_F64, MiB / 2 - 1));
    assert_int_equal(takes_the_ring(device, JR_F64, MiB / 2), has_ring);
    assert_int_equal(takes_the_ring(device, JR_F32, 0), has_ring); /* not known */
    assert_false(takes_the_ring(device, JR_I32, 4 * MiB));         /* results are wider than elements */
}

RUN_TESTS(open_context, close_context)
