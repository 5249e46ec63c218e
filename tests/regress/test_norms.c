/* Norms: what they accumulate in, and how their results are rounded. */
#include <string.h>

#include "support/fixtures/open_context.h"

/* accumulate was documented for norms, and norm2 refused it. */

TEST(every_norm_takes_a_type_to_accumulate_in) {
    const opened *device = *state;
    static const jr_op norms[] = {JR_OP_NORM1, JR_OP_NORM2, JR_OP_NORMINF, JR_OP_SUMSQ};
    static const double wanted[] = {7, 5, 4, 25};
    static const float f32[] = {3, -4};
    static const double f64[] = {3, -4};
    for (size_t o = 0; o < sizeof norms / sizeof *norms; o++)
        for (int wide = 0; wide < 2; wide++)
            for (int asked = 0; asked < 2; asked++) {
                const jr_spec spec = {.size = sizeof(jr_spec),
                                      .op = norms[o],
                                      .type = wide ? JR_F64 : JR_F32,
                                      .accumulate = asked ? JR_F64 : JR_F32};
                jr_value value;
                works(jr_reduce_host(device->context, &spec, wide ? (const void *)f64 : f32, 2, &value));
                assert_int_equal(value.type, spec.accumulate);
                assert_true((asked ? value.as.f64 : (double)value.as.f32) == wanted[o]);
            }
}

/* Its squares are kept in f64 at least: nothing overflows that the result holds. */
TEST(norm2_in_f32_overflows_only_where_its_result_does) {
    const opened *device = *state;
    const float large[] = {3e30f, 4e30f};
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_NORM2, .type = JR_F32, .accumulate = JR_F32};
    jr_value value;
    works(jr_reduce_host(device->context, &spec, large, 2, &value));
    assert_true(value.as.f32 == 5e30f);
}

TEST(norm2_says_that_it_takes_floats) {
    const opened *device = *state;
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
TEST(sizes_of_64_bits_are_rounded_once) {
    const opened *device = *state;
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
TEST(roots_just_above_a_middle_are_rounded_up) {
    const opened *device = *state;
    for (uint64_t exponent = 900; exponent < 934; exponent++) {
        const uint64_t bits = exponent << 52 | 0x2d64ae0ceec46, twice = bits + (1ull << 52) + 1;
        double wanted;
        memcpy(&wanted, &twice, sizeof wanted);
        assert_true(norm2_of_steps(device, bits, JR_ALGORITHM_AUTO) == wanted);
    }
    assert_true(norm2_of_steps(device, 0x78c2d64ae0ceec46, JR_ALGORITHM_TWO_PASS) == 0x1.2d64ae0ceec47p910);
}

RUN_TESTS(open_context, close_context)
