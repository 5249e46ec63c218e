/* Work of several simulated devices: who waits for whom. */
#include <pthread.h>

#include "support/cases/sim_pair.h"

TEST_BETWEEN(handles_of_another_context_are_refused, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    jr_cu_event mine = NULL, theirs = NULL;
    float ms = -1;
    jr_cu_function nothing = sim_function(&pair->on[0], "nothing");
    good(cuEventCreate(&mine, 0));
    sim_use(pair, 1);
    good(cuEventCreate(&theirs, 0));
    sim_use(pair, 0);
    fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, pair->streams[1], NULL, NULL));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(mine, pair->streams[1]));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(theirs, NULL));
    good(cuEventRecord(mine, pair->streams[0]));
    good(cuEventRecord(theirs, pair->streams[1])); /* both of one context: the current one is not asked */
    good(cuEventSynchronize(mine));
    good(cuEventSynchronize(theirs));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, mine, theirs));
    assert_true(ms < 0);
    sim_use(pair, 1);
    fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    good(cuEventDestroy_v2(mine));
    good(cuEventDestroy_v2(theirs));
}

TEST_BETWEEN(a_stream_waits_for_an_event_of_another_device, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    sim_busy busy;
    jr_cu_event event = NULL;
    const jr_cu_deviceptr there = sim_alloc_on(pair, 1, 4);
    good(cuEventCreate(&event, JR_CU_EVENT_DISABLE_TIMING));
    good(cuStreamWaitEvent(pair->streams[1], event, 0)); /* never recorded: nothing to wait for */
    sim_hold(&pair->on[0], &busy, pair->streams[0]);
    good(cuEventRecord(event, pair->streams[0]));
    sim_use(pair, 1);
    good(cuStreamQuery(pair->streams[1]));
    good(cuStreamWaitEvent(pair->streams[1], event, 0));
    fails(CUDA_ERROR_NOT_READY, cuStreamQuery(pair->streams[1])); /* it waits, though it has nothing to do yet */
    good(sim_launch(sim_function(&pair->on[1], "poke"), pair->streams[1], there));
    sim_sleep_ms(30);
    fails(CUDA_ERROR_NOT_READY, cuStreamQuery(pair->streams[1]));
    fails(CUDA_ERROR_NOT_READY, cuEventQuery(event)); /* of another context than the current one */
    sim_let_go(&busy);
    good(cuStreamSynchronize(pair->streams[1]));
    assert_int_equal(sim_read(there), 1);
    good(cuMemFree_v2(there));
    good(cuEventDestroy_v2(event));
}

TEST_BETWEEN(an_event_stands_for_its_last_record_before_the_wait, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    sim_busy busy;
    jr_cu_event event = NULL;
    good(cuEventCreate(&event, 0));
    good(cuEventRecord(event, pair->streams[0]));
    sim_use(pair, 1);
    good(cuStreamWaitEvent(pair->streams[1], event, 0));
    sim_use(pair, 0);
    sim_hold(&pair->on[0], &busy, pair->streams[0]);
    good(cuEventRecord(event, pair->streams[0])); /* after the wait: not waited for */
    good(cuStreamSynchronize(pair->streams[1]));
    sim_let_go(&busy);
    good(cuEventDestroy_v2(event));
}

TEST_BETWEEN(a_copy_of_the_default_stream_waits_for_both_devices, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    sim_busy busy;
    const jr_cu_deviceptr here = sim_alloc_on(pair, 0, 4), there = sim_alloc_on(pair, 1, 4);
    sim_use(pair, 1);
    sim_hold(&pair->on[1], &busy, pair->streams[1]);
    good(sim_launch(sim_function(&pair->on[1], "poke"), pair->streams[1], there)); /* before the copy */
    sim_use(pair, 0);
    good(cuMemcpyPeer(here, pair->on[0].context, there, pair->on[1].context, 4)); /* returns at once */
    good(cuMemsetD32Async(there, 9, 1, pair->streams[1]));                        /* after the copy */
    good(sim_launch(sim_function(&pair->on[0], "nothing"), pair->streams[0], 0));
    sim_sleep_ms(20);
    fails(CUDA_ERROR_NOT_READY, cuStreamQuery(pair->streams[0])); /* so is what device 0 was given later */
    sim_let_go(&busy);
    good(cuCtxSynchronize());
    assert_int_equal(sim_read(here), 1);
    good(cuStreamSynchronize(pair->streams[1]));
    assert_int_equal(sim_read(there), 9);
    good(cuMemFree_v2(here));
    good(cuMemFree_v2(there));
}

TEST_BETWEEN(a_copy_of_a_stream_waits_for_that_stream_alone, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    sim_busy busy;
    const jr_cu_deviceptr here = sim_alloc_on(pair, 0, 4), there = sim_alloc_on(pair, 1, 4);
    sim_use(pair, 1);
    sim_hold(&pair->on[1], &busy, pair->streams[1]);
    sim_use(pair, 0);
    good(cuMemsetD32Async(here, 7, 1, pair->streams[0]));
    good(cuMemcpyPeerAsync(there, pair->on[1].context, here, pair->on[0].context, 4, pair->streams[0]));
    good(cuStreamSynchronize(pair->streams[0]));
    assert_int_equal(sim_read(there), 7);
    sim_let_go(&busy);
    good(cuMemFree_v2(here));
    good(cuMemFree_v2(there));
}

typedef struct freeing {
    jr_cu_context context;
    jr_cu_deviceptr address;
    int result;
    _Atomic int done;
} freeing;

static void *free_memory(void *argument) {
    freeing *self = argument;
    cuCtxSetCurrent(self->context);
    self->result = cuMemFree_v2(self->address);
    self->done = 1;
    return NULL;
}

TEST_BETWEEN(memory_is_freed_after_the_copies_of_another_device, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    sim_busy busy;
    pthread_t thread;
    const jr_cu_deviceptr here = sim_alloc_on(pair, 0, 4), there = sim_alloc_on(pair, 1, 4);
    freeing work = {pair->on[1].context, there, -1, 0};
    sim_hold(&pair->on[0], &busy, pair->streams[0]);
    good(cuMemcpyDtoDAsync_v2(here, there, 4, pair->streams[0]));
    assert_int_equal(pthread_create(&thread, NULL, free_memory, &work), 0);
    sim_sleep_ms(30);
    assert_int_equal(work.done, 0);
    sim_let_go(&busy);
    pthread_join(thread, NULL);
    good(work.result);
    good(cuCtxSynchronize()); /* the copy found its source */
    good(cuMemFree_v2(here));
}

TEST_BETWEEN(a_graph_may_hold_work_of_two_devices, sim_pair_open, sim_pair_close) {
    const sim_pair *pair = *state;
    jr_cu_event fork = NULL, join = NULL;
    jr_cu_graph graph = NULL;
    jr_cu_graph_exec exec = NULL;
    const jr_cu_deviceptr here = sim_alloc_on(pair, 0, 4), there = sim_alloc_on(pair, 1, 4);
    good(cuEventCreate(&fork, 0));
    good(cuStreamBeginCapture_v2(pair->streams[0], JR_CU_CAPTURE_RELAXED));
    good(sim_launch(sim_function(&pair->on[0], "poke"), pair->streams[0], here));
    good(cuEventRecord(fork, pair->streams[0]));
    sim_use(pair, 1);
    good(cuEventCreate(&join, 0));
    good(cuStreamWaitEvent(pair->streams[1], fork, 0));
    good(sim_launch(sim_function(&pair->on[1], "poke"), pair->streams[1], there));
    good(cuEventRecord(join, pair->streams[1]));
    sim_use(pair, 0);
    good(cuStreamWaitEvent(pair->streams[0], join, 0));
    good(cuStreamEndCapture(pair->streams[0], &graph));
    good(cuGraphInstantiateWithFlags(&exec, graph, 0));
    good(cuGraphLaunch(exec, pair->streams[0]));
    good(cuStreamSynchronize(pair->streams[0]));
    assert_int_equal(sim_read(here), 1);
    assert_int_equal(sim_read(there), 1);
    good(cuGraphExecDestroy(exec));
    good(cuGraphDestroy(graph));
    good(cuEventDestroy_v2(fork));
    good(cuEventDestroy_v2(join));
    good(cuMemFree_v2(here));
    good(cuMemFree_v2(there));
}

RUN_TESTS(sim_four_devices, NULL)
