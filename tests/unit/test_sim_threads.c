/* The simulator under many threads at once: every result right, nothing left, nothing stuck. */
#include <pthread.h>

#include "support/cases/sim_case.h"

enum { THREADS = 8, ROUNDS = 25, WORDS = 512 };

typedef struct worker {
    const sim_case *sim;
    unsigned number;
    int failures; /* CMocka's assertions are for the main thread */
} worker;

/* Counts what went wrong. */
#define check(self, condition) ((self)->failures += (condition) ? 0 : 1)

static int fill(jr_cu_function function, jr_cu_stream stream, jr_cu_deviceptr target, unsigned value) {
    unsigned count = WORDS;
    void *parameters[] = {&target, &count, &value};
    return cuLaunchKernel(function, 2, 1, 1, 256, 1, 1, 0, stream, parameters, NULL);
}

static void one_round(worker *self, jr_cu_function function, jr_cu_stream stream, unsigned value) {
    unsigned words[WORDS] = {0};
    jr_cu_deviceptr address = 0;
    jr_cu_event event = NULL;
    check(self, cuMemAlloc_v2(&address, sizeof words) == 0);
    check(self, cuEventCreate(&event, 0) == 0);
    check(self, fill(function, stream, address, value) == 0);
    check(self, cuEventRecord(event, stream) == 0);
    check(self, cuEventSynchronize(event) == 0 && cuEventQuery(event) == 0);
    check(self, cuMemcpyDtoHAsync_v2(words, address, sizeof words, stream) == 0);
    check(self, cuStreamSynchronize(stream) == 0);
    for (int i = 0; i < WORDS; i++) check(self, words[i] == value);
    check(self, cuEventDestroy_v2(event) == 0);
    check(self, cuMemFree_v2(address) == 0);
}

static void *use_one_context(void *argument) {
    worker *self = argument;
    jr_cu_stream stream = NULL;
    jr_cu_function function = NULL;
    check(self, cuCtxSetCurrent(self->sim->context) == 0);
    check(self, cuModuleGetFunction(&function, self->sim->module, "fill") == 0);
    check(self, cuStreamCreate(&stream, self->number % 2) == 0);
    for (unsigned i = 0; i < ROUNDS; i++) one_round(self, function, stream, self->number * 1000 + i);
    check(self, cuStreamDestroy_v2(stream) == 0);
    return NULL;
}

/* Every other thread's kernels fault; the others must not notice. */
static void *use_own_context(void *argument) {
    worker *self = argument;
    for (unsigned i = 0; i < 5; i++) {
        jr_cu_context context = NULL;
        jr_cu_module module = NULL;
        jr_cu_function function = NULL;
        check(self, cuCtxCreate_v2(&context, 0, 0) == 0);
        check(self, cuModuleLoadData(&module, sim_ptx) == 0);
        check(self, cuModuleGetFunction(&function, module, "fill") == 0);
        if (self->number % 2) {
            check(self, fill(function, NULL, 64, 1) == 0);
            check(self, cuCtxSynchronize() == JR_CUDA_ERROR_ILLEGAL_ADDRESS);
        } else {
            one_round(self, function, NULL, i);
        }
        check(self, cuCtxDestroy_v2(context) == 0);
    }
    return NULL;
}

/* Captures on the thread's own default stream: each thread has one. */
static void *capture_and_launch(void *argument) {
    worker *self = argument;
    jr_cu_stream own = (jr_cu_stream)(uintptr_t)2;
    jr_cu_function function = NULL;
    jr_cu_deviceptr address = 0;
    unsigned last = 0;
    check(self, cuCtxSetCurrent(self->sim->context) == 0);
    check(self, cuModuleGetFunction(&function, self->sim->module, "fill") == 0);
    check(self, cuMemAlloc_v2(&address, 4 * WORDS) == 0);
    for (unsigned i = 0; i < ROUNDS; i++) {
        jr_cu_graph graph = NULL;
        jr_cu_graph_exec exec = NULL;
        check(self, cuStreamBeginCapture_v2(own, JR_CU_CAPTURE_RELAXED) == 0);
        check(self, fill(function, own, address, self->number + i) == 0);
        check(self, cuStreamEndCapture(own, &graph) == 0);
        check(self, cuGraphInstantiateWithFlags(&exec, graph, 0) == 0);
        check(self, cuGraphLaunch(exec, own) == 0);
        check(self, cuGraphExecDestroy(exec) == 0 && cuGraphDestroy(graph) == 0);
        check(self, cuMemcpyDtoHAsync_v2(&last, address + 4 * WORDS - 4, 4, own) == 0);
        check(self, last == self->number + i);
    }
    check(self, cuMemFree_v2(address) == 0);
    return NULL;
}

static void run_all(const sim_case *sim, void *(*work)(void *)) {
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (worker){sim, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(workers[i].failures, 0);
}

TEST_BETWEEN(threads_share_a_context, sim_open, sim_close) {
    run_all(*state, use_one_context);
}

TEST_BETWEEN(threads_have_contexts_of_their_own, sim_open, sim_close) {
    run_all(*state, use_own_context);
}

TEST_BETWEEN(threads_capture_at_the_same_time, sim_open, sim_close) {
    run_all(*state, capture_and_launch);
}

static void *free_while_it_waits(void *argument) {
    const sim_case *sim = argument;
    static int error;
    jr_cu_deviceptr address = 0;
    error = cuCtxSetCurrent(sim->context);
    if (!error) error = cuMemAlloc_v2(&address, 4096);
    if (!error) error = cuMemFree_v2(address); /* waits for the kernel below */
    return &error;
}

TEST_BETWEEN(freeing_waits_for_the_device_without_stopping_others, sim_open, sim_close) {
    const sim_case *sim = *state;
    pthread_t thread;
    sim_busy busy;
    int *error = NULL;
    jr_cu_deviceptr address = 0;
    sim_hold(sim, &busy, NULL);
    assert_int_equal(pthread_create(&thread, NULL, free_while_it_waits, *state), 0);
    for (int i = 0; i < 100; i++) good(cuMemAlloc_v2(&address, 16)); /* not held up by the thread that waits */
    fails(CUDA_ERROR_NOT_READY, cuStreamQuery(NULL));
    sim_let_go(&busy);
    pthread_join(thread, (void **)&error);
    good(*error);
    sim_case *mutable = *state; /* the context takes the hundred blocks with it */
    good(cuCtxDestroy_v2(mutable->context));
    *mutable = (sim_case){0};
}

RUN_TESTS(NULL, NULL)
