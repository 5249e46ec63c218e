/* Scans by groups: every stretch continues where the one before it ended, over devices and over ranks. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/group_scan_case.h"
#include "support/fixtures/rank_case.h"

DEVICE_TEST(stretches_continue_where_those_before_them_ended) {
    static const size_t device_counts[] = {1, 2, 3, 4, 7};
    jr_spec specs[GROUP_SCANS];
    int32_t *data = group_numbers();
    const void *const arrays[] = {data};
    unsigned char *results = test_bytes(GROUP_COUNT * GROUP_SCAN_BYTES);
    group_scan_specs(specs);
    for (int s = 0; s < GROUP_SCANS; s++)
        for (int k = 0; k < 2; k++) {
            if (!group_scan_takes(s, k)) continue;
            unsigned char *wanted = group_scan_whole(device, &specs[s], group_scan_kinds[k], data);
            for (size_t d = 0; d < sizeof device_counts / sizeof *device_counts; d++) {
                jr_group *group = group_new(device, device_counts[d]);
                memset(results, 0, GROUP_COUNT * GROUP_SCAN_BYTES);
                works(jr_work_group_host(group, WORK(&specs[s], .kind = group_scan_kinds[k]),
                                         DATA(.in = arrays, .count = GROUP_COUNT, .out = results)));
                assert_memory_equal(results, wanted, GROUP_COUNT * GROUP_SCAN_BYTES);
            }
        }
}

DEVICE_TEST(results_may_take_the_place_of_the_elements) {
    const jr_spec most = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32);
    int32_t *data = group_numbers();
    const void *const arrays[] = {data};
    unsigned char *wanted = group_scan_whole(device, &most, JR_WORK_SCAN_INCLUSIVE, data);
    jr_group *group = group_new(device, 3);
    fails(jr_work_group_host(group, WORK(&most, .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = arrays, .count = GROUP_COUNT - 1, .out = data + 1)),
          JR_ERROR_INVALID_ARGUMENT, "overlap");
    works(jr_work_group_host(group, WORK(&most, .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = arrays, .count = GROUP_COUNT, .out = data)));
    assert_memory_equal(data, wanted, GROUP_COUNT * sizeof *data);
}

TEST(scans_that_make_no_sense_are_told_why) {
    const jr_spec least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32),
                  kept = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .kept = 1),
                  third = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "i > 2"),
                  passes = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = JR_ALGORITHM_THREE_PASS);
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    int32_t data[200] = {1}, out[400] = {7};
    const void *const arrays[] = {data}, *const none[] = {NULL};
    jr_group *group = group_new(*state, 3);
    fails(jr_work_group_host(group, WORK(&least, .kind = JR_WORK_SCAN_EXCLUSIVE),
                             DATA(.in = arrays, .count = 200, .out = out)),
          JR_ERROR_EMPTY_INPUT, "min");
    fails(jr_work_group_host(group, WORK(&kept, .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = arrays, .count = 200, .out = out)),
          wrong, "kept");
    fails(
        jr_work_group_host(group, WORK(&least, .kind = (jr_work_kind)7), DATA(.in = arrays, .count = 200, .out = out)),
        wrong, "unknown kind of work");
    fails(jr_work_group_host(group, WORK(&least, .kind = JR_WORK_SCAN_INCLUSIVE), DATA(.in = arrays, .count = 200)),
          wrong, "output");
    fails(jr_work_group_host(group, WORK(&least, .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = none, .count = 200, .out = out)),
          wrong, "NULL");
    fails(jr_work_group_host(group, WORK(&passes, .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = arrays, .count = 200, .out = out)),
          JR_ERROR_NOT_APPLICABLE, "three");
    assert_int_equal(out[0], 7);
    fails(jr_work_group_host(group, WORK(&third, .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = arrays, .count = 200, .out = out)),
          JR_ERROR_EMPTY_INPUT, "min");
    works(jr_work_group_host(group, WORK(&least, .kind = JR_WORK_SCAN_INCLUSIVE), DATA(.in = none, .count = 0)));
    works(jr_work_group_host(group, WORK(&least, .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = arrays, .count = 1, .out = out)));
    assert_int_equal(out[0], 1);
}

/* ---- ranks ---- */

typedef struct data {
    const opened *device;
    const jr_spec *specs;
    const int32_t *numbers;
    unsigned char *wanted[GROUP_SCANS][2];
    size_t bytes[GROUP_SCANS]; /* of a result */
} data;

/* The first rank has nothing. */
static uint64_t begin_of(int rank, int ranks) {
    return rank <= 1 ? 0 : rank == ranks ? GROUP_COUNT : 20002;
}

static int scan_all(const jr_group_options *options, void *user) {
    const data *of = user;
    const uint64_t begin = begin_of(options->rank, options->ranks),
                   count = begin_of(options->rank + 1, options->ranks) - begin;
    const void *const arrays[] = {of->numbers + begin};
    unsigned char *results = test_zeros(GROUP_COUNT, GROUP_SCAN_BYTES);
    jr_group *group = NULL;
    RANK_FAILS_UNLESS(results != NULL && group_open_rank(of->device, options, &group) == JR_OK);
    for (int s = 0; s < GROUP_SCANS; s++)
        for (int k = 0; k < 2; k++) {
            if (!group_scan_takes(s, k)) continue;
            const jr_status status = jr_work_group_host(group, WORK(&of->specs[s], .kind = group_scan_kinds[k]),
                                                        DATA(.in = arrays, .count = count, .out = results));
            RANK_FAILS_UNLESS(status == JR_OK);
            RANK_FAILS_UNLESS(memcmp(results, of->wanted[s][k] + begin * of->bytes[s], count * of->bytes[s]) == 0);
            const jr_status other =
                jr_work_group_host(group, WORK(&of->specs[s], .kind = group_scan_kinds[(k + options->rank) % 2]),
                                   DATA(.in = arrays, .count = count, .out = results));
            RANK_FAILS_UNLESS(group_scan_has(s, JR_WORK_SCAN_EXCLUSIVE) ? other == JR_ERROR_RANKS_DIFFER
                                                                        : other != JR_OK);
        }
    jr_group_close(group);
    return 0;
}

TEST(ranks_continue_where_those_before_them_ended) {
    jr_spec specs[GROUP_SCANS];
    int32_t *numbers = group_numbers();
    data of = {.device = *state, .specs = specs, .numbers = numbers};
    group_scan_specs(specs);
    for (int s = 0; s < GROUP_SCANS; s++) {
        of.bytes[s] = group_scan_bytes(&specs[s]);
        for (int k = 0; k < 2; k++)
            if (group_scan_takes(s, k))
                of.wanted[s][k] = group_scan_whole(of.device, &specs[s], group_scan_kinds[k], numbers);
    }
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) ranks_in_threads(ranks, scan_all, NULL, &of);
}

RUN_TESTS(open_context, close_context)
