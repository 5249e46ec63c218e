/* A thread's own mode of the simulator, which says whose captures forbid it unsafe calls. */
#include <pthread.h>

#include "support/cases/sim_case.h"

typedef struct other_thread {
    jr_cu_context context;
    int mode, error;
} other_thread;

static int allocate(void) {
    jr_cu_deviceptr address = 0;
    const int error = cuMemAlloc_v2(&address, 4);
    return error ? error : cuMemFree_v2(address);
}

static void *allocate_in_mode(void *argument) {
    other_thread *other = argument;
    int mode = other->mode;
    other->error = cuThreadExchangeStreamCaptureMode(&mode);
    if (!other->error && mode != JR_CU_CAPTURE_GLOBAL) other->error = -1;
    if (!other->error) other->error = cuCtxSetCurrent(other->context);
    if (!other->error) other->error = allocate();
    return NULL;
}

static int error_elsewhere(const sim_case *sim, int mode) {
    other_thread other = {.context = sim->context, .mode = mode};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, allocate_in_mode, &other), 0);
    pthread_join(thread, NULL);
    return other.error;
}

static int error_here(int mode) {
    const int wanted = mode;
    good(cuThreadExchangeStreamCaptureMode(&mode));
    const int error = allocate();
    good(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, wanted);
    return error;
}

TEST_BETWEEN(a_mode_says_whose_captures_forbid_a_thread_its_unsafe_calls, sim_open, sim_close) {
    static const int unsafe = JR_CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    static const struct {
        int captured, mode, here, elsewhere; /* the mode of the capture, the thread's, and what both threads get */
    } rows[] = {{JR_CU_CAPTURE_GLOBAL, JR_CU_CAPTURE_GLOBAL, unsafe, unsafe},
                {JR_CU_CAPTURE_GLOBAL, JR_CU_CAPTURE_THREAD_LOCAL, unsafe, 0},
                {JR_CU_CAPTURE_GLOBAL, JR_CU_CAPTURE_RELAXED, 0, 0},
                {JR_CU_CAPTURE_THREAD_LOCAL, JR_CU_CAPTURE_GLOBAL, unsafe, 0},
                {JR_CU_CAPTURE_THREAD_LOCAL, JR_CU_CAPTURE_THREAD_LOCAL, unsafe, 0},
                {JR_CU_CAPTURE_THREAD_LOCAL, JR_CU_CAPTURE_RELAXED, 0, 0},
                {JR_CU_CAPTURE_RELAXED, JR_CU_CAPTURE_GLOBAL, 0, 0}};
    const sim_case *sim = *state;
    jr_cu_stream stream;
    good(cuStreamCreate(&stream, JR_CU_STREAM_NON_BLOCKING));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jr_cu_graph graph = NULL;
        good(cuStreamBeginCapture_v2(stream, rows[i].captured));
        assert_int_equal(error_elsewhere(sim, rows[i].mode), rows[i].elsewhere);
        assert_int_equal(error_here(rows[i].mode), rows[i].here);
        const bool spoilt = rows[i].here || rows[i].elsewhere;
        assert_int_equal(cuStreamEndCapture(stream, &graph), spoilt ? JR_CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : 0);
        if (!spoilt) good(cuGraphDestroy(graph));
    }
    good(cuStreamDestroy_v2(stream));
}

TEST_BETWEEN(a_mode_that_does_not_exist_is_refused, sim_open, sim_close) {
    int mode = 3;
    fails(CUDA_ERROR_INVALID_VALUE, cuThreadExchangeStreamCaptureMode(&mode));
    fails(CUDA_ERROR_INVALID_VALUE, cuThreadExchangeStreamCaptureMode(NULL));
    assert_int_equal(mode, 3);
}

RUN_TESTS(NULL, NULL)
