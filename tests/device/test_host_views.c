/* Arrays in host memory whose elements lie apart, backwards or upon each other: reduced along axes and scanned, at once
 * and in parts, held against plain loops. */
#include "support/cases/view_case.h"

enum { VIEWS = 40, MOST = 5000 };

TEST(reductions_along_axes_are_those_of_a_loop) {
    const opened *device = *state;
    uint64_t seed = 1;
    for (int n = 0; n < VIEWS; n++) {
        view_case view = view_random(MOST, &seed);
        const jr_axis axis = view_axis(&view);
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .input_count = 2, .map = "x * y + i",
                                     .map_type = JR_I64, .device_bytes = n % 2 == 0 ? 0 : 8000);
        int32_t *x = view_numbers(&view, 0, &seed), *y = view_numbers(&view, 1, &seed);
        int64_t *got = test_zeros(view.segments, sizeof *got);
        works(jr_work_run_host(device->context, WORK(&spec, .axis = &axis),
                               DATA(.in = FROM(x + view.first[0], y + view.first[1]), .out = got)));
        for (uint64_t s = 0; s < view.segments; s++) {
            int64_t wanted = 0;
            for (uint64_t k = 0; k < view.length; k++)
                wanted += (int64_t)x[view_element(&view, 0, s, k)] * y[view_element(&view, 1, s, k)] + (int64_t)k;
            if (got[s] != wanted)
                fail_msg("view %d, segment %d: %lld, not %lld: %s", n, (int)s, (long long)got[s], (long long)wanted,
                         view_text(&view));
        }
    }
}

/* Scans along one axis: the running sum of an element is its own and that of all before it along the axis. */
TEST(scans_along_an_axis_are_those_of_a_loop) {
    const opened *device = *state;
    uint64_t seed = 2;
    for (int n = 0; n < VIEWS; n++) {
        view_case view = view_random(MOST, &seed);
        const int along = (int)random_below(&seed, (uint64_t)view.dimensions);
        jr_axis axis = view_axis(&view);
        axis.axes = NULL;
        axis.axis_count = 0;
        axis.axis = along;
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .device_bytes = n % 2 == 0 ? 0 : 60000);
        const uint64_t count = view.segments * view.length;
        int32_t *x = view_numbers(&view, 0, &seed);
        int64_t *got = test_zeros(count, sizeof *got);
        works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis),
                               DATA(.in = FROM(x + view.first[0]), .out = got)));
        uint64_t inner = 1;
        for (int k = along + 1; k < view.dimensions; k++) inner *= view.shape[k];
        view.reduced = (1u << view.dimensions) - 1;
        for (uint64_t e = 0; e < count; e++) {
            const bool first = e / inner % view.shape[along] == 0;
            const int64_t wanted = x[view_element(&view, 0, 0, e)] + (first ? 0 : got[e - inner]);
            if (got[e] != wanted) fail_msg("view %d, element %d: %s", n, (int)e, view_text(&view));
        }
    }
}

TEST(all_elements_of_one_view_are_one_segment) {
    const opened *device = *state;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_F64),
                  same = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .accuracy = JR_ACCURACY_REPRODUCIBLE);
    const double x[] = {1, 9, 2, 9, 7, 9, 3, 9};
    const uint64_t shape[] = {4};
    const int64_t backwards[] = {-2};
    const jr_axis axis =
        JR_INIT(jr_axis, .shape = shape, .dimensions = 1, .strides = (const int64_t *const[]){backwards});
    int64_t at = -1;
    double sum = 0;
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &axis), DATA(.in = FROM(x + 6), .out = &at)));
    works(jr_work_run_host(device->context, WORK(&same, .axis = &axis), DATA(.in = FROM(x + 6), .out = &sum)));
    assert_int_equal(at, 1);
    assert_true(sum == 13);
}

TEST(what_takes_no_strides_is_named) {
    const opened *device = *state;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .apply = "x - r");
    const uint64_t shape[] = {2, 2};
    const int64_t apart[] = {4, 2};
    const jr_axis axis =
        JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 1, .strides = (const int64_t *const[]){apart});
    float x[8] = {0}, out[4];
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_APPLY, .axis = &axis),
                           DATA(.in = FROM(x), .out = out)),
          JR_ERROR_INVALID_ARGUMENT, "axis->strides is set, which only reductions and scans");
}

TEST(results_of_a_scan_may_not_lie_where_elements_are_read) {
    const opened *device = *state;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64);
    const uint64_t shape[] = {4};
    const int64_t apart[] = {2};
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 1, .strides = (const int64_t *const[]){apart});
    int64_t x[16] = {1, 0, 2, 0, 3, 0, 4};
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis),
                           DATA(.in = FROM(x), .out = x)),
          JR_ERROR_INVALID_ARGUMENT, "overlap the input");
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis),
                           DATA(.in = FROM(x), .out = x + 7)));
    assert_true(x[7] == 1 && x[8] == 3 && x[9] == 6 && x[10] == 10);
}

RUN_TESTS(open_context, close_context)
