/* Equal segments that groups of lanes fold: lengths around every group's size, elements of every size at every
 * boundary, lists and expressions, and what blocks, unroll factors and grids change. */
#include "support/cases/segment_case.h"

#include <stdlib.h>
#include <string.h>

DEVICE_TEST(lengths_around_every_group_agree_with_the_reference) {
    static const uint64_t lengths[] = {17,  19,  20,  21,  28,  31,  32,  33,  47,  63,  64,   65,   127, 128,
                                       129, 131, 255, 256, 257, 508, 511, 512, 513, 767, 1022, 1023, 1024};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (uint64_t shift = 0; shift < 4; shift++) {
            segment_case segments = segments_equal(3000 / lengths[i] + 1 + shift, lengths[i]);
            segments.input_shift = shift;
            segments_judge(device, &spec, &segments, &seed);
        }
}

DEVICE_TEST(elements_of_every_size_lie_at_any_boundary) {
    static const jr_type types[] = {JR_I8, JR_U8, JR_BOOL, JR_U16, JR_F16, JR_BF16, JR_U32, JR_F32, JR_I64, JR_F64};
    static const uint64_t lengths[] = {9, 17, 34, 100, 1001};
    uint64_t seed = 2;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (uint64_t shift = 0; shift < 16; shift += 5) {
                if (!tests_are_whole() && shift % 2 != t % 2) continue; /* a sample: one operator of a type */
                const jr_spec spec = JR_INIT(jr_spec, .op = shift % 2 == 0 ? JR_OP_MAX : JR_OP_SUM, .type = types[t]);
                segment_case segments = segments_equal(1200 / lengths[l] + 3, lengths[l]);
                segments.input_shift = shift;
                segments_judge(device, &spec, &segments, &seed);
            }
}

/* 17 bytes from the 9th of 16 hold no whole pack, 40 bytes one or two. */
DEVICE_TEST(few_segments_need_no_whole_pack) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8);
    uint64_t seed = 3;
    for (uint64_t shift = 0; shift < 16; shift++)
        for (uint64_t count = 1; count < 4; count++) {
            segment_case short_ones = segments_equal(count, 17), longer = segments_equal(count, 40);
            short_ones.input_shift = longer.input_shift = shift;
            segments_judge(device, &spec, &short_ones, &seed);
            segments_judge(device, &spec, &longer, &seed);
        }
}

/* Whole packs that groups would share unequally: 5 to 63 of them, in tiles that are full, and that are not. */
TEST(whole_packs_are_folded_in_tiles) {
    static const jr_type types[] = {JR_F32, JR_I8, JR_F64, JR_F16, JR_I32};
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_ARGMIN, JR_OP_MAX, JR_OP_ARGMAX};
    static const uint64_t packs[] = {5, 6, 7, 9, 10, 25, 31, 33, 50, 63};
    uint64_t seed = 5;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t p = 0; p < sizeof packs / sizeof *packs; p++) {
            const uint64_t length = packs[p] * 16 / jr_type_size(types[t]), tile = 256 / packs[p];
            const segment_case segments = segments_equal(p % 2 == 0 ? 3 * tile + 1 : 9 * tile, length);
            if (length > 1023 || segments.elements > 40000) continue;
            segments_judge(*state, &JR_INIT(jr_spec, .op = ops[(t + p) % 4], .type = types[t], .grid = (int)(p % 3)),
                           &segments, &seed);
        }
}

/* Among equal elements the first one's index wins, whichever lanes fold them. */
DEVICE_TEST(ties_in_tiles_go_to_the_first_element) {
    enum { LENGTH = 100, COUNT = 57 };
    static const uint64_t shape[] = {COUNT, LENGTH};
    float data[COUNT * LENGTH];
    int64_t got[COUNT];
    for (int e = 0; e < COUNT * LENGTH; e++) data[e] = e % LENGTH >= e / LENGTH ? -1 : 0;
    works(jr_work_run_host(
        device->context,
        WORK(&JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32), .axis = &JR_INIT(jr_axis, shape, 2, 1)),
        DATA(.in = FROM(data), .out = got)));
    for (int s = 0; s < COUNT; s++) assert_int_equal(got[s], s);
}

DEVICE_TEST(any_block_unroll_and_grid_give_the_same) {
    static const int blocks[] = {32, 96, 512}, unrolls[] = {1, 6, 16}, grids[] = {1, 3, 40};
    static const uint64_t lengths[] = {20, 130, 900};
    uint64_t seed = 4;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_U32, .block = blocks[i],
                                         .unroll = unrolls[i], .grid = grids[i]);
            segment_case segments = segments_equal(20000 / lengths[l], lengths[l]);
            segments_judge(device, &spec, &segments, &seed);
            segments.input_shift = 3;
            segments_judge(device, &spec, &segments, &seed);
        }
}

/* Elements are their index in the segment, plus the segment's number. */
DEVICE_TEST(lists_and_expressions_see_their_own_segment) {
    static const jr_op ops[] = {JR_OP_MEAN, JR_OP_ARGMAX, JR_OP_VAR};
    const jr_spec spec =
        JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_I32, .where = "i % 2 == 1", .map = "x + i");
    static const uint64_t lengths[] = {20, 51, 400};
    enum { RESULT_BYTES = 48 };
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const uint64_t length = lengths[l], count = 37, odd_count = length / 2;
        const segment_case segments = segments_equal(count, length);
        int32_t *data = test_zeros(segments.elements, sizeof *data);
        for (uint64_t i = 0; i < segments.elements; i++) data[i] = (int32_t)(i % length + i / length);
        unsigned char *got = segments_run(device, &spec, &segments, data);
        for (uint64_t s = 0; s < count; s++) {
            int64_t where;
            double mean; /* of 2 i + s over the odd i, whose mean is their count */
            memcpy(&mean, got + s * RESULT_BYTES, sizeof mean);
            assert_true(mean == (double)(2 * odd_count + s));
            memcpy(&where, got + s * RESULT_BYTES + 16, sizeof where);
            assert_int_equal(where, length % 2 == 0 ? length - 1 : length - 2);
        }
    }
}

/* Float sums round: only a fixed order gives the same bits twice. */
DEVICE_TEST(two_runs_give_the_same_bits) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    segment_case segments = segments_equal(300, 77);
    uint64_t seed = 5;
    float *data = test_zeros(segments.elements, sizeof *data);
    for (uint64_t i = 0; i < segments.elements; i++) data[i] = (float)random_below(&seed, 1 << 24) / 77.0f;
    unsigned char *first = segments_run(device, &spec, &segments, data);
    unsigned char *second = segments_run(device, &spec, &segments, data);
    assert_memory_equal(first, second, segments.count * sizeof(float));
}

RUN_TESTS(open_context, close_context)
