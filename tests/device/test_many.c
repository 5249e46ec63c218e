/* Many arrays in one launch: each and all together, of every type of floats at every boundary, held against long
 * doubles; arrays without elements, long ones, selections, lists; and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/many_case.h"

/* Runs a plan twice; both times the results have the same bits. */
static void run_many(const opened *device, const jr_spec *spec, const tables *made, void *found, size_t bytes) {
    const jr_segment_layout layout = layout_of(made);
    unsigned char *d_out = device_new(device, bytes), *again = calloc(1, bytes);
    jr_plan *plan = plan_held(device, WORK(spec, .layout = &layout));
    assert_non_null(again);
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .out = d_out), NULL, NULL));
    device_read(device, found, d_out, bytes);
    works(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .out = d_out), NULL, NULL));
    device_read(device, again, d_out, bytes);
    assert_memory_equal(found, again, bytes);
    free(again);
}

/* Norms of each array and of all. */
static void check_norms(const opened *device, jr_type type, const tables *made) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_NORM2, .type = type);
    const size_t bytes = element_bytes(type);
    unsigned char found[(ARRAYS_MAX + 1) * 8];
    long double all = 0;
    run_many(device, &spec, made, found, (made->count + 1) * bytes);
    for (uint64_t a = 0; a < made->count; a++) {
        long double squares = 0;
        for (uint64_t k = 0; k < made->arrays[a].count; k++) squares += made->numbers[a][k] * made->numbers[a][k];
        assert_near(element_float(type, found, a), sqrtl(squares), type == JR_F64 ? 1e-14L : 1e-6L, "norm", a);
        all += squares;
    }
    assert_near(element_float(type, found, made->count), sqrtl(all), type == JR_F64 ? 1e-14L : 1e-6L, "norm",
                made->count);
}

TEST(arrays_of_every_type_at_every_boundary_have_their_norms) {
    static const jr_type types[] = {JR_F32, JR_F16, JR_BF16, JR_F64};
    static const uint64_t lengths[] = {0, 1, 3, 7, 8, 9, 31, 64, 255, 1000, 1024, 4095};
    for (int wide = 0; wide < 2; wide++) {
        tables made = {.count = 0};
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (size_t t = 0; t < (wide ? 4 : 3); t++) add_array(&made, types[t], lengths[l], (int)(l + t) % 8);
        fill_arrays(*state, &made);
        check_norms(*state, wide ? JR_F64 : JR_F32, &made);
        free_arrays(*state, &made);
    }
}

TEST(long_arrays_are_cut_and_their_parts_combined) {
    tables made = {.count = 0};
    add_array(&made, JR_F32, 4097, 1);
    add_array(&made, JR_BF16, 100000, 3);
    add_array(&made, JR_F32, 5, 0);
    add_array(&made, JR_F32, 600001, 0);
    add_array(&made, JR_F16, 8192, 0);
    fill_arrays(*state, &made);
    check_norms(*state, JR_F32, &made);
    free_arrays(*state, &made);
}

TEST(there_may_be_no_arrays) {
    const tables none = {.count = 0};
    float found = 7;
    run_many(*state, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32), &none, &found, sizeof found);
    assert_true(found == 0 && !signbit(found));
}

TEST(empty_arrays_have_what_an_empty_input_has) {
    tables made = {.count = 0};
    float found[3];
    add_array(&made, JR_F32, 0, 0);
    add_array(&made, JR_BF16, 0, 0);
    fill_arrays(*state, &made);
    made.arrays[0].data = NULL;
    run_many(*state, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32), &made, found, sizeof found);
    for (int k = 0; k < 3; k++) assert_true(found[k] == 0 && !signbit(found[k]));
    run_many(*state, &JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_F32), &made, found, sizeof found);
    for (int k = 0; k < 3; k++) assert_true(isnan(found[k]));
    free_arrays(*state, &made);
}

TEST(finite_elements_are_normed_and_counted_in_one_pass) {
    tables made = {.count = 0};
    struct {
        float norm;
        char gap[12];
        uint64_t finite, other_gap;
    } found[3];
    add_array(&made, JR_F32, 5000, 1);
    add_array(&made, JR_BF16, 40, 0);
    fill_arrays(*state, &made);
    const float infinite = INFINITY, nan = NAN;
    const uint16_t minus_infinite = 0xff80;
    device_write(*state, made.d_bytes + made.offsets[0] + 4800 * sizeof(float), &infinite, sizeof infinite);
    device_write(*state, made.d_bytes + made.offsets[0], &nan, sizeof nan);
    device_write(*state, made.d_bytes + made.offsets[1] + 2, &minus_infinite, sizeof minus_infinite);
    run_many(*state, &JR_INIT(jr_spec, .op = JR_OP_NORM1, .type = JR_F32, .where = "isfinite(x)", .kept = 1), &made,
             found, sizeof found);
    assert_int_equal(found[0].finite, 4998);
    assert_int_equal(found[1].finite, 39);
    assert_int_equal(found[2].finite, 5037);
    assert_near(found[2].norm, (long double)found[0].norm + (long double)found[1].norm, 1e-6L, "norm", 2);
    free_arrays(*state, &made);
}

TEST(a_list_of_operators_has_its_results_side_by_side) {
    static const jr_op ops[] = {JR_OP_MIN, JR_OP_SUM, JR_OP_MAX};
    tables made = {.count = 0};
    double found[4][3][2];
    add_array(&made, JR_F64, 9000, 1);
    add_array(&made, JR_F32, 100, 3);
    add_array(&made, JR_F16, 1, 5);
    fill_arrays(*state, &made);
    run_many(*state, &JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_F64), &made, found, sizeof found);
    double least = INFINITY, greatest = -INFINITY, sum = 0;
    for (int a = 0; a < 3; a++) {
        long double own_least = INFINITY, own_greatest = -INFINITY, own_sum = 0;
        for (uint64_t k = 0; k < made.arrays[a].count; k++) {
            own_least = fminl(own_least, made.numbers[a][k]);
            own_greatest = fmaxl(own_greatest, made.numbers[a][k]);
            own_sum += made.numbers[a][k];
        }
        assert_true(found[a][0][0] == (double)own_least && found[a][2][0] == (double)own_greatest);
        assert_near(found[a][1][0], own_sum, 1e-12L, "sum", (uint64_t)a);
        least = fmin(least, (double)own_least);
        greatest = fmax(greatest, (double)own_greatest);
        sum += (double)own_sum;
    }
    assert_true(found[3][0][0] == least && found[3][2][0] == greatest);
    assert_near(found[3][1][0], sum, 1e-12L, "sum", 3);
    free_arrays(*state, &made);
}

TEST(whole_numbers_are_summed_and_the_index_is_that_in_the_array) {
    enum { MANY = 5000 };
    const opened *device = *state;
    int32_t *h_numbers = calloc(MANY + 3, sizeof *h_numbers), *d_numbers = device_new(device, (MANY + 3) * 4);
    int64_t found[3];
    assert_non_null(h_numbers);
    for (int k = 0; k < MANY + 3; k++) h_numbers[k] = 1;
    device_write(device, d_numbers, h_numbers, (MANY + 3) * 4);
    const tables made = {.arrays = {{.data = d_numbers, .count = MANY}, {.data = d_numbers + MANY, .count = 3}},
                         .count = 2};
    run_many(device, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * (i + 1)"), &made, found,
             sizeof found);
    assert_int_equal(found[0], (int64_t)MANY * (MANY + 1) / 2);
    assert_int_equal(found[1], 6);
    assert_int_equal(found[2], (int64_t)MANY * (MANY + 1) / 2 + 6);
    free(h_numbers);
}

TEST(arrays_of_host_memory_are_reduced_and_scaled) {
    const opened *device = *state;
    float first[] = {3, 0, 0}, second[] = {4}, found[4];
    const jr_array arrays[] = {{.data = first, .count = 3}, {.count = 0}, {.data = second, .count = 1}};
    const jr_segment_layout layout =
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_ARRAYS, .arrays = arrays, .array_count = 3);
    jr_spec norm = JR_INIT(jr_spec, .op = JR_OP_NORM2, .type = JR_F32);
    works(jr_work_run_host(device->context, WORK(&norm, .layout = &layout), &JR_INIT(jr_work_data, .out = found)));
    assert_true(found[0] == 3 && found[1] == 0 && found[2] == 4 && found[3] == 5);
    norm.apply = "x / all";
    works(jr_work_run_host(device->context, WORK(&norm, .kind = JR_WORK_APPLY, .layout = &layout),
                           &JR_INIT(jr_work_data)));
    assert_true(first[0] == 0.6F && first[1] == 0 && second[0] == 0.8F);
    norm.apply = NULL;
    fails(jr_work_run_host(device->context, WORK(&norm, .layout = &layout), &JR_INIT(jr_work_data)),
          JR_ERROR_INVALID_ARGUMENT, "data->out is NULL");
}

/* ---- refused ---- */

TEST(wrong_tables_and_specs_are_refused_by_name) {
    const opened *device = *state;
    const jr_spec of_f32 = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_array one = {.data = (void *)0x1000, .count = 3, .type = JR_F64};
    const jr_segment_layout layout =
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_ARRAYS, .arrays = &one, .array_count = 1);
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&of_f32, .layout = &layout), &plan), JR_ERROR_UNSUPPORTED_TYPE,
          "array 0 is of f64, the spec of f32");
    one = (jr_array){.data = (void *)0x1002, .count = 3};
    fails(jr_work_plan_create(device->context, WORK(&of_f32, .layout = &layout), &plan), JR_ERROR_INVALID_ARGUMENT,
          "it must be aligned to its elements of 4 bytes");
    one = (jr_array){.data = NULL, .count = 3};
    fails(jr_work_plan_create(device->context, WORK(&of_f32, .layout = &layout), &plan), JR_ERROR_INVALID_ARGUMENT,
          "arrays[0].data is NULL, but its count is 3");
    one = (jr_array){.data = (void *)0x1000, .count = 3, .unused = 1};
    fails(jr_work_plan_create(device->context, WORK(&of_f32, .layout = &layout), &plan), JR_ERROR_INVALID_ARGUMENT,
          "arrays[0].unused is 1");
    one = (jr_array){.data = (void *)0x1000, .count = 1ull << 48};
    fails(jr_work_plan_create(device->context, WORK(&of_f32, .layout = &layout), &plan), JR_ERROR_INVALID_ARGUMENT,
          "2^48 elements or more");
    one.count = 0;
    fails(jr_work_plan_create(device->context,
                              WORK(&JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_F32), .layout = &layout), &plan),
          JR_ERROR_NOT_APPLICABLE, "a commutative operator that is no index");
    fails(jr_work_plan_create(device->context, WORK(&of_f32, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout), &plan),
          JR_ERROR_INVALID_ARGUMENT, "scan them one by one");
    const jr_segment_layout nowhere = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_ARRAYS, .array_count = 2);
    fails(jr_work_plan_create(device->context, WORK(&of_f32, .layout = &nowhere), &plan), JR_ERROR_INVALID_ARGUMENT,
          "layout.arrays is NULL, but array_count is 2");
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4, .arrays = &one);
    fails(jr_work_plan_create(device->context, WORK(&of_f32, .layout = &rows), &plan), JR_ERROR_INVALID_ARGUMENT,
          "layout.arrays is set, which JR_SEGMENTS_EQUAL does not use");
}

TEST(a_run_of_many_arrays_gets_nothing_but_a_place_for_results) {
    const opened *device = *state;
    const void *const in[] = {NULL};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const tables none = {.count = 0};
    const jr_segment_layout layout = layout_of(&none);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
    fails(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = in), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "data->in is set");
    fails(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .segments = 1), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "data->segments is set");
    fails(jr_work_plan_run(plan, &JR_INIT(jr_work_data), NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "output address");
}

TEST(many_arrays_go_into_a_pack_without_a_table_and_not_to_a_group) {
    static const char *const architectures[] = {"compute_75"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_NORM2, .type = JR_F32, .apply = "x / all", .capacity = 100);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_ARRAYS);
    const jr_work work = JR_INIT(jr_work, .spec = &spec, .kind = JR_WORK_APPLY, .layout = &layout);
    jr_pack *pack = NULL;
    jr_group_plan *plan = NULL;
    jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    works(jr_pack_create(NULL, &how, &pack));
    works(jr_work_pack_add(pack, &work));
    jr_pack_destroy(pack);
    jr_group *group = group_new(*state, 1);
    fails(jr_work_group_plan_create(group, WORK(&sum, .layout = &layout), &plan), JR_ERROR_NOT_APPLICABLE,
          "the layout is of many arrays (JR_SEGMENTS_ARRAYS), which a plan of a group does not take");
}

RUN_TESTS(open_context, close_context)
