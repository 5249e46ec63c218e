/* Scans along an axis that is not the last one, of host data that goes through a few device buffers in turn: whole
 * slabs, some rows, some columns of a row; against plain loops, and to the bit where slabs are whole. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/oracle/affine.h"

/* An array, scanned along its middle axis, and the bound on device memory. */
typedef struct array_case {
    uint64_t shape[3], device_bytes;
    bool slabs; /* of which a part has whole ones */
} array_case;

/* Slabs; rows, by one thread a column, in parts by a thread (64 at most) and by a block; columns of a row, of which the
 * last have fewer; one row; single columns. */
static const array_case cases[] = {
    {{100, 30, 7}, 40000, true},    {{9, 300, 8}, 60000, true},     {{3, 5000, 7}, 40000, false},
    {{1, 20011, 3}, 100000, false}, {{1, 30000, 4}, 300000, false}, {{2, 9, 3001}, 200000, false},
    {{2, 9, 3001}, 20000, false},   {{1, 64, 512}, 49152, false},   {{4, 2, 8192}, 30000, false},
    {{50, 1, 700}, 50000, true},    {{2, 700, 36}, 60000, false},   {{1000, 30, 1}, 50000, true},
    {{2, 20000, 1}, 60000, false},
};
enum { CASES = sizeof cases / sizeof *cases };

static uint64_t count_of(const array_case *array) {
    return array->shape[0] * array->shape[1] * array->shape[2];
}

static void scan(const opened *device, const jr_spec *spec, jr_work_kind kind, const array_case *array,
                 const void *const *data, void *results) {
    const jr_segment_layout layout =
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = array->shape[1], .inner = array->shape[2]);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = array->shape[0] * array->shape[2]);
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_work_run_host(device->context, WORK(spec, .kind = kind, .layout = &layout),
                           DATA_OF(segments, data, results)));
    works(jr_context_stats(device->context, &stats));
    assert_true(spec->device_bytes > 0 ? stats.parts > 1 : stats.parts == 0);
}

static void fail_at(const array_case *array, uint64_t i, const char *what) {
    fail_msg("%s of element %d of array %d differs", what, (int)i, (int)(array - cases));
}

/* The place of an element in its column. */
static uint64_t row_of(const array_case *array, uint64_t i) {
    return i / array->shape[2] % array->shape[1];
}

static uint64_t *numbers_new(const array_case *array) {
    uint64_t *data = test_zeros(count_of(array), sizeof *data), seed = count_of(array);
    for (uint64_t i = 0; i < count_of(array); i++) data[i] = random_bits(&seed) | 1ull << 32;
    return data;
}

/* ---- against plain loops ---- */

static void check_order(const opened *device, const array_case *array, jr_work_kind kind) {
    const jr_value start = {JR_U64, {.u64 = 3ull << 32 | 5}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_U64, .device_bytes = 2 * array->device_bytes,
                                 .initial = &start, .combine = AFFINE_COMBINE, .identity = AFFINE_IDENTITY);
    const uint64_t count = count_of(array), inner = array->shape[2];
    uint64_t *data = numbers_new(array), *results = test_zeros(count, sizeof *results),
             *folds = test_zeros(count, sizeof *folds);
    scan(device, &spec, kind, array, FROM(data), results);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t before = row_of(array, i) == 0 ? start.as.u64 : folds[i - inner];
        folds[i] = affine_combine(before, data[i]);
        if (results[i] != (kind == JR_WORK_SCAN_EXCLUSIVE ? before : folds[i])) fail_at(array, i, "the fold");
    }
}

TEST(operators_that_do_not_commute_keep_their_order) {
    for (int c = 0; c < CASES; c++) {
        check_order(*state, &cases[c], JR_WORK_SCAN_INCLUSIVE);
        check_order(*state, &cases[c], JR_WORK_SCAN_EXCLUSIVE);
    }
}

/* The index and the count of elements go on from part to part: the first least element, and the sum of i x with n. */
TEST(places_count_from_the_columns_begin) {
    for (int c = 0; c < CASES; c++) {
        const array_case *array = &cases[c];
        const uint64_t count = count_of(array), inner = array->shape[2];
        int32_t *data = test_zeros(count, sizeof *data);
        int64_t *least = test_zeros(count, sizeof *least), *means = test_zeros(count, sizeof *means),
                *sums = test_zeros(count, sizeof *sums);
        uint64_t seed = count;
        const uint64_t bytes = 3 * array->device_bytes;
        const jr_spec argmin = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32, .device_bytes = bytes),
                      mean = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "i * x", .map_type = JR_I64,
                                     .finish = "a * 100 + n", .device_bytes = bytes);
        for (uint64_t i = 0; i < count; i++) data[i] = (int32_t)random_below(&seed, 1000) - 500;
        scan(*state, &argmin, JR_WORK_SCAN_INCLUSIVE, array, FROM(data), least);
        scan(*state, &mean, JR_WORK_SCAN_INCLUSIVE, array, FROM(data), means);
        for (uint64_t i = 0; i < count; i++) {
            const int64_t row = (int64_t)row_of(array, i);
            const uint64_t first = i - (uint64_t)row * inner;
            const int64_t best = row == 0 ? 0 : least[i - inner];
            sums[i] = (row == 0 ? 0 : sums[i - inner]) + row * data[i];
            if (least[i] != (data[i] < data[first + (uint64_t)best * inner] ? row : best))
                fail_at(array, i, "the index");
            if (means[i] != sums[i] * 100 + row + 1) fail_at(array, i, "the count");
        }
    }
}

/* ---- against one run over all ---- */

TEST(whole_slabs_have_the_same_bits_and_others_are_close) {
    for (int c = 0; c < CASES; c++) {
        const array_case *array = &cases[c];
        const uint64_t count = count_of(array);
        float *data = test_zeros(count, sizeof *data), *whole = test_zeros(count, sizeof *whole);
        uint64_t seed = count;
        jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
        for (uint64_t i = 0; i < count; i++) data[i] = (float)random_below(&seed, 1000003) * 0.001f;
        scan(*state, &sum, JR_WORK_SCAN_INCLUSIVE, array, FROM(data), whole);
        sum.device_bytes = array->device_bytes;
        scan(*state, &sum, JR_WORK_SCAN_INCLUSIVE, array, FROM(data), data); /* in place */
        for (uint64_t i = 0; i < count; i++) {
            const float off = data[i] > whole[i] ? data[i] - whole[i] : whole[i] - data[i];
            if (array->slabs ? off != 0 : off > whole[i] * 1e-4f) fail_at(array, i, "the sum");
        }
    }
}

/* ---- what fails ---- */

DEVICE_TEST(a_result_of_nothing_is_found_in_any_part) {
    const array_case array = {{20, 30, 100}, 60000, true};
    const int axis = 1;
    const jr_axis along = JR_INIT(jr_axis, array.shape, 3, .axes = &axis, .axis_count = 1);
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .where = "x < 1e9", .device_bytes = array.device_bytes);
    float *data = test_zeros(count_of(&array), sizeof *data), *results = test_zeros(count_of(&array), sizeof *results);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &along),
                           DATA(.in = FROM(data), .out = results)));
    data[19 * 30 * 100] = 2e9f; /* the first row of the last slab */
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &along),
                           DATA(.in = FROM(data), .out = results)),
          JR_ERROR_EMPTY_INPUT, "max of no elements");
}

DEVICE_TEST(a_bound_below_an_element_for_each_buffer_is_refused) {
    const array_case array = {{2, 30, 100}, 900, false};
    const int axis = 1;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .device_bytes = array.device_bytes);
    float *data = test_zeros(count_of(&array), sizeof *data);
    fails(jr_work_run_host(device->context,
                           WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE,
                                .axis = &JR_INIT(jr_axis, array.shape, 3, .axes = &axis, .axis_count = 1)),
                           DATA(.in = FROM(data), .out = data)),
          JR_ERROR_INVALID_ARGUMENT, "a limit of 900 bytes of device memory is too small: give at least");
}

RUN_TESTS(open_context, close_context)
