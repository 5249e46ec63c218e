/* The memo: single flight. Its kernels here are empty ones: without a module, freeing them calls no driver. */
/* link: fail_nth */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel/memo.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"

enum { THREADS = 16 };

static jr_device nowhere;

static jr_key key_number(unsigned number) {
    jr_key key = {{0}};
    memcpy(key.bytes, &number, sizeof number);
    return key;
}

static jr_kernel *empty_kernel(void) {
    jr_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel != NULL) kernel->device = &nowhere;
    return kernel;
}

TEST(the_first_asker_makes_and_the_next_finds) {
    jr_memo memo;
    jr_kernel *found = (jr_kernel *)&memo;
    const jr_key key = key_number(1);
    jr_memo_open(&memo);
    assert_int_equal(jr_memo_begin(&memo, &key, &found), JR_OK);
    assert_null(found);
    jr_kernel *made = empty_kernel();
    jr_memo_end(&memo, &key, made);
    assert_int_equal(jr_memo_begin(&memo, &key, &found), JR_OK);
    assert_ptr_equal(found, made);
    jr_memo_close(&memo);
}

TEST(a_failure_leaves_no_entry) {
    jr_memo memo;
    jr_kernel *found = NULL;
    const jr_key key = key_number(1);
    jr_memo_open(&memo);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(jr_memo_begin(&memo, &key, &found), JR_OK);
        assert_null(found);
        jr_memo_end(&memo, &key, NULL);
    }
    jr_memo_close(&memo);
}

/* More keys than buckets, some in the same one; failures in the midst of chains. */
TEST(keys_of_one_bucket_are_kept_apart) {
    enum { KEYS = 5 * JR_MEMO_BUCKETS };
    static jr_kernel *made[KEYS];
    jr_memo memo;
    jr_kernel *found;
    jr_memo_open(&memo);
    for (unsigned i = 0; i < KEYS; i++) {
        const jr_key key = key_number(i);
        assert_int_equal(jr_memo_begin(&memo, &key, &found), JR_OK);
        assert_null(found);
    }
    for (unsigned i = 0; i < KEYS; i++) {
        const jr_key key = key_number(i);
        made[i] = i % 3 == 0 ? NULL : empty_kernel();
        jr_memo_end(&memo, &key, made[i]);
    }
    for (unsigned i = 0; i < KEYS; i++) {
        const jr_key key = key_number(i);
        assert_int_equal(jr_memo_begin(&memo, &key, &found), JR_OK);
        assert_ptr_equal(found, made[i]);
        if (found == NULL) jr_memo_end(&memo, &key, NULL);
    }
    jr_memo_close(&memo);
}

typedef struct race {
    jr_memo memo;
    atomic_int makers, failures_left;
    pthread_barrier_t start;
} race;

static void *ask(void *user) {
    race *shared = user;
    const jr_key key = key_number(7);
    jr_kernel *found = NULL;
    pthread_barrier_wait(&shared->start);
    while (jr_memo_begin(&shared->memo, &key, &found) == JR_OK && found == NULL) {
        atomic_fetch_add(&shared->makers, 1);
        nanosleep(&(struct timespec){0, 2000000}, NULL); /* so that the others come and wait */
        const bool fails = atomic_fetch_sub(&shared->failures_left, 1) > 0;
        jr_memo_end(&shared->memo, &key, fails ? NULL : empty_kernel());
    }
    return found;
}

static void race_with(int failures) {
    race shared = {.makers = 0, .failures_left = failures};
    pthread_t threads[THREADS];
    void *first = NULL, *other = NULL;
    jr_memo_open(&shared.memo);
    assert_int_equal(pthread_barrier_init(&shared.start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, ask, &shared), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], i == 0 ? &first : &other);
        if (i > 0) assert_ptr_equal(other, first);
    }
    assert_non_null(first);
    assert_int_equal(atomic_load(&shared.makers), failures + 1);
    pthread_barrier_destroy(&shared.start);
    jr_memo_close(&shared.memo);
}

TEST(many_threads_have_one_maker) {
    race_with(0);
}

TEST(after_a_failure_one_waiter_becomes_the_maker) {
    race_with(5);
}

static jr_status begin_and_end(void *user) {
    (void)user;
    jr_memo memo;
    jr_kernel *found = NULL;
    const jr_key key = key_number(3);
    jr_memo_open(&memo);
    const jr_status status = jr_memo_begin(&memo, &key, &found);
    if (status == JR_OK) jr_memo_end(&memo, &key, NULL);
    jr_memo_close(&memo);
    return status;
}

TEST(running_out_of_memory_is_told_and_leaks_nothing) {
    assert_int_equal(fail_nth_walk(FAIL_MEMORY, begin_and_end, NULL), 1);
}

RUN_TESTS(NULL, NULL)
