/* map_type was not applied for i8 u8 i16 u16 f16 bf16 bool: the operator was given the wider value of a register. */
#include <string.h>

#include "support/every/every_row.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"

#include <math.h>

static jr_value reduce(const opened *device, const jr_spec *spec, const void *data, uint64_t count) {
    jr_value value;
    works(jr_reduce_host(device->context, spec, data, count, &value));
    return value;
}

TEST(what_map_gives_is_converted_before_the_operator_sees_it) {
    const float half[] = {0.5f}, two[] = {300, 1e30f}, large[] = {2049, 1};
    const uint8_t flags[] = {1, 1, 0};
    jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_ANY, .type = JR_F32, .map = "x", .map_type = JR_BOOL};
    assert_int_equal(reduce(*state, &spec, half, 1).as.boolean, 1);
    spec = (jr_spec){.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_BOOL, .map = "x * 5"};
    assert_int_equal(reduce(*state, &spec, flags, 3).as.u64, 2);
    spec = (jr_spec){.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x", .map_type = JR_I8};
    assert_int_equal(reduce(*state, &spec, two, 2).as.i64, 254);
    spec.map = "(int)x + 200";
    assert_int_equal(reduce(*state, &spec, half, 1).as.i64, -56);
    spec = (jr_spec){.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x", .map_type = JR_F16};
    assert_true((double)reduce(*state, &spec, large, 1).as.f32 == 2048);
    spec.map_type = JR_BF16;
    assert_true((double)reduce(*state, &spec, large, 1).as.f32 == 2048);
}

/* The same for every type: a sum of one element, in what the type accumulates. */
TEST(every_type_of_map_is_the_type_that_was_promised) {
    static const double numbers[] = {0, 0.5, -0.75, 1, -1, 3.25, 100, 200, 300, -300, 40000, -40000, 70000, 2049, 1e9};
    for (size_t t = 0; t < EVERY_TYPES; t++)
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            const jr_spec spec = {.size = sizeof(jr_spec),
                                  .op = JR_OP_SUM,
                                  .type = JR_F64,
                                  .map = "x",
                                  .map_type = every_type[t],
                                  .result = JR_F64};
            jr_value element;
            works(jr_value_of_number(every_type[t], numbers[i], &element));
            const long double wanted = element_number(every_type[t], &element.as, 0);
            const double got = reduce(*state, &spec, &numbers[i], 1).as.f64;
            if ((long double)got != wanted && !(isnan(got) && isnan(wanted)))
                fail_msg("%g as %s: %g, not %Lg", numbers[i], jr_type_name(every_type[t]), got, wanted);
        }
}

RUN_TESTS(open_context, close_context)
