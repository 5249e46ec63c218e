/* Element types: what the host and the kernels must know of each, one row a type. */
#ifndef JR_PROGRAM_DTYPE_H
#define JR_PROGRAM_DTYPE_H

#include <stdbool.h>

#include "jitreduce/types.h"

typedef struct jr_dtype {
    jr_type type;
    const char *name;   /* "f16" */
    const char *c_name; /* in kernels, as it lies in memory: "jr_f16" */
    size_t bytes;       /* also its alignment */
    jr_type value_type; /* in which it is computed with, a type of 4 or 8 bytes: JR_F32 */
    jr_type sum_type;   /* in which sums and products accumulate */
    bool floating, is_signed;
} jr_dtype;

/* Finds the row of a type, NULL for a number that is none (JR_STRUCT, too, has no row). */
const jr_dtype *jr_dtype_find(jr_type type);

/* Finds the row of a name, NULL when there is none. */
const jr_dtype *jr_dtype_find_name(const char *name);

/* The row of the type in which a type is computed with; its c_name and bytes are those in registers. */
const jr_dtype *jr_dtype_value(jr_type type);

#endif
