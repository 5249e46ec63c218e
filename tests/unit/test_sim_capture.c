/* Stream capture and graphs of the simulator. */
#include <pthread.h>

#include "support/cases/sim_case.h"

typedef struct fixture {
    const sim_case *sim;
    jr_cu_stream stream, second;
    jr_cu_deviceptr words; /* four, set to zero */
} fixture;

static void open_streams(fixture *f, void **state) {
    f->sim = *state;
    good(cuStreamCreate(&f->stream, JR_CU_STREAM_NON_BLOCKING));
    good(cuStreamCreate(&f->second, JR_CU_STREAM_NON_BLOCKING));
    f->words = sim_alloc(16);
    good(cuMemsetD32_v2(f->words, 0, 4));
}

static void close_streams(const fixture *f) {
    good(cuStreamDestroy_v2(f->stream));
    good(cuStreamDestroy_v2(f->second));
    good(cuMemFree_v2(f->words));
}

static int status_of(jr_cu_stream stream) {
    int status = -1;
    good(cuStreamIsCapturing(stream, &status));
    return status;
}

/* Ends a capture that must have been spoilt. */
static void end_spoilt(jr_cu_stream stream, int error) {
    jr_cu_graph graph = (jr_cu_graph)(uintptr_t)5;
    assert_int_equal(cuStreamEndCapture(stream, &graph), error);
    assert_null(graph);
    assert_int_equal(status_of(stream), JR_CU_CAPTURE_STATUS_NONE);
}

TEST_BETWEEN(wrong_captures_are_refused, sim_open, sim_close) {
    fixture f;
    jr_cu_graph graph = NULL;
    open_streams(&f, state);
    fails(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture_v2(NULL, JR_CU_CAPTURE_GLOBAL));
    fails(CUDA_ERROR_INVALID_VALUE, cuStreamBeginCapture_v2(f.stream, 3));
    fails(CUDA_ERROR_INVALID_HANDLE, cuStreamBeginCapture_v2((jr_cu_stream)(uintptr_t)77, 0));
    fails(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(f.stream, &graph));
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    fails(CUDA_ERROR_ILLEGAL_STATE, cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    fails(CUDA_ERROR_INVALID_VALUE, cuStreamEndCapture(f.stream, NULL));
    good(cuStreamEndCapture(f.stream, &graph)); /* an empty graph is one */
    good(cuGraphDestroy(graph));
    fails(CUDA_ERROR_INVALID_HANDLE, cuGraphDestroy(graph));
    fails(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(NULL));
    close_streams(&f);
}

TEST_BETWEEN(a_graph_does_its_work_at_each_launch_only, sim_open, sim_close) {
    fixture f;
    jr_cu_graph graph = NULL;
    jr_cu_graph_exec exec = NULL;
    unsigned words[4], source[1] = {50};
    open_streams(&f, state);
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_GLOBAL));
    assert_int_equal(status_of(f.stream), JR_CU_CAPTURE_STATUS_ACTIVE);
    good(sim_fill(f.sim, f.stream, f.words, 1, 10));
    good(cuMemsetD32Async(f.words + 4, 20, 1, f.stream));
    good(cuMemcpyDtoDAsync_v2(f.words + 8, f.words, 4, f.stream));
    good(cuMemcpyHtoDAsync_v2(f.words + 12, source, 4, f.stream));
    good(cuStreamEndCapture(f.stream, &graph));
    assert_int_equal(sim_read(f.words), 0); /* nothing was done yet */
    good(cuGraphInstantiateWithFlags(&exec, graph, 0));
    good(cuGraphDestroy(graph));
    assert_int_equal(jrsim_live("graphs"), 1);
    for (unsigned round = 0; round < 3; round++) {
        source[0] = 50 + round; /* read when launched */
        good(cuMemsetD32_v2(f.words, 0, 4));
        good(cuGraphLaunch(exec, round == 0 ? NULL : f.second));
        good(cuCtxSynchronize());
        good(cuMemcpyDtoH_v2(words, f.words, sizeof words));
        assert_int_equal(words[0], 10);
        assert_int_equal(words[1], 20);
        assert_int_equal(words[2], 10);
        assert_int_equal(words[3], 50 + round);
    }
    good(cuGraphLaunch(exec, f.stream));
    good(cuGraphExecDestroy(exec)); /* the running launch continues */
    fails(CUDA_ERROR_INVALID_HANDLE, cuGraphLaunch(exec, f.stream));
    fails(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(NULL, f.stream));
    good(cuCtxSynchronize());
    close_streams(&f);
}

TEST_BETWEEN(a_fork_must_be_joined, sim_open, sim_close) {
    fixture f;
    jr_cu_event fork = NULL, join = NULL;
    jr_cu_graph graph = NULL;
    jr_cu_graph_exec exec = NULL;
    open_streams(&f, state);
    good(cuEventCreate(&fork, JR_CU_EVENT_DISABLE_TIMING));
    good(cuEventCreate(&join, JR_CU_EVENT_DISABLE_TIMING));
    for (int joined = 0; joined < 2; joined++) {
        good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_THREAD_LOCAL));
        good(cuEventRecord(fork, f.stream));
        good(cuStreamWaitEvent(f.second, fork, 0));
        assert_int_equal(status_of(f.second), JR_CU_CAPTURE_STATUS_ACTIVE);
        good(sim_fill(f.sim, f.second, f.words, 1, 3));
        good(sim_fill(f.sim, f.stream, f.words + 4, 1, 4));
        fails(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(f.second, &graph));
        if (joined) {
            good(cuEventRecord(join, f.second));
            good(cuStreamWaitEvent(f.stream, join, 0));
            good(cuStreamEndCapture(f.stream, &graph));
        } else {
            end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
        }
        assert_int_equal(status_of(f.second), JR_CU_CAPTURE_STATUS_NONE);
    }
    good(cuGraphInstantiateWithFlags(&exec, graph, 0));
    good(cuGraphLaunch(exec, f.stream));
    good(cuStreamSynchronize(f.stream));
    assert_int_equal(sim_read(f.words), 3);
    assert_int_equal(sim_read(f.words + 4), 4);
    good(cuGraphExecDestroy(exec));
    good(cuGraphDestroy(graph));
    good(cuEventDestroy_v2(fork));
    good(cuEventDestroy_v2(join));
    close_streams(&f);
}

TEST_BETWEEN(waiting_spoils_a_capture, sim_open, sim_close) {
    fixture f;
    jr_cu_event event = NULL;
    open_streams(&f, state);
    good(cuEventCreate(&event, 0));
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    fails(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(f.stream));
    assert_int_equal(status_of(f.stream), JR_CU_CAPTURE_STATUS_INVALIDATED);
    fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, sim_fill(f.sim, f.stream, f.words, 1, 1));
    end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    fails(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(f.stream));
    end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    fails(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
    end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    good(cuEventRecord(event, f.stream));
    fails(CUDA_ERROR_CAPTURED_EVENT, cuEventQuery(event));
    end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    good(cuEventQuery(event)); /* its capture is over */
    fails(CUDA_ERROR_INVALID_VALUE, cuEventSynchronize(event));
    good(cuEventDestroy_v2(event));
    close_streams(&f);
}

TEST_BETWEEN(the_mode_says_which_calls_are_allowed, sim_open, sim_close) {
    fixture f;
    jr_cu_graph graph = NULL;
    jr_cu_deviceptr address = 0;
    open_streams(&f, state);
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    good(cuMemAlloc_v2(&address, 4));
    good(cuMemFree_v2(address));
    good(cuStreamSynchronize(f.second));
    good(cuMemsetD32_v2(f.words, 0, 1)); /* no blocking stream is capturing */
    good(cuStreamEndCapture(f.stream, &graph));
    good(cuGraphDestroy(graph));
    for (int mode = JR_CU_CAPTURE_GLOBAL; mode <= JR_CU_CAPTURE_THREAD_LOCAL; mode++) {
        good(cuStreamBeginCapture_v2(f.stream, mode));
        fails(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc_v2(&address, 4));
        end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    }
    close_streams(&f);
}

static void *allocate_elsewhere(void *argument) {
    static int error;
    fixture *f = argument;
    jr_cu_deviceptr address = 0;
    error = cuCtxSetCurrent(f->sim->context);
    if (!error) error = cuMemAlloc_v2(&address, 4);
    if (!error) error = cuMemFree_v2(address);
    jr_cu_graph graph = NULL;
    int end = cuStreamEndCapture(f->stream, &graph);
    if (!error && end != JR_CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) error = -end;
    return &error;
}

TEST_BETWEEN(a_capture_of_one_thread_leaves_others_alone, sim_open, sim_close) {
    fixture f;
    jr_cu_graph graph = NULL;
    pthread_t thread;
    int *error = NULL;
    open_streams(&f, state);
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_THREAD_LOCAL));
    assert_int_equal(pthread_create(&thread, NULL, allocate_elsewhere, &f), 0);
    pthread_join(thread, (void **)&error);
    good(*error);
    good(cuStreamEndCapture(f.stream, &graph));
    good(cuGraphDestroy(graph));
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_GLOBAL));
    assert_int_equal(pthread_create(&thread, NULL, allocate_elsewhere, &f), 0);
    pthread_join(thread, (void **)&error);
    fails(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, *error);
    end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    close_streams(&f);
}

TEST_BETWEEN(the_legacy_stream_keeps_away_from_capturing_streams, sim_open, sim_close) {
    fixture f;
    jr_cu_stream blocking = NULL;
    int status = -1;
    open_streams(&f, state);
    good(cuStreamCreate(&blocking, JR_CU_STREAM_DEFAULT));
    good(cuStreamBeginCapture_v2(blocking, JR_CU_CAPTURE_RELAXED));
    fails(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuStreamIsCapturing(NULL, &status));
    assert_int_equal(status_of(blocking), JR_CU_CAPTURE_STATUS_ACTIVE);
    fails(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, sim_fill(f.sim, NULL, f.words, 1, 1));
    end_spoilt(blocking, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    good(cuStreamDestroy_v2(blocking));
    close_streams(&f);
}

TEST_BETWEEN(captures_do_not_wait_for_the_outside, sim_open, sim_close) {
    fixture f;
    jr_cu_event event = NULL;
    open_streams(&f, state);
    good(cuEventCreate(&event, 0));
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    good(cuStreamWaitEvent(f.stream, event, 0)); /* never recorded: nothing to wait for */
    good(cuEventRecord(event, f.second));
    assert_int_equal(cuStreamWaitEvent(f.stream, event, 0), 905);
    end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    good(cuStreamBeginCapture_v2(f.second, JR_CU_CAPTURE_RELAXED));
    good(cuEventRecord(event, f.second));
    assert_int_equal(cuStreamWaitEvent(f.stream, event, 0), 902);
    end_spoilt(f.stream, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    end_spoilt(f.second, JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    good(cuEventDestroy_v2(event));
    close_streams(&f);
}

TEST_BETWEEN(destroying_a_capturing_stream_ends_its_capture, sim_open, sim_close) {
    fixture f;
    jr_cu_stream stream = NULL;
    jr_cu_deviceptr address = 0;
    open_streams(&f, state);
    good(cuStreamCreate(&stream, 0));
    good(cuStreamBeginCapture_v2(stream, JR_CU_CAPTURE_GLOBAL));
    good(sim_fill(f.sim, stream, f.words, 1, 1));
    good(cuStreamDestroy_v2(stream));
    good(cuMemAlloc_v2(&address, 4)); /* no capture forbids it any more */
    good(cuMemFree_v2(address));
    close_streams(&f);
}

TEST_BETWEEN(a_graph_over_freed_memory_faults, sim_open, sim_close) {
    fixture f;
    jr_cu_graph graph = NULL;
    jr_cu_graph_exec exec = NULL;
    open_streams(&f, state);
    good(cuStreamBeginCapture_v2(f.stream, JR_CU_CAPTURE_RELAXED));
    good(cuMemsetD8Async(f.words, 1, 16, f.stream));
    good(cuStreamEndCapture(f.stream, &graph));
    good(cuGraphInstantiateWithFlags(&exec, graph, 0));
    good(cuMemFree_v2(f.words));
    good(cuGraphLaunch(exec, f.stream));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(f.stream));
    good(cuGraphExecDestroy(exec));
    good(cuGraphDestroy(graph));
    sim_case *sim = *state;
    good(cuCtxDestroy_v2(sim->context));
    *sim = (sim_case){0};
}

RUN_TESTS(NULL, NULL)
