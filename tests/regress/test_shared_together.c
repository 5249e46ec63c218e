/* A launch whose static and dynamic shared memory were each below 48 KiB, but not together, was refused by the driver:
 * the leave to use more was asked for only when the dynamic part alone was above. And threads that launched one kernel
 * with different amounts took that leave away from each other. */
#include "support/fixtures/kernel_case.h"

#include <pthread.h>
#include <stdbool.h>

static const char source[] = "extern \"C\" __global__ void k(int *out, int words) {\n"
                             "    __shared__ int fixed[8192];\n"
                             "    extern __shared__ int room[];\n"
                             "    for (int i = threadIdx.x; i < 8192; i += blockDim.x) fixed[i] = i;\n"
                             "    for (int i = threadIdx.x; i < words; i += blockDim.x) room[i] = -i;\n"
                             "    __syncthreads();\n"
                             "    if (threadIdx.x == 0) *out = fixed[8191] + room[words - 1];\n"
                             "}\n";

static const jr_program program = {.size = sizeof(jr_program), .name = "together", .source = source, .entry = "k"};

static jr_status launch(jr_kernel *kernel, int *d_out, int words, jr_stream stream) {
    void *args[] = {&d_out, &words};
    const jr_launch how =
        JR_INIT(jr_launch, .grid = {1}, .block = {64}, .shared_bytes = (unsigned)words * 4, .stream = stream);
    return jr_kernel_launch(kernel, &how, args);
}

TEST(static_and_dynamic_shared_memory_add_up) {
    const opened *device = *state;
    static const int words[] = {1, 4096, 4097, 6000, 12288, 12289, 20000, 100};
    jr_kernel *kernel = kernel_new(device, &program);
    int *d_out = device_new(device, sizeof *d_out), out = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        works(launch(kernel, d_out, words[i], NULL));
        device_read(device, &out, d_out, sizeof out);
        assert_int_equal(out, 8191 - (words[i] - 1));
    }
    fails(launch(kernel, d_out, (int)device->info.shared_bytes_per_block_optin / 4 - 4096, NULL),
          JR_ERROR_LAUNCH_RESOURCES, "32768 static shared bytes");
    works(launch(kernel, d_out, 5000, NULL));
    device_read(device, &out, d_out, sizeof out);
    assert_int_equal(out, 8191 - 4999);
    device_free(device, d_out);
}

typedef struct launcher {
    jr_kernel *kernel;
    jr_stream stream;
    int *d_out;
    int words;
    bool ok;
    pthread_barrier_t *together; /* so that their launches meet */
} launcher;

static void *launch_often(void *user) {
    launcher *self = user;
    self->ok = true;
    for (int i = 0; i < 500; i++) {
        pthread_barrier_wait(self->together);
        self->ok = launch(self->kernel, self->d_out, self->words, self->stream) == JR_OK && self->ok;
    }
    return NULL;
}

TEST(threads_that_need_different_amounts_do_not_disturb_each_other) {
    const opened *device = *state;
    enum { THREADS = 4 };
    launcher launchers[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t together;
    assert_int_equal(pthread_barrier_init(&together, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        launchers[i] =
            (launcher){.kernel = kernel_new(device, &program), .words = 13000 + 9000 * i, .together = &together};
        launchers[i].stream = stream_new(device);
        launchers[i].d_out = device_new(device, sizeof(int));
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_often, &launchers[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&together);
    for (int i = 0; i < THREADS; i++) {
        int out = 0;
        stream_wait(device, launchers[i].stream);
        device_read(device, &out, launchers[i].d_out, sizeof out);
        assert_true(launchers[i].ok);
        assert_int_equal(out, 8191 - (launchers[i].words - 1));
        device_free(device, launchers[i].d_out);
        stream_free(device, launchers[i].stream);
    }
}

RUN_TESTS(open_context, close_context)
