/* Short equal segments: those of 1, 2 and 4 whole packs, which lanes keep in registers, of every element size, in
 * counts around a warp's; orders, structs, several inputs and lists among them. */
#include "support/cases/segment_case.h"

#include <stdlib.h>
#include <string.h>

DEVICE_TEST(whole_packs_of_every_element_size_agree_with_the_reference) {
    static const jr_type types[] = {JR_I8, JR_U16, JR_F16, JR_BF16, JR_I32, JR_F32, JR_I64, JR_F64};
    uint64_t seed = 1;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t packs = 1; packs <= 4; packs *= 2)
            for (uint64_t shift = 0; shift < 2; shift++) {
                const jr_spec spec = JR_INIT(jr_spec, .op = packs == 2 ? JR_OP_MIN : JR_OP_SUM, .type = types[t]);
                segment_case segments = segments_equal(333, packs * 16 / jr_type_size(types[t]));
                segments.input_shift = shift;
                segments_judge(device, &spec, &segments, &seed);
            }
}

DEVICE_TEST(counts_that_fill_no_warp_agree_with_the_reference) {
    static const uint64_t counts[] = {1, 2, 3, 31, 32, 33, 63, 65, 127, 128, 129, 511, 513, 4099};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    uint64_t seed = 2;
    for (uint64_t length = 4; length <= 16; length *= 2)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const segment_case segments = segments_equal(counts[c], length);
            segments_judge(device, &spec, &segments, &seed);
        }
}

DEVICE_TEST(any_block_and_grid_give_the_same) {
    static const int blocks[] = {32, 96, 512, 544}, grids[] = {1, 3, 0, 40};
    uint64_t seed = 3;
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (uint64_t length = 4; length <= 16; length *= 2) {
            const jr_spec spec =
                JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_U32, .block = blocks[b], .grid = grids[b]);
            const segment_case segments = segments_equal(20000 / length, length);
            segments_judge(device, &spec, &segments, &seed);
        }
}

DEVICE_TEST(nothing_is_written_behind_the_last_result) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32);
    for (uint64_t count = 1; count < 200; count += 33)
        for (uint64_t length = 4; length <= 16; length *= 2) {
            const segment_case segments = segments_equal(count, length);
            int32_t *data = test_zeros(segments.elements, sizeof *data);
            for (uint64_t i = 0; i < segments.elements; i++) data[i] = (int32_t)i + 1;
            int32_t *got = (int32_t *)(void *)segments_run(device, &spec, &segments, data);
            for (uint64_t s = 0; s < count; s++) assert_int_equal(got[s], (s + 1) * length);
            assert_int_equal(got[count], 0);
        }
}

DEVICE_TEST(argmin_gives_the_first_index_within_the_segment) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32);
    uint64_t seed = 4;
    for (uint64_t length = 4; length <= 16; length *= 2) {
        const segment_case segments = segments_equal(777, length);
        segments_judge(device, &spec, &segments, &seed);
    }
}

TEST(an_operator_that_does_not_commute_gets_its_elements_in_order) {
    uint64_t seed = 5;
    for (uint64_t length = 2; length <= 8; length *= 2) {
        const segment_case segments = segments_equal(1001, length);
        segments_judge_order(*state, &segments, &seed);
    }
}

/* Structs of 16 bytes are a pack each, of 12 bytes four fill three vectors, of 4 bytes four fill one. */
DEVICE_TEST(structs_of_any_size_agree) {
    static const jr_structure structures[] = {{sizeof(jr_structure), "a16", "struct a16 { int v, r[3]; };", 16, 4},
                                              {sizeof(jr_structure), "a12", "struct a12 { int v, r[2]; };", 12, 4},
                                              {sizeof(jr_structure), "a4", "struct a4 { int v; };", 4, 4}};
    enum { COUNT = 300, MOST = 8 };
    int32_t data[COUNT * MOST * 4];
    int64_t got[COUNT];
    for (size_t t = 0; t < sizeof structures / sizeof *structures; t++)
        for (uint64_t length = 1; length <= MOST; length *= 2) {
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &structures[t],
                                         .map = "x.v", .map_type = JR_I32);
            const jr_segment_layout equal = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
            const jr_work_data segments = JR_INIT(jr_work_data, .segments = COUNT);
            const uint64_t words = structures[t].bytes / 4;
            for (uint64_t i = 0; i < COUNT * MOST * 4; i++) data[i] = -7;
            for (uint64_t i = 0; i < COUNT * length; i++) data[i * words] = (int32_t)(i * i % 1000);
            works(jr_work_run_host(device->context, WORK(&spec, .layout = &equal), DATA_OF(segments, FROM(data), got)));
            for (uint64_t s = 0; s < COUNT; s++) {
                int64_t wanted = 0;
                for (uint64_t i = s * length; i < (s + 1) * length; i++) wanted += (int64_t)(i * i % 1000);
                assert_int_equal(got[s], wanted);
            }
        }
}

/* The second array need not lie at a boundary where the first one does. */
DEVICE_TEST(two_inputs_are_read_side_by_side) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * y + i", .input_count = 2);
    enum { ELEMENTS = 4096, SHIFT = 1 };
    int32_t host[ELEMENTS + SHIFT];
    int64_t got[ELEMENTS / 4];
    for (int i = 0; i < ELEMENTS + SHIFT; i++) host[i] = i % 100 - 50;
    int32_t *d_x = device_new(device, sizeof host), *d_y = device_new(device, sizeof host);
    int64_t *d_out = device_new(device, sizeof got);
    device_write(device, d_x, host, sizeof host);
    device_write(device, d_y, host, sizeof host);
    for (uint64_t length = 4; length <= 8; length *= 2)
        for (uint64_t shift = 0; shift <= SHIFT; shift++) {
            const jr_segment_layout equal = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
            const jr_work_data segments = JR_INIT(jr_work_data, .segments = ELEMENTS / length);
            jr_plan *plan = plan_held(device, WORK(&spec, .layout = &equal));
            works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_x, d_y + shift), d_out), NULL, NULL));
            device_read(device, got, d_out, segments.segments * sizeof *got);
            for (uint64_t s = 0; s < segments.segments; s++) {
                int64_t wanted = 0;
                for (uint64_t k = 0; k < length; k++)
                    wanted += (int64_t)host[s * length + k] * host[s * length + k + shift] + (int64_t)k;
                assert_int_equal(got[s], wanted);
            }
        }
}

/* Elements are their index in the segment, plus the segment's number. */
DEVICE_TEST(lists_and_expressions_see_their_own_segment) {
    static const jr_op ops[] = {JR_OP_MEAN, JR_OP_ARGMAX, JR_OP_VAR};
    const jr_spec spec =
        JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_I32, .where = "i % 2 == 1", .map = "x + i");
    enum { RESULT_BYTES = 48 };
    for (uint64_t length = 4; length <= 16; length *= 2) {
        const segment_case segments = segments_equal(137, length);
        int32_t *data = test_zeros(segments.elements, sizeof *data);
        for (uint64_t i = 0; i < segments.elements; i++) data[i] = (int32_t)(i % length + i / length);
        unsigned char *got = segments_run(device, &spec, &segments, data);
        for (uint64_t s = 0; s < segments.count; s++) {
            int64_t where;
            double mean; /* of 2 i + s over the odd i, whose mean is their count */
            memcpy(&mean, got + s * RESULT_BYTES, sizeof mean);
            assert_true(mean == (double)(length + s));
            memcpy(&where, got + s * RESULT_BYTES + 16, sizeof where);
            assert_int_equal(where, length - 1);
        }
    }
}

RUN_TESTS(open_context, close_context)
