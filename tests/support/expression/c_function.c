/* The table of functions, and what they compute. */
#include "c_function.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define OF_DOUBLE(n, count, ...)                                                                                       \
    {                                                                                                                  \
        .name = n, .form = C_OF_DOUBLE, .arguments = count, .result = C_TYPES, .taken = C_TYPES,                       \
        .has_float_form = true, __VA_ARGS__                                                                            \
    }
#define GIVES(n, type, ...)                                                                                            \
    { .name = n, .form = C_OF_DOUBLE, .arguments = 1, .result = type, .taken = C_TYPES, __VA_ARGS__ }
#define FIXED(n, count, type)                                                                                          \
    { .name = n, .form = C_OF_FIXED, .arguments = count, .result = type, .taken = type }
#define VECTOR(n, type, which)                                                                                         \
    { .name = n, .form = C_OF_FIXED, .arguments = 2, .result = type, .taken = type, .member = which }
#define ONE(n) OF_DOUBLE(n, 1, .rounds = true)
#define OTHER(n, of, count, ...)                                                                                       \
    { .name = n, .form = of, .arguments = count, .result = C_TYPES, .taken = C_TYPES, __VA_ARGS__ }

static const c_function exact[] = {
    OF_DOUBLE("ceil", 1, .adds = false),
    OF_DOUBLE("fabs", 1, .adds = false),
    OF_DOUBLE("floor", 1, .adds = false),
    OF_DOUBLE("nearbyint", 1, .adds = false),
    OF_DOUBLE("rint", 1, .adds = false),
    OF_DOUBLE("round", 1, .adds = true),
    OF_DOUBLE("sqrt", 1, .adds = false),
    OF_DOUBLE("trunc", 1, .adds = false),
    OF_DOUBLE("copysign", 2, .adds = false),
    OF_DOUBLE("fdim", 2, .adds = true),
    OF_DOUBLE("fmax", 2, .adds = false),
    OF_DOUBLE("fmin", 2, .adds = false),
    OF_DOUBLE("fmod", 2, .adds = true),
    OF_DOUBLE("remainder", 2, .adds = true),
    OF_DOUBLE("fma", 3, .adds = true),
    OTHER("ldexp", C_OF_POWER, 2, .has_float_form = true, .adds = true),
    OTHER("scalbn", C_OF_POWER, 2, .has_float_form = true, .adds = true),
    GIVES("isnan", C_BOOL, .adds = false),
    GIVES("isinf", C_BOOL, .adds = false),
    GIVES("isfinite", C_BOOL, .adds = false),
    GIVES("lrint", C_LONG, .has_float_form = true),
    GIVES("llrint", C_LLONG, .has_float_form = true),
    GIVES("lround", C_LONG, .has_float_form = true, .adds = true),
    GIVES("llround", C_LLONG, .has_float_form = true, .adds = true),
    OTHER("max", C_OF_SUM, 2, .adds = false),
    OTHER("min", C_OF_SUM, 2, .adds = false),
    OTHER("abs", C_OF_SIZE, 1, .adds = false),
    FIXED("labs", 1, C_LONG),
    FIXED("llabs", 1, C_LLONG),
    FIXED("llmax", 2, C_LLONG),
    FIXED("llmin", 2, C_LLONG),
    FIXED("ullmax", 2, C_ULLONG),
    FIXED("ullmin", 2, C_ULLONG),
    FIXED("umax", 2, C_UNSIGNED),
    FIXED("umin", 2, C_UNSIGNED),
    VECTOR("make_float2", C_FLOAT, 'x'),
    VECTOR("make_double2", C_DOUBLE, 'y'),
    VECTOR("make_int2", C_INT, 'x'),
    VECTOR("make_longlong2", C_LLONG, 'y'),
};

static const c_function rounding[] = {
    ONE("acos"),
    ONE("acosh"),
    ONE("asin"),
    ONE("asinh"),
    ONE("atan"),
    ONE("atanh"),
    ONE("cbrt"),
    ONE("cos"),
    ONE("cosh"),
    ONE("cospi"),
    ONE("cyl_bessel_i0"),
    ONE("cyl_bessel_i1"),
    ONE("erf"),
    ONE("erfc"),
    ONE("erfcinv"),
    ONE("erfcx"),
    ONE("erfinv"),
    ONE("exp"),
    ONE("exp10"),
    ONE("exp2"),
    ONE("expm1"),
    ONE("j0"),
    ONE("j1"),
    ONE("lgamma"),
    ONE("log"),
    ONE("log10"),
    ONE("log1p"),
    ONE("log2"),
    ONE("logb"),
    ONE("normcdf"),
    ONE("normcdfinv"),
    ONE("rcbrt"),
    ONE("rsqrt"),
    ONE("sin"),
    ONE("sinh"),
    ONE("sinpi"),
    ONE("tan"),
    ONE("tanh"),
    ONE("tgamma"),
    ONE("y0"),
    ONE("y1"),
    OF_DOUBLE("atan2", 2, .rounds = true),
    OF_DOUBLE("hypot", 2, .rounds = true),
    OF_DOUBLE("nextafter", 2, .rounds = true),
    OF_DOUBLE("pow", 2, .rounds = true),
    OF_DOUBLE("rhypot", 2, .rounds = true),
    OF_DOUBLE("norm3d", 3, .rounds = true),
    OF_DOUBLE("rnorm3d", 3, .rounds = true),
    OTHER("scalbln", C_OF_POWER, 2, .has_float_form = true, .rounds = true),
    GIVES("ilogb", C_INT, .has_float_form = true, .rounds = true),
    GIVES("signbit", C_BOOL, .rounds = true),
    {.name = "fdividef", .form = C_OF_FIXED, .arguments = 2, .result = C_FLOAT, .taken = C_FLOAT, .rounds = true},
};

enum { EXACT = sizeof exact / sizeof exact[0], ROUNDING = sizeof rounding / sizeof rounding[0] };

int c_function_count(bool with_rounding) {
    return EXACT + (with_rounding ? ROUNDING : 0);
}
const c_function *c_function_at(int index) {
    return index < EXACT ? &exact[index] : &rounding[index - EXACT];
}

/* ---- types ---- */

static bool is_always_double(const char *name) {
    return strcmp(name, "norm3d") == 0 || strcmp(name, "rnorm3d") == 0 || strcmp(name, "rhypot") == 0;
}

/* In which type it computes. */
static c_type inner_type(const c_function *function, bool single, const c_type *given) {
    const int numbers = function->form == C_OF_POWER ? 1 : function->arguments;
    bool are_floats = true;
    if (function->form == C_OF_FIXED) return function->taken;
    if (function->form == C_OF_SIZE) return c_promoted(given[0]);
    if (function->form == C_OF_SUM) return c_common(given[0], given[1]);
    for (int i = 0; i < numbers; i++) are_floats = are_floats && given[i] == C_FLOAT;
    if (is_always_double(function->name)) are_floats = false;
    if (strcmp(function->name, "pow") == 0) are_floats = are_floats || (given[0] == C_FLOAT && given[1] == C_INT);
    return single || are_floats ? C_FLOAT : C_DOUBLE;
}

c_type c_function_type(const c_function *function, bool single, const c_type *given) {
    return function->result != C_TYPES ? function->result : inner_type(function, single, given);
}

/* ---- values ---- */

static double round_half_even(double x) {
    return rint(x); /* the rounding mode is to nearest */
}

static double of_one(const char *name, double x) {
    static const struct {
        const char *name;
        double (*function)(double);
    } functions[] = {{"ceil", ceil}, {"fabs", fabs},   {"floor", floor}, {"nearbyint", round_half_even},
                     {"sqrt", sqrt}, {"trunc", trunc}, {"round", round}, {"rint", round_half_even}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0) return functions[i].function(x);
    return (double)NAN;
}

/* The greater of zeros is left open by C. */
static double extremum(bool greatest, double x, double y, c_notes *notes) {
    if (x == 0 && y == 0 && signbit(x) != signbit(y)) notes->undefined = true;
    return greatest ? fmax(x, y) : fmin(x, y);
}

/* Of floats the difference of doubles is exact or rounds as that of floats does. */
static double of_two(const char *name, double x, double y, c_notes *notes) {
    if (strcmp(name, "copysign") == 0) {
        if (isnan(y)) notes->undefined = true; /* nobody says which sign the NaN of inf - inf has */
        return copysign(x, y);
    }
    if (strcmp(name, "fdim") == 0) return isnan(x) || isnan(y) ? (double)NAN : x > y ? x - y : 0;
    if (strcmp(name, "fmod") == 0) return fmod(x, y);
    if (strcmp(name, "remainder") == 0) return remainder(x, y);
    return extremum(strstr(name, "max") != NULL, x, y, notes);
}

static double fused(c_type type, double x, double y, double z) {
    return type == C_FLOAT ? (double)fmaf((float)x, (float)y, (float)z) : fma(x, y, z);
}

static c_number of_doubles(const c_function *function, c_type type, const c_number *taken, c_notes *notes) {
    const double x = taken[0].floating, y = taken[1].floating;
    const char *name = function->name;
    double value = 0;
    if (function->form == C_OF_POWER)
        value = ldexp(x, (int)(int64_t)taken[1].integer);
    else if (function->arguments == 1)
        value = of_one(name, x);
    else
        value = function->arguments == 2 ? of_two(name, x, y, notes) : fused(type, x, y, taken[2].floating);
    return c_floating(type, value);
}

static c_number rounded(const c_function *function, double x, c_notes *notes) {
    const double value = strstr(function->name, "round") != NULL ? round(x) : round_half_even(x);
    return c_converted(c_floating(C_DOUBLE, value), function->result, notes);
}

static c_number tested(const char *name, double x) {
    const bool holds = strcmp(name, "isnan") == 0 ? isnan(x) : strcmp(name, "isinf") == 0 ? isinf(x) : isfinite(x);
    return c_integer(C_BOOL, holds);
}

static c_number of_integers(const char *name, const c_number *taken, c_notes *notes) {
    const bool is_signed = c_is_signed(taken[0].type);
    if (strstr(name, "abs") != NULL)
        return is_signed && (int64_t)taken[0].integer < 0 ? c_unary('-', taken[0], notes) : taken[0];
    const bool less =
        is_signed ? (int64_t)taken[0].integer < (int64_t)taken[1].integer : taken[0].integer < taken[1].integer;
    return less == (strstr(name, "min") != NULL) ? taken[0] : taken[1];
}

static void take(const c_function *function, c_type type, const c_number *given, c_number *taken, c_notes *notes) {
    for (int i = 0; i < function->arguments; i++) {
        const bool power = function->form == C_OF_POWER && i == 1;
        taken[i] = c_converted(given[i], power ? C_INT : type, notes);
        if (function->adds && given[i].product) notes->fusible = true;
    }
}

static c_number stand_in(c_type type, c_notes *notes) {
    notes->inexact = true;
    return c_is_float(type) ? c_floating(type, 1) : c_integer(type, 1);
}

c_number c_function_call(const c_function *function, bool single, const c_number *given, c_notes *notes) {
    c_type types[C_ARGUMENTS_MAX];
    c_number taken[C_ARGUMENTS_MAX] = {{.type = C_INT}};
    for (int i = 0; i < function->arguments; i++) types[i] = given[i].type;
    const c_type type = inner_type(function, single, types);
    take(function, type, given, taken, notes);
    c_number made;
    if (function->rounds) return stand_in(c_function_type(function, single, types), notes);
    if (function->member != '\0') return taken[function->member == 'y'];
    if (!c_is_float(type)) return of_integers(function->name, taken, notes);
    if (function->result == C_BOOL) return tested(function->name, taken[0].floating);
    if (function->result != C_TYPES) return rounded(function, taken[0].floating, notes);
    if (function->form == C_OF_SIZE)
        made = c_floating(type, fabs(taken[0].floating));
    else if (function->form == C_OF_SUM)
        made =
            c_floating(type, extremum(strcmp(function->name, "max") == 0, taken[0].floating, taken[1].floating, notes));
    else
        made = of_doubles(function, type, taken, notes);
    for (int i = 0; i < function->arguments; i++) made.product |= taken[i].product;
    return made;
}
