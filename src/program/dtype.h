/* Element types: all that the library must know of each, one row a type. */
#ifndef JR_PROGRAM_DTYPE_H
#define JR_PROGRAM_DTYPE_H

#include <stdbool.h>

#include "jitreduce/types.h"

typedef struct jr_dtype {
    jr_type type;
    const char *name;   /* "f16" */
    const char *c_name; /* in kernels, as it lies in memory: "jr_f16" */
    size_t bytes;       /* also its alignment */
    jr_type_class class;
    int exponent_bits, fraction_bits; /* of a float; the sign is one more */
    bool finite;        /* a float without infinities: all ones is its only NaN, the exponent of ones has numbers */
    jr_type value_type; /* in which it is computed with, a type of 4 or 8 bytes: JR_F32 */
    jr_type sum_type;   /* in which sums and products accumulate */
} jr_dtype;

/* Finds the row of a type, NULL for a number that is none (JR_STRUCT, too, has no row). */
const jr_dtype *jr_dtype_find(jr_type type);

/* Finds the row of a name, NULL when there is none. */
const jr_dtype *jr_dtype_find_name(const char *name);

/* The row of the type in which a type is computed with; its c_name and bytes are those in registers. */
const jr_dtype *jr_dtype_value(jr_type type);

/* Whether a row is of floats; false for NULL. */
bool jr_dtype_is_float(const jr_dtype *row);

/* Whether a row has negative numbers; false for NULL. */
bool jr_dtype_is_signed(const jr_dtype *row);

/* The exponent of a float type's least normal number: -14 of f16, which is 2^-14. */
int jr_dtype_least_exponent(const jr_dtype *row);

/* Reads an element: of a float type its number, exactly; of the others its integer, sign- or zero-extended. */
double jr_dtype_read_float(const jr_dtype *row, const void *from);
uint64_t jr_dtype_read_integer(const jr_dtype *row, const void *from);

/* Writes a number as an element of any type, by the rule of conversions (jr_value_of_number). */
void jr_dtype_write(const jr_dtype *row, double number, void *to);

#endif
