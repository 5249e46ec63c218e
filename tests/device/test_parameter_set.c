/* A plan's parameters: new values for the runs that follow, and what is refused changes nothing. */
#include "support/fixtures/open_context.h"

enum { COUNT = 100 };

/* The plan's sum over 0 to 99 of what is above `low`. */
static int64_t sum_of(jr_plan *plan, const void *d_in) {
    jr_value value;
    works(jr_plan_value(plan, &d_in, COUNT, NULL, &value));
    assert_int_equal(value.type, JR_I64);
    return value.as.i64;
}

static int64_t sum_above(int32_t low) {
    int64_t sum = 0;
    for (int32_t x = 0; x < COUNT; x++) sum += x > low ? x : 0;
    return sum;
}

TEST(a_new_value_counts_from_the_next_run_on) {
    const opened *device = *state;
    const jr_parameter low = {"low", {JR_I32, {.i32 = 49}}};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .where = "x > low", .parameters = &low, .parameter_count = 1);
    int32_t data[COUNT];
    jr_plan *plan;
    for (int32_t i = 0; i < COUNT; i++) data[i] = i;
    void *d_in = device_new(device, sizeof data);
    device_write(device, d_in, data, sizeof data);
    works(jr_plan_create(device->context, &spec, &plan));
    assert_int_equal(sum_of(plan, d_in), sum_above(49));

    works(jr_plan_parameter_set(plan, "low", &(jr_value){JR_I32, {.i32 = 90}}));
    assert_int_equal(sum_of(plan, d_in), sum_above(90));

    fails(jr_plan_parameter_set(plan, "high", &(jr_value){JR_I32, {.i32 = 1}}), JR_ERROR_INVALID_ARGUMENT,
          "unknown parameter high");
    fails(jr_plan_parameter_set(plan, "low", &(jr_value){JR_F32, {.f32 = 1}}), JR_ERROR_INVALID_ARGUMENT,
          "parameter low is of type i32");
    fails(jr_plan_parameter_set(plan, NULL, &low.value), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_plan_parameter_set(plan, "low", NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_plan_parameter_set(NULL, "low", &low.value), JR_ERROR_INVALID_ARGUMENT, "NULL");
    assert_int_equal(sum_of(plan, d_in), sum_above(90));
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

RUN_TESTS(open_context, close_context)
