/* Functions in expressions: of integers, and of numbers of several types, the compiler found no form, as CUDA has those
 * of float and double alone; `sqrt(a / n)` of integers, which the help page shows, did not compile. */
#include <stdio.h>

#include "support/fixtures/open_context.h"

/* Holds one element of i32, 3, to what an expression says of it. */
static void holds(const opened *device, const char *expression) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ALL, .type = JR_I32, .map = expression);
    const int32_t data = 3;
    jr_value value;
    works(jr_reduce_host(device->context, &spec, &data, 1, &value));
    if (value.as.u8 != 1) fail_msg("%s does not hold", expression);
}

TEST(one_integer_is_taken_as_double) {
    static const char *const names[] = {
        "acos",      "acosh",      "asin",          "asinh",        "atan",    "atanh", "cbrt",   "ceil",     "cos",
        "cosh",      "cospi",      "erf",           "erfc",         "erfcinv", "erfcx", "erfinv", "exp",      "exp10",
        "exp2",      "expm1",      "fabs",          "floor",        "ilogb",   "j0",    "j1",     "lgamma",   "llrint",
        "log",       "llround",    "log10",         "log1p",        "log2",    "logb",  "lrint",  "lround",   "normcdf",
        "rcbrt",     "rint",       "round",         "rsqrt",        "sin",     "sinh",  "sinpi",  "sqrt",     "tan",
        "tanh",      "tgamma",     "trunc",         "y0",           "y1",      "isnan", "isinf",  "isfinite", "signbit",
        "nearbyint", "normcdfinv", "cyl_bessel_i0", "cyl_bessel_i1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char expression[256];
        snprintf(expression, sizeof expression, "%s(x) == %s((double)x) || isnan(%s((double)x))", names[i], names[i],
                 names[i]);
        holds(*state, expression);
    }
}

TEST(several_types_are_taken_as_double) {
    static const char *const two[] = {"atan2", "copysign", "fdim",      "fmax",   "fmin",     "fmod",
                                      "hypot", "pow",      "nextafter", "rhypot", "remainder"};
    static const char *const three[] = {"fma", "norm3d", "rnorm3d"};
    char expression[256];
    for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
        snprintf(expression, sizeof expression, "%s(x, 2) == %s(3.0, 2.0) && %s(0.1f, 2.5) == %s((double)0.1f, 2.5)",
                 two[i], two[i], two[i], two[i]);
        holds(*state, expression);
    }
    for (size_t i = 0; i < sizeof three / sizeof *three; i++) {
        snprintf(expression, sizeof expression, "%s(x, 0.1f, x) == %s(3.0, (double)0.1f, 3.0)", three[i], three[i]);
        holds(*state, expression);
    }
}

TEST(powers_of_two_scale_integers) {
    holds(*state, "ldexp(x, 2) == 12 && scalbn(x, x) == 24 && scalbln(x, 1) == 6 && ldexp((long long)x, i + 1) == 6");
}

TEST(the_greater_of_several_types_has_the_type_of_their_sum) {
    holds(*state, "max(x, (long long)1 << 40) == (long long)1 << 40 && min((unsigned long long)5, x) == 3");
    holds(*state, "max(x, 3.5) == 3.5 && min(2.5f, x) == 2.5f && min(i, 1) == 0 && max(0.1f, 0.2) != 0.2f");
    holds(*state, "max(x, NAN) == 3 && min((short)1, (short)2) == 1");
}

TEST(floats_keep_their_forms) {
    holds(*state, "sqrt(0.1f) == sqrtf(0.1f) && sqrt(0.1) != sqrtf(0.1f)");
    holds(*state, "pow(0.1f, 0.3f) == powf(0.1f, 0.3f) && fma(0.1f, 0.3f, 1.0f) == fmaf(0.1f, 0.3f, 1.0f)");
}

RUN_TESTS(open_context, close_context)
