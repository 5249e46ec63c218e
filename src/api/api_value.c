/* Values as text (types.h). */
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "guard.h"
#include "spec/dtype.h"

/* Do two numbers round to the same one of a form? The second is one of it. */
static bool reads_back(double back, double number, const jr_dtype *row) {
    const int least = jr_dtype_least_exponent(row) + 1; /* as frexp gives it */
    int exponent;
    const bool power_of_two = fabs(frexp(number, &exponent)) <= 0.5;
    if (exponent < least) exponent = least;
    double step = ldexp(1, exponent - 1 - row->fraction_bits);
    if (power_of_two && fabs(back) < fabs(number) && exponent > least) step /= 2;
    return back == number || (jr_dtype_value_type(row) != JR_F64 && fabs(back - number) < step / 2);
}

/* The fewest significant digits that read back the same bits. */
static int digits_of(double number, const jr_dtype *row) {
    const int most = 2 + (int)((row->fraction_bits + 1) * 0.30103); /* read back surely: 17 of f64 */
    char buffer[64];
    for (int digits = 1; digits < most; digits++) {
        snprintf(buffer, sizeof buffer, "%.*e", digits - 1, number);
        if (reads_back(strtod(buffer, NULL), number, row)) return digits;
    }
    return most;
}

/* As a person writes it: "0.1", "100", and with an exponent only far from one ("1e+20"). */
static void print_float(char *buffer, size_t bytes, double number, const jr_dtype *row) {
    enum { FIXED_FROM = -5, FIXED_TO = 16 }; /* decimal exponents */
    if (number != number || number - number != 0) {
        snprintf(buffer, bytes, "%s", number != number ? "nan" : number > 0 ? "inf" : "-inf");
        return;
    }
    const int digits = digits_of(number, row);
    snprintf(buffer, bytes, "%.*e", digits - 1, number);
    const char *mark = strchr(buffer, 'e');
    const long exponent = mark != NULL ? strtol(mark + 1, NULL, 10) : 0;
    if (exponent >= FIXED_FROM && exponent < FIXED_TO)
        snprintf(buffer, bytes, "%.*f", digits - 1 > exponent ? digits - 1 - (int)exponent : 0, number);
}

/* The same in the C locale: in the application's the point may be a comma, or no single byte. */
static void print_float_plainly(char *buffer, size_t bytes, double number, const jr_dtype *row) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    print_float(buffer, bytes, number, row);
    uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
}

static void print_bytes(const jr_value *value, char text[JR_VALUE_TEXT_BYTES]) {
    for (size_t i = 0; i < JR_STRUCT_BYTES_MAX; i++) snprintf(text + 2 * i, 3, "%02x", value->as.bytes[i]);
}

static void print_number(const jr_value *value, const jr_dtype *row, char text[JR_VALUE_TEXT_BYTES]) {
    const size_t bytes = JR_VALUE_TEXT_BYTES;
    const uint64_t integer = jr_dtype_read_integer(row, &value->as);
    switch (row->class) {
    case JR_CLASS_FLOAT: print_float_plainly(text, bytes, jr_dtype_read_float(row, &value->as), row); break;
    case JR_CLASS_BOOLEAN: snprintf(text, bytes, "%s", integer != 0 ? "true" : "false"); break;
    case JR_CLASS_SIGNED: snprintf(text, bytes, "%lld", (long long)integer); break;
    case JR_CLASS_UNSIGNED:
    case JR_CLASS_NONE: snprintf(text, bytes, "%llu", (unsigned long long)integer); break;
    }
}

static jr_status fail_no_number(jr_type type) {
    if (type == JR_STRUCT) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a struct has no value as a number");
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown element type %d", (int)type);
}

jr_status jr_value_print(const jr_value *value, char *buffer, size_t bytes) {
    JR_GUARD_CALL;
    char text[JR_VALUE_TEXT_BYTES];
    JR_TRY(JR_GIVEN(value, buffer));
    const jr_dtype *row = jr_dtype_find(value->type);
    if (value->type == JR_STRUCT)
        print_bytes(value, text);
    else if (row != NULL)
        print_number(value, row, text);
    else
        return fail_no_number(value->type);
    const size_t needed = strlen(text) + 1;
    if (bytes < needed)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the value's text takes %zu bytes, and the buffer has %zu: JR_VALUE_TEXT_BYTES (%d) are enough "
                       "for every value",
                       needed, bytes, JR_VALUE_TEXT_BYTES);
    memcpy(buffer, text, needed);
    return JR_OK;
}

jr_status jr_value_of_number(jr_type type, double number, jr_value *value) {
    JR_GUARD_CALL;
    const jr_dtype *row = jr_dtype_find(type);
    JR_TRY(JR_GIVEN(value));
    if (row == NULL) return fail_no_number(type);
    jr_value made = {.type = type};
    jr_dtype_write(row, number, &made.as);
    *value = made;
    return JR_OK;
}

jr_status jr_value_number(const jr_value *value, double *number) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(value, number));
    const jr_dtype *row = jr_dtype_find(value->type);
    if (row == NULL) return fail_no_number(value->type);
    if (row->class == JR_CLASS_FLOAT)
        *number = jr_dtype_read_float(row, &value->as);
    else if (row->class == JR_CLASS_SIGNED)
        *number = (double)(int64_t)jr_dtype_read_integer(row, &value->as);
    else
        *number = (double)jr_dtype_read_integer(row, &value->as);
    return JR_OK;
}
