/* Element types: what the host and the kernels must know of each, one row a type. */
#ifndef JR_PROGRAM_DTYPE_H
#define JR_PROGRAM_DTYPE_H

#include <stdbool.h>

#include "jitreduce/types.h"

typedef struct jr_dtype {
    jr_type type;
    const char *name;   /* "f32" */
    const char *c_name; /* in kernels: "float" */
    size_t bytes;       /* also its alignment */
    bool floating, is_signed;
    jr_type sum_type; /* in which sums and products accumulate */
} jr_dtype;

/* Finds the row of a type, NULL for a number that is none. */
const jr_dtype *jr_dtype_find(jr_type type);

/* Finds the row of a name, NULL when there is none. */
const jr_dtype *jr_dtype_find_name(const char *name);

#endif
