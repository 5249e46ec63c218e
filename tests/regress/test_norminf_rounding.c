/* The greatest size of 64-bit integers came to a double, and from there to a narrower type: rounded twice. */
#include "support/fixtures/open_context.h"

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
static void sizes_of_64_bits_are_rounded_once(void **state) {
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_of_64_bits_are_rounded_once)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
