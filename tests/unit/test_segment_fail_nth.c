/* Every allocation and driver call of a reduction of segments fails once, on the simulator: each failure has its
 * reason, nothing leaks, results stay as they were. */
/* link: fail_nth */
#include "support/fixtures/open_context.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/fakes/fail_nth.h"
#include "support/fakes/sim_faults.h"

/* In two steps: along the last axis, and along the first. */
static jr_status reduce_two_axes(const opened *device) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const uint64_t shape[] = {2, 3, 20};
    const int axes[] = {0, 2};
    const jr_axis axis = JR_INIT(jr_axis, shape, 3, .axes = axes, .axis_count = 2);
    int32_t host[120];
    int64_t results[3] = {-7, -7, -7};
    for (int i = 0; i < 120; i++) host[i] = i / 20 % 3;
    const jr_status status =
        jr_work_run_host(device->context, WORK(&spec, .axis = &axis), DATA(.in = FROM(host), .out = results));
    assert_int_equal(results[2], status == JR_OK ? 80 : -7);
    return status;
}

static jr_status reduce_by_key(const opened *device) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_U8);
    const uint8_t keys[] = {4, 4, 9};
    const int32_t host[] = {1, 2, 3};
    uint8_t found[3] = {0};
    uint64_t count = 0;
    int64_t results[3] = {-7, -7, -7};
    const jr_work_data segments =
        JR_INIT(jr_work_data, .keys = keys, .count = 3, .run_keys = found, .run_count = &count);
    const jr_status status =
        jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, FROM(host), results));
    assert_int_equal(results[0], status == JR_OK ? 3 : -7);
    assert_int_equal(found[1], status == JR_OK ? 9 : 0);
    assert_int_equal(count, status == JR_OK ? 2 : 0);
    return status;
}

static jr_status reduce_all(void *user) {
    const opened *device = user;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const uint64_t offsets[] = {0, 2, 2, 5}, shape[] = {2, 3};
    const int32_t host[] = {1, 2, 3, 4, 5, 6};
    const void *data[] = {host};
    int64_t results[3] = {-7, -7, -7};
    jr_status status = jr_work_run_host(device->context, WORK(&spec, .layout = &ragged),
                                        DATA(.in = data, .segments = 3, .offsets = offsets, .out = results));
    assert_int_equal(results[0], status == JR_OK ? 3 : -7);
    assert_int_equal(results[2], status == JR_OK ? 12 : -7);
    if (status != JR_OK) return status;
    status = jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 2, 0)),
                              DATA(.in = data, .out = results));
    assert_int_equal(results[1], status == JR_OK ? 7 : 0);
    if (status == JR_OK) status = reduce_by_key(device);
    return status == JR_OK ? reduce_two_axes(device) : status;
}

TEST(every_allocation_may_fail) {
    opened *device = *state;
    assert_int_equal(reduce_all(device), JR_OK); /* kernels are made and kept */
    assert_true(fail_nth_walk(FAIL_MEMORY, reduce_all, device) >= 4);
}

/* The n-th call of each driver function fails, for as many n as there are calls. */
TEST(every_driver_call_may_fail) {
    static const char *const names[] = {"cuMemAlloc_v2",        "cuStreamCreate",      "cuEventCreate",
                                        "cuEventRecord",        "cuLaunchKernel",      "cuMemcpyHtoDAsync_v2",
                                        "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize", "cuEventElapsedTime"};
    opened *device = *state;
    const sim_faults faults = sim_faults_of(device->driver.library);
    assert_int_equal(reduce_all(device), JR_OK);
    const size_t free_bytes = device_free_bytes(device);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int failing = 0;
        for (int n = 1; n <= 16; n++) {
            char rule[64];
            snprintf(rule, sizeof rule, "%s:%d", names[i], n);
            assert_int_equal(faults.refuse(rule), 0);
            failing += reduce_all(device) != JR_OK;
            assert_int_equal(faults.refuse(NULL), 0);
            assert_int_equal(device_free_bytes(device), free_bytes);
        }
        if (failing == 0) fail_msg("nothing fails when %s does", names[i]);
    }
}

int main(void) {
    setenv("JITREDUCE_DEVICE", "sim", 1);
    return check_run(open_context, close_context);
}
