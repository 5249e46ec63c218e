/* The functions that expressions may call: jitreduce/reduce.h lists them. */
#ifndef JR_PROGRAM_FUNCTIONS_H
#define JR_PROGRAM_FUNCTIONS_H

#include "token.h"

/* Name, weight, and the weight of the form for float, whose name ends with f (0: there is none). Weights are the PTX
 * instructions of a call (NVRTC 13.0); of square roots and quotients, which PTX has as one instruction, those of the
 * code they become. Left out are functions that take pointers or loop as long as an argument says. Source: CUDA Math
 * API Reference Manual, "Single Precision Mathematical Functions", "Double Precision Mathematical Functions", "Integer
 * Mathematical Functions". */
#define JR_FUNCTIONS(XX)                                                                                               \
    XX(abs, 2, 0)                                                                                                      \
    XX(acos, 114, 38)                                                                                                  \
    XX(acosh, 139, 62)                                                                                                 \
    XX(asin, 92, 34)                                                                                                   \
    XX(asinh, 141, 60)                                                                                                 \
    XX(atan, 57, 31)                                                                                                   \
    XX(atan2, 71, 57)                                                                                                  \
    XX(atanh, 120, 56)                                                                                                 \
    XX(cbrt, 54, 17)                                                                                                   \
    XX(ceil, 1, 1)                                                                                                     \
    XX(copysign, 2, 2)                                                                                                 \
    XX(cos, 208, 112)                                                                                                  \
    XX(cosh, 57, 24)                                                                                                   \
    XX(cospi, 48, 39)                                                                                                  \
    XX(cyl_bessel_i0, 155, 85)                                                                                         \
    XX(cyl_bessel_i1, 155, 85)                                                                                         \
    XX(erf, 91, 26)                                                                                                    \
    XX(erfc, 144, 71)                                                                                                  \
    XX(erfcinv, 314, 60)                                                                                               \
    XX(erfcx, 166, 88)                                                                                                 \
    XX(erfinv, 199, 44)                                                                                                \
    XX(exp, 59, 18)                                                                                                    \
    XX(exp10, 65, 18)                                                                                                  \
    XX(exp2, 61, 1)                                                                                                    \
    XX(expm1, 66, 36)                                                                                                  \
    XX(fabs, 1, 1)                                                                                                     \
    XX(fdim, 4, 4)                                                                                                     \
    XX(fdividef, 8, 0)                                                                                                 \
    XX(floor, 1, 1)                                                                                                    \
    XX(fma, 3, 3)                                                                                                      \
    XX(fmax, 2, 2)                                                                                                     \
    XX(fmin, 2, 2)                                                                                                     \
    XX(fmod, 240, 82)                                                                                                  \
    XX(hypot, 42, 25)                                                                                                  \
    XX(ilogb, 26, 18)                                                                                                  \
    XX(isfinite, 3, 0)                                                                                                 \
    XX(isinf, 3, 0)                                                                                                    \
    XX(isnan, 3, 0)                                                                                                    \
    XX(j0, 398, 193)                                                                                                   \
    XX(j1, 398, 195)                                                                                                   \
    XX(labs, 2, 0)                                                                                                     \
    XX(ldexp, 22, 21)                                                                                                  \
    XX(lgamma, 497, 321)                                                                                               \
    XX(llabs, 2, 0)                                                                                                    \
    XX(llmax, 2, 0)                                                                                                    \
    XX(llmin, 2, 0)                                                                                                    \
    XX(llrint, 2, 2)                                                                                                   \
    XX(llround, 6, 36)                                                                                                 \
    XX(log, 80, 40)                                                                                                    \
    XX(log10, 83, 41)                                                                                                  \
    XX(log1p, 113, 46)                                                                                                 \
    XX(log2, 83, 43)                                                                                                   \
    XX(logb, 28, 18)                                                                                                   \
    XX(lrint, 2, 2)                                                                                                    \
    XX(lround, 6, 36)                                                                                                  \
    XX(max, 2, 0)                                                                                                      \
    XX(min, 2, 0)                                                                                                      \
    XX(nearbyint, 1, 1)                                                                                                \
    XX(nextafter, 39, 39)                                                                                              \
    XX(norm3d, 45, 30)                                                                                                 \
    XX(norm4d, 52, 37)                                                                                                 \
    XX(normcdf, 178, 91)                                                                                               \
    XX(normcdfinv, 320, 64)                                                                                            \
    XX(pow, 274, 128)                                                                                                  \
    XX(rcbrt, 60, 20)                                                                                                  \
    XX(remainder, 256, 109)                                                                                            \
    XX(rhypot, 47, 21)                                                                                                 \
    XX(rint, 1, 1)                                                                                                     \
    XX(rnorm3d, 39, 29)                                                                                                \
    XX(rnorm4d, 46, 36)                                                                                                \
    XX(round, 4, 4)                                                                                                    \
    XX(rsqrt, 24, 8)                                                                                                   \
    XX(scalbln, 25, 24)                                                                                                \
    XX(scalbn, 22, 21)                                                                                                 \
    XX(signbit, 3, 0)                                                                                                  \
    XX(sin, 207, 111)                                                                                                  \
    XX(sinh, 86, 37)                                                                                                   \
    XX(sinpi, 46, 37)                                                                                                  \
    XX(sqrt, 24, 8)                                                                                                    \
    XX(tan, 230, 112)                                                                                                  \
    XX(tanh, 80, 24)                                                                                                   \
    XX(tgamma, 693, 215)                                                                                               \
    XX(trunc, 1, 1)                                                                                                    \
    XX(ullmax, 2, 0)                                                                                                   \
    XX(ullmin, 2, 0)                                                                                                   \
    XX(umax, 2, 0)                                                                                                     \
    XX(umin, 2, 0)                                                                                                     \
    XX(y0, 779, 481)                                                                                                   \
    XX(y1, 779, 485)

/* What a call of a function adds to a program, in instructions of PTX; 0: no expression knows such a function. */
size_t jr_functions_weight(jr_token word);

#endif
