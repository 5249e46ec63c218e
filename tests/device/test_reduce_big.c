/* Counts beyond 2^32. */
#include "support/open_context.h"

#define ELEMENTS ((1ull << 32) + 3)

static void write_one(const opened *device, int32_t *d_in, uint64_t at, int32_t value) {
    device_write(device, d_in + at, &value, sizeof value);
}

static jr_value reduce(const opened *device, jr_op op, const int32_t *d_in, uint64_t count) {
    const jr_spec spec = {.op = op, .type = JR_I32};
    jr_plan *plan = NULL;
    works(jr_plan_create(device->context, &spec, &plan));
    const jr_value value = plan_value(device, plan, d_in, count);
    jr_plan_destroy(plan);
    return value;
}

/* Planted where a count or an index that was cut to 31 or 32 bits would not look, or look twice. */
static void every_element_beyond_2_32_counts_once(void **state) {
    const opened *device = *state;
    static const uint64_t places[] = {0,          (1ull << 31) - 1, 1ull << 31,      (1ull << 32) - 1,
                                      1ull << 32, (1ull << 32) + 1, (1ull << 32) + 2};
    const size_t bytes = ELEMENTS * sizeof(int32_t);
    if (device->info.simulated || device_free_bytes(device) < bytes + (1ull << 28)) {
        print_message("%llu elements of i32 need 16 GiB of device memory, and %s\n", ELEMENTS,
                      device->info.simulated ? "the simulator would take them from the host" : "less is free");
        skip();
    }
    int32_t *d_in = device_new(device, bytes);
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 1, ELEMENTS));
    assert_int_equal(reduce(device, JR_OP_SUM, d_in, ELEMENTS).as.i64, (int64_t)ELEMENTS);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        write_one(device, d_in, places[i], -5 - (int32_t)i);
        assert_int_equal(reduce(device, JR_OP_MIN, d_in, ELEMENTS).as.i32, -5 - (int32_t)i);
        assert_int_equal(reduce(device, JR_OP_SUM, d_in, ELEMENTS).as.i64, (int64_t)ELEMENTS - 6 - (int64_t)i);
        write_one(device, d_in, places[i], 1);
    }
    write_one(device, d_in, ELEMENTS - 1, -9); /* one behind the end of the next: not seen */
    assert_int_equal(reduce(device, JR_OP_MIN, d_in, ELEMENTS - 1).as.i32, 1);
    assert_int_equal(reduce(device, JR_OP_SUM, d_in + 1, ELEMENTS - 2).as.i64, (int64_t)ELEMENTS - 2);
    device_free(device, d_in);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_element_beyond_2_32_counts_once)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
