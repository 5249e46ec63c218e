/* Contexts: where kernels come from, single flight, threads, damaged cache entries, and running out of memory. */
/* cache: own */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fakes/allocations.h"
#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

enum { THREADS = 16 };

static const jr_program five = {.size = sizeof(jr_program),
                                .name = "five",
                                .source = "extern \"C\" __global__ void k(int *o) { *o = 5; }\n",
                                .entry = "k"};

/* A context with a cache folder of its own, next to the one of the fixture. */
typedef struct cached {
    char folder[SCRATCH_BYTES];
    opened device;
} cached;

static void cached_begin(const opened *fixture, cached *c) {
    scratch_make(c->folder);
    c->device = *fixture;
}

static void cached_open(cached *c) {
    works(jr_context_open(&JR_INIT(jr_options, .cache_dir = c->folder), &c->device.context));
}

static void cached_end(cached *c) {
    jr_context_close(c->device.context);
    scratch_remove(c->folder);
}

static jr_counters counters_of(const opened *device) {
    jr_counters counters = JR_INIT(jr_counters);
    works(jr_context_counters(device->context, &counters));
    return counters;
}

static void answers_from(const opened *device, jr_origin origin) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_kernel *kernel = kernel_new(device, &five);
    works(jr_context_stats(device->context, &stats));
    assert_int_equal(stats.origin, origin);
    assert_true((stats.nvrtc_ms > 0) == (origin == JR_ORIGIN_COMPILED));
    assert_true((stats.load_ms > 0) == (origin != JR_ORIGIN_MEMORY));
    assert_int_equal(kernel_answer(device, kernel), 5);
}

TEST(a_kernel_is_compiled_then_in_memory_then_on_disk) {
    cached c;
    jr_stats stats = JR_INIT(jr_stats);
    cached_begin(*state, &c);
    cached_open(&c);
    works(jr_context_stats(c.device.context, &stats));
    assert_int_equal(stats.origin, JR_ORIGIN_NONE);
    answers_from(&c.device, JR_ORIGIN_COMPILED);
    answers_from(&c.device, JR_ORIGIN_MEMORY);
    answers_from(&c.device, JR_ORIGIN_MEMORY);
    jr_counters counters = counters_of(&c.device);
    assert_int_equal(counters.compiles, 1);
    assert_int_equal(counters.memory_hits, 2);
    assert_int_equal(counters.disk_hits, 0);
    jr_context_close(c.device.context);
    cached_open(&c);
    answers_from(&c.device, JR_ORIGIN_DISK);
    counters = counters_of(&c.device);
    assert_int_equal(counters.compiles, 0);
    assert_int_equal(counters.disk_hits, 1);
    assert_int_equal(counters.cache_failures, 0);
    cached_end(&c);
}

/* The one entry of the folder. */
static const char *entry_path(const char *folder) {
    const char *found = NULL;
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    for (const struct dirent *item = readdir(stream); item != NULL; item = readdir(stream))
        if (strstr(item->d_name, ".jri") != NULL) {
            assert_null(found);
            found = scratch_path(folder, item->d_name);
        }
    closedir(stream);
    assert_non_null(found);
    return found;
}

/* how: bytes to keep; the byte in the middle is flipped when all are kept. */
static void damage(const char *path, size_t keep) {
    size_t bytes = 0;
    char *content = scratch_read(path, &bytes);
    if (keep >= bytes) content[bytes / 2] ^= 1;
    scratch_write(path, content, keep < bytes ? keep : bytes);
}

TEST(a_damaged_cache_entry_is_compiled_again_and_replaced) {
    static const size_t keeps[] = {0, 1, 100, 1000, SIZE_MAX};
    cached c;
    cached_begin(*state, &c);
    cached_open(&c);
    answers_from(&c.device, JR_ORIGIN_COMPILED);
    for (size_t i = 0; i < sizeof keeps / sizeof *keeps; i++) {
        jr_context_close(c.device.context);
        damage(entry_path(c.folder), keeps[i]);
        cached_open(&c);
        answers_from(&c.device, JR_ORIGIN_COMPILED);
        assert_int_equal(counters_of(&c.device).cache_failures, 1);
        jr_context_close(c.device.context);
        cached_open(&c);
        answers_from(&c.device, JR_ORIGIN_DISK);
    }
    cached_end(&c);
}

TEST(without_a_cache_everything_still_works) {
    opened device = *(const opened *)*state;
    for (int i = 0; i < 2; i++) {
        works(jr_context_open(&JR_INIT(jr_options, .cache_dir = ""), &device.context));
        answers_from(&device, JR_ORIGIN_COMPILED);
        answers_from(&device, JR_ORIGIN_MEMORY);
        assert_int_equal(counters_of(&device).cache_failures, 0);
        jr_context_close(device.context);
    }
}

TEST(two_contexts_live_side_by_side) {
    const opened *first = *state;
    opened second = *first;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I64);
    const int64_t data[] = {3, -7, 1ll << 40};
    jr_value value = {0};
    works(jr_context_open(NULL, &second.context));
    assert_ptr_not_equal(kernel_new(first, &five), kernel_new(&second, &five));
    works(jr_reduce_host(second.context, &spec, data, 3, &value));
    assert_int_equal(value.as.i64, 1ll << 40);
    answers_from(first, JR_ORIGIN_MEMORY);
    jr_context_close(second.context);
    works(jr_reduce_host(first->context, &spec, data, 2, &value));
    assert_int_equal(value.as.i64, 3);
    answers_from(first, JR_ORIGIN_MEMORY);
    jr_context_close(NULL);
}

typedef struct asker {
    const opened *device;
    const jr_program *program;
    pthread_barrier_t *start;
    jr_kernel *kernel;
    jr_status status;
} asker;

static void *ask(void *user) {
    asker *self = user;
    pthread_barrier_wait(self->start);
    self->status = jr_kernel_get(self->device->context, self->program, &self->kernel);
    return NULL;
}

static void ask_at_once(const opened *device, const jr_program *program, asker askers[THREADS]) {
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        askers[i] = (asker){.device = device, .program = program, .start = &start};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
}

TEST(many_askers_of_one_program_have_one_compile) {
    cached c;
    asker askers[THREADS];
    cached_begin(*state, &c);
    cached_open(&c);
    ask_at_once(&c.device, &five, askers);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(askers[i].status, JR_OK);
        assert_ptr_equal(askers[i].kernel, askers[0].kernel);
    }
    const jr_counters counters = counters_of(&c.device);
    assert_int_equal(counters.compiles, 1);
    assert_int_equal(counters.memory_hits, THREADS - 1);
    assert_int_equal(kernel_answer(&c.device, askers[3].kernel), 5);
    cached_end(&c);
}

TEST(failures_are_not_remembered) {
    jr_program broken = five;
    cached c;
    asker askers[THREADS];
    cached_begin(*state, &c);
    cached_open(&c);
    broken.source = "extern \"C\" __global__ void k(int *o) { *o = five; }\n";
    ask_at_once(&c.device, &broken, askers);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(askers[i].status, JR_ERROR_COMPILE);
        assert_null(askers[i].kernel);
    }
    assert_int_equal(counters_of(&c.device).compiles, 0);
    answers_from(&c.device, JR_ORIGIN_COMPILED);
    cached_end(&c);
}

typedef struct reducer {
    const opened *device;
    int number;
    bool right;
} reducer;

/* Each thread has its own operator, count and data, and checks each value. */
static void *reduce_often(void *user) {
    reducer *self = user;
    enum { COUNT = 5000, RUNS = 12 };
    int32_t *data = test_zeros(COUNT, sizeof *data);
    const jr_spec spec = JR_INIT(jr_spec, .op = self->number % 2 == 0 ? JR_OP_SUM : JR_OP_MAX, .type = JR_I32);
    self->right = data != NULL;
    for (int run = 0; run < RUNS && self->right; run++) {
        const int count = COUNT - 100 * run;
        int64_t sum = 0;
        jr_value value = {0};
        for (int i = 0; i < count; i++) sum += data[i] = i + self->number * 1000 + run;
        self->right = jr_reduce_host(self->device->context, &spec, data, (uint64_t)count, &value) == JR_OK;
        if (spec.op == JR_OP_SUM)
            self->right = self->right && value.as.i64 == sum;
        else
            self->right = self->right && value.as.i32 == data[count - 1];
    }
    return NULL;
}

TEST(many_threads_reduce_at_once) {
    reducer reducers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        reducers[i] = (reducer){.device = *state, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, reduce_often, &reducers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_true(reducers[i].right);
}

DEVICE_TEST(running_out_of_device_memory_leaves_everything_working) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64);
    const double data[4] = {1, 2, 3, 4};
    jr_value value = {0};
    works(jr_reduce_host(device->context, &spec, data, 4, &value)); /* what the driver allocates once, it has now */
    /* Never read: this algorithm takes no parts, and there is no room for the whole. */
    const uint64_t too_many = device->info.memory_bytes / sizeof *data + 1;
    const jr_spec whole = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .algorithm = JR_ALGORITHM_SINGLE_PASS);
    fails(jr_reduce_host(device->context, &whole, data, too_many, &value), JR_ERROR_DEVICE_OUT_OF_MEMORY, "bytes");
    allocations_watch(device);
    for (int i = 0; i < 3; i++) {
        fails(jr_reduce_host(device->context, &whole, data, too_many, &value), JR_ERROR_DEVICE_OUT_OF_MEMORY, "bytes");
        assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_OUT_OF_MEMORY");
        assert_int_equal(allocations_seen().live, 0);
        works(jr_reduce_host(device->context, &spec, data, 4, &value));
        assert_true(value.as.f64 == 10);
    }
}

TEST(wrong_options_are_named) {
    jr_context *context = NULL;
    jr_device_info info = JR_INIT(jr_device_info);
    fails(jr_context_open(NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    fails(jr_context_open(&JR_INIT(jr_options, .device = "gpu"), &context), JR_ERROR_INVALID_ARGUMENT, "'gpu'");
    fails(jr_context_open(&JR_INIT(jr_options, .device = "cuda:x"), &context), JR_ERROR_INVALID_ARGUMENT, "'cuda:x'");
    fails(jr_context_open(&JR_INIT(jr_options, .device = "sim", .simulator = "/nowhere"), &context),
          JR_ERROR_SIMULATOR_NOT_FOUND, "/nowhere");
    fails(jr_context_open(&JR_INIT(jr_options, .device = "cuda", .driver = "/nowhere"), &context),
          JR_ERROR_DRIVER_NOT_FOUND, "/nowhere");
    fails(jr_context_device_info(NULL, &info), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    assert_null(context);
}

RUN_TESTS(open_context, close_context)
