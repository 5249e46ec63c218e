/* A thread that opened NVRTC rewrote the compiler's record while others, who had found it on disk, were reading it for
 * their keys. The thread sanitizer finds that (make check-tsan); without it, only the values are checked. */
#include "support/fixtures/kernel_case.h"

#include <pthread.h>
#include <stdio.h>

#include "support/fixtures/scratch.h"

enum { THREADS = 8 };

typedef struct asker {
    jr_context *context;
    pthread_barrier_t *start;
    int number;
    jr_kernel *kernel;
} asker;

static jr_kernel *get(jr_context *context, int number) {
    char text[16];
    const jr_named_text constant = {"NUMBER", text};
    jr_kernel *kernel = NULL;
    const jr_program program =
        JR_INIT(jr_program, .name = "number", .source = "extern \"C\" __global__ void k(int *o) { *o = NUMBER; }\n",
                .entry = "k", .constants = &constant, .constant_count = 1);
    snprintf(text, sizeof text, "%d", number);
    return jr_kernel_get(context, &program, &kernel) == JR_OK ? kernel : NULL;
}

static void *ask(void *user) {
    asker *self = user;
    pthread_barrier_wait(self->start);
    self->kernel = get(self->context, self->number);
    return NULL;
}

/* A context that finds the record on disk and has something new to compile for every thread. */
static void race(const opened *device, const char *folder, int first_number) {
    asker askers[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    jr_context *context = NULL;
    works(jr_context_open(&JR_INIT(jr_options, .cache_dir = folder), &context));
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        askers[i] = (asker){.context = context, .start = &start, .number = first_number + i};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < THREADS; i++) {
        assert_non_null(askers[i].kernel);
        assert_int_equal(kernel_answer(device, askers[i].kernel), first_number + i);
    }
    jr_context_close(context);
}

TEST(threads_find_the_record_on_disk_while_one_opens_the_compiler) {
    const opened *device = *state;
    char folder[SCRATCH_BYTES];
    jr_context *context = NULL;
    scratch_make(folder);
    works(jr_context_open(&JR_INIT(jr_options, .cache_dir = folder), &context));
    assert_non_null(get(context, -1)); /* leaves the record in the folder */
    jr_context_close(context);
    for (int round = 0; round < 6; round++) race(device, folder, 100 * round);
    scratch_remove(folder);
}

RUN_TESTS(open_context, close_context)
