/* Reads literals of C. Source: C++17 standard, [lex.icon], [lex.fcon]. */
#include <stdlib.h>
#include <string.h>

#include "whole_values.h"

static jr_value_kind kind_of_literal(jr_token token, bool hex) {
    bool floats = false;
    for (size_t i = 0; i < token.length; i++) floats |= strchr(hex ? ".pP" : ".eE", token.text[i]) != NULL;
    if (!floats) return JR_KIND_INTEGER;
    return strchr("fF", token.text[token.length - 1]) != NULL ? JR_KIND_FLOAT : JR_KIND_DOUBLE;
}

/* Any number of a jr_whole_type. */
static jr_number any_of(int type) {
    static const jr_type types[] = {
        [JR_WHOLE_INT] = JR_I32, [JR_WHOLE_UINT] = JR_U32, [JR_WHOLE_LONG] = JR_I64, [JR_WHOLE_ULONG] = JR_U64};
    return jr_number_of_type(types[type]);
}

/* Decimal literals without u have signed types, as far as one holds them. */
static int fitting_type(jr_whole value, int type, bool positive, bool decimal) {
    while (type < JR_WHOLE_ULONG && value > any_of(type).high)
        type += (positive || (decimal && type == JR_WHOLE_INT)) ? 2 : 1;
    return type > JR_WHOLE_ULONG ? JR_WHOLE_ULONG : type;
}

static jr_number constant(jr_number number) {
    number.constant = true;
    return number;
}

jr_number jr_number_of_literal(jr_token token) {
    const char second = token.length > 1 && token.text[0] == '0' ? token.text[1] : '\0';
    const bool hex = second == 'x' || second == 'X', binary = second == 'b' || second == 'B';
    const jr_value_kind kind = kind_of_literal(token, hex);
    if (kind != JR_KIND_INTEGER) return constant(jr_number_of_kind(kind));
    char *end;
    const unsigned long long value = strtoull(token.text + (binary ? 2 : 0), &end, binary ? 2 : 0);
    bool lengthens = false, positive = false;
    for (; end < token.text + token.length; end++) {
        lengthens |= *end == 'l' || *end == 'L';
        positive |= *end == 'u' || *end == 'U';
    }
    const int least = (positive ? JR_WHOLE_UINT : JR_WHOLE_INT) + (lengthens ? JR_WHOLE_LONG : 0);
    const bool decimal = !hex && !binary && (token.length == 1 || token.text[0] != '0');
    jr_number number = any_of(fitting_type((jr_whole)value, least, positive, decimal));
    number.low = number.high = (jr_whole)value;
    return constant(number);
}

jr_number jr_number_least(void) {
    jr_number number = any_of(JR_WHOLE_LONG);
    number.high = number.low;
    return constant(number);
}

enum { LITERAL_DIGITS = 19, FLOAT_BITS = 24 };

/* A decimal literal: mantissa * 10^exponent. */
typedef struct decimal {
    unsigned long long mantissa;
    long exponent;
} decimal;

/* False: it has too many digits, a suffix, or is hexadecimal. */
static bool read_decimal(const char *text, size_t length, decimal *read) {
    long digits = 0;
    size_t at = 0;
    *read = (decimal){.mantissa = 0};
    for (bool behind = false; at < length && strchr("0123456789.", text[at]) != NULL; at++) {
        if (text[at] == '.') {
            behind = true;
            continue;
        }
        read->mantissa = 10 * read->mantissa + (unsigned)(text[at] - '0');
        digits += read->mantissa > 0;
        read->exponent -= behind;
        if (digits > LITERAL_DIGITS) return false;
    }
    const bool scaled = at < length && (text[at] == 'e' || text[at] == 'E');
    if (scaled) read->exponent += strtol(text + at + 1, NULL, 10);
    return scaled || at == length;
}

/* m * 10^-n is a binary fraction if 5^n divides m. */
bool jr_literal_is_float(const char *text, size_t length) {
    decimal of;
    if (!read_decimal(text, length, &of) || of.mantissa == 0 || of.exponent > LITERAL_DIGITS)
        return true; /* or unknown */
    for (; of.exponent < 0 && of.mantissa % 5 == 0; of.exponent++) of.mantissa /= 5;
    if (of.exponent < 0) return false;
    while (of.mantissa % 2 == 0) of.mantissa /= 2;
    for (; of.exponent > 0 && of.mantissa >> FLOAT_BITS == 0; of.exponent--) of.mantissa *= 5;
    return of.mantissa >> FLOAT_BITS == 0;
}

/* Not by strtod, which reads the caller's decimal point. The error is some 2^-52, a float's distance 2^-24. */
bool jr_literal_rounds_below(const char *text, size_t length) {
    decimal of;
    if (!read_decimal(text, length, &of)) return false;
    double number = (double)of.mantissa, power = 1;
    for (long i = of.exponent < 0 ? -of.exponent : of.exponent; i > 0 && power < 1e300; i--) power *= 10;
    number = of.exponent < 0 ? number / power : number * power;
    return (double)(float)number < number;
}
