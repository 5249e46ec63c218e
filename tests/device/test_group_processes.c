/* Groups of several processes, one of which may be killed at any exchange: the others end with an error, and a second
 * group works. Nothing of a device is opened before they are forked. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/check.h"
#include "support/fixtures/rank_case.h"
#include "support/fixtures/work.h"

enum {
    COUNT = 5003,
    EXCHANGES = 4,      /* opening, a plan, counts, states */
    HOST_EXCHANGES = 6, /* opening; intents, states; intents, states, results */
    MANY_EXCHANGES = 6  /* opening; a plan, states; a plan, counts, states */
};

/* Zeros, but for the last element of the last rank: the index of the greatest one. */
static int find_greatest(const jr_group_options *options, void *user) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32);
    int32_t numbers[COUNT] = {0};
    void *d_in = NULL;
    jr_group *group = NULL;
    jr_group_plan *plan = NULL;
    jr_value value;
    (void)user;
    numbers[COUNT - 1] = options->rank;
    if (jr_group_open(options, &group) != JR_OK) return 1;
    int failed = jr_work_group_plan_create(group, WORK(&spec), &plan) != JR_OK;
    if (!failed) failed = jr_memory_new(jr_group_context(group, 0), sizeof numbers, &d_in) != JR_OK;
    if (!failed) failed = jr_memory_write(jr_group_context(group, 0), d_in, numbers, sizeof numbers) != JR_OK;
    const void *arrays[] = {d_in};
    const void *const *of_devices[] = {arrays};
    const uint64_t counts[] = {COUNT};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = of_devices, .counts = counts);
    if (!failed) failed = group_values(plan, parts, &value) != JR_OK;
    if (!failed) failed = value.as.i64 != (int64_t)options->ranks * COUNT - 1;
    if (d_in != NULL) jr_memory_free(jr_group_context(group, 0), d_in);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    return failed;
}

/* Ones on the host: how many there are, and, at each, how many there are up to it. */
static int count_ones(const jr_group_options *options, void *user) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    int32_t numbers[COUNT];
    int64_t sums[COUNT] = {0};
    const void *const arrays[] = {numbers};
    jr_group *group = NULL;
    jr_value value;
    (void)user;
    for (int i = 0; i < COUNT; i++) numbers[i] = 1;
    if (jr_group_open(options, &group) != JR_OK) return 1;
    int failed = jr_work_group_host(group, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = &value)) != JR_OK;
    if (!failed) failed = value.as.i64 != (int64_t)options->ranks * COUNT;
    if (!failed)
        failed = jr_work_group_host(group, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                                    DATA(.in = arrays, .count = COUNT, .out = sums)) != JR_OK;
    if (!failed) failed = sums[COUNT - 1] != (int64_t)(options->rank + 1) * COUNT;
    jr_group_close(group);
    return failed;
}

/* Ones on a device: at each, how many there are up to it; and in rows that go through all ranks. */
static int count_many(const jr_group_options *options, void *user) {
    enum { ROWS = 3, LENGTH = 1000 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = LENGTH);
    int32_t numbers[COUNT];
    int64_t sums[COUNT] = {0}, rows[ROWS] = {0};
    void *d_in = NULL, *d_out = NULL;
    jr_group *group = NULL;
    jr_group_plan *scan = NULL, *segments = NULL;
    (void)user;
    for (int i = 0; i < COUNT; i++) numbers[i] = 1;
    if (jr_group_open(options, &group) != JR_OK) return 1;
    jr_context *context = jr_group_context(group, 0);
    int failed = jr_memory_new(context, sizeof numbers, &d_in) != JR_OK ||
                 jr_memory_new(context, sizeof sums, &d_out) != JR_OK ||
                 jr_memory_write(context, d_in, numbers, sizeof numbers) != JR_OK;
    const void *arrays[] = {d_in};
    const void *const *of_devices[] = {arrays};
    const uint64_t counts[] = {COUNT}, row_counts[] = {ROWS};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = of_devices, .counts = counts),
                         row_parts = JR_INIT(jr_group_parts, .d_in = of_devices, .counts = row_counts);
    if (!failed) failed = jr_work_group_plan_create(group, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE), &scan) != JR_OK;
    if (!failed) failed = group_scans(scan, parts, (void *const[]){d_out}) != JR_OK;
    if (!failed) failed = jr_memory_read(context, sums, d_out, sizeof sums) != JR_OK;
    if (!failed) failed = sums[COUNT - 1] != (int64_t)(options->rank + 1) * COUNT;
    if (!failed) failed = jr_work_group_plan_create(group, WORK(&spec, .layout = &layout), &segments) != JR_OK;
    if (!failed) failed = group_results(segments, row_parts, rows) != JR_OK;
    if (!failed) failed = rows[ROWS - 1] != (int64_t)options->ranks * LENGTH;
    if (d_in != NULL) jr_memory_free(context, d_in);
    if (d_out != NULL) jr_memory_free(context, d_out);
    jr_group_plan_destroy(scan);
    jr_group_plan_destroy(segments);
    jr_group_close(group);
    return failed;
}

/* ---- trials ---- */

enum { BODIES = 3, MOST_EXCHANGES = 6, TRIALS_MAX = RANKS_MAX * BODIES * MOST_EXCHANGES };

static const struct {
    rank_body *body;
    int exchanges;
} bodies[BODIES] = {{find_greatest, EXCHANGES}, {count_ones, HOST_EXCHANGES}, {count_many, MANY_EXCHANGES}};

/* On a GPU a process takes seconds, and what ranks do at an exchange is the same on all devices. */
static bool on_gpu(void) {
    const char *device = getenv("JITREDUCE_DEVICE");
    return device != NULL && strncmp(device, "sim", 3) != 0;
}

static void assert_all_work(int ranks_from) {
    rank_trial trials[BODIES * RANKS_MAX];
    size_t count = 0;
    for (int ranks = ranks_from; ranks <= RANKS_MAX; ranks++)
        for (int b = 0; b < BODIES; b++)
            trials[count++] = (rank_trial){.ranks = ranks, .body = bodies[b].body, .loss = {.rank = -1}};
    ranks_in_trials(trials, count);
    for (size_t i = 0; i < count; i++)
        for (int r = 0; r < trials[i].ranks; r++) assert_int_equal(trials[i].results[r], 0);
}

/* At every exchange, each rank in turn or, of few, one of them. A second group, of the same processes' parent, works.
 */
static void assert_losses_are_told(bool hangs, bool few) {
    static rank_trial trials[TRIALS_MAX];
    size_t count = 0;
    for (int b = 0; b < BODIES; b++)
        for (int call = 0; call < bodies[b].exchanges; call++)
            for (int lost = 0; lost < RANKS_MAX; lost++)
                if (!few || lost == (call + b) % RANKS_MAX)
                    trials[count++] =
                        (rank_trial){.ranks = RANKS_MAX, .body = bodies[b].body, .loss = {lost, call, hangs}};
    ranks_in_trials(trials, count);
    for (size_t i = 0; i < count; i++)
        for (int r = 0; r < RANKS_MAX; r++)
            assert_int_equal(trials[i].results[r], r == trials[i].loss.rank && !hangs ? -1 : 1);
    assert_all_work(RANKS_MAX);
}

TEST(processes_find_one_value) {
    assert_all_work(2);
}

TEST(a_killed_rank_ends_no_other_and_is_told_to_all) {
    assert_losses_are_told(false, on_gpu());
}

TEST(a_rank_that_hangs_is_told_to_all_within_the_limit) {
    assert_losses_are_told(true, true);
}

/* All ranks are on the first GPU: a driver that sees no other starts sooner. */
static int see_one_gpu(void **state) {
    (void)state;
    return setenv("CUDA_VISIBLE_DEVICES", "0", 0);
}

RUN_TESTS(see_one_gpu, NULL)
