/* Operators: what the host must know of each, one row an operator (its arithmetic stands in
 * kernels_src/operators). */
#ifndef JR_PROGRAM_OPERATOR_H
#define JR_PROGRAM_OPERATOR_H

#include <stdbool.h>

#include "dtype.h"

/* What an operator combines, and so what its result is. */
typedef enum jr_accumulates {
    JR_ACCUMULATES_SUM,     /* the type's sum_type; so is the result */
    JR_ACCUMULATES_ELEMENT, /* the element; so is the result */
    JR_ACCUMULATES_FLAG,    /* u32; the result is a bool */
    JR_ACCUMULATES_COUNT,   /* u64; so is the result */
    JR_ACCUMULATES_INDEX,   /* the element and its index; the result is an i64 */
    JR_ACCUMULATES_MEAN,    /* an exact or f64 sum; the result is f64, or f32 for floats up to f32, as of all below */
    JR_ACCUMULATES_MOMENTS, /* count, mean and squared deviations in f64 */
    JR_ACCUMULATES_NORM,    /* f32 for floats up to f32, else f64 */
    JR_ACCUMULATES_SCALED,  /* f64 sums of squares; of f64 elements three of them, in different scales */
    JR_ACCUMULATES_EXPONENTIAL, /* the greatest element and a sum, each as a norm */
    JR_ACCUMULATES_CUSTOM       /* the element, or what the spec says */
} jr_accumulates;

typedef struct jr_operator {
    jr_op op;
    const char *name;   /* "sum" */
    const char *c_name; /* the template in operators*.cuh: "jr_sum" */
    const char *number; /* the template that leaves NaN out; NULL: elements that are NaN are not given to it */
    const char *header; /* "JR_OPERATORS_INDEX": the constant that includes the file; NULL: operators.cuh itself */
    jr_accumulates accumulates;
    bool takes_floats;
    bool empty_is_error; /* has no value for an empty input unless an initial one is given */
    bool takes_initial;  /* a result can be combined again */
    bool divides;        /* its result needs the count of elements */
} jr_operator;

const jr_operator *jr_operator_find(jr_op op);
const jr_operator *jr_operator_find_name(const char *name);

/* The type of an operator's result over elements of a type, when nothing else is asked for.
 * Errors: JR_ERROR_INVALID_ARGUMENT (no such operator or type), JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_operator_result(jr_op op, jr_type type, jr_type *result);

/* The type of the numbers in which an operator accumulates, when nothing else is asked for. Both rows are valid. */
jr_type jr_operator_accumulator(const jr_operator *row, const jr_dtype *dtype);

#endif
