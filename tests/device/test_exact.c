/* Exact sums, of data whose sum is known because it was made so: numbers of all sizes, the same negated, and a few
 * more. tests/judge/exact.py holds them against Python's fractions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/plan_case.h"

/* Finite floats of every exponent and sign. */
static void fill_f32(float *x, uint64_t count, uint64_t *seed) {
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t random = random_bits(seed);
        const uint32_t bits = ((uint32_t)random & 0x807fffff) | (uint32_t)((random >> 32) % 255) << 23;
        memcpy(&x[i], &bits, sizeof bits);
    }
}
static void fill_f64(double *x, uint64_t count, uint64_t *seed) {
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t fraction = random_bits(seed) & 0x800fffffffffffff, exponent = random_bits(seed) % 2047;
        const uint64_t bits = fraction | exponent << 52;
        memcpy(&x[i], &bits, sizeof bits);
    }
}

/* 2 * pairs numbers that cancel, three more that come to 0.75, in an order of chance. */
static float *cancelling_f32(uint64_t pairs) {
    uint64_t seed = 5;
    const uint64_t count = 2 * pairs + 3;
    float *x = test_bytes(count * sizeof *x);
    fill_f32(x, pairs, &seed);
    for (uint64_t i = 0; i < pairs; i++) x[pairs + i] = -x[i];
    memcpy(x + 2 * pairs, (const float[]){1, -0.5F, 0.25F}, 3 * sizeof *x);
    for (uint64_t i = count - 1; i > 0; i--) {
        const uint64_t k = random_below(&seed, i + 1);
        const float moved = x[i];
        x[i] = x[k];
        x[k] = moved;
    }
    return x;
}
static double *cancelling_f64(uint64_t pairs) {
    uint64_t seed = 6;
    const uint64_t count = 2 * pairs + 3;
    double *x = test_bytes(count * sizeof *x);
    fill_f64(x, pairs, &seed);
    for (uint64_t i = 0; i < pairs; i++) x[pairs + i] = -x[i];
    memcpy(x + 2 * pairs, (const double[]){1, -0.5, 0.25}, 3 * sizeof *x);
    for (uint64_t i = count - 1; i > 0; i--) {
        const uint64_t k = random_below(&seed, i + 1);
        const double moved = x[i];
        x[i] = x[k];
        x[k] = moved;
    }
    return x;
}

static jr_spec exact_spec(jr_type type) {
    return JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .result = JR_F64, .accuracy = JR_ACCURACY_EXACT);
}

/* What is left in the workspace by one run is what the next one finds. */
DEVICE_TEST(every_run_gives_the_exact_sum_and_leaves_its_workspace_clear) {
    enum { PAIRS = 9000, COUNT = 2 * PAIRS + 3 };
    float *single = cancelling_f32(PAIRS);
    double *twice = cancelling_f64(PAIRS);
    float *d_single = device_new(device, COUNT * sizeof *single);
    double *d_twice = device_new(device, COUNT * sizeof *twice);
    device_write(device, d_single, single, COUNT * sizeof *single);
    device_write(device, d_twice, twice, COUNT * sizeof *twice);
    for (int a = 0; a < 2; a++) {
        jr_spec spec = exact_spec(JR_F32), wide = exact_spec(JR_F64);
        jr_plan *plan = NULL, *wide_plan = NULL;
        spec.algorithm = wide.algorithm = a == 0 ? JR_ALGORITHM_SINGLE_PASS : JR_ALGORITHM_BULK_COPY;
        spec.block = wide.block = 128;
        works(jr_work_plan_create(device->context, WORK(&spec), &plan));
        works(jr_work_plan_create(device->context, WORK(&wide), &wide_plan));
        for (int i = 0; i < 5; i++) {
            assert_true(plan_value(device, plan, d_single, COUNT).as.f64 == 0.75);
            assert_true(plan_value(device, wide_plan, d_twice, COUNT).as.f64 == 0.75);
            assert_true(plan_value(device, plan, d_single, 0).as.f64 == 0);
            assert_false(signbit(plan_value(device, wide_plan, d_twice, 0).as.f64));
        }
        jr_plan_destroy(plan);
        jr_plan_destroy(wide_plan);
    }
}

/* One block adds so many elements that each thread's bins are flushed on the way. */
DEVICE_TEST(bins_that_are_full_are_emptied_on_the_way) {
    enum { PAIRS = 300000, COUNT = 2 * PAIRS + 3 };
    float *single = cancelling_f32(PAIRS);
    double *twice = cancelling_f64(PAIRS);
    jr_spec spec = exact_spec(JR_F32);
    jr_value value;
    spec.block = 128;
    spec.grid = 1;
    spec.algorithm = JR_ALGORITHM_SINGLE_PASS;
    works(jr_reduce_host(device->context, &spec, single, COUNT, &value));
    assert_true(value.as.f64 == 0.75);
    spec.type = JR_F64;
    works(jr_reduce_host(device->context, &spec, twice, COUNT, &value));
    assert_true(value.as.f64 == 0.75);
}

DEVICE_TEST(any_address_does) {
    enum { PAIRS = 700, COUNT = 2 * PAIRS + 3 };
    float *single = cancelling_f32(PAIRS);
    float *d_in = device_new(device, (COUNT + 8) * sizeof *d_in);
    const jr_spec spec = exact_spec(JR_F32);
    jr_plan *plan = plan_held(device, WORK(&spec));
    for (int shift = 0; shift < 8; shift++) {
        device_write(device, d_in + shift, single, COUNT * sizeof *single);
        assert_true(plan_value(device, plan, d_in + shift, COUNT).as.f64 == 0.75);
    }
}

/* States of parts, and parts of host memory: both come to the sum of all. */
DEVICE_TEST(parts_come_to_the_exact_sum_of_all) {
    enum { PAIRS = 20000, COUNT = 2 * PAIRS + 3, CUT = 12345 };
    double *twice = cancelling_f64(PAIRS);
    double *d_in = device_new(device, COUNT * sizeof *twice), result;
    jr_spec spec = exact_spec(JR_F64);
    jr_plan *part = NULL, *merge = NULL;
    jr_value value;
    device_write(device, d_in, twice, COUNT * sizeof *twice);
    works(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_STATE), &part));
    works(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_MERGE), &merge));
    const size_t bytes = jr_plan_result_bytes(part);
    unsigned char *d_states = device_new(device, 4 * bytes), *d_out = device_new(device, 1024);
    unsigned char *both = test_bytes(2 * bytes);
    for (int p = 0; p < 2; p++) {
        const void *const arrays[] = {p == 0 ? d_in : d_in + CUT};
        works(jr_work_plan_run(
            part, DATA(.in = arrays, .count = p == 0 ? CUT : COUNT - CUT, .first = p == 0 ? 0 : CUT, .out = d_out),
            NULL, NULL));
        device_read(device, both + (1 - (size_t)p) * bytes, d_out, bytes); /* the second part first */
    }
    device_write(device, d_states, both, 2 * bytes);
    works(jr_work_plan_run(merge, DATA(.in = FROM(d_states), .states = 2, .count = COUNT, .out = d_out), NULL, NULL));
    device_read(device, &result, d_out, sizeof result);
    assert_true(result == 0.75);
    spec.device_bytes = 65536;
    works(jr_reduce_host(device->context, &spec, twice, COUNT, &value));
    assert_true(value.as.f64 == 0.75);
    jr_plan_destroy(part);
    jr_plan_destroy(merge);
}

DEVICE_TEST(initial_values_selections_and_lists_are_exact) {
    enum { PAIRS = 2000, COUNT = 2 * PAIRS + 3 };
    float *single = cancelling_f32(PAIRS);
    const jr_value initial = {.type = JR_F64, .as = {.f64 = 0x1p-200}};
    const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX, JR_OP_NORM1};
    jr_spec spec = exact_spec(JR_F32);
    jr_value value, values[3];
    spec.initial = &initial;
    works(jr_reduce_host(device->context, &spec, single, COUNT, &value));
    assert_true(value.as.f64 == 0.75); /* the initial value is below half a unit */
    spec.initial = NULL;
    spec.where = "x == 1 || x == -0.5f";
    spec.map = "x * 3";
    spec.op = JR_OP_MEAN;
    works(jr_reduce_host(device->context, &spec, single, COUNT, &value));
    assert_true(value.as.f64 == 0.75);
    const jr_spec list =
        JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT, .map = "x / 4");
    works(
        jr_work_run_host(device->context, WORK(&list),
                         DATA(.in = (const void *[]){(const float[]){4e7F, 4, -4e7F}}, .count = 3, .values = values)));
    assert_true(values[0].as.f32 == 1 && values[1].as.f32 == 1e7F && values[2].as.f32 == 20000001.0F);
}

/* Skipped elements have no effect: of big numbers between those that cancel nothing is left, nor of an index beyond the
 * end. */
DEVICE_TEST(selections_leave_out_what_they_say_also_by_windows) {
    enum { PAIRS = 9000, COUNT = 2 * PAIRS + 3 };
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY, JR_ALGORITHM_TWO_PASS};
    float *single = cancelling_f32(PAIRS), *mixed = test_bytes(2 * COUNT * sizeof *mixed),
          *zeros = test_bytes(COUNT * sizeof *zeros);
    float *d_in = device_new(device, (2 * COUNT + 1) * sizeof *d_in);
    for (int i = 0; i < COUNT; i++) {
        mixed[2 * i] = i % 3 == 0 ? INFINITY : 3e38F;
        mixed[2 * i + 1] = single[i];
        zeros[i] = -0.0F;
    }
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        jr_spec odd = exact_spec(JR_F32), beyond = exact_spec(JR_F32);
        jr_plan *plan = NULL, *none = NULL;
        odd.algorithm = beyond.algorithm = algorithms[a];
        odd.block = beyond.block = 128;
        odd.where = "i % 2 == 1";
        beyond.where = "i >= n_of_all";
        const jr_parameter count = {.name = "n_of_all", .value = {.type = JR_U64, .as.u64 = COUNT}};
        beyond.parameters = &count;
        beyond.parameter_count = 1;
        works(jr_work_plan_create(device->context, WORK(&odd), &plan));
        works(jr_work_plan_create(device->context, WORK(&beyond), &none));
        for (unsigned shift = 0; shift < 2; shift++) {
            device_write(device, d_in + shift, mixed, 2 * COUNT * sizeof *mixed);
            assert_true(plan_value(device, plan, d_in + shift, 2 * COUNT).as.f64 == 0.75);
            device_write(device, d_in + shift, zeros, COUNT * sizeof *zeros);
            const double kept = plan_value(device, plan, d_in + shift, COUNT).as.f64;
            const double nothing = plan_value(device, none, d_in + shift, COUNT).as.f64;
            assert_true(kept == 0 && signbit(kept) && nothing == 0 && !signbit(nothing));
        }
        jr_plan_destroy(plan);
        jr_plan_destroy(none);
    }
}

RUN_TESTS(open_context, close_context)
