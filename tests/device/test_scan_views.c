/* Scans of arrays in device memory whose elements lie apart, backwards or upon each other: read where they lie, by
 * random views, held against plain loops; results are in C order. */
#include "support/cases/view_case.h"
#include "support/oracle/affine.h"

enum { VIEWS = 40, MOST = 4000 };

/* A random view that is scanned along one axis: of its C order, each element's predecessor lies `inner` before it. */
typedef struct scanned {
    view_case view;
    jr_axis axis;
    uint64_t count, inner, length;
    jr_work_kind kind;
} scanned;

static void make(scanned *made, uint64_t most, uint64_t *seed) {
    made->view = view_random(most, seed);
    view_case *view = &made->view;
    const int along = (int)random_below(seed, (uint64_t)view->dimensions);
    made->axis = view_axis(view);
    made->axis.axes = NULL;
    made->axis.axis_count = 0;
    made->axis.axis = along;
    made->count = view->segments * view->length;
    made->length = view->shape[along];
    made->inner = 1;
    made->kind = JR_WORK_SCAN_INCLUSIVE;
    for (int k = along + 1; k < view->dimensions; k++) made->inner *= view->shape[k];
    view->reduced = (1u << view->dimensions) - 1; /* so that view_element counts all */
}

static bool begins(const scanned *of, uint64_t element) {
    return element / of->inner % of->length == 0;
}

static uint64_t at(const scanned *of, int array, uint64_t element) {
    return view_element(&of->view, array, 0, element);
}

/* Scans device copies of the arrays into results of so many bytes. */
static void run(const opened *device, const jr_spec *spec, scanned *of, const void *const *data, void *out,
                size_t result_bytes) {
    const int arrays = spec->input_count > 1 ? spec->input_count : 1;
    unsigned char *memory[VIEW_ARRAYS] = {NULL}, *in[VIEW_ARRAYS] = {NULL};
    const size_t bytes = jr_type_size(spec->type);
    view_axis(&of->view); /* the view may have been copied */
    of->axis.shape = of->view.shape;
    of->axis.strides = of->view.given;
    jr_plan *plan = plan_held(device, WORK(spec, .kind = of->kind, .axis = &of->axis));
    void *results = device_new(device, of->count * result_bytes);
    for (int a = 0; a < arrays; a++) {
        memory[a] = device_new(device, of->view.elements[a] * bytes);
        device_write(device, memory[a], data[a], of->view.elements[a] * bytes);
        in[a] = memory[a] + of->view.first[a] * bytes;
    }
    works(jr_work_plan_run(plan, DATA(.in = FROM(in[0], in[1]), .out = results), NULL, NULL));
    device_read(device, out, results, of->count * result_bytes);
    for (int a = 0; a < arrays; a++) device_free(device, memory[a]);
}

TEST(running_sums_of_random_views_are_those_of_a_loop) {
    static const int blocks[] = {0, 32, 0}, unrolls[] = {0, 3, 0};
    uint64_t seed = 1;
    for (int n = 0; n < VIEWS; n++) {
        scanned of;
        make(&of, MOST, &seed);
        const bool exclusive = n % 4 == 0;
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .block = blocks[n % 3], .unroll = unrolls[n % 3]);
        int32_t *data = view_numbers(&of.view, 0, &seed);
        int64_t *got = test_zeros(of.count, sizeof *got);
        if (exclusive) of.kind = JR_WORK_SCAN_EXCLUSIVE;
        run(*state, &spec, &of, (const void *const[]){data}, got, sizeof *got);
        for (uint64_t e = 0; e < of.count; e++) {
            int64_t wanted = begins(&of, e) ? 0 : got[e - of.inner];
            if (!exclusive) wanted += data[at(&of, 0, e)];
            if (exclusive && !begins(&of, e)) wanted += data[at(&of, 0, e - of.inner)];
            if (got[e] != wanted)
                fail_msg("view %d, element %d: %lld, not %lld: axis %d, %s", n, (int)e, (long long)got[e],
                         (long long)wanted, of.axis.axis, view_text(&of.view));
        }
    }
}

/* The second array lies in another way than the first; the index is that in the segment. */
TEST(each_array_has_strides_of_its_own) {
    uint64_t seed = 2;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .input_count = 2, .map = "x * y + i",
                                 .map_type = JR_I64, .where = "y > -500");
    for (int n = 0; n < VIEWS; n++) {
        scanned of;
        make(&of, MOST, &seed);
        int32_t *x = view_numbers(&of.view, 0, &seed), *y = view_numbers(&of.view, 1, &seed);
        int64_t *got = test_zeros(of.count, sizeof *got);
        run(*state, &spec, &of, (const void *const[]){x, y}, got, sizeof *got);
        for (uint64_t e = 0; e < of.count; e++) {
            const int64_t a = x[at(&of, 0, e)], b = y[at(&of, 1, e)], index = (int64_t)(e / of.inner % of.length);
            const int64_t wanted = (begins(&of, e) ? 0 : got[e - of.inner]) + (b > -500 ? a * b + index : 0);
            if (got[e] != wanted) fail_msg("view %d, element %d: %s", n, (int)e, view_text(&of.view));
        }
    }
}

TEST(an_operator_that_does_not_commute_gets_C_order) {
    uint64_t seed = 3;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_U64, .combine = AFFINE_COMBINE, .identity = AFFINE_IDENTITY);
    for (int n = 0; n < VIEWS; n++) {
        scanned of;
        make(&of, MOST, &seed);
        uint64_t *data = test_zeros(of.view.elements[0], sizeof *data), *got = test_zeros(of.count, sizeof *got);
        for (uint64_t e = 0; e < of.view.elements[0]; e++) data[e] = random_bits(&seed) | (1ull << 32);
        run(*state, &spec, &of, (const void *const[]){data}, got, sizeof *got);
        for (uint64_t e = 0; e < of.count; e++) {
            const uint64_t before = begins(&of, e) ? 1ull << 32 : got[e - of.inner];
            if (got[e] != affine_combine(before, data[at(&of, 0, e)]))
                fail_msg("view %d, element %d: out of order: %s", n, (int)e, view_text(&of.view));
        }
    }
}

/* The greatest element's bytes, of types whose bits are in the order of their values when these are not negative. */
TEST(elements_of_every_width_are_read) {
    static const jr_type types[] = {JR_U8, JR_I16, JR_F16, JR_BF16, JR_F32, JR_F64, JR_U64};
    uint64_t seed = 4;
    for (int n = 0; n < (tests_are_whole() ? 14 : 7); n++) {
        const jr_type type = types[n % 7];
        const size_t bytes = jr_type_size(type);
        scanned of;
        make(&of, MOST / 3, &seed);
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = type);
        unsigned char *data = test_zeros(of.view.elements[0], bytes), *got = test_zeros(of.count, bytes);
        for (uint64_t e = 0; e < of.view.elements[0]; e++)
            data[e * bytes + bytes - 1] = (unsigned char)random_below(&seed, 60);
        run(*state, &spec, &of, (const void *const[]){data}, got, bytes);
        for (uint64_t e = 0; e < of.count; e++) {
            const unsigned char top = data[at(&of, 0, e) * bytes + bytes - 1],
                                before = begins(&of, e) ? 0 : got[(e - of.inner) * bytes + bytes - 1];
            if (got[e * bytes + bytes - 1] != (top > before ? top : before))
                fail_msg("view %d, type %d, element %d: %s", n, (int)type, (int)e, view_text(&of.view));
        }
    }
}

/* Few long columns are cut into parts, whose folds are scanned. */
DEVICE_TEST(long_columns_of_a_view_are_cut_into_parts) {
    enum { ROWS = 5000, COLUMNS = 3 };
    static int32_t data[2 * ROWS * COLUMNS + 1];
    static int64_t got[ROWS * COLUMNS];
    const uint64_t shape[] = {ROWS, COLUMNS};
    const int64_t turned[] = {-2 * COLUMNS, 2};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .strides = (const int64_t *const[]){turned});
    uint64_t seed = 5;
    for (int e = 0; e <= 2 * ROWS * COLUMNS; e++) data[e] = (int32_t)random_below(&seed, 2001) - 1000;
    int32_t *d_in = device_new(device, sizeof data);
    int64_t *d_out = device_new(device, sizeof got);
    device_write(device, d_in, data, sizeof data);
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in + 2 * COLUMNS * (ROWS - 1)), .out = d_out), NULL, NULL));
    device_read(device, got, d_out, sizeof got);
    for (int e = 0; e < ROWS * COLUMNS; e++) {
        const int row = e / COLUMNS, column = e % COLUMNS;
        const int64_t before = row == 0 ? 0 : got[e - COLUMNS];
        assert_int_equal(got[e], before + data[2 * COLUMNS * (ROWS - 1 - row) + 2 * column]);
    }
}

/* Axes that do not merge may be as many as an array has. */
DEVICE_TEST(eight_axes_in_any_order_are_read) {
    enum { COUNT = 1 << 8 };
    static const int64_t mixed[] = {1, 64, 2, 128, 4, 16, 32, 8};
    static const uint64_t shape[] = {2, 2, 2, 2, 2, 2, 2, 2};
    int32_t data[COUNT];
    int64_t got[COUNT];
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    int32_t *d_in = device_new(device, sizeof data);
    int64_t *d_out = device_new(device, sizeof got);
    for (int e = 0; e < COUNT; e++) data[e] = e * e % 1009;
    device_write(device, d_in, data, sizeof data);
    for (int along = 0; along < 8; along++) {
        const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 8, .axis = along,
                                     .strides = (const int64_t *const[]){mixed});
        jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis));
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .out = d_out), NULL, NULL));
        device_read(device, got, d_out, sizeof got);
        for (int e = 0; e < COUNT; e++) {
            int64_t place = 0;
            for (int k = 0; k < 8; k++) place += (e >> (7 - k) & 1) * mixed[k];
            const int inner = 1 << (7 - along);
            assert_int_equal(got[e], data[place] + (e / inner % 2 == 0 ? 0 : got[e - inner]));
        }
    }
}

DEVICE_TEST(strides_of_C_order_change_no_kernel) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const uint64_t shape[] = {4, 1, 5};
    const int64_t dense[] = {5, 77, 1}, apart[] = {10, 77, 2};
    for (int along = 0; along < 3; along += 2) {
        const jr_axis of_dense = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = along,
                                         .strides = (const int64_t *const[]){dense}),
                      of_apart = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = along,
                                         .strides = (const int64_t *const[]){apart}),
                      plain = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = along);
        const jr_axis *axes[] = {&of_dense, &plain, &of_apart};
        jr_kernel *kernels[3] = {NULL};
        for (int i = 0; i < 3; i++) {
            jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = axes[i]));
            works(jr_plan_kernel(plan, 0, &kernels[i]));
        }
        assert_ptr_equal(kernels[0], kernels[1]);
        assert_ptr_not_equal(kernels[0], kernels[2]);
    }
}

DEVICE_TEST(what_a_scan_of_a_view_does_not_take_is_named) {
    const uint64_t shape[] = {2, 3};
    const int64_t backwards[] = {-6, 2};
    const jr_axis axis =
        JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 1, .strides = (const int64_t *const[]){backwards});
    jr_plan *plan = NULL;
    static const jr_algorithm others[] = {JR_ALGORITHM_BULK_COPY, JR_ALGORITHM_WAVE, JR_ALGORITHM_ONE_BLOCK};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64, .algorithm = others[i]);
        fails(jr_work_plan_create(device->context, WORK(&spec, .axis = &axis, .kind = JR_WORK_SCAN_INCLUSIVE), &plan),
              JR_ERROR_NOT_APPLICABLE, "axis->strides are not: set spec.algorithm to 0");
    }
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64, .algorithm = JR_ALGORITHM_SINGLE_PASS);
    int64_t *memory = device_new(device, 64 * sizeof *memory), *first = memory + 20;
    works(jr_work_plan_create(device->context, WORK(&spec, .axis = &axis, .kind = JR_WORK_SCAN_INCLUSIVE), &plan));
    fails(jr_work_plan_run(plan, DATA(.in = FROM(first), .out = memory + 9), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "overlap the input");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(first), .out = first), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "overlap the input");
    works(jr_work_plan_run(plan, DATA(.in = FROM(first), .out = memory + 8), NULL, NULL));
    works(jr_work_plan_run(plan, DATA(.in = FROM(first), .out = first + 5), NULL, NULL));
    fails(jr_work_plan_run(plan, DATA(.in = FROM(NULL), .out = memory), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "d_in is NULL");
    jr_plan_destroy(plan);
}

DEVICE_TEST(who_takes_no_strides_is_named) {
    static const uint64_t shape[] = {2};
    static const int64_t apart[] = {2}, *const strides[] = {apart};
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 1, .strides = strides);
    const jr_work work = JR_INIT(jr_work, .spec = &sum, .kind = JR_WORK_SCAN_INCLUSIVE, .axis = &axis);
    const int32_t data[3] = {0};
    int64_t results[2];
    jr_context *const contexts[] = {device->context};
    jr_tuned tuned = JR_INIT(jr_tuned);
    jr_group_plan *plan = NULL;
    jr_group *group = group_held(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = 1));
    fails(
        jr_work_group_host(group, &work, DATA(.in = FROM(data), .out = results)), JR_ERROR_INVALID_ARGUMENT,
        "axis->strides is set, which only reductions and scans of one device take, in host memory, by a plan or for a "
        "pack, and a group does not");
    fails(jr_work_group_plan_create(group, WORK(&sum, .axis = &axis), &plan), JR_ERROR_INVALID_ARGUMENT,
          "and a plan of a group does not");
    fails(jr_work_tune(device->context, &work, 2, NULL, &tuned), JR_ERROR_INVALID_ARGUMENT,
          "work->axis is set, and a tuning takes no segments");
}

RUN_TESTS(open_context, close_context)
