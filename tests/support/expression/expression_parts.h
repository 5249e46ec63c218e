/* What the files of expression cases share. */
#ifndef TESTS_SUPPORT_EXPRESSION_PARTS_H
#define TESTS_SUPPORT_EXPRESSION_PARTS_H

#include "expression_case.h"

/* The variables of a tree, and the values of parameters in their order. */
void expression_add_variable(c_tree *tree, const char *name, c_type type);
void expression_add_parameters(const expression_case *of, c_tree *tree);
void expression_put_parameters(const expression_case *of, c_number *values);

/* May such notes be? A sum that may be fused asks for a reproducible reduction. */
bool expression_case_allows(expression_case *of, const c_notes *notes);

bool expression_case_scans(const expression_case *of);

/* Chooses an operator for the values that map gave, and a finish; and folds. False: it is not defined. */
bool expression_results_make(expression_case *of, uint64_t *seed);
bool expression_results_evaluate(expression_case *of);

/* For a custom operator: chooses combine and identity (false: try again), or folds values that are all kept. */
bool expression_custom_make(expression_case *of, uint64_t *seed);
/* The type of combine's value is that over elements; then a and b are of it, and the tree must still be C, or it is
 * false. */
bool expression_custom_find_types(expression_case *of);
c_number expression_custom_fold(const expression_case *of, const c_number *values, uint64_t count, c_notes *notes);

#endif
