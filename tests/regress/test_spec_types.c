/* A map to a struct that nobody described crashed; dot ignored the type of its second input; norms in unsigned
 * accumulators took negative elements for huge ones; parameters could be named as words of the language; the bytes of
 * a workspace for a huge capacity overflowed. */
#include <float.h>
#include <string.h>

#include "support/fixtures/open_context.h"

TEST(a_map_to_a_struct_without_structure_is_refused) {
    const jr_structure unnamed =
        JR_INIT(jr_structure, .source = "struct pair { int a, b; };", .bytes = 8, .alignment = 4);
    const jr_structure huge = JR_INIT(jr_structure, "pair", "struct pair { int a[999]; };", 3996, 4);
    const jr_structure *const structures[] = {NULL, &unnamed, &huge};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_F32, .map = "x", .map_type = JR_STRUCT,
                                     .combine = "a", .identity = "a", .structure = structures[i]);
        assert_int_equal(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, "struct"));
    }
}

TEST(dot_accumulates_in_the_wider_of_its_types) {
    const opened *device = *state;
    const float x[2] = {1, 2};
    const double y[2] = {DBL_MAX / 4, 1};
    const void *arrays[] = {x, y}, *swapped[] = {y, x};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F32, .more_types = {JR_F64});
    jr_value value;
    works(jr_reduce_host_arrays(device->context, &spec, arrays, 2, &value));
    assert_int_equal(value.type, JR_F64);
    assert_true(value.as.f64 == DBL_MAX / 4);
    spec.type = JR_F64, spec.more_types[0] = JR_F32;
    works(jr_reduce_host_arrays(device->context, &spec, swapped, 2, &value));
    assert_true(value.as.f64 == DBL_MAX / 4);
}

TEST(norms_in_unsigned_accumulators_take_the_size_of_elements) {
    const opened *device = *state;
    const int8_t small[3] = {-128, 3, -4};
    const float floats[3] = {-128, 3, -4};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_NORM1, .type = JR_I8, .accumulate = JR_U64);
    jr_value value;
    works(jr_reduce_host(device->context, &spec, small, 3, &value));
    assert_int_equal(value.as.u64, 135);
    spec.type = JR_F32;
    works(jr_reduce_host(device->context, &spec, floats, 3, &value));
    assert_int_equal(value.as.u64, 135);
    spec.op = JR_OP_NORMINF;
    works(jr_reduce_host(device->context, &spec, floats, 3, &value));
    assert_int_equal(value.as.u64, 128);
}

TEST(words_of_the_language_cannot_name_parameters) {
    static const char *const names[] = {"int", "true", "if", "printf", "jr_x", "_Bool", "threadIdx"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const jr_parameter parameter = {names[i], {JR_F32, {.f32 = 1}}};
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = "x", .parameters = &parameter,
                                     .parameter_count = 1);
        assert_int_equal(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, names[i]));
    }
}

TEST(an_expression_without_a_value_is_shown_as_it_was_written) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = "(void)x");
    (void)state;
    assert_int_equal(jr_reduce_check(&spec, NULL), JR_ERROR_INVALID_EXPRESSION);
    assert_non_null(strstr(jr_last_error()->log, "(void)x"));
}

TEST(a_capacity_whose_workspace_would_overflow_is_refused) {
    const opened *device = *state;
    const uint64_t wraps = (1ull << 62) + 2; /* with half as many accumulators of 8 bytes: 8 bytes */
    const jr_spec specs[] = {
        {.size = sizeof(jr_spec),
         .op = JR_OP_SUM,
         .type = JR_I32,
         .algorithm = JR_ALGORITHM_STRIDED,
         .unroll = 2,
         .capacity = wraps},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32, .max_launch_ms = 1, .capacity = UINT64_MAX}};
    for (size_t i = 0; i < 2; i++) {
        jr_plan *plan = NULL;
        assert_int_equal(jr_plan_create(device->context, &specs[i], &plan), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, "capacity"));
        assert_null(plan);
    }
}

RUN_TESTS(open_context, close_context)
