/* Arrays whose elements lie apart, backwards or upon each other, along axes: read where they lie on the device, by
 * random views, held against plain loops; and what cannot be read so. */
#include "support/cases/view_case.h"
#include "support/oracle/affine.h"

enum { VIEWS = 60, MOST = 6000 };

/* Memory of an array on the device with these elements; the view's first one is at the result. */
static void *put(const opened *device, const view_case *view, int array, const void *data, size_t bytes) {
    unsigned char *memory = device_new(device, view->elements[array] * bytes);
    device_write(device, memory, data, view->elements[array] * bytes);
    return memory + view->first[array] * bytes;
}

static void drop(const opened *device, const view_case *view, int array, void *first, size_t bytes) {
    device_free(device, (unsigned char *)first - view->first[array] * bytes);
}

/* Runs a spec over a view in device memory, whose arrays have elements of so many bytes. */
static void run(const opened *device, const jr_spec *spec, view_case *view, const void *const *data, size_t bytes,
                void *out) {
    const int arrays = spec->input_count > 1 ? spec->input_count : 1;
    const jr_axis axis = view_axis(view);
    void *in[VIEW_ARRAYS] = {NULL};
    jr_plan *plan = plan_held(device, WORK(spec, .axis = &axis));
    const size_t stride = jr_plan_result_bytes(plan);
    void *results = device_new(device, view->segments * stride);
    for (int a = 0; a < arrays; a++) in[a] = put(device, view, a, data[a], bytes);
    works(jr_work_plan_run(plan, DATA(.in = FROM(in[0], in[1]), .out = results), NULL, NULL));
    device_read(device, out, results, view->segments * stride);
    for (int a = 0; a < arrays; a++) drop(device, view, a, in[a], bytes);
}

TEST(sums_of_random_views_are_those_of_a_loop) {
    static const int blocks[] = {0, 32, 96}, grids[] = {0, 1, 7};
    uint64_t seed = 1;
    for (int n = 0; n < VIEWS; n++) {
        view_case view = view_random(MOST, &seed);
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .block = blocks[n % 5 % 3], .grid = grids[n % 7 % 3]);
        int32_t *data = view_numbers(&view, 0, &seed);
        int64_t *got = test_zeros(view.segments, sizeof *got);
        run(*state, &spec, &view, (const void *const[]){data}, sizeof *data, got);
        for (uint64_t s = 0; s < view.segments; s++) {
            int64_t wanted = 0;
            for (uint64_t k = 0; k < view.length; k++) wanted += data[view_element(&view, 0, s, k)];
            if (got[s] != wanted)
                fail_msg("view %d, segment %d: %lld, not %lld: %s", n, (int)s, (long long)got[s], (long long)wanted,
                         view_text(&view));
        }
    }
}

TEST(the_index_is_that_of_C_order_wherever_the_elements_lie) {
    uint64_t seed = 2;
    for (int n = 0; n < VIEWS; n++) {
        view_case view = view_random(MOST, &seed);
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32, .map = "x / 100", .map_type = JR_I32);
        int32_t *data = view_numbers(&view, 0, &seed);
        int64_t *got = test_zeros(view.segments, sizeof *got);
        run(*state, &spec, &view, (const void *const[]){data}, sizeof *data, got);
        for (uint64_t s = 0; s < view.segments; s++) {
            uint64_t best = 0;
            for (uint64_t k = 1; k < view.length; k++)
                if (data[view_element(&view, 0, s, k)] / 100 > data[view_element(&view, 0, s, best)] / 100) best = k;
            if (got[s] != (int64_t)best)
                fail_msg("view %d, segment %d: %lld, not %lld: %s", n, (int)s, (long long)got[s], (long long)best,
                         view_text(&view));
        }
    }
}

/* The second array lies in another way than the first; the index, and which elements are kept, are of the segment. */
TEST(each_array_has_strides_of_its_own) {
    uint64_t seed = 3;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .input_count = 2, .map = "x * y + i",
                                 .map_type = JR_I64, .where = "y > -500", .kept = 1);
    for (int n = 0; n < VIEWS; n++) {
        view_case view = view_random(MOST, &seed);
        int32_t *x = view_numbers(&view, 0, &seed), *y = view_numbers(&view, 1, &seed);
        int64_t *got = test_zeros(view.segments, 32);
        run(*state, &spec, &view, (const void *const[]){x, y}, sizeof *x, got);
        for (uint64_t s = 0; s < view.segments; s++) {
            int64_t wanted = 0, kept = 0;
            for (uint64_t k = 0; k < view.length; k++) {
                const int64_t a = x[view_element(&view, 0, s, k)], b = y[view_element(&view, 1, s, k)];
                if (b <= -500) continue;
                wanted += a * b + (int64_t)k;
                kept++;
            }
            if (got[4 * s] != wanted || got[4 * s + 2] != kept)
                fail_msg("view %d, segment %d: %lld of %lld, not %lld of %lld: %s", n, (int)s, (long long)got[4 * s],
                         (long long)got[4 * s + 2], (long long)wanted, (long long)kept, view_text(&view));
        }
    }
}

TEST(an_operator_that_does_not_commute_gets_C_order) {
    uint64_t seed = 4;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_U64, .combine = AFFINE_COMBINE, .identity = AFFINE_IDENTITY);
    for (int n = 0; n < VIEWS; n++) {
        view_case view = view_random(MOST, &seed);
        uint64_t *data = test_zeros(view.elements[0], sizeof *data), *got = test_zeros(view.segments, sizeof *got);
        for (uint64_t e = 0; e < view.elements[0]; e++) data[e] = random_bits(&seed) | (1ull << 32);
        run(*state, &spec, &view, (const void *const[]){data}, sizeof *data, got);
        for (uint64_t s = 0; s < view.segments; s++) {
            uint64_t wanted = 1ull << 32;
            for (uint64_t k = 0; k < view.length; k++)
                wanted = affine_combine(wanted, data[view_element(&view, 0, s, k)]);
            if (got[s] != wanted) fail_msg("view %d, segment %d: out of order: %s", n, (int)s, view_text(&view));
        }
    }
}

/* The greatest element's bytes, of all types whose bits are in the order of their values when these are not negative.
 */
TEST(elements_of_every_width_are_read) {
    static const jr_type types[] = {JR_U8, JR_I16, JR_F16, JR_BF16, JR_F32, JR_F64, JR_U64};
    uint64_t seed = 5;
    for (int n = 0; n < 28; n++) {
        const jr_type type = types[n % 7];
        const size_t bytes = jr_type_size(type);
        view_case view = view_random(MOST / 3, &seed);
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = type);
        unsigned char *data = test_zeros(view.elements[0], bytes), *got = test_zeros(view.segments, bytes);
        for (uint64_t e = 0; e < view.elements[0]; e++)
            data[e * bytes + bytes - 1] = (unsigned char)random_below(&seed, 60);
        run(*state, &spec, &view, (const void *const[]){data}, bytes, got);
        for (uint64_t s = 0; s < view.segments; s++) {
            unsigned char most = 0;
            for (uint64_t k = 0; k < view.length; k++) {
                const unsigned char top = data[view_element(&view, 0, s, k) * bytes + bytes - 1];
                if (top > most) most = top;
            }
            if (got[s * bytes + bytes - 1] != most)
                fail_msg("view %d, type %d, segment %d: %d, not %d: %s", n, (int)type, (int)s,
                         got[s * bytes + bytes - 1], most, view_text(&view));
        }
    }
}

TEST(exact_sums_and_lists_of_operators_take_views) {
    static const jr_op ops[] = {JR_OP_MEAN, JR_OP_MAX};
    const jr_spec exact = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT),
                  list = JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_F64);
    /* The even columns of three rows, along the rows. */
    const double x[] = {1e300, -1, 1, -1, -1e300, -1, 5, -1, 6, -1, 7, -1, 1, -1, 2, -1, 4, -1};
    const uint64_t shape[] = {3, 3};
    const int64_t strides[] = {6, 2};
    const opened *device = *state;
    const jr_axis axis =
        JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 1, .strides = (const int64_t *const[]){strides});
    double sums[3], results[3][4];
    jr_plan *plans[2] = {NULL};
    double *d_in = device_new(device, sizeof x), *d_out = device_new(device, sizeof results);
    device_write(device, d_in, x, sizeof x);
    works(jr_work_plan_create(device->context, WORK(&exact, .axis = &axis), &plans[0]));
    works(jr_work_plan_run(plans[0], DATA(.in = FROM(d_in), .out = d_out), NULL, NULL));
    device_read(device, sums, d_out, sizeof sums);
    assert_true(sums[0] == 1 && sums[1] == 18 && sums[2] == 7);
    works(jr_work_plan_create(device->context, WORK(&list, .axis = &axis), &plans[1]));
    works(jr_work_plan_run(plans[1], DATA(.in = FROM(d_in), .out = d_out), NULL, NULL));
    device_read(device, results, d_out, sizeof results);
    assert_true(results[1][0] == 6 && results[1][2] == 7 && results[2][2] == 4);
    for (int p = 0; p < 2; p++) jr_plan_destroy(plans[p]);
}

/* Strides that are C order's after all are no view: the kernels are those of arrays without gaps. */
DEVICE_TEST(strides_of_C_order_change_nothing) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const uint64_t shape[] = {4, 1, 5};
    const int64_t dense[] = {5, 77, 1}, apart[] = {10, 77, 2};
    const jr_axis of_dense = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = 2,
                                     .strides = (const int64_t *const[]){dense}),
                  of_apart = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = 2,
                                     .strides = (const int64_t *const[]){apart}),
                  plain = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = 2);
    const jr_axis *axes[] = {&of_dense, &plain, &of_apart};
    jr_kernel *kernels[3] = {NULL};
    for (int i = 0; i < 3; i++) {
        jr_plan *plan = plan_held(device, WORK(&spec, .axis = axes[i]));
        works(jr_plan_kernel(plan, 0, &kernels[i]));
    }
    assert_ptr_equal(kernels[0], kernels[1]);
    assert_ptr_not_equal(kernels[0], kernels[2]);
}

DEVICE_TEST(what_cannot_be_read_where_it_lies_is_named) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32),
                  same = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_REPRODUCIBLE);
    const uint64_t shape[] = {2, 3}, large[] = {2, 2, 2, 2, 2};
    const int64_t apart[] = {6, 2}, far[] = {1ll << 62, 1}, mixed[] = {1, 100, 7, 1000, 31};
    const int64_t *const of_none[] = {NULL}, *const of_apart[] = {apart}, *const of_far[] = {far},
                         *const of_mixed[] = {mixed};
    const int all[] = {0, 1, 2, 3, 4};
    jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 1, .strides = of_none);
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    uint64_t count;
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&sum, .axis = &axis), &plan), JR_ERROR_INVALID_ARGUMENT,
          "strides[0] is NULL");
    axis.strides = of_far;
    fails(jr_work_plan_create(device->context, WORK(&sum, .axis = &axis), &plan), JR_ERROR_INVALID_ARGUMENT,
          "strides[0] of 4611686018427387904 along axis 0 of 2 elements");
    axis.strides = of_apart;
    fails(jr_work_plan_create(device->context, WORK(&same, .axis = &axis), &plan), JR_ERROR_NOT_APPLICABLE,
          "a reproducible reduction");
    fails(jr_segment_layout_of(&axis, &layout, &count), JR_ERROR_INVALID_ARGUMENT, "axis->strides is set");
    works(jr_work_plan_create(device->context, WORK(&sum, .axis = &axis), &plan));
    float *memory = device_new(device, 64 * sizeof *memory);
    fails(jr_work_plan_run(plan, DATA(.in = FROM(memory), .out = memory + 10), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "overlap the input");
    works(jr_work_plan_run(plan, DATA(.in = FROM(memory), .out = memory + 12), NULL, NULL));
    fails(jr_work_plan_run(plan, DATA(.in = FROM(NULL), .out = memory), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "d_in is NULL");
    fails(jr_work_plan_run(plan, DATA(.in = FROM((char *)memory + 1), .out = memory + 12), NULL, NULL),
          JR_ERROR_INVALID_ARGUMENT, "not aligned to its elements");
    jr_plan_destroy(plan);
    axis = JR_INIT(jr_axis, .shape = large, .dimensions = 5, .axes = all, .axis_count = 5, .strides = of_mixed);
    fails(jr_work_plan_create(device->context, WORK(&sum, .axis = &axis), &plan), JR_ERROR_NOT_APPLICABLE,
          "strides along 5 reduced axes and 0 others");
}

RUN_TESTS(open_context, close_context)
