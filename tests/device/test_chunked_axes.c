/* Arrays in host memory that are reduced along axes and go through a few buffers of the device in turn, against plain
 * loops: whole slabs, and pieces along the axes that are reduced, of some or of single rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/segment_case.h"
#include "support/fakes/allocations.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/affine.h"

/* An array, its reduced axes, the bound on device memory. */
typedef struct array_case {
    uint64_t shape[JR_DIMENSIONS_MAX];
    int dimensions;
    unsigned reduced;
    uint64_t device_bytes;
} array_case;

/* Columns first: slabs that fit, some rows of a slab, single rows and pieces of them; then axes that take turns, cut at
 * every depth. */
static const array_case cases[] = {{{100, 30, 7}, 3, 2, 40000},
                                   {{3, 5000, 7}, 3, 2, 40000},
                                   {{1, 20000, 3}, 3, 2, 40000},
                                   {{2, 9, 3001}, 3, 2, 100000},
                                   {{2, 9, 3001}, 3, 2, 20000},
                                   {{5, 20011}, 2, 1, 50000},
                                   {{40, 30, 9, 5}, 4, 10, 50000},
                                   {{3, 60, 40, 10}, 4, 10, 50000},
                                   {{5, 7, 11, 13, 3}, 5, 10, 6000},
                                   {{9, 5, 601}, 3, 5, 20000},
                                   {{4, 3, 3001}, 3, 5, 20000},
                                   {{6, 2, 8, 500}, 4, 5, 20000},
                                   {{70, 2, 300}, 3, 5, 30000},
                                   {{2, 3, 2, 4, 3, 2, 5, 8}, 8, 0x55, 20000},
                                   {{2, 3, 2, 4, 3, 2, 5, 8}, 8, 0xaa, 20000}};
enum { CASES = sizeof cases / sizeof *cases };

static segment_case segments_of(const array_case *array) {
    return segments_axes(array->shape, array->dimensions, array->reduced);
}

/* Reduces in parts. */
static void reduce(const opened *device, const jr_spec *spec, const array_case *array, const void *const *data,
                   void *results) {
    int axes[JR_DIMENSIONS_MAX], count = 0;
    jr_spec bounded = *spec;
    jr_stats stats = JR_INIT(jr_stats);
    for (int i = 0; i < array->dimensions; i++)
        if (array->reduced >> i & 1) axes[count++] = i;
    bounded.device_bytes = array->device_bytes;
    works(jr_work_run_host(device->context,
                           WORK(&bounded, .axis = &JR_INIT(jr_axis, array->shape, array->dimensions, .axes = axes,
                                                           .axis_count = (size_t)count)),
                           DATA(.in = data, .out = results)));
    works(jr_context_stats(device->context, &stats));
    assert_true(stats.parts > 1);
}

static void fail_at(const array_case *array, uint64_t s, const char *what) {
    fail_msg("%s of segment %d of array %d differs", what, (int)s, (int)(array - cases));
}

/* ---- whatever the order ---- */

static void check_sums(const opened *device, const array_case *array, const int32_t *data, int64_t *results) {
    const segment_case segments = segments_of(array);
    const void *arrays[] = {data};
    const jr_value ten = {JR_I64, {.i64 = 10}};
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .initial = &ten, .finish = "a * 100 + n");
    reduce(device, &sum, array, arrays, results);
    for (uint64_t s = 0; s < segments.count; s++) {
        int64_t wanted = 10;
        for (uint64_t k = 0; k < segments.layout.length; k++) wanted += data[segments_element(&segments, s, k)];
        if (results[s] != wanted * 100 + (int64_t)segments.layout.length) fail_at(array, s, "the sum");
    }
}

static int32_t *numbers_new(const array_case *array, uint32_t below) {
    const uint64_t count = segments_of(array).elements;
    int32_t *data = test_zeros(count, sizeof *data);
    uint64_t seed = count;
    for (uint64_t i = 0; i < count; i++) data[i] = (int32_t)random_below(&seed, below) - 50;
    return data;
}

TEST(sums_are_those_of_a_loop) {
    for (int c = 0; c < CASES; c++) {
        int32_t *data = numbers_new(&cases[c], 1000);
        int64_t *results = test_zeros(segments_of(&cases[c]).count, sizeof *results);
        check_sums(*state, &cases[c], data, results);
    }
}

/* The first least element, and the sum of indexes, along all reduced axes together. */
static void check_indexes(const opened *device, const array_case *array, const int32_t *data, int64_t *results) {
    const segment_case segments = segments_of(array);
    const void *arrays[] = {data};
    const jr_spec least = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32),
                  places = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "i * x", .map_type = JR_I64);
    int64_t *products = results + segments.count;
    reduce(device, &least, array, arrays, results);
    reduce(device, &places, array, arrays, products);
    for (uint64_t s = 0; s < segments.count; s++) {
        int64_t best = 0, sum = 0;
        for (uint64_t k = 0; k < segments.layout.length; k++) {
            const int32_t x = data[segments_element(&segments, s, k)];
            if (x < data[segments_element(&segments, s, (uint64_t)best)]) best = (int64_t)k;
            sum += (int64_t)k * x;
        }
        if (results[s] != best) fail_at(array, s, "the index");
        if (products[s] != sum) fail_at(array, s, "a sum with the index");
    }
}

TEST(indexes_count_along_all_reduced_axes) {
    for (int c = 0; c < CASES; c++) {
        if (!tests_take(c, 3)) continue;
        int32_t *data = numbers_new(&cases[c], 100);
        int64_t *results = test_zeros(2 * segments_of(&cases[c]).count, sizeof *results);
        check_indexes(*state, &cases[c], data, results);
    }
}

/* Whole numbers below 2^53: sum, mean and the count of what is kept are exact. */
static void check_lists(const opened *device, const array_case *array, const int32_t *data, unsigned char *results) {
    static const jr_op list[] = {JR_OP_SUM, JR_OP_MEAN};
    const segment_case segments = segments_of(array);
    const void *arrays[] = {data, data};
    const jr_spec spec =
        JR_INIT(jr_spec, .ops = list, .op_count = 2, .type = JR_I32, .input_count = 2, .where = "y > 0", .kept = 1);
    reduce(device, &spec, array, arrays, results);
    for (uint64_t s = 0; s < segments.count; s++) {
        int64_t sum = 0, kept = 0, got[6];
        double mean;
        for (uint64_t k = 0; k < segments.layout.length; k++) {
            const int32_t x = data[segments_element(&segments, s, k)];
            if (x > 0) sum += x, kept++;
        }
        memcpy(got, results + s * sizeof got, sizeof got);
        memcpy(&mean, results + s * sizeof got + 16, sizeof mean);
        if (got[0] != sum || got[4] != kept) fail_at(array, s, "the sum or the count");
        if (kept == 0 ? !isnan(mean) : mean != (double)sum / (double)kept) fail_at(array, s, "the mean");
    }
}

TEST(lists_and_counts_are_of_the_segment) {
    for (int c = 0; c < CASES; c++) {
        if (!tests_take(c + 1, 3)) continue;
        int32_t *data = numbers_new(&cases[c], 60);
        unsigned char *results = test_zeros(segments_of(&cases[c]).count, 48);
        check_lists(*state, &cases[c], data, results);
    }
}

/* ---- in order ---- */

TEST(operators_that_do_not_commute_keep_their_order) {
    static const jr_spec spec = {.size = sizeof(jr_spec),
                                 .op = JR_OP_CUSTOM,
                                 .type = JR_U64,
                                 .combine = AFFINE_COMBINE,
                                 .identity = AFFINE_IDENTITY};
    for (int c = 0; c < CASES; c++) {
        if (!tests_take(c + 2, 3)) continue;
        const segment_case segments = segments_of(&cases[c]);
        uint64_t *data = test_zeros(segments.elements, sizeof *data),
                 *results = test_zeros(segments.count, sizeof *results);
        uint64_t seed = 51;
        for (uint64_t i = 0; i < segments.elements; i++) data[i] = random_bits(&seed) | 1ull << 32;
        reduce(*state, &spec, &cases[c], FROM(data), results);
        for (uint64_t s = 0; s < segments.count; s++) {
            uint64_t wanted = 1ull << 32;
            for (uint64_t k = 0; k < segments.layout.length; k++)
                wanted = affine_combine(wanted, data[segments_element(&segments, s, k)]);
            if (results[s] != wanted) fail_at(&cases[c], s, "the order");
        }
    }
}

/* ---- much, nothing, too little ---- */

TEST(columns_of_4_mb_go_through_256_kib) {
    enum { ROWS = 1 << 12, COLUMNS = 256 };
    static const array_case much = {{ROWS, COLUMNS}, 2, 1, 1 << 18};
    float *data = test_zeros((size_t)ROWS * COLUMNS, sizeof *data);
    float sums[COLUMNS], wanted[COLUMNS] = {0};
    uint64_t seed = 52;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        data[i] = (float)random_below(&seed, 512) - 256; /* the sums are exact */
        wanted[i % COLUMNS] += data[i];
    }
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    reduce(*state, &spec, &much, FROM(data), sums);
    assert_memory_equal(sums, wanted, sizeof sums);
}

DEVICE_TEST(columns_of_nothing_go_in_parts_too) {
    enum { COLUMNS = 3000 };
    const uint64_t shape[] = {2, 0, COLUMNS};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_PROD, .type = JR_I32, .device_bytes = 8000);
    int64_t results[2 * COLUMNS] = {0};
    const void *arrays[] = {NULL};
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 3, 1)),
                           DATA(.in = arrays, .out = results)));
    for (int s = 0; s < 2 * COLUMNS; s++) assert_int_equal(results[s], 1);
}

DEVICE_TEST(a_bound_below_an_element_for_each_buffer_is_refused) {
    const uint64_t shape[] = {20, 30};
    static const float data[600] = {1, 2, 3};
    const void *arrays[] = {data};
    float sums[30] = {7};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .device_bytes = 2000);
    fails(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 2, 0)),
                           DATA(.in = arrays, .out = sums)),
          JR_ERROR_INVALID_ARGUMENT,
          "a limit of 2000 bytes of device memory is too small: give at least 2340, for 3 buffers of 780 bytes");
    assert_true(sums[0] == 7);
}

DEVICE_TEST(the_buffers_are_given_back) {
    int32_t *data = numbers_new(&cases[7], 1000);
    int64_t *results = test_zeros(segments_of(&cases[7]).count, sizeof *results);
    check_sums(device, &cases[7], data, results);
    allocations_watch(device);
    check_sums(device, &cases[7], data, results);
    assert_true(allocations_seen().made > 0);
    assert_int_equal(allocations_seen().live, 0);
}

RUN_TESTS(open_context, close_context)
