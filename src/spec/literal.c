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
