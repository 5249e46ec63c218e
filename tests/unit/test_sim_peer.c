/* Peers of the simulator: an access to another device's memory needs permission, a copy does not. */
#include <stdio.h>
#include <string.h>

#include "support/cases/sim_pair.h"

TEST_BETWEEN(wrong_questions_about_peers_are_refused, sim_pair_open, sim_pair_close) {
    int value = 7;
    fails(CUDA_ERROR_INVALID_VALUE, cuDeviceCanAccessPeer(NULL, 0, 1));
    fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&value, 0, 4));
    fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&value, -1, 0));
    fails(CUDA_ERROR_INVALID_VALUE, cuDeviceGetP2PAttribute(NULL, JR_CU_P2P_ACCESS, 0, 1));
    fails(CUDA_ERROR_INVALID_VALUE, cuDeviceGetP2PAttribute(&value, 0, 0, 1));
    fails(CUDA_ERROR_INVALID_VALUE, cuDeviceGetP2PAttribute(&value, 99, 0, 1));
    fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetP2PAttribute(&value, JR_CU_P2P_ACCESS, 0, 4));
    fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetP2PAttribute(&value, JR_CU_P2P_ACCESS, 2, 2));
    assert_int_equal(value, 7);
}

TEST_BETWEEN(every_device_reaches_every_other_one, sim_pair_open, sim_pair_close) {
    for (int device = 0; device < 4; device++) {
        for (int peer = 0; peer < 4; peer++) {
            int can = -1, access = -1;
            good(cuDeviceCanAccessPeer(&can, device, peer));
            assert_int_equal(can, device != peer);
            if (device == peer) continue;
            good(cuDeviceGetP2PAttribute(&access, JR_CU_P2P_ACCESS, device, peer));
            assert_int_equal(access, 1);
            good(cuDeviceGetP2PAttribute(&access, JR_CU_P2P_NATIVE_ATOMICS, device, peer));
            assert_int_equal(access, 1);
            good(cuDeviceGetP2PAttribute(&access, JR_CU_P2P_PERFORMANCE_RANK, device, peer));
            assert_int_equal(access, 0);
        }
    }
}

TEST_BETWEEN(wrong_permissions_are_refused, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    jr_cu_context beside = NULL;
    fails(CUDA_ERROR_INVALID_VALUE, cuCtxEnablePeerAccess(pair->on[1].context, 1));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(NULL, 0));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess((jr_cu_context)(uintptr_t)0x1234, 0));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(pair->on[0].context, 0)); /* itself */
    fails(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(pair->on[1].context));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDisablePeerAccess(NULL));
    good(cuCtxEnablePeerAccess(pair->on[1].context, 0));
    fails(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(pair->on[1].context, 0));
    good(cuCtxDisablePeerAccess(pair->on[1].context));
    fails(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(pair->on[1].context));
    good(cuCtxCreate_v2(&beside, 0, 0));
    fails(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(pair->on[0].context, 0)); /* of one device */
    good(cuCtxDestroy_v2(beside));
    good(cuCtxSetCurrent(NULL));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(pair->on[1].context, 0));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDisablePeerAccess(pair->on[1].context));
    sim_use(pair, 0);
}

TEST_BETWEEN(an_access_without_permission_is_a_fault_that_says_what_to_call, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    const char *text = NULL;
    char address_text[32];
    sim_use(pair, 1);
    const jr_cu_deviceptr theirs = sim_alloc(64);
    good(cuMemsetD32_v2(theirs, 5, 16));
    sim_use(pair, 0);
    good(sim_launch(sim_function(&pair->on[0], "poke"), NULL, theirs + 8));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    good(cuGetErrorString(JR_CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    snprintf(address_text, sizeof address_text, "address 0x%llx: 8 bytes into", theirs + 8);
    assert_non_null(strstr(text, "access to another device without permission: kernel poke"));
    assert_non_null(strstr(text, address_text));
    assert_non_null(strstr(text,
                           "of device 1, which the kernel's context, of device 0, may not touch: call "
                           "cuCtxEnablePeerAccess with the context of device 1 while that of device 0 is current"));
    sim_abandon(pair, 0);
    sim_use(pair, 1); /* the other device is well, and its memory as it was */
    assert_int_equal(sim_read(theirs + 8), 5);
    good(cuMemFree_v2(theirs));
}

TEST_BETWEEN(permission_is_for_one_direction, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    const jr_cu_deviceptr mine = sim_alloc(4);
    sim_use(pair, 1);
    const jr_cu_deviceptr theirs = sim_alloc(4);
    sim_permit(pair, 0, 1);
    sim_use(pair, 0);
    good(sim_launch(sim_function(&pair->on[0], "poke"), NULL, theirs));
    good(cuCtxSynchronize());
    assert_int_equal(sim_read(theirs), 1);
    sim_use(pair, 1);
    good(sim_launch(sim_function(&pair->on[1], "poke"), NULL, mine));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    sim_abandon(pair, 1);
    sim_use(pair, 0);
    good(cuMemFree_v2(mine));
}

TEST_BETWEEN(permission_that_is_taken_back_is_gone, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    sim_use(pair, 1);
    const jr_cu_deviceptr theirs = sim_alloc(4);
    sim_use(pair, 0);
    good(cuCtxEnablePeerAccess(pair->on[1].context, 0));
    good(sim_launch(sim_function(&pair->on[0], "poke"), NULL, theirs));
    good(cuCtxSynchronize());
    good(cuCtxDisablePeerAccess(pair->on[1].context));
    good(sim_launch(sim_function(&pair->on[0], "poke"), NULL, theirs));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    sim_abandon(pair, 0);
    sim_use(pair, 1);
    good(cuMemFree_v2(theirs));
}

TEST_BETWEEN(permission_is_for_one_context_of_the_other_device, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    jr_cu_context second = NULL;
    good(cuCtxEnablePeerAccess(pair->on[1].context, 0));
    good(cuCtxCreate_v2(&second, 0, 1));
    const jr_cu_deviceptr theirs = sim_alloc(4);
    sim_use(pair, 0);
    good(sim_launch(sim_function(&pair->on[0], "poke"), NULL, theirs));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    good(cuCtxDestroy_v2(second));
    sim_abandon(pair, 0);
}

TEST_BETWEEN(a_peer_that_is_destroyed_is_none_any_more, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    jr_cu_context second = NULL;
    good(cuCtxCreate_v2(&second, 0, 1));
    good(cuCtxPopCurrent_v2(NULL));
    for (int round = 0; round < 100; round++) { /* more than a context may have at a time */
        good(cuCtxEnablePeerAccess(second, 0));
        good(cuCtxDestroy_v2(second));
        good(cuCtxCreate_v2(&second, 0, 1));
        good(cuCtxPopCurrent_v2(NULL));
    }
    good(cuCtxEnablePeerAccess(pair->on[1].context, 0));
    good(cuCtxDestroy_v2(second));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(second, 0));
}

TEST_BETWEEN(a_context_has_no_more_than_64_peers, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    jr_cu_context others[65] = {NULL};
    for (int k = 0; k < 65; k++) {
        good(cuCtxCreate_v2(&others[k], 0, 1 + k % 3));
        good(cuCtxPopCurrent_v2(NULL));
    }
    for (int k = 0; k < 64; k++) good(cuCtxEnablePeerAccess(others[k], 0));
    fails(CUDA_ERROR_TOO_MANY_PEERS, cuCtxEnablePeerAccess(others[64], 0));
    fails(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(others[63], 0));
    good(cuCtxDisablePeerAccess(others[7]));
    good(cuCtxEnablePeerAccess(others[64], 0));
    for (int k = 0; k < 65; k++) good(cuCtxDestroy_v2(others[k]));
    fails(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(pair->on[1].context));
}

TEST_BETWEEN(variables_of_modules_belong_to_their_device, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    jr_cu_deviceptr counters[2];
    for (int k = 0; k < 2; k++) good(cuModuleGetGlobal_v2(&counters[k], NULL, pair->on[k].module, "counter"));
    assert_true(counters[0] != counters[1]);
    sim_permit(pair, 0, 1);
    good(sim_launch(sim_function(&pair->on[0], "poke"), NULL, counters[1]));
    good(cuCtxSynchronize());
    assert_int_equal(sim_read(counters[0]), 7);
    assert_int_equal(sim_read(counters[1]), 1);
    sim_use(pair, 1);
    good(sim_launch(sim_function(&pair->on[1], "poke"), NULL, counters[0]));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    sim_abandon(pair, 1);
    sim_use(pair, 0);
}

TEST_BETWEEN(host_memory_is_seen_by_all_without_permission, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    void *words = NULL;
    good(cuMemHostAlloc(&words, 8, JR_CU_HOST_DEVICE_MAP));
    memset(words, 0, 8);
    for (int k = 0; k < 2; k++) {
        sim_use(pair, k);
        good(sim_launch(sim_function(&pair->on[k], "poke"), NULL, (uintptr_t)words + 4 * (unsigned)k));
        good(cuCtxSynchronize());
        assert_int_equal(((volatile unsigned *)words)[k], 1);
    }
    good(cuMemFreeHost(words)); /* by another context than allocated it */
}

TEST_BETWEEN(wrong_copies_between_contexts_are_refused, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    jr_cu_context mine = pair->on[0].context, other = pair->on[1].context;
    unsigned local = 0;
    const jr_cu_deviceptr here = sim_alloc(64);
    sim_use(pair, 1);
    const jr_cu_deviceptr there = sim_alloc(64);
    sim_use(pair, 0);
    fails(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(there, NULL, here, mine, 64));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(there, other, here, (jr_cu_context)(uintptr_t)0x1234, 64));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(there, mine, here, other, 64)); /* the wrong way round */
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(there, other, here, mine, 65));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(0, other, here, mine, 4));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(there, other, (uintptr_t)&local, mine, 4));
    fails(CUDA_ERROR_INVALID_HANDLE, cuMemcpyPeerAsync(there, other, here, mine, 64, (jr_cu_stream)(uintptr_t)0x1234));
    good(cuMemcpyPeer(there, other, here, mine, 0));
    good(cuMemFree_v2(here));
    good(cuMemFree_v2(there));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(there, other, here, mine, 4));
}

TEST_BETWEEN(a_copy_needs_no_permission, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    jr_cu_context mine = pair->on[0].context, other = pair->on[1].context;
    const jr_cu_deviceptr here = sim_alloc(64);
    sim_use(pair, 1);
    const jr_cu_deviceptr there = sim_alloc(64);
    sim_use(pair, 0);
    good(cuMemsetD32_v2(here, 3, 16));
    good(cuMemcpyPeer(there, other, here, mine, 64));
    assert_int_equal(sim_read(there + 60), 3);
    good(cuMemsetD32_v2(here, 4, 16));
    good(cuMemcpyPeerAsync(there, other, here, mine, 32, pair->streams[0]));
    good(cuStreamSynchronize(pair->streams[0]));
    assert_int_equal(sim_read(there + 28), 4);
    assert_int_equal(sim_read(there + 32), 3);
    good(cuMemcpyDtoD_v2(there + 32, here, 32)); /* one address space: contexts need not be named */
    assert_int_equal(sim_read(there + 32), 4);
    good(cuMemsetD32_v2(there, 9, 16));
    good(cuCtxSynchronize());
    good(cuMemcpyDtoDAsync_v2(here, there, 64, pair->streams[1])); /* a stream of another context does, too */
    good(cuStreamSynchronize(pair->streams[1]));
    assert_int_equal(sim_read(here), 9);
    good(cuMemcpyPeerAsync(here, mine, here + 32, mine, 32, NULL)); /* within one */
    good(cuCtxSynchronize());
    good(cuMemFree_v2(here));
    good(cuMemFree_v2(there));
}

RUN_TESTS(sim_four_devices, NULL)
