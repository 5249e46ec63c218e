/* Operators: what the host must know of each, one row an operator (its arithmetic stands in operators.cuh). */
#ifndef JR_PROGRAM_OPERATOR_H
#define JR_PROGRAM_OPERATOR_H

#include <stdbool.h>

#include "dtype.h"

typedef struct jr_operator {
    jr_op op;
    const char *name;   /* "sum" */
    const char *c_name; /* the struct in operators.cuh: "jr_sum" */
    bool widens;        /* accumulates in the type's sum_type, else in the element type */
    bool takes_floats;
    bool empty_is_error; /* has no value for an empty input unless an initial one is given */
} jr_operator;

const jr_operator *jr_operator_find(jr_op op);
const jr_operator *jr_operator_find_name(const char *name);

/* The type in which an operator accumulates elements of a type; of the result, too.
 * Errors: JR_ERROR_INVALID_ARGUMENT (no such operator or type), JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_operator_accumulator(jr_op op, jr_type type, jr_type *accumulator);

#endif
