/* Host memory that is dealt out to the devices of a group, by one rank and by several. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/group_case.h"
#include "support/fixtures/rank_case.h"

enum { LITTLE_BYTES = 65536 };

DEVICE_TEST(stretches_of_host_memory_make_what_the_whole_makes) {
    static const size_t device_counts[] = {1, 2, 3, 4, 7};
    jr_spec specs[GROUP_SPECS];
    int32_t *data = group_numbers();
    const void *const arrays[] = {data};
    group_specs(specs);
    for (size_t d = 0; d < sizeof device_counts / sizeof *device_counts; d++) {
        jr_group *group = group_new(device, device_counts[d]);
        for (int s = 0; s < GROUP_SPECS; s++) {
            jr_value values[JR_OPS_MAX] = {0}, wanted[JR_OPS_MAX] = {0};
            works(jr_work_run_host(device->context, WORK(&specs[s]),
                                   DATA(.in = arrays, .count = GROUP_COUNT, .values = wanted)));
            works(
                jr_work_group_host(group, WORK(&specs[s]), DATA(.in = arrays, .count = GROUP_COUNT, .values = values)));
            group_assert_same(values, wanted, group_value_count(&specs[s]));
            specs[s].device_bytes = specs[s].algorithm == 0 || specs[s].algorithm == JR_ALGORITHM_ROWS ||
                                            specs[s].algorithm == JR_ALGORITHM_TWO_PASS
                                        ? LITTLE_BYTES
                                        : 0;
        }
    }
}

TEST(few_elements_and_none_are_dealt_out_too) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  most = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32);
    const int32_t data[] = {1, 2, 3};
    const void *const arrays[] = {data}, *const none[] = {NULL};
    jr_group *group = group_new(*state, 4);
    jr_value value = {.as.i64 = 7};
    works(jr_work_group_host(group, WORK(&sum), DATA(.in = arrays, .count = 3, .values = &value)));
    assert_int_equal(value.as.i64, 6);
    works(jr_work_group_host(group, WORK(&sum), DATA(.in = none, .count = 0, .values = &value)));
    assert_int_equal(value.as.i64, 0);
    works(jr_work_group_host(group, WORK(&most), DATA(.in = arrays, .count = 3, .values = &value)));
    assert_int_equal(value.as.i64, 2);
    fails(jr_work_group_host(group, WORK(&most), DATA(.in = none, .count = 0, .values = &value)), JR_ERROR_EMPTY_INPUT,
          "argmax");
    fails(jr_work_group_host(group, WORK(&sum), DATA(.in = none, .count = 3, .values = &value)),
          JR_ERROR_INVALID_ARGUMENT, "data[0] is NULL");
    fails(jr_work_group_host(group, WORK(&sum), DATA(.in = NULL, .count = 3, .values = &value)),
          JR_ERROR_INVALID_ARGUMENT, "NULL");
    assert_int_equal(value.as.i64, 2);
}

TEST(reproducible_sums_have_the_bits_of_one_device) {
    enum { COUNT = 20011 };
    const opened *device = *state;
    const jr_op list[] = {JR_OP_SUM, JR_OP_PROD, JR_OP_MEAN};
    const jr_spec spec =
        JR_INIT(jr_spec, .ops = list, .op_count = 3, .type = JR_F32, .accuracy = JR_ACCURACY_REPRODUCIBLE);
    float *data = test_bytes(COUNT * sizeof *data);
    uint64_t seed = 4;
    for (int i = 0; i < COUNT; i++) data[i] = (float)random_below(&seed, 1 << 24) * 0x1p-24F + 0.5F;
    const void *const arrays[] = {data};
    jr_group *group = group_new(device, 3);
    jr_value wanted[JR_OPS_MAX] = {0}, values[JR_OPS_MAX] = {0};
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = wanted)));
    works(jr_work_group_host(group, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = values)));
    group_assert_same(values, wanted, 3);
    works(jr_group_stats(group, &stats));
    assert_true(stats.launches > 0);
}

/* ---- ranks ---- */

typedef struct data {
    const opened *device;
    const int32_t *numbers;
    const jr_spec *specs;
    jr_value (*wanted)[JR_OPS_MAX];
} data;

/* Rank 1 has one element, the last one the rest. */
static uint64_t begin_of(int rank, int ranks) {
    return rank == 0 ? 0 : rank == ranks ? GROUP_COUNT : rank == 1 ? 20001 : 20002;
}

static int reduce_all(const jr_group_options *options, void *user) {
    const data *of = user;
    const uint64_t begin = begin_of(options->rank, options->ranks), end = begin_of(options->rank + 1, options->ranks);
    const void *const arrays[] = {of->numbers + begin}, *const none[] = {NULL};
    jr_group *group = NULL;
    RANK_FAILS_UNLESS(group_open_rank(of->device, options, &group) == JR_OK);
    for (int s = 0; s < GROUP_SPECS; s++) {
        jr_value values[JR_OPS_MAX] = {0};
        const bool lost = options->rank == 1;
        jr_status status = jr_work_group_host(group, WORK(&of->specs[s]),
                                              DATA(.in = lost ? none : arrays, .count = end - begin, .values = values));
        RANK_FAILS_UNLESS(status == (lost ? JR_ERROR_INVALID_ARGUMENT : JR_ERROR_RANK));
        RANK_FAILS_UNLESS(strstr(jr_last_error()->message, "data[0] is NULL") != NULL &&
                          values[0].type == JR_TYPE_NONE);
        RANK_FAILS_UNLESS(jr_work_group_host(group, WORK(&of->specs[s]),
                                             DATA(.in = arrays, .count = end - begin, .values = values)) == JR_OK);
        for (int i = 0; i < group_value_count(&of->specs[s]); i++)
            RANK_FAILS_UNLESS(memcmp(values[i].as.bytes, of->wanted[s][i].as.bytes, sizeof values[i].as) == 0);
    }
    jr_group_close(group);
    return 0;
}

TEST(ranks_give_each_what_they_have) {
    jr_spec specs[GROUP_SPECS];
    jr_value wanted[GROUP_SPECS][JR_OPS_MAX] = {0};
    int32_t *numbers = group_numbers();
    const void *const arrays[] = {numbers};
    data of = {.device = *state, .numbers = numbers, .specs = specs, .wanted = wanted};
    group_specs(specs);
    for (int s = 0; s < GROUP_SPECS; s++)
        works(jr_work_run_host(of.device->context, WORK(&specs[s]),
                               DATA(.in = arrays, .count = GROUP_COUNT, .values = wanted[s])));
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) ranks_in_threads(ranks, reduce_all, NULL, &of);
}

RUN_TESTS(open_context, close_context)
