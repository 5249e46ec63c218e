/* Exact sums of more blocks, elements or lanes' shares than digits and windows had room for. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/whole.h"

/* More blocks than there are digits of 16 bits in a word of 32: their sums did not fit, and the result was wrong. */
enum { BLOCKS = 33000, BLOCK = 128, ELEMENTS = BLOCKS * BLOCK * 4 };

TEST(as_many_blocks_as_are_asked_for_add_exactly) {
    const opened *device = *state;
    if (device->info.simulated && !tests_are_whole()) {
        print_message("the simulator takes 20 s for it: with JR_TESTS=whole\n");
        skip();
    }
    const float element = 0x1.fffffep0F; /* of 24 ones: most of its digits are as great as they can be */
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64, .block = BLOCK,
                                 .unroll = 1, .grid = BLOCKS, .accuracy = JR_ACCURACY_EXACT);
    float *x = malloc(ELEMENTS * sizeof *x), *d_in = device_new(device, ELEMENTS * sizeof *d_in);
    assert_non_null(x);
    for (int i = 0; i < ELEMENTS; i++) x[i] = element;
    device_write(device, d_in, x, ELEMENTS * sizeof *x);
    jr_plan *plan = NULL;
    works(jr_plan_create(device->context, &spec, &plan));
    assert_true(plan_value(device, plan, d_in, ELEMENTS).as.f64 == (double)element * ELEMENTS);
    jr_plan_destroy(plan);
    device_free(device, d_in);
    free(x);
}

/* One block adds so many elements exactly that the digits in its shared memory overflow unless their carries are taken
 * out on the way: from about 2^34 elements on. */
enum { POWER = 35 };
#define ONE_BLOCKS_ELEMENTS (1ull << POWER)

TEST(one_block_adds_more_than_its_digits_hold) {
    const opened *device = *state;
    const size_t bytes = ONE_BLOCKS_ELEMENTS * sizeof(uint16_t);
    skip_without_memory(device, bytes);
    void *d_in = device_new(device, bytes);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_BF16, .result = JR_F64, .grid = 1,
                           .accuracy = JR_ACCURACY_EXACT, .algorithm = JR_ALGORITHM_SINGLE_PASS);
    drives(
        device->driver.cuMemsetD32_v2(device_address(d_in), 0x3fff3fff, ONE_BLOCKS_ELEMENTS / 2)); /* 255 / 128 each */
    jr_plan *plan = NULL;
    works(jr_plan_create(device->context, &spec, &plan));
    assert_true(plan_value(device, plan, d_in, ONE_BLOCKS_ELEMENTS).as.f64 ==
                255.0 * (double)(ONE_BLOCKS_ELEMENTS >> 7));
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

/* Exact sums of segments with an unroll factor of 1: a last segment that ends before its whole tiles may be read left
 * more elements to a lane than its windows had room for, and units of the last place were lost. */
enum { ONES = 128, EMPTY = 20000 }; /* so many that a segment is one warp's */

/* The exact sum by Python: math.fsum([1.0] * 128 + [x] * 130), x the f32 next below 4. */
TEST(what_is_left_of_a_shifted_segment_is_added_exactly) {
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

RUN_TESTS(open_context, close_context)
