/* NaNs that are ignored, norms, and logsumexp: how results are rounded. */
#include <math.h>
#include <string.h>

#include "support/fixtures/open_context.h"

/* NaNs to be ignored were given to custom operators all the same: the product of 2, NaN and 3 was NaN. */
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
            if (!commutative && !tests_take((int)a, 2)) continue;
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

DEVICE_TEST(a_custom_operator_keeps_its_count_of_numbers) {
    float x[COUNT];
    fill(x);
    uint64_t numbers = 0;
    for (int i = 0; i < COUNT; i++)
        if (!isnan(x[i])) numbers++;
    jr_spec spec = product_spec();
    spec.kept = 1;
    jr_value values[2];
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = FROM(x), .count = COUNT, .values = values)));
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
        const jr_work_data segments =
            JR_INIT(jr_work_data, .segments = columns ? COLUMNS : ROWS, .keys = keyed ? keys : NULL,
                    .count = keyed ? COUNT : 0, .offsets = layouts[l].kind == JR_SEGMENTS_OFFSETS ? offsets : NULL,
                    .run_keys = keyed ? run_keys : NULL, .run_count = keyed ? &runs : NULL);
        jr_spec spec = product_spec();
        if (keyed && accuracy != 0) continue; /* which is refused */
        spec.accuracy = accuracy;
        works(
            jr_work_run_host(device->context, WORK(&spec, .layout = &layouts[l]), DATA_OF(segments, FROM(x), results)));
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

DEVICE_TEST(scans_of_a_custom_operator_are_given_no_nan) {
    const jr_spec spec = product_spec();
    float x[COUNT], inclusive[COUNT], exclusive[COUNT];
    fill(x);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(x), .count = COUNT, .out = inclusive)));
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE),
                           DATA(.in = FROM(x), .count = COUNT, .out = exclusive)));
    for (int i = 0; i < COUNT; i++) {
        assert_float_equal(inclusive[i], product(x, i + 1, 1), 0);
        assert_float_equal(exclusive[i], product(x, i, 1), 0);
    }
}

/* Norms: what they accumulate in, and how their results are rounded. */

/* accumulate was documented for norms, and norm2 refused it. */
DEVICE_TEST(every_norm_takes_a_type_to_accumulate_in) {
    static const jr_op norms[] = {JR_OP_NORM1, JR_OP_NORM2, JR_OP_NORMINF, JR_OP_SUMSQ};
    static const double wanted[] = {7, 5, 4, 25};
    static const float f32[] = {3, -4};
    static const double f64[] = {3, -4};
    for (size_t o = 0; o < sizeof norms / sizeof *norms; o++)
        for (int wide = 0; wide < 2; wide++)
            for (int asked = 0; asked < 2; asked++) {
                if (!tests_take((int)o + wide + asked, 2)) continue;
                const jr_spec spec = JR_INIT(jr_spec, .op = norms[o], .type = wide ? JR_F64 : JR_F32,
                                             .accumulate = asked ? JR_F64 : JR_F32);
                jr_value value;
                works(jr_reduce_host(device->context, &spec, wide ? (const void *)f64 : f32, 2, &value));
                assert_int_equal(value.type, spec.accumulate);
                assert_true((asked ? value.as.f64 : (double)value.as.f32) == wanted[o]);
            }
}

/* Its squares are kept in f64 at least: nothing overflows that the result holds. */
DEVICE_TEST(norm2_in_f32_overflows_only_where_its_result_does) {
    const float large[] = {3e30f, 4e30f};
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_NORM2, .type = JR_F32, .accumulate = JR_F32};
    jr_value value;
    works(jr_reduce_host(device->context, &spec, large, 2, &value));
    assert_true(value.as.f32 == 5e30f);
}

DEVICE_TEST(norm2_says_that_it_takes_floats) {
    const float data[] = {3, 4};
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_NORM2, .type = JR_F32, .accumulate = JR_I64};
    jr_value value;
    fails(jr_reduce_host(device->context, &spec, data, 2, &value), JR_ERROR_INVALID_ARGUMENT,
          "norm2 accumulates in f32 or f64, not in i64");
}

/* The greatest size of 64-bit integers came to a double, and from there to a narrower type: rounded twice. */
static double norminf(const opened *device, jr_type type, uint64_t bits, jr_type result) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_NORMINF, .type = type, .result = result);
    const uint64_t data[3] = {0, bits, 1};
    jr_value value;
    double number;
    works(jr_reduce_host(device->context, &spec, data, 3, &value));
    works(jr_value_number(&value, &number));
    return number;
}

/* By Python's fractions: the nearest number of the type. */
DEVICE_TEST(sizes_of_64_bits_are_rounded_once) {
    const uint64_t above_a_tie = 9007199791611905; /* 2^53 + 2^29 + 1 */
    assert_true(norminf(device, JR_I64, above_a_tie, JR_F32) == 9007200328482816);
    assert_true(norminf(device, JR_I64, 0 - above_a_tie, JR_F32) == 9007200328482816);
    assert_true(norminf(device, JR_U64, above_a_tie, JR_F32) == 9007200328482816);
    assert_true(norminf(device, JR_U64, above_a_tie - 1, JR_F32) == 9007199254740992); /* the tie, to even */
    assert_true(norminf(device, JR_U64, 830914131249856513, JR_BF16) == 8.331659310635418e+17);
    assert_true(norminf(device, JR_U64, UINT64_MAX, JR_F32) == 0x1p64);
    assert_true(norminf(device, JR_I64, 1ull << 63, JR_F32) == 0x1p63);
    assert_true(norminf(device, JR_I64, above_a_tie, JR_F64) == 9007199791611904);
    assert_true(norminf(device, JR_I64, 3 - above_a_tie, JR_F64) == 9007199791611902);
    assert_true(norminf(device, JR_I64, 0 - 5ull, JR_F16) == 5);
}

/* The root of an exact sum of squares, by 97 bits of it and not by 128, fell short of a middle that it lies above: of
 * a + 1, a + 1, a, a the squares come to (2 a + 1)^2 + 1, whose root is above the middle between 2 a and 2 a + 2. */
static double norm2_of_steps(const opened *device, uint64_t bits, jr_algorithm algorithm) {
    const uint64_t next = bits + 1;
    double a, b;
    memcpy(&a, &bits, sizeof a);
    memcpy(&b, &next, sizeof b);
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_NORM2, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT, .algorithm = algorithm);
    jr_value value;
    works(jr_reduce_host(device->context, &spec, (const double[]){b, -b, a, -a}, 4, &value));
    return value.as.f64;
}

/* Wherever the leading bit lies in a word of 32: at all exponents of a word and more; a is even. */
DEVICE_TEST(roots_just_above_a_middle_are_rounded_up) {
    for (uint64_t exponent = 900; exponent < 934; exponent++) {
        const uint64_t bits = exponent << 52 | 0x2d64ae0ceec46, twice = bits + (1ull << 52) + 1;
        double wanted;
        memcpy(&wanted, &twice, sizeof wanted);
        assert_true(norm2_of_steps(device, bits, JR_ALGORITHM_AUTO) == wanted);
    }
    assert_true(norm2_of_steps(device, 0x78c2d64ae0ceec46, JR_ALGORITHM_TWO_PASS) == 0x1.2d64ae0ceec47p910);
}

/* logsumexp of 0 and -40 was 0 in f64: what the greatest element's own 1 swallows was lost. */
DEVICE_TEST(what_is_small_beside_the_greatest_is_kept) {
    static const double pairs[][2] = {{0, -40}, {-40, 0}, {0, -100}, {0, -700}, {0, -1e-3}, {1e-300, -50}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_LOGSUMEXP, .type = JR_F64};
        const double more = fmax(pairs[i][0], pairs[i][1]), less = fmin(pairs[i][0], pairs[i][1]);
        const double wanted = (double)((long double)more + log1pl(expl((long double)less - (long double)more)));
        jr_value value;
        works(jr_reduce_host(device->context, &spec, pairs[i], 2, &value));
        if (!(fabs(value.as.f64 - wanted) <= 4 * 0x1p-53 * fabs(wanted)))
            fail_msg("logsumexp(%g, %g) is %.17g, not %.17g", pairs[i][0], pairs[i][1], value.as.f64, wanted);
    }
}

DEVICE_TEST(so_it_is_in_f32) {
    const float pair[] = {0, -30};
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_LOGSUMEXP, .type = JR_F32};
    jr_value value;
    works(jr_reduce_host(device->context, &spec, pair, 2, &value));
    assert_true(fabs((double)value.as.f32 - exp(-30)) <= 8 * 0x1p-24 * exp(-30));
}

/* Many that are small, in whatever blocks they lie. */
DEVICE_TEST(many_small_ones_add_up) {
    enum { MANY = 20000 };
    static double data[MANY];
    for (int i = 0; i < MANY; i++) data[i] = -60;
    data[777] = 0;
    for (jr_algorithm a = JR_ALGORITHM_SINGLE_PASS; a <= JR_ALGORITHM_ROWS; a = (jr_algorithm)(a + 1)) {
        const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_LOGSUMEXP, .type = JR_F64, .algorithm = a};
        const double wanted = (MANY - 1) * exp(-60);
        jr_value value;
        works(jr_reduce_host(device->context, &spec, data, MANY, &value));
        assert_true(fabs(value.as.f64 - wanted) <= 1e-13 * wanted);
    }
}

DEVICE_TEST(ends_of_the_range_stay_what_they_were) {
    static const struct {
        double data[2];
        uint64_t count;
        double wanted;
    } rows[] = {{{0}, 0, -(double)INFINITY},
                {{-(double)INFINITY, -(double)INFINITY}, 2, -(double)INFINITY},
                {{(double)INFINITY, (double)INFINITY}, 2, (double)INFINITY},
                {{(double)INFINITY, 3}, 2, (double)INFINITY},
                {{-(double)INFINITY, 3}, 2, 3},
                {{7}, 1, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_LOGSUMEXP, .type = JR_F64};
        jr_value value;
        works(jr_reduce_host(device->context, &spec, rows[i].data, rows[i].count, &value));
        assert_true(value.as.f64 == rows[i].wanted);
    }
    const double nan[2] = {(double)NAN, (double)INFINITY};
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_LOGSUMEXP, .type = JR_F64};
    jr_value value;
    works(jr_reduce_host(device->context, &spec, nan, 2, &value));
    assert_true(isnan(value.as.f64));
}

RUN_TESTS(open_context, close_context)
