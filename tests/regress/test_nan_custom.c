/* NaNs to be ignored were given to custom operators all the same: the product of 2, NaN and 3 was NaN. */
#include <math.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { ROWS = 7, COLUMNS = 45, COUNT = ROWS * COLUMNS };

/* Powers of two whose products are not rounded, and NaNs: whole rows of them, too. */
static void fill(float *x) {
    for (int i = 0; i < COUNT; i++) x[i] = i % 3 == 1 || i / COLUMNS == 4 ? NAN : i % 2 != 0 ? 2 : 0.5f;
    x[0] = x[COUNT - 1] = 8;
}

static float product(const float *x, int count, int apart) {
    float all = 1;
    for (int i = 0; i < count; i++)
        if (!isnan(x[i * apart])) all *= x[i * apart];
    return all;
}

static jr_spec product_spec(void) {
    return JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .combine = "a * b", .identity = "1",
                   .nan = JR_NAN_IGNORE);
}

static void hold_all(const opened *device, const jr_spec *spec, const float *x) {
    jr_value value;
    works(jr_reduce_host(device->context, spec, x, COUNT, &value));
    assert_float_equal(value.as.f32, product(x, COUNT, 1), 0);
    works(jr_reduce_host(device->context, spec, x + 4 * COLUMNS, COLUMNS, &value)); /* of NaNs alone */
    assert_float_equal(value.as.f32, 1, 0);
}

TEST(a_custom_operator_is_given_no_nan) {
    float x[COUNT];
    fill(x);
    for (jr_algorithm a = JR_ALGORITHM_AUTO; a <= JR_ALGORITHM_BULK_COPY; a++)
        for (int commutative = 0; commutative < 2; commutative++) {
            jr_spec spec = product_spec();
            spec.commutative = commutative;
            spec.algorithm = a;
            if (jr_reduce_host(((const opened *)*state)->context, &spec, x, COUNT, &(jr_value){0}) == JR_OK)
                hold_all(*state, &spec, x);
            else
                assert_int_equal(jr_last_error()->status, JR_ERROR_NOT_APPLICABLE);
        }
    jr_spec spec = product_spec();
    spec.accuracy = JR_ACCURACY_REPRODUCIBLE;
    hold_all(*state, &spec, x);
    spec.map = "x * 2 / 2";
    hold_all(*state, &spec, x);
}

TEST(a_custom_operator_keeps_its_count_of_numbers) {
    const opened *device = *state;
    float x[COUNT];
    fill(x);
    uint64_t numbers = 0;
    for (int i = 0; i < COUNT; i++)
        if (!isnan(x[i])) numbers++;
    jr_spec spec = product_spec();
    spec.kept = 1;
    jr_value values[2];
    works(jr_reduce_host_arrays(device->context, &spec, (const void *const[]){x}, COUNT, values));
    assert_float_equal(values[0].as.f32, product(x, COUNT, 1), 0);
    assert_int_equal(values[1].as.u64, numbers);
}

static void hold_segments(const opened *device, jr_accuracy accuracy, const float *x) {
    int32_t keys[COUNT], run_keys[COUNT];
    uint64_t offsets[ROWS + 1], runs = 0;
    float results[COUNT];
    for (int i = 0; i < COUNT; i++) keys[i] = i / COLUMNS;
    for (uint64_t r = 0; r <= ROWS; r++) offsets[r] = r * COLUMNS;
    const jr_segment_layout layouts[] = {
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = COLUMNS),
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS),
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_AXES, .dimensions = 2, .shape = {ROWS, COLUMNS}, .reduced = 2,
                .length = COLUMNS),
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = ROWS, .inner = COLUMNS),
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32)};
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        const bool keyed = layouts[l].kind == JR_SEGMENTS_KEYS, columns = layouts[l].kind == JR_SEGMENTS_STRIDED;
        const jr_segments segments =
            JR_INIT(jr_segments, .count = columns ? COLUMNS : ROWS, .keys = keyed ? keys : NULL,
                    .elements = keyed ? COUNT : 0, .offsets = layouts[l].kind == JR_SEGMENTS_OFFSETS ? offsets : NULL,
                    .run_keys = keyed ? run_keys : NULL, .run_count = keyed ? &runs : NULL);
        jr_spec spec = product_spec();
        if (keyed && accuracy != 0) continue; /* which is refused */
        spec.accuracy = accuracy;
        works(
            jr_reduce_host_segments(device->context, &spec, &layouts[l], (const void *const[]){x}, &segments, results));
        for (int s = 0; s < (columns ? COLUMNS : ROWS); s++)
            assert_float_equal(results[s],
                               (columns ? product(x + s, ROWS, COLUMNS) : product(x + s * COLUMNS, COLUMNS, 1)), 0);
    }
}

TEST(segments_of_a_custom_operator_are_given_no_nan) {
    float x[COUNT];
    fill(x);
    hold_segments(*state, JR_ACCURACY_FAST, x);
    hold_segments(*state, JR_ACCURACY_REPRODUCIBLE, x);
}

TEST(scans_of_a_custom_operator_are_given_no_nan) {
    const opened *device = *state;
    const jr_spec spec = product_spec();
    float x[COUNT], inclusive[COUNT], exclusive[COUNT];
    fill(x);
    works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, x, COUNT, inclusive));
    works(jr_scan_host(device->context, &spec, JR_SCAN_EXCLUSIVE, x, COUNT, exclusive));
    for (int i = 0; i < COUNT; i++) {
        assert_float_equal(inclusive[i], product(x, i + 1, 1), 0);
        assert_float_equal(exclusive[i], product(x, i, 1), 0);
    }
}

RUN_TESTS(open_context, close_context)
