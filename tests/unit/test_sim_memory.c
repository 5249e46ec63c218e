/* Memory of the simulator: allocating, freeing, copying, host memory, pointer attributes. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/sim_case.h"

TEST_BETWEEN(wrong_allocations_are_refused, sim_open, sim_close) {
    jr_cu_deviceptr address = 5;
    void *host = NULL;
    size_t total = 0;
    good(cuDeviceTotalMem_v2(&total, 0));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(&address, 0));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(NULL, 16));
    fails(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address, total + 1));
    fails(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address, SIZE_MAX));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&host, 16, 64));
    assert_int_equal(address, 5);
    assert_null(host);
}

TEST_BETWEEN(wrong_frees_are_refused, sim_open, sim_close) {
    void *host = NULL;
    int local = 0;
    jr_cu_deviceptr address = sim_alloc(1024);
    good(cuMemHostAlloc(&host, 16, 0));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address + 256));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2((uintptr_t)&local));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2((uintptr_t)host));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost((void *)(uintptr_t)address));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(&local));
    good(cuMemFreeHost(host));
    good(cuMemFree_v2(address));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(host));
}

TEST_BETWEEN(blocks_are_aligned_apart_and_not_zero, sim_open, sim_close) {
    static const size_t sizes[] = {1, 255, 256, 257, 65536, 65537, 1 << 20, 5 << 20};
    jr_cu_deviceptr addresses[8];
    for (size_t i = 0; i < 8; i++) {
        unsigned char first = 0, last = 0;
        addresses[i] = sim_alloc(sizes[i]);
        assert_int_equal(addresses[i] % 256, 0);
        good(cuMemcpyDtoH_v2(&first, addresses[i], 1));
        good(cuMemcpyDtoH_v2(&last, addresses[i] + (sizes[i] < 4 << 20 ? sizes[i] : 4 << 20) - 1, 1));
        assert_int_equal(first, 0xCD);
        assert_int_equal(last, 0xCD);
        for (size_t j = 0; j < i; j++)
            assert_true(addresses[i] + sizes[i] < addresses[j] || addresses[j] + sizes[j] < addresses[i]);
    }
    for (size_t i = 0; i < 8; i++) good(cuMemFree_v2(addresses[i]));
}

/* An index that leaves an array by up to its own length, or by up to 16 KiB, meets no other array. */
TEST_BETWEEN(blocks_are_apart_by_their_own_length, sim_open, sim_close) {
    static const size_t sizes[] = {12, 4000, 60000, 12, 65536, 20000, 1 << 20, 70000, 5 << 20, 4};
    enum { COUNT = sizeof sizes / sizeof *sizes, LEAST = 16 << 10 };
    jr_cu_deviceptr addresses[COUNT];
    for (size_t i = 0; i < COUNT; i++) addresses[i] = sim_alloc(sizes[i]);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            const size_t gap = sizes[i] < LEAST ? LEAST : sizes[i];
            if (addresses[j] > addresses[i]) assert_true(addresses[j] - addresses[i] >= sizes[i] + gap);
            if (addresses[j] < addresses[i]) assert_true(addresses[i] - addresses[j] >= sizes[j] + gap);
        }
    for (size_t i = 0; i < COUNT; i++) good(cuMemFree_v2(addresses[i]));
}

TEST_BETWEEN(memory_information_follows_allocations, sim_open, sim_close) {
    size_t before = 0, total = 0, during = 0, after = 0;
    good(cuMemGetInfo_v2(&before, &total));
    jr_cu_deviceptr address = sim_alloc(10 << 20);
    good(cuMemGetInfo_v2(&during, &total));
    good(cuMemFree_v2(address));
    good(cuMemGetInfo_v2(&after, &total));
    assert_int_equal(before - during, 10 << 20);
    assert_int_equal(after, before);
    assert_true(before <= total);
}

TEST_BETWEEN(huge_blocks_cost_nothing_until_touched, sim_open, sim_close) {
    size_t free_bytes = 0, total = 0;
    good(cuMemGetInfo_v2(&free_bytes, &total));
    jr_cu_deviceptr address = sim_alloc(free_bytes);
    jr_cu_deviceptr more = 0;
    fails(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&more, 1));
    good(cuMemsetD8_v2(address + free_bytes - 1, 7, 1));
    good(cuMemFree_v2(address));
    more = sim_alloc(1);
    good(cuMemFree_v2(more));
}

TEST_BETWEEN(copies_need_device_memory_on_the_device_side, sim_open, sim_close) {
    unsigned char host[64] = {0};
    jr_cu_deviceptr address = sim_alloc(64), freed = sim_alloc(64);
    good(cuMemFree_v2(freed));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2((uintptr_t)host, host, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address, host, 65));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address + 60, host, 5));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address, NULL, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(freed, host, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(host, 0, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2((void *)(uintptr_t)address, address, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD_v2(address, (uintptr_t)host, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoDAsync_v2(address, host, 65, NULL));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2(address, 1, 65));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(address + 2, 1, 4));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(address, 1, SIZE_MAX / 2));
    good(cuMemcpyHtoD_v2(address, host, 0));
    good(cuMemFree_v2(address));
}

TEST_BETWEEN(bytes_travel_unchanged, sim_open, sim_close) {
    enum { BYTES = 300000 };
    unsigned char *sent = malloc(BYTES), *got = calloc(1, BYTES);
    assert_non_null(sent);
    assert_non_null(got);
    for (int i = 0; i < BYTES; i++) sent[i] = (unsigned char)(i * 7 + i / 255);
    jr_cu_deviceptr from = sim_alloc(BYTES), to = sim_alloc(BYTES);
    good(cuMemcpyHtoD_v2(from, sent, BYTES));
    good(cuMemcpyDtoD_v2(to, from, BYTES));
    good(cuMemsetD32_v2(to + 400, 0x01020304, 100));
    good(cuMemsetD8_v2(to + 7, 0xEE, 3));
    good(cuMemcpyDtoH_v2(got, to, BYTES));
    for (int i = 0; i < 100; i++) memcpy(sent + 400 + 4 * i, &(unsigned){0x01020304}, 4);
    memset(sent + 7, 0xEE, 3);
    assert_memory_equal(sent, got, BYTES);
    good(cuMemFree_v2(from));
    good(cuMemFree_v2(to));
    free(sent);
    free(got);
}

/* The source may be changed as soon as an async copy from pageable memory returns, small or large. */
TEST_BETWEEN(async_copies_from_pageable_memory_take_its_bytes, sim_open, sim_close) {
    const sim_case *sim = *state;
    enum { LARGE = 1 << 20 };
    unsigned small = 11, *large = malloc(LARGE);
    assert_non_null(large);
    sim_busy busy;
    jr_cu_stream stream = NULL;
    good(cuStreamCreate(&stream, JR_CU_STREAM_NON_BLOCKING));
    jr_cu_deviceptr a = sim_alloc(4), b = sim_alloc(LARGE);
    sim_hold(sim, &busy, stream);
    good(cuMemcpyHtoDAsync_v2(a, &small, 4, stream));
    small = 12;
    sim_let_go(&busy);
    large[0] = 21;
    good(cuMemcpyHtoDAsync_v2(b, large, LARGE, stream));
    large[0] = 22;
    assert_int_equal(sim_read(a), 11);
    assert_int_equal(sim_read(b), 21);
    good(cuMemFree_v2(a));
    good(cuMemFree_v2(b));
    good(cuStreamDestroy_v2(stream));
    free(large);
}

TEST_BETWEEN(host_memory_is_seen_by_both_sides, sim_open, sim_close) {
    const sim_case *sim = *state;
    unsigned *words = NULL;
    jr_cu_deviceptr device = 0;
    good(cuMemHostAlloc((void **)&words, 64, JR_CU_HOST_DEVICE_MAP));
    good(cuMemHostGetDevicePointer_v2(&device, words + 1, 0));
    assert_int_equal(device, (uintptr_t)(words + 1));
    good(sim_launch(sim_function(sim, "poke"), NULL, device));
    good(cuCtxSynchronize());
    assert_int_equal(words[1], 1);
    good(cuMemFreeHost(words));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2(&device, &device, 0));
}

TEST_BETWEEN(registered_memory_is_the_applications, sim_open, sim_close) {
    const sim_case *sim = *state;
    unsigned *words = calloc(64, sizeof *words);
    assert_non_null(words);
    jr_cu_deviceptr address = (uintptr_t)words;
    good(cuMemHostRegister_v2(words, 256, 0));
    assert_int_equal(jrsim_live("host"), 1);
    fails(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(words + 8, 16, 0));
    fails(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(words + 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister_v2(NULL, 16, 0));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister_v2(words, 0, 0));
    good(sim_fill(sim, NULL, address, 64, 9));
    good(cuCtxSynchronize());
    assert_int_equal(words[63], 9);
    good(cuMemHostUnregister(words));
    fails(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(words));
    good(cuMemHostRegister_v2(words, 256, 0)); /* as often as one likes */
    good(cuMemHostUnregister(words));
    free(words);
}

TEST_BETWEEN(pointers_tell_where_they_point, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_deviceptr address = sim_alloc(1000), start = 0;
    jr_cu_context owner = NULL;
    unsigned type = 0;
    int ordinal = 5;
    size_t bytes = 0;
    void *host = NULL;
    good(cuPointerGetAttribute(&type, JR_CU_POINTER_MEMORY_TYPE, address + 10));
    good(cuPointerGetAttribute(&owner, JR_CU_POINTER_CONTEXT, address + 10));
    good(cuPointerGetAttribute(&start, JR_CU_POINTER_RANGE_START, address + 10));
    good(cuPointerGetAttribute(&bytes, JR_CU_POINTER_RANGE_BYTES, address + 10));
    good(cuPointerGetAttribute(&ordinal, JR_CU_POINTER_DEVICE_ORDINAL, address + 10));
    assert_int_equal(type, JR_CU_MEMORY_DEVICE);
    assert_ptr_equal(owner, sim->context);
    assert_int_equal(start, address);
    assert_int_equal(bytes, 1000);
    assert_int_equal(ordinal, 0);
    fails(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&host, JR_CU_POINTER_HOST_POINTER, address));
    fails(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, JR_CU_POINTER_MEMORY_TYPE, (uintptr_t)&type));
    fails(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, 77, address));
    good(cuMemFree_v2(address));
    fails(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, JR_CU_POINTER_MEMORY_TYPE, address));
    good(cuMemHostAlloc(&host, 8, 0));
    good(cuPointerGetAttribute(&type, JR_CU_POINTER_MEMORY_TYPE, (uintptr_t)host));
    assert_int_equal(type, JR_CU_MEMORY_HOST);
    good(cuMemFreeHost(host));
}

TEST_BETWEEN(many_blocks_come_and_go, sim_open, sim_close) {
    enum { BLOCKS = 5000 };
    jr_cu_deviceptr *addresses = calloc(BLOCKS, sizeof *addresses);
    assert_non_null(addresses);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < BLOCKS; i++) addresses[i] = sim_alloc(1 + i * 37 % 9000);
        for (size_t i = 0; i < BLOCKS; i++) good(cuMemFree_v2(addresses[(i * 17 + 3) % BLOCKS]));
    }
    assert_int_equal(jrsim_live("memory"), 0);
    free(addresses);
}

RUN_TESTS(NULL, NULL)
