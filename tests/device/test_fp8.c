/* e4m3 and e5m2: each of their numbers is read as what it is, each number becomes the nearest of theirs, and operators
 * take them as they take f16. */
#include <math.h>
#include <string.h>

#include "support/every/every_row.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"
#include "support/oracle/reference.h"

static const jr_type types[] = {JR_E4M3, JR_E5M2};
enum { TYPE_COUNT = 2, NUMBERS = 256, MOST = 3 * NUMBERS };

/* A sum of each element alone. */
static void convert(const opened *device, jr_type type, jr_type result, const void *data, uint64_t count,
                    void *results) {
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = type, .result = result};
    const jr_segment_layout layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 1};
    const jr_work_data segments = {.size = sizeof(jr_work_data), .segments = count};
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, &data, results)));
}

static bool same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

TEST(each_number_is_read_as_what_it_is) {
    uint8_t bits[NUMBERS];
    float results[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) bits[i] = (uint8_t)i;
    for (int t = 0; t < TYPE_COUNT; t++) {
        convert(*state, types[t], JR_F32, bits, NUMBERS, results);
        for (int i = 0; i < NUMBERS; i++)
            if (!same((double)results[i], element_float(types[t], bits, (uint64_t)i)))
                fail_msg("%s %02x is %g", jr_type_name(types[t]), (unsigned)i, (double)results[i]);
    }
}

/* Converts numbers, ties and their neighbours, and too large numbers, from f32 and f64. */
TEST(each_number_becomes_the_nearest_ties_to_even) {
    for (int t = 0; t < TYPE_COUNT; t++) {
        double numbers[MOST];
        float singles[MOST];
        uint8_t results[MOST];
        uint64_t count = 0;
        for (unsigned i = 0; i + 1 < NUMBERS / 2; i++) {
            const unsigned next = i + 1;
            const double low = element_float(types[t], &i, 0), high = element_float(types[t], &next, 0);
            if (!isfinite(low) || !isfinite(high)) continue;
            numbers[count++] = (low + high) / 2;
            numbers[count++] = -nextafterf((float)(low + high) / 2, 0);
            numbers[count++] = nextafterf((float)(low + high) / 2, INFINITY);
            numbers[count++] = -high;
        }
        static const double far[] = {464, 464.1, 480, 1e30, 61440, 61439, (double)INFINITY, (double)NAN, 1e-30, -0.0};
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) numbers[count++] = far[i];
        assert_true(count <= MOST);
        for (uint64_t i = 0; i < count; i++) singles[i] = (float)numbers[i];
        for (int wide = 0; wide < 2; wide++) {
            convert(*state, wide ? JR_F64 : JR_F32, types[t], wide ? (const void *)numbers : singles, count, results);
            for (uint64_t i = 0; i < count; i++) {
                uint8_t wanted;
                element_store_float(types[t], &wanted, wide ? numbers[i] : (double)singles[i]);
                if (!same(element_float(types[t], results, i), element_float(types[t], &wanted, 0)))
                    fail_msg("%.9g becomes %s %02x, not %02x", numbers[i], jr_type_name(types[t]), results[i], wanted);
            }
        }
    }
}

DEVICE_TEST(operators_take_them) {
    enum { COUNT = 4099 };
    static uint8_t data[COUNT];
    uint64_t seed = 8;
    for (int t = 0; t < TYPE_COUNT; t++) {
        for (int i = 0; i < COUNT; i++)
            element_store_float(types[t], data + i, (double)random_below(&seed, 65) / 8 - 4);
        for (int o = 0; o < EVERY_OPS; o++) {
            const jr_op op = every_op[o];
            const bool by_itself =
                op != JR_OP_DOT && op != JR_OP_CUSTOM && op != JR_OP_PROD; /* which leaves the range */
            if (!tests_take(o + t, 2)) continue;
            for (uint64_t offset = 0; by_itself && (jr_op_flags(op) & JR_OP_FLAG_FLOATS) && offset < 2; offset++) {
                const jr_spec spec = {.size = sizeof(jr_spec), .op = op, .type = types[t]};
                reference expected;
                jr_value value;
                works(jr_reduce_host(device->context, &spec, data + offset, COUNT - offset, &value));
                reference_reduce(&spec, data + offset, COUNT - offset, &expected);
                reference_assert(&expected, &value, reference_depth(&spec, COUNT, 1, 32, 1), jr_op_name(op));
            }
        }
    }
}

/* A NaN is the extremum unless it is ignored; of nothing the ends of the range are the result. */
DEVICE_TEST(extrema_know_nan_and_the_ends) {
    for (int t = 0; t < TYPE_COUNT; t++) {
        uint8_t data[3];
        jr_value value;
        element_store_float(types[t], data, 2);
        element_store_float(types[t], data + 1, (double)NAN);
        element_store_float(types[t], data + 2, -3);
        jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = types[t]};
        works(jr_reduce_host(device->context, &spec, data, 3, &value));
        assert_true(isnan(element_float(types[t], &value.as, 0)));
        spec.nan = JR_NAN_IGNORE;
        works(jr_reduce_host(device->context, &spec, data, 3, &value));
        assert_true(element_float(types[t], &value.as, 0) == -3);
        spec.op = JR_OP_MAX;
        works(jr_reduce_host(device->context, &spec, data, 3, &value));
        assert_true(element_float(types[t], &value.as, 0) == 2);
    }
}

DEVICE_TEST(expressions_and_scans_take_them) {
    for (int t = 0; t < TYPE_COUNT; t++) {
        uint8_t data[5], scanned[5];
        jr_value value;
        for (int i = 0; i < 5; i++) element_store_float(types[t], data + i, i + 1);
        jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = types[t], .map = "x * 1.3f"};
        works(jr_reduce_host(device->context, &spec, data, 5, &value));
        double wanted = 0;
        for (int i = 0; i < 5; i++) {
            uint8_t mapped;
            element_store_float(types[t], &mapped, (double)((float)(i + 1) * 1.3f));
            wanted += element_float(types[t], &mapped, 0);
        }
        assert_true((double)value.as.f32 == wanted);
        spec = (jr_spec){.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = types[t], .result = types[t]};
        works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                               DATA(.in = FROM(data), .count = 5, .out = scanned)));
        for (int i = 0; i < 5; i++) {
            uint8_t prefix;
            element_store_float(types[t], &prefix, (i + 1) * (i + 2) / 2.0);
            assert_int_equal(scanned[i], prefix);
        }
    }
}

RUN_TESTS(open_context, close_context)
