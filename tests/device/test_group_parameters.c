/* Parameters that are set between runs, of plans and of plans of groups. */
#include <stdlib.h>

#include "support/fixtures/group_case.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/rank_case.h"

/* Values of parameters that are set between the calls of a group. */
static const jr_parameter low = {.name = "low", .value = {.type = JR_I32, .as.i32 = 1}};
static const jr_spec above = {.size = sizeof(jr_spec),
                              .op = JR_OP_COUNT_NONZERO,
                              .type = JR_I32,
                              .map = "x > low",
                              .parameters = &low,
                              .parameter_count = 1};

static int64_t count_above(const int32_t *numbers, int32_t than) {
    int64_t count = 0;
    for (int i = 0; i < GROUP_COUNT; i++) count += numbers[i] > than;
    return count;
}

/* A plan over three devices, and what they have. */
typedef struct cut_plan {
    const opened *device;
    int32_t *numbers;
    void *d_data;
    uint64_t begins[GROUP_DEVICES + 1];
    jr_group *group;
    jr_group_plan *plan;
} cut_plan;

static void cut_plan_make(const opened *device, const jr_spec *spec, cut_plan *of) {
    of->device = device;
    of->numbers = group_numbers();
    of->d_data = device_new(device, GROUP_COUNT * sizeof *of->numbers);
    of->group = group_new(device, 3);
    of->plan = NULL;
    device_write(device, of->d_data, of->numbers, GROUP_COUNT * sizeof *of->numbers);
    group_cut(3, of->begins);
    works(jr_work_group_plan_create(of->group, WORK(spec), &of->plan));
}

static void cut_plan_free(cut_plan *of) {
    jr_group_plan_destroy(of->plan);
    device_free(of->device, of->d_data);
}

static int64_t value_of(const cut_plan *of) {
    jr_value value;
    works(group_value(of->plan, of->d_data, sizeof *of->numbers, of->begins, &value));
    return value.as.i64;
}

TEST(a_new_value_counts_on_all_devices_from_the_next_call_on) {
    cut_plan of;
    cut_plan_make(*state, &above, &of);
    assert_int_equal(value_of(&of), count_above(of.numbers, 1));
    works(jr_group_plan_parameter_set(of.plan, "low", &(jr_value){JR_I32, {.i32 = -2}}));
    assert_int_equal(value_of(&of), count_above(of.numbers, -2));
    fails(jr_group_plan_parameter_set(of.plan, "high", &low.value), JR_ERROR_INVALID_ARGUMENT,
          "unknown parameter high");
    fails(jr_group_plan_parameter_set(of.plan, "low", &(jr_value){JR_F64, {.f64 = 1}}), JR_ERROR_INVALID_ARGUMENT,
          "f64");
    fails(jr_group_plan_parameter_set(NULL, "low", &low.value), JR_ERROR_INVALID_ARGUMENT, "NULL");
    assert_int_equal(value_of(&of), count_above(of.numbers, -2));
    cut_plan_free(&of);
}

/* What comes after the states have met takes the value, too. */
TEST(a_new_value_counts_for_what_becomes_of_the_result) {
    jr_spec spec = above;
    cut_plan of;
    spec.finish = "a * 100 + low";
    cut_plan_make(*state, &spec, &of);
    assert_int_equal(value_of(&of), count_above(of.numbers, 1) * 100 + 1);
    works(jr_group_plan_parameter_set(of.plan, "low", &(jr_value){JR_I32, {.i32 = 5}}));
    assert_int_equal(value_of(&of), count_above(of.numbers, 5) * 100 + 5);
    cut_plan_free(&of);
}

typedef struct data {
    const opened *device;
    const void *d_data;
    int64_t wanted; /* of a rank */
} data;

/* Bytes after the four bytes of the value have no effect. */
static int set_apart(const jr_group_options *options, void *user) {
    const data *of = user;
    const void *const arrays[] = {of->d_data};
    const void *const *const d_in[] = {arrays};
    const uint64_t counts[] = {GROUP_COUNT};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts);
    jr_group_options own = *options;
    jr_group *group = NULL;
    jr_group_plan *plan = NULL;
    jr_value value, apart = {JR_I32, {.i64 = 0x100000000 * options->rank}};
    own.contexts = &of->device->context;
    own.context_count = 1;
    RANK_FAILS_UNLESS(jr_group_open(&own, &group) == JR_OK);
    RANK_FAILS_UNLESS(jr_work_group_plan_create(group, WORK(&above), &plan) == JR_OK);
    RANK_FAILS_UNLESS(options->rank == 0 || jr_group_plan_parameter_set(plan, "low", &apart) == JR_OK);
    RANK_FAILS_UNLESS(group_values(plan, parts, &value) == JR_ERROR_RANKS_DIFFER);
    RANK_FAILS_UNLESS(jr_group_plan_parameter_set(plan, "low", &apart) == JR_OK);
    RANK_FAILS_UNLESS(group_values(plan, parts, &value) == JR_OK);
    RANK_FAILS_UNLESS(value.as.i64 == options->ranks * of->wanted);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
    return 0;
}

DEVICE_TEST(ranks_that_set_other_values_are_told_so) {
    int32_t *numbers = group_numbers();
    void *d_data = device_new(device, GROUP_COUNT * sizeof *numbers);
    data of = {.device = device, .d_data = d_data, .wanted = count_above(numbers, 0)};
    device_write(device, d_data, numbers, GROUP_COUNT * sizeof *numbers);
    ranks_in_threads(3, set_apart, NULL, &of);
}

/* A plan's parameters: new values for the runs that follow, and what is refused changes nothing. */
enum { COUNT = 100 };

/* The plan's sum over 0 to 99 of what is above `low`. */
static int64_t sum_of(jr_plan *plan, const void *d_in) {
    jr_value value;
    works(jr_plan_value(plan, &d_in, COUNT, NULL, &value));
    assert_int_equal(value.type, JR_I64);
    return value.as.i64;
}

static int64_t sum_above(int32_t least) {
    int64_t sum = 0;
    for (int32_t x = 0; x < COUNT; x++) sum += x > least ? x : 0;
    return sum;
}

DEVICE_TEST(a_new_value_counts_from_the_next_run_on) {
    const jr_parameter least = {"low", {JR_I32, {.i32 = 49}}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .where = "x > low", .parameters = &least,
                                 .parameter_count = 1);
    int32_t numbers[COUNT];
    for (int32_t i = 0; i < COUNT; i++) numbers[i] = i;
    void *d_in = device_new(device, sizeof numbers);
    device_write(device, d_in, numbers, sizeof numbers);
    jr_plan *plan = plan_held(device, WORK(&spec));
    assert_int_equal(sum_of(plan, d_in), sum_above(49));

    works(jr_plan_parameter_set(plan, "low", &(jr_value){JR_I32, {.i32 = 90}}));
    assert_int_equal(sum_of(plan, d_in), sum_above(90));

    fails(jr_plan_parameter_set(plan, "high", &(jr_value){JR_I32, {.i32 = 1}}), JR_ERROR_INVALID_ARGUMENT,
          "unknown parameter high");
    fails(jr_plan_parameter_set(plan, "low", &(jr_value){JR_F32, {.f32 = 1}}), JR_ERROR_INVALID_ARGUMENT,
          "parameter low is of type i32");
    fails(jr_plan_parameter_set(plan, NULL, &least.value), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_plan_parameter_set(plan, "low", NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_plan_parameter_set(NULL, "low", &least.value), JR_ERROR_INVALID_ARGUMENT, "NULL");
    assert_int_equal(sum_of(plan, d_in), sum_above(90));
}

RUN_TESTS(open_context, close_context)
