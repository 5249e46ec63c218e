/* What the tests of the fixed tree share: the tree as it is defined, the first 2^k elements, the greatest power of two
 * below n, and then the rest; operators, and data of which every other order rounds otherwise. */
#ifndef TESTS_SUPPORT_TREE_CASE_H
#define TESTS_SUPPORT_TREE_CASE_H

#include "support/fixtures/open_context.h"

/* Two nodes become one; a double holds what is folded in f32, too. */
typedef double (*tree_combine)(double a, double b);

double tree_add_f32(double a, double b);
double tree_add_f64(double a, double b);
double tree_multiply_f32(double a, double b);
double tree_blend_f32(double a, double b); /* a + b * 0.3f, rounded twice: neither associative nor commutative */

/* The fold of count elements, 1 at least. */
double tree_of(const double *x, uint64_t count, tree_combine by);

/* Sizes of many exponents and both signs; the same as floats. The caller frees them. */
double *tree_numbers_new(uint64_t count, uint64_t seed);
float *tree_singles_new(const double *x, uint64_t count);

jr_spec tree_spec(jr_op op, jr_type type);

/* The value has these bits, the first rounded to f32. */
void tree_same_f32(const jr_value *value, double wanted);
void tree_same_f64(const jr_value *value, double wanted);

#endif
