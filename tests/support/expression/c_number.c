/* C's arithmetic, type by type. */
#include "c_number.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *other;
    int bits, rank;
    bool is_signed;
} rows[C_TYPES] = {
    [C_BOOL] = {"bool", "bool", 1, 0, false},
    [C_CHAR] = {"signed char", "char", 8, 1, true},
    [C_UCHAR] = {"unsigned char", "char unsigned", 8, 1, false},
    [C_SHORT] = {"short", "short int", 16, 2, true},
    [C_USHORT] = {"unsigned short", "short unsigned int", 16, 2, false},
    [C_INT] = {"int", "signed", 32, 3, true},
    [C_UNSIGNED] = {"unsigned", "unsigned int", 32, 3, false},
    [C_LONG] = {"long", "long int", 64, 4, true},
    [C_ULONG] = {"unsigned long", "size_t", 64, 4, false},
    [C_LLONG] = {"long long", "long long int", 64, 5, true},
    [C_ULLONG] = {"unsigned long long", "long long unsigned", 64, 5, false},
    [C_FLOAT] = {"float", "float", 0, 0, true},
    [C_DOUBLE] = {"double", "double", 0, 0, true},
};

bool c_is_float(c_type type) {
    return type >= C_FLOAT;
}
bool c_is_signed(c_type type) {
    return rows[type].is_signed;
}
int c_bits(c_type type) {
    return rows[type].bits;
}
const char *c_type_name(c_type type) {
    return rows[type].name;
}
const char *c_type_other_name(c_type type) {
    return rows[type].other;
}

c_type c_promoted(c_type type) {
    return type < C_INT ? C_INT : type;
}

c_type c_common(c_type a, c_type b) {
    if (a == C_DOUBLE || b == C_DOUBLE) return C_DOUBLE;
    if (a == C_FLOAT || b == C_FLOAT) return C_FLOAT;
    const c_type one = c_promoted(a), other = c_promoted(b);
    if (rows[one].is_signed == rows[other].is_signed) return rows[one].rank >= rows[other].rank ? one : other;
    const c_type with_sign = rows[one].is_signed ? one : other, without = rows[one].is_signed ? other : one;
    if (rows[without].rank >= rows[with_sign].rank) return without;
    return rows[with_sign].bits > rows[without].bits ? with_sign : with_sign + 1;
}

c_number c_integer(c_type type, uint64_t value) {
    const int bits = rows[type].bits;
    c_number made = {.type = type, .integer = value};
    if (type == C_BOOL) made.integer = value != 0;
    if (type == C_BOOL || bits == 64) return made;
    const uint64_t mask = (UINT64_C(1) << bits) - 1, sign = UINT64_C(1) << (bits - 1);
    made.integer = value & mask;
    if (rows[type].is_signed && (value & sign) != 0) made.integer |= ~mask;
    return made;
}

c_number c_floating(c_type type, double value) {
    return (c_number){.type = type, .floating = type == C_FLOAT ? (double)(float)value : value};
}

bool c_is_true(c_number a) {
    return c_is_float(a.type) ? a.floating != 0 : a.integer != 0;
}

/* ---- conversions ---- */

static double integer_as(c_number a, c_type type) {
    const bool is_signed = c_is_signed(a.type);
    if (type == C_FLOAT) return is_signed ? (double)(float)(int64_t)a.integer : (double)(float)a.integer;
    return is_signed ? (double)(int64_t)a.integer : (double)a.integer;
}

/* What does not fit is undefined. */
static c_number cut_to_integer(double x, c_type type, c_notes *notes) {
    const double end = ldexp(1, c_bits(type) - c_is_signed(type)), cut = trunc(x);
    if (type == C_BOOL) return c_integer(type, x != 0);
    if (isnan(x) || cut >= end || cut < (c_is_signed(type) ? -end : 0)) {
        notes->undefined = true;
        return c_integer(type, 0);
    }
    return c_integer(type, cut < 0 ? 0 - (uint64_t)-cut : (uint64_t)cut);
}

c_number c_converted(c_number a, c_type type, c_notes *notes) {
    if (c_is_float(a.type) && !c_is_float(type)) return cut_to_integer(a.floating, type, notes);
    if (!c_is_float(type)) return c_integer(type, a.integer);
    c_number made = c_floating(type, c_is_float(a.type) ? a.floating : integer_as(a, type));
    made.product = a.product;
    return made;
}

/* ---- operators ---- */

c_number c_unary(char sign, c_number a, c_notes *notes) {
    if (sign == '!') return c_integer(C_BOOL, !c_is_true(a));
    c_number made = c_converted(a, c_promoted(a.type), notes);
    if (sign == '~') return c_integer(made.type, ~made.integer);
    if (sign == '+') return made;
    made.floating = c_is_float(made.type) ? -made.floating : 0;
    if (c_is_float(made.type)) return made;
    if (c_is_signed(made.type) && made.integer == ~UINT64_C(0) << (c_bits(made.type) - 1)) notes->undefined = true;
    return c_integer(made.type, 0 - made.integer);
}

c_type c_binary_type(char sign, c_type a, c_type b) {
    if (strchr("<>lg=n", sign) != NULL) return C_BOOL;
    return sign == 'L' || sign == 'R' ? c_promoted(a) : c_common(a, b);
}

static bool compare(char sign, c_number a, c_number b) {
    bool less = a.integer<b.integer, equal = a.integer == b.integer, greater = a.integer> b.integer;
    if (c_is_float(a.type)) {
        less = a.floating<b.floating, equal = a.floating == b.floating, greater = a.floating> b.floating;
    } else if (c_is_signed(a.type)) {
        less = (int64_t)a.integer<(int64_t)b.integer, greater = (int64_t)a.integer>(int64_t) b.integer;
    }
    switch (sign) {
    case '<': return less;
    case '>': return greater;
    case 'l': return less || equal;
    case 'g': return greater || equal;
    case '=': return equal;
    default: return !equal;
    }
}

static double of_floats(char sign, double x, double y) {
    return sign == '+' ? x + y : sign == '-' ? x - y : sign == '*' ? x * y : x / y;
}

/* In the type itself, so that nothing is rounded twice. */
static c_number floats(char sign, c_number a, c_number b, c_notes *notes) {
    c_number made = {.type = a.type};
    if (a.type == C_FLOAT) {
        const float x = (float)a.floating, y = (float)b.floating;
        made.floating = (double)(float)of_floats(sign, (double)x, (double)y);
        made.product = sign == '*' && made.floating != a.floating * b.floating && !isnan(made.floating);
    } else {
        made.floating = of_floats(sign, a.floating, b.floating);
        made.product = sign == '*' && fma(a.floating, b.floating, -made.floating) != 0 && !isnan(made.floating);
    }
    if ((sign == '+' || sign == '-') && (a.product || b.product)) notes->fusible = true;
    return made;
}

static uint64_t quotient(char sign, c_number a, c_number b, c_notes *notes) {
    const bool overflows =
        c_is_signed(a.type) && b.integer == ~UINT64_C(0) && a.integer == ~UINT64_C(0) << (c_bits(a.type) - 1);
    if (b.integer == 0 || overflows) {
        notes->undefined = true;
        return 0;
    }
    if (!c_is_signed(a.type)) return sign == '/' ? a.integer / b.integer : a.integer % b.integer;
    const int64_t x = (int64_t)a.integer, y = (int64_t)b.integer;
    return (uint64_t)(sign == '/' ? x / y : x % y);
}

/* Of signed types what does not fit is undefined. */
static c_number integers(char sign, c_number a, c_number b, c_notes *notes) {
    const int64_t x = (int64_t)a.integer, y = (int64_t)b.integer;
    int64_t checked = 0;
    bool overflows = false;
    uint64_t bits = 0;
    switch (sign) {
    case '+': bits = a.integer + b.integer, overflows = __builtin_add_overflow(x, y, &checked); break;
    case '-': bits = a.integer - b.integer, overflows = __builtin_sub_overflow(x, y, &checked); break;
    case '*': bits = a.integer * b.integer, overflows = __builtin_mul_overflow(x, y, &checked); break;
    case '&': bits = a.integer & b.integer; break;
    case '|': bits = a.integer | b.integer; break;
    case '^': bits = a.integer ^ b.integer; break;
    default: bits = quotient(sign, a, b, notes); break;
    }
    const c_number made = c_integer(a.type, bits);
    if (c_is_signed(a.type) && (overflows || made.integer != bits)) notes->undefined = true;
    return made;
}

static c_number shifted(char sign, c_number a, c_number b, c_notes *notes) {
    const c_number from = c_converted(a, c_promoted(a.type), notes), by = c_converted(b, c_promoted(b.type), notes);
    const int bits = c_bits(from.type);
    if (by.integer >= (uint64_t)bits) {
        notes->undefined = true;
        return from;
    }
    const int count = (int)by.integer;
    if (sign == 'R')
        return c_integer(from.type,
                         c_is_signed(from.type) ? (uint64_t)((int64_t)from.integer >> count) : from.integer >> count);
    const c_number made = c_integer(from.type, from.integer << count);
    if (c_is_signed(from.type) &&
        ((int64_t)from.integer < 0 || (int64_t)made.integer >> count != (int64_t)from.integer))
        notes->undefined = true;
    return made;
}

c_number c_binary(char sign, c_number a, c_number b, c_notes *notes) {
    if (sign == 'L' || sign == 'R') return shifted(sign, a, b, notes);
    const c_type type = c_common(a.type, b.type);
    const c_number one = c_converted(a, type, notes), other = c_converted(b, type, notes);
    if (strchr("<>lg=n", sign) != NULL) return c_integer(C_BOOL, compare(sign, one, other));
    return c_is_float(type) ? floats(sign, one, other, notes) : integers(sign, one, other, notes);
}
