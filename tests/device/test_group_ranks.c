/* Groups of several ranks, here threads of one process: every rank gets the result of all; and the errors that ranks
 * get when one of them fails, or makes a different call. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fixtures/group_case.h"
#include "support/fixtures/rank_case.h"

enum { EACH = 2 }; /* devices of a rank */

typedef struct data {
    const opened *device;
    const int32_t *d_data;
    const jr_spec *specs;
    jr_value (*wanted)[JR_OPS_MAX];
    uint64_t begins[GROUP_DEVICES + 1];
} data;

static jr_status open_rank(const jr_group_options *options, const data *of, jr_group **group) {
    jr_context *const contexts[EACH] = {of->device->context, of->device->context};
    jr_group_options own = *options;
    own.contexts = contexts;
    own.context_count = EACH;
    return jr_group_open(&own, group);
}

/* A value of this rank's parts. */
static jr_status value_of(const jr_group *group, jr_group_plan *plan, const data *of, jr_value *values) {
    const size_t first = jr_group_first(group);
    const void *arrays[EACH];
    const void *const *d_in[EACH];
    uint64_t counts[EACH];
    for (size_t i = 0; i < EACH; i++) {
        arrays[i] = of->d_data + of->begins[first + i];
        d_in[i] = &arrays[i];
        counts[i] = of->begins[first + i + 1] - of->begins[first + i];
    }
    return jr_work_group_plan_run(plan, PARTS(.d_in = d_in, .counts = counts, .values = values));
}

static bool same(const jr_value *values, const jr_value *wanted, int count) {
    for (int i = 0; i < count; i++)
        if (values[i].type != wanted[i].type ||
            memcmp(values[i].as.bytes, wanted[i].as.bytes, sizeof values[i].as) != 0)
            return false;
    return true;
}

static int reduce_all(const jr_group_options *options, void *user) {
    const data *of = user;
    jr_group *group = NULL;
    RANK_FAILS_UNLESS(open_rank(options, of, &group) == JR_OK);
    RANK_FAILS_UNLESS(jr_group_size(group) == (size_t)options->ranks * EACH);
    RANK_FAILS_UNLESS(jr_group_first(group) == (size_t)options->rank * EACH);
    for (int s = 0; s < GROUP_SPECS; s++) {
        jr_value values[JR_OPS_MAX] = {0};
        jr_group_plan *plan = NULL;
        RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(&of->specs[s]), &plan) == JR_OK);
        RANK_FAILS_UNLESS(value_of(group, plan, of, values) == JR_OK);
        RANK_FAILS_UNLESS(same(values, of->wanted[s], group_value_count(&of->specs[s])));
        jr_group_plan_destroy(plan);
    }
    jr_group_close(group);
    return 0;
}

/* Runs ranks over the usual data. */
static void with_data(const opened *device, int ranks, rank_body *body, rank_forge *forge) {
    jr_spec specs[GROUP_SPECS];
    jr_value wanted[GROUP_SPECS][JR_OPS_MAX] = {0};
    int32_t *numbers = group_numbers(), *d_data = device_new(device, GROUP_COUNT * sizeof *d_data);
    data of = {.device = device, .d_data = d_data, .specs = specs, .wanted = wanted};
    group_specs(specs);
    group_cut((size_t)ranks * EACH, of.begins);
    device_write(device, d_data, numbers, GROUP_COUNT * sizeof *numbers);
    if (body == reduce_all)
        for (int s = 0; s < GROUP_SPECS; s++) group_whole(device, &specs[s], d_data, GROUP_COUNT, wanted[s]);
    ranks_in_threads(ranks, body, forge, &of);
}

TEST(every_rank_gets_what_the_whole_makes) {
    for (int ranks = 1; ranks <= RANKS_MAX; ranks++) with_data(*state, ranks, reduce_all, NULL);
}

/* ---- a rank fails ---- */

static bool told(const jr_group_options *options, int failed, jr_status status, jr_status own, const char *why) {
    const bool mine = options->rank == failed;
    return status == (mine ? own : JR_ERROR_RANK) && jr_last_error()->status == status &&
           strstr(jr_last_error()->message, why) != NULL &&
           (mine || strstr(jr_last_error()->message, jr_status_name(own)) != NULL);
}

/* With counts before the states, and without. */
static int fail_and_go_on(const jr_group_options *options, void *user) {
    const data *of = user;
    const jr_spec specs[] = {JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                             JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32)},
                  bad = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .unroll = 99);
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    jr_group *group = NULL;
    RANK_FAILS_UNLESS(open_rank(options, of, &group) == JR_OK);
    for (int s = 0; s < 2; s++) {
        jr_group_plan *plan = NULL;
        jr_value value = {.type = JR_STRUCT};
        jr_status status = jr_work_group_plan_create(group, WORK(options->rank == 1 ? &bad : &specs[s]), &plan);
        RANK_FAILS_UNLESS(plan == NULL && told(options, 1, status, wrong, "99"));
        RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(&specs[s]), &plan) == JR_OK);
        for (int failed = 0; failed < options->ranks; failed++) {
            data away = *of;
            if (options->rank == failed) away.d_data = (const int32_t *)((const char *)of->d_data + 1);
            status = value_of(group, plan, &away, &value);
            RANK_FAILS_UNLESS(value.type == JR_STRUCT && told(options, failed, status, wrong, "not aligned"));
            status = options->rank != failed ? value_of(group, plan, of, &value)
                                             : jr_work_group_plan_run(plan, PARTS(.values = &value));
            RANK_FAILS_UNLESS(value.type == JR_STRUCT && told(options, failed, status, wrong, "NULL"));
        }
        RANK_FAILS_UNLESS(value_of(group, plan, of, &value) == JR_OK && value.type == JR_I64);
        jr_group_plan_destroy(plan);
    }
    jr_group_close(group);
    return 0;
}

TEST(what_fails_on_one_rank_fails_on_all_and_the_group_goes_on) {
    with_data(*state, 2, fail_and_go_on, NULL);
    with_data(*state, 3, fail_and_go_on, NULL);
}

static int open_without_a_device(const jr_group_options *options, void *user) {
    const data *of = user;
    jr_group *group = NULL;
    jr_group_options own = *options;
    own.devices = "nothing";
    const jr_status status = options->rank == 1 ? jr_group_open(&own, &group) : open_rank(options, of, &group);
    RANK_FAILS_UNLESS(group == NULL && told(options, 1, status, JR_ERROR_INVALID_ARGUMENT, "'nothing'"));
    return 0;
}

TEST(a_rank_without_a_device_is_told_to_all) {
    with_data(*state, 3, open_without_a_device, NULL);
}

/* ---- ranks differ ---- */

static void another_version(int rank, int call, unsigned char *bytes, size_t count) {
    enum { FRAME_BYTES = 32 };
    (void)count;
    if (rank == 1 && call == 0) memcpy(bytes + FRAME_BYTES, "0.1.9", sizeof "0.1.9");
}

static int open_with_versions(const jr_group_options *options, void *user) {
    const data *of = user;
    jr_group *group = NULL;
    RANK_FAILS_UNLESS(open_rank(options, of, &group) == JR_ERROR_RANKS_DIFFER && group == NULL);
    RANK_FAILS_UNLESS(strstr(jr_last_error()->message, "0.1.9") != NULL);
    RANK_FAILS_UNLESS(strstr(jr_last_error()->message, jr_version()) != NULL);
    return 0;
}

TEST(versions_that_differ_are_refused_with_both_named) {
    with_data(*state, 2, open_with_versions, another_version);
    with_data(*state, 3, open_with_versions, another_version);
}

static int mean_something_else(const jr_group_options *options, void *user) {
    const data *of = user;
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32),
                  twice = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * 2"),
                  tuned = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .block = 64);
    jr_group *group = NULL;
    jr_group_plan *plan = NULL, *other = NULL;
    jr_value value;
    RANK_FAILS_UNLESS(open_rank(options, of, &group) == JR_OK);
    RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(options->rank == 1 ? &least : &sum), &plan) ==
                      JR_ERROR_RANKS_DIFFER);
    RANK_FAILS_UNLESS(strstr(jr_last_error()->message, "sum of i32") != NULL);
    RANK_FAILS_UNLESS(strstr(jr_last_error()->message, "min of f32") != NULL);
    RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(options->rank == 1 ? &twice : &sum), &plan) ==
                      JR_ERROR_RANKS_DIFFER);
    RANK_FAILS_UNLESS(strstr(jr_last_error()->message, "other expressions") != NULL && plan == NULL);
    RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(options->rank == 1 ? &tuned : &sum), &plan) == JR_OK);
    const jr_status status =
        options->rank == 1 ? jr_work_group_plan_create(group, WORK(&sum), &other) : value_of(group, plan, of, &value);
    RANK_FAILS_UNLESS(status == JR_ERROR_RANKS_DIFFER && strstr(jr_last_error()->message, "making a plan") != NULL);
    RANK_FAILS_UNLESS(strstr(jr_last_error()->message, "reducing") != NULL && other == NULL);
    RANK_FAILS_UNLESS(value_of(group, plan, of, &value) == JR_OK);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    return 0;
}

TEST(ranks_that_mean_or_do_different_things_are_told_so) {
    with_data(*state, 2, mean_something_else, NULL);
}

/* ---- more than 2^32 elements in all ---- */

static const uint64_t far = UINT64_C(1) << 33;

/* Rank 0 says that its second device has more elements than it has. */
static void count_more(int rank, int call, unsigned char *bytes, size_t count) {
    enum { FRAME_BYTES = 32, AT = FRAME_BYTES + sizeof(uint64_t), FIRST_CALL = 2 };
    uint64_t number;
    (void)count;
    if (rank != 0 || call < FIRST_CALL) return;
    memcpy(&number, bytes + AT, sizeof number);
    number += far;
    memcpy(bytes + AT, &number, sizeof number);
}

static int find_far(const jr_group_options *options, void *user) {
    const data *of = user;
    const jr_spec last = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I64, .map = "(long long)i");
    jr_group *group = NULL;
    jr_group_plan *plan = NULL;
    jr_value value;
    data wide = *of;
    for (int i = 0; i <= 2 * EACH; i++) wide.begins[i] = (uint64_t)i * 10;
    RANK_FAILS_UNLESS(open_rank(options, of, &group) == JR_OK);
    RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(&last), &plan) == JR_OK);
    wide.d_data = of->d_data;
    RANK_FAILS_UNLESS(value_of(group, plan, &wide, &value) == JR_OK);
    RANK_FAILS_UNLESS(value.as.i64 == (int64_t)far + 2 * EACH * 10 - 1);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    return 0;
}

TEST(an_index_counts_on_beyond_32_bits) {
    with_data(*state, 2, find_far, count_more);
}

/* ---- a limit ---- */

/* It comes back when the test lets it. */
typedef struct late_way {
    atomic_bool may_end, ended;
} late_way;

static int late(void *user, const void *mine, size_t bytes, void *all) {
    late_way *way = user;
    while (!atomic_load(&way->may_end)) usleep(1000);
    memcpy(all, mine, bytes);
    memcpy((char *)all + bytes, mine, bytes);
    atomic_store(&way->ended, true);
    return 0;
}

static int broken(void *user, const void *mine, size_t bytes, void *all) {
    (void)user, (void)mine, (void)bytes, (void)all;
    return 42;
}

DEVICE_TEST(a_transport_that_fails_or_is_late_is_told) {
    static late_way way; /* outlives the call that gave up waiting for it */
    jr_context *const contexts[] = {device->context};
    jr_group_options options = JR_INIT(jr_group_options, .contexts = contexts, .context_count = 1, .allgather = late,
                                       .user = &way, .ranks = 2, .wait_limit_ms = 50);
    jr_group *group = NULL;
    fails(jr_group_open(&options, &group), JR_ERROR_TRANSPORT, "within 50 ms");
    atomic_store(&way.may_end, true);
    options.allgather = broken;
    options.wait_limit_ms = 600000;
    for (int i = 0; i < 2; i++) {
        fails(jr_group_open(&options, &group), JR_ERROR_TRANSPORT, "failed with 42");
        options.wait_limit_ms = 0;
    }
    assert_null(group);
    while (!atomic_load(&way.ended)) usleep(1000); /* nothing calls it any more when the test is over */
}

RUN_TESTS(open_context, close_context)
