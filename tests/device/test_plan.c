/* Plans: streams, workspaces, graphs, and the arguments that a run refuses. */
#include "support/fakes/allocations.h"
#include "support/fixtures/plan_case.h"

#include <string.h>

DEVICE_TEST(a_plan_tells_what_it_is) {
    jr_value initial = {JR_I64, {.i64 = 5}};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = JR_ALGORITHM_TWO_PASS, .unroll = 3,
                           .block = 96, .grid = 7, .initial = &initial);
    jr_stats stats = JR_INIT(jr_stats);
    jr_kernel *kernel = NULL;
    jr_plan *plan = plan_held(device, WORK(&spec));
    memset(&spec, 0xff, sizeof spec); /* the spec and its initial are copied */
    initial = (jr_value){JR_F32, {.f32 = -1}};
    works(jr_plan_stats(plan, &stats));
    assert_int_equal(stats.algorithm, JR_ALGORITHM_TWO_PASS);
    assert_int_equal(stats.unroll, 3);
    assert_int_equal(stats.block, 96);
    assert_int_equal(stats.grid, 7);
    assert_int_equal(stats.launches, 2);
    assert_int_not_equal(stats.origin, JR_ORIGIN_NONE);
    assert_int_equal(jr_plan_result_type(plan), JR_I64);
    assert_true(jr_plan_workspace_bytes(plan) >= 7 * 8);
    assert_true(jr_plan_kernel_count(plan) >= 1);
    works(jr_plan_kernel(plan, 0, &kernel));
    assert_string_equal(jr_kernel_name(kernel), "jr_reduce_two_pass");
    fails(jr_plan_kernel(plan, jr_plan_kernel_count(plan), &kernel), JR_ERROR_INVALID_ARGUMENT, "is out of range");
    assert_int_equal(plan_value(device, plan, NULL, 0).as.i64, 5);
    jr_plan_destroy(NULL);
    assert_int_equal(jr_plan_result_type(NULL), JR_TYPE_NONE);
    assert_int_equal(jr_plan_workspace_bytes(NULL), 0);
    assert_int_equal(jr_plan_kernel_count(NULL), 0);
}

/* A slow copy precedes the run on the same stream: a run that did not wait for its stream would see the old data. */
DEVICE_TEST(a_run_takes_its_turn_on_the_callers_stream) {
    uint32_t *d_in = device_new(device, MOST * sizeof *d_in);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    jr_stream stream = stream_new(device);
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        for (unsigned turn = 1; turn <= 5; turn++) {
            drives(device->driver.cuMemsetD32Async(device_address(d_in), turn, MOST, stream));
            works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = MOST, .out = d_out), NULL, stream));
            drives(device->driver.cuMemsetD32Async(device_address(d_in), 1000, MOST, stream));
            stream_wait(device, stream);
            assert_int_equal(word_read(device, d_out), (uint64_t)turn * MOST);
        }
        jr_plan_destroy(plan);
    }
    stream_free(device, stream);
}

DEVICE_TEST(many_runs_in_a_row_share_the_plans_workspace) {
    enum { RUNS = 20 };
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, RUNS * sizeof *d_out), out[RUNS], counts[RUNS], seed = 3;
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        for (int i = 0; i < RUNS; i++) {
            counts[i] = random_below(&seed, i % 2 == 0 ? MOST : 3000);
            works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = counts[i], .out = d_out + i), NULL, NULL));
        }
        device_read(device, out, d_out, sizeof out);
        for (int i = 0; i < RUNS; i++) assert_int_equal(out[i], iota_sum(counts[i]));
        jr_plan_destroy(plan);
    }
}

DEVICE_TEST(two_streams_at_once_need_only_a_workspace_each) {
    enum { STREAMS = 2, RUNS = 10 };
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, STREAMS * RUNS * sizeof *d_out), out[STREAMS][RUNS];
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        jr_stream streams[STREAMS];
        void *workspaces[STREAMS];
        for (int s = 0; s < STREAMS; s++) {
            streams[s] = stream_new(device);
            workspaces[s] = workspace_new(device, plan, streams[s]);
        }
        for (int i = 0; i < RUNS; i++)
            for (int s = 0; s < STREAMS; s++)
                works(jr_work_plan_run(
                    plan, DATA(.in = FROM(d_in), .count = MOST - (uint64_t)(1000 * i + s), .out = d_out + s * RUNS + i),
                    workspaces[s], streams[s]));
        for (int s = 0; s < STREAMS; s++) stream_wait(device, streams[s]);
        device_read(device, out, d_out, sizeof out);
        for (int i = 0; i < RUNS; i++)
            for (int s = 0; s < STREAMS; s++) assert_int_equal(out[s][i], iota_sum(MOST - (uint64_t)(1000 * i + s)));
        for (int s = 0; s < STREAMS; s++) {
            stream_free(device, streams[s]);
            device_free(device, workspaces[s]);
        }
        jr_plan_destroy(plan);
    }
}

/* Captures two consecutive runs, and replays them over changing data. */
DEVICE_TEST(a_captured_run_replays_many_times) {
    const jr_driver *driver = &device->driver;
    uint32_t *d_in = device_new(device, MOST * sizeof *d_in);
    uint64_t *d_out = device_new(device, 2 * sizeof *d_out);
    jr_stream stream = stream_new(device);
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        graph_begin(device, stream);
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = MOST, .out = d_out), NULL, stream));
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in + 1), .count = 1001, .out = d_out + 1), NULL, stream));
        jr_cu_graph_exec graph = graph_end(device, stream);
        for (unsigned turn = 1; turn <= 6; turn++) {
            drives(driver->cuMemsetD32Async(device_address(d_in), turn, MOST, stream));
            drives(driver->cuGraphLaunch(graph, stream));
            stream_wait(device, stream);
            assert_int_equal(word_read(device, d_out), (uint64_t)turn * MOST);
            assert_int_equal(word_read(device, d_out + 1), (uint64_t)turn * 1001);
        }
        graph_free(device, graph);
        jr_plan_destroy(plan);
    }
    stream_free(device, stream);
}

DEVICE_TEST(a_run_allocates_no_device_memory) {
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    long workspaces = 0;
    FOR_EACH_ALGORITHM(algorithm) {
        allocations_watch(device);
        jr_plan *plan = sum_plan(device, algorithm);
        workspaces += allocations_seen().made;
        allocations_watch(device);
        for (int i = 0; i < 8; i++)
            works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = (uint64_t)MOST - (uint64_t)i, .out = d_out),
                                   NULL, NULL));
        stream_wait(device, NULL);
        assert_int_equal(allocations_seen().made, 0);
        jr_plan_destroy(plan);
    }
    assert_true(workspaces > 0); /* those of plans are counted */
}

DEVICE_TEST(wrong_arguments_are_named_and_change_nothing) {
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    uint32_t *d_in = iota_new(device, 100);
    uint64_t *d_out = device_new(device, 2 * sizeof *d_out);
    char *in = (char *)d_in, *out = (char *)d_out;
    jr_plan *plan = sum_plan(device, JR_ALGORITHM_SINGLE_PASS), *none = NULL;
    drives(device->driver.cuMemsetD8_v2(device_address(d_out), 0x77, 2 * sizeof *d_out));
    fails(jr_work_plan_create(NULL, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32)), &none), wrong, "is NULL");
    fails(jr_work_plan_create(device->context, WORK(NULL), &none), wrong, "is NULL");
    fails(jr_work_plan_create(device->context, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .block = 33)),
                              &none),
          wrong, "block of 33");
    assert_null(none);
    fails(jr_work_plan_run(NULL, DATA(.in = FROM(d_in), .count = 1, .out = d_out), NULL, NULL), wrong, "plan is NULL");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(NULL), .count = 1, .out = d_out), NULL, NULL), wrong,
          "d_in is NULL, but the count is 1");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(in + 2), .count = 1, .out = d_out), NULL, NULL), wrong,
          "the address of input 0");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = 1, .out = NULL), NULL, NULL), wrong, "output address");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = 1, .out = out + 4), NULL, NULL), wrong,
          "output address");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = 1, .out = d_out), out + 8, NULL), wrong,
          "workspace address");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = UINT64_MAX / 2, .out = d_out), NULL, NULL), wrong,
          "9223372036854775807 elements");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = UINT64_MAX / 4, .out = d_out), NULL, NULL), wrong,
          "beyond the address space");
    fails(jr_plan_workspace_prepare(plan, NULL, NULL), wrong, "is NULL");
    fails(jr_plan_workspace_prepare(plan, in + 8, NULL), wrong, "workspace address");
    stream_wait(device, NULL);
    assert_int_equal(word_read(device, d_out), 0x7777777777777777);
    assert_int_equal(plan_value(device, plan, d_in, 100).as.u64, iota_sum(100));
    jr_plan_destroy(plan);
    const jr_spec min = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_U32);
    works(jr_work_plan_create(device->context, WORK(&min), &plan));
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = 0, .out = d_out), NULL, NULL), JR_ERROR_EMPTY_INPUT,
          "min of no elements");
    assert_int_equal(plan_value(device, plan, d_in + 7, 3).as.u32, 7);
    jr_plan_destroy(plan);
}

DEVICE_TEST(the_input_may_be_mapped_host_memory) {
    void *host = NULL;
    jr_cu_deviceptr mapped = 0;
    drives(device->driver.cuMemHostAlloc(&host, MOST * sizeof(uint32_t), JR_CU_HOST_DEVICE_MAP));
    drives(device->driver.cuMemHostGetDevicePointer_v2(&mapped, host, 0));
    uint32_t *words = host;
    for (uint32_t i = 0; i < MOST; i++) words[i] = i;
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        const void *d_in = (const void *)(uintptr_t)mapped;
        assert_int_equal(plan_value(device, plan, d_in, MOST).as.u64, iota_sum(MOST));
        words[5] += 1000; /* read again each time */
        assert_int_equal(plan_value(device, plan, d_in, MOST).as.u64, iota_sum(MOST) + 1000);
        words[5] -= 1000;
        jr_plan_destroy(plan);
    }
    drives(device->driver.cuMemFreeHost(host));
}

RUN_TESTS(open_context, close_context)
