/* The call: what a run gives all its kernels besides the data. */
#ifndef JR_REDUCE_CALL_H
#define JR_REDUCE_CALL_H

#include "jitreduce/reduce.h"

/* Passed to kernels by value: the layout is jr_call's in kernels_src/core/types.cuh, which may end before the initial
 * value.
 */
typedef struct jr_call {
    uint64_t count; /* elements that the result is of */
    uint64_t first; /* index of the first element of this launch */
    double ddof;
    uint64_t mark; /* device address of a 32-bit word that becomes 1 when the result is written; 0: none */
    uint64_t initial[JR_STRUCT_BYTES_MAX / 8];
    uint64_t parameters[JR_PARAMETERS_MAX];
} jr_call;

#endif
