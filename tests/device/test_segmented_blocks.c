/* Long equal segments, which blocks fold: lengths around the least one, parts, elements of every size at every
 * boundary, and what blocks, unroll factors and grids change. */
#include "support/cases/segment_case.h"

#include <stdlib.h>

TEST(lengths_around_the_least_agree_with_the_reference) {
    const opened *device = *state;
    static const uint64_t lengths[] = {8191, 8192, 8193, 8195, 10000, 16384, 24579};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (uint64_t shift = 0; shift < 4; shift++) {
            segment_case segments = segments_equal(1 + shift, lengths[i]);
            segments.input_shift = shift;
            segments_judge(device, &spec, &segments, &seed);
        }
}

TEST(segments_of_several_parts_agree_with_the_reference) {
    const opened *device = *state;
    static const uint64_t lengths[] = {32767, 32768, 32769, 131072, 300007};
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_ARGMIN, JR_OP_MAX};
    uint64_t seed = 2;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = JR_F32);
            segment_case segments = segments_equal(2, lengths[i]);
            segments.input_shift = i;
            segments_judge(device, &spec, &segments, &seed);
        }
}

TEST(elements_of_every_size_lie_at_any_boundary) {
    const opened *device = *state;
    static const jr_type types[] = {JR_I8, JR_U8, JR_BOOL, JR_U16, JR_F16, JR_BF16, JR_U32, JR_F32, JR_I64, JR_F64};
    uint64_t seed = 3;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t shift = 0; shift < 16; shift += 5) {
            const jr_spec spec = JR_INIT(jr_spec, .op = shift % 2 == 0 ? JR_OP_MAX : JR_OP_SUM, .type = types[t]);
            segment_case segments = segments_equal(2, 32769 + shift);
            segments.input_shift = shift;
            segments_judge(device, &spec, &segments, &seed);
        }
}

TEST(any_block_unroll_and_grid_give_the_same) {
    const opened *device = *state;
    static const int blocks[] = {32, 96, 512}, unrolls[] = {1, 6, 16}, grids[] = {1, 3, 40};
    static const uint64_t lengths[] = {8200, 70001};
    uint64_t seed = 4;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_U32, .block = blocks[i],
                                         .unroll = unrolls[i], .grid = grids[i]);
            segment_case segments = segments_equal(5, lengths[l]);
            segments.input_shift = l;
            segments_judge(device, &spec, &segments, &seed);
        }
}

TEST(accumulators_of_every_size_agree_with_the_reference) {
    const segment_case segments = segments_equal(3, 40000);
    uint64_t seed = 5;
    segments_judge_accumulators(*state, JR_I32, &segments, &seed);
}

RUN_TESTS(open_context, close_context)
