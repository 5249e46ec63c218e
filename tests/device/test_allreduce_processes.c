/* All-reduces of several processes with two devices each: by NCCL, which a stand-in plays, and by the host. A process
 * may be killed at any exchange: the others end with an error. Nothing of a device is opened before they are forked. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "loader/driver.h"
#include "support/fakes/stand_in.h"
#include "support/fixtures/check.h"
#include "support/fixtures/rank_case.h"
#include "support/fixtures/work.h"

enum { COUNT = 5003, EACH = 2 };
/* Of each process. */
static double limit_ms = 20000;
static int run_count = 3;

/* What a rank has on its devices. */
typedef struct held {
    jr_group *group;
    jr_allreduce *made;
    void *d_in[EACH], *d_out[EACH];
} held;

static jr_status prepare(const jr_group_options *options, jr_allreduce_way way, held *own) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32);
    int32_t numbers[COUNT] = {0};
    jr_group_options devices = *options;
    devices.devices = "sim:2";
    jr_status status = jr_group_open(&devices, &own->group);
    for (size_t i = 0; status == JR_OK && i < EACH; i++) {
        jr_context *context = jr_group_context(own->group, i);
        numbers[COUNT - 1] = (int32_t)(jr_group_first(own->group) + i);
        status = jr_memory_new(context, sizeof numbers, &own->d_in[i]);
        if (status == JR_OK) status = jr_memory_new(context, sizeof(int64_t), &own->d_out[i]);
        if (status == JR_OK) status = jr_memory_write(context, own->d_in[i], numbers, sizeof numbers);
    }
    if (status != JR_OK) return status;
    return jr_work_allreduce_create(own->group, WORK(&spec),
                                    &JR_INIT(jr_allreduce_options, .way = way, .wait_limit_ms = limit_ms), &own->made);
}

static jr_status run(const held *own) {
    const void *const arrays[EACH][1] = {{own->d_in[0]}, {own->d_in[1]}};
    const void *const *d_in[EACH] = {arrays[0], arrays[1]};
    const uint64_t counts[EACH] = {COUNT, COUNT};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts);
    jr_status status = JR_OK;
    for (int k = 0; status == JR_OK && k < run_count; k++) status = jr_allreduce_run(own->made, &parts, own->d_out);
    return status == JR_OK ? jr_allreduce_wait(own->made) : status;
}

static int check(const held *own, int ranks) {
    for (size_t i = 0; i < EACH; i++) {
        int64_t index = 0;
        if (jr_memory_read(jr_group_context(own->group, i), &index, own->d_out[i], sizeof index) != JR_OK) return 1;
        if (index != (int64_t)ranks * EACH * COUNT - 1) return 1;
    }
    return 0;
}

/* Zeros, but for the last element of each device: the greatest is that of the last one. */
static int find_greatest(const jr_group_options *options, jr_allreduce_way asked, jr_allreduce_way wanted) {
    held own = {0};
    int failed = prepare(options, asked, &own) != JR_OK;
    if (!failed) failed = jr_allreduce_way_of(own.made) != wanted || run(&own) != JR_OK || check(&own, options->ranks);
    jr_allreduce_destroy(own.made);
    for (size_t i = 0; i < EACH; i++) {
        if (own.d_in[i] != NULL) jr_memory_free(jr_group_context(own.group, i), own.d_in[i]);
        if (own.d_out[i] != NULL) jr_memory_free(jr_group_context(own.group, i), own.d_out[i]);
    }
    jr_group_close(own.group);
    return failed;
}

static int by_nccl(const jr_group_options *options, void *user) {
    (void)user;
    return find_greatest(options, JR_ALLREDUCE_NCCL, JR_ALLREDUCE_NCCL);
}

static int by_host(const jr_group_options *options, void *user) {
    (void)user;
    return find_greatest(options, JR_ALLREDUCE_HOST, JR_ALLREDUCE_HOST);
}

static int by_what_all_have(const jr_group_options *options, void *user) {
    (void)user;
    return find_greatest(options, JR_ALLREDUCE_AUTO, JR_ALLREDUCE_NCCL);
}

/* Rank 1 is killed when all others count on what it gathers. */
static int by_nccl_that_kills(const jr_group_options *options, void *user) {
    (void)user;
    limit_ms = 5000; /* communicators are made within it, too */
    run_count = 1;
    if (options->rank == 1) stand_in_fails("die-run");
    return find_greatest(options, JR_ALLREDUCE_NCCL, JR_ALLREDUCE_NCCL);
}

/* Rank 1 finds no library, so that all go by the host. */
static int by_what_not_all_have(const jr_group_options *options, void *user) {
    (void)user;
    if (options->rank == 1 && setenv("JITREDUCE_NCCL", "/nowhere", 1) != 0) return 1;
    return find_greatest(options, JR_ALLREDUCE_AUTO, JR_ALLREDUCE_HOST);
}

/* One process must get an error that the ways differ. */
static int by_different_ways(const jr_group_options *options, void *user) {
    held own = {0};
    (void)user;
    const jr_status status = prepare(options, options->rank == 0 ? JR_ALLREDUCE_NCCL : JR_ALLREDUCE_HOST, &own);
    for (size_t i = 0; i < EACH; i++) {
        if (own.d_in[i] != NULL) jr_memory_free(jr_group_context(own.group, i), own.d_in[i]);
        if (own.d_out[i] != NULL) jr_memory_free(jr_group_context(own.group, i), own.d_out[i]);
    }
    jr_group_close(own.group);
    return status != JR_ERROR_RANKS_DIFFER;
}

static bool simulated; /* the device under test */

static void skip_on_gpus(void) {
    if (simulated) return;
    skip_because("the stand-in of NCCL is for the simulator's devices\n");
}

static void assert_all_well(int ranks, rank_body *body) {
    int results[RANKS_MAX];
    ranks_in_processes(ranks, body, (rank_loss){.rank = -1}, results);
    for (int r = 0; r < ranks; r++) assert_int_equal(results[r], 0);
}

TEST(every_device_of_every_process_gets_the_result) {
    skip_on_gpus();
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) {
        assert_all_well(ranks, by_nccl);
        assert_all_well(ranks, by_host);
        assert_all_well(ranks, by_what_all_have);
    }
}

TEST(all_ranks_go_one_way) {
    skip_on_gpus();
    assert_all_well(2, by_what_not_all_have);
    assert_all_well(3, by_different_ways);
}

TEST(a_killed_rank_ends_no_other_and_is_told_to_all) {
    /* opening, the way, the meaning, invitations, communicators, what was prepared, counts of two runs */
    enum { EXCHANGES = 8 };
    skip_on_gpus();
    for (int call = 0; call < EXCHANGES; call++) {
        const int lost = call % RANKS_MAX;
        int results[RANKS_MAX];
        ranks_in_processes(RANKS_MAX, by_nccl, (rank_loss){.rank = lost, .call = call}, results);
        for (int r = 0; r < RANKS_MAX; r++) assert_int_equal(results[r], r == lost ? -1 : 1);
    }
    assert_all_well(2, by_nccl);
}

TEST(a_rank_that_is_killed_while_nccl_gathers_ends_the_others_within_the_limit) {
    int results[RANKS_MAX];
    skip_on_gpus();
    ranks_in_processes(RANKS_MAX, by_nccl_that_kills, (rank_loss){.rank = -1}, results);
    for (int r = 0; r < RANKS_MAX; r++) assert_int_equal(results[r], r == 1 ? -1 : 1);
    assert_all_well(2, by_nccl);
}

/* Finds out which simulator the processes will open, without opening a device. */
static int prepare_all(void **state) {
    jr_driver driver;
    const char *device = getenv("JITREDUCE_DEVICE");
    (void)state;
    simulated = device == NULL || strncmp(device, "sim", 3) == 0;
    if (!simulated) return 0;
    if (setenv("JRSIM_DEVICES", "2", 1) != 0 || jr_driver_open(NULL, NULL, true, NULL, &driver) != JR_OK) return -1;
    stand_in_make(driver.path);
    jr_driver_close(&driver);
    return 0;
}

static int end_all(void **state) {
    (void)state;
    stand_in_remove();
    return 0;
}

RUN_TESTS(prepare_all, end_all)
