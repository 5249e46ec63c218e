/* Watched kernels that change while threads launch them and streams are captured. */
#include <pthread.h>
#include <stdatomic.h>

#include "support/cases/watch_case.h"

enum { THREADS = 4 };

/* ---- launches under way ---- */

typedef struct launcher {
    const opened *device;
    jr_watch *watch;
    atomic_bool ends;
    atomic_int last, wrong;
} launcher;

/* Answers only grow, and each launch writes a whole one. */
static void *launch_on(void *opaque) {
    launcher *of = opaque;
    jr_kernel *kernel = NULL;
    int answer = 0, before = 0;
    void *out = NULL;
    const jr_launch one = JR_INIT(jr_launch, .grid = {1}, .block = {1});
    bool good = jr_memory_new(of->device->context, sizeof answer, &out) == JR_OK;
    while (good && !atomic_load(&of->ends)) {
        good = jr_watch_kernel(of->watch, 0, &kernel) == JR_OK &&
               jr_kernel_launch(kernel, &one, (void *[]){&out}) == JR_OK &&
               jr_memory_read(of->device->context, &answer, out, sizeof answer) == JR_OK && answer >= before;
        before = answer;
        if (answer > atomic_load(&of->last)) atomic_store(&of->last, answer);
    }
    if (!good) atomic_fetch_add(&of->wrong, 1);
    jr_memory_free(of->device->context, out);
    return NULL;
}

TEST_BETWEEN(threads_that_launch_meanwhile_get_one_kernel_or_the_next, watch_begin, watch_end) {
    enum { LAST = 24 };
    const opened *device = *state;
    pthread_t threads[THREADS];
    jr_kernel *kernel;
    watch_write(20);
    jr_watch *watch = watch_file(device, &kernel);
    launcher of = {.device = device, .watch = watch};
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, launch_on, &of), 0);
    for (int answer = 21; answer <= LAST; answer++) {
        watch_write(answer);
        watch_wait_for_answer(device, watch, &kernel, answer);
    }
    for (int left = 3000; left > 0 && atomic_load(&of.last) < LAST; left--) watch_pause();
    atomic_store(&of.ends, true);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&of.last), LAST);
    assert_int_equal(atomic_load(&of.wrong), 0);
    jr_watch_end(watch);
}

TEST_BETWEEN(a_graph_keeps_the_kernel_that_it_captured_and_a_change_spoils_no_capture, watch_begin, watch_end) {
    const opened *device = *state;
    jr_kernel *kernel, *next;
    int answer = 0;
    jr_stream stream = stream_new(device);
    void *out = device_new(device, sizeof answer);
    watch_write(30);
    jr_watch *watch = watch_file(device, &kernel);
    next = kernel;
    graph_begin(device, stream);
    watch_write(31);
    works(jr_watch_kernel(watch, LONG_MS, &next)); /* loaded while the stream is captured */
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {1}, .stream = stream), (void *[]){&out}));
    jr_cu_graph_exec graph = graph_end(device, stream);
    assert_ptr_not_equal(next, kernel);
    assert_int_equal(kernel_answer(device, next), 31);
    jr_watch_end(watch);
    drives(device->driver.cuGraphLaunch(graph, stream));
    stream_wait(device, stream);
    device_read(device, &answer, out, sizeof answer);
    assert_int_equal(answer, 30);
    graph_free(device, graph);
    stream_free(device, stream);
}

RUN_TESTS(open_context, close_context)
