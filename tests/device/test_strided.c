/* strided: each launch leaves count / UF elements, thread 0 takes what is odd, until one is left. */
#include "support/cases/ordered_case.h"
#include "support/fixtures/plan_case.h"

static jr_spec strided_spec(int unroll) {
    return JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = JR_ALGORITHM_STRIDED, .unroll = unroll,
                   .block = 64, .capacity = MOST);
}

TEST(an_unroll_factor_of_one_is_refused) {
    const opened *device = *state;
    jr_spec spec = strided_spec(1);
    jr_plan *plan = NULL;
    fails(jr_plan_create(device->context, &spec, &plan), JR_ERROR_NOT_APPLICABLE, "unroll factor of 2 or more");
    spec = first_spec(JR_I32);
    spec.algorithm = JR_ALGORITHM_STRIDED;
    fails(jr_plan_create(device->context, &spec, &plan), JR_ERROR_NOT_APPLICABLE, "a non-commutative operator");
    assert_null(plan);
}

TEST(a_count_beyond_the_capacity_is_refused_and_breaks_nothing) {
    const opened *device = *state;
    jr_spec spec = strided_spec(4);
    uint32_t *d_in = iota_new(device, 1001);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    jr_plan *plan = NULL;
    spec.capacity = 1000;
    works(jr_plan_create(device->context, &spec, &plan));
    fails(jr_plan_run(plan, d_in, 1001, d_out, NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "a count of 1001 is beyond the plan's capacity of 1000, which strided needs");
    assert_int_equal(plan_value(device, plan, d_in, 1000).as.u64, iota_sum(1000));
    jr_plan_destroy(plan);
    device_free(device, d_out);
    device_free(device, d_in);
}

/* The source's example: 3 5 2 6 8 4 are folded to 9 13 6, then to 28, by two launches. */
TEST(six_elements_take_two_launches_with_an_unroll_factor_of_two) {
    const opened *device = *state;
    const uint32_t host[] = {3, 5, 2, 6, 8, 4};
    const jr_spec spec = strided_spec(2);
    const void *arrays[] = {device_new(device, sizeof host)};
    uint64_t *d_out = device_new(device, sizeof *d_out);
    jr_plan *plan = NULL;
    jr_run_cost cost = JR_INIT(jr_run_cost);
    device_write(device, (void *)arrays[0], host, sizeof host);
    works(jr_plan_create(device->context, &spec, &plan));
    works(jr_plan_time(plan, arrays, 6, d_out, 1, &cost));
    assert_int_equal(word_read(device, d_out), 28);
    assert_int_equal(cost.launches, 2);
    assert_int_equal(cost.moved_bytes, sizeof host + sizeof *d_out + 2 * 3 * sizeof(uint64_t));
    jr_plan_destroy(plan);
    device_free(device, d_out);
    device_free(device, (void *)arrays[0]);
}

TEST(every_unroll_factor_takes_every_count) {
    const opened *device = *state;
    uint32_t *d_in = iota_new(device, MOST);
    for (int unroll = 2; unroll <= 16; unroll++) {
        const uint64_t u = (uint64_t)unroll;
        const uint64_t counts[] = {0,     1,         u - 1,      u,          u + 1, u * u - 1,
                                   u * u, u * u + 1, 64 * u - 1, 64 * u + 1, 7919,  MOST};
        jr_spec spec = strided_spec(unroll);
        jr_plan *plan = NULL;
        spec.grid = unroll % 3 == 0 ? 2 : 0; /* too few threads for the elements */
        works(jr_plan_create(device->context, &spec, &plan));
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            assert_int_equal(plan_value(device, plan, d_in, counts[i]).as.u64, iota_sum(counts[i]));
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
}

/* The copy holds accumulators, which are larger than the elements, and the input stays as it was. */
TEST(an_index_is_found_and_the_input_is_not_changed) {
    const opened *device = *state;
    enum { COUNT = 20011 };
    static int8_t host[COUNT], again[COUNT];
    void *d_in = device_new(device, COUNT);
    jr_spec spec = strided_spec(3);
    jr_plan *plan = NULL;
    for (int i = 0; i < COUNT; i++) host[i] = (int8_t)(i % 100);
    host[12345] = host[12346] = -7;
    device_write(device, d_in, host, COUNT);
    spec.op = JR_OP_ARGMIN;
    spec.type = JR_I8;
    works(jr_plan_create(device->context, &spec, &plan));
    assert_int_equal(plan_value(device, plan, d_in, COUNT).as.i64, 12345);
    assert_int_equal(plan_value(device, plan, d_in, 12340).as.i64, 0);
    device_read(device, again, d_in, COUNT);
    assert_memory_equal(again, host, COUNT);
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

RUN_TESTS(open_context, close_context)
