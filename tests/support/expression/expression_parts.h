/* What the files of expression cases share. */
#ifndef TESTS_SUPPORT_EXPRESSION_PARTS_H
#define TESTS_SUPPORT_EXPRESSION_PARTS_H

#include "c_number.h"
#include "expression_case.h"
#include "jitreduce/types.h"

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

/* Which types results have where a spec does not say it: the words of jitreduce/reduce.h, once more. */
/* The map_type of an expression whose value is of this type over inputs of these types. */
jr_type expression_map_type(c_type value, const jr_type *inputs, int count);

/* The type of the value of finish or combine over what was of a type before. */
jr_type expression_value_type(c_type value, jr_type before);

/* What accumulates a custom operator's values of a type. */
jr_type expression_register_type(jr_type type);

/* Random inputs of expression cases: types, elements, layouts, operators, parameters. */
jr_type expression_random_type(uint64_t *seed);

/* Fills all that a case has before its expressions. */
void expression_data_make(expression_case *of, uint64_t *seed);

/* Operators for elements of a type that map gives. */
void expression_data_choose_ops(expression_case *of, uint64_t *seed);

#endif
