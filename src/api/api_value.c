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

static int count_digits(uint64_t number) {
    static const uint64_t tens[20] = {0,
                                      UINT64_C(10),
                                      UINT64_C(100),
                                      UINT64_C(1000),
                                      UINT64_C(10000),
                                      UINT64_C(100000),
                                      UINT64_C(1000000),
                                      UINT64_C(10000000),
                                      UINT64_C(100000000),
                                      UINT64_C(1000000000),
                                      UINT64_C(10000000000),
                                      UINT64_C(100000000000),
                                      UINT64_C(1000000000000),
                                      UINT64_C(10000000000000),
                                      UINT64_C(100000000000000),
                                      UINT64_C(1000000000000000),
                                      UINT64_C(10000000000000000),
                                      UINT64_C(100000000000000000),
                                      UINT64_C(1000000000000000000),
                                      UINT64_C(10000000000000000000)};
    const int below = ((64 - __builtin_clzll(number | 1)) * 1233) >> 12; /* log10(2) is about 1233 / 4096 */
    return below + (number >= tens[below]);
}

static void write_pair(uint32_t number, char *at) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445"
        "46474849505152535455565758596061626364656667686970717273747576777879808182838485868788899091"
        "9293949596979899";
    memcpy(at, pairs + 2 * number, 2);
}

/* Eight digits, with zeros in front: in halves, so that few divisions wait for each other. */
static void write_eight(uint32_t number, char *at) {
    const uint32_t high = number / 10000, low = number % 10000;
    write_pair(high / 100, at);
    write_pair(high % 100, at + 2);
    write_pair(low / 100, at + 4);
    write_pair(low % 100, at + 6);
}

/* Writes the digits of a whole number that has `count` of them; returns their end. */
static char *write_counted(uint64_t number, int count, char *digits) {
    char *at = digits + count;
    for (; number >= 100000000; number /= 100000000) write_eight((uint32_t)(number % 100000000), at -= 8);
    uint32_t rest = (uint32_t)number;
    for (; rest >= 100; rest /= 100) write_pair(rest % 100, at -= 2);
    if (rest >= 10)
        write_pair(rest, at - 2);
    else
        at[-1] = (char)('0' + rest);
    return digits + count;
}

static char *write_digits(uint64_t number, char *digits) {
    return write_counted(number, count_digits(number), digits);
}

/* A decimal number of `count` digits, a point after the first `whole` of them: the digits are written where they stay,
 * and those before the point then step back for it. Without digits before the point, zeros and it come first. */
static char *write_fixed(char *at, uint64_t digits, int count, int whole) {
    if (whole >= count) return write_counted(digits, count, at);
    if (whole <= 0) *at++ = '0';
    char *const point = at + (whole > 0 ? whole : 0);
    if (whole <= 0) *at++ = '.';
    for (; whole < 0; whole++) *at++ = '0';
    (void)write_counted(digits, count, at + (whole > 0));
    for (char *digit = at; digit < point; digit++) *digit = digit[1];
    *point = '.';
    return at + count + (whole > 0);
}

/* "1.25e-07" */
static char *write_scientific(char *at, uint64_t digits, int count, int exponent) {
    at = write_fixed(at, digits, count, 1);
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    if (size < 10) *at++ = '0';
    return write_digits((uint64_t)size, at);
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
    const int count = count_digits(decimal.digits), exponent = decimal.exponent + count - 1;
    if (exponent < FIXED_FROM || exponent >= FIXED_TO) return write_scientific(at, decimal.digits, count, exponent);
    if (decimal.exponent > 0) return write_digits(whole_of(parts), at); /* all of its digits */
    return write_fixed(at, decimal.digits, count, exponent + 1);
}

/* In the C locale, whatever the application's is. Decimals of narrow types are read as f64 and then rounded, so those
 * halfway between two numbers are avoided. */
static char *print_float(char *at, const jr_dtype *row, const void *from) {
    const jr_float_parts parts = jr_dtype_float_parts(row, from);
    if (parts.kind != JR_FLOAT_NAN && parts.negative) *at++ = '-';
    if (parts.kind != JR_FLOAT_NUMBER) return (char *)mempcpy(at, parts.kind == JR_FLOAT_NAN ? "nan" : "inf", 3);
    if (parts.significand > 0) return write_positive(at, &parts, row->type == JR_F64 && parts.significand % 2 == 0);
    *at++ = '0';
    return at;
}

/* ---- values: each writer returns the end of what it wrote, without a final zero ---- */

static char *print_bytes(const jr_value *value, char *text) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < JR_STRUCT_BYTES_MAX; i++) {
        *text++ = digits[value->as.bytes[i] >> 4];
        *text++ = digits[value->as.bytes[i] & 15];
    }
    return text;
}

static char *print_integer(char *text, const jr_dtype *row, const void *from) {
    const uint64_t integer = jr_dtype_read_integer(row, from);
    const bool negative = row->class == JR_CLASS_SIGNED && (int64_t)integer < 0;
    if (negative) *text++ = '-';
    return write_digits(negative ? 0 - integer : integer, text);
}

static char *print_number(const jr_value *value, const jr_dtype *row, char *text) {
    switch (row->class) {
    case JR_CLASS_FLOAT: return print_float(text, row, &value->as);
    case JR_CLASS_BOOLEAN: return stpcpy(text, jr_dtype_read_integer(row, &value->as) != 0 ? "true" : "false");
    case JR_CLASS_SIGNED:
    case JR_CLASS_UNSIGNED:
    case JR_CLASS_NONE: break;
    }
    return print_integer(text, row, &value->as);
}

static jr_status fail_no_number(jr_type type) {
    if (type == JR_STRUCT) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a struct has no value as a number");
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown element type %d", (int)type);
}

static jr_status fail_print(const jr_value *value, const char *buffer, size_t needed, size_t bytes) {
    JR_GUARD_INTEGERS;
    JR_TRY(JR_GIVEN(value, buffer));
    if (needed == 0) return fail_no_number(value->type);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "the value's text takes %zu bytes, and the buffer has %zu: JR_VALUE_TEXT_BYTES (%d) are enough for "
                   "every value",
                   needed, bytes, JR_VALUE_TEXT_BYTES);
}

/* Without a guard where it succeeds: it takes no locks, and a guard would take as long as the printing. */
jr_status jr_value_print(const jr_value *value, char *buffer, size_t bytes) {
    char short_text[JR_VALUE_TEXT_BYTES], *text = bytes >= sizeof short_text ? buffer : short_text, *end = text;
    if (value == NULL || buffer == NULL) return fail_print(value, buffer, 0, bytes);
    const jr_dtype *row = jr_dtype_find(value->type);
    if (value->type == JR_STRUCT)
        end = print_bytes(value, text);
    else if (row != NULL)
        end = print_number(value, row, text);
    if (end == text) return fail_print(value, buffer, 0, bytes);
    *end++ = '\0';
    const size_t needed = (size_t)(end - text);
    if (bytes < needed) return fail_print(value, buffer, needed, bytes);
    if (text != buffer) memcpy(buffer, text, needed);
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
