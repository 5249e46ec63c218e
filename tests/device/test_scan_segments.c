/* Scans of segments in device memory: rows, offsets, keys; misaligned arrays, several launches, graphs, refusals. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/scan_case.h"
#include "support/fixtures/plan_case.h"

enum { ELEMENTS = 40000 };

/* Segments that begin where `starts` says, as a plan takes them. */
typedef struct segmented {
    jr_segment_layout layout;
    jr_work_data segments;
    bool starts[ELEMENTS];
    uint64_t count;
} segmented;

static segmented *segmented_new(jr_segment_kind kind, uint64_t count) {
    segmented *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->layout = (jr_segment_layout){.size = sizeof made->layout, .kind = kind};
    made->segments = (jr_work_data){.size = sizeof made->segments, .count = count};
    made->count = count;
    made->starts[0] = true;
    return made;
}

static segmented *rows_new(uint64_t count, uint64_t length) {
    segmented *made = segmented_new(JR_SEGMENTS_EQUAL, count / length * length);
    made->layout.length = length;
    made->segments.segments = count / length;
    for (uint64_t i = 0; i < made->count; i += length) made->starts[i] = true;
    return made;
}

/* Some segments are empty; the mean length is `mean`. */
static segmented *offsets_new(const opened *device, uint64_t count, uint64_t mean, uint64_t seed) {
    segmented *made = segmented_new(JR_SEGMENTS_OFFSETS, count);
    uint64_t *offsets = test_bytes((count + 2) * sizeof *offsets), s = 0;
    for (uint64_t at = mean / 3; at <= count && s <= count; at += random_bits(&seed) % (2 * mean + 1)) {
        offsets[s++] = at;
        if (at < count) made->starts[at] = true;
    }
    made->segments.segments = s - 1;
    uint64_t *d_offsets = device_new(device, s * sizeof *d_offsets);
    device_write(device, d_offsets, offsets, s * sizeof *d_offsets);
    made->segments.offsets = d_offsets;
    return made;
}

static segmented *keys_new(const opened *device, uint64_t count, uint64_t mean, unsigned shift, uint64_t seed) {
    segmented *made = segmented_new(JR_SEGMENTS_KEYS, count);
    int32_t *keys = test_bytes(count * sizeof *keys), *d_keys = device_new(device, (count + 4) * sizeof *d_keys);
    for (uint64_t i = 0; i < count; i++) {
        made->starts[i] = i == 0 || random_bits(&seed) % mean == 0;
        keys[i] = i == 0 ? 7 : made->starts[i] ? -keys[i - 1] : keys[i - 1];
    }
    device_write(device, d_keys + shift, keys, count * sizeof *keys);
    made->layout.key_type = JR_I32;
    made->segments.keys = d_keys + shift;
    return made;
}

static void segmented_free(const opened *device, segmented *made, unsigned shift) {
    device_free(device, (void *)(uintptr_t)made->segments.offsets);
    if (made->segments.keys != NULL) device_free(device, (int32_t *)(uintptr_t)made->segments.keys - shift);
    free(made);
}

static jr_plan *segment_scan_plan(const opened *device, const jr_spec *spec, jr_work_kind kind,
                                  const jr_segment_layout *layout) {
    jr_plan *plan = NULL;
    works(jr_work_plan_create(device->context, WORK(spec, .kind = kind, .layout = layout), &plan));
    return plan;
}

/* The sums of f64 elements that are small integers are exact, whatever the association. */
static void assert_scans(const opened *device, const segmented *made, jr_spec spec, jr_work_kind kind, unsigned shift) {
    double *data = test_bytes(ELEMENTS * sizeof *data), *results = test_bytes(ELEMENTS * sizeof *results), sum = 0;
    double *d_in = device_new(device, (ELEMENTS + 4) * sizeof *d_in);
    double *d_out = device_new(device, (ELEMENTS + 4) * sizeof *d_out);
    uint64_t seed = 5;
    for (int i = 0; i < ELEMENTS; i++) data[i] = (double)(random_bits(&seed) % 17) - 8;
    device_write(device, d_in + shift % 2, data, ELEMENTS * sizeof *data);
    jr_plan *plan = segment_scan_plan(device, &spec, kind, &made->layout);
    works(jr_work_plan_run(plan, DATA_OF(made->segments, FROM(d_in + shift % 2), d_out + shift), NULL, NULL));
    works(jr_work_plan_run(plan, DATA_OF(made->segments, FROM(d_in + shift % 2), d_out + shift), NULL, NULL));
    device_read(device, results, d_out + shift, made->count * sizeof *results);
    const double initial = spec.initial != NULL ? spec.initial->as.f64 : 0;
    for (uint64_t i = 0; i < made->count; i++) {
        if (made->starts[i]) sum = initial;
        const double before = sum;
        sum += data[i];
        if (results[i] != (kind == JR_WORK_SCAN_EXCLUSIVE ? before : sum))
            fail_msg("result %llu of kind %d, shift %u: %g, not %g", (unsigned long long)i, (int)made->layout.kind,
                     shift, results[i], kind == JR_WORK_SCAN_EXCLUSIVE ? before : sum);
    }
    jr_plan_destroy(plan);
}

DEVICE_TEST(every_segment_is_scanned_for_itself) {
    const jr_value three = {JR_F64, {.f64 = 3}};
    const jr_spec plain = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64),
                  narrow = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .unroll = 1, .block = 64, .grid = 3,
                                   .initial = &three);
    jr_spec ring = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .unroll = 1, .block = 320);
    if (device->info.capability_major >= 9) ring.algorithm = JR_ALGORITHM_BULK_COPY;
    static const uint64_t means[] = {1, 3, 61, 1500, 39999};
    for (unsigned turn = 0; turn < 10; turn++) {
        const jr_spec spec = turn % 2 ? narrow : plain;
        const uint64_t mean = means[turn / 2], count = ELEMENTS - 3 * turn;
        segmented *forms[] = {rows_new(count, mean), offsets_new(device, count, mean, turn),
                              keys_new(device, count, mean, turn % 4, turn)};
        for (int f = 0; f < 3; f++) { /* a sample: each form by one kind of each spec */
            const unsigned odd = tests_are_whole() ? turn / 2 : turn + (unsigned)f;
            const jr_work_kind kind = odd % 2 ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE;
            if (tests_take((int)turn / 2 + f, 2)) assert_scans(device, forms[f], spec, kind, turn % 4);
            if (tests_are_whole() || (turn % 2 == 0 && (turn / 2 + (unsigned)f) % 2 == 1))
                assert_scans(device, forms[f], ring, kind, turn % 4);
            segmented_free(device, forms[f], turn % 4);
        }
    }
}

/* A tile of 64 elements takes a slot of 24 bytes: a launch has 21845 slots, and 23552 are needed. */
DEVICE_TEST(more_tiles_than_slots_go_on_with_the_open_segment) {
    enum { COUNT = 23 << 16 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .map = "i + x", .unroll = 1, .block = 32);
    double *d_in = device_new(device, COUNT * sizeof *d_in), *results = test_bytes(COUNT * sizeof *results);
    double *d_out = device_new(device, COUNT * sizeof *d_out);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = COUNT / 4);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = 4);
    drives(device->driver.cuMemsetD8_v2(device_address(d_in), 0, COUNT * sizeof *d_in));
    jr_plan *plan = segment_scan_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE, &layout);
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out), NULL, NULL));
    device_read(device, results, d_out, COUNT * sizeof *results);
    for (uint64_t i = 0; i < COUNT; i++) {
        const double k = (double)(i % layout.length);
        assert_true(results[i] == k * (k + 1) / 2);
    }
    jr_plan_destroy(plan);
}

/* With rows and offsets the index i counts within the segment, and n is the segment's count; with keys only n. */
DEVICE_TEST(places_in_a_segment_are_known) {
    enum { COUNT = 5000, LENGTH = 40 };
    static const jr_op ops[] = {JR_OP_ARGMAX, JR_OP_MEAN};
    segmented *forms[] = {rows_new(COUNT, LENGTH), offsets_new(device, COUNT, LENGTH, 3),
                          keys_new(device, COUNT, LENGTH, 1, 3)};
    float *data = test_bytes(COUNT * sizeof *data), *d_in = device_new(device, COUNT * sizeof *d_in);
    void *d_out = device_new(device, COUNT * sizeof(int64_t));
    int64_t *places = test_bytes(COUNT * sizeof *places);
    uint64_t seed = 11;
    for (int i = 0; i < COUNT; i++) data[i] = (float)(random_bits(&seed) % 50);
    device_write(device, d_in, data, COUNT * sizeof *data);
    for (int f = 0; f < 6; f++) {
        if (!tests_are_whole() && f != 1 && f != 2 && f != 4) continue; /* a sample: each form with one of the two */
        const segmented *form = forms[f / 2];
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[f % 2], .type = JR_F32);
        jr_plan *plan = segment_scan_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE, &form->layout);
        works(jr_work_plan_run(plan, DATA_OF(form->segments, FROM(d_in), d_out), NULL, NULL));
        device_read(device, places, d_out, COUNT * (f % 2 ? sizeof(float) : sizeof(int64_t)));
        double sum = 0;
        for (int64_t i = 0, begin = 0, best = 0; i < (int64_t)form->count; i++) {
            if (form->starts[i]) begin = best = i, sum = 0;
            if (data[i] > data[best]) best = i;
            sum += data[i];
            const int64_t base = form->layout.kind == JR_SEGMENTS_KEYS ? 0 : begin;
            const double mean = sum / (double)(i - begin + 1);
            if (f % 2)
                assert_true((double)((const float *)places)[i] >= mean * 0.99999 &&
                            (double)((const float *)places)[i] <= mean * 1.00001);
            else
                assert_int_equal(places[i], best - base);
        }
        jr_plan_destroy(plan);
    }
    for (int f = 0; f < 3; f++) segmented_free(device, forms[f], 1);
}

DEVICE_TEST(segments_that_no_scan_takes_are_told_why) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U64),
                  three = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U64, .algorithm = JR_ALGORITHM_THREE_PASS);
    const jr_segment_layout none = JR_INIT(jr_segment_layout, .kind = (jr_segment_kind)0),
                            keyless = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS),
                            keys = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_U16),
                            equal = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 5);
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    uint64_t *d_data = device_new(device, 100 * sizeof *d_data);
    jr_work_data segments = JR_INIT(jr_work_data, .segments = 2, .count = 10);
    jr_plan *plan = NULL;
    jr_context *context = device->context;
    fails(jr_work_plan_create(context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &none), &plan), wrong,
          "unknown layout kind 0");
    fails(jr_work_plan_create(context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &keyless), &plan),
          JR_ERROR_UNSUPPORTED_TYPE, "keys of type 0");
    fails(jr_work_plan_create(context, WORK(&three, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &equal), &plan),
          JR_ERROR_NOT_APPLICABLE, "three_pass does not scan segments");
    assert_null(plan);
    plan = segment_scan_plan(device, &sum, JR_WORK_SCAN_INCLUSIVE, &keys);
    fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_data), d_data), NULL, NULL), wrong,
          "keys is NULL: JR_SEGMENTS_KEYS needs a key per element");
    segments.keys = (const char *)d_data + 1;
    fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_data), d_data), NULL, NULL), wrong, "aligned to 2");
    segments.keys = d_data + 9;
    fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_data), d_data), NULL, NULL), wrong, "overlap the keys");
    segments.count = UINT64_MAX;
    fails(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_data), d_data), NULL, NULL), wrong,
          "more than have addresses");
    jr_plan_destroy(plan);
}

RUN_TESTS(open_context, close_context)
