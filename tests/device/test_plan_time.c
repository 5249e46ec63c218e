/* What a plan reports about its cost: times, launches, bytes moved, and how its kernels are launched. */
#include "support/fixtures/plan_case.h"

TEST(arguments_that_are_wrong_are_named) {
    const opened *device = *state;
    jr_plan *plan = sum_plan(device, JR_ALGORITHM_TWO_PASS);
    uint32_t *d_in = iota_new(device, 100);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    const void *arrays[] = {d_in};
    jr_run_cost cost = JR_INIT(jr_run_cost, .launches = 77);
    jr_launch launch = JR_INIT(jr_launch, .shared_bytes = 77);
    fails(jr_plan_time(NULL, arrays, 100, d_out, 1, &cost), JR_ERROR_INVALID_ARGUMENT, "plan is NULL");
    fails(jr_plan_time(plan, NULL, 100, d_out, 1, &cost), JR_ERROR_INVALID_ARGUMENT, "d_in is NULL");
    fails(jr_plan_time(plan, arrays, 100, d_out, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "cost is NULL");
    fails(jr_plan_time(plan, arrays, 100, d_out, 0, &cost), JR_ERROR_INVALID_ARGUMENT, "0 rounds");
    fails(jr_plan_time(plan, arrays, 100, NULL, 1, &cost), JR_ERROR_INVALID_ARGUMENT, "output address");
    fails(jr_plan_launch_get(plan, jr_plan_kernel_count(plan), &launch), JR_ERROR_INVALID_ARGUMENT, "is out of range");
    fails(jr_plan_launch_get(plan, 0, NULL), JR_ERROR_INVALID_ARGUMENT, "launch is NULL");
    assert_int_equal(cost.launches, 77);
    assert_int_equal(launch.shared_bytes, 77);
    jr_plan_destroy(plan);
    device_free(device, d_in);
    device_free(device, d_out);
}

TEST(a_measured_run_gives_the_value_and_its_cost) {
    const opened *device = *state;
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    const void *arrays[] = {d_in};
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        const uint64_t zero = 0;
        jr_run_cost cost = JR_INIT(jr_run_cost);
        device_write(device, d_out, &zero, sizeof zero);
        works(jr_plan_time(plan, arrays, MOST, d_out, 3, &cost));
        assert_int_equal(word_read(device, d_out), iota_sum(MOST));
        assert_true(cost.kernel_ms > 0 && cost.kernel_ms < 60000);
        assert_true(cost.launches >= 1);
        assert_true(cost.moved_bytes >= MOST * sizeof *d_in + sizeof *d_out);
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
    device_free(device, d_out);
}

TEST(partial_results_count_as_moved) {
    const opened *device = *state;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = JR_ALGORITHM_TWO_PASS, .grid = 5, .block = 64);
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    const void *arrays[] = {d_in};
    jr_plan *plan = NULL;
    jr_run_cost cost = JR_INIT(jr_run_cost);
    works(jr_plan_create(device->context, &spec, &plan));
    works(jr_plan_time(plan, arrays, MOST, d_out, 1, &cost));
    assert_int_equal(cost.launches, 2);
    assert_int_equal(cost.moved_bytes, MOST * sizeof *d_in + sizeof *d_out + 2 * 5 * sizeof(uint64_t));
    jr_plan_destroy(plan);
    device_free(device, d_in);
    device_free(device, d_out);
}

TEST(a_launch_tells_its_dynamic_shared_memory) {
    const opened *device = *state;
    for (jr_shared shared = JR_SHARED_STATIC; shared <= JR_SHARED_DYNAMIC; shared = (jr_shared)(shared + 1)) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .algorithm = JR_ALGORITHM_TWO_PASS,
                                     .grid = 3, .block = 96, .shared = shared);
        jr_plan *plan = NULL;
        jr_launch launch = JR_INIT(jr_launch);
        works(jr_plan_create(device->context, &spec, &plan));
        works(jr_plan_launch_get(plan, 0, &launch));
        assert_int_equal(launch.grid[0], 3);
        assert_int_equal(launch.block[0], 96);
        assert_int_equal(launch.shared_bytes, shared == JR_SHARED_DYNAMIC ? 96 * sizeof(double) : 0);
        jr_plan_destroy(plan);
    }
}

RUN_TESTS(open_context, close_context)
