/* Rows that are reduced and applied, by hand: infinities, NaN, rows of which `where` leaves nothing, whole numbers,
 * parameters, and what is refused with which reason. */
#include <math.h>
#include <string.h>

#include "support/fixtures/group_case.h"

static jr_segment_layout rows_of(uint64_t length) {
    return JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
}

/* Applies to f32 rows in device memory, which the values replace. */
static void run_rows(const opened *device, const jr_spec *spec, const float *rows, uint64_t count, uint64_t length,
                     float *found) {
    const jr_segment_layout layout = rows_of(length);
    float *d_rows = device_new(device, count * length * sizeof *rows + 16);
    const void *const in[] = {d_rows};
    device_write(device, d_rows, rows, count * length * sizeof *rows);
    jr_plan *plan = plan_held(device, WORK(spec, .kind = JR_WORK_APPLY, .layout = &layout));
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = in, .segments = count, .out = d_rows), NULL, NULL));
    device_read(device, found, d_rows, count * length * sizeof *rows);
}

TEST(infinities_and_nan_stay_in_their_row) {
    static const float rows[5][3] = {
        {-INFINITY, -INFINITY, -INFINITY}, {1, NAN, 2}, {INFINITY, 1, 2}, {-INFINITY, 0, 0}, {5, 5, 5}};
    float found[5][3];
    const jr_spec softmax = JR_INIT(jr_spec, .op = JR_OP_LOGSUMEXP, .type = JR_F32, .apply = "exp(x - r)");
    run_rows(*state, &softmax, rows[0], 5, 3, found[0]);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) assert_true(isnan(found[r][k]));
    assert_true(found[3][0] == 0 && fabsf(found[3][1] - 0.5f) < 1e-6f);
    assert_true(fabsf(found[4][0] - 1 / 3.0f) < 1e-6f);
}

TEST(where_may_leave_nothing_of_a_row) {
    jr_spec some = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .where = "x > 10", .apply = "x + r");
    static const float rows[2][2] = {{1, 2}, {3, 11}};
    float found[2][2];
    run_rows(*state, &some, rows[0], 2, 2, found[0]);
    assert_true(found[0][0] == 1 && found[0][1] == 2 && found[1][0] == 14 && found[1][1] == 22);
    some.op = JR_OP_MAX;
    some.apply = "x - r";
    run_rows(*state, &some, rows[0], 2, 2, found[0]);
    assert_true(found[0][0] == INFINITY && found[1][0] == -8 && found[1][1] == 0);
    some.op = JR_OP_MEAN;
    some.apply = "r";
    run_rows(*state, &some, rows[0], 2, 2, found[0]);
    assert_true(isnan(found[0][0]) && found[1][0] == 11);
}

TEST(whole_numbers_become_floats_or_what_is_asked_for) {
    const opened *device = *state;
    static const int8_t rows[2][3] = {{-5, 1, 4}, {7, 7, 9}};
    int8_t *d_rows = device_new(device, sizeof rows);
    float *d_out = device_new(device, 6 * sizeof(float)), found[6];
    int32_t whole[6];
    const void *const in[] = {d_rows};
    const jr_segment_layout layout = rows_of(3);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I8, .apply = "(x - r) / 2.0f");
    device_write(device, d_rows, rows, sizeof rows);
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_APPLY, .layout = &layout));
    assert_int_equal(jr_plan_result_type(plan), JR_F32);
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = in, .segments = 2, .out = d_out), NULL, NULL));
    device_read(device, found, d_out, sizeof found);
    assert_true(found[0] == -4.5f && found[1] == -1.5f && found[3] == -1 && found[5] == 0);
    spec.apply = "x * r - i";
    spec.apply_type = JR_I32;
    works(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_APPLY, .layout = &layout), &plan));
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = in, .segments = 2, .out = d_out), NULL, NULL));
    device_read(device, whole, d_out, sizeof whole);
    assert_true(whole[0] == -20 && whole[1] == 3 && whole[4] == 62 && whole[5] == 79);
    jr_plan_destroy(plan);
}

TEST(what_no_apply_takes_is_refused_with_the_reason) {
    const opened *device = *state;
    const jr_segment_layout layout = rows_of(4),
                            strided = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = 4, .inner = 3);
    const jr_spec plain = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32);
    jr_spec of = plain;
    jr_plan *plan = NULL;
    jr_value value;
    const float one = 1;
    of.apply = "x - r";
#define APPLIED(spec) WORK(&(spec), .kind = JR_WORK_APPLY, .layout = &layout)
    fails(jr_work_plan_create(device->context, APPLIED(plain), &plan), JR_ERROR_INVALID_ARGUMENT,
          "the work is JR_WORK_APPLY, but spec.apply is NULL");
    fails(jr_reduce_host(device->context, &of, &one, 1, &value), JR_ERROR_INVALID_ARGUMENT,
          "spec.apply is set, and this is no work of kind JR_WORK_APPLY");
    fails(jr_work_plan_create(device->context, WORK(&of, .kind = JR_WORK_APPLY), &plan), JR_ERROR_INVALID_ARGUMENT,
          "work->layout and work->axis are NULL");
    fails(jr_work_plan_create(device->context, WORK(&of, .kind = JR_WORK_APPLY, .layout = &strided), &plan),
          JR_ERROR_NOT_APPLICABLE, "apply takes rows");
    of.kept = 1;
    fails(jr_work_plan_create(device->context, APPLIED(of), &plan), JR_ERROR_INVALID_ARGUMENT, "kept is set");
    of.kept = 0;
    of.row_inputs = 2;
    fails(jr_work_plan_create(device->context, APPLIED(of), &plan), JR_ERROR_INVALID_ARGUMENT,
          "row_inputs is 0x2, and the spec has 1 inputs");
    of.row_inputs = 0;
    of.accuracy = JR_ACCURACY_REPRODUCIBLE;
    fails(jr_work_plan_create(device->context, APPLIED(of), &plan), JR_ERROR_NOT_APPLICABLE,
          "no exact or reproducible");
    of.accuracy = JR_ACCURACY_FAST;
    of.apply = "x - r0";
    fails(jr_work_plan_create(device->context, APPLIED(of), &plan), JR_ERROR_INVALID_EXPRESSION, "r0");
    of.apply = "x - (";
    fails(jr_work_plan_create(device->context, APPLIED(of), &plan), JR_ERROR_INVALID_EXPRESSION, "");
    of.apply = NULL;
    of.apply_type = JR_F32;
    fails(jr_work_plan_create(device->context, APPLIED(of), &plan), JR_ERROR_INVALID_ARGUMENT,
          "apply_type is set, but there is no apply expression");
    const jr_parameter named = {"r", {.type = JR_F32}};
    of.apply = "x - r";
    of.parameters = &named;
    of.parameter_count = 1;
    fails(jr_work_plan_create(device->context, APPLIED(of), &plan), JR_ERROR_INVALID_ARGUMENT,
          "a parameter cannot have the name 'r'");
}

TEST(values_may_not_overlap_weights_or_other_elements) {
    const opened *device = *state;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .apply = "x / r * y", .input_count = 2, .row_inputs = 2);
    const jr_segment_layout layout = rows_of(8);
    float *d_data = device_new(device, 1024);
    const void *const in[] = {d_data, d_data + 64};
    jr_plan *plan = plan_held(device, APPLIED(spec));
    fails(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = in, .segments = 2, .out = d_data + 64), NULL, NULL),
          JR_ERROR_INVALID_ARGUMENT, "the values at");
    fails(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = in, .segments = 2, .out = d_data + 4), NULL, NULL),
          JR_ERROR_INVALID_ARGUMENT, "the values at");
}

/* x / r * y of 50 rows of 7: with room for all rows, for some and for less than one. */
TEST(host_memory_is_applied_to_at_once_and_in_parts) {
    enum { ROWS = 50, LENGTH = 7 };
    const opened *device = *state;
    static const uint64_t rooms[] = {0, 500, 1};
    static const jr_type types[] = {JR_TYPE_NONE, JR_F64};
    const uint64_t shape[] = {ROWS, LENGTH};
    const jr_axis last = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = -1);
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .apply = "x / r * y", .input_count = 2, .row_inputs = 2);
    float weights[LENGTH];
    for (int k = 0; k < LENGTH; k++) weights[k] = (float)(k + 1);
    for (size_t c = 0; c < 6; c++) {
        float rows[ROWS][LENGTH], sums[ROWS] = {0};
        double wide[ROWS][LENGTH];
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < LENGTH; k++) sums[r] += rows[r][k] = (float)(r + k * k + 1);
        const void *const in[] = {rows, weights};
        spec.device_bytes = rooms[c / 2];
        spec.apply_type = types[c % 2];
        const bool is_wide = spec.apply_type == JR_F64;
        works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_APPLY, .axis = &last),
                               &JR_INIT(jr_work_data, .in = in, .out = is_wide ? (void *)wide : (void *)rows)));
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < LENGTH; k++) {
                const double wanted = (double)(r + k * k + 1) / (double)sums[r] * (k + 1);
                const double found = is_wide ? wide[r][k] : (double)rows[r][k];
                assert_true(fabs(found - wanted) <= 1e-6 * wanted);
            }
    }
}

TEST(rows_without_elements_and_no_rows_write_nothing) {
    const opened *device = *state;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .apply = "x - r");
    const jr_segment_layout empty = rows_of(0), some = rows_of(5);
    float x[1] = {7}, out[1] = {9};
    const void *const in[] = {x};
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_APPLY, .layout = &empty),
                           &JR_INIT(jr_work_data, .in = in, .segments = 3, .out = out)));
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_APPLY, .layout = &some),
                           &JR_INIT(jr_work_data, .in = in, .out = out)));
    assert_true(out[0] == 9);
}

TEST(an_apply_goes_into_a_pack_and_no_group_takes_it) {
    const opened *device = *state;
    static const char *const architectures[] = {"compute_75"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .apply = "x - r", .capacity = 100);
    const jr_segment_layout layout = rows_of(5);
    float x[5] = {1, 2, 3, 4, 5};
    const void *const in[] = {x};
    jr_pack *pack = NULL;
    jr_group *group = NULL;
    works(jr_pack_create(NULL, &how, &pack));
    works(jr_work_pack_add(pack, WORK(&spec, .kind = JR_WORK_APPLY, .layout = &layout)));
    jr_pack_destroy(pack);
    group = group_new(device, 1);
    fails(jr_work_group_host(group, WORK(&spec, .kind = JR_WORK_APPLY, .layout = &layout),
                             &JR_INIT(jr_work_data, .in = in, .segments = 1, .out = x)),
          JR_ERROR_NOT_APPLICABLE, "work->kind is JR_WORK_APPLY, which a group does not take");
}

TEST(parameters_change_from_run_to_run) {
    const opened *device = *state;
    static const float rows[4] = {1, 2, 3, 4};
    jr_parameter scale = {"scale", {.type = JR_F32, .as.f32 = 2}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .apply = "x / r * scale",
                                 .parameters = &scale, .parameter_count = 1);
    const jr_segment_layout layout = rows_of(2);
    float *d_rows = device_new(device, sizeof rows), *d_out = device_new(device, sizeof rows), found[4];
    const void *const in[] = {d_rows};
    const jr_work_data data = JR_INIT(jr_work_data, .in = in, .segments = 2, .out = d_out);
    device_write(device, d_rows, rows, sizeof rows);
    jr_plan *plan = plan_held(device, APPLIED(spec));
    works(jr_work_plan_run(plan, &data, NULL, NULL));
    device_read(device, found, d_out, sizeof found);
    assert_true(fabsf(found[0] - 2 / 3.0f) < 1e-6f && fabsf(found[3] - 8 / 7.0f) < 1e-6f);
    scale.value.as.f32 = 21;
    works(jr_plan_parameter_set(plan, "scale", &scale.value));
    works(jr_work_plan_run(plan, &data, NULL, NULL));
    device_read(device, found, d_out, sizeof found);
    assert_true(fabsf(found[0] - 7) < 1e-5f && fabsf(found[3] - 12) < 1e-5f);
}

RUN_TESTS(open_context, close_context)
