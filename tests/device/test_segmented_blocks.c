/* Segments by whole blocks, and by flows of them. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/segment_case.h"

/* Long equal segments, which blocks fold: lengths around the least one, parts, elements of every size at every
 * boundary, and what blocks, unroll factors and grids change. */
DEVICE_TEST(lengths_around_the_least_agree_with_the_reference) {
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

DEVICE_TEST(segments_of_several_parts_agree_with_the_reference) {
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

DEVICE_TEST(elements_of_every_size_lie_at_any_boundary) {
    static const jr_type types[] = {JR_I8, JR_U8, JR_BOOL, JR_U16, JR_F16, JR_BF16, JR_U32, JR_F32, JR_I64, JR_F64};
    uint64_t seed = 3;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t shift = 0; shift < 16; shift += 5) {
            if (!tests_are_whole() && shift % 2 != t % 2) continue; /* a sample: one operator of a type */
            const jr_spec spec = JR_INIT(jr_spec, .op = shift % 2 == 0 ? JR_OP_MAX : JR_OP_SUM, .type = types[t]);
            segment_case segments = segments_equal(2, 32769 + shift);
            segments.input_shift = shift;
            segments_judge(device, &spec, &segments, &seed);
        }
}

DEVICE_TEST(any_block_unroll_and_grid_give_the_same) {
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

/* Segments by offsets whose elements flow through shared memory: ends at every place of a tile, hundreds of them in
 * one, empty segments between, shares of many tiles; element sizes, orders, places that are no packs, and counts. */
enum { WARPS = 4, TILE = 1408 }; /* of a block; f32 elements of a tile */

/* One block has so few warps that each has tiles enough. */
static jr_spec spec_of(jr_op op, jr_type type) {
    return JR_INIT(jr_spec, .op = op, .type = type, .grid = 1);
}

DEVICE_TEST(ends_around_those_of_tiles_and_lanes_agree_with_the_reference) {
    static const uint64_t most[] = {1, 2, 5, 31, 44, 45, 128, TILE - 1, TILE, TILE + 1, 3 * TILE};
    const jr_spec spec = spec_of(JR_OP_SUM, JR_F32);
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        segment_case segments = segments_random(WARPS * 4 * TILE / (most[i] / 2 + 1), most[i], &seed);
        segments.input_shift = i % 4;
        segments_judge(device, &spec, &segments, &seed);
    }
}

DEVICE_TEST(every_element_size_agrees_at_every_place) {
    static const jr_type types[] = {JR_I32, JR_F32, JR_I64, JR_F64, JR_I8, JR_F16}; /* the last ones do not flow */
    uint64_t seed = 2;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t shift = 0; shift < 3; shift++) {
            if (!tests_take((int)(t + shift), 2)) continue; /* a sample: one operator of a type */
            const jr_spec spec = spec_of(shift == 1 ? JR_OP_MAX : JR_OP_MIN, types[t]);
            segment_case segments = segments_random(3000, 30, &seed);
            segments.input_shift = 1 + 2 * shift;
            segments_stretch(&segments, 1100 * shift, 5000);
            segments_judge(device, &spec, &segments, &seed);
        }
}

/* More ends in a tile than a warp knows at a time, most of them of nothing. */
DEVICE_TEST(hundreds_of_empty_segments_lie_within_a_tile) {
    const jr_spec spec = spec_of(JR_OP_SUM, JR_F32);
    uint64_t seed = 3;
    for (uint64_t giant = 0; giant < 20000; giant += 9999) {
        segment_case segments = segments_random(20001, 0, &seed);
        segments_stretch(&segments, giant, 3 * TILE + 7);
        segments_stretch(&segments, giant / 2, 1);
        segments_judge(device, &spec, &segments, &seed);
    }
}

/* The first and the last element that is not 0. */
DEVICE_TEST(operators_that_do_not_commute_get_their_elements_in_order) {
    static const char *const combine[] = {"a != 0 ? a : b", "b != 0 ? b : a"};
    uint64_t seed = 4;
    for (uint64_t most = 3; most < 8 * TILE; most *= 15)
        for (int last = 0; last < 2; last++) {
            jr_spec spec = spec_of(JR_OP_CUSTOM, JR_U32);
            spec.combine = combine[last];
            spec.identity = "0";
            segment_case segments = segments_random(60000 / most, most, &seed);
            segments.input_shift = most % 4;
            uint32_t *data = test_zeros(segments.elements, sizeof *data);
            for (uint64_t i = 0; i < segments.elements; i++) data[i] = random_below(&seed, 3) == 0 ? (uint32_t)i : 0;
            uint32_t *got = (uint32_t *)(void *)segments_run(device, &spec, &segments, data);
            for (uint64_t s = 0; s < segments.count; s++) {
                uint32_t wanted = 0;
                for (uint64_t k = 0; k < segments_length(&segments, s); k++) {
                    const uint32_t element = data[segments_element(&segments, s, k)];
                    if (element != 0 && (last || wanted == 0)) wanted = element;
                }
                if (got[s] != wanted) fail_msg("segment %d of at most %d elements", (int)s, (int)most);
            }
        }
}

DEVICE_TEST(a_mean_knows_how_many_elements_its_segment_has) {
    const jr_spec spec = spec_of(JR_OP_MEAN, JR_F64);
    enum { COUNT = 3000 };
    uint64_t seed = 5;
    segment_case segments = segments_random(COUNT, 9, &seed);
    segments_stretch(&segments, 1000, 9 * TILE);
    double *data = test_zeros(segments.elements, sizeof *data);
    for (uint64_t s = 0; s < COUNT; s++)
        for (uint64_t k = 0; k < segments_length(&segments, s); k++)
            data[segments_element(&segments, s, k)] = (double)(s + 1);
    double *got = (double *)(void *)segments_run(device, &spec, &segments, data);
    for (uint64_t s = 0; s < COUNT; s++)
        assert_true(segments_length(&segments, s) == 0 ? got[s] != got[s] : got[s] == (double)(s + 1));
}

RUN_TESTS(open_context, close_context)
