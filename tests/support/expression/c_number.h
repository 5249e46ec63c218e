/* Numbers of C's arithmetic types, with their types, and the results of C's operators: the reference of expressions. It
 * follows the text of C11 (6.3, 6.5) alone and shares no code with the library.
 *
 * Comparisons, !, && and || are bool, as CUDA's C++ has it: all that C does with their values is the same. */
#ifndef TESTS_SUPPORT_C_NUMBER_H
#define TESTS_SUPPORT_C_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The integers in the order of their ranks, each unsigned type after its signed one. */
typedef enum c_type {
    C_BOOL,
    C_CHAR, /* signed */
    C_UCHAR,
    C_SHORT,
    C_USHORT,
    C_INT,
    C_UNSIGNED,
    C_LONG,
    C_ULONG,
    C_LLONG,
    C_ULLONG,
    C_FLOAT,
    C_DOUBLE,
    C_TYPES
} c_type;

typedef struct c_number {
    c_type type;
    uint64_t integer; /* sign- or zero-extended; of the float types 0 */
    double floating;  /* a float's value, too */
    bool product;     /* a product that was rounded may be in it: a compiler may fuse it with an addition */
} c_number;

/* What was met on the way to a value. */
typedef struct c_notes {
    bool undefined; /* C does not define it */
    bool fusible;   /* a rounded product was added to something: fused, it gives another value */
    bool inexact;   /* it has the right type, but another value, as from sin */
} c_notes;

bool c_is_float(c_type type);
bool c_is_signed(c_type type); /* of integers */
int c_bits(c_type type);       /* of integers; bool: 1 */
const char *c_type_name(c_type type);
const char *c_type_other_name(c_type type); /* another way to spell it */

c_type c_promoted(c_type type);
c_type c_common(c_type a, c_type b); /* the usual arithmetic conversions */

c_number c_integer(c_type type, uint64_t value); /* cut to the type */
c_number c_floating(c_type type, double value);  /* rounded to the type */
bool c_is_true(c_number a);

c_number c_converted(c_number a, c_type type, c_notes *notes);

/* Unary "+ - ~ !". */
c_number c_unary(char sign, c_number a, c_notes *notes);

/* "+ - * / % & | ^ < > l (<=) g (>=) = (==) n (!=) L (<<) R (>>)". */
c_number c_binary(char sign, c_number a, c_number b, c_notes *notes);
c_type c_binary_type(char sign, c_type a, c_type b);

#endif
