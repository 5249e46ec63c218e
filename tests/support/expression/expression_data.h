/* Random inputs of expression cases: types, elements, layouts, operators, parameters. */
#ifndef TESTS_SUPPORT_EXPRESSION_DATA_H
#define TESTS_SUPPORT_EXPRESSION_DATA_H

#include "expression_case.h"

jr_type expression_random_type(uint64_t *seed);

/* Fills all that a case has before its expressions. */
void expression_data_make(expression_case *of, uint64_t *seed);

/* Operators for elements of a type that map gives. */
void expression_data_choose_ops(expression_case *of, uint64_t *seed);

#endif
