/* Computes with ranges of integers. Source: C++17 standard, [expr.arith.conv], [expr.shift], [lex.icon]. */
#include "whole_values.h"

#include <string.h>

#include "dtype.h"

static const jr_whole whole_max = ((((jr_whole)1 << 126) - 1) << 1) + 1;

static bool is_unsigned(int type) {
    return type == JR_WHOLE_UINT || type == JR_WHOLE_ULONG;
}

static int bits_of(int type) {
    return type >= JR_WHOLE_LONG ? 64 : 32;
}

static jr_whole least_of(int type) {
    return is_unsigned(type) ? 0 : -((jr_whole)1 << (bits_of(type) - 1));
}

static jr_whole most_of(int type) {
    return ((jr_whole)1 << (bits_of(type) - !is_unsigned(type))) - 1;
}

static jr_number whole_between(int type, jr_whole low, jr_whole high) {
    return (jr_number){.kind = JR_KIND_INTEGER, .type = (unsigned char)type, .low = low, .high = high};
}

static jr_number any_whole(int type) {
    return whole_between(type, least_of(type), most_of(type));
}

static jr_number truth(void) {
    jr_number number = whole_between(JR_WHOLE_INT, 0, 1);
    number.truth = true;
    return number;
}

jr_number jr_number_of_kind(jr_value_kind kind) {
    jr_number number = any_whole(JR_WHOLE_LONG);
    number.kind = (unsigned char)kind;
    return number;
}

jr_number jr_number_of_type(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    if (row == NULL) return jr_number_of_kind(JR_KIND_UNKNOWN);
    if (jr_dtype_is_float(row)) return jr_number_of_kind(type == JR_F64 ? JR_KIND_DOUBLE : JR_KIND_FLOAT);
    const int bits = 8 * (int)row->bytes;
    const bool positive = row->class != JR_CLASS_SIGNED;
    if (row->class == JR_CLASS_BOOLEAN) return truth();
    if (bits >= 32) return any_whole((bits == 64 ? JR_WHOLE_LONG : JR_WHOLE_INT) + positive);
    return whole_between(JR_WHOLE_INT, positive ? 0 : -((jr_whole)1 << (bits - 1)),
                         ((jr_whole)1 << (bits - !positive)) - 1);
}

/* ---- ranges ---- */

static jr_whole smaller(jr_whole a, jr_whole b) {
    return a < b ? a : b;
}

static jr_whole larger(jr_whole a, jr_whole b) {
    return a > b ? a : b;
}

static jr_whole magnitude_of(const jr_number *a) {
    return larger(a->high, -a->low);
}

/* The range as it is if its type holds it, else the whole range of the type, with a doubt. Unsigned constants wrap on
 * purpose: no doubt. */
static jr_number fit(jr_number exact, unsigned *doubts) {
    const bool fits = exact.low >= least_of(exact.type) && exact.high <= most_of(exact.type);
    if (fits) return exact;
    if (!exact.constant)
        *doubts |= JR_DOUBT_WRAPS;
    else if (!is_unsigned(exact.type))
        *doubts |= JR_DOUBT_OVERFLOWS;
    return any_whole(exact.type);
}

/* The number converted to a type of at least its rank. If it may be negative and the type is unsigned, it may become
 * any number: JR_DOUBT_SIGNS is set. */
static jr_number convert(const jr_number *a, int type, unsigned *doubts) {
    jr_number converted = *a;
    converted.type = (unsigned char)type;
    if (a->low >= least_of(type)) return converted;
    *doubts |= JR_DOUBT_SIGNS;
    return any_whole(type);
}

static jr_whole multiply(jr_whole a, jr_whole b) {
    jr_whole product;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    return (a < 0) == (b < 0) ? whole_max : -whole_max;
}

/* The range of what an operation gives at the four corners. */
static void take_corners(jr_number *to, const jr_number *a, const jr_number *b,
                         jr_whole (*operation)(jr_whole, jr_whole)) {
    const jr_whole corners[] = {operation(a->low, b->low), operation(a->low, b->high), operation(a->high, b->low),
                                operation(a->high, b->high)};
    to->low = to->high = corners[0];
    for (int i = 1; i < 4; i++) {
        to->low = smaller(to->low, corners[i]);
        to->high = larger(to->high, corners[i]);
    }
}

static jr_whole divide(jr_whole a, jr_whole b) {
    return a / b;
}

static jr_whole shift_left(jr_whole a, jr_whole b) {
    return multiply(a, (jr_whole)1 << (int)b);
}

static jr_whole shift_right(jr_whole a, jr_whole b) {
    return a >> (int)b;
}

/* The range of a / b or a % b. A divisor of 0, whose result C leaves undefined, does not widen it, but sets
 * JR_DOUBT_BY_ZERO. */
static jr_number divided(char sign, const jr_number *left, const jr_number *right, jr_number made, unsigned *doubts) {
    const jr_number a = convert(left, made.type, doubts), b = convert(right, made.type, doubts);
    const bool zero = b.low <= 0 && b.high >= 0;
    if (zero) *doubts |= JR_DOUBT_BY_ZERO;
    if (sign == '%') {
        const jr_whole rest = smaller(magnitude_of(&a), larger(magnitude_of(&b) - 1, 0));
        if (made.constant && !zero) return whole_between(made.type, a.low % b.low, a.low % b.low);
        return whole_between(made.type, a.low < 0 ? -rest : 0, a.high > 0 ? rest : 0);
    }
    if (made.constant && !zero && a.low % b.low != 0)
        *doubts |= JR_DOUBT_CUT;
    else if (!made.constant && !(b.constant && (b.low == 1 || b.low == -1)))
        *doubts |= JR_DOUBT_CUTS;
    if (zero) return whole_between(made.type, smaller(a.low, -a.high), larger(a.high, -a.low));
    take_corners(&made, &a, &b, divide);
    return fit(made, doubts);
}

static jr_number shifted(char sign, const jr_number *a, const jr_number *b, unsigned *doubts) {
    jr_number made = *a;
    made.constant = a->constant && b->constant;
    made.truth = false;
    const bool outside = b->low < 0 || b->high >= bits_of(a->type);
    if (outside && !b->constant && sign == '<' && b->high >= bits_of(a->type)) *doubts |= JR_DOUBT_WRAPS | JR_DOUBT_FAR;
    if (outside && b->constant) *doubts |= JR_DOUBT_SHIFT;
    if (outside) return any_whole(a->type);
    take_corners(&made, a, b, sign == '<' ? shift_left : shift_right);
    if (a->constant && !made.constant && made.high > most_of(a->type)) *doubts |= JR_DOUBT_FAR;
    return fit(made, doubts);
}

/* All ones below the highest one of a number that is not negative. */
static jr_whole ones_of(jr_whole number) {
    jr_whole ones = 0;
    while (ones < number) ones = 2 * ones + 1;
    return ones;
}

static jr_number masked(char sign, const jr_number *a, const jr_number *b, jr_number made) {
    if (a->truth && b->truth) return truth();
    if (made.constant) {
        made.low = sign == '&' ? (a->low & b->low) : sign == '|' ? (a->low | b->low) : (a->low ^ b->low);
        made.high = made.low;
        unsigned unused = 0;
        return fit(made, &unused);
    }
    const bool positive = a->low >= 0 && b->low >= 0;
    if (sign == '&' && (a->low >= 0 || b->low >= 0))
        return whole_between(made.type, 0, a->low < 0 ? b->high : b->low < 0 ? a->high : smaller(a->high, b->high));
    const jr_whole ones = ones_of(larger(magnitude_of(a), magnitude_of(b)));
    if (positive) return whole_between(made.type, 0, ones);
    if (is_unsigned(made.type) || ones > most_of(made.type)) return any_whole(made.type);
    return whole_between(made.type, -ones - 1, ones);
}

static jr_number added(char sign, const jr_number *a, const jr_number *b, jr_number made, unsigned *doubts) {
    made.low = sign == '+' ? a->low + b->low : a->low - b->high;
    made.high = sign == '+' ? a->high + b->high : a->high - b->low;
    if (sign == '*') take_corners(&made, a, b, multiply);
    return fit(made, doubts);
}

/* ---- operators ---- */

static bool takes_integers(jr_token sign) {
    return jr_token_is_one_of(sign, "% & | ^ << >> ~");
}

/* The usual arithmetic conversions. What is unknown and takes part in arithmetic with floats is taken for a number. */
static jr_value_kind join(const jr_number *a, const jr_number *b) {
    const unsigned wider = a->kind > b->kind ? a->kind : b->kind, other = a->kind > b->kind ? b->kind : a->kind;
    if (other != JR_KIND_UNKNOWN) return (jr_value_kind)wider;
    return wider >= JR_KIND_FLOAT ? JR_KIND_DOUBLE : JR_KIND_UNKNOWN;
}

static bool both_whole(const jr_number *a, const jr_number *b) {
    return a->kind == JR_KIND_INTEGER && b->kind == JR_KIND_INTEGER;
}

jr_number jr_number_either(const jr_number *a, const jr_number *b, unsigned *doubts) {
    const int type = a->type > b->type ? a->type : b->type;
    if (!both_whole(a, b)) return jr_number_of_kind(join(a, b));
    if (a->truth && b->truth) return truth();
    const jr_number left = convert(a, type, doubts), right = convert(b, type, doubts);
    return whole_between(type, smaller(left.low, right.low), larger(left.high, right.high));
}

jr_number jr_number_of_two(jr_token function, const jr_number *a, const jr_number *b) {
    unsigned unused = 0;
    jr_number made = jr_number_either(a, b, &unused);
    if (!both_whole(a, b) || a->low < made.low || b->low < made.low) return made; /* negative, taken as unsigned */
    if (jr_token_is_one_of(function, "min")) made.high = smaller(a->high, b->high);
    if (jr_token_is_one_of(function, "max")) made.low = larger(a->low, b->low);
    return made;
}

/* True of 2, 0.5 and -1 as conditions; not of 0 and 1, which programs write for false and true. */
static bool is_always(const jr_number *number) {
    return number->constant && (number->kind >= JR_KIND_FLOAT || number->low < 0 || number->low > 1);
}

static jr_number compared(jr_token sign, const jr_number *a, const jr_number *b, unsigned *doubts) {
    const int type = a->type > b->type ? a->type : b->type;
    const bool joins = jr_token_is_one_of(sign, "&& ||");
    if (joins && (is_always(a) || is_always(b))) *doubts |= JR_DOUBT_ALWAYS;
    if (both_whole(a, b) && !joins) {
        (void)convert(a, type, doubts);
        (void)convert(b, type, doubts);
    }
    return truth();
}

jr_number jr_number_between(jr_token sign, const jr_number *a, const jr_number *b, unsigned *doubts) {
    jr_number made = any_whole(a->type > b->type ? a->type : b->type);
    made.constant = a->constant && b->constant;
    if (jr_token_is_one_of(sign, "< > <= >= == != && ||")) return compared(sign, a, b, doubts);
    if (takes_integers(sign)) {
        if (a->kind >= JR_KIND_FLOAT || b->kind >= JR_KIND_FLOAT) *doubts |= JR_DOUBT_FLOAT;
        if (!both_whole(a, b)) return jr_number_of_kind(JR_KIND_INTEGER);
    }
    if (!both_whole(a, b)) return jr_number_of_kind(join(a, b));
    if (jr_token_is_one_of(sign, "<< >>")) return shifted(*sign.text, a, b, doubts);
    if (jr_token_is_one_of(sign, "/ %")) return divided(*sign.text, a, b, made, doubts);
    if (*sign.text == '^' && !a->constant && b->constant && b->low >= 2 && b->low <= 9) *doubts |= JR_DOUBT_POWER;
    return takes_integers(sign) ? masked(*sign.text, a, b, made) : added(*sign.text, a, b, made, doubts);
}

jr_number jr_number_after(jr_token sign, const jr_number *a, unsigned *doubts) {
    jr_number made = *a;
    if (jr_token_is_one_of(sign, "!")) return truth();
    made.truth = false;
    if (jr_token_is_one_of(sign, "~") && a->truth) *doubts |= JR_DOUBT_TRUTH;
    if (jr_token_is_one_of(sign, "~") && a->kind >= JR_KIND_FLOAT) *doubts |= JR_DOUBT_FLOAT;
    if (a->kind != JR_KIND_INTEGER) return jr_token_is_one_of(sign, "~") ? jr_number_of_kind(JR_KIND_INTEGER) : *a;
    if (jr_token_is_one_of(sign, "~") && is_unsigned(a->type)) return any_whole(a->type);
    if (jr_token_is_one_of(sign, "~")) {
        made.low = ~a->high;
        made.high = ~a->low;
    }
    if (!jr_token_is_one_of(sign, "-")) return made;
    if (a->constant && a->low == (jr_whole)1 << 63) *doubts |= JR_DOUBT_LEAST;
    made.low = -a->high;
    made.high = -a->low;
    return fit(made, doubts);
}

jr_number jr_number_magnitude(const jr_number *a, unsigned *doubts) {
    jr_number made = *a;
    if (a->kind != JR_KIND_INTEGER) return made;
    made.truth = false;
    made.low = a->low > 0 ? a->low : 0;
    made.high = magnitude_of(a);
    return fit(made, doubts);
}

jr_number jr_number_cast(const jr_number *to, const jr_number *a) {
    const bool fits =
        a->kind == JR_KIND_INTEGER && to->kind == JR_KIND_INTEGER && a->low >= to->low && a->high <= to->high;
    if (!fits) return *to;
    jr_number made = whole_between(to->type, a->low, a->high);
    made.constant = a->constant;
    made.truth = to->truth;
    return made;
}
