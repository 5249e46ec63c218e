/* Operators: what the host must know of each, one row an operator (its arithmetic stands in kernels_src/operators). */
#ifndef JR_SPEC_OPERATOR_H
#define JR_SPEC_OPERATOR_H

#include <stdbool.h>

#include "dtype.h"

/* What an operator combines, and so what its result is. */
typedef enum jr_accumulates {
    JR_ACCUMULATES_SUM,         /* i64 or u64 of integers, else the type of values; so is the result */
    JR_ACCUMULATES_ELEMENT,     /* the element; so is the result */
    JR_ACCUMULATES_FLAG,        /* u32; the result is a bool */
    JR_ACCUMULATES_COUNT,       /* u64; so is the result */
    JR_ACCUMULATES_INDEX,       /* the element and its index; the result is an i64 */
    JR_ACCUMULATES_MEAN,        /* an exact or f64 sum; the result is f64, or f32 for floats up to f32; the same for all
                                 * below */
    JR_ACCUMULATES_MOMENTS,     /* count, mean and squared deviations in f64 */
    JR_ACCUMULATES_NORM,        /* f32 for floats up to f32, else f64 */
    JR_ACCUMULATES_SCALED,      /* f64 sums of squares; of f64 elements three of them, in different scales */
    JR_ACCUMULATES_EXPONENTIAL, /* the greatest element and a sum, each as a norm */
    JR_ACCUMULATES_CUSTOM       /* the element, or what the spec says */
} jr_accumulates;

/* Files of kernels_src/operators besides the one that is always there: the constant JR_OPERATORS_... includes each. */
#define JR_OPERATOR_FILES(XX)                                                                                          \
    XX(BITS, 1)                                                                                                        \
    XX(ORDER, 2)                                                                                                       \
    XX(INDEX, 4)                                                                                                       \
    XX(STATISTICS, 8)                                                                                                  \
    XX(EXACT, 16)
enum {
#define JR_OPERATOR_FILE(name, bit) JR_OPERATORS_##name = (bit),
    JR_OPERATOR_FILES(JR_OPERATOR_FILE)
#undef JR_OPERATOR_FILE
};

/* What more is true of an operator; the public flags (jr_op_flag) lie below. */
enum {
    JR_OPERATOR_DIVIDES = 1 << 16,    /* its result needs the count of elements */
    JR_OPERATOR_ADDS = 1 << 17,       /* adds elements of either sign: zeros keep theirs */
    JR_OPERATOR_ASKS = 1 << 18,       /* accumulates in a type that can be asked for */
    JR_OPERATOR_ASKS_FLOAT = 1 << 19, /* in one of floats */
    JR_OPERATOR_HAS_END = 1 << 20,    /* its identity is an end of the element's range: its template takes the element's
                                       * type */
    JR_OPERATOR_IS_WORD = 1 << 21,    /* of 4 bytes it is one instruction: reduce/words.cuh has it by its name */
    JR_OPERATOR_KEEPS_WHOLE = 1 << 22, /* of whole floats it is exact as long as their sum is */
    JR_OPERATOR_MULTIPLIES = 1 << 23,  /* grows too fast but for ones */
    JR_OPERATOR_ALONE = 1 << 24,       /* cannot be one of a list */
    JR_OPERATOR_STATES_ADD = 1 << 25,  /* two of its states combine by adding their numbers, as a transport can */
    JR_OPERATOR_OF_PRODUCTS = 1 << 26, /* its terms are products of two elements */
    JR_OPERATOR_OF_SIZES = 1 << 27     /* its terms are not negative */
};

typedef struct jr_operator {
    jr_op op;
    const char *name;   /* "sum" */
    const char *c_name; /* the template: "jr_sum" */
    const char *number; /* the template that leaves NaN out; NULL: elements that are NaN are not given to it */
    const char *exact;  /* the template of an exact sum; NULL: it has none */
    unsigned file;      /* JR_OPERATORS_...; 0: operators.cuh itself */
    jr_accumulates accumulates;
    unsigned flags;
    int inputs; /* arrays that it takes at least; 0: one */
} jr_operator;

/* What an operator combines over elements of a type, and what comes out when nothing else is asked for. */
typedef struct jr_accumulation {
    jr_type number; /* of the numbers in it */
    jr_type result;
    const char *c_name; /* "float", or a compound: "jr_wide" */
    size_t bytes;       /* of all of it */
} jr_accumulation;

const jr_operator *jr_operator_find(jr_op op);

/* The same, of an operator that a caller gave. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_operator_get(jr_op op, const jr_operator **row);
const jr_operator *jr_operator_find_name(const char *name);

/* Whether all of these flags are an operator's. */
bool jr_operator_is(const jr_operator *row, unsigned flags);

/* What an operator combines over elements of a type. asked: the type in which the spec wants it, of an operator that
 * can be asked; else JR_TYPE_NONE. Both rows are valid. */
jr_accumulation jr_operator_accumulation(const jr_operator *row, const jr_dtype *dtype, jr_type asked);

/* The type of an operator's result over elements of a type, when nothing else is asked for.
 * Errors: JR_ERROR_INVALID_ARGUMENT (no such operator or type), JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_operator_result(jr_op op, jr_type type, jr_type *result);

#endif
