/* Folds the fixed tree by its definition. */
#include "tree_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double tree_add_f32(double a, double b) {
    return (double)((float)a + (float)b);
}
double tree_add_f64(double a, double b) {
    return a + b;
}
double tree_multiply_f32(double a, double b) {
    return (double)((float)a * (float)b);
}
double tree_blend_f32(double a, double b) {
    const volatile float product = (float)b * 0.3F;
    return (double)((float)a + product);
}

double tree_of(const double *x, uint64_t count, tree_combine by) {
    uint64_t first = 1;
    if (count == 1) return x[0];
    while (2 * first < count) first *= 2;
    return by(tree_of(x, first, by), tree_of(x + first, count - first, by));
}

double *tree_numbers_new(uint64_t count, uint64_t seed) {
    double *x = test_bytes(count * sizeof *x);
    for (uint64_t i = 0; i < count; i++) {
        const double size =
            ldexp(1 + (double)random_below(&seed, 1 << 23) * 0x1p-23, (int)random_below(&seed, 24) - 12);
        x[i] = random_bits(&seed) & 1 ? size : -size;
    }
    return x;
}
float *tree_singles_new(const double *x, uint64_t count) {
    float *made = test_bytes(count * sizeof *made);
    for (uint64_t i = 0; i < count; i++) made[i] = (float)x[i];
    return made;
}

jr_spec tree_spec(jr_op op, jr_type type) {
    return JR_INIT(jr_spec, .op = op, .type = type, .accuracy = JR_ACCURACY_REPRODUCIBLE);
}

void tree_same_f32(const jr_value *value, double wanted) {
    const float single = (float)wanted;
    assert_int_equal(value->type, JR_F32);
    assert_memory_equal(&value->as.f32, &single, sizeof single);
}
void tree_same_f64(const jr_value *value, double wanted) {
    assert_int_equal(value->type, JR_F64);
    assert_memory_equal(&value->as.f64, &wanted, sizeof wanted);
}
