/* Scans of segments of host data that goes through a few buffers of the device in turn: the bits of one run over all of
 * it, and what a plain loop says. */
#include <stdlib.h>
#include <string.h>

#include "spec/operator.h"
#include "support/cases/scan_forms.h"
#include "support/fixtures/chunked_data.h"
#include "support/oracle/affine.h"

enum { COUNT = SCAN_FORM_COUNT, LITTLE_BYTES = 96 << 10 };

/* Of the sample each test takes one form in so many; whole has all. */
static int every(int forms) {
    return tests_are_whole() ? 1 : forms;
}

/* Scans, in parts if there is a bound of device memory. */
static void scan(const opened *device, const jr_spec *spec, jr_work_kind kind, const form *of, const void *const *data,
                 void *results) {
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_work_run_host(device->context, WORK(spec, .kind = kind, .layout = &of->layout),
                           DATA_OF(of->segments, data, results)));
    works(jr_context_stats(device->context, &stats));
    assert_true(spec->device_bytes > 0 ? stats.parts > 1 : stats.parts == 0);
}

/* The same bytes with and without a bound. */
static void chunked_agrees(const opened *device, const jr_spec *spec, jr_work_kind kind, const form *of,
                           const void *const *data) {
    jr_result_layout layout = JR_INIT(jr_result_layout);
    jr_spec bounded = *spec;
    works(jr_result_layout_of(spec, &layout));
    unsigned char *whole = test_bytes(of->count * layout.bytes), *parts = test_bytes(of->count * layout.bytes);
    bounded.device_bytes = LITTLE_BYTES;
    scan(device, spec, kind, of, data, whole);
    scan(device, &bounded, kind, of, data, parts);
    if (memcmp(whole, parts, of->count * layout.bytes) != 0)
        fail_msg("a scan by %s of segments of kind %d in parts has other bits", jr_op_name(spec->op),
                 (int)of->layout.kind);
}

/* ---- against one run over all ---- */

TEST(float_sums_of_every_form_have_the_same_bits) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const jr_value ten = {JR_F32, {.f32 = 10}};
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .initial = &ten, .block = 256, .unroll = 2),
                  odd = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 96, .unroll = 3);
    form forms[FORMS_MAX];
    const int count = forms_new(forms);
    for (int f = 0; f < count; f++) {
        if (tests_take(f, 4)) chunked_agrees(*state, &sum, JR_WORK_SCAN_EXCLUSIVE, &forms[f], FROM(data.x));
        if (tests_take(f + 2, 4)) chunked_agrees(*state, &odd, JR_WORK_SCAN_INCLUSIVE, &forms[f], FROM(data.x));
    }
}

DEVICE_TEST(a_ring_of_tiles_has_the_same_bits) {
    if (device->info.capability_major < 9) skip_because("bulk copies came with compute capability 9.0\n");
    const chunked_data data = chunked_data_new(COUNT, true);
    const jr_spec ring = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_BULK_COPY,
                                 .block = 320, .unroll = 1);
    form forms[FORMS_MAX];
    const int count = forms_new(forms);
    for (int f = 0; f < count; f += every(5))
        chunked_agrees(device, &ring, f % 2 ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE, &forms[f], FROM(data.x));
}

/* Each by every third of the forms; of the sample every fifth, by one form. */
TEST(every_operator_has_the_same_bits) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const void *floats[] = {data.x, data.y}, *bytes[] = {data.small};
    form forms[FORMS_MAX];
    const int count = forms_new(forms);
    for (jr_op op = JR_OP_SUM; jr_operator_find(op) != NULL; op++) {
        if (op == JR_OP_CUSTOM || !tests_take((int)op, 5)) continue; /* custom: below */
        const bool bits = (jr_op_flags(op) & JR_OP_FLAG_FLOATS) == 0;
        const jr_spec spec =
            JR_INIT(jr_spec, .op = op, .type = bits ? JR_I8 : JR_F32, .block = 128, .unroll = bits ? 1 : 2);
        for (int f = (int)op % (tests_are_whole() ? 3 : count); f < count; f += tests_are_whole() ? 3 : count)
            chunked_agrees(*state, &spec, JR_WORK_SCAN_INCLUSIVE, &forms[f], bits ? bytes : floats);
    }
}

TEST(expressions_see_places_in_the_segment) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const jr_value hundred = {JR_F64, {.f64 = 100}};
    const void *arrays[] = {data.x, data.small, data.y};
    const jr_spec all =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .input_count = 3, .more_types = {JR_I8, JR_F32},
                .accumulate = JR_F64, .map = "x * y + i % 7 * z", .map_type = JR_F64, .where = "y > 0",
                .initial = &hundred, .finish = "a / (n + 1)", .block = 128, .unroll = 2);
    form forms[FORMS_MAX];
    const int count = forms_new(forms);
    for (int f = 1; f < count; f += every(5))
        chunked_agrees(*state, &all, f % 2 ? JR_WORK_SCAN_INCLUSIVE : JR_WORK_SCAN_EXCLUSIVE, &forms[f], arrays);
}

/* ---- against plain loops ---- */

DEVICE_TEST(operators_that_do_not_commute_keep_their_order) {
    const jr_value start = {JR_U64, {.u64 = 3ull << 32 | 5}};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_U64, .block = 128, .unroll = 1, .device_bytes = LITTLE_BYTES,
                .initial = &start, .combine = AFFINE_COMBINE, .identity = AFFINE_IDENTITY);
    uint64_t *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT, sizeof *results), seed = 33;
    form forms[FORMS_MAX];
    const int count = forms_new(forms);
    for (int i = 0; i < COUNT; i++) data[i] = random_bits(&seed) | 1ull << 32;
    for (int f = 0; f < 2 * count; f += every(9)) {
        const form *of = &forms[f / 2];
        uint64_t running = 0;
        scan(device, &spec, f % 2 ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE, of, FROM(data), results);
        for (uint64_t i = 0; i < of->count; i++) {
            const uint64_t before = of->starts[i] ? start.as.u64 : running;
            running = affine_combine(before, data[i]);
            if (results[i] != (f % 2 ? before : running))
                fail_msg("result %llu of form %d differs", (unsigned long long)i, f / 2);
        }
    }
}

TEST(places_count_from_the_segments_begin) {
    int32_t *data = test_zeros(COUNT, sizeof *data);
    int64_t *places = test_zeros(COUNT, sizeof *places);
    uint64_t seed = 34;
    form forms[FORMS_MAX];
    const int count = forms_new(forms);
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32, .block = 128, .unroll = 1, .device_bytes = LITTLE_BYTES);
    for (int i = 0; i < COUNT; i++) data[i] = (int32_t)random_below(&seed, 1u << 30) + i;
    for (int f = 2; f < count; f += every(5)) {
        const uint64_t from_keys = forms[f].layout.kind == JR_SEGMENTS_KEYS;
        uint64_t begin = 0, best = 0;
        scan(*state, &spec, JR_WORK_SCAN_INCLUSIVE, &forms[f], FROM(data), places);
        for (uint64_t i = 0; i < forms[f].count; i++) {
            if (forms[f].starts[i]) begin = best = i;
            if (data[i] > data[best]) best = i;
            assert_int_equal(places[i], from_keys ? best : best - begin);
        }
    }
}

/* ---- places, refusals ---- */

TEST(results_may_take_the_place_of_the_data) {
    const chunked_data data = chunked_data_new(COUNT, true);
    float *results = test_bytes(COUNT * sizeof *results), *own = test_bytes(COUNT * sizeof *own);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 128, .unroll = 2);
    form forms[FORMS_MAX];
    const int count = forms_new(forms);
    for (int f = 3; f < count; f += every(5)) {
        memcpy(own, data.x, COUNT * sizeof *own);
        spec.device_bytes = 0;
        scan(*state, &spec, JR_WORK_SCAN_INCLUSIVE, &forms[f], FROM(own), results);
        spec.device_bytes = LITTLE_BYTES;
        scan(*state, &spec, JR_WORK_SCAN_INCLUSIVE, &forms[f], FROM(own), own);
        assert_memory_equal(own, results, forms[f].count * sizeof *results);
    }
}

/* The first element of the last segment, which is in the last part, is not kept: there is no maximum for it. */
DEVICE_TEST(a_result_of_nothing_is_found_in_any_part) {
    const chunked_data data = chunked_data_new(COUNT, true);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .where = "x < 1e9", .block = 128,
                                 .device_bytes = LITTLE_BYTES);
    form rows = rows_new(1000);
    float *results = test_zeros(COUNT, sizeof *results);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &rows.layout),
                           DATA_OF(rows.segments, FROM(data.x), results)));
    data.x[rows.count - 1000] = 2e9f;
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &rows.layout),
                           DATA_OF(rows.segments, FROM(data.x), results)),
          JR_ERROR_EMPTY_INPUT, "max of no elements");
}

/* Each result would be written before later parts' keys or offsets are read. */
DEVICE_TEST(results_upon_keys_or_offsets_are_refused) {
    form by_offsets = offsets_new(1, 0), by_keys = keys_new(3, JR_I32);
    const form *forms[] = {&by_offsets, &by_keys};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32, .block = 128, .unroll = 1, .device_bytes = LITTLE_BYTES);
    for (int f = 0; f < 2; f++) {
        jr_work_data segments = forms[f]->segments;
        const void *heads = f == 0 ? (const void *)segments.offsets : segments.keys;
        int32_t *data = test_zeros(COUNT, sizeof *data);
        fails(jr_work_run_host(device->context,
                               WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &forms[f]->layout),
                               DATA_OF(segments, FROM(data), (void *)(uintptr_t)heads)),
              JR_ERROR_INVALID_ARGUMENT, f == 0 ? "overlap the offsets" : "overlap the keys");
    }
}

DEVICE_TEST(a_bound_below_a_tile_with_its_offsets_is_refused) {
    form dense = offsets_new(1, 0);
    float *data = test_zeros(COUNT, sizeof *data);
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .block = 64, .unroll = 1, .device_bytes = 9000);
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &dense.layout),
                           DATA_OF(dense.segments, FROM(data), data)),
          JR_ERROR_INVALID_ARGUMENT, "a limit of 9000 bytes of device memory is too small: give at least");
}

RUN_TESTS(open_context, close_context)
