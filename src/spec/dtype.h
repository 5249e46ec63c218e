/* Element types: all that the library must know of each, one row a type. */
#ifndef JR_SPEC_DTYPE_H
#define JR_SPEC_DTYPE_H

#include <stdbool.h>

#include "jitreduce/types.h"

typedef struct jr_dtype {
    jr_type type;
    const char *name;   /* "f16" */
    const char *c_name; /* in kernels, as it lies in memory: "jr_f16" */
    size_t bytes;       /* also its alignment */
    jr_type_class class;
    int fraction_bits; /* of a float; a bit more is the sign, the others are the exponent */
    bool finite;       /* a float without infinities: all ones is its only NaN, the exponent of ones has numbers */
} jr_dtype;

/* Finds the row of a type; NULL for a number that is not a type, and for JR_STRUCT, which has no row. */
const jr_dtype *jr_dtype_find(jr_type type);

/* Finds the row of a name: the library's, C's, CUDA's or NumPy's; NULL when no type has this name. */
const jr_dtype *jr_dtype_find_name(const char *name);

/* Finds the row of a type's name in kernels, `length` bytes; NULL when no type has this name. */
const jr_dtype *jr_dtype_find_c_name(const char *c_name, size_t length);

/* The type in which a row's elements are computed with, of 4 or 8 bytes: f32 for f16. */
jr_type jr_dtype_value_type(const jr_dtype *row);

/* The row of that type; its c_name and bytes are those in registers. */
const jr_dtype *jr_dtype_value(jr_type type);

/* The type that an expression sees of a row's elements, by C's promotions: i32 for i8 u8 i16 u16 bool. */
jr_type jr_dtype_promoted(const jr_dtype *row);

/* Whether a row is of floats; false for NULL. */
bool jr_dtype_is_float(const jr_dtype *row);

/* Whether a row has negative numbers; false for NULL. */
bool jr_dtype_is_signed(const jr_dtype *row);

/* The exponent of a float type's least normal number: -14 of f16, which is 2^-14. */
int jr_dtype_least_exponent(const jr_dtype *row);

/* A float taken apart. A number is significand * 2^exponent. */
typedef struct jr_float_parts {
    enum { JR_FLOAT_NUMBER, JR_FLOAT_INFINITY, JR_FLOAT_NAN } kind;
    bool negative;
    uint64_t significand;
    int exponent;
    bool lower_is_closer; /* the next smaller magnitude is at half the distance of the next larger one */
} jr_float_parts;
jr_float_parts jr_dtype_float_parts(const jr_dtype *row, const void *from);

/* Reads an element: of a float type its number, exactly; of the others its integer, sign- or zero-extended. */
double jr_dtype_read_float(const jr_dtype *row, const void *from);
uint64_t jr_dtype_read_integer(const jr_dtype *row, const void *from);

/* Writes a number as an element of any type, by the rule of conversions (jr_value_of_number). */
void jr_dtype_write(const jr_dtype *row, double number, void *to);

#endif
