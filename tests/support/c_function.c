/* The table of functions, and what they compute. */
#include "support/c_function.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define OF_DOUBLE(name, count, ...)                                                                                    \
    { name, C_OF_DOUBLE, count, C_TYPES, C_TYPES, true, __VA_ARGS__ }
#define TESTS(name)                                                                                                    \
    { name, C_OF_DOUBLE, 1, C_BOOL, C_TYPES, false, false }
#define ROUNDS(name, result)                                                                                           \
    { name, C_OF_DOUBLE, 1, result, C_TYPES, true, true }
#define FIXED(name, count, type)                                                                                       \
    { name, C_OF_FIXED, count, type, type, false, false }

static const c_function rows[] = {
    OF_DOUBLE("ceil", 1, false),
    OF_DOUBLE("fabs", 1, false),
    OF_DOUBLE("floor", 1, false),
    OF_DOUBLE("nearbyint", 1, false),
    OF_DOUBLE("rint", 1, false),
    OF_DOUBLE("round", 1, true),
    OF_DOUBLE("sqrt", 1, false),
    OF_DOUBLE("trunc", 1, false),
    OF_DOUBLE("copysign", 2, false),
    OF_DOUBLE("fdim", 2, true),
    OF_DOUBLE("fmax", 2, false),
    OF_DOUBLE("fmin", 2, false),
    OF_DOUBLE("fmod", 2, true),
    OF_DOUBLE("remainder", 2, true),
    OF_DOUBLE("fma", 3, true),
    {"ldexp", C_OF_POWER, 2, C_TYPES, C_TYPES, true, true},
    {"scalbn", C_OF_POWER, 2, C_TYPES, C_TYPES, true, true},
    TESTS("isnan"),
    TESTS("isinf"),
    TESTS("isfinite"),
    ROUNDS("lrint", C_LONG),
    ROUNDS("llrint", C_LLONG),
    ROUNDS("lround", C_LONG),
    ROUNDS("llround", C_LLONG),
    {"max", C_OF_SUM, 2, C_TYPES, C_TYPES, false, false},
    {"min", C_OF_SUM, 2, C_TYPES, C_TYPES, false, false},
    {"abs", C_OF_SIZE, 1, C_TYPES, C_TYPES, false, false},
    FIXED("labs", 1, C_LONG),
    FIXED("llabs", 1, C_LLONG),
    FIXED("llmax", 2, C_LLONG),
    FIXED("llmin", 2, C_LLONG),
    FIXED("ullmax", 2, C_ULLONG),
    FIXED("ullmin", 2, C_ULLONG),
    FIXED("umax", 2, C_UNSIGNED),
    FIXED("umin", 2, C_UNSIGNED),
};

int c_function_count(void) {
    return (int)(sizeof rows / sizeof rows[0]);
}
const c_function *c_function_at(int index) {
    return &rows[index];
}

/* ---- types ---- */

/* In which type it computes. */
static c_type inner_type(const c_function *function, bool single, const c_type *given) {
    const int numbers = function->form == C_OF_POWER ? 1 : function->arguments;
    bool are_floats = true;
    if (function->form == C_OF_FIXED) return function->taken;
    if (function->form == C_OF_SIZE) return c_promoted(given[0]);
    if (function->form == C_OF_SUM) return c_common(given[0], given[1]);
    for (int i = 0; i < numbers; i++) are_floats = are_floats && given[i] == C_FLOAT;
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
    if (strcmp(name, "copysign") == 0) return copysign(x, y);
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

c_number c_function_call(const c_function *function, bool single, const c_number *given, c_notes *notes) {
    c_type types[C_ARGUMENTS_MAX];
    c_number taken[C_ARGUMENTS_MAX] = {{.type = C_INT}};
    for (int i = 0; i < function->arguments; i++) types[i] = given[i].type;
    const c_type type = inner_type(function, single, types);
    take(function, type, given, taken, notes);
    c_number made;
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
