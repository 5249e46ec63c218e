/* Equal segments that a warp each folds, or a block each where they are few: what is refused, lengths around the least
 * and the most, elements of every size at every boundary, counts around a block's, and what operators, inputs, blocks
 * and grids change. */
#include "support/cases/segment_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_LEAST = 1024, LENGTH_MAX = 8191 }; /* of elements of 4 bytes */

/* Segments of which a warp each has work for the whole device. */
static uint64_t many(const opened *device) {
    return 12 * (uint64_t)device->info.multiprocessor_count;
}

DEVICE_TEST(a_run_of_one_result_and_wrong_addresses_are_refused) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const segment_case of = segments_equal(3, 2000);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = of.count);
    unsigned char *d_in = device_new(device, of.elements * 4 + 4);
    int64_t *d_out = device_new(device, sizeof *d_out * of.count);
    const int64_t before[3] = {5, 6, 7};
    int64_t after[3];
    device_write(device, d_out, before, sizeof before);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &of.layout));
    fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in + 2), d_out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "not aligned");
    fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(NULL), d_out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "d_in is NULL, but the count");
    fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), NULL), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "output address");
    device_read(device, after, d_out, sizeof after);
    assert_memory_equal(after, before, sizeof before);
}

/* A warp or a block each leaves nothing in a workspace; other algorithms do. */
DEVICE_TEST(a_workspace_is_needed_only_beside_its_lengths_and_operators) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32),
                  bytes = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8),
                  ordered = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a", .identity = "0");
    const struct {
        const jr_spec *spec;
        uint64_t length;
        bool workspace;
    } cases[] = {{&sum, LENGTH_LEAST, false},    {&sum, LENGTH_MAX, false}, {&sum, LENGTH_MAX + 1, true},
                 {&ordered, LENGTH_LEAST, true}, {&bytes, 2047, true},      {&bytes, 2048, false},
                 {&bytes, 32767, false},         {&bytes, 32768, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const segment_case of = segments_equal(1, cases[c].length);
        jr_plan *plan = plan_held(device, WORK(cases[c].spec, .layout = &of.layout));
        if ((jr_plan_workspace_bytes(plan) > 0) != cases[c].workspace)
            fail_msg("case %zu: a workspace of %zu bytes", c, jr_plan_workspace_bytes(plan));
    }
}

DEVICE_TEST(lengths_from_the_least_to_the_most_agree_with_the_reference) {
    static const uint64_t lengths[] = {LENGTH_LEAST, 1025, 2047, 4095, 4096, 4097, LENGTH_MAX};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (uint64_t shift = 0; shift < 4; shift++) {
            segment_case few = segments_equal(3 + shift, lengths[i]);
            few.input_shift = shift;
            segments_judge(device, &spec, &few, &seed);
            segment_case more = segments_equal(many(device), lengths[i]);
            more.input_shift = shift;
            if (shift % 2 == i % 2) segments_judge(device, &spec, &more, &seed);
        }
}

DEVICE_TEST(elements_of_every_size_lie_at_any_boundary) {
    static const jr_type types[] = {JR_I8, JR_U8, JR_U16, JR_F16, JR_BF16, JR_U32, JR_F32, JR_I64, JR_F64};
    uint64_t seed = 2;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t shift = 0; shift < 16; shift += 5) {
            const jr_spec spec = JR_INIT(jr_spec, .op = t % 2 == 0 ? JR_OP_MAX : JR_OP_SUM, .type = types[t]);
            const uint64_t least = 2048 / jr_type_size(types[t]);
            segment_case segments = segments_equal(many(device), (least < 1024 ? 1024 : least) + shift);
            segments.input_shift = shift;
            segments_judge(device, &spec, &segments, &seed);
        }
}

DEVICE_TEST(counts_that_fill_no_block_write_nothing_behind_the_last_result) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32);
    for (uint64_t more = 0; more < 9; more++) {
        const segment_case segments = segments_equal(many(device) - 1 + more, LENGTH_LEAST + more);
        int32_t *data = test_zeros(segments.elements, sizeof *data);
        for (uint64_t i = 0; i < segments.elements; i++) data[i] = (int32_t)i + 1;
        int32_t *got = (int32_t *)(void *)segments_run(device, &spec, &segments, data);
        for (uint64_t s = 0; s < segments.count; s++) assert_int_equal(got[s], (s + 1) * segments.layout.length);
        assert_int_equal(got[segments.count], 0);
    }
}

DEVICE_TEST(any_block_unroll_and_grid_give_the_same) {
    static const int blocks[] = {32, 96, 512, 544}, unrolls[] = {1, 6, 16, 8}, grids[] = {1, 3, 40, 0};
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_U32, .block = blocks[i], .unroll = unrolls[i],
                                     .grid = grids[i]);
        segment_case few = segments_equal(5, 5003), more = segments_equal(many(device) + 5, 1027);
        few.input_shift = i;
        segments_judge(device, &spec, &few, &seed);
        segments_judge(device, &spec, &more, &seed);
    }
}

/* Ties go to the first element of the segment; so does the first NaN. */
DEVICE_TEST(argmin_gives_the_first_index_within_the_segment) {
    const jr_spec index = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32);
    const segment_case segments = segments_equal(many(device), 1030);
    const uint64_t length = segments.layout.length;
    float *data = test_zeros(segments.elements, sizeof *data);
    for (uint64_t i = 0; i < segments.elements; i++) {
        const uint64_t s = i / length, k = i % length, first = s * 37 % length;
        data[i] = k == first || k == length - 1 ? (s % 2 == 0 ? NAN : -1) : (float)(k % 7);
    }
    int64_t *where = (int64_t *)(void *)segments_run(device, &index, &segments, data);
    float *value = (float *)(void *)segments_run(device, &least, &segments, data);
    for (uint64_t s = 0; s < segments.count; s++) {
        assert_int_equal(where[s], s * 37 % length);
        assert_true(s % 2 == 0 ? isnan(value[s]) : value[s] == -1);
    }
}

TEST(an_operator_that_does_not_commute_gets_its_elements_in_order) {
    const segment_case segments = segments_equal(many(*state), LENGTH_LEAST);
    uint64_t seed = 4;
    segments_judge_order(*state, &segments, &seed);
}

/* The second array need not lie at a boundary where the first one does. */
DEVICE_TEST(two_inputs_are_read_side_by_side) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * y + i", .input_count = 2);
    const segment_case of = segments_equal(9, 1500);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = of.count);
    enum { ELEMENTS = 9 * 1500, SHIFT = 1 };
    static int32_t host[ELEMENTS + SHIFT];
    int64_t got[9];
    for (int i = 0; i < ELEMENTS + SHIFT; i++) host[i] = i % 100 - 50;
    int32_t *d_in = device_new(device, sizeof host);
    int64_t *d_out = device_new(device, sizeof got);
    device_write(device, d_in, host, sizeof host);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &of.layout));
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in, d_in + SHIFT), d_out), NULL, NULL));
    device_read(device, got, d_out, sizeof got);
    for (uint64_t s = 0; s < of.count; s++) {
        int64_t wanted = 0;
        for (uint64_t k = 0; k < 1500; k++)
            wanted += (int64_t)host[s * 1500 + k] * host[s * 1500 + k + SHIFT] + (int64_t)k;
        assert_int_equal(got[s], wanted);
    }
}

TEST(accumulators_of_every_size_agree_with_the_reference) {
    const segment_case few = segments_equal(3, LENGTH_MAX), more = segments_equal(many(*state), 1500);
    uint64_t seed = 5;
    segments_judge_accumulators(*state, JR_F32, &few, &seed);
    segments_judge_accumulators(*state, JR_F32, &more, &seed);
}

/* The longest chains: where a lane has most to round. */
DEVICE_TEST(the_longest_segments_round_no_more_than_allowed) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_VAR};
    uint64_t seed = 6;
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = JR_F32);
        const segment_case segments = segments_equal(many(device), LENGTH_MAX);
        segments_judge(device, &spec, &segments, &seed);
    }
}

RUN_TESTS(open_context, close_context)
