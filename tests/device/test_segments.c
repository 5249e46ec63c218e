/* Segments: of equal and of any lengths, against the CPU reference; empty ones, a giant one, orders and refusals. */
#include "support/cases/segment_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_COUNT = 20000 };

DEVICE_TEST(wrong_arguments_are_named_and_change_nothing) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_spec named = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = JR_ALGORITHM_TWO_PASS);
    const jr_segment_layout none = JR_INIT(jr_segment_layout, .kind = (jr_segment_kind)0),
                            rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4);
    const jr_segment_layout flat = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = 4);
    const jr_segment_layout columns = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = 4, .inner = 3);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_work_data four = JR_INIT(jr_work_data, .segments = 4);
    jr_plan *plan = NULL;
    int32_t *d_in = device_new(device, 64);
    int64_t *d_out = device_new(device, 64);
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &none), &plan), JR_ERROR_INVALID_ARGUMENT,
          "layout kind 0");
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &flat), &plan), JR_ERROR_INVALID_ARGUMENT,
          "inner of 0");
    fails(jr_work_plan_create(device->context, WORK(&named, .layout = &rows), &plan), JR_ERROR_NOT_APPLICABLE,
          "spec.algorithm (2)");
    assert_null(plan);
    works(jr_work_plan_create(device->context, WORK(&spec, .layout = &columns), &plan));
    fails(jr_work_plan_run(plan, DATA_OF(four, FROM(d_in), d_out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "multiple");
    jr_plan_destroy(plan);
    works(jr_work_plan_create(device->context, WORK(&spec, .layout = &ragged), &plan));
    fails(jr_work_plan_run(plan, DATA_OF(four, FROM(d_in), d_out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "needs one per segment, and one more");
    jr_plan_destroy(plan);
    works(jr_work_plan_create(device->context, WORK(&spec, .layout = &rows), &plan));
    const jr_work_data given = JR_INIT(jr_work_data, .segments = 4, .offsets = (const uint64_t *)d_out),
                       many = JR_INIT(jr_work_data, .segments = UINT64_MAX / 16);
    fails(jr_work_plan_run(plan, DATA_OF(given, FROM(d_in), d_out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "leave offsets NULL");
    fails(jr_work_plan_run(plan, DATA_OF(many, FROM(d_in), d_out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "address space");
    fails(jr_work_plan_run(plan, DATA_OF(four, FROM(NULL), d_out), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "d_in is NULL, but the count");
    fails(jr_work_plan_run(plan, DATA_OF(four, FROM(d_in), NULL), NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "output");
    jr_plan_destroy(plan);
}

DEVICE_TEST(host_offsets_are_looked_at_before_anything_runs) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  min = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32);
    const jr_value seven = {JR_I32, {.i32 = 7}};
    const jr_spec from_seven = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .initial = &seven);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS),
                            empty = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL);
    const uint64_t descending[] = {0, 2, 1}, gap[] = {1, 3, 3, 4};
    const jr_work_data wrong = JR_INIT(jr_work_data, .segments = 2, .offsets = descending),
                       three = JR_INIT(jr_work_data, .segments = 3, .offsets = gap),
                       two = JR_INIT(jr_work_data, .segments = 2);
    const int32_t host[] = {5, -1, 9, 4};
    const void *data[] = {host};
    int64_t sums[3] = {-1, -1, -1};
    int32_t least[3] = {0};
    fails(jr_work_run_host(device->context, WORK(&sum, .layout = &ragged), DATA_OF(wrong, data, sums)),
          JR_ERROR_INVALID_ARGUMENT, "offset 1 is 2, the next one 1");
    fails(jr_work_run_host(device->context, WORK(&min, .layout = &ragged), DATA_OF(three, data, least)),
          JR_ERROR_EMPTY_INPUT, "min");
    fails(jr_work_run_host(device->context, WORK(&min, .layout = &empty), DATA_OF(two, data, least)),
          JR_ERROR_EMPTY_INPUT, "min");
    assert_int_equal(sums[0], -1);
    works(jr_work_run_host(device->context, WORK(&sum, .layout = &ragged), DATA_OF(three, data, sums)));
    assert_true(sums[0] == 8 && sums[1] == 0 && sums[2] == 4);
    works(jr_work_run_host(device->context, WORK(&from_seven, .layout = &ragged), DATA_OF(three, data, least)));
    assert_true(least[0] == -1 && least[1] == 7 && least[2] == 4);
    works(jr_work_run_host(device->context, WORK(&sum, .layout = &empty), DATA_OF(two, data, sums)));
    assert_true(sums[0] == 0 && sums[1] == 0 && sums[2] == 4);
}

DEVICE_TEST(equal_segments_agree_with_the_reference) {
    static const uint64_t lengths[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 255, 256, 257, 511, 513, 4097};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        segment_case segments = segments_equal(SHARED_COUNT / lengths[i] + 1, lengths[i]);
        segments.input_shift = i % 4;
        segments_judge(device, &spec, &segments, &seed);
    }
}

DEVICE_TEST(segments_of_any_lengths_agree_with_the_reference) {
    static const uint64_t most[] = {1, 3, 16, 60, 200, 700, 3000, 20000};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32);
    uint64_t seed = 2;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        segment_case segments = segments_random(SHARED_COUNT / most[i] + 3, most[i], &seed);
        segments.input_shift = i % 4;
        segments_judge(device, &spec, &segments, &seed);
    }
}

DEVICE_TEST(every_element_size_and_alignment_is_taken) {
    static const jr_type types[] = {JR_I8, JR_U16, JR_F16, JR_F32, JR_F64, JR_I64};
    uint64_t seed = 3;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = types[t] == JR_F16 ? JR_OP_MAX : JR_OP_SUM, .type = types[t]);
        for (uint64_t shift = 0; shift < 3; shift++) {
            segment_case equal = segments_equal(301, 5 + 20 * shift), random = segments_random(200, 90, &seed);
            equal.input_shift = random.input_shift = 1 + 2 * shift;
            segments_judge(device, &spec, &equal, &seed);
            segments_judge(device, &spec, &random, &seed);
        }
    }
}

DEVICE_TEST(one_segment_may_hold_nearly_everything) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32);
    uint64_t seed = 4;
    for (uint64_t giant = 0; giant < 3000; giant += 1499) {
        segment_case segments = segments_random(3000, 12, &seed);
        segments_stretch(&segments, giant, 1 << 17);
        segments_judge(device, &spec, &segments, &seed);
    }
    segment_case alone = segments_equal(1, 200003);
    segments_judge(device, &spec, &alone, &seed);
}

DEVICE_TEST(thousands_of_empty_segments_are_written) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_PROD, .type = JR_I32);
    uint64_t seed = 5;
    segment_case segments = segments_random(SHARED_COUNT, 0, &seed);
    segments_stretch(&segments, 7000, 900);
    segments_stretch(&segments, 7001, 1);
    segments_judge(device, &spec, &segments, &seed);
}

DEVICE_TEST(an_empty_segment_of_min_is_its_identity_on_the_device) {
    const jr_spec min = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32),
                  index = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I16);
    const float data[] = {2, 1};
    const int16_t shorts[] = {4, 6};
    uint64_t offsets[] = {0, 0, 2, 2};
    const segment_case segments = {.layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_OFFSETS},
                                   .count = 3,
                                   .offsets = offsets,
                                   .elements = 2};
    float *least = (float *)(void *)segments_run(device, &min, &segments, data);
    int64_t *where = (int64_t *)(void *)segments_run(device, &index, &segments, shorts);
    assert_true(isinf(least[0]) && least[1] == 1 && least[2] > 0 && isinf(least[2]));
    assert_true(where[0] == -1 && where[1] == 1 && where[2] == -1);
}

/* Ties go to the first element of the segment; so does the first NaN, as NumPy has it. */
DEVICE_TEST(argmin_gives_the_first_index_within_the_segment) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32);
    uint64_t seed = 6;
    segment_case ragged = segments_random(400, 300, &seed);
    const segment_case cases[] = {ragged, segments_equal(2000, 13), segments_equal(90, 700), segments_equal(70, 45),
                                  segments_strided(3, 90, 70)};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const segment_case *segments = &cases[c];
        float *data = test_zeros(segments->elements, sizeof *data);
        for (uint64_t i = 0; i < segments->elements; i++)
            data[i] = random_below(&seed, 100) == 0 ? NAN : (float)random_below(&seed, 6);
        int64_t *got = (int64_t *)(void *)segments_run(device, &spec, segments, data);
        for (uint64_t s = 0; s < segments->count; s++) {
            int64_t wanted = -1;
            float best = 0;
            for (uint64_t k = 0; k < segments_length(segments, s); k++) {
                const float x = data[segments_element(segments, s, k)];
                if (wanted >= 0 && (isnan(best) || !(isnan(x) || x < best))) continue;
                wanted = (int64_t)k;
                best = x;
            }
            if (got[s] != wanted) fail_msg("case %zu, segment %d: %d, not %d", c, (int)s, (int)got[s], (int)wanted);
        }
    }
}

TEST(an_operator_that_does_not_commute_gets_its_elements_in_order) {
    uint64_t seed = 7;
    segment_case ragged = segments_random(300, 200, &seed);
    segments_stretch(&ragged, 100, 40000);
    const segment_case cases[] = {ragged,
                                  segments_equal(3000, 7),
                                  segments_equal(7, 3001),
                                  segments_equal(60, 50),
                                  segments_equal(9, 900),
                                  segments_strided(2, 700, 5),
                                  segments_strided(1, 900, 300)};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) segments_judge_order(*state, &cases[c], &seed);
}

DEVICE_TEST(any_block_unroll_and_grid_give_the_same) {
    static const int blocks[] = {32, 96, 512}, unrolls[] = {1, 3, 8}, grids[] = {1, 3, 40};
    uint64_t seed = 9;
    segment_case ragged = segments_random(900, 100, &seed);
    segments_stretch(&ragged, 500, 30000);
    const segment_case cases[] = {ragged, segments_equal(2000, 6), segments_equal(40, 1500),
                                  segments_strided(2, 999, 7)};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_U32, .block = blocks[i],
                                         .unroll = unrolls[i], .grid = grids[i]);
            segments_judge(device, &spec, &cases[c], &seed);
        }
}

/* Float sums round: only a fixed order gives the same bits twice. */
DEVICE_TEST(two_runs_give_the_same_bits) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    uint64_t seed = 8;
    segment_case segments = segments_random(500, 400, &seed);
    segments_stretch(&segments, 250, 60000);
    float *data = test_zeros(segments.elements, sizeof *data);
    for (uint64_t i = 0; i < segments.elements; i++) data[i] = (float)random_below(&seed, 1 << 24) / 77.0f;
    unsigned char *first = segments_run(device, &spec, &segments, data);
    unsigned char *second = segments_run(device, &spec, &segments, data);
    assert_memory_equal(first, second, segments.count * sizeof(float));
    double sum = 0;
    for (uint64_t i = segments.offsets[250]; i < segments.offsets[251]; i++) sum += (double)data[i];
    assert_true(fabs((double)((float *)(void *)first)[250] - sum) < sum * 1e-5);
}

RUN_TESTS(open_context, close_context)
