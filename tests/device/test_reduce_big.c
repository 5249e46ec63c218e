/* Counts about 2^31 and beyond 2^32. */
#include "support/fixtures/open_context.h"

#define ELEMENTS ((1ull << 32) + 3)

static void write_one(const opened *device, int32_t *d_in, uint64_t at, int32_t value) {
    device_write(device, d_in + at, &value, sizeof value);
}

static jr_value reduce(const opened *device, jr_op op, jr_type type, const void *d_in, uint64_t count) {
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = type);
    jr_plan *plan = NULL;
    works(jr_plan_create(device->context, &spec, &plan));
    const jr_value value = plan_value(device, plan, d_in, count);
    jr_plan_destroy(plan);
    return value;
}

/* Planted where a count or an index that was cut to 31 or 32 bits would not look, or look twice. */
TEST(every_element_beyond_2_32_counts_once) {
    const opened *device = *state;
    static const uint64_t places[] = {0,          (1ull << 31) - 1, 1ull << 31,      (1ull << 32) - 1,
                                      1ull << 32, (1ull << 32) + 1, (1ull << 32) + 2};
    const size_t bytes = ELEMENTS * sizeof(int32_t);
    skip_without_memory(device, bytes);
    int32_t *d_in = device_new(device, bytes);
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 1, ELEMENTS));
    assert_int_equal(reduce(device, JR_OP_SUM, JR_I32, d_in, ELEMENTS).as.i64, (int64_t)ELEMENTS);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        write_one(device, d_in, places[i], -5 - (int32_t)i);
        assert_int_equal(reduce(device, JR_OP_MIN, JR_I32, d_in, ELEMENTS).as.i32, -5 - (int32_t)i);
        assert_int_equal(reduce(device, JR_OP_SUM, JR_I32, d_in, ELEMENTS).as.i64, (int64_t)ELEMENTS - 6 - (int64_t)i);
        write_one(device, d_in, places[i], 1);
    }
    write_one(device, d_in, ELEMENTS - 1, -9); /* one after the end of the next run's elements: not read */
    assert_int_equal(reduce(device, JR_OP_MIN, JR_I32, d_in, ELEMENTS - 1).as.i32, 1);
    assert_int_equal(reduce(device, JR_OP_SUM, JR_I32, d_in + 1, ELEMENTS - 2).as.i64, (int64_t)ELEMENTS - 2);
    device_free(device, d_in);
}

/* A seven among ones, then a zero. */
static void planted_byte_tells(const opened *device, uint8_t *d_in, uint64_t count, uint64_t at) {
    const uint8_t seven = 7, zero = 0, one = 1;
    device_write(device, d_in + at, &seven, 1);
    assert_int_equal(reduce(device, JR_OP_SUM, JR_U8, d_in, count).as.u64, count + 6);
    assert_int_equal(reduce(device, JR_OP_MAX, JR_U8, d_in, count).as.u8, 7);
    assert_int_equal(reduce(device, JR_OP_ARGMAX, JR_U8, d_in, count).as.i64, at);
    device_write(device, d_in + at, &zero, 1);
    assert_int_equal(reduce(device, JR_OP_COUNT_NONZERO, JR_U8, d_in, count).as.u64, count - 1);
    device_write(device, d_in + at, &one, 1);
}

TEST(counts_at_the_ends_of_31_and_32_bits_are_right) {
    const opened *device = *state;
    static const uint64_t counts[] = {INT32_MAX, 1ull << 31, 2ull * INT32_MAX, (1ull << 32) - 1, 1ull << 32, ELEMENTS};
    static const uint64_t places[] = {0, INT32_MAX - 1, INT32_MAX, 1ull << 31, 2ull * INT32_MAX};
    skip_without_memory(device, ELEMENTS);
    uint8_t *d_in = device_new(device, ELEMENTS);
    drives(device->driver.cuMemsetD8_v2(device_address(d_in), 1, ELEMENTS));
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        assert_int_equal(reduce(device, JR_OP_ARGMAX, JR_U8, d_in, counts[c]).as.i64, 0); /* of ties the first */
        planted_byte_tells(device, d_in, counts[c], counts[c] - 1);
        for (size_t p = 0; p < sizeof places / sizeof *places; p++)
            if (places[p] < counts[c]) planted_byte_tells(device, d_in, counts[c], places[p]);
    }
    device_free(device, d_in);
}

RUN_TESTS(open_context, close_context)
