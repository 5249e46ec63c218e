/* Limits of device memory: a reduction by key that uses the index ignored its limit; and scans of segments asked for a
 * limit that was too small, or, with few elements, far too large. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { COUNT = 30000 };

TEST(a_reduction_by_key_that_sees_the_index_keeps_its_limit) {
    const opened *device = *state;
    static float data[COUNT];
    static int32_t keys[COUNT], run_keys[COUNT];
    static uint64_t found[COUNT];
    const void *arrays = data;
    uint64_t runs = 7;
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32, .device_bytes = 1000);
    const jr_segments segments =
        JR_INIT(jr_segments, .keys = keys, .elements = COUNT, .run_keys = run_keys, .run_count = &runs);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    for (int i = 0; i < COUNT; i++) {
        data[i] = (float)(i % 100 == 42 ? -1 : i % 7);
        keys[i] = i / 100;
    }
    fails(jr_reduce_host_segments(device->context, &spec, &layout, &arrays, &segments, found), JR_ERROR_NOT_APPLICABLE,
          "device_bytes 1000: by keys all elements lie on the device at once where the index is seen (argmin, argmax, "
          "i): give at least 600000");
    assert_int_equal(runs, 7);
    spec.device_bytes = 599999;
    fails(jr_reduce_host_segments(device->context, &spec, &layout, &arrays, &segments, found), JR_ERROR_NOT_APPLICABLE,
          "give at least 600000");
    for (spec.device_bytes = 600000;; spec.device_bytes = 0) {
        works(jr_reduce_host_segments(device->context, &spec, &layout, &arrays, &segments, found));
        assert_int_equal(runs, COUNT / 100);
        for (uint64_t s = 0; s < runs; s++) assert_int_equal(found[s], 100 * s + 42);
        if (spec.device_bytes == 0) break;
    }
}

/* The least limit that an error message asks for. */
static uint64_t least_told(void) {
    static const char before[] = "give at least ";
    const char *told = strstr(jr_last_error()->message, before);
    assert_non_null(told);
    return strtoull(told + strlen(before), NULL, 10);
}

/* Heads: where a place holds 1, a segment begins; they grow dense towards the end. */
static void scan_with_the_least(const opened *device, jr_segment_kind kind) {
    static double keys[COUNT];
    static uint64_t offsets[COUNT + 1];
    static float data[COUNT], sums[COUNT];
    const void *arrays = data;
    uint64_t segments_count = 0, seed = 1;
    for (int i = 0; i < COUNT; i++) {
        const bool is_head = i == 0 || random_below(&seed, COUNT) < (uint64_t)i / 2;
        if (is_head) offsets[segments_count++] = (uint64_t)i;
        data[i] = 1;
        keys[i] = (double)segments_count;
    }
    offsets[segments_count] = COUNT;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = kind, .key_type = JR_F64);
    jr_segments segments = JR_INIT(jr_segments, .layout = &layout, .elements = COUNT);
    segments.keys = kind == JR_SEGMENTS_KEYS ? keys : NULL;
    segments.offsets = kind == JR_SEGMENTS_OFFSETS ? offsets : NULL;
    segments.count = kind == JR_SEGMENTS_OFFSETS ? segments_count : 0;
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 64, .unroll = 2, .device_bytes = 1000);
    fails(jr_scan_host_segments(device->context, &spec, JR_SCAN_INCLUSIVE, &arrays, &segments, sums),
          JR_ERROR_INVALID_ARGUMENT, "too small: give at least");
    spec.device_bytes = least_told();
    works(jr_scan_host_segments(device->context, &spec, JR_SCAN_INCLUSIVE, &arrays, &segments, sums));
    for (uint64_t s = 0; s < segments_count; s++)
        for (uint64_t i = offsets[s]; i < offsets[s + 1]; i++) assert_true(sums[i] == (float)(i - offsets[s] + 1));
    spec.device_bytes--;
    fails(jr_scan_host_segments(device->context, &spec, JR_SCAN_INCLUSIVE, &arrays, &segments, sums),
          JR_ERROR_INVALID_ARGUMENT, "too small: give at least");
}

TEST(the_least_limit_that_is_told_is_enough) {
    scan_with_the_least(*state, JR_SEGMENTS_KEYS);
    scan_with_the_least(*state, JR_SEGMENTS_OFFSETS);
}

TEST(few_elements_take_few_bytes) {
    const opened *device = *state;
    float data[10] = {1, 1, 1}, sums[10];
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .device_bytes = 1);
    fails(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, 10, sums), JR_ERROR_INVALID_ARGUMENT,
          "too small: give at least 768, for 3 buffers of 256 bytes");
    spec.device_bytes = 768;
    works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, 10, sums));
    assert_true(sums[9] == 3);
}

RUN_TESTS(open_context, close_context)
