/* Reductions of runs of equal keys in device memory: lengths, types of keys and elements, operators, orders, lists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/run_case.h"

enum { ELEMENTS = 40000 };

/* On a device without bulk copies the ring is refused. */
static void no_ring(const opened *device) {
    const jr_spec ring = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_BULK_COPY);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&ring, .layout = &layout), &plan), JR_ERROR_NOT_APPLICABLE,
          "bulk_copy");
}

/* Runs that hold about ELEMENTS, of a key type. */
static segment_case runs_of(jr_type key_type, uint64_t most, uint64_t *seed) {
    return segments_runs(key_type, 2 * ELEMENTS / (most + 1), most, seed);
}

DEVICE_TEST(runs_of_every_length_agree_with_the_reference) {
    static const uint64_t most[] = {1, 2, 4, 16, 64, 700, 4096};
    const jr_spec plain = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32),
                  narrow = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .unroll = 1, .block = 64, .grid = 3),
                  ring = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_BULK_COPY);
    uint64_t seed = 1;
    for (unsigned turn = 0; turn < 2 * sizeof most / sizeof *most; turn++) {
        segment_case runs = runs_of(JR_I32, most[turn / 2], &seed);
        runs.input_shift = turn % 4;
        runs.key_shift = turn / 4 % 4;
        segments_judge(device, turn % 2 ? &narrow : &plain, &runs, &seed);
        if (device->info.capability_major >= 9) segments_judge(device, &ring, &runs, &seed);
    }
}

DEVICE_TEST(one_run_may_hold_nearly_everything) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .unroll = 1);
    uint64_t seed = 2;
    for (uint64_t count = 1; count < 4; count++) {
        segment_case runs = segments_runs(JR_U32, count, ELEMENTS, &seed);
        segments_judge(device, &spec, &runs, &seed);
    }
}

DEVICE_TEST(keys_of_every_type_are_compared_as_numbers) {
    static const jr_type types[] = {JR_I8,  JR_U8,   JR_I16, JR_U16, JR_I32,  JR_U32,  JR_I64, JR_U64,
                                    JR_F16, JR_BF16, JR_F32, JR_F64, JR_BOOL, JR_E4M3, JR_E5M2};
    uint64_t seed = 3;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        if (!tests_take((int)types[t] + 1, 2)) continue; /* of a sample tests/judge/runs.py has the others */
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = t % 2 ? JR_U8 : JR_I32, .unroll = 1 + (int)t % 2);
        segment_case runs = segments_runs(types[t], 3000, 5, &seed);
        runs.input_shift = t % 3;
        runs.key_shift = t % 5;
        segments_judge(device, &spec, &runs, &seed);
    }
}

DEVICE_TEST(elements_and_accumulators_of_every_size_are_taken) {
    static const jr_type types[] = {JR_I8, JR_U16, JR_F16, JR_BF16, JR_BOOL, JR_F64, JR_I64};
    uint64_t seed = 4;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        if (!tests_take((int)t, 2)) continue; /* of a sample the ring has the others, below */
        const jr_spec spec =
            JR_INIT(jr_spec, .op = t % 2 ? JR_OP_SUM : JR_OP_MAX, .type = types[t], .unroll = 2 - (int)t % 2);
        segment_case runs = segments_runs(JR_I64, 1500, 9, &seed);
        runs.input_shift = t;
        segments_judge(device, &spec, &runs, &seed);
    }
    segment_case runs = segments_runs(JR_U8, 900, 40, &seed);
    segments_judge_accumulators(device, JR_F32, &runs, &seed);
    segments_judge_order(device, &runs, &seed);
}

/* What is chosen of many elements, here by small tiles: results are to be as wide as elements. */
DEVICE_TEST(the_ring_takes_keys_and_elements_of_every_size) {
    static const jr_type key_types[] = {JR_U8, JR_I16, JR_BF16, JR_F32, JR_I64, JR_F64},
                         types[] = {JR_I8, JR_F16, JR_U16, JR_BOOL, JR_I32, JR_F64, JR_I64};
    enum { KEY_TYPES = sizeof key_types / sizeof *key_types, TYPES = sizeof types / sizeof *types }; /* 6 and 7 */
    uint64_t seed = 8;
    if (device->info.capability_major < 9) {
        no_ring(device);
        return;
    }
    for (unsigned turn = 0; turn < (tests_are_whole() ? 2 : 1) * TYPES; turn++) {
        if (!tests_take((int)turn, 2)) continue;
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_MAX, .type = types[turn % TYPES], .algorithm = JR_ALGORITHM_BULK_COPY,
                    .block = 128 + 32 * (int)(turn / 2 % 3), .unroll = 1 + (int)turn % 3, .grid = (int)turn % 4);
        segment_case runs = segments_runs(key_types[turn % KEY_TYPES], 800, turn % 5 ? 6 : 60, &seed);
        runs.input_shift = turn % 5;
        runs.key_shift = turn % 3;
        segments_judge(device, &spec, &runs, &seed);
    }
}

DEVICE_TEST(arrays_of_less_than_a_pack_are_runs) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I16);
    uint64_t seed = 5;
    for (uint64_t count = 1; count < 12; count++) {
        segment_case runs = segments_runs(JR_I16, count, 3, &seed);
        runs.input_shift = count % 8;
        segments_judge(device, &spec, &runs, &seed);
    }
}

DEVICE_TEST(no_elements_are_no_runs) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    uint64_t seven = 7, *d_count = device_new(device, sizeof *d_count);
    const jr_work_data told = JR_INIT(jr_work_data, .run_count = d_count), silent = JR_INIT(jr_work_data);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
    device_write(device, d_count, &seven, sizeof seven);
    works(jr_work_plan_run(plan, DATA_OF(silent, FROM(NULL), NULL), NULL, NULL));
    works(jr_work_plan_run(plan, DATA_OF(told, FROM(NULL), NULL), NULL, NULL));
    device_read(device, &seven, d_count, sizeof seven);
    assert_int_equal(seven, 0);
}

/* Indices are those of the whole input; n, which the finish sees, counts the run's elements. */
DEVICE_TEST(places_are_those_of_the_whole_and_counts_those_of_the_run) {
    const jr_value ten = {JR_F64, {.f64 = 10}};
    const jr_spec first = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F64),
                  means = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .map = "x + i", .finish = "a * 1000 + n",
                                  .initial = &ten, .unroll = 1, .block = 32);
    uint64_t seed = 6;
    segment_case runs = segments_runs(JR_F32, 2000, 30, &seed);
    double *data = test_zeros(runs.elements, sizeof *data);
    for (uint64_t i = 0; i < runs.elements; i++) data[i] = (double)random_below(&seed, 6);
    int64_t *places = (int64_t *)(void *)segments_run(device, &first, &runs, data);
    double *sums = (double *)(void *)segments_run(device, &means, &runs, data);
    for (uint64_t s = 0; s < runs.count; s++) {
        uint64_t least = runs.offsets[s];
        double sum = 10;
        for (uint64_t i = runs.offsets[s]; i < runs.offsets[s + 1]; i++) {
            least = data[i] < data[least] ? i : least;
            sum += data[i] + (double)i;
        }
        assert_int_equal(places[s], least);
        assert_true(sums[s] == sum * 1000 + (double)segments_length(&runs, s));
    }
}

/* Results of a list are 16 bytes apart; the number of elements of the run that `where` kept follows them. */
DEVICE_TEST(lists_of_operators_and_counts_of_kept_elements_are_written) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX, JR_OP_MEAN};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_I32, .where = "x % 3 != 0", .kept = 1);
    uint64_t seed = 7;
    segment_case runs = segments_runs(JR_U16, 3000, 7, &seed);
    int32_t *data = test_zeros(runs.elements, sizeof *data);
    for (uint64_t i = 0; i < runs.elements; i++) data[i] = (int32_t)random_below(&seed, 100) - 50;
    unsigned char *got = segments_run(device, &spec, &runs, data);
    for (uint64_t s = 0; s < runs.count; s++) {
        struct {
            int64_t sum, gap;
            int32_t max, gaps[3];
            double mean, more;
            uint64_t kept, last;
        } result;
        int64_t sum = 0, max = INT32_MIN, kept = 0;
        for (uint64_t i = runs.offsets[s]; i < runs.offsets[s + 1]; i++) {
            if (data[i] % 3 == 0) continue;
            kept++, sum += data[i];
            max = data[i] > max ? data[i] : max;
        }
        memcpy(&result, got + s * sizeof result, sizeof result);
        assert_true(result.sum == sum && result.max == max && result.kept == (uint64_t)kept);
        assert_true(kept == 0 || fabs(result.mean - (double)sum / (double)kept) < 1e-12);
    }
}

RUN_TESTS(open_context, close_context)
