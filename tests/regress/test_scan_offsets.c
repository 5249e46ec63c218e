/* Scans by offsets, limits of device memory, and unroll factors of heavy scans. */
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/plan_case.h"

/* Scans by offsets: end marks beyond all elements, elements far after the last mark, and tiles with more segment starts
 * than shared memory can hold. */
enum { COUNT = 3001 };

/* Every element is 1; the results of what segments `starts` begin. */
static void assert_counts(const opened *device, const uint64_t *offsets, uint64_t segments, const uint64_t *starts,
                          unsigned shift) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x + (int)i * 0");
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    int32_t *d_in = device_new(device, (COUNT + 4) * sizeof *d_in);
    int64_t *d_out = device_new(device, COUNT * sizeof *d_out), results[COUNT], running = 0;
    uint64_t *d_offsets = device_new(device, (segments + 1) * sizeof *d_offsets);
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 1, COUNT + 4));
    device_write(device, d_offsets, offsets, (segments + 1) * sizeof *offsets);
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout));
    works(jr_work_plan_run(
        plan, DATA(.in = FROM(d_in + shift), .segments = segments, .offsets = d_offsets, .count = COUNT, .out = d_out),
        NULL, NULL));
    device_read(device, results, d_out, sizeof results);
    for (uint64_t i = 0, s = 0; i < COUNT; i++) {
        if (i == starts[s]) running = 0, s++;
        assert_int_equal(results[i], ++running);
    }
}

/* Compared with signs they were below all others; from a tile's begin they led around to its first elements. */
TEST(offsets_of_2_63_and_more_lie_behind_all_elements) {
    static const uint64_t offsets[] = {0, 5, 1000, 2000, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX};
    static const uint64_t starts[] = {0, 5, 1000, 2000, COUNT};
    for (unsigned shift = 0; shift < 4; shift++) assert_counts(*state, offsets, 6, starts, shift);
}

DEVICE_TEST(a_tile_whose_heads_do_not_fit_is_refused_with_what_to_do) {
    const jr_spec large = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .block = 1024, .unroll = 16),
                  less = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .block = 256, .unroll = 4);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&large, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout), &plan),
          JR_ERROR_LAUNCH_RESOURCES, "choose a smaller block or unroll factor");
    works(jr_work_plan_create(device->context, WORK(&less, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout), &plan));
    jr_plan_destroy(plan);
}

/* Scans the part from element 2^32 on, all ones, of an input that is longer than that. */
static void scan_far_part(const opened *device, const jr_plan *plan, uint64_t *d_offsets, uint8_t *d_in, uint64_t count,
                          uint8_t *results) {
    jr_scanned scanned = {0};
    const jr_run part = {.in = {device_address(d_in)},
                         .count = count,
                         .first = UINT64_C(1) << 32,
                         .scan.segments = {.offsets = device_address(d_offsets), .count = 1},
                         .out = device_address(d_in),
                         .workspace = plan->workspace};
    drives(device->driver.cuMemsetD8_v2(device_address(d_in), 1, count));
    works(plan->choice.row->scan->part(plan, &part, &scanned));
    device_read(device, results, d_in, count);
}

/* Told from a tile's begin by 32 bits, an offset seems to point where it does and 2^32 elements further on. So many
 * elements that a marker begins with the first offset. */
TEST(elements_2_32_behind_the_last_offset_begin_no_segment) {
    enum { MANY = 1 << 23, INSIDE = 5000 };
    const opened *device = *state;
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY};
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const int count = device->info.capability_major >= 9 ? 2 : 1;
    uint8_t *results = test_bytes(MANY), *d_in = device_new(device, MANY);
    uint64_t *d_offsets = device_new(device, 2 * sizeof *d_offsets);
    device_write(device, d_offsets, (const uint64_t[]){0, INSIDE}, 2 * sizeof *d_offsets);
    for (int a = 0; a < count; a++) {
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .result = JR_U8, .algorithm = algorithms[a]);
        jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout));
        scan_far_part(device, plan, d_offsets, d_in, MANY, results);
        for (uint64_t i = 0; i < MANY; i++)
            if (results[i] != (uint8_t)(i + 1)) fail_msg("element %llu: %d", (unsigned long long)i, results[i]);
    }
}

/* Limits of device memory: a reduction by key that uses the index ignored its limit; and scans of segments asked for a
 * limit that was too small, or, with few elements, far too large. */
enum { ELEMENTS = 30000 };

DEVICE_TEST(a_reduction_by_key_that_sees_the_index_keeps_its_limit) {
    static float data[ELEMENTS];
    static int32_t keys[ELEMENTS], run_keys[ELEMENTS];
    static uint64_t found[ELEMENTS];
    const void *arrays = data;
    uint64_t runs = 7;
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32, .device_bytes = 1000);
    const jr_work_data segments =
        JR_INIT(jr_work_data, .keys = keys, .count = ELEMENTS, .run_keys = run_keys, .run_count = &runs);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    for (int i = 0; i < ELEMENTS; i++) {
        data[i] = (float)(i % 100 == 42 ? -1 : i % 7);
        keys[i] = i / 100;
    }
    fails(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, &arrays, found)),
          JR_ERROR_NOT_APPLICABLE,
          "device_bytes 1000: by keys all elements lie on the device at once where the index is seen (argmin, argmax, "
          "i): give at least 600000");
    assert_int_equal(runs, 7);
    spec.device_bytes = 599999;
    fails(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, &arrays, found)),
          JR_ERROR_NOT_APPLICABLE, "give at least 600000");
    for (spec.device_bytes = 600000;; spec.device_bytes = 0) {
        works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, &arrays, found)));
        assert_int_equal(runs, ELEMENTS / 100);
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
    static double keys[ELEMENTS];
    static uint64_t offsets[ELEMENTS + 1];
    static float data[ELEMENTS], sums[ELEMENTS];
    const void *arrays = data;
    uint64_t segments_count = 0, seed = 1;
    for (int i = 0; i < ELEMENTS; i++) {
        const bool is_head = i == 0 || random_below(&seed, ELEMENTS) < (uint64_t)i / 2;
        if (is_head) offsets[segments_count++] = (uint64_t)i;
        data[i] = 1;
        keys[i] = (double)segments_count;
    }
    offsets[segments_count] = ELEMENTS;
    const jr_segment_layout layout =
        JR_INIT(jr_segment_layout, .kind = kind, .key_type = kind == JR_SEGMENTS_KEYS ? JR_F64 : JR_TYPE_NONE);
    jr_work_data segments = JR_INIT(jr_work_data, .count = ELEMENTS);
    segments.keys = kind == JR_SEGMENTS_KEYS ? keys : NULL;
    segments.offsets = kind == JR_SEGMENTS_OFFSETS ? offsets : NULL;
    segments.segments = kind == JR_SEGMENTS_OFFSETS ? segments_count : 0;
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 64, .unroll = 2, .device_bytes = 1000);
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout),
                           DATA_OF(segments, &arrays, sums)),
          JR_ERROR_INVALID_ARGUMENT, "too small: give at least");
    spec.device_bytes = least_told();
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout),
                           DATA_OF(segments, &arrays, sums)));
    for (uint64_t s = 0; s < segments_count; s++)
        for (uint64_t i = offsets[s]; i < offsets[s + 1]; i++) assert_true(sums[i] == (float)(i - offsets[s] + 1));
    spec.device_bytes--;
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout),
                           DATA_OF(segments, &arrays, sums)),
          JR_ERROR_INVALID_ARGUMENT, "too small: give at least");
}

TEST(the_least_limit_that_is_told_is_enough) {
    scan_with_the_least(*state, JR_SEGMENTS_KEYS);
    scan_with_the_least(*state, JR_SEGMENTS_OFFSETS);
}

DEVICE_TEST(few_elements_take_few_bytes) {
    float data[10] = {1, 1, 1}, sums[10];
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .device_bytes = 1);
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = 10, .out = sums)),
          JR_ERROR_INVALID_ARGUMENT, "too small: give at least 768, for 3 buffers of 256 bytes");
    spec.device_bytes = 768;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = 10, .out = sums)));
    assert_true(sums[9] == 3);
}

/* Scans of bytes by an operator that weighs much are compiled in seconds, whatever the capacity: with the unroll factor
 * that suits sums of words best, logsumexp of bytes took NVRTC 24 seconds, of the 30 that a compile may take. */
DEVICE_TEST(a_heavy_scan_of_bytes_has_few_elements_a_thread) {
    const uint64_t capacities[] = {0, 1000};
    for (int c = 0; c < 2; c++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_LOGSUMEXP, .type = JR_I8, .capacity = capacities[c]);
        jr_stats stats = JR_INIT(jr_stats);
        jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE));
        works(jr_plan_stats(plan, &stats));
        assert_true(stats.unroll * 16 <= 32);
    }
}

/* What a light operator, or one of words, is tuned to stays. */
DEVICE_TEST(other_scans_have_as_many_as_before) {
    const jr_spec specs[] = {
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I8, .algorithm = JR_ALGORITHM_SINGLE_PASS),
        JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32, .algorithm = JR_ALGORITHM_SINGLE_PASS)};
    for (int s = 0; s < 2; s++) {
        jr_stats stats = JR_INIT(jr_stats);
        jr_plan *plan = plan_held(device, WORK(&specs[s], .kind = JR_WORK_SCAN_INCLUSIVE));
        works(jr_plan_stats(plan, &stats));
        assert_int_equal(stats.unroll, 8);
    }
}

RUN_TESTS(open_context, close_context)
