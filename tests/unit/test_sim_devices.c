/* Several simulated devices: what they are, their contexts, and whose memory is whose. */
#include <stdio.h>
#include <string.h>

#include "support/cases/sim_pair.h"

TEST_BETWEEN(a_device_that_is_not_there_is_refused, sim_pair_open, sim_pair_close) {
    static const int none[] = {-1, 4, 16, 1000};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        jr_cu_device device = 77;
        jr_cu_context context = NULL;
        unsigned flags = 7;
        int value = 77;
        size_t bytes = 77;
        fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, none[i]));
        fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceTotalMem_v2(&bytes, none[i]));
        fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&value, JR_CU_DEVICE_WARP_SIZE, none[i]));
        fails(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&context, none[i]));
        fails(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRelease_v2(none[i]));
        fails(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxGetState(none[i], &flags, &value));
        fails(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate_v2(&context, 0, none[i]));
        assert_true(device == 77 && !context && value == 77 && bytes == 77 && flags == 7);
    }
    int active = 0;
    fails(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState(0, NULL, &active));
}

TEST_BETWEEN(the_devices_are_alike_but_for_their_number, sim_pair_open, sim_pair_close) {
    int count = 0;
    good(cuDeviceGetCount(&count));
    assert_int_equal(count, 4);
    for (int k = 0; k < count; k++) {
        jr_cu_device device = -1;
        jr_cu_uuid uuid;
        char expected[32], name[64];
        int capability = 0;
        size_t bytes = 0, first_bytes = 0;
        good(cuDeviceGet(&device, k));
        assert_int_equal(device, k);
        good(cuDeviceGetUuid_v2(&uuid, device));
        snprintf(expected, sizeof expected, "jitreduce-sim-%02d", k);
        assert_memory_equal(uuid.bytes, expected, 16);
        good(cuDeviceGetName(name, sizeof name, device));
        assert_string_equal(name, "jitreduce PTX simulator");
        good(cuDeviceGetAttribute(&capability, JR_CU_DEVICE_CAPABILITY_MAJOR, device));
        assert_int_equal(capability, 9);
        good(cuDeviceTotalMem_v2(&bytes, device));
        good(cuDeviceTotalMem_v2(&first_bytes, 0));
        assert_true(bytes == first_bytes && bytes > 0);
    }
}

TEST_BETWEEN(each_device_has_its_primary_context, sim_pair_open, sim_pair_close) {
    jr_cu_context primary[4];
    unsigned flags = 7;
    int active = 7;
    jr_cu_device device = -1;
    for (int k = 0; k < 4; k++) good(cuDevicePrimaryCtxRetain(&primary[k], k));
    for (int k = 0; k < 4; k++) {
        for (int other = 0; other < k; other++) assert_ptr_not_equal(primary[k], primary[other]);
        good(cuCtxPushCurrent_v2(primary[k]));
        good(cuCtxGetDevice(&device));
        assert_int_equal(device, k);
        good(cuCtxPopCurrent_v2(NULL));
    }
    good(cuDevicePrimaryCtxRelease_v2(2));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(2));
    for (int k = 0; k < 4; k++) {
        good(cuDevicePrimaryCtxGetState(k, &flags, &active));
        assert_int_equal(flags, 0);
        assert_int_equal(active, k != 2);
        if (k != 2) good(cuDevicePrimaryCtxRelease_v2(k));
    }
}

TEST_BETWEEN(a_thread_stacks_contexts_of_several_devices, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    jr_cu_device device = -1;
    good(cuCtxPushCurrent_v2(pair->on[1].context));
    good(cuCtxPushCurrent_v2(pair->on[0].context));
    for (int expected = 0; expected < 2; expected++) {
        good(cuCtxGetDevice(&device));
        assert_int_equal(device, expected);
        good(cuCtxPopCurrent_v2(NULL));
    }
    good(cuCtxGetDevice(&device));
    assert_int_equal(device, 0);
}

static size_t free_bytes(void) {
    size_t left = 0, total = 0;
    good(cuMemGetInfo_v2(&left, &total));
    assert_true(left <= total);
    return left;
}

TEST_BETWEEN(memory_counts_against_its_own_device, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    const size_t here = free_bytes();
    sim_use(pair, 1);
    const size_t there = free_bytes();
    const jr_cu_deviceptr block = sim_alloc(1 << 20);
    assert_int_equal(free_bytes(), there - (1 << 20));
    sim_use(pair, 0);
    assert_int_equal(free_bytes(), here);
    good(cuMemFree_v2(block)); /* by the address: another context may */
    sim_use(pair, 1);
    assert_int_equal(free_bytes(), there);
}

TEST_BETWEEN(a_pointer_says_its_device_and_context, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    for (int k = 0; k < 2; k++) {
        jr_cu_context owner = NULL;
        int device = -1;
        sim_use(pair, k);
        const jr_cu_deviceptr block = sim_alloc(64);
        sim_use(pair, !k);
        good(cuPointerGetAttribute(&device, JR_CU_POINTER_DEVICE_ORDINAL, block + 5));
        good(cuPointerGetAttribute(&owner, JR_CU_POINTER_CONTEXT, block + 5));
        assert_int_equal(device, k);
        assert_ptr_equal(owner, pair->on[k].context);
        good(cuMemFree_v2(block));
    }
}

TEST_BETWEEN(what_a_module_defines_is_loaded_for_each_context, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    unsigned first[2][2] = {{0}};
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 2; k++) { /* count(out): out = {counter, limits[3]}, then counter + 1 */
            sim_use(pair, k);
            if (k == 1 && round == 0) continue; /* so that the counters part */
            const jr_cu_deviceptr out = sim_alloc(8);
            good(sim_launch(sim_function(&pair->on[k], "count"), NULL, out));
            good(cuCtxSynchronize());
            first[round][k] = sim_read(out);
            good(cuMemFree_v2(out));
        }
    }
    assert_int_equal(first[0][0], 7);
    assert_int_equal(first[1][0], 8);
    assert_int_equal(first[1][1], 7);
}

TEST_BETWEEN(a_context_of_one_device_goes_without_those_of_others, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    sim_use(pair, 1);
    const jr_cu_deviceptr there = sim_alloc(4);
    good(cuMemsetD32_v2(there, 3, 1));
    sim_use(pair, 0);
    sim_alloc(100);
    sim_abandon(pair, 0);
    assert_int_equal(jrsim_live("memory"), 1);
    sim_use(pair, 1);
    assert_int_equal(sim_read(there), 3);
    good(cuMemFree_v2(there));
}

RUN_TESTS(sim_four_devices, NULL)
