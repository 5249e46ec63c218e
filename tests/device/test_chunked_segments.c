/* Segments of host data that goes through a few buffers of the device in turn: whole segments, and pieces of those that
 * are larger than a part. */
#include "spec/operator.h"
#include "support/cases/segment_case.h"
#include "support/fakes/allocations.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/affine.h"
#include "support/oracle/reduce_data.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MUCH = 1 << 20, COUNT = 1000003, LITTLE_BYTES = 1 << 18, MIXED = 3000 };
static uint64_t parts_of_last_call(const opened *device) {
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_context_stats(device->context, &stats));
    return stats.parts;
}

/* Short segments, empty ones, and three that go in several pieces; together COUNT elements at most. */
static segment_case mixed(uint64_t *seed) {
    segment_case made = segments_random(MIXED, 60, seed);
    segments_stretch(&made, 0, 200000);
    segments_stretch(&made, MIXED / 2, 300001);
    segments_stretch(&made, MIXED - 1, 400003 - made.elements % 1000);
    return made;
}

static jr_status reduce(const opened *device, const jr_spec *spec, const segment_case *segments,
                        const void *const *data, void *results) {
    const jr_work_data run = JR_INIT(jr_work_data, .segments = segments->count, .offsets = segments->offsets);
    return jr_work_run_host(device->context, WORK(spec, .layout = &segments->layout), DATA_OF(run, data, results));
}

/* The same bytes with and without a bound of device memory, and more parts with it. */
static void chunked_agrees(const opened *device, const jr_spec *spec, const segment_case *segments,
                           const void *const *data) {
    jr_result_layout layout = JR_INIT(jr_result_layout);
    jr_spec bounded = *spec;
    bounded.device_bytes = LITTLE_BYTES;
    works(jr_result_layout_of(spec, &layout));
    unsigned char *whole = test_zeros(segments->count, layout.bytes),
                  *parts = test_zeros(segments->count, layout.bytes);
    works(reduce(device, spec, segments, data, whole));
    assert_int_equal(parts_of_last_call(device), 0);
    works(reduce(device, &bounded, segments, data, parts));
    assert_true(parts_of_last_call(device) > 1);
    for (uint64_t s = 0; s < segments->count; s++)
        if (memcmp(whole + s * layout.bytes, parts + s * layout.bytes, layout.bytes) != 0)
            fail_msg("%s: segment %d of %d elements has another result in parts", jr_op_name(spec->op), (int)s,
                     (int)segments_length(segments, s));
}
static const uint64_t lengths[] = {1, 3, 16, 100, 1000, 4096, 33333, 80000, 250000, COUNT - 3};
enum { LENGTHS = sizeof lengths / sizeof *lengths };
/* Data without rounding: the order of evaluation says nothing. Operators that round in any case are below. */
TEST(every_operator_agrees) {
    uint64_t seed = 41;
    float *data = test_zeros(COUNT, sizeof *data);
    int8_t *bytes = test_zeros(COUNT, sizeof *bytes);
    segment_case ragged = mixed(&seed);
    assert_true(data != NULL && bytes != NULL && ragged.elements <= COUNT);
    for (jr_op op = JR_OP_SUM; jr_operator_find(op) != NULL; op++) {
        const bool bits = (jr_op_flags(op) & JR_OP_FLAG_FLOATS) == 0;
        const jr_accumulates into = jr_operator_find(op)->accumulates;
        const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = bits ? JR_I8 : JR_F32);
        const void *arrays[] = {bits ? (void *)bytes : data, data};
        if (!tests_take((int)op, 3)) continue;
        if (op == JR_OP_CUSTOM || into == JR_ACCUMULATES_MOMENTS || into == JR_ACCUMULATES_EXPONENTIAL) continue;
        reduce_data_fill(op, JR_F32, true, data, COUNT, &seed);
        reduce_data_fill(op, JR_I8, true, bytes, COUNT, &seed);
        const uint64_t length = lengths[(unsigned)op % LENGTHS];
        const segment_case equal = segments_equal(COUNT / length, length);
        const bool no_empty = (jr_op_flags(op) & JR_OP_FLAG_NO_EMPTY) != 0; /* else a sample has either */
        if (no_empty || tests_take((int)op / 2, 2)) chunked_agrees(*state, &spec, &equal, arrays);
        if (!no_empty && tests_take((int)op / 2 + 1, 2)) chunked_agrees(*state, &spec, &ragged, arrays);
    }
}
TEST(segments_of_every_length_agree) {
    uint64_t seed = 42;
    int32_t *data = test_zeros(COUNT, sizeof *data);
    const void *arrays[] = {data};
    for (int i = 0; i < COUNT; i++) data[i] = (int32_t)random_bits(&seed);
    for (int l = 0; l < LENGTHS; l++) {
        const segment_case equal = segments_equal(COUNT / lengths[l], lengths[l]);
        const jr_spec spec = JR_INIT(jr_spec, .op = l % 2 == 0 ? JR_OP_SUM : JR_OP_ARGMAX, .type = JR_I32);
        chunked_agrees(*state, &spec, &equal, arrays);
    }
}

/* ---- against plain loops ---- */

DEVICE_TEST(sums_of_4_mb_are_those_of_a_loop) {
    enum { LENGTH = 1 << 19, SHORT = 64 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .device_bytes = LITTLE_BYTES);
    int32_t *data = test_zeros(MUCH, sizeof *data);
    int64_t *sums = test_zeros(MUCH / SHORT, sizeof *sums);
    const void *arrays[] = {data};
    uint64_t seed = 43;
    for (int i = 0; i < MUCH; i++) data[i] = (int32_t)random_bits(&seed);
    for (uint64_t length = SHORT; length <= LENGTH; length *= LENGTH / SHORT) {
        const segment_case equal = segments_equal(MUCH / length, length);
        works(reduce(device, &spec, &equal, arrays, sums));
        for (uint64_t s = 0; s < equal.count; s++) {
            int64_t sum = 0;
            for (uint64_t k = 0; k < length; k++) sum += data[s * length + k];
            assert_int_equal(sums[s], sum);
        }
    }
}

/* The first least kept element, and the values of i, within each segment. */
DEVICE_TEST(indexes_count_within_the_segment) {
    uint64_t seed = 44;
    segment_case ragged = mixed(&seed);
    for (uint64_t s = 0; s < ragged.count; s++) /* no empty ones */
        if (segments_length(&ragged, s) == 0) segments_stretch(&ragged, s, 1);
    int32_t *data = test_zeros(ragged.elements, sizeof *data);
    int64_t *least = test_zeros(ragged.count, sizeof *least), *places = test_zeros(ragged.count, sizeof *places);
    const void *arrays[] = {data};
    for (uint64_t i = 0; i < ragged.elements; i++) data[i] = (int32_t)random_below(&seed, 1u << 20);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32, .device_bytes = LITTLE_BYTES);
    works(reduce(device, &spec, &ragged, arrays, least));
    spec.op = JR_OP_SUM;
    spec.map = "i";
    spec.map_type = JR_I64;
    spec.where = "x % 3 == 0";
    works(reduce(device, &spec, &ragged, arrays, places));
    for (uint64_t s = 0; s < ragged.count; s++) {
        int64_t best = 0, sum = 0;
        const int32_t *of = data + ragged.offsets[s];
        for (int64_t k = 0; k < (int64_t)segments_length(&ragged, s); k++) {
            if (of[k] < of[best]) best = k;
            if (of[k] % 3 == 0) sum += k;
        }
        assert_int_equal(least[s], best);
        assert_int_equal(places[s], sum);
    }
}

/* mean, var and the count of what is kept are of the segment's own elements. */
DEVICE_TEST(lists_and_counts_are_of_the_segment) {
    static const jr_op list[] = {JR_OP_SUM, JR_OP_MEAN, JR_OP_VAR};
    const jr_value ten = {JR_I64, {.i64 = 10}};
    uint64_t seed = 45;
    segment_case ragged = mixed(&seed);
    int16_t *data = test_zeros(ragged.elements, sizeof *data);
    int8_t *beside = test_zeros(ragged.elements, sizeof *beside);
    const void *arrays[] = {data, beside};
    for (uint64_t i = 0; i < ragged.elements; i++) {
        data[i] = (int16_t)random_below(&seed, 200);
        beside[i] = (int8_t)random_below(&seed, 3);
    }
    jr_spec spec = JR_INIT(jr_spec, .ops = list, .op_count = 3, .type = JR_I16, .input_count = 2, .more_types = {JR_I8},
                           .where = "y > 0", .kept = 1, .device_bytes = LITTLE_BYTES);
    unsigned char *results = test_zeros(ragged.count, 64);
    works(reduce(device, &spec, &ragged, arrays, results));
    for (uint64_t s = 0; s < ragged.count; s++) {
        int64_t sum = 0, squares = 0, kept = 0, got[8];
        double found[8];
        for (uint64_t i = ragged.offsets[s]; i < ragged.offsets[s + 1]; i++)
            if (beside[i] > 0) sum += data[i], squares += data[i] * data[i], kept++;
        memcpy(got, results + s * 64, sizeof got);
        memcpy(found, results + s * 64, sizeof found);
        const double mean = (double)sum / (double)kept, var = (double)squares / (double)kept - mean * mean;
        assert_int_equal(got[0], sum);
        assert_int_equal(got[6], kept);
        assert_true(kept == 0 ? isnan(found[2]) : found[2] == mean);
        assert_true(kept == 0 ? isnan(found[4]) : fabs(found[4] - var) <= 1e-9 * (var + 1));
    }
    spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I16, .initial = &ten, .finish = "a * 1000 + n",
                   .device_bytes = LITTLE_BYTES);
    works(reduce(device, &spec, &ragged, arrays, results));
    for (uint64_t s = 0; s < ragged.count; s++) {
        int64_t sum = 10, got;
        for (uint64_t i = ragged.offsets[s]; i < ragged.offsets[s + 1]; i++) sum += data[i];
        memcpy(&got, results + s * sizeof got, sizeof got);
        assert_int_equal(got, sum * 1000 + (int64_t)segments_length(&ragged, s));
    }
}

DEVICE_TEST(operators_that_do_not_commute_keep_their_order) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_U64, .device_bytes = LITTLE_BYTES,
                                 .combine = AFFINE_COMBINE, .identity = AFFINE_IDENTITY);
    uint64_t seed = 46;
    segment_case ragged = mixed(&seed);
    uint64_t *data = test_zeros(ragged.elements, sizeof *data), *results = test_zeros(ragged.count, sizeof *results);
    const void *arrays[] = {data};
    for (uint64_t i = 0; i < ragged.elements; i++) data[i] = random_bits(&seed) | 1ull << 32;
    works(reduce(device, &spec, &ragged, arrays, results));
    for (uint64_t s = 0; s < ragged.count; s++) {
        uint64_t wanted = 1ull << 32;
        for (uint64_t i = ragged.offsets[s]; i < ragged.offsets[s + 1]; i++) wanted = affine_combine(wanted, data[i]);
        assert_int_equal(results[s], wanted);
    }
}

/* ---- what fails ---- */

DEVICE_TEST(a_segment_of_nothing_leaves_the_results_as_they_were) {
    uint64_t seed = 47;
    segment_case equal = segments_equal(COUNT / 1000, 1000), whole = segments_equal(2, COUNT / 2);
    float *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT / 1000, sizeof *results);
    const void *arrays[] = {data};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .where = "x > 0", .device_bytes = LITTLE_BYTES);
    for (int i = 0; i < COUNT; i++) data[i] = (float)random_below(&seed, 100) + 1;
    for (int i = 0; i < COUNT / 1000; i++) results[i] = -7;
    for (int i = 777000; i < 778000; i++) data[i] = -1;
    fails(reduce(device, &spec, &equal, arrays, results), JR_ERROR_EMPTY_INPUT, "max of no elements");
    for (int i = 0; i < COUNT / 1000; i++) assert_true(results[i] == -7);
    for (int i = COUNT / 2; i < COUNT; i++) data[i] = -1;
    fails(reduce(device, &spec, &whole, arrays, results), JR_ERROR_EMPTY_INPUT, "max of no elements");
    assert_true(results[0] == -7 && results[1] == -7);
}
DEVICE_TEST(a_bound_below_a_pack_and_a_result_for_each_buffer_is_refused) {
    enum { LEAST = 3 * 256 + 8 + 16 };
    const float data[64] = {1, 2, 3};
    const void *arrays[] = {data};
    double results[4];
    const segment_case equal = segments_equal(4, 16);
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accumulate = JR_F64, .result = JR_F64, .device_bytes = 100);
    fails(reduce(device, &spec, &equal, arrays, results), JR_ERROR_INVALID_ARGUMENT,
          "a limit of 100 bytes of device memory is too small: give at least 2376, for 3 buffers of 792 bytes");
    assert_int_equal(LEAST, 792);
    spec.device_bytes = 287;
    fails(reduce(device, &spec, &equal, arrays, results), JR_ERROR_INVALID_ARGUMENT, "give at least 2376");
    spec.device_bytes = 288;
    works(reduce(device, &spec, &equal, arrays, results));
    assert_true(results[0] == 6 && results[3] == 0);
}
DEVICE_TEST(the_buffers_are_given_back) {
    uint64_t seed = 48;
    segment_case ragged = mixed(&seed);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I8, .device_bytes = 1 << 16);
    int8_t *data = test_zeros(ragged.elements, sizeof *data);
    int64_t *results = test_zeros(ragged.count, sizeof *results);
    const void *arrays[] = {data};
    works(reduce(device, &spec, &ragged, arrays, results));
    allocations_watch(device);
    works(reduce(device, &spec, &ragged, arrays, results));
    assert_true(allocations_seen().made > 0 && allocations_seen().live == 0);
}

RUN_TESTS(open_context, close_context)
