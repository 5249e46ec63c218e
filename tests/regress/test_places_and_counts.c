/* Offsets in host memory and the count of elements: nothing is read or written beyond the count, and a scan's elements
 * before the first and after the last offset form segments. */
#include "support/fixtures/open_context.h"

#include <math.h>
#include <string.h>

enum { COUNT = 12 };

typedef struct asked {
    const uint64_t *offsets;
    uint64_t segments, count;
    jr_work_kind kind;
    size_t device_bytes;
} asked;

static jr_status carry_out(jr_context *context, jr_group *group, const asked *of, int32_t out[COUNT]) {
    static const int32_t x[COUNT] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const void *const in[] = {x};
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .result = JR_I32, .device_bytes = of->device_bytes);
    const jr_work work = JR_INIT(jr_work, .spec = &spec, .kind = of->kind, .layout = &layout);
    const jr_work_data data = JR_INIT(jr_work_data, .in = in, .count = of->count, .segments = of->segments,
                                      .offsets = of->offsets, .out = out);
    return group != NULL ? jr_work_group_host(group, &work, &data) : jr_work_run_host(context, &work, &data);
}

DEVICE_TEST(the_rest_after_the_last_offset_is_a_segment_of_a_scan) {
    static const uint64_t offsets[] = {2, 5};
    static const int32_t inclusive[COUNT] = {1, 3, 3, 7, 12, 6, 13, 21, 30, 40, 51, 63},
                         exclusive[COUNT] = {0, 1, 0, 3, 7, 0, 6, 13, 21, 30, 40, 51};
    const char *devices = device->info.simulated ? "sim:2" : "cuda:0,0";
    jr_group *group = group_held(&JR_INIT(jr_group_options, .devices = devices));
    for (int i = 0; i < 6; i++) {
        int32_t out[COUNT];
        memset(out, 77, sizeof out);
        const asked of = {offsets, 1, COUNT, i < 3 ? JR_WORK_SCAN_INCLUSIVE : JR_WORK_SCAN_EXCLUSIVE,
                          i % 3 == 1 ? 1 << 20 : 0};
        works(carry_out(device->context, i % 3 == 2 ? group : NULL, &of, out));
        assert_memory_equal(out, i < 3 ? inclusive : exclusive, sizeof out);
    }
}

DEVICE_TEST(without_a_count_a_scan_ends_at_the_last_offset) {
    static const uint64_t offsets[] = {2, 5};
    int32_t out[COUNT];
    memset(out, 77, sizeof out);
    works(carry_out(device->context, NULL, &(asked){offsets, 1, 0, JR_WORK_SCAN_INCLUSIVE, 0}, out));
    assert_int_equal(out[4], 12);
    assert_int_equal(out[5], 0x4d4d4d4d);
}

DEVICE_TEST(an_offset_above_the_count_is_refused) {
    static const uint64_t offsets[] = {0, 6, 14}, far[] = {0, 20};
    int32_t out[COUNT] = {0};
    static const struct {
        const uint64_t *offsets;
        uint64_t segments, count;
        const char *message;
    } rows[] = {{offsets, 2, COUNT, "the last offset is 14, but count says that there are 12 elements"},
                {far, 1, COUNT, "the last offset is 20"},
                {offsets, 2, 13, "the last offset is 14"}};
    for (int i = 0; i < 9; i++) {
        const asked of = {rows[i / 3].offsets, rows[i / 3].segments, rows[i / 3].count, (jr_work_kind)(i % 3), 0};
        fails(carry_out(device->context, NULL, &of, out), JR_ERROR_INVALID_ARGUMENT, rows[i / 3].message);
    }
    assert_int_equal(out[0], 0);
}

/* Results in what is still read were taken, and wrong. */
DEVICE_TEST(a_plan_of_segments_refuses_results_that_overlap_what_it_reads) {
    const jr_segment_layout equal = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4),
                            single = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1),
                            offsets = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32);
    const jr_segment_layout *const layouts[] = {&equal, &single, &offsets};
    void *memory = NULL;
    works(jr_memory_new(device->context, 64 * sizeof(int32_t), &memory));
    works(jr_memory_write(device->context, memory, (const int32_t[64]){0}, 64 * sizeof(int32_t)));
    const void *const in[] = {memory};
    for (int i = 0; i < 3; i++) {
        jr_plan *plan = plan_held(device, WORK(&spec, .layout = layouts[i]));
        jr_work_data data = JR_INIT(jr_work_data, .in = in, .segments = i == 1 ? 32 : 8, .out = (int32_t *)memory + 24);
        if (i == 2) data.offsets = (const uint64_t *)memory + 8;
        fails(jr_work_plan_run(plan, &data, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "overlap the");
        data.out = i == 1 ? memory : (int32_t *)memory + 48;
        works(jr_work_plan_run(plan, &data, NULL, NULL));
        works(jr_stream_wait(device->context, NULL));
    }
    jr_memory_free(device->context, memory);
}

/* The mean divided by a count that was forgotten: inf. */
DEVICE_TEST(a_merged_mean_of_no_elements_is_nan) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_F32);
    const float x[4] = {1, 2, 3, 9.5F};
    jr_plan *part = NULL, *merge = NULL;
    void *in = NULL, *state_of = NULL, *out = NULL;
    float mean = 0;
    works(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_STATE), &part));
    works(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_MERGE), &merge));
    works(jr_memory_new(device->context, sizeof x, &in));
    works(jr_memory_new(device->context, jr_plan_result_bytes(part), &state_of));
    works(jr_memory_new(device->context, sizeof mean, &out));
    works(jr_memory_write(device->context, in, x, sizeof x));
    works(jr_work_plan_run(part, DATA(.in = FROM(in), .count = 4, .out = state_of), NULL, NULL));
    for (uint64_t count = 0; count <= 4; count += 4) {
        works(jr_work_plan_run(merge, DATA(.in = FROM(state_of), .count = count, .states = 1, .out = out), NULL, NULL));
        works(jr_memory_read(device->context, &mean, out, sizeof mean));
        assert_true(count == 0 ? isnan(mean) : mean == 3.875F);
    }
    jr_memory_free(device->context, in);
    jr_memory_free(device->context, state_of);
    jr_memory_free(device->context, out);
    jr_plan_destroy(part);
    jr_plan_destroy(merge);
}

RUN_TESTS(open_context, close_context)
