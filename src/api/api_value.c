/* Values as text (types.h). */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/shortest.h"
#include "guard.h"
#include "spec/dtype.h"

/* ---- floats ---- */

enum { FIXED_FROM = -5, FIXED_TO = 16 }; /* decimal exponents of numbers that are written without one */

/* The digits of a whole number; returns how many. */
static int write_digits(uint64_t number, char digits[20]) {
    char backwards[20], *first = backwards + sizeof backwards;
    for (; number >= 100; number /= 100) { /* two at a time are faster */
        const unsigned two = (unsigned)(number % 100);
        *--first = (char)('0' + two % 10);
        *--first = (char)('0' + two / 10);
    }
    for (; number >= 10; number /= 10) *--first = (char)('0' + number % 10);
    *--first = (char)('0' + number);
    const size_t count = (size_t)(backwards + sizeof backwards - first);
    memcpy(digits, first, count);
    return (int)count;
}

/* Digits with a point after the first `whole` of them; of none, zeros and a point come first. */
static char *write_fixed(char *at, const char *digits, int count, int whole) {
    if (whole >= count) return (char *)mempcpy(at, digits, (size_t)count);
    if (whole <= 0) *at++ = '0';
    if (whole > 0) at = (char *)mempcpy(at, digits, (size_t)whole);
    *at++ = '.';
    for (; whole < 0; whole++) *at++ = '0';
    return (char *)mempcpy(at, digits + whole, (size_t)(count - whole));
}

/* "1.25e-07" */
static char *write_scientific(char *at, const char *digits, int count, int exponent) {
    at = write_fixed(at, digits, count, 1);
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    if (size < 10) *at++ = '0';
    return at + write_digits((uint64_t)size, at);
}

/* A whole number below 10^FIXED_TO. */
static uint64_t whole_of(const jr_float_parts *parts) {
    return parts->exponent < 0 ? parts->significand >> -parts->exponent : parts->significand << parts->exponent;
}

/* As a person writes it: "0.1", "100", and with an exponent only far from one ("1e+20"). */
static char *write_positive(char *at, const jr_float_parts *parts, bool ends_read_back) {
    const jr_decimal decimal = jr_shortest((jr_binary){.significand = parts->significand,
                                                       .exponent = parts->exponent,
                                                       .lower_is_closer = parts->lower_is_closer,
                                                       .ends_read_back = ends_read_back});
    char digits[20];
    const int count = write_digits(decimal.digits, digits), exponent = decimal.exponent + count - 1;
    if (exponent < FIXED_FROM || exponent >= FIXED_TO) return write_scientific(at, digits, count, exponent);
    if (decimal.exponent > 0) return at + write_digits(whole_of(parts), at); /* all of its digits */
    return write_fixed(at, digits, count, exponent + 1);
}

/* In the C locale, whatever the application's is. Decimals of narrow types are read as f64 and then rounded, so those
 * halfway between two numbers are avoided. */
static void print_float(char *text, const jr_dtype *row, const void *from) {
    const jr_float_parts parts = jr_dtype_float_parts(row, from);
    char *at = text;
    if (parts.kind != JR_FLOAT_NAN && parts.negative) *at++ = '-';
    if (parts.kind != JR_FLOAT_NUMBER) {
        strcpy(at, parts.kind == JR_FLOAT_NAN ? "nan" : "inf");
        return;
    }
    if (parts.significand == 0)
        *at++ = '0';
    else
        at = write_positive(at, &parts, row->type == JR_F64 && parts.significand % 2 == 0);
    *at = '\0';
}

/* ---- values ---- */

static void print_bytes(const jr_value *value, char text[JR_VALUE_TEXT_BYTES]) {
    for (size_t i = 0; i < JR_STRUCT_BYTES_MAX; i++) snprintf(text + 2 * i, 3, "%02x", value->as.bytes[i]);
}

static void print_integer(char *text, bool negative, uint64_t magnitude) {
    if (negative) *text++ = '-';
    text[write_digits(magnitude, text)] = '\0';
}

static void print_number(const jr_value *value, const jr_dtype *row, char text[JR_VALUE_TEXT_BYTES]) {
    const uint64_t integer = jr_dtype_read_integer(row, &value->as);
    const bool negative = row->class == JR_CLASS_SIGNED && (int64_t)integer < 0;
    switch (row->class) {
    case JR_CLASS_FLOAT: print_float(text, row, &value->as); break;
    case JR_CLASS_BOOLEAN: strcpy(text, integer != 0 ? "true" : "false"); break;
    case JR_CLASS_SIGNED:
    case JR_CLASS_UNSIGNED:
    case JR_CLASS_NONE: print_integer(text, negative, negative ? 0 - integer : integer); break;
    }
}

static jr_status fail_no_number(jr_type type) {
    if (type == JR_STRUCT) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a struct has no value as a number");
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown element type %d", (int)type);
}

jr_status jr_value_print(const jr_value *value, char *buffer, size_t bytes) {
    JR_GUARD_INTEGERS;
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
