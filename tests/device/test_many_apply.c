/* Many arrays whose elements are replaced by an expression of them and of what all were reduced to. */
#include <math.h>
#include <string.h>

#include "support/cases/many_case.h"

/* Scales the arrays by an expression of the results, and gets those. */
static void scale(const opened *device, const jr_spec *spec, const tables *made, void *found, size_t bytes) {
    const jr_segment_layout layout = layout_of(made);
    unsigned char *d_out = device_new(device, bytes);
    jr_plan *plan = plan_held(device, WORK(spec, .kind = JR_WORK_APPLY, .layout = &layout));
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .out = d_out), NULL, NULL));
    device_read(device, found, d_out, bytes);
    device_read(device, made->h_bytes, made->d_bytes, made->bytes + 16);
}

TEST(arrays_are_scaled_by_the_norm_of_all) {
    const jr_parameter most = {.name = "most", .value = {JR_F32, {.f32 = 2.5F}}};
    const jr_spec clip =
        JR_INIT(jr_spec, .op = JR_OP_NORM2, .type = JR_F32, .apply = "x * fminf(most / (all + 1e-6f), 1.0f)",
                .parameters = &most, .parameter_count = 1);
    tables made = {.count = 0};
    float found[5];
    add_array(&made, JR_F32, 5000, 1);
    add_array(&made, JR_BF16, 9001, 3);
    add_array(&made, JR_F16, 77, 2);
    add_array(&made, JR_F32, 0, 0);
    fill_arrays(*state, &made);
    scale(*state, &clip, &made, found, sizeof found);
    const float by = fminf(2.5F / (found[4] + 1e-6F), 1);
    assert_true(by < 0.1F);
    for (uint64_t a = 0; a < made.count; a++)
        for (uint64_t k = 0; k < made.arrays[a].count; k++) {
            unsigned char wanted[8];
            element_store_float(made.arrays[a].type, wanted, (float)made.numbers[a][k] * by);
            assert_memory_equal(wanted, made.h_bytes + made.offsets[a] + k * element_bytes(made.arrays[a].type),
                                element_bytes(made.arrays[a].type));
        }
    free_arrays(*state, &made);
}

TEST(each_array_is_applied_to_with_its_own_results_and_nobody_needs_them) {
    static const jr_op ops[] = {JR_OP_MIN, JR_OP_MAX};
    const jr_spec to_unit = JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_F64,
                                    .apply = "(x - r0) / (r1 - r0) + (all1 - all1) + 0 * i");
    tables made = {.count = 0};
    add_array(&made, JR_F64, 5001, 1);
    add_array(&made, JR_F64, 60, 0);
    fill_arrays(*state, &made);
    const jr_segment_layout layout = layout_of(&made);
    jr_plan *plan = plan_held(*state, WORK(&to_unit, .kind = JR_WORK_APPLY, .layout = &layout));
    assert_int_equal(jr_plan_result_count(plan), 2);
    assert_int_equal(jr_plan_result_bytes(plan), 32);
    assert_int_equal(jr_plan_result_type_at(plan, 1), JR_F64);
    assert_int_equal(jr_plan_result_offset(plan, 1), 16);
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data), NULL, NULL));
    device_read(*state, made.h_bytes, made.d_bytes, made.bytes + 16);
    for (uint64_t a = 0; a < made.count; a++) {
        double least = 2, greatest = -2;
        for (uint64_t k = 0; k < made.arrays[a].count; k++) {
            least = fmin(least, (double)element_float(JR_F64, made.h_bytes + made.offsets[a], k));
            greatest = fmax(greatest, (double)element_float(JR_F64, made.h_bytes + made.offsets[a], k));
        }
        assert_true(least == 0 && greatest == 1);
    }
    free_arrays(*state, &made);
}

TEST(rows_have_no_result_of_all_arrays) {
    const opened *device = *state;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .apply = "x / all");
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4);
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_APPLY, .layout = &rows), &plan),
          JR_ERROR_INVALID_ARGUMENT, "apply names the result of all arrays");
}

RUN_TESTS(open_context, close_context)
