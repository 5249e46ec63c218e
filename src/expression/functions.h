/* The functions that expressions may call: jitreduce/reduce.h lists them. */
#ifndef JR_EXPRESSION_FUNCTIONS_H
#define JR_EXPRESSION_FUNCTIONS_H

#include "token.h"

/* What a call gives, by what is given to it. */
typedef enum jr_function_gives {
    JR_GIVES_FLOATS,  /* a float where all of it are floats, else a double */
    JR_GIVES_FIRST,   /* a float where the first of it is one, else a double */
    JR_GIVES_SUM,     /* what C gives the sum of it */
    JR_GIVES_INTEGER, /* always an integer */
    JR_GIVES_FLOAT,
    JR_GIVES_DOUBLE,
    JR_GIVES_ANYTHING /* a function of a struct's text */
} jr_function_gives;

typedef struct jr_function {
    size_t weight; /* what a call adds to a program, in instructions of PTX */
    jr_function_gives gives;
    unsigned char takes; /* arguments */
} jr_function;

/* Name; weight; weight of the form for float, whose name ends with f (0: no such form); and JR_GIVES_...: the type that
 * the overloads of CUDA and of operators/functions.cuh return for the name without f. A weight is the number of PTX
 * instructions of a call (NVRTC 13.0); for square roots and quotients, which are one PTX instruction, it is that of the
 * machine code. Functions that take pointers, or that loop as often as an argument says, are not allowed. Source: CUDA
 * Math API Reference Manual, "Single Precision Mathematical Functions", "Double Precision Mathematical Functions",
 * "Integer Mathematical Functions". */
#define JR_FUNCTIONS(XX)                                                                                               \
    XX(abs, 2, 0, SUM)                                                                                                 \
    XX(acos, 114, 38, FLOATS)                                                                                          \
    XX(acosh, 139, 62, FLOATS)                                                                                         \
    XX(asin, 92, 34, FLOATS)                                                                                           \
    XX(asinh, 141, 60, FLOATS)                                                                                         \
    XX(atan, 57, 31, FLOATS)                                                                                           \
    XX(atan2, 71, 57, FLOATS)                                                                                          \
    XX(atanh, 120, 56, FLOATS)                                                                                         \
    XX(cbrt, 54, 17, FLOATS)                                                                                           \
    XX(ceil, 1, 1, FLOATS)                                                                                             \
    XX(copysign, 2, 2, FLOATS)                                                                                         \
    XX(cos, 208, 112, FLOATS)                                                                                          \
    XX(cosh, 57, 24, FLOATS)                                                                                           \
    XX(cospi, 48, 39, FLOATS)                                                                                          \
    XX(cyl_bessel_i0, 155, 85, FLOATS)                                                                                 \
    XX(cyl_bessel_i1, 155, 85, FLOATS)                                                                                 \
    XX(erf, 91, 26, FLOATS)                                                                                            \
    XX(erfc, 144, 71, FLOATS)                                                                                          \
    XX(erfcinv, 314, 60, FLOATS)                                                                                       \
    XX(erfcx, 166, 88, FLOATS)                                                                                         \
    XX(erfinv, 199, 44, FLOATS)                                                                                        \
    XX(exp, 59, 18, FLOATS)                                                                                            \
    XX(exp10, 65, 18, FLOATS)                                                                                          \
    XX(exp2, 61, 1, FLOATS)                                                                                            \
    XX(expm1, 66, 36, FLOATS)                                                                                          \
    XX(fabs, 1, 1, FLOATS)                                                                                             \
    XX(fdim, 4, 4, FLOATS)                                                                                             \
    XX(fdividef, 8, 0, FLOAT)                                                                                          \
    XX(floor, 1, 1, FLOATS)                                                                                            \
    XX(fma, 3, 3, FLOATS)                                                                                              \
    XX(fmax, 2, 2, FLOATS)                                                                                             \
    XX(fmin, 2, 2, FLOATS)                                                                                             \
    XX(fmod, 240, 82, FLOATS)                                                                                          \
    XX(hypot, 42, 25, FLOATS)                                                                                          \
    XX(ilogb, 26, 18, INTEGER)                                                                                         \
    XX(isfinite, 3, 0, INTEGER)                                                                                        \
    XX(isinf, 3, 0, INTEGER)                                                                                           \
    XX(isnan, 3, 0, INTEGER)                                                                                           \
    XX(j0, 398, 193, FLOATS)                                                                                           \
    XX(j1, 398, 195, FLOATS)                                                                                           \
    XX(labs, 2, 0, INTEGER)                                                                                            \
    XX(ldexp, 22, 21, FIRST)                                                                                           \
    XX(lgamma, 497, 321, FLOATS)                                                                                       \
    XX(llabs, 2, 0, INTEGER)                                                                                           \
    XX(llmax, 2, 0, INTEGER)                                                                                           \
    XX(llmin, 2, 0, INTEGER)                                                                                           \
    XX(llrint, 2, 2, INTEGER)                                                                                          \
    XX(llround, 6, 36, INTEGER)                                                                                        \
    XX(log, 80, 40, FLOATS)                                                                                            \
    XX(log10, 83, 41, FLOATS)                                                                                          \
    XX(log1p, 113, 46, FLOATS)                                                                                         \
    XX(log2, 83, 43, FLOATS)                                                                                           \
    XX(logb, 28, 18, FLOATS)                                                                                           \
    XX(lrint, 2, 2, INTEGER)                                                                                           \
    XX(lround, 6, 36, INTEGER)                                                                                         \
    XX(max, 2, 0, SUM)                                                                                                 \
    XX(min, 2, 0, SUM)                                                                                                 \
    XX(nearbyint, 1, 1, FLOATS)                                                                                        \
    XX(nextafter, 39, 39, FLOATS)                                                                                      \
    XX(norm3d, 45, 30, DOUBLE)                                                                                         \
    XX(norm4d, 52, 37, DOUBLE)                                                                                         \
    XX(normcdf, 178, 91, FLOATS)                                                                                       \
    XX(normcdfinv, 320, 64, FLOATS)                                                                                    \
    XX(pow, 274, 128, FLOATS)                                                                                          \
    XX(rcbrt, 60, 20, FLOATS)                                                                                          \
    XX(remainder, 256, 109, FLOATS)                                                                                    \
    XX(rhypot, 47, 21, DOUBLE)                                                                                         \
    XX(rint, 1, 1, FLOATS)                                                                                             \
    XX(rnorm3d, 39, 29, DOUBLE)                                                                                        \
    XX(rnorm4d, 46, 36, DOUBLE)                                                                                        \
    XX(round, 4, 4, FLOATS)                                                                                            \
    XX(rsqrt, 24, 8, FLOATS)                                                                                           \
    XX(scalbln, 25, 24, FIRST)                                                                                         \
    XX(scalbn, 22, 21, FIRST)                                                                                          \
    XX(signbit, 3, 0, INTEGER)                                                                                         \
    XX(sin, 207, 111, FLOATS)                                                                                          \
    XX(sinh, 86, 37, FLOATS)                                                                                           \
    XX(sinpi, 46, 37, FLOATS)                                                                                          \
    XX(sqrt, 24, 8, FLOATS)                                                                                            \
    XX(tan, 230, 112, FLOATS)                                                                                          \
    XX(tanh, 80, 24, FLOATS)                                                                                           \
    XX(tgamma, 693, 215, FLOATS)                                                                                       \
    XX(trunc, 1, 1, FLOATS)                                                                                            \
    XX(ullmax, 2, 0, INTEGER)                                                                                          \
    XX(ullmin, 2, 0, INTEGER)                                                                                          \
    XX(umax, 2, 0, INTEGER)                                                                                            \
    XX(umin, 2, 0, INTEGER)                                                                                            \
    XX(y0, 779, 481, FLOATS)                                                                                           \
    XX(y1, 779, 485, FLOATS)

/* Finds a function, also make_float2 and its like; false: no expression knows it. Writes *function on success only. */
bool jr_functions_find(jr_token word, jr_function *function);

#endif
