/* Scan plans: what they refuse, scans in place, streams, graphs, workspaces, costs, counts beyond 2^32. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/scan_case.h"
#include "support/fixtures/plan_case.h"

static jr_spec with(jr_spec spec, jr_algorithm algorithm, int grid, jr_shared shared) {
    spec.algorithm = algorithm;
    spec.grid = grid;
    spec.shared = shared;
    return spec;
}

DEVICE_TEST(specs_that_cannot_be_scanned_are_told_why) {
    const jr_work_kind inclusive = JR_WORK_SCAN_INCLUSIVE, exclusive = JR_WORK_SCAN_EXCLUSIVE;
    static const jr_op list[] = {JR_OP_MIN, JR_OP_MAX};
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32),
                  both = JR_INIT(jr_spec, .ops = list, .op_count = 2, .type = JR_F32),
                  min = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32),
                  first = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32),
                  bits = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_F32),
                  two_pass = with(sum, JR_ALGORITHM_TWO_PASS, 0, JR_SHARED_AUTO),
                  wide = with(sum, JR_ALGORITHM_THREE_PASS, 1001, JR_SHARED_AUTO),
                  dynamic = with(sum, JR_ALGORITHM_AUTO, 0, JR_SHARED_DYNAMIC),
                  ring = with(sum, JR_ALGORITHM_BULK_COPY, 0, JR_SHARED_AUTO),
                  reduction = with(sum, JR_ALGORITHM_THREE_PASS, 0, JR_SHARED_AUTO), none = JR_INIT(jr_spec);
    jr_spec quick = sum, narrow = ring, wide_ring = ring;
    quick.max_launch_ms = 3;
    narrow.block = 96;
    wide_ring.block = 1024;
    wide_ring.unroll = 16;
    const struct {
        const jr_spec *spec;
        jr_work_kind kind;
        jr_status status;
        const char *why;
    } rows[] = {
        {&sum, (jr_work_kind)77, JR_ERROR_INVALID_ARGUMENT, "unknown kind of work"},
        {&none, inclusive, JR_ERROR_INVALID_ARGUMENT, "unknown operator 0"},
        {&both, inclusive, JR_ERROR_INVALID_ARGUMENT, "a list of 2 operators: a scan takes one"},
        {&bits, inclusive, JR_ERROR_UNSUPPORTED_TYPE, "xor does not take f32"},
        {&min, exclusive, JR_ERROR_EMPTY_INPUT, "exclusive scan of it has no first result: give an initial value"},
        {&first, exclusive, JR_ERROR_EMPTY_INPUT, "exclusive scan of it has no first result: scan inclusively"},
        {&two_pass, inclusive, JR_ERROR_NOT_APPLICABLE, "algorithm two_pass does not scan"},
        {&wide, inclusive, JR_ERROR_NOT_APPLICABLE,
         "a grid of 1001 blocks: algorithm three_pass has at most 1000 rows"},
        {&dynamic, inclusive, JR_ERROR_NOT_APPLICABLE, "static shared memory only"},
        {&quick, inclusive, JR_ERROR_NOT_APPLICABLE, "max_launch_ms 3: a scan is not split"},
        {&narrow, inclusive, JR_ERROR_NOT_APPLICABLE, "bulk_copy needs a block of 128 threads or more, not 96"},
        {&wide_ring, inclusive, JR_ERROR_NOT_APPLICABLE, "bulk_copy needs 3 tiles of 122880 bytes"},
    };
    jr_plan *plan = NULL;
    jr_value value = {0};
    float data[3] = {1, 2, 3}, out[3] = {7, 7, 7};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_work work = *WORK(rows[i].spec, .kind = rows[i].kind);
        fails(jr_work_plan_create(device->context, &work, &plan), rows[i].status, rows[i].why);
        fails(jr_work_run_host(device->context, &work, DATA(.in = FROM(data), .count = 3, .out = out)), rows[i].status,
              rows[i].why);
    }
    assert_null(plan);
    const jr_work scan = *WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE);
    fails(jr_work_run_host(device->context, &scan, DATA(.in = FROM(data), .count = 3)), rows[0].status, "output");
    fails(jr_work_run_host(device->context, &scan, DATA(.in = FROM(NULL), .count = 3, .out = out)), rows[0].status,
          "data[0] is NULL, but the count is 3");
    fails(jr_reduce_host(device->context, &reduction, data, 3, &value), JR_ERROR_NOT_APPLICABLE,
          "algorithm three_pass is for scans");
    assert_true(out[0] == 7 && out[1] == 7 && out[2] == 7);
    works(jr_work_run_host(device->context, &scan, DATA(.in = FROM(NULL))));
    works(jr_work_run_host(device->context, &scan, DATA(.in = FROM(data), .count = 3, .out = out)));
    assert_true(out[0] == 1 && out[1] == 3 && out[2] == 6);
}

DEVICE_TEST(wave_has_as_many_blocks_as_tiles) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_WAVE, .grid = 5);
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE), &plan),
          JR_ERROR_NOT_APPLICABLE, "wave needs a scan without a grid");
    assert_null(plan);
}

DEVICE_TEST(places_that_would_be_overwritten_are_refused) {
    enum { COUNT = 1000 };
    const jr_spec wide = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32),
                  same = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_U32);
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    uint32_t *d_data = iota_new(device, 4 * COUNT), one = 0;
    jr_plan *plan = scan_plan(device, &wide, JR_WORK_SCAN_INCLUSIVE);
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .count = COUNT, .out = d_data), NULL, NULL), wrong,
          "overlap the input");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_data + 2 * COUNT - 1), .count = COUNT, .out = d_data), NULL, NULL),
          wrong, "overlap the input");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .count = COUNT, .out = d_data + COUNT - 2), NULL, NULL),
          wrong, "overlap the input");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .count = COUNT, .out = NULL), NULL, NULL), wrong,
          "output address");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .count = COUNT, .out = d_data + COUNT + 1), NULL, NULL),
          wrong, "output address");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .count = UINT64_MAX / 8, .out = d_data), NULL, NULL), wrong,
          "beyond the address space");
    works(jr_work_plan_run(plan, DATA(.in = FROM(NULL), .count = 0, .out = NULL), NULL, NULL));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_data + 2 * COUNT), .count = COUNT, .out = d_data), NULL, NULL));
    jr_plan_destroy(plan);
    plan = scan_plan(device, &same, JR_WORK_SCAN_INCLUSIVE);
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .count = COUNT, .out = d_data + 1), NULL, NULL), wrong,
          "overlap the input");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_data + 1), .count = COUNT, .out = d_data), NULL, NULL), wrong,
          "overlap the input");
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .count = COUNT, .out = d_data), NULL, NULL));
    jr_plan_destroy(plan);
    device_read(device, &one, d_data + 3 * COUNT, sizeof one);
    assert_int_equal(one, 3 * COUNT);
}

static void try_in_place(const opened *device, jr_algorithm algorithm) {
    enum { COUNT = 50001 };
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_U32, .algorithm = algorithm,
                .grid = algorithm == JR_ALGORITHM_SINGLE_PASS || algorithm == JR_ALGORITHM_BULK_COPY ? 6 : 0);
    uint32_t *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT, sizeof *results);
    uint32_t *d_data = device_new(device, (COUNT + 3) * sizeof *d_data);
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_EXCLUSIVE);
    uint64_t seed = 31;
    for (int i = 0; i < COUNT; i++) data[i] = (uint32_t)random_bits(&seed);
    for (int shift = 0; shift < 4; shift++) {
        uint32_t bits = 0;
        device_write(device, d_data + shift, data, COUNT * sizeof *data);
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_data + shift), .count = COUNT, .out = d_data + shift), NULL,
                               NULL));
        device_read(device, results, d_data + shift, COUNT * sizeof *data);
        for (int i = 0; i < COUNT; i++, bits ^= data[i - 1]) assert_int_equal(results[i], bits);
    }
    jr_plan_destroy(plan);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = data)));
    assert_memory_equal(data, results, COUNT * sizeof *data);
}

TEST(results_may_lie_upon_the_input) {
    try_in_place(*state, JR_ALGORITHM_SINGLE_PASS);
    try_in_place(*state, JR_ALGORITHM_BULK_COPY);
    try_in_place(*state, JR_ALGORITHM_WAVE);
    try_in_place(*state, JR_ALGORITHM_ONE_BLOCK);
}

/* Two runs, replayed over changing data. */
static void try_graph(const opened *device, jr_algorithm algorithm) {
    const jr_driver *driver = &device->driver;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = algorithm, .block = 128);
    uint32_t *d_in = device_new(device, MOST * sizeof *d_in);
    uint64_t *d_out = device_new(device, 2 * MOST * sizeof *d_out);
    jr_stream stream = stream_new(device);
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE);
    graph_begin(device, stream);
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = MOST, .out = d_out), NULL, stream));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in + 1), .count = 1001, .out = d_out + MOST), NULL, stream));
    jr_cu_graph_exec graph = graph_end(device, stream);
    for (unsigned turn = 1; turn <= 4; turn++) {
        drives(driver->cuMemsetD32Async(device_address(d_in), turn, MOST, stream));
        drives(driver->cuGraphLaunch(graph, stream));
        stream_wait(device, stream);
        assert_int_equal(word_read(device, d_out), turn);
        assert_int_equal(word_read(device, d_out + MOST / 2), turn * (MOST / 2 + 1));
        assert_int_equal(word_read(device, d_out + MOST - 1), (uint64_t)turn * MOST);
        assert_int_equal(word_read(device, d_out + MOST + 1000), (uint64_t)turn * 1001);
    }
    graph_free(device, graph);
    jr_plan_destroy(plan);
    stream_free(device, stream);
}

TEST(a_captured_scan_replays_many_times) {
    try_graph(*state, JR_ALGORITHM_SINGLE_PASS);
    try_graph(*state, JR_ALGORITHM_THREE_PASS);
    try_graph(*state, JR_ALGORITHM_BULK_COPY);
    try_graph(*state, JR_ALGORITHM_WAVE);
}

static void try_streams(const opened *device, jr_algorithm algorithm) {
    enum { STREAMS = 2, RUNS = 10 };
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = algorithm, .block = 128, .grid = 100);
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, STREAMS * MOST * sizeof *d_out);
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_EXCLUSIVE);
    jr_stream streams[STREAMS];
    void *workspaces[STREAMS];
    assert_true(jr_plan_workspace_bytes(plan) >= 100 * sizeof(uint64_t));
    for (int s = 0; s < STREAMS; s++) {
        streams[s] = stream_new(device);
        workspaces[s] = workspace_new(device, plan, streams[s]);
    }
    for (int i = 0; i < RUNS; i++)
        for (int s = 0; s < STREAMS; s++)
            works(jr_work_plan_run(
                plan, DATA(.in = FROM(d_in + s), .count = (uint64_t)(MOST - s - i), .out = d_out + s * MOST),
                workspaces[s], streams[s]));
    for (int s = 0; s < STREAMS; s++) {
        const uint64_t last = (uint64_t)(MOST - s - RUNS);
        stream_wait(device, streams[s]);
        assert_int_equal(word_read(device, d_out + s * MOST + last), iota_sum(last + (uint64_t)s));
        stream_free(device, streams[s]);
        device_free(device, workspaces[s]);
    }
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

TEST(two_streams_at_once_need_only_a_workspace_each) {
    try_streams(*state, JR_ALGORITHM_SINGLE_PASS);
    try_streams(*state, JR_ALGORITHM_BULK_COPY);
}

/* three_pass: read twice and written once, and four small trips of a sum for each row. */
DEVICE_TEST(a_run_tells_its_launches_and_the_bytes_that_it_moves) {
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_U32, .algorithm = JR_ALGORITHM_THREE_PASS, .block = 64, .grid = 5);
    uint32_t *d_data = iota_new(device, MOST);
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE);
    jr_run_cost cost = JR_INIT(jr_run_cost);
    jr_stats stats = JR_INIT(jr_stats);
    jr_kernel *kernel = NULL;
    works(jr_plan_stats(plan, &stats));
    assert_int_equal(stats.algorithm, JR_ALGORITHM_THREE_PASS);
    assert_string_equal(jr_algorithm_name(stats.algorithm), "three_pass");
    assert_int_equal(stats.grid, 5);
    assert_int_equal(stats.launches, 3);
    assert_int_equal(jr_plan_kernel_count(plan), 3);
    works(jr_plan_kernel(plan, 0, &kernel));
    assert_string_equal(jr_kernel_name(kernel), "jr_scan_three_pass_results");
    works(jr_plan_time(plan, FROM(d_data), MOST, d_data, 2, &cost));
    assert_int_equal(cost.launches, 3);
    assert_int_equal(cost.moved_bytes, 3 * MOST * sizeof *d_data + 4 * 5 * sizeof *d_data);
    jr_plan_destroy(plan);
    const jr_spec narrow =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_U32, .algorithm = JR_ALGORITHM_THREE_PASS, .grid = 1);
    plan = scan_plan(device, &narrow, JR_WORK_SCAN_INCLUSIVE);
    works(jr_plan_time(plan, FROM(d_data), 100, d_data, 1, &cost));
    assert_int_equal(cost.launches, 1);
    assert_int_equal(cost.moved_bytes, 2 * 100 * sizeof *d_data);
    jr_plan_destroy(plan);
}

DEVICE_TEST(every_element_beyond_2_32_has_its_result) {
    const uint64_t count = (1ull << 32) + 3, one = 5;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_U8);
    static const uint64_t places[] = {(1ull << 31) - 1, 1ull << 31, (1ull << 32) - 1, 1ull << 32, (1ull << 32) + 2};
    if (device->info.simulated || device_free_bytes(device) < count + (1ull << 28))
        skip_because("%llu elements of u8 need 4 GiB of device memory, and %s\n", (unsigned long long)count,
                     device->info.simulated ? "the simulator would take them from the host" : "less is free");
    uint8_t *d_data = device_new(device, count), before = 0, at = 0;
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        drives(device->driver.cuMemsetD8_v2(device_address(d_data), 1, count));
        device_write(device, d_data + places[i], &one, 1);
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .count = count, .out = d_data), NULL, NULL));
        device_read(device, &before, d_data + places[i] - 1, 1);
        device_read(device, &at, d_data + places[i], 1);
        assert_int_equal(before, 1);
        assert_int_equal(at, 5);
        device_read(device, &at, d_data + count - 1, 1);
        assert_int_equal(at, 5);
    }
    jr_plan_destroy(plan);
}

RUN_TESTS(open_context, close_context)
