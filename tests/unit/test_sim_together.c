/* Several simulated devices at the same time: what runs in parallel, what waits for each other, and the state after a
 * fault. */
#include <pthread.h>
#include <stdlib.h>

#include "support/cases/sim_pair.h"

/* hand_on(flag, out) on one of the two: waits until *flag is not zero, then *out = 1, for another device to see. */
static int hand_on(const sim_pair *pair, int which, jr_cu_deviceptr flag, jr_cu_deviceptr out) {
    void *parameters[] = {&flag, &out};
    sim_use(pair, which);
    jr_cu_function function = sim_function(&pair->on[which], "hand_on");
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, pair->streams[which], parameters, NULL);
}

TEST_BETWEEN(a_fault_leaves_the_other_devices_usable, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    sim_busy busy;
    jr_cu_event event = NULL;
    const jr_cu_deviceptr there = sim_alloc_on(pair, 1, 4);
    good(cuEventCreate(&event, 0));
    sim_hold(&pair->on[0], &busy, pair->streams[0]);
    good(sim_launch(sim_function(&pair->on[0], "poke"), pair->streams[0], 16));
    good(cuEventRecord(event, pair->streams[0]));
    sim_use(pair, 1);
    good(cuStreamWaitEvent(pair->streams[1], event, 0)); /* an end, though a bad one */
    good(sim_launch(sim_function(&pair->on[1], "poke"), pair->streams[1], there));
    __atomic_store_n(&busy.words[0], 1, __ATOMIC_RELEASE);
    good(cuCtxSynchronize());
    assert_int_equal(sim_read(there), 1);
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuEventQuery(event));
    sim_use(pair, 0);
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    sim_abandon(pair, 0); /* and the memory that it was held by */
    sim_use(pair, 1);
    good(cuMemFree_v2(there));
}

TEST_BETWEEN(devices_go_on_while_another_one_works, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    sim_busy busy;
    sim_hold(&pair->on[0], &busy, pair->streams[0]);
    sim_use(pair, 1);
    const jr_cu_deviceptr there = sim_alloc(4000);
    good(sim_fill(&pair->on[1], pair->streams[1], there, 1000, 6));
    good(cuCtxSynchronize());
    assert_int_equal(sim_read(there + 3996), 6);
    good(cuMemFree_v2(there)); /* nobody else may touch it, so nobody else is waited for */
    sim_use(pair, 0);
    fails(CUDA_ERROR_NOT_READY, cuStreamQuery(pair->streams[0]));
    sim_let_go(&busy);
}

TEST_BETWEEN(kernels_of_several_devices_wait_for_each_other, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    const jr_cu_deviceptr a = sim_alloc_on(pair, 0, 16), b = sim_alloc_on(pair, 1, 16);
    sim_permit(pair, 0, 1);
    sim_permit(pair, 1, 0);
    good(hand_on(pair, 0, a, b));          /* device 0 waits for a, then writes b */
    good(hand_on(pair, 1, b, a + 4));      /* device 1 waits for that, then writes a + 4 */
    good(hand_on(pair, 1, a + 8, a + 12)); /* and again: for the host's copy below */
    sim_use(pair, 1);
    sim_sleep_ms(20);
    fails(CUDA_ERROR_NOT_READY, cuStreamQuery(pair->streams[1]));
    *(volatile unsigned *)(uintptr_t)(a + 8) = 1; /* as a third party would: addresses are the host's */
    __atomic_store_n((unsigned *)(uintptr_t)a, 1, __ATOMIC_RELEASE);
    good(cuStreamSynchronize(pair->streams[1]));
    good(cuStreamSynchronize(pair->streams[0]));
    sim_use(pair, 0);
    assert_int_equal(sim_read(b), 1);
    assert_int_equal(sim_read(a + 4), 1);
    assert_int_equal(sim_read(a + 12), 1);
    good(cuMemFree_v2(a));
    good(cuMemFree_v2(b));
}

TEST_BETWEEN(a_kernel_begins_after_the_one_that_waits_for_it, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    const jr_cu_deviceptr flag = sim_alloc_on(pair, 0, 8), one = sim_alloc_on(pair, 1, 4);
    sim_permit(pair, 1, 0);
    good(hand_on(pair, 0, flag, flag + 4));
    sim_sleep_ms(20);
    sim_use(pair, 1);
    good(cuMemsetD32_v2(one, 1, 1));
    good(cuCtxSynchronize());
    good(hand_on(pair, 1, one, flag));
    sim_use(pair, 0);
    good(cuCtxSynchronize());
    assert_int_equal(sim_read(flag + 4), 1);
    good(cuMemFree_v2(flag));
    good(cuMemFree_v2(one));
}

/* One thread a device: launches, copies to the next device, allocates and frees, all at once. */
enum { ROUNDS = 40, WORDS = 5000 };
typedef struct turn {
    jr_cu_context contexts[4];
    int which;
    unsigned wrong;
} turn;

static void *work_on_one(void *argument) {
    turn *self = argument;
    const sim_case on = {.context = self->contexts[self->which]};
    sim_case own = on;
    jr_cu_deviceptr near, far;
    unsigned *seen = test_zeros(WORDS, sizeof *seen);
    self->wrong += seen == NULL || cuCtxSetCurrent(own.context) || cuModuleLoadData(&own.module, sim_ptx);
    for (unsigned round = 0; round < ROUNDS && !self->wrong; round++) {
        jr_cu_context next = self->contexts[(self->which + 1) % 4];
        self->wrong += cuMemAlloc_v2(&near, WORDS * 4) != 0 || cuCtxPushCurrent_v2(next) ||
                       cuMemAlloc_v2(&far, WORDS * 4) || cuCtxPopCurrent_v2(NULL);
        self->wrong += sim_fill(&own, NULL, round % 2 ? far : near, WORDS, round) != 0;
        if (round % 2 == 0) self->wrong += cuMemcpyPeer(far, next, near, own.context, WORDS * 4) != 0;
        self->wrong += cuMemcpyDtoH_v2(seen, far, WORDS * 4) != 0;
        for (unsigned i = 0; i < WORDS; i++) self->wrong += seen[i] != round;
        self->wrong += cuMemFree_v2(near) != 0 || cuMemFree_v2(far) != 0;
    }
    return NULL;
}

TEST_BETWEEN(four_devices_work_at_once, sim_pair_open, sim_pair_close) {
    turn turns[4] = {0};
    pthread_t threads[4];
    for (int k = 0; k < 4; k++) {
        jr_cu_context made = NULL;
        good(cuCtxCreate_v2(&made, 0, k));
        good(cuCtxPopCurrent_v2(NULL));
        for (int other = 0; other < 4; other++) turns[other].contexts[k] = made;
    }
    for (int k = 0; k < 4; k++) {
        turns[k].which = k;
        good(cuCtxPushCurrent_v2(turns[k].contexts[k]));
        good(cuCtxEnablePeerAccess(turns[k].contexts[(k + 1) % 4], 0));
        good(cuCtxPopCurrent_v2(NULL));
    }
    for (int k = 0; k < 4; k++) assert_int_equal(pthread_create(&threads[k], NULL, work_on_one, &turns[k]), 0);
    for (int k = 0; k < 4; k++) pthread_join(threads[k], NULL);
    for (int k = 0; k < 4; k++) assert_int_equal(turns[k].wrong, 0);
    for (int k = 0; k < 4; k++) good(cuCtxDestroy_v2(turns[k].contexts[k]));
}

RUN_TESTS(sim_four_devices, NULL)
