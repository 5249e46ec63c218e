/* The functions of expressions: what each takes and gives by the words of jitreduce/reduce.h. Those that round no more
 * than once, so that every machine gives the same bits, have values; of the others 1 stands for all values. */
#ifndef TESTS_SUPPORT_C_FUNCTION_H
#define TESTS_SUPPORT_C_FUNCTION_H

#include "c_number.h"

enum { C_ARGUMENTS_MAX = 3 };

/* What a function takes. */
typedef enum c_function_form {
    C_OF_DOUBLE, /* double, or float where all are floats; with an f at its name's end always float */
    C_OF_POWER,  /* as that, and an int */
    C_OF_SUM,    /* numbers of the type that their sum has */
    C_OF_SIZE,   /* one number of a signed type or float, as C promotes it */
    C_OF_FIXED   /* always numbers of the same type */
} c_function_form;

typedef struct c_function {
    const char *name;
    c_function_form form;
    int arguments;
    c_type result;       /* C_TYPES: what it was given */
    c_type taken;        /* of C_OF_FIXED */
    bool has_float_form; /* its name with an f */
    bool adds;           /* adds to what it is given, which a compiler may fuse */
    bool rounds;         /* it has no values here */
    char member;         /* of a vector that it makes: 'x' or 'y'; else 0 */
} c_function;

/* First those that have values. */
int c_function_count(bool with_rounding);
const c_function *c_function_at(int index);

/* single: the form with f. */
c_type c_function_type(const c_function *function, bool single, const c_type *given);
c_number c_function_call(const c_function *function, bool single, const c_number *given, c_notes *notes);

#endif
