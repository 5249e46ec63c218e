/* Reductions by keys of host data that goes through the device in parts: as without parts. */
#include "support/fixtures/open_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle/element.h"

enum { COUNT = 20000, RESULT_BYTES = 64, DEVICE_BYTES = 60000 };

static const jr_type key_types[] = {JR_BOOL, JR_I8,  JR_U8,  JR_I16,  JR_U16, JR_I32, JR_U32,
                                    JR_I64,  JR_U64, JR_F16, JR_BF16, JR_F32, JR_F64};

/* Short runs, and one longer than a part; of floats zeros of either sign, and NaN in a row. */
static void make_keys(jr_type type, unsigned char *keys) {
    const size_t bytes = element_bytes(type);
    for (uint64_t i = 0; i < COUNT; i++) {
        const uint64_t number = i < 6000 ? i / 3 % 100 : i < 19000 ? 1 : i / 4 % 100;
        if (!element_is_float(type))
            element_store_integer(type, keys + i * bytes, type == JR_BOOL ? number % 2 : number);
        else if (i >= 19100 && i < 19110)
            element_store_float(type, keys + i * bytes, NAN);
        else
            element_store_float(type, keys + i * bytes, number > 0 ? (double)number : i % 2 ? -0.0 : 0.0);
    }
}

/* What a call gives, with keys where a run begins. */
typedef struct outcome {
    unsigned char results[COUNT * RESULT_BYTES], keys[COUNT * 8];
    uint64_t count;
} outcome;

static void reduce(const opened *device, const jr_spec *spec, jr_type type, const void *keys, outcome *to) {
    static float data[COUNT];
    const jr_segment_layout by_key = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = type);
    const jr_work_data runs =
        JR_INIT(jr_work_data, .keys = keys, .count = COUNT, .run_keys = to->keys, .run_count = &to->count);
    for (int i = 0; i < COUNT; i++) data[i] = (float)(i * 7 % 23 - 11);
    memset(to, 0xA5, sizeof *to);
    works(jr_work_run_host(device->context, WORK(spec, .layout = &by_key), DATA_OF(runs, FROM(data), to->results)));
}

static int parts_of_last(const opened *device) {
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_context_stats(device->context, &stats));
    return (int)stats.parts;
}

static void in_parts_as_whole(const opened *device, const jr_spec *spec, jr_type type) {
    unsigned char *keys = test_zeros(COUNT, 8);
    outcome *whole = test_bytes(sizeof *whole), *parts = test_bytes(sizeof *parts);
    jr_spec small = *spec;
    make_keys(type, keys);
    reduce(device, spec, type, keys, whole);
    assert_true(parts_of_last(device) <= 1);
    small.device_bytes = DEVICE_BYTES;
    reduce(device, &small, type, keys, parts);
    assert_true(parts_of_last(device) > 2);
    assert_int_equal(parts->count, whole->count);
    assert_in_range(whole->count, 100, COUNT / 2);
    assert_memory_equal(parts->keys, whole->keys, whole->count * element_bytes(type));
    assert_memory_equal(parts->results, whole->results, sizeof whole->results);
}

TEST(keys_of_every_type_are_cut_where_they_differ) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32); /* of small integers: exact */
    for (size_t t = 0; t < sizeof key_types / sizeof *key_types; t++)
        if (tests_take((int)t, 2)) in_parts_as_whole(*state, &sum, key_types[t]);
}

TEST(lists_selections_and_own_operators_go_in_parts) {
    static const jr_op list[] = {JR_OP_MIN, JR_OP_SUM, JR_OP_COUNT_NONZERO};
    const jr_spec specs[] = {
        JR_INIT(jr_spec, .ops = list, .op_count = 3, .type = JR_F32),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .where = "x > 0", .kept = 1),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "b == 0 ? a : b", .identity = "0"),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT)};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) in_parts_as_whole(*state, &specs[s], JR_I32);
}

/* What a limit says to that: tests/regress/test_scan_offsets.c. */
DEVICE_TEST(where_an_index_is_seen_all_lies_on_the_device) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_F32);
    unsigned char *keys = test_zeros(COUNT, 8);
    outcome *whole = test_bytes(sizeof *whole);
    int64_t last;
    make_keys(JR_I32, keys);
    reduce(device, &spec, JR_I32, keys, whole);
    memcpy(&last, whole->results + (whole->count - 1) * sizeof last, sizeof last);
    assert_in_range(last, COUNT - 4, COUNT - 1); /* in the whole */
}

RUN_TESTS(open_context, close_context)
