/* Groups whose launches are made by threads of their own: the same values, the same failures, and threads only where
 * calls follow one another. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/fixtures/allreduce_case.h"

static const double LOOK_US = 2e5;
static const double SOON_US = 2e7; /* more than any call takes on the simulator, where others are busy, too */

/* A group of the devices of another one, which stays open, whose launchers look for so long. */
static void open_looking(const dealt *of, double look_us, jr_group **group) {
    jr_context *contexts[DEALT_DEVICES];
    for (size_t i = 0; i < of->count; i++) contexts[i] = jr_group_context(of->group, i);
    works(jr_group_open(
        &JR_INIT(jr_group_options, .contexts = contexts, .context_count = of->count, .launch_look_us = look_us),
        group));
}

static void open_ones(const opened *device, size_t count, dealt *of) {
    static int32_t ones[GROUP_COUNT];
    for (int i = 0; i < GROUP_COUNT; i++) ones[i] = 1;
    dealt_open(device, count, of);
    dealt_give(ones, sizeof *ones, of);
}

static size_t count_now(void) {
    size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    while (readdir(tasks) != NULL) count++;
    closedir(tasks);
    return count;
}

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* Counts threads without those of the simulator's kernels, which may end after the results are there. */
static size_t count_threads(void) {
    enum { STEADY = 100 }; /* equal counts in a row */
    size_t last = count_now();
    for (int same = 0; same < STEADY; same++) {
        sleep_ms(1);
        const size_t now = count_now();
        if (now != last) same = 0;
        last = now;
    }
    return last;
}

/* Waits until there are so many, as simulated kernels end when their threads get a core. A launcher stays: one too few
 * or too many is there for ever. */
static void assert_threads(size_t wanted) {
    enum { LOOKS = 60000 };
    for (int look = 0; look < LOOKS && count_now() != wanted; look++) sleep_ms(1);
    assert_int_equal(count_threads(), wanted);
}

static void assert_counted(jr_group_plan *plan, const dealt *of, int runs) {
    jr_value value = {.as.i64 = 7};
    for (int run = 0; run < runs; run++) {
        works(group_values(plan, of->parts, &value));
        assert_int_equal(value.as.i64, GROUP_COUNT);
    }
}

DEVICE_TEST(threads_launch_what_one_behind_the_other_does) {
    jr_spec specs[GROUP_SPECS];
    int32_t *data = group_numbers(), *d_data = device_new(device, GROUP_COUNT * sizeof *d_data);
    dealt of;
    jr_group *group;
    group_specs(specs);
    device_write(device, d_data, data, GROUP_COUNT * sizeof *data);
    dealt_open(device, dealt_devices(device) < 3 ? 2 : 3, &of);
    dealt_give(data, sizeof *data, &of);
    open_looking(&of, LOOK_US, &group);
    for (int s = 0; s < GROUP_SPECS; s++) {
        jr_value wanted[JR_OPS_MAX] = {0}, values[JR_OPS_MAX];
        jr_group_plan *plan = NULL;
        group_whole(device, &specs[s], d_data, GROUP_COUNT, wanted);
        works(jr_work_group_plan_create(group, WORK(&specs[s]), &plan));
        for (int run = 0; run < 5; run++) {
            memset(values, 0, sizeof values);
            works(group_values(plan, of.parts, values));
            group_assert_same(values, wanted, group_value_count(&specs[s]));
        }
        jr_group_plan_destroy(plan);
    }
    jr_group_close(group);
    dealt_close(&of);
}

TEST(all_reduces_are_launched_by_threads) {
    dealt of;
    jr_group *group;
    open_ones(*state, 2, &of);
    open_looking(&of, LOOK_US, &group);
    for (int w = 0; w < DEALT_WAYS; w++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
        const int64_t wanted = GROUP_COUNT;
        jr_allreduce *allreduce = NULL;
        if (dealt_ways[w] == JR_ALLREDUCE_NCCL) continue; /* its calls are one group */
        works(jr_work_allreduce_create(group, WORK(&spec), &JR_INIT(jr_allreduce_options, .way = dealt_ways[w]),
                                       &allreduce));
        for (int run = 0; run < 5; run++) {
            dealt_clear(&of);
            works(jr_allreduce_run(allreduce, &of.parts, of.d_out));
            works(jr_allreduce_wait(allreduce));
            dealt_assert(&of, &wanted, sizeof wanted);
        }
        jr_allreduce_destroy(allreduce);
    }
    jr_group_close(group);
    dealt_close(&of);
}

/* Ones, whose sums are the numbers of the elements from 1 on. */
TEST(scans_are_launched_by_threads) {
    static int64_t found[GROUP_COUNT];
    dealt of;
    jr_group *group;
    jr_group_plan *plan = NULL;
    void *d_out[2];
    open_ones(*state, 2, &of);
    open_looking(&of, LOOK_US, &group);
    works(jr_work_group_plan_create(
        group, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32), .kind = JR_WORK_SCAN_INCLUSIVE), &plan));
    for (size_t i = 0; i < 2; i++) works(jr_memory_new(jr_group_context(group, i), sizeof found, &d_out[i]));
    for (int run = 0; run < 5; run++) {
        uint64_t before = 0;
        works(group_scans(plan, of.parts, d_out));
        for (size_t i = 0; i < 2; before += of.counts[i++]) {
            works(jr_memory_read(jr_group_context(group, i), found, d_out[i], of.counts[i] * sizeof *found));
            for (uint64_t e = 0; e < of.counts[i]; e++) assert_int_equal(found[e], before + e + 1);
        }
    }
    for (size_t i = 0; i < 2; i++) jr_memory_free(jr_group_context(group, i), d_out[i]);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    dealt_close(&of);
}

TEST(a_launch_that_fails_on_a_thread_is_told) {
    dealt of;
    jr_group *group;
    jr_group_plan *plan = NULL;
    jr_stream streams[2];
    jr_value value = {.as.i64 = 7};
    open_ones(*state, 2, &of);
    open_looking(&of, LOOK_US, &group);
    works(jr_work_group_plan_create(group, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .finish = "a")),
                                    &plan));
    for (size_t i = 0; i < 2; i++)
        works(jr_stream_create(jr_group_context(group, i), JR_STREAM_NON_BLOCKING, &streams[i]));
    of.parts.streams = streams;
    for (size_t wrong = 0; wrong < 2; wrong++) {
        jr_stream right = streams[wrong];
        assert_counted(plan, &of, 3);
        streams[wrong] = streams[1 - wrong];
        fails(group_values(plan, of.parts, &value), JR_ERROR_WRONG_CONTEXT,
              wrong == 0 ? "device 0 of the group" : "device 1 of the group");
        assert_int_equal(value.as.i64, 7);
        streams[wrong] = right;
        assert_counted(plan, &of, 3);
    }
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    for (size_t i = 0; i < 2; i++) works(jr_stream_destroy(jr_group_context(of.group, i), streams[i]));
    dealt_close(&of);
}

/* A launcher's own one is another stream than the caller's, who looks at his. */
TEST(a_stream_that_each_thread_has_is_the_callers) {
    enum { PER_THREAD = 2 };
    dealt of;
    jr_group *group;
    jr_group_plan *plan = NULL;
    jr_stream streams[2] = {(jr_stream)(uintptr_t)PER_THREAD, (jr_stream)(uintptr_t)PER_THREAD};
    open_ones(*state, 2, &of);
    open_looking(&of, 1e6, &group);
    of.parts.streams = streams;
    works(jr_work_group_plan_create(group, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32)), &plan));
    assert_counted(plan, &of, 20);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    dealt_close(&of);
}

TEST(threads_sleep_wake_and_end_with_the_group) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    dealt of;
    open_ones(*state, 2, &of);
    for (int round = 0; round < 4; round++) {
        jr_group *group;
        jr_group_plan *plan = NULL;
        open_looking(&of, 2e4, &group);
        works(jr_work_group_plan_create(group, WORK(&spec), &plan));
        for (int gap = 0; gap < 3; gap++) {
            assert_counted(plan, &of, 4);
            sleep_ms(10L * gap); /* they still look, or are about to sleep, or sleep */
        }
        jr_group_plan_destroy(plan);
        if (round % 2 > 0) sleep_ms(50);
        jr_group_close(group);
    }
    dealt_close(&of);
}

TEST(threads_are_begun_by_calls_that_follow_soon) {
    static const double looks[] = {SOON_US, -1, 1e-3};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    dealt of;
    open_ones(*state, 2, &of);
    for (int i = 0; i < 3; i++) {
        jr_group *group;
        jr_group_plan *plan = NULL;
        open_looking(&of, looks[i], &group);
        works(jr_work_group_plan_create(group, WORK(&spec), &plan));
        assert_counted(plan, &of, 1);
        const size_t before = count_threads();
        assert_counted(plan, &of, 3);
        assert_threads(before + (looks[i] == SOON_US ? 1 : 0));
        jr_group_plan_destroy(plan);
        jr_group_close(group);
    }
    dealt_close(&of);
}

RUN_TESTS(open_four_devices, close_context)
