/* What operators make of numbers that expressions gave: the fold of the reference. */
#ifndef TESTS_SUPPORT_EXPRESSION_FOLD_H
#define TESTS_SUPPORT_EXPRESSION_FOLD_H

#include "c_element.h"

/* What is folded: values that are elements of `type`, and their indices; without skipped ones. */
typedef struct fold_values {
    jr_type type;
    uint64_t count;
    const c_number *values;
    const uint64_t *indices;
    bool ignores_nan;
} fold_values;

/* The type of an operator's result over elements of a type. */
jr_type fold_result_type(jr_op op, jr_type type);

/* Is the operator defined for elements of the type? */
bool fold_takes(jr_op op, jr_type type);

/* The operator's result, of fold_result_type. False: no elements, so no result. notes->undefined: the last bits depend
 * on the order of the operations, so several results are right. */
bool fold_reduce(jr_op op, const fold_values *values, c_number *result, c_notes *notes);

#endif
