/* Scans and reductions of more elements than 32 bits count. */
#include "support/fixtures/open_context.h"

/* Scans, flat and by key, and reductions by key of up to 2^33 elements and one tile's rest: the largest count whose
 * arrays the device holds. What a count or an index cut to 32 bits would give lies elsewhere: every result is looked
 * at, by a reduction that knows its index. On the simulator few elements. */

#define MOST (1ull << 33)

/* The most elements whose arrays of so many bytes an element find room; beyond 2^32 wherever the device can hold it. */
static uint64_t count_that_fits(const opened *device, size_t bytes_each) {
    if (device->info.simulated) return (1u << 15) + 3;
    const uint64_t few = (1u << 20) + 3, spare = 1ull << 28;
    uint64_t count = MOST + 3;
    skip_without_memory(device, few * bytes_each);
    while (count * bytes_each > device_free_bytes(device) - spare) count = count / 8 * 7 + 3;
    print_message("%llu elements, %zu bytes each\n", (unsigned long long)count, bytes_each);
    return count;
}

/* How many of the results from d_results on are not what the expression of i, their index, says. */
static uint64_t wrong(const opened *device, jr_type type, const void *d_results, uint64_t count, const char *is_wrong) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_COUNT_NONZERO, .type = type, .map = is_wrong);
    jr_plan *plan = plan_held(device, WORK(&spec));
    const jr_value value = plan_value(device, plan, d_results, count);
    return value.as.u64;
}

DEVICE_TEST(a_scan_of_64_bits_has_every_prefix) {
    const uint64_t count = count_that_fits(device, 2 * sizeof(uint64_t));
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U64);
    uint64_t *d_in = device_new(device, count * sizeof *d_in), *d_out = device_new(device, count * sizeof *d_out);
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 1, 2 * count)); /* 2^32 + 1 each */
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = count, .out = d_out), NULL, NULL));
    assert_int_equal(
        wrong(device, JR_U64, d_out, count,
              "(x & 4294967295) != (i + 1 & 4294967295) || x >> 32 != (i + 1 + (i + 1 >> 32) & 4294967295)"),
        0);
    assert_int_equal(wrong(device, JR_U64, d_out, count, "(x & 4294967295) != (i & 4294967295)"),
                     count); /* the check itself works */
}

DEVICE_TEST(a_float_scan_has_every_prefix) {
    const uint64_t count = count_that_fits(device, 2 * sizeof(double));
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .map = "x + 1");
    double *d_in = device_new(device, count * sizeof *d_in), *d_out = device_new(device, count * sizeof *d_out);
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 0, 2 * count));
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = count, .out = d_out), NULL, NULL));
    assert_int_equal(wrong(device, JR_F64, d_out, count, "x != i"), 0);
}

/* Three runs: all elements before the place, the element there, all elements after it. */
DEVICE_TEST(a_scan_by_key_begins_again_where_the_keys_differ) {
    const uint64_t count = count_that_fits(device, 2 * sizeof(uint32_t) + sizeof(uint64_t));
    const uint64_t place = count / 8 * 5;
    const uint32_t other = 9;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .result = JR_U64);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_U32);
    uint32_t *d_in = device_new(device, count * sizeof *d_in), *d_keys = device_new(device, count * sizeof *d_keys);
    uint64_t *d_out = device_new(device, count * sizeof *d_out);
    const jr_work_data segments = JR_INIT(jr_work_data, .keys = d_keys, .count = count);
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 3, count));
    drives(device->driver.cuMemsetD32_v2(device_address(d_keys), 7, count));
    device_write(device, d_keys + place, &other, sizeof other);
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout));
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out), NULL, NULL));
    assert_int_equal(wrong(device, JR_U64, d_out, place, "x != 3 * (i + 1)"), 0);
    assert_int_equal(wrong(device, JR_U64, d_out + place, 1, "x != 3"), 0);
    assert_int_equal(wrong(device, JR_U64, d_out + place + 1, count - place - 1, "x != 3 * (i + 1)"), 0);
}

/* Keys 0 0 1 1 0 0 1 1 ...: half as many runs as elements. */
DEVICE_TEST(a_reduction_by_key_has_every_run) {
    const uint64_t count = count_that_fits(device, 2 * sizeof(uint8_t) + (sizeof(uint8_t) + sizeof(uint64_t)) / 2 + 1);
    const uint64_t runs = (count + 1) / 2;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_U8);
    uint8_t *d_in = device_new(device, count), *d_keys = device_new(device, count + 4);
    uint8_t *d_run_keys = device_new(device, runs);
    uint64_t *d_out = device_new(device, runs * sizeof *d_out), *d_count = device_new(device, sizeof *d_count), got = 0;
    const jr_work_data segments =
        JR_INIT(jr_work_data, .keys = d_keys, .count = count, .run_keys = d_run_keys, .run_count = d_count);
    drives(device->driver.cuMemsetD8_v2(device_address(d_in), 100, count));
    drives(device->driver.cuMemsetD32_v2(device_address(d_keys), 0x01010000, count / 4 + 1));
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out), NULL, NULL));
    device_read(device, &got, d_count, sizeof got);
    assert_int_equal(got, runs);
    assert_int_equal(wrong(device, JR_U8, d_run_keys, runs, "x != i % 2"), 0);
    assert_int_equal(wrong(device, JR_U64, d_out, count / 2, "x != 200"), 0);
    device_read(device, &got, d_out + runs - 1, sizeof got);
    assert_int_equal(got, count % 2 ? 100 : 200);
}

/* Counts about 2^31 and beyond 2^32. */

#define ELEMENTS ((1ull << 32) + 3)

static void write_one(const opened *device, int32_t *d_in, uint64_t at, int32_t value) {
    device_write(device, d_in + at, &value, sizeof value);
}

static jr_value reduce(const opened *device, jr_op op, jr_type type, const void *d_in, uint64_t count) {
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = type);
    jr_plan *plan = plan_held(device, WORK(&spec));
    const jr_value value = plan_value(device, plan, d_in, count);
    return value;
}

/* Planted where a count or an index that was cut to 31 or 32 bits would not look, or look twice. */
DEVICE_TEST(every_element_beyond_2_32_counts_once) {
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

DEVICE_TEST(counts_at_the_ends_of_31_and_32_bits_are_right) {
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
}

RUN_TESTS(open_context, close_context)
