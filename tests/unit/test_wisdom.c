/* Stored tunings: which one is taken for a plan, what keeps a machine's from being used, and how works are named. */
#include <string.h>

#include "spec/reduction.h"
#include "support/cases/wisdom_case.h"
#include "support/fixtures/check.h"
#include "wisdom/tune_work.h"

static uint64_t nearest(const jr_wisdom *wisdom, const char *work, const jr_requested_tuning *requested) {
    const jr_machine machine = wisdom_machine("NVIDIA H200");
    size_t part = 0;
    while (part < wisdom->count && jr_machine_compare(&wisdom->parts[part].machine, &machine) != 0) part++;
    assert_true(part < wisdom->count);
    const jr_wisdom_entry *entry = jr_wisdom_nearest(&wisdom->parts[part], work, requested);
    return entry != NULL ? entry->count : 0;
}

static uint64_t nearest_count(const jr_wisdom *wisdom, const char *work, uint64_t capacity) {
    const jr_requested_tuning requested = {.capacity = capacity};
    return nearest(wisdom, work, &requested);
}

static jr_wisdom sample(void) {
    jr_wisdom wisdom = {0};
    for (int power = 20; power >= 10; power -= 2) wisdom_put(&wisdom, "NVIDIA H200", "sum f32", UINT64_C(1) << power);
    wisdom_put(&wisdom, "NVIDIA H200", "sum f64", 3000);
    wisdom_put(&wisdom, "NVIDIA H100", "sum f32", 7777);
    return wisdom;
}

TEST(a_count_too_far_from_every_measured_one_finds_nothing) {
    jr_wisdom wisdom = sample();
    assert_int_equal(nearest_count(&wisdom, "sum f32", 255), 0);
    assert_int_equal(nearest_count(&wisdom, "sum f32", (4 << 20) + 1), 0);
    assert_int_equal(nearest_count(&wisdom, "sum f32", 0), 0);
    assert_int_equal(nearest_count(&wisdom, "sum f32", UINT64_MAX), 0);
    assert_int_equal(nearest_count(&wisdom, "sum", 1024), 0);
    assert_int_equal(nearest_count(&wisdom, "sum f32 nan=ignore", 1024), 0);
    assert_int_equal(nearest_count(&wisdom, "", 1024), 0);
    jr_wisdom_free(&wisdom);
}

TEST(the_count_nearest_in_powers_of_two_is_found) {
    jr_wisdom wisdom = sample();
    assert_int_equal(nearest_count(&wisdom, "sum f32", 256), 1024);
    assert_int_equal(nearest_count(&wisdom, "sum f32", 1024), 1024);
    assert_int_equal(nearest_count(&wisdom, "sum f32", 2047), 1024);
    assert_int_equal(nearest_count(&wisdom, "sum f32", 2048), 1024); /* as near to 4096 */
    assert_int_equal(nearest_count(&wisdom, "sum f32", 2049), 4096);
    assert_int_equal(nearest_count(&wisdom, "sum f32", 4 << 20), 1 << 20);
    assert_int_equal(nearest_count(&wisdom, "sum f64", 2000), 3000);
    jr_wisdom_free(&wisdom);
}

TEST(what_the_caller_set_limits_what_is_found) {
    jr_wisdom wisdom = sample();
    jr_wisdom_entry other = wisdom_entry("sum f32", 2048);
    const jr_machine machine = wisdom_machine("NVIDIA H200");
    other.unroll = 8;
    other.blocks_per_multiprocessor = 0;
    assert_int_equal(jr_wisdom_add(&wisdom, &machine, &other), JR_OK);
    assert_int_equal(nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048}), 2048);
    assert_int_equal(nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048, .unroll = 8}), 2048);
    assert_int_equal(nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048, .unroll = 4}), 1024);
    assert_int_equal(nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048, .unroll = 3}), 0);
    assert_int_equal(nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048, .block = 128}), 0);
    assert_int_equal(nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048, .grid = 1}), 0);
    assert_int_equal(nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048, .shared = JR_SHARED_DYNAMIC}),
                     0);
    assert_int_equal(
        nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048, .blocks_per_multiprocessor = 2}), 1024);
    assert_int_equal(
        nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 2048, .algorithm = JR_ALGORITHM_ROWS}), 0);
    jr_wisdom_free(&wisdom);
}

TEST(an_entry_replaces_the_one_of_its_work_and_count) {
    jr_wisdom wisdom = sample(), more = {0};
    const size_t count = wisdom_count(&wisdom);
    const jr_machine machine = wisdom_machine("NVIDIA H200");
    jr_wisdom_entry again = wisdom_entry("sum f32", 4096);
    again.unroll = 1;
    wisdom_put(&more, "NVIDIA H200", "sum f32", 5000);
    assert_int_equal(jr_wisdom_add(&more, &machine, &again), JR_OK);
    assert_int_equal(jr_wisdom_merge(&wisdom, &more), JR_OK);
    assert_int_equal(wisdom_count(&wisdom), count + 1);
    assert_int_equal(nearest(&wisdom, "sum f32", &(jr_requested_tuning){.capacity = 4096, .unroll = 1}), 4096);
    assert_int_equal(nearest_count(&wisdom, "sum f32", 5000), 5000);
    jr_wisdom_free(&wisdom);
    jr_wisdom_free(&more);
}

TEST(only_device_and_multiprocessors_may_differ) {
    const jr_machine here = wisdom_machine("NVIDIA H200");
    for (int field = 0; field < JR_MACHINE_FIELD_COUNT; field++) {
        jr_machine other = here;
        const bool may = field == JR_MACHINE_DEVICE || field == JR_MACHINE_MULTIPROCESSORS;
        strcpy(other.values[field], "other");
        assert_int_equal(jr_machine_misfit(&other, &here), may ? JR_MACHINE_FIELD_COUNT : field);
        assert_int_not_equal(jr_machine_compare(&other, &here), 0);
    }
    assert_int_equal(jr_machine_misfit(&here, &here), JR_MACHINE_FIELD_COUNT);
    assert_int_equal(jr_machine_compare(&here, &here), 0);
}

TEST(a_device_s_name_is_written_without_control_characters) {
    const jr_machine machine = wisdom_machine("a\nb\t\x7f");
    assert_string_equal(machine.values[JR_MACHINE_DEVICE], "a?b??");
}

static const char *work_of(const jr_spec *spec, char work[JR_WORK_BYTES]) {
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(spec, &reduction), JR_OK);
    jr_work_of(&(jr_job){.reduction = reduction}, work);
    jr_reduction_destroy(reduction);
    return work;
}

TEST(a_work_names_what_decides_the_kernel) {
    char work[JR_WORK_BYTES];
    const jr_op ops[] = {JR_OP_MIN, JR_OP_MEAN};
    assert_string_equal(work_of(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32), work), "sum f32");
    assert_string_equal(work_of(&JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F16), work), "dot f16,f16");
    assert_string_equal(work_of(&JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_I8), work), "min,mean i8");
    assert_string_equal(work_of(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accumulate = JR_F64,
                                         .result = JR_F32, .nan = JR_NAN_IGNORE),
                                work),
                        "sum f32 accumulate=f64 result=f32 nan=ignore");
}

TEST(a_work_of_a_scan_says_which) {
    char work[JR_WORK_BYTES];
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32), &reduction), JR_OK);
    jr_work_of(&(jr_job){.kind = JR_JOB_SCAN, .reduction = reduction}, work);
    assert_string_equal(work, "inclusive scan sum f32");
    assert_int_equal(jr_work_job_kind(work), JR_JOB_SCAN);
    jr_work_of(&(jr_job){.kind = JR_JOB_SCAN, .exclusive = true, .reduction = reduction}, work);
    assert_string_equal(work, "exclusive scan sum f32");
    assert_int_equal(jr_work_job_kind(work), JR_JOB_SCAN);
    assert_int_equal(jr_work_job_kind("sum f32"), JR_JOB_FLAT);
    jr_reduction_destroy(reduction);
}

TEST(tuning_initial_value_and_capacity_do_not_change_a_work) {
    char work[JR_WORK_BYTES];
    const jr_value initial = {.type = JR_F32, .as.f32 = 5};
    assert_string_equal(work_of(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .unroll = 3, .block = 64, .grid = 7,
                                         .capacity = 99, .initial = &initial),
                                work),
                        "sum f32");
}

TEST(expressions_structs_and_parameters_change_a_work) {
    const jr_structure pair = JR_INIT(jr_structure, "pair", "struct pair { float key; int id; };", 8, 4);
    const jr_structure other = JR_INIT(jr_structure, "pair", "struct pair { int key; int id; };", 8, 4);
    const jr_parameter whole = {"p", {.type = JR_I64}}, broken = {"p", {.type = JR_F64}};
    const jr_spec specs[] = {
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x * x"},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .where = "x * x"},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x", .map_type = JR_F64},
        {.size = sizeof(jr_spec),
         .op = JR_OP_SUM,
         .type = JR_F32,
         .map = "x * p",
         .parameters = &whole,
         .parameter_count = 1},
        {.size = sizeof(jr_spec),
         .op = JR_OP_SUM,
         .type = JR_F32,
         .map = "x * p",
         .parameters = &broken,
         .parameter_count = 1},
        {.size = sizeof(jr_spec),
         .op = JR_OP_SUM,
         .type = JR_STRUCT,
         .map = "x.key",
         .map_type = JR_F32,
         .structure = &pair},
        {.size = sizeof(jr_spec),
         .op = JR_OP_SUM,
         .type = JR_STRUCT,
         .map = "x.key",
         .map_type = JR_F32,
         .structure = &other},
        {.size = sizeof(jr_spec), .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a + b", .identity = "0"},
        {.size = sizeof(jr_spec),
         .op = JR_OP_CUSTOM,
         .type = JR_F32,
         .combine = "a + b",
         .identity = "0",
         .commutative = 1},
    };
    enum { COUNT = sizeof specs / sizeof *specs };
    char works[COUNT][JR_WORK_BYTES];
    for (int i = 0; i < COUNT; i++) {
        work_of(&specs[i], works[i]);
        for (int k = 0; k < i; k++) assert_string_not_equal(works[i], works[k]);
    }
    assert_memory_equal(works[1], "sum f32 text=", strlen("sum f32 text="));
    assert_int_equal(strlen(works[1]), strlen("sum f32 text=") + 16);
}

RUN_TESTS(NULL, NULL)
