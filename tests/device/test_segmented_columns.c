/* Columns: rows that begin anywhere between the boundaries of vectors, narrow and wide ones, in one slab or many; every
 * size of element and accumulator, order, indexes; what blocks, unroll factors and grids change. */
#include "support/cases/segment_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slabs, rows and columns that random tests draw from. */
static const uint64_t slab_counts[] = {1, 1, 2, 3, 7, 30}, lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 17, 33, 100, 700},
                      inners[] = {2,  3,  4,  5,  7,  8,   12,  15,  16,  17,  23,  31,  32,
                                  33, 56, 63, 65, 96, 100, 127, 128, 129, 255, 257, 437, 1000};

#define DRAW(from, seed) (from)[random_below(seed, sizeof(from) / sizeof *(from))]

static segment_case draw(uint64_t elements_most, uint64_t *seed) {
    segment_case made;
    do made = segments_strided(DRAW(slab_counts, seed), DRAW(lengths, seed), DRAW(inners, seed));
    while (made.elements > elements_most);
    made.input_shift = random_below(seed, 17);
    return made;
}

TEST(columns_of_every_type_begin_anywhere) {
    static const jr_type types[] = {JR_I8,  JR_U8,  JR_BOOL, JR_U16, JR_I16, JR_F16,
                                    JR_F32, JR_U32, JR_I64,  JR_F64, JR_E4M3};
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX, JR_OP_ARGMIN};
    uint64_t seed = 1;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int i = 0; i < (tests_are_whole() ? 45 : 12); i++) { /* a sample: one operator by one unroll factor */
            const segment_case segments = draw(30000, &seed);
            const bool four = tests_are_whole() ? i % 2 == 0 : (i % 3 + (int)t) % 2 == 0;
            if (!tests_take(i + 2 * (int)t, 3)) continue;
            segments_judge(*state, &JR_INIT(jr_spec, .op = ops[i % 3], .type = types[t], .unroll = four ? 4 : 3),
                           &segments, &seed);
        }
}

/* Every alignment of base and rows at once: rows of 1 to 40 bytes and elements. */
TEST(narrow_rows_of_every_length_agree_with_the_reference) {
    uint64_t seed = 2;
    for (uint64_t inner = 2; inner <= 40; inner++)
        for (int t = 0; t < 2; t++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = t == 0 ? JR_I8 : JR_I32, .unroll = 4);
            if (!tests_take((int)inner + t, 3)) continue;
            segment_case one = segments_strided(1, 500 + inner, inner), more = segments_strided(4, 40 + inner, inner);
            one.input_shift = inner % 16;
            more.input_shift = inner / 3;
            segments_judge(*state, &spec, &one, &seed);
            segments_judge(*state, &spec, &more, &seed);
        }
}

TEST(many_rows_are_cut_into_parts) {
    static const uint64_t shapes[][3] = {{1, 30000, 2}, {1, 20000, 3}, {1, 9000, 16}, {1, 6000, 23}, {2, 3000, 33},
                                         {1, 700, 300}, {3, 900, 64},  {1, 70000, 5}, {1, 2500, 56}, {1, 65537, 12}};
    uint64_t seed = 3;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (uint64_t shift = 0; shift < 2; shift++) {
            segment_case segments = segments_strided(shapes[s][0], shapes[s][1], shapes[s][2]);
            segments.input_shift = shift;
            if (tests_take((int)(s + shift), 2))
                segments_judge(*state, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32), &segments, &seed);
            if (tests_take((int)(s + shift) + 1, 2))
                segments_judge(*state, &JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_F32), &segments, &seed);
        }
}

TEST(any_block_unroll_and_grid_give_the_same) {
    static const int blocks[] = {32, 96, 512, 1024}, unrolls[] = {1, 7, 16, 2}, grids[] = {1, 0, 3, 40};
    uint64_t seed = 4;
    for (int i = 0; i < 4; i++)
        for (int draws = 0; draws < (tests_are_whole() ? 20 : 4); draws++) {
            if (!tests_are_whole() && draws != i) continue; /* a sample: one operator and type by each */
            const jr_spec spec = JR_INIT(jr_spec, .op = draws % 2 == 0 ? JR_OP_XOR : JR_OP_ARGMIN,
                                         .type = draws % 4 < 2 ? JR_U8 : JR_U32, .block = blocks[i],
                                         .unroll = unrolls[i], .grid = grids[(i + draws) % 4]);
            const segment_case segments = draw(15000, &seed);
            segments_judge(*state, &spec, &segments, &seed);
        }
}

TEST(large_accumulators_take_narrower_vectors) {
    static const jr_type types[] = {JR_F32, JR_I8, JR_F16};
    uint64_t seed = 5;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int draws = 0; draws < 4; draws++) {
            const segment_case segments = draw(9000, &seed);
            if (types[t] == JR_I8) /* var of integers rounds in its steps */
                segments_judge(*state, &JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I8), &segments, &seed);
            else
                segments_judge_accumulators(*state, types[t], &segments, &seed);
        }
}

/* A list of eight operators over bytes, and a count of what is kept: more than any vector has room for. */
DEVICE_TEST(a_long_list_agrees_with_each_of_its_operators) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MIN, JR_OP_ARGMAX, JR_OP_MEAN, JR_OP_VAR, JR_OP_NORM1, JR_OP_ANY};
    static const uint64_t shape[] = {3, 41, 19};
    const jr_axis axis = JR_INIT(jr_axis, shape, 3, 1);
    enum { OPS = 7, PLACE = 16 * (OPS + 1), COLUMNS = 3 * 19 };
    const jr_spec list = JR_INIT(jr_spec, .ops = ops, .op_count = OPS, .type = JR_I8, .kept = 1);
    unsigned char got[COLUMNS * PLACE], alone[COLUMNS * 8];
    int8_t data[3 * 41 * 19];
    uint64_t seed = 6;
    for (size_t i = 0; i < sizeof data; i++) data[i] = (int8_t)random_below(&seed, 100);
    works(jr_work_run_host(device->context, WORK(&list, .axis = &axis), DATA(.in = FROM(data), .out = got)));
    for (int o = 0; o < OPS; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = JR_I8, .unroll = 1);
        jr_result_layout layout = JR_INIT(jr_result_layout);
        if (ops[o] == JR_OP_VAR) continue; /* which rounds in its steps */
        works(jr_result_layout_of(&spec, &layout));
        works(jr_work_run_host(device->context, WORK(&spec, .axis = &axis), DATA(.in = FROM(data), .out = alone)));
        for (int c = 0; c < COLUMNS; c++)
            assert_memory_equal(got + c * PLACE + o * 16, alone + (size_t)c * layout.bytes, layout.bytes);
    }
    for (int c = 0; c < COLUMNS; c++) assert_int_equal(got[c * PLACE + OPS * 16], 41);
}

/* x -> m x + c modulo 2^4, 2^8, 2^16 and 2^32, packed as m and c: which map comes first shows. */
static uint64_t compose(uint64_t a, uint64_t b, int half) {
    const uint64_t low = (1ull << half) - 1;
    return ((a >> half) * (b >> half) & low) << half | (((b >> half) * (a & low) + b) & low);
}

/* The columns of these segments, composed by an operator of so many bits for m and for c. */
static void judge_order(void **state, int half, const jr_spec *requested, const segment_case *segments,
                        uint64_t *seed) {
    static const jr_type types[] = {JR_U8, JR_U16, JR_U32, JR_U64}; /* of 4, 8, 16, 32 */
    const int bits = 2 * half;
    const size_t bytes = (size_t)bits / 8;
    const unsigned long long low = (1ull << half) - 1;
    char combine[160], identity[24];
    snprintf(combine, sizeof combine, "(((a >> %d) * (b >> %d) & %llu) << %d) | (((b >> %d) * (a & %llu) + b) & %llu)",
             half, half, low, half, half, low, low);
    snprintf(identity, sizeof identity, "%llu", 1ull << half);
    jr_spec spec = *requested;
    spec.op = JR_OP_CUSTOM;
    spec.combine = combine;
    spec.identity = identity;
    for (int t = 0; t < 4; t++)
        if (jr_type_size(types[t]) == bytes) spec.type = types[t];
    unsigned char *data = test_zeros(segments->elements, bytes), *got;
    for (uint64_t e = 0; e < segments->elements; e++) {
        const uint64_t odd = random_bits(seed) | 1ull << half;
        memcpy(data + e * bytes, &odd, bytes);
    }
    got = segments_run(*state, &spec, segments, data);
    for (uint64_t s = 0; s < segments->count; s++) {
        uint64_t wanted = 1ull << half, result = 0;
        for (uint64_t k = 0; k < segments->layout.length; k++) {
            uint64_t next = 0;
            memcpy(&next, data + segments_element(segments, s, k) * bytes, bytes);
            wanted = compose(wanted, next, half);
        }
        memcpy(&result, got + s * bytes, bytes);
        if (result != wanted)
            fail_msg("column %d of %d by %d (%d bytes) is out of order", (int)s, (int)segments->layout.length,
                     (int)segments->layout.inner, (int)bytes);
    }
}

TEST(columns_of_every_type_are_reduced_in_order) {
    uint64_t seed = 7;
    for (int t = 0; t < 4; t++)
        for (int draws = 0; draws < (tests_are_whole() ? 30 : 5); draws++) {
            const segment_case segments = draw(20000, &seed);
            judge_order(state, 4 << t, &JR_INIT(jr_spec, .unroll = 5), &segments, &seed);
        }
}

/* From some parts to about 1000, more columns and fewer than warps have: lanes are combined by shuffles up to 16 bytes
 * an accumulator, and in shared memory above. */
TEST(many_parts_of_few_columns_are_joined) {
    static const int grids[] = {4, 33, 64, 264}, blocks[] = {32, 256, 416, 128};
    static const uint64_t columns[] = {2, 3, 8, 17, 31, 33, 100};
    uint64_t seed = 9;
    for (int g = 0; g < 4; g++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .grid = grids[g], .unroll = 1);
            if (!tests_take(g + (int)c, 4)) continue;
            spec.block = blocks[(g + (int)c) % 4];
            const segment_case segments = segments_strided(1, 10000 + 7 * c, columns[c]);
            segments_judge(*state, &spec, &segments, &seed);
            if (tests_take(g + (int)c / 4, 2)) judge_order(state, 16, &spec, &segments, &seed);
            if (!tests_take(g + (int)c / 4 + 1, 2)) continue;
            spec.op = c % 2 == 0 ? JR_OP_ARGMAX : JR_OP_MEAN;
            segments_judge(*state, &spec, &segments, &seed);
        }
    const segment_case segments = segments_strided(1, 40000, 5);
    segments_judge_accumulators(*state, JR_F32, &segments, &seed); /* of 24 bytes, too */
}

/* Two arrays of other element sizes, at other alignments: each is read where it lies. */
DEVICE_TEST(arrays_of_two_types_lie_at_any_boundaries) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I16, .map = "x * y + i", .map_type = JR_I64,
                                 .input_count = 2, .more_types = {JR_I32});
    uint64_t seed = 8;
    for (int draws = 0; draws < (tests_are_whole() ? 40 : 12); draws++) {
        const segment_case segments = draw(8000, &seed);
        const uint64_t count = segments.elements, more = random_below(&seed, 4);
        jr_plan *plan = plan_held(device, WORK(&spec, .layout = &segments.layout));
        int16_t *x = test_zeros(count, sizeof *x), *d_x = device_new(device, (count + 17) * sizeof *x);
        int32_t *y = test_zeros(count, sizeof *y), *d_y = device_new(device, (count + 4) * sizeof *y);
        int64_t *got = test_zeros(segments.count, sizeof *got),
                *d_out = device_new(device, segments.count * sizeof *got);
        for (uint64_t e = 0; e < count; e++) {
            x[e] = (int16_t)random_bits(&seed);
            y[e] = (int32_t)random_below(&seed, 60000);
        }
        device_write(device, d_x + segments.input_shift, x, count * sizeof *x);
        device_write(device, d_y + more, y, count * sizeof *y);
        works(jr_work_plan_run(
            plan, DATA(.in = FROM(d_x + segments.input_shift, d_y + more), .segments = segments.count, .out = d_out),
            NULL, NULL));
        device_read(device, got, d_out, segments.count * sizeof *got);
        for (uint64_t s = 0; s < segments.count; s++) {
            int64_t wanted = 0;
            for (uint64_t k = 0; k < segments.layout.length; k++) {
                const uint64_t e = segments_element(&segments, s, k);
                wanted += x[e] * y[e] + (int64_t)k;
            }
            assert_int_equal(got[s], wanted);
        }
    }
}

/* Lines of a round are added in 32 bits: the ends of the ranges, alone and in turn, in the largest round. */
DEVICE_TEST(sums_of_narrow_integers_reach_their_ends) {
    static const jr_type types[] = {JR_I8, JR_U8, JR_I16, JR_U16};
    static const int64_t ends[][2] = {{INT8_MIN, INT8_MAX}, {0, UINT8_MAX}, {INT16_MIN, INT16_MAX}, {0, UINT16_MAX}};
    enum { LENGTH = 35, INNER = 100 };
    static const uint64_t shape[] = {LENGTH, INNER};
    for (int t = 0; t < 4; t++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = types[t], .unroll = 16);
        const size_t bytes = jr_type_size(types[t]);
        unsigned char data[LENGTH * INNER * 2];
        int64_t got[INNER], wanted[INNER] = {0};
        for (int e = 0; e < LENGTH * INNER; e++) {
            const int column = e % INNER, which = column % 3 == 2 ? e / INNER % 2 : column % 3;
            const uint16_t bits =
                (uint16_t)ends[t][which]; /* on a little-endian machine the first byte is the low one */
            memcpy(data + (size_t)e * bytes, &bits, bytes);
            wanted[column] += ends[t][which];
        }
        works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 2, 0)),
                               DATA(.in = FROM(data), .out = got)));
        assert_memory_equal(got, wanted, sizeof got);
    }
}

DEVICE_TEST(structs_of_any_size_are_read_one_by_one) {
    static const size_t sizes[] = {3, 4, 40, 8, 16, 12};
    static const uint64_t shape[] = {2, 57, 21};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        if (!tests_take((int)s, 2)) continue;
        char source[64];
        snprintf(source, sizeof source, "struct some { unsigned char first, rest[%zu]; };", sizes[s] - 1);
        const jr_structure structure = JR_INIT(jr_structure, "some", source, sizes[s], 1);
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &structure,
                                     .map = "x.first + i", .map_type = JR_I32);
        unsigned char *data = test_zeros(2 * 57 * 21, sizes[s]);
        int64_t got[42];
        for (size_t e = 0; e < 2 * 57 * 21; e++) data[e * sizes[s]] = (unsigned char)(e % 21 + e / (57 * 21));
        works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 3, 1)),
                               DATA(.in = FROM(data), .out = got)));
        for (int c = 0; c < 42; c++) assert_int_equal(got[c], 56 * 57 / 2 + 57 * (c % 21 + c / 21));
    }
}

RUN_TESTS(open_context, close_context)
