/* The root of an exact sum of squares, by 97 bits of it and not by 128, fell short of a middle that it lies above: of
 * a + 1, a + 1, a, a the squares come to (2 a + 1)^2 + 1, whose root is above the middle between 2 a and 2 a + 2. */
#include <string.h>

#include "support/fixtures/open_context.h"

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
static void roots_just_above_a_middle_are_rounded_up(void **state) {
    const opened *device = *state;
    for (uint64_t exponent = 900; exponent < 934; exponent++) {
        const uint64_t bits = exponent << 52 | 0x2d64ae0ceec46, twice = bits + (1ull << 52) + 1;
        double wanted;
        memcpy(&wanted, &twice, sizeof wanted);
        assert_true(norm2_of_steps(device, bits, JR_ALGORITHM_AUTO) == wanted);
    }
    assert_true(norm2_of_steps(device, 0x78c2d64ae0ceec46, JR_ALGORITHM_TWO_PASS) == 0x1.2d64ae0ceec47p910);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(roots_just_above_a_middle_are_rounded_up)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
