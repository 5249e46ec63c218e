/* Scans by offsets: end marks beyond all elements, elements far after the last mark, and tiles with more segment starts
 * than shared memory can hold. */
#include <stdlib.h>

#include "plan/plan.h"
#include "support/fixtures/plan_case.h"

enum { COUNT = 3001 };

/* Every element is 1; the results of what segments `starts` begin. */
static void assert_counts(const opened *device, const uint64_t *offsets, uint64_t segments, const uint64_t *starts,
                          unsigned shift) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x + (int)i * 0");
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    int32_t *d_in = device_new(device, (COUNT + 4) * sizeof *d_in);
    int64_t *d_out = device_new(device, COUNT * sizeof *d_out), results[COUNT], running = 0;
    uint64_t *d_offsets = device_new(device, (segments + 1) * sizeof *d_offsets);
    jr_plan *plan = NULL;
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 1, COUNT + 4));
    device_write(device, d_offsets, offsets, (segments + 1) * sizeof *offsets);
    works(jr_scan_segment_plan_create(device->context, &spec, JR_SCAN_INCLUSIVE, &layout, &plan));
    works(jr_segment_plan_run(plan, d_in + shift,
                              &JR_INIT(jr_segments, .count = segments, .offsets = d_offsets, .elements = COUNT), d_out,
                              NULL, NULL));
    device_read(device, results, d_out, sizeof results);
    for (uint64_t i = 0, s = 0; i < COUNT; i++) {
        if (i == starts[s]) running = 0, s++;
        assert_int_equal(results[i], ++running);
    }
    jr_plan_destroy(plan);
    device_free(device, d_in);
    device_free(device, d_out);
    device_free(device, d_offsets);
}

/* Compared with signs they were below all others; from a tile's begin they led around to its first elements. */
static void offsets_of_2_63_and_more_lie_behind_all_elements(void **state) {
    static const uint64_t offsets[] = {0, 5, 1000, 2000, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX};
    static const uint64_t starts[] = {0, 5, 1000, 2000, COUNT};
    for (unsigned shift = 0; shift < 4; shift++) assert_counts(*state, offsets, 6, starts, shift);
}

static void a_tile_whose_heads_do_not_fit_is_refused_with_what_to_do(void **state) {
    const opened *device = *state;
    const jr_spec large = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .block = 1024, .unroll = 16),
                  less = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .block = 256, .unroll = 4);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_plan *plan = NULL;
    fails(jr_scan_segment_plan_create(device->context, &large, JR_SCAN_INCLUSIVE, &layout, &plan),
          JR_ERROR_LAUNCH_RESOURCES, "choose a smaller block or unroll factor");
    works(jr_scan_segment_plan_create(device->context, &less, JR_SCAN_INCLUSIVE, &layout, &plan));
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
static void elements_2_32_behind_the_last_offset_begin_no_segment(void **state) {
    enum { MANY = 1 << 23, INSIDE = 5000 };
    const opened *device = *state;
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY};
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const int count = device->info.capability_major >= 9 ? 2 : 1;
    uint8_t *results = malloc(MANY), *d_in = device_new(device, MANY);
    uint64_t *d_offsets = device_new(device, 2 * sizeof *d_offsets);
    assert_non_null(results);
    device_write(device, d_offsets, (const uint64_t[]){0, INSIDE}, 2 * sizeof *d_offsets);
    for (int a = 0; a < count; a++) {
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .result = JR_U8, .algorithm = algorithms[a]);
        jr_plan *plan = NULL;
        works(jr_scan_segment_plan_create(device->context, &spec, JR_SCAN_INCLUSIVE, &layout, &plan));
        scan_far_part(device, plan, d_offsets, d_in, MANY, results);
        for (uint64_t i = 0; i < MANY; i++)
            if (results[i] != (uint8_t)(i + 1)) fail_msg("element %llu: %d", (unsigned long long)i, results[i]);
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
    device_free(device, d_offsets);
    free(results);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(offsets_of_2_63_and_more_lie_behind_all_elements),
                                       cmocka_unit_test(elements_2_32_behind_the_last_offset_begin_no_segment),
                                       cmocka_unit_test(a_tile_whose_heads_do_not_fit_is_refused_with_what_to_do)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
