/* Kept states of exact sums: whatever is added to what, in whatever parts, the bytes and the values are those of all
 * elements at once. tests/judge/exact_states.py reads the bytes by Python's fractions. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/exact_state_case.h"
#include "support/fixtures/plan_case.h"

enum { COUNT = 5003, PARTS = 5 };

/* Where parts begin; one is empty, one has one element. */
static const uint64_t begins[PARTS + 1] = {0, 1, 1, 1027, 4000, COUNT};

/* Finite floats of every exponent and sign. */
static void fill(float *x, float *y) {
    uint64_t seed = 31;
    for (int i = 0; i < COUNT; i++) {
        const uint64_t random = random_bits(&seed);
        const uint32_t one = ((uint32_t)random & 0x807fffff) | (uint32_t)((random >> 32) % 255) << 23;
        const uint32_t other = ((uint32_t)(random >> 20) & 0x807fffff) | (uint32_t)((random >> 40) % 255) << 23;
        memcpy(&x[i], &one, sizeof one);
        memcpy(&y[i], &other, sizeof other);
    }
}

/* Each part in a state of its own, written and added to one of nothing, from the last to the first. */
static void add_parts_from_the_last(const opened *device, const jr_spec *spec, const float *x, const float *y,
                                    jr_exact_state *all) {
    for (int p = PARTS - 1; p >= 0; p--) {
        const void *const arrays[] = {x + begins[p], y + begins[p]};
        jr_exact_state *part = exact_state_new(device, spec);
        works(jr_exact_state_fold_host(part, arrays, begins[p + 1] - begins[p], begins[p]));
        const written_state bytes = exact_state_written(part);
        if (p % 2 == 0)
            works(jr_exact_state_add_bytes(all, bytes.bytes, bytes.size));
        else
            works(jr_exact_state_add(all, part));
        jr_exact_state_destroy(part);
    }
}

static void assert_parts_are_the_whole(const opened *device, const jr_spec *spec, const float *x, const float *y) {
    jr_exact_state *whole = exact_state_new(device, spec), *all = exact_state_new(device, spec),
                   *on = exact_state_new(device, spec);
    jr_value wanted[JR_OPS_MAX], found[JR_OPS_MAX];
    jr_result_layout layout = JR_INIT(jr_result_layout);
    const void *const arrays[] = {x, y};
    works(jr_result_layout_of(spec, &layout));
    works(jr_work_run_host(device->context, &JR_INIT(jr_work, .spec = spec),
                           &JR_INIT(jr_work_data, .in = arrays, .count = COUNT, .values = wanted)));
    works(jr_exact_state_fold_host(whole, arrays, COUNT, 0));
    const written_state bytes = exact_state_written(whole);
    add_parts_from_the_last(device, spec, x, y, all);
    exact_state_assert(all, &bytes);
    for (int p = 0; p < PARTS; p++) { /* continued, through bytes, in a state for each step */
        const void *const part[] = {x + begins[p], y + begins[p]};
        works(jr_exact_state_fold_host(on, part, begins[p + 1] - begins[p], begins[p]));
        const written_state so_far = exact_state_written(on);
        jr_exact_state_destroy(on);
        on = exact_state_new(device, spec);
        works(jr_exact_state_add_bytes(on, so_far.bytes, so_far.size));
    }
    exact_state_assert(on, &bytes);
    assert_int_equal(jr_exact_state_elements(on), COUNT);
    works(jr_exact_state_value(on, found));
    for (int i = 0; i < layout.count; i++) {
        assert_int_equal(found[i].type, wanted[i].type);
        assert_memory_equal(&found[i].as, &wanted[i].as, jr_type_size(wanted[i].type));
    }
    jr_exact_state_destroy(whole);
    jr_exact_state_destroy(all);
    jr_exact_state_destroy(on);
}

TEST(any_parts_in_any_order_have_the_bytes_and_values_of_the_whole) {
    const opened *device = *state;
    static const jr_op list[] = {JR_OP_SUM, JR_OP_NORM1, JR_OP_VAR, JR_OP_MEAN};
    const jr_parameter scale = {"scale", {JR_F32, {.f32 = 0.5F}}};
    const jr_value initial = {JR_F32, {.f32 = 0.125F}};
    const jr_spec specs[] = {
        EXACT_SPEC(.op = JR_OP_SUM),
        EXACT_SPEC(.op = JR_OP_SUM, .algorithm = JR_ALGORITHM_TWO_PASS, .grid = 3),
        EXACT_SPEC(.op = JR_OP_SUM, .result = JR_F64, .initial = &(jr_value){JR_F64, {.f64 = 0x1p-500}}),
        EXACT_SPEC(.op = JR_OP_SUM, .initial = &initial, .finish = "a * 2 + (float)n"),
        EXACT_SPEC(.op = JR_OP_MEAN, .where = "x > 1", .kept = 1),
        EXACT_SPEC(.op = JR_OP_NORM1),
        EXACT_SPEC(.op = JR_OP_NORM2, .map = "x * scale", .parameters = &scale, .parameter_count = 1),
        EXACT_SPEC(.op = JR_OP_SUMSQ, .nan = JR_NAN_IGNORE),
        EXACT_SPEC(.op = JR_OP_SUM, .map = "x * (double)i", .map_type = JR_F64, .where = "i % 3 != 1"),
        EXACT_SPEC(.op = JR_OP_DOT, .input_count = 2),
        EXACT_SPEC(.op = JR_OP_STD, .ddof = 1),
        EXACT_SPEC(.ops = list, .op_count = 4, .where = "x < 1", .kept = 1),
    };
    float *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
    assert_true(x != NULL && y != NULL);
    fill(x, y);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) assert_parts_are_the_whole(device, &specs[s], x, y);
    free(x);
    free(y);
}

/* By every algorithm, and by what its plans to states leave in device memory. */
TEST(every_algorithm_comes_to_the_same_bytes) {
    const opened *device = *state;
    float *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
    assert_true(x != NULL && y != NULL);
    fill(x, y);
    const void *const arrays[] = {x};
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM);
    jr_exact_state *whole = exact_state_new(device, &spec);
    works(jr_exact_state_fold_host(whole, arrays, COUNT, 0));
    const written_state wanted = exact_state_written(whole);
    float *d_x = device_new(device, COUNT * sizeof *x);
    unsigned char *d_state = device_new(device, 256), left[256];
    device_write(device, d_x, x, COUNT * sizeof *x);
    int done = 0;
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = NULL;
        const jr_spec by = EXACT_SPEC(.op = JR_OP_SUM, .algorithm = algorithm, .capacity = COUNT, .result = JR_F64);
        const jr_status made =
            jr_work_plan_create(device->context, &JR_INIT(jr_work, .spec = &by, .kind = JR_WORK_STATE), &plan);
        if (made == JR_ERROR_NOT_APPLICABLE) continue;
        works(made);
        const void *const d_arrays[] = {d_x};
        works(jr_state_plan_run(plan, &JR_INIT(jr_part, .d_in = d_arrays, .count = COUNT), d_state, NULL, NULL));
        assert_true(jr_plan_result_bytes(plan) <= sizeof left);
        device_read(device, left, d_state, jr_plan_result_bytes(plan));
        jr_exact_state *of_plan = exact_state_new(device, &spec);
        works(jr_exact_state_fold_plan(of_plan, plan, left, COUNT));
        exact_state_assert(of_plan, &wanted);
        fails(jr_exact_state_fold_plan(of_plan, plan, left, COUNT - 1), JR_ERROR_STATE, "5003 elements");
        exact_state_assert(of_plan, &wanted);
        jr_exact_state_destroy(of_plan);
        jr_plan_destroy(plan);
        done++;
    }
    assert_true(done >= 3);
    jr_exact_state_destroy(whole);
    device_free(device, d_x);
    device_free(device, d_state);
    free(x);
    free(y);
}

RUN_TESTS(open_context, close_context)
