/* Columns of few rows, which threads fold alone: rows that begin anywhere, one to many rows, blocks that end within a
 * slab or reach over many; every size of element and accumulator, order, indexes and results. */
#include "support/cases/segment_case.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t slab_counts[] = {1, 1, 2, 3, 9}, lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 17, 31, 32},
                      inners[] = {256, 257, 258, 260, 264, 437, 512, 1000, 1003, 1024, 4096, 5001};

#define DRAW(from, seed) (from)[random_below(seed, sizeof(from) / sizeof *(from))]

static segment_case draw(uint64_t elements_most, uint64_t *seed) {
    segment_case made;
    do made = segments_strided(DRAW(slab_counts, seed), DRAW(lengths, seed), DRAW(inners, seed));
    while (made.elements > elements_most);
    made.input_shift = random_below(seed, 2) * random_below(seed, 17);
    return made;
}

TEST(few_rows_of_every_type_begin_anywhere) {
    static const jr_type types[] = {JR_I8,  JR_U8,  JR_BOOL, JR_U16, JR_I16, JR_F16,
                                    JR_F32, JR_U32, JR_I64,  JR_F64, JR_E4M3};
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX, JR_OP_ARGMIN, JR_OP_ARGMAX};
    uint64_t seed = 1;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int i = 0; i < 12; i++) {
            const segment_case segments = draw(20000, &seed);
            if (!tests_take((int)t + i, 4)) continue; /* a sample: one of the operators over each type */
            segments_judge(*state, &JR_INIT(jr_spec, .op = ops[i % 4], .type = types[t]), &segments, &seed);
        }
}

/* Every number of rows, aligned and not: rounds of loads that are full, and that are not. */
TEST(every_number_of_rows_agrees_with_the_reference) {
    uint64_t seed = 2;
    for (uint64_t length = 1; length <= 33; length++)
        for (uint64_t odd = 0; odd < 2; odd++) {
            if (!tests_take((int)(length / 2 + odd), 2)) continue;
            const segment_case segments = segments_strided(3, length, 256 + odd);
            segments_judge(*state, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32), &segments, &seed);
        }
}

/* Rows of 1 to 3 over several tiles of a block, and more slabs than a tile has columns. */
TEST(wide_and_many_slabs_are_cut_into_tiles) {
    static const uint64_t shapes[][3] = {{1, 3, 20004}, {1, 1, 9001}, {2, 3, 8192},
                                         {2, 2, 5003},  {60, 3, 64},  {70, 2, 67}};
    uint64_t seed = 3;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int op = 0; op < 2; op++) {
            const segment_case segments = segments_strided(shapes[s][0], shapes[s][1], shapes[s][2]);
            segments_judge(*state, &JR_INIT(jr_spec, .op = op == 0 ? JR_OP_SUM : JR_OP_ARGMAX, .type = JR_F32),
                           &segments, &seed);
        }
}

TEST(any_block_unroll_and_grid_give_the_same) {
    static const int blocks[] = {32, 96, 512, 1024}, unrolls[] = {1, 7, 16, 2}, grids[] = {1, 0, 3, 40};
    uint64_t seed = 4;
    for (int i = 0; i < 4; i++)
        for (int draws = 0; draws < 6; draws++) {
            if (!tests_are_whole() && draws != i) continue; /* a sample: one operator and type by each */
            const jr_spec spec = JR_INIT(jr_spec, .op = draws % 2 == 0 ? JR_OP_XOR : JR_OP_ARGMIN,
                                         .type = draws % 4 < 2 ? JR_U8 : JR_U32, .block = blocks[i],
                                         .unroll = unrolls[i], .grid = grids[(i + draws) % 4]);
            const segment_case segments = draw(12000, &seed);
            segments_judge(*state, &spec, &segments, &seed);
        }
}

TEST(accumulators_of_every_size_stay_in_threads) {
    static const jr_type types[] = {JR_F32, JR_F16};
    uint64_t seed = 5;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int draws = 0; draws < 3; draws++) {
            const segment_case segments = draw(9000, &seed);
            segments_judge_accumulators(*state, types[t], &segments, &seed);
        }
}

TEST(few_rows_are_reduced_in_order) {
    uint64_t seed = 6;
    for (int draws = 0; draws < 12; draws++) {
        const segment_case segments = draw(12000, &seed);
        segments_judge_order(*state, &segments, &seed);
    }
}

/* Among equal elements the first row's index wins, in every column. */
DEVICE_TEST(ties_go_to_the_first_row) {
    enum { ROWS = 11, INNER = 515 };
    static const uint64_t shape[] = {ROWS, INNER};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32);
    float *data = test_zeros((size_t)ROWS * INNER, sizeof *data);
    int64_t got[INNER];
    for (int e = 0; e < ROWS * INNER; e++) data[e] = e / INNER >= e % INNER % ROWS ? -1 : 0;
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 2, 0)),
                           DATA(.in = FROM(data), .out = got)));
    for (int c = 0; c < INNER; c++) assert_int_equal(got[c], c % ROWS);
}

/* Results that do not begin at a 16-byte boundary are written one by one. */
DEVICE_TEST(results_lie_at_any_boundary) {
    enum { ROWS = 3, INNER = 1024 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_I32);
    const jr_segment_layout layout = segments_strided(1, ROWS, INNER).layout;
    int32_t data[ROWS * INNER], *d_data = device_new(device, sizeof data);
    int32_t got[INNER + 2], *d_out = device_new(device, sizeof got);
    uint64_t seed = 7;
    for (int e = 0; e < ROWS * INNER; e++) data[e] = (int32_t)random_bits(&seed);
    memset(got, 77, sizeof got);
    device_write(device, d_data, data, sizeof data);
    device_write(device, d_out, got, sizeof got);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_data), .segments = INNER, .out = d_out + 1), NULL, NULL));
    device_read(device, got, d_out, sizeof got);
    for (int c = 0; c < INNER; c++) assert_int_equal(got[c + 1], data[c] ^ data[c + INNER] ^ data[c + 2 * INNER]);
    assert_int_equal(got[0], 0x4d4d4d4d);
    assert_int_equal(got[INNER + 1], 0x4d4d4d4d);
}

RUN_TESTS(open_context, close_context)
