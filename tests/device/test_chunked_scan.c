/* Scans of host data that goes through a few buffers of the device in turn: the bits of one run over all of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spec/operator.h"
#include "support/fakes/allocations.h"
#include "support/fixtures/chunked_data.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/affine.h"

enum { MUCH = 1 << 20, COUNT = 500003, LITTLE_BYTES = 7 << 16 };

static uint64_t parts_of_last_call(const opened *device) {
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_context_stats(device->context, &stats));
    assert_true((uint64_t)stats.launches >= stats.parts);
    return stats.parts;
}

/* What is scanned. */
typedef struct scan_of {
    const void *const *data;
    uint64_t count;
    jr_work_kind kind;
} scan_of;

/* The same bytes with and without a bound of device memory, and more parts with it. */
static void chunked_agrees(const opened *device, const jr_spec *spec, const scan_of *of) {
    jr_result_layout layout = JR_INIT(jr_result_layout);
    jr_spec bounded = *spec;
    bounded.device_bytes = LITTLE_BYTES;
    works(jr_result_layout_of(spec, &layout));
    unsigned char *whole = test_bytes(of->count * layout.bytes), *parts = test_bytes(of->count * layout.bytes);
    works(jr_work_run_host(device->context, WORK(spec, .kind = of->kind),
                           DATA(.in = of->data, .count = of->count, .out = whole)));
    assert_int_equal(parts_of_last_call(device), 0);
    works(jr_work_run_host(device->context, WORK(&bounded, .kind = of->kind),
                           DATA(.in = of->data, .count = of->count, .out = parts)));
    assert_true(parts_of_last_call(device) >= of->count * layout.bytes / LITTLE_BYTES);
    if (memcmp(whole, parts, of->count * layout.bytes) != 0)
        fail_msg("a scan by %s in parts has other bits", jr_op_name(spec->op));
}

TEST(float_sums_of_4_mb_have_the_same_bits) {
    const chunked_data data = chunked_data_new(MUCH, true);
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const jr_spec odd = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 96, .unroll = 3, .capacity = 1);
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        const scan_of all = {FROM(data.x), MUCH - 5, exclusive ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE};
        if (tests_take(exclusive, 2)) chunked_agrees(*state, &sum, &all);
        if (tests_take(exclusive + 1, 2)) chunked_agrees(*state, &odd, &all);
    }
}

DEVICE_TEST(a_ring_of_tiles_has_the_same_bits) {
    if (device->info.capability_major < 9) skip_because("bulk copies came with compute capability 9.0\n");
    const chunked_data data = chunked_data_new(COUNT, true);
    const scan_of all = {FROM(data.y), COUNT, JR_WORK_SCAN_INCLUSIVE};
    const jr_spec ring = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_BULK_COPY);
    const jr_spec wide = JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F32, .algorithm = JR_ALGORITHM_BULK_COPY);
    chunked_agrees(device, &ring, &all);
    if (tests_are_whole()) chunked_agrees(device, &wide, &all);
}

TEST(every_operator_has_the_same_bits) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const void *floats[] = {data.x, data.y}, *bytes[] = {data.small};
    for (jr_op op = JR_OP_SUM; jr_operator_find(op) != NULL; op++) {
        if (op == JR_OP_CUSTOM || !tests_take((int)op, 5)) continue; /* custom: below */
        const bool bits = (jr_op_flags(op) & JR_OP_FLAG_FLOATS) == 0;
        const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = bits ? JR_I8 : JR_F32, .block = 128, .unroll = 2);
        const scan_of all = {bits ? bytes : floats, COUNT, JR_WORK_SCAN_INCLUSIVE};
        chunked_agrees(*state, &spec, &all);
    }
}

TEST(expressions_see_the_whole_input) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const jr_value hundred = {JR_F64, {.f64 = 100}};
    const void *arrays[] = {data.x, data.small, data.y};
    const scan_of exclusive = {arrays, COUNT, JR_WORK_SCAN_EXCLUSIVE},
                  inclusive = {arrays, COUNT, JR_WORK_SCAN_INCLUSIVE};
    const jr_spec all = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .input_count = 3,
                                .more_types = {JR_I8, JR_F32}, .accumulate = JR_F64, .map = "x * y + i % 7 * z",
                                .map_type = JR_F64, .where = "y > 0", .initial = &hundred, .finish = "a / (n + 1)");
    const jr_spec late = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .input_count = 3,
                                 .more_types = {JR_I8, JR_F32}, .where = "i % 3 == 0");
    chunked_agrees(*state, &all, &exclusive);
    if (tests_are_whole()) chunked_agrees(*state, &all, &inclusive);
    chunked_agrees(*state, &late, &inclusive);
}

/* ---- against plain loops ---- */

DEVICE_TEST(indexes_and_means_are_of_all_elements_so_far) {
    int32_t *data = test_zeros(COUNT, sizeof *data);
    int64_t *least = test_zeros(COUNT, sizeof *least), sum = 0, best = 0;
    double *means = test_zeros(COUNT, sizeof *means);
    uint64_t seed = 32;
    for (int i = 0; i < COUNT; i++) data[i] = (int32_t)random_below(&seed, 1u << 30) - i;
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32, .device_bytes = LITTLE_BYTES);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = least)));
    spec.op = JR_OP_MEAN;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = means)));
    for (int i = 0; i < COUNT; i++) {
        best = data[i] < data[best] ? i : best;
        assert_int_equal(least[i], best);
        assert_true(i == 0 ? isnan(means[i]) : means[i] == (double)sum / i);
        sum += data[i];
    }
}

DEVICE_TEST(operators_that_do_not_commute_keep_their_order) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_U64, .device_bytes = LITTLE_BYTES,
                                 .combine = AFFINE_COMBINE, .identity = AFFINE_IDENTITY);
    uint64_t *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT, sizeof *results), seed = 33;
    uint64_t running = 1ull << 32;
    for (int i = 0; i < COUNT; i++) data[i] = random_bits(&seed) | 1ull << 32;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) assert_int_equal(results[i], running = affine_combine(running, data[i]));
}

/* ---- places ---- */

DEVICE_TEST(results_may_take_the_place_of_the_data) {
    const chunked_data data = chunked_data_new(COUNT, true);
    float *results = test_bytes(COUNT * sizeof *results), *beside = test_bytes(COUNT * sizeof *beside);
    const void *arrays[] = {data.x, data.y};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F32);
    memcpy(beside, data.x, COUNT * sizeof *beside);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = arrays, .count = COUNT, .out = results)));
    spec.device_bytes = LITTLE_BYTES;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = arrays, .count = COUNT, .out = data.x)));
    assert_memory_equal(data.x, results, COUNT * sizeof *results);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(beside, data.y), .count = COUNT, .out = data.y)));
    assert_memory_equal(data.y, results, COUNT * sizeof *results);
}

DEVICE_TEST(results_that_overlap_the_data_otherwise_are_refused) {
    int32_t data[256] = {7};
    int64_t *longer = (int64_t *)(void *)data;
    const jr_spec max = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32),
                  sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    fails(jr_work_run_host(device->context, WORK(&max, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = 100, .out = data + 1)),
          JR_ERROR_INVALID_ARGUMENT, "overlap the input");
    fails(jr_work_run_host(device->context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = 100, .out = longer)),
          JR_ERROR_INVALID_ARGUMENT, "overlap the input");
    works(jr_work_run_host(device->context, WORK(&max, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = 100, .out = data + 100)));
}

DEVICE_TEST(the_buffers_are_given_back) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .device_bytes = LITTLE_BYTES);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data.x), .count = COUNT, .out = data.y)));
    allocations_watch(device);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data.x), .count = COUNT, .out = data.y)));
    assert_true(allocations_seen().made > 0);
    assert_int_equal(allocations_seen().live, 0);
}

/* ---- what fails ---- */

/* Only the first result is of nothing: it is found before any is written. */
DEVICE_TEST(a_result_of_nothing_is_found_before_any_is_written) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .where = "i > 0", .device_bytes = LITTLE_BYTES);
    float *results = test_zeros(COUNT, sizeof *results), *zeros = test_zeros(COUNT, sizeof *zeros);
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data.x), .count = COUNT, .out = results)),
          JR_ERROR_EMPTY_INPUT, "max of no elements");
    assert_memory_equal(results, zeros, COUNT * sizeof *results);
}

DEVICE_TEST(an_algorithm_that_cannot_scan_in_parts_is_refused) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_THREE_PASS,
                                 .device_bytes = LITTLE_BYTES);
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data.x), .count = COUNT, .out = data.x)),
          JR_ERROR_NOT_APPLICABLE, "three_pass cannot work in parts, which data and results of 2000012 bytes ask for");
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data.x), .count = COUNT / 5, .out = data.x)));
}

DEVICE_TEST(a_bound_below_a_tile_for_each_buffer_is_refused) {
    const chunked_data data = chunked_data_new(COUNT, true);
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .block = 64, .unroll = 2, .device_bytes = 3 * 2048 - 1);
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data.x), .count = 10000, .out = data.y)),
          JR_ERROR_INVALID_ARGUMENT, "a limit of 6143 bytes of device memory is too small: give at least 6144");
    spec.device_bytes++;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data.x), .count = 10000, .out = data.y)));
    assert_int_equal(parts_of_last_call(device), 20);
}

RUN_TESTS(open_context, close_context)
