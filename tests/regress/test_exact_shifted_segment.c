/* Exact sums of segments with an unroll factor of 1: a last segment that ends before its whole tiles may be read left
 * more elements to a lane than its windows had room for, and units of the last place were lost. */
#include "support/fixtures/open_context.h"

enum { ONES = 128, EMPTY = 20000 }; /* so many that a segment is one warp's */

/* The exact sum by Python: math.fsum([1.0] * 128 + [x] * 130), x the f32 next below 4. */
static void what_is_left_of_a_shifted_segment_is_added_exactly(void **state) {
    enum { GREAT = 130, COUNT = 1 + ONES + GREAT };
    const opened *device = *state;
    const float great = 0x1.fffffep1F;
    static uint64_t offsets[EMPTY + 2];
    static double sums[EMPTY + 1];
    float x[COUNT] = {0};
    const void *data = x;
    for (int i = 1; i < COUNT; i++) x[i] = i <= ONES ? 1 : great;
    offsets[EMPTY] = 1;
    offsets[EMPTY + 1] = COUNT;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64, .unroll = 1, .accuracy = JR_ACCURACY_EXACT);
    const jr_segments segments = JR_INIT(jr_segments, .count = EMPTY + 1, .offsets = offsets, .elements = COUNT);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    works(jr_reduce_host_segments(device->context, &spec, &layout, &data, &segments, sums));
    assert_true(sums[EMPTY - 1] == 0);
    assert_true(sums[EMPTY] == 0x1.43fffefcp9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_left_of_a_shifted_segment_is_added_exactly)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
