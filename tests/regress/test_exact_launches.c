/* Exact sums in several launches, by every algorithm, and of more than digits have room for. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

/* Exact sums of one result left max_launch_ms aside: however long it took, a run was one launch. */
enum { COUNT = 200003 }; /* a launch has 65536 at least */

/* Halves whose sum doubles hold, and it. */
static float *numbers_new(const opened *device, double *sum) {
    float *x = test_bytes(COUNT * sizeof *x), *d_in = device_new(device, COUNT * sizeof *d_in);
    *sum = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 7919 - 17) * 0.5F;
        *sum += x[i];
    }
    device_write(device, d_in, x, COUNT * sizeof *x);
    return d_in;
}

TEST(runs_are_split_into_short_launches) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_AUTO, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY};
    const opened *device = *state;
    double sum;
    float *d_in = numbers_new(device, &sum);
    double *d_out = device_new(device, sizeof *d_out);
    const void *const arrays[] = {d_in};
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64, .capacity = COUNT,
                                     .algorithm = algorithms[a], .max_launch_ms = 1e-6, .accuracy = JR_ACCURACY_EXACT);
        jr_run_cost cost = JR_INIT(jr_run_cost);
        jr_plan *plan = plan_held(device, WORK(&spec));
        works(jr_plan_time(plan, arrays, COUNT, d_out, 2, &cost));
        assert_int_equal(cost.launches, 5); /* four parts, and what finishes */
        for (int again = 0; again < 2; again++) assert_true(plan_value(device, plan, d_in, COUNT).as.f64 == sum);
        assert_true(plan_value(device, plan, d_in, 0).as.f64 == 0);
    }
}

/* Sums of f64 have 68 words, sums of squares 134: with 512 threads several threads share a word, with 128 some have
 * several. */
TEST(what_many_blocks_leave_is_added) {
    enum { LITTLE = 128, MOST = 512, GRID = 75 };
    const opened *device = *state;
    double *x = test_bytes(COUNT * sizeof *x), *d_in = device_new(device, COUNT * sizeof *d_in), sum = 0, squares = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (i % 7919 - 17) * 0.5;
        sum += x[i];
        squares += x[i] * x[i];
    }
    device_write(device, d_in, x, COUNT * sizeof *x);
    for (int block = LITTLE; block <= MOST; block += MOST - LITTLE)
        for (int o = 0; o < 2; o++) {
            if (!tests_take(o + (block == MOST), 2)) continue; /* a sample: each block with one operator */
            const jr_spec spec =
                JR_INIT(jr_spec, .op = o ? JR_OP_SUMSQ : JR_OP_SUM, .type = JR_F64, .block = block, .grid = GRID,
                        .capacity = COUNT, .max_launch_ms = 1e-6, .accuracy = JR_ACCURACY_EXACT);
            jr_plan *plan = plan_held(device, WORK(&spec));
            assert_true(plan_value(device, plan, d_in, COUNT).as.f64 == (o ? squares : sum));
        }
}

/* Exact sums over expressions: some kernels fused a * b + c to one rounding, others rounded twice, so that what should
 * be one value depended on the algorithm. C rounds twice. */
enum { ALIKE = 3000 };
static const float each = 0.2857143F;

/* The mapped element, by NumPy: float32(0.2857143) * float32(1.1) + float32(0.3). With a fused multiply-add it is
 * 0.61428577. */
static const float mapped = 0.6142857F;

static jr_spec spec_of(void) {
    return JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_F32, .result = JR_F32, .accuracy = JR_ACCURACY_EXACT,
                   .map = "x * 1.1f + 0.3f");
}

TEST(every_algorithm_rounds_twice) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_AUTO,      JR_ALGORITHM_SINGLE_PASS,
                                              JR_ALGORITHM_TWO_PASS,  JR_ALGORITHM_ONE_BLOCK,
                                              JR_ALGORITHM_BULK_COPY, JR_ALGORITHM_TOURNAMENT};
    const opened *device = *state;
    static float data[ALIKE];
    for (int i = 0; i < ALIKE; i++) data[i] = each;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        jr_value value;
        jr_spec spec = spec_of();
        spec.algorithm = algorithms[i];
        works(jr_reduce_host(device->context, &spec, data, ALIKE, &value));
        assert_memory_equal(value.as.bytes, &mapped, sizeof mapped);
        if (!tests_take((int)i, 3)) continue;
        spec.map = NULL;
        spec.finish = "a * 1.1f + 0.3f";
        works(jr_reduce_host(device->context, &spec, data, ALIKE, &value));
        assert_memory_equal(value.as.bytes, &mapped, sizeof mapped);
    }
}

TEST(so_do_segments_columns_and_scans) {
    static const jr_segment_kind kinds[] = {JR_SEGMENTS_EQUAL, JR_SEGMENTS_STRIDED};
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_AUTO, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY,
                                              JR_ALGORITHM_WAVE, JR_ALGORITHM_THREE_PASS};
    enum { SEGMENTS = 30, LENGTH = ALIKE / SEGMENTS };
    const opened *device = *state;
    static float data[ALIKE], results[ALIKE];
    const void *arrays = data;
    for (int i = 0; i < ALIKE; i++) data[i] = each;
    for (int k = 0; k < 2; k++) {
        const jr_spec spec = spec_of();
        const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = kinds[k], .length = LENGTH,
                                                 .inner = kinds[k] == JR_SEGMENTS_STRIDED ? SEGMENTS : 0);
        const jr_work_data segments = JR_INIT(jr_work_data, .segments = SEGMENTS);
        works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, &arrays, results)));
        for (int s = 0; s < SEGMENTS; s++) assert_memory_equal(&results[s], &mapped, sizeof mapped);
    }
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        jr_spec spec = spec_of();
        spec.algorithm = algorithms[i];
        spec.unroll = i == 0 || tests_are_whole() ? 0 : 1; /* which compiles sooner */
        works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                               DATA(.in = FROM(data), .count = ALIKE, .out = results)));
        for (int s = 0; s < ALIKE; s++) assert_memory_equal(&results[s], &mapped, sizeof mapped);
    }
}

/* Exact sums of more blocks, elements or lanes' shares than digits and windows had room for. */

/* More blocks than there are digits of 16 bits in a word of 32: their sums did not fit, and the result was wrong. */
enum { BLOCKS = 33000, BLOCK = 128, ELEMENTS = BLOCKS * BLOCK * 4 };

DEVICE_TEST(as_many_blocks_as_are_asked_for_add_exactly) {
    if (device->info.simulated && !tests_are_whole())
        skip_because("the simulator takes 20 s for it: with JR_TESTS=whole\n");
    const float element = 0x1.fffffep0F; /* of 24 ones: most of its digits are as great as they can be */
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64, .block = BLOCK,
                                 .unroll = 1, .grid = BLOCKS, .accuracy = JR_ACCURACY_EXACT);
    float *x = test_bytes(ELEMENTS * sizeof *x), *d_in = device_new(device, ELEMENTS * sizeof *d_in);
    for (int i = 0; i < ELEMENTS; i++) x[i] = element;
    device_write(device, d_in, x, ELEMENTS * sizeof *x);
    jr_plan *plan = plan_held(device, WORK(&spec));
    assert_true(plan_value(device, plan, d_in, ELEMENTS).as.f64 == (double)element * ELEMENTS);
}

/* One block adds so many elements exactly that the digits in its shared memory overflow unless their carries are taken
 * out on the way: from about 2^34 elements on. */
enum { POWER = 35 };
#define ONE_BLOCKS_ELEMENTS (1ull << POWER)

DEVICE_TEST(one_block_adds_more_than_its_digits_hold) {
    const size_t bytes = ONE_BLOCKS_ELEMENTS * sizeof(uint16_t);
    skip_without_memory(device, bytes);
    void *d_in = device_new(device, bytes);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_BF16, .result = JR_F64, .grid = 1,
                           .accuracy = JR_ACCURACY_EXACT, .algorithm = JR_ALGORITHM_SINGLE_PASS);
    drives(
        device->driver.cuMemsetD32_v2(device_address(d_in), 0x3fff3fff, ONE_BLOCKS_ELEMENTS / 2)); /* 255 / 128 each */
    jr_plan *plan = plan_held(device, WORK(&spec));
    assert_true(plan_value(device, plan, d_in, ONE_BLOCKS_ELEMENTS).as.f64 ==
                255.0 * (double)(ONE_BLOCKS_ELEMENTS >> 7));
}

/* Exact sums of segments with an unroll factor of 1: a last segment that ends before its whole tiles may be read left
 * more elements to a lane than its windows had room for, and units of the last place were lost. */
enum { ONES = 128, EMPTY = 20000 }; /* so many that a segment is one warp's */

/* The exact sum by Python: math.fsum([1.0] * 128 + [x] * 130), x the f32 next below 4. */
TEST(what_is_left_of_a_shifted_segment_is_added_exactly) {
    enum { GREAT = 130, LENGTH = 1 + ONES + GREAT };
    const opened *device = *state;
    const float great = 0x1.fffffep1F;
    static uint64_t offsets[EMPTY + 2];
    static double sums[EMPTY + 1];
    float x[LENGTH] = {0};
    const void *data = x;
    for (int i = 1; i < LENGTH; i++) x[i] = i <= ONES ? 1 : great;
    offsets[EMPTY] = 1;
    offsets[EMPTY + 1] = LENGTH;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64, .unroll = 1, .accuracy = JR_ACCURACY_EXACT);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = EMPTY + 1, .offsets = offsets, .count = LENGTH);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, &data, sums)));
    assert_true(sums[EMPTY - 1] == 0);
    assert_true(sums[EMPTY] == 0x1.43fffefcp9);
}

RUN_TESTS(open_context, close_context)
