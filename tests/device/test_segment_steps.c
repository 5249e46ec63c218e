/* Steps over ragged segments: how many a warp takes at once, by what lanes, and where segments grow too long for it. */
#include "support/cases/segment_case.h"

#include <stdlib.h>

enum { PATTERN_MAX = 4 };

/* Lengths that segments have in turn. */
typedef struct pattern {
    uint64_t lengths[PATTERN_MAX];
    uint64_t count;
} pattern;

static segment_case segments_of(const pattern *of, uint64_t count, uint64_t first) {
    segment_case made = {.layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_OFFSETS}, .count = count};
    made.offsets = test_zeros(count + 1, sizeof *made.offsets);
    assert_non_null(made.offsets);
    made.offsets[0] = first;
    for (uint64_t s = 0; s < count; s++) made.offsets[s + 1] = made.offsets[s] + of->lengths[s % of->count];
    made.elements = made.offsets[count];
    return made;
}

static void judge(const opened *device, const jr_spec *spec, const pattern *of, uint64_t count, uint64_t shift,
                  uint64_t *seed) {
    segment_case segments = segments_of(of, count, shift % 3);
    segments.input_shift = shift;
    segments_judge(device, spec, &segments, seed);
}

/* One warp has all of them: steps of 32, 64, 96 and 128 segments, and what remains. */
DEVICE_TEST(steps_of_whole_rows_and_one_more_or_less_agree_with_the_reference) {
    static const uint64_t counts[] = {1, 2, 31, 32, 33, 63, 64, 65, 95, 97, 127, 128, 129, 255, 257, 385, 700};
    static const pattern patterns[] = {{{2}, 1}, {{5, 0, 1}, 3}, {{0, 0, 9, 3}, 4}, {{31, 33}, 2}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .block = 32, .grid = 1);
    uint64_t seed = 1;
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            judge(device, &spec, &patterns[p], counts[c], c % 5, &seed);
}

/* Up to 128 elements a lane or a few, up to 1024 a group, beyond the warp; segments of 60 elements and longer, of which
 * few fill a room, are folded by 2 lanes, 4 or 8 each. */
DEVICE_TEST(lengths_around_every_change_of_way_agree_with_the_reference) {
    static const pattern patterns[] = {{{127}, 1},      {{128}, 1},     {{129}, 1},           {{127, 128, 129, 1}, 4},
                                       {{1, 129}, 2},   {{60}, 1},      {{64, 63}, 2},        {{102}, 1},
                                       {{85}, 1},       {{1, 1024}, 2}, {{1023, 1025, 3}, 3}, {{3, 900, 128, 2000}, 4},
                                       {{30, 5000}, 2}, {{1025, 0}, 2}};
    static const jr_type types[] = {JR_I32, JR_F64, JR_U8};
    uint64_t seed = 2;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = types[t], .block = 32, .grid = 1);
        for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
            judge(device, &spec, &patterns[p], 70, p % 4, &seed);
    }
}

/* 4 KiB hold 1024 numbers, of which a pack may belong to what lies before. */
DEVICE_TEST(a_room_that_fills_to_the_last_element_agrees_with_the_reference) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .block = 32, .grid = 1);
    uint64_t seed = 3;
    for (uint64_t last = 1; last <= 8; last++)
        for (uint64_t shift = 0; shift < 4; shift++) {
            const pattern few = {{98 + last}, 1}, many = {{3 + last, 8}, 2};
            judge(device, &spec, &few, 11, shift, &seed);
            judge(device, &spec, &many, 141, shift, &seed);
        }
}

DEVICE_TEST(elements_of_every_size_lie_at_any_boundary) {
    static const jr_type types[] = {JR_I8, JR_U8, JR_BOOL, JR_U16, JR_F16, JR_BF16, JR_U32, JR_F32, JR_I64, JR_F64};
    static const pattern patterns[] = {{{3, 1, 17}, 3}, {{90, 11, 128}, 3}};
    uint64_t seed = 4;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t shift = 0; shift < 16; shift += 5)
            for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
                const jr_spec spec = JR_INIT(jr_spec, .op = shift % 2 == 0 ? JR_OP_MAX : JR_OP_SUM, .type = types[t]);
                if (!tests_are_whole() && (t % 2 > 0 || shift % 2 != t / 2 % 2))
                    continue; /* one operator and type of a size */
                judge(device, &spec, &patterns[p], 300, shift, &seed);
            }
}

/* A few bytes hold no whole pack, or one. */
DEVICE_TEST(few_elements_need_no_whole_pack) {
    static const pattern patterns[] = {{{1}, 1}, {{3, 0}, 2}, {{7, 6}, 2}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8);
    uint64_t seed = 5;
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (uint64_t count = 1; count < 6; count++)
            for (uint64_t shift = 0; shift < 16; shift += 3) judge(device, &spec, &patterns[p], count, shift, &seed);
}

DEVICE_TEST(one_long_segment_among_tiny_ones_agrees_in_any_block) {
    static const int blocks[] = {0, 32, 128, 256, 512, 544}, grids[] = {0, 1, 7, 0, 3, 40};
    static const uint64_t places[] = {0, 511, 999};
    const pattern tiny = {{2, 0, 3, 1}, 4};
    uint64_t seed = 6;
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            if (!tests_are_whole() && b % 2 == 0 && b > 0) continue;
            const jr_spec spec =
                JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_U32, .block = blocks[b], .grid = grids[b]);
            segment_case segments = segments_of(&tiny, 1000, 1);
            segments_stretch(&segments, places[p], 40000);
            segments_judge(device, &spec, &segments, &seed);
        }
}

/* Shares of 512 elements and ends begin inside segments: what a lane finds there is not the segment's first. */
DEVICE_TEST(shares_that_begin_inside_segments_count_from_their_begin) {
    static const pattern patterns[] = {{{100, 7, 128}, 3}, {{128}, 1}, {{200, 31}, 2}, {{700, 1, 1}, 3}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_F32, .block = 64, .grid = 20);
    uint64_t seed = 7;
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (uint64_t shift = 0; shift < 3; shift++) judge(device, &spec, &patterns[p], 150, shift, &seed);
}

RUN_TESTS(open_context, close_context)
