/* Groups of several processes, one of which may be killed at any exchange: the others end with an error, and a second
 * group works. Nothing of a device is opened before they are forked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "jitreduce.h"
#include "support/rank_case.h"

enum { COUNT = 5003, EXCHANGES = 4 }; /* opening, a plan, counts, states */

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
    int failed = jr_group_plan_create(group, &spec, &plan) != JR_OK;
    if (!failed) failed = jr_memory_new(jr_group_context(group, 0), sizeof numbers, &d_in) != JR_OK;
    if (!failed) failed = jr_memory_write(jr_group_context(group, 0), d_in, numbers, sizeof numbers) != JR_OK;
    const void *arrays[] = {d_in};
    const void *const *of_devices[] = {arrays};
    const uint64_t counts[] = {COUNT};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = of_devices, .counts = counts);
    if (!failed) failed = jr_group_plan_value(plan, &parts, &value) != JR_OK;
    if (!failed) failed = value.as.i64 != (int64_t)options->ranks * COUNT - 1;
    if (d_in != NULL) jr_memory_free(jr_group_context(group, 0), d_in);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    return failed;
}

static void processes_find_one_value(void **state) {
    (void)state;
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) {
        int results[RANKS_MAX];
        ranks_in_processes(ranks, find_greatest, (rank_loss){-1, 0}, results);
        for (int r = 0; r < ranks; r++) assert_int_equal(results[r], 0);
    }
}

static void a_killed_rank_ends_no_other_and_is_told_to_all(void **state) {
    (void)state;
    for (int call = 0; call < EXCHANGES; call++)
        for (int lost = 0; lost < RANKS_MAX; lost++) {
            int results[RANKS_MAX];
            ranks_in_processes(RANKS_MAX, find_greatest, (rank_loss){lost, call}, results);
            for (int r = 0; r < RANKS_MAX; r++) assert_int_equal(results[r], r == lost ? -1 : 1);
        }
    processes_find_one_value(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(processes_find_one_value),
                                       cmocka_unit_test(a_killed_rank_ends_no_other_and_is_told_to_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
