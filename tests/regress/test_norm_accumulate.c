/* accumulate was documented for norms, and norm2 refused it. */
#include "support/fixtures/open_context.h"

static void every_norm_takes_a_type_to_accumulate_in(void **state) {
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
static void norm2_in_f32_overflows_only_where_its_result_does(void **state) {
    const opened *device = *state;
    const float large[] = {3e30f, 4e30f};
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_NORM2, .type = JR_F32, .accumulate = JR_F32};
    jr_value value;
    works(jr_reduce_host(device->context, &spec, large, 2, &value));
    assert_true(value.as.f32 == 5e30f);
}

static void norm2_says_that_it_takes_floats(void **state) {
    const opened *device = *state;
    const float data[] = {3, 4};
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_NORM2, .type = JR_F32, .accumulate = JR_I64};
    jr_value value;
    fails(jr_reduce_host(device->context, &spec, data, 2, &value), JR_ERROR_INVALID_ARGUMENT,
          "norm2 accumulates in f32 or f64, not in i64");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_norm_takes_a_type_to_accumulate_in),
        cmocka_unit_test(norm2_in_f32_overflows_only_where_its_result_does),
        cmocka_unit_test(norm2_says_that_it_takes_floats),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
