/* logsumexp of 0 and -40 was 0 in f64: what the greatest element's own 1 swallows was lost. */
#include <math.h>

#include "support/fixtures/open_context.h"

TEST(what_is_small_beside_the_greatest_is_kept) {
    const opened *device = *state;
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

TEST(so_it_is_in_f32) {
    const opened *device = *state;
    const float pair[] = {0, -30};
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_LOGSUMEXP, .type = JR_F32};
    jr_value value;
    works(jr_reduce_host(device->context, &spec, pair, 2, &value));
    assert_true(fabs((double)value.as.f32 - exp(-30)) <= 8 * 0x1p-24 * exp(-30));
}

/* Many that are small, in whatever blocks they lie. */
TEST(many_small_ones_add_up) {
    const opened *device = *state;
    enum { COUNT = 20000 };
    static double data[COUNT];
    for (int i = 0; i < COUNT; i++) data[i] = -60;
    data[777] = 0;
    for (jr_algorithm a = JR_ALGORITHM_SINGLE_PASS; a <= JR_ALGORITHM_ROWS; a = (jr_algorithm)(a + 1)) {
        const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_LOGSUMEXP, .type = JR_F64, .algorithm = a};
        const double wanted = (COUNT - 1) * exp(-60);
        jr_value value;
        works(jr_reduce_host(device->context, &spec, data, COUNT, &value));
        assert_true(fabs(value.as.f64 - wanted) <= 1e-13 * wanted);
    }
}

TEST(ends_of_the_range_stay_what_they_were) {
    const opened *device = *state;
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
