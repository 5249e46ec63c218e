/* Scans by a queue: tiles beyond a group and beyond a launch, bits that no grid changes, epochs that come again. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/scan_case.h"
#include "support/fixtures/plan_case.h"

/* Tiles of 128 elements of 4 bytes, whose totals are folded in groups of 32 or more. */
enum { SMALL_BLOCK = 32, TILE = 4 * SMALL_BLOCK, COUNT = 150 * TILE + 5 };

/* Those that have a queue, each with tiles of one warp, and as many tiles as a launch has slots for where the capacity
 * is that of fewer. */
static const struct {
    jr_algorithm algorithm;
    int block, group;
    bool takes_grid;
} forms[] = {{JR_ALGORITHM_SINGLE_PASS, SMALL_BLOCK, SMALL_BLOCK, true},
             {JR_ALGORITHM_BULK_COPY, 4 * SMALL_BLOCK, 2 * SMALL_BLOCK, true},
             {JR_ALGORITHM_WAVE, 3 * SMALL_BLOCK, 3 * SMALL_BLOCK, false}};
enum { FORMS = sizeof forms / sizeof *forms };

static jr_spec small_tiles(int form, jr_op op, jr_type type) {
    return JR_INIT(jr_spec, .op = op, .type = type, .algorithm = forms[form].algorithm, .block = forms[form].block,
                   .unroll = 1);
}

/* Checks the results of a scan of 0, 1, 2, ... with an initial value. */
static void check_sums(const opened *device, jr_plan *plan, const uint32_t *d_in, uint64_t count, uint64_t initial,
                       bool exclusive) {
    uint64_t *d_out = device_new(device, count * sizeof *d_out), *results = test_zeros(count, sizeof *results);
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = count, .out = d_out), NULL, NULL));
    device_read(device, results, d_out, count * sizeof *d_out);
    for (uint64_t i = 0; i < count; i++) assert_int_equal(results[i], initial + iota_sum(i + !exclusive));
}

static void try_totals_of_many_tiles_are_folded_in_groups(const opened *device, int form) {
    const jr_spec spec = small_tiles(form, JR_OP_SUM, JR_U32);
    uint32_t *d_in = iota_new(device, COUNT);
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        if (!tests_take(form + exclusive, 2)) continue;
        jr_plan *plan = scan_plan(device, &spec, exclusive ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE);
        check_sums(device, plan, d_in, COUNT, 0, exclusive);
        check_sums(device, plan, d_in, TILE, 0, exclusive);
        check_sums(device, plan, d_in, 33 * TILE, 0, exclusive);
        check_sums(device, plan, d_in, 1, 0, exclusive);
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
}

TEST(totals_of_many_tiles_are_folded_in_groups) {
    for (int form = 0; form < FORMS; form++) try_totals_of_many_tiles_are_folded_in_groups(*state, form);
}

/* The workspace is of the capacity, of one whole group. */
static void try_what_is_more_than_a_launch_has_slots_for_goes_on_in_the_next(const opened *device, int form) {
    const jr_value hundred = {JR_U64, {.u64 = 100}};
    uint32_t *d_in = iota_new(device, COUNT);
    jr_spec spec = small_tiles(form, JR_OP_SUM, JR_U32);
    spec.capacity = 8 * TILE;
    spec.initial = &hundred;
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        if (!tests_take(form + exclusive, 2)) continue;
        jr_plan *plan = scan_plan(device, &spec, exclusive ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE);
        uint64_t *d_out = device_new(device, COUNT * sizeof *d_out);
        jr_run_cost cost = JR_INIT(jr_run_cost);
        check_sums(device, plan, d_in, COUNT, 100, exclusive);
        check_sums(device, plan, d_in, 33 * TILE, 100, exclusive);
        check_sums(device, plan, d_in, 65 * TILE, 100, exclusive);
        works(jr_plan_time(plan, FROM(d_in), COUNT, d_out, 1, &cost));
        assert_int_equal(cost.launches, (151 + forms[form].group - 1) / forms[form].group);
        works(jr_plan_time(plan, FROM(d_in), 8 * TILE, d_out, 1, &cost));
        assert_int_equal(cost.launches, 1);
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
}

TEST(what_is_more_than_a_launch_has_slots_for_goes_on_in_the_next) {
    for (int form = 0; form < FORMS; form++)
        try_what_is_more_than_a_launch_has_slots_for_goes_on_in_the_next(*state, form);
}

/* In one launch and in several of a group each. */
static void try_the_bits_of_float_sums_are_the_same_in_every_grid_and_workspace(const opened *device, int form) {
    float *data = test_zeros(COUNT, sizeof *data), *first = test_zeros(COUNT, sizeof *first),
          *other = test_zeros(COUNT, sizeof *other);
    uint64_t seed = 5;
    for (int i = 0; i < COUNT; i++) data[i] = (float)random_bits(&seed) / 1e15f;
    for (int grid = 1; grid < 40; grid += 6) {
        jr_spec spec = small_tiles(form, JR_OP_SUM, JR_F32);
        spec.grid = forms[form].takes_grid ? grid : 0;
        spec.capacity = grid % 12 == 7 ? TILE : 0;
        works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                               DATA(.in = FROM(data), .count = COUNT, .out = grid == 1 ? first : other)));
        if (grid > 1) assert_memory_equal(first, other, COUNT * sizeof *first);
    }
}

TEST(the_bits_of_float_sums_are_the_same_in_every_grid_and_workspace) {
    for (int form = 0; form < FORMS; form++)
        try_the_bits_of_float_sums_are_the_same_in_every_grid_and_workspace(*state, form);
}

/* The workspace as it is after so many launches as 32 bits count, less two. Its slots hold totals of other data. */
static void try_epochs_come_again_without_old_totals(const opened *device, int form) {
    const uint64_t nearly = 0xfffffffdull << 32;
    const jr_spec spec = small_tiles(form, JR_OP_SUM, JR_U32);
    uint32_t *d_in = iota_new(device, COUNT);
    uint64_t *d_out = device_new(device, COUNT * sizeof *d_out);
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE);
    uint64_t *workspace = workspace_new(device, plan, NULL);
    for (uint64_t launch = 0; launch < 5; launch++) {
        const uint64_t count = COUNT - launch;
        if (launch == 1) device_write(device, workspace, &nearly, sizeof nearly);
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in + launch), .count = count, .out = d_out), workspace, NULL));
        assert_int_equal(word_read(device, d_out + count - 1), iota_sum(COUNT) - iota_sum(launch));
        assert_int_equal(word_read(device, d_out + count / 2), iota_sum(count / 2 + 1 + launch) - iota_sum(launch));
    }
    assert_int_equal(word_read(device, workspace), 2ull << 32);
    jr_plan_destroy(plan);
    device_free(device, workspace);
    device_free(device, d_in);
}

TEST(epochs_come_again_without_old_totals) {
    for (int form = 0; form < FORMS; form++) try_epochs_come_again_without_old_totals(*state, form);
}

DEVICE_TEST(a_run_tells_its_launch_and_the_bytes_that_it_moves) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_U32, .block = 64, .unroll = 1, .grid = 5);
    uint32_t *d_data = iota_new(device, 2560);
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE);
    jr_run_cost cost = JR_INIT(jr_run_cost);
    jr_stats stats = JR_INIT(jr_stats);
    jr_kernel *kernel = NULL;
    works(jr_plan_stats(plan, &stats));
    assert_int_equal(stats.algorithm, JR_ALGORITHM_SINGLE_PASS);
    assert_int_equal(stats.grid, 5);
    assert_int_equal(jr_plan_kernel_count(plan), 1);
    works(jr_plan_kernel(plan, 0, &kernel));
    assert_string_equal(jr_kernel_name(kernel), "jr_scan_single_pass");
    works(jr_plan_time(plan, FROM(d_data), 2560, d_data, 2, &cost));
    assert_int_equal(cost.launches, 1);
    assert_int_equal(cost.moved_bytes, 2 * 2560 * sizeof *d_data + 10 * 8 * (1 + 5)); /* 10 tiles, a slot of 8 bytes */
    jr_plan_destroy(plan);
}

RUN_TESTS(open_context, close_context)
