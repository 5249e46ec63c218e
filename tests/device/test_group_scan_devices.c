/* Scans of data that lies on the devices of a group: every part continues where the one before it ended. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/allreduce_case.h"
#include "support/fixtures/group_scan_case.h"

static void check_parts(group_laid *of, size_t count, const jr_spec *spec, jr_work_kind kind,
                        const unsigned char *wanted) {
    jr_group *group = group_new(of->device, count);
    jr_group_plan *plan = NULL;
    group_laid_cut(count, group_scan_bytes(spec), of);
    works(jr_work_group_plan_create(group, WORK(spec, .kind = kind), &plan));
    for (int run = 0; run < 2; run++) {
        group_laid_clear(of);
        for (int again = 0; again <= run; again++) works(group_scans(plan, of->parts, of->out));
        group_laid_assert(of, wanted);
    }
    jr_group_plan_destroy(plan);
}

TEST(parts_continue_where_those_before_them_ended) {
    static const size_t device_counts[] = {1, 2, 3, 4, 7};
    jr_spec specs[GROUP_SCANS];
    int32_t *data = group_numbers();
    group_laid of;
    group_laid_make(*state, data, &of);
    group_scan_specs(specs);
    for (int s = 0; s < GROUP_SCANS; s++)
        for (int k = 0; k < 2; k++) {
            const jr_work_kind kind = group_scan_kinds[k];
            if (!group_scan_takes(s, k)) continue;
            unsigned char *wanted = group_scan_whole(*state, &specs[s], kind, data);
            for (size_t d = 0; d < sizeof device_counts / sizeof *device_counts; d++)
                check_parts(&of, device_counts[d], &specs[s], kind, wanted);
        }
}

/* For few elements the default would be an algorithm of a single block, which cannot continue a scan. */
TEST(a_small_capacity_goes_on_too) {
    int32_t *data = group_numbers();
    jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    unsigned char *wanted = group_scan_whole(*state, &sum, JR_WORK_SCAN_EXCLUSIVE, data);
    group_laid of;
    group_laid_make(*state, data, &of);
    sum.capacity = 512;
    memset(wanted + 1024 * sizeof(int64_t), 0, GROUP_COUNT * GROUP_SCAN_BYTES - 1024 * sizeof(int64_t));
    jr_group *group = group_new(*state, 2);
    jr_group_plan *plan = NULL;
    group_laid_cut(2, sizeof(int64_t), &of);
    of.arrays[1] = of.d_data + 512;
    of.out[1] = of.d_out + 512 * sizeof(int64_t);
    of.counts[0] = of.counts[1] = 512;
    group_laid_clear(&of);
    works(jr_work_group_plan_create(group, WORK(&sum, .kind = JR_WORK_SCAN_EXCLUSIVE), &plan));
    works(group_scans(plan, of.parts, of.out));
    group_laid_assert(&of, wanted);
    jr_group_plan_destroy(plan);
}

TEST(a_parameter_is_that_of_folds_and_scans) {
    const jr_parameter scale = {.name = "scale", .value = {JR_I64, {.i64 = 1}}};
    const jr_spec scaled = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * scale", .map_type = JR_I64,
                                   .parameters = &scale, .parameter_count = 1);
    jr_spec thrice = scaled;
    jr_parameter three = {.name = "scale", .value = {JR_I64, {.i64 = 3}}};
    int32_t *data = group_numbers();
    jr_group *group = group_new(*state, 3);
    jr_group_plan *plan = NULL;
    group_laid of;
    thrice.parameters = &three;
    unsigned char *wanted = group_scan_whole(*state, &thrice, JR_WORK_SCAN_INCLUSIVE, data);
    group_laid_make(*state, data, &of);
    group_laid_cut(3, sizeof(int64_t), &of);
    works(jr_work_group_plan_create(group, WORK(&scaled, .kind = JR_WORK_SCAN_INCLUSIVE), &plan));
    works(jr_group_plan_parameter_set(plan, "scale", &three.value));
    works(group_scans(plan, of.parts, of.out));
    group_laid_assert(&of, wanted);
    jr_group_plan_destroy(plan);
}

/* ---- devices that differ ---- */

static void give_streams(const dealt *of, jr_stream *streams) {
    for (size_t i = 0; i < of->count; i++)
        works(jr_stream_create(jr_group_context(of->group, i), JR_STREAM_NON_BLOCKING, &streams[i]));
}

static void take_streams(const dealt *of, jr_stream *streams) {
    for (size_t i = 0; i < of->count; i++) works(jr_stream_destroy(jr_group_context(of->group, i), streams[i]));
}

/* Each device scans what it has, in place, twice: the second run scans the results of the first. */
DEVICE_TEST(different_devices_scan_in_place_on_streams_of_their_own) {
    const jr_spec most = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32, .map = "x + (i < 20000 ? 0 : 1)");
    int32_t *data = group_numbers();
    unsigned char *once = group_scan_whole(device, &most, JR_WORK_SCAN_INCLUSIVE, data),
                  *twice = group_scan_whole(device, &most, JR_WORK_SCAN_INCLUSIVE, (const int32_t *)(const void *)once);
    for (size_t count = 2; count <= dealt_devices(device); count++) {
        dealt of;
        jr_stream streams[DEALT_DEVICES];
        jr_group_plan *plan = NULL;
        int32_t *found = test_zeros(GROUP_COUNT, sizeof *found);
        dealt_open(device, count, &of);
        dealt_give(data, sizeof *data, &of);
        give_streams(&of, streams);
        of.parts.streams = streams;
        works(jr_work_group_plan_create(of.group, WORK(&most, .kind = JR_WORK_SCAN_INCLUSIVE), &plan));
        for (int run = 0; run < 2; run++) works(group_scans(plan, of.parts, of.d_in));
        uint64_t at = 0;
        for (size_t i = 0; i < count; at += of.counts[i++]) {
            works(jr_stream_wait(jr_group_context(of.group, i), streams[i]));
            works(jr_memory_read(jr_group_context(of.group, i), found + at, of.d_in[i], of.counts[i] * sizeof *found));
        }
        assert_int_equal(at, GROUP_COUNT);
        assert_memory_equal(found, twice, GROUP_COUNT * sizeof *found);
        jr_group_plan_destroy(plan);
        take_streams(&of, streams);
        dealt_close(&of);
    }
}

/* ---- what is refused ---- */

TEST(runs_that_make_no_sense_are_told_why) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    int32_t *data = group_numbers();
    jr_group *group = group_new(*state, 3);
    jr_group_plan *plan = NULL, *flat = NULL;
    jr_value value;
    group_laid of;
    group_laid_make(*state, data, &of);
    group_laid_cut(3, sizeof(int64_t), &of);
    group_laid_clear(&of);
    works(jr_work_group_plan_create(group, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE), &plan));
    works(jr_work_group_plan_create(group, WORK(&sum), &flat));
    fails(group_scans(flat, of.parts, of.out), wrong, "writes to values");
    fails(group_values(plan, of.parts, &value), wrong, "writes to d_out");
    fails(group_results(plan, of.parts, &value), wrong, "writes to d_out");
    fails(group_scans(plan, of.parts, NULL), wrong, "d_out");
    fails(jr_work_group_plan_run(plan, PARTS(.d_out = of.out)), wrong, "NULL");
    void *const none[] = {of.out[0], NULL, NULL}, *const crooked[] = {of.out[0], of.out[1], of.d_out + 20004},
                *const same[] = {of.out[2], of.out[1], of.out[2]}, *const read[] = {of.out[0], of.out[1], of.d_data};
    fails(group_scans(plan, of.parts, none), wrong, "device 2 of the group: the output");
    fails(group_scans(plan, of.parts, crooked), wrong, "device 2 of the group: the output");
    fails(group_scans(plan, of.parts, same), wrong, "results of another part");
    fails(group_scans(plan, of.parts, read), wrong, "overlap");
    of.in[2] = NULL;
    fails(group_scans(plan, of.parts, of.out), wrong, "parts->d_in[2] is NULL");
    unsigned char *zeros = test_zeros(GROUP_COUNT, GROUP_SCAN_BYTES);
    group_laid_assert(&of, zeros);
    of.counts[0] = of.counts[1] = of.counts[2] = 0;
    works(group_scans(plan, of.parts, (void *const[]){NULL, NULL, NULL}));
    jr_group_plan_destroy(plan);
    jr_group_plan_destroy(flat);
}

TEST(plans_that_make_no_sense_are_told_why) {
    const jr_spec least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32),
                  kept = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .kept = 1),
                  passes = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = JR_ALGORITHM_THREE_PASS),
                  block = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = JR_ALGORITHM_ONE_BLOCK);
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT, lacking = JR_ERROR_NOT_APPLICABLE;
    jr_group *group = group_new(*state, 2), *one = group_new(*state, 1);
    jr_group_plan *plan = NULL;
    fails(jr_work_group_plan_create(group, WORK(&least, .kind = JR_WORK_SCAN_EXCLUSIVE), &plan), JR_ERROR_EMPTY_INPUT,
          "min");
    fails(jr_work_group_plan_create(group, WORK(&kept, .kind = JR_WORK_SCAN_INCLUSIVE), &plan), wrong, "kept");
    fails(jr_work_group_plan_create(group, WORK(&least, .kind = (jr_work_kind)7), &plan), wrong,
          "unknown kind of work");
    fails(jr_work_group_plan_create(group, WORK(&passes, .kind = JR_WORK_SCAN_INCLUSIVE), &plan), lacking,
          "three_pass");
    fails(jr_work_group_plan_create(group, WORK(&block, .kind = JR_WORK_SCAN_INCLUSIVE), &plan), lacking, "one_block");
    fails(jr_work_group_plan_create(NULL, WORK(&least, .kind = JR_WORK_SCAN_INCLUSIVE), &plan), wrong, "NULL");
    assert_null(plan);
    works(jr_work_group_plan_create(one, WORK(&passes, .kind = JR_WORK_SCAN_INCLUSIVE), &plan));
    jr_group_plan_destroy(plan);
}

RUN_TESTS(open_context, close_context)
