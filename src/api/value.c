/* Values as text (types.h). */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jitreduce/types.h"

/* How a float type is printed: the digits that surely read back the same bits, and the bits of its fraction. */
typedef struct float_form {
    int digits, fraction_bits, least_exponent; /* of the least normal number, as frexp gives it */
} float_form;

static const float_form f64_form = {17, 52, -1021}, f32_form = {9, 23, -125}, f16_form = {5, 10, -13},
                        bf16_form = {4, 7, -125};

/* Do two numbers round to the same one of a form? The second is one of it. */
static bool reads_back(double back, double number, const float_form *form) {
    int exponent;
    const bool power_of_two = fabs(frexp(number, &exponent)) <= 0.5;
    if (exponent < form->least_exponent) exponent = form->least_exponent;
    double step = ldexp(1, exponent - 1 - form->fraction_bits);
    if (power_of_two && fabs(back) < fabs(number) && exponent > form->least_exponent) step /= 2;
    return back == number || (form->fraction_bits < 52 && fabs(back - number) < step / 2);
}

/* The fewest significant digits that read back the same bits. */
static int digits_of(double number, const float_form *form) {
    char buffer[64];
    for (int digits = 1; digits < form->digits; digits++) {
        snprintf(buffer, sizeof buffer, "%.*e", digits - 1, number);
        if (reads_back(strtod(buffer, NULL), number, form)) return digits;
    }
    return form->digits;
}

/* As a person writes it: "0.1", "100", and with an exponent only far from one ("1e+20"). */
static void print_float(char *buffer, size_t bytes, double number, const float_form *form) {
    enum { FIXED_FROM = -5, FIXED_TO = 16 }; /* decimal exponents */
    if (number != number || number - number != 0) {
        snprintf(buffer, bytes, "%s", number != number ? "nan" : number > 0 ? "inf" : "-inf");
        return;
    }
    const int digits = digits_of(number, form);
    snprintf(buffer, bytes, "%.*e", digits - 1, number);
    const char *mark = strchr(buffer, 'e');
    const long exponent = mark != NULL ? strtol(mark + 1, NULL, 10) : 0;
    if (exponent >= FIXED_FROM && exponent < FIXED_TO)
        snprintf(buffer, bytes, "%.*f", digits - 1 > exponent ? digits - 1 - (int)exponent : 0, number);
    char *comma = strchr(buffer, ','); /* the application's locale may write one */
    if (comma != NULL) *comma = '.';
}

static double f16_to_double(unsigned bits) {
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = bits & 1023, sign = bits >> 15 ? -1 : 1;
    if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25));
}

static double bf16_to_double(unsigned bits) {
    const uint32_t wide = (uint32_t)bits << 16;
    float number;
    memcpy(&number, &wide, sizeof number);
    return (double)number;
}

static jr_status print_bytes(const jr_value *value, char *buffer, size_t bytes) {
    if (bytes < 2 * JR_STRUCT_BYTES_MAX + 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the buffer of %zu bytes is below %d, which a struct takes", bytes,
                       2 * JR_STRUCT_BYTES_MAX + 1);
    for (size_t i = 0; i < JR_STRUCT_BYTES_MAX; i++) snprintf(buffer + 2 * i, 3, "%02x", value->as.bytes[i]);
    return JR_OK;
}

jr_status jr_value_print(const jr_value *value, char *buffer, size_t bytes) {
    enum { BYTES_NEEDED = 32 };
    if (value == NULL || buffer == NULL || bytes < BYTES_NEEDED)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "value or buffer is NULL, or the buffer of %zu bytes is below %d",
                       bytes, BYTES_NEEDED);
    switch (value->type) {
    case JR_I8: snprintf(buffer, bytes, "%d", value->as.i8); return JR_OK;
    case JR_U8: snprintf(buffer, bytes, "%d", value->as.u8); return JR_OK;
    case JR_I16: snprintf(buffer, bytes, "%d", value->as.i16); return JR_OK;
    case JR_U16: snprintf(buffer, bytes, "%d", value->as.u16); return JR_OK;
    case JR_I32: snprintf(buffer, bytes, "%ld", (long)value->as.i32); return JR_OK;
    case JR_U32: snprintf(buffer, bytes, "%lu", (unsigned long)value->as.u32); return JR_OK;
    case JR_I64: snprintf(buffer, bytes, "%lld", (long long)value->as.i64); return JR_OK;
    case JR_U64: snprintf(buffer, bytes, "%llu", (unsigned long long)value->as.u64); return JR_OK;
    case JR_F16: print_float(buffer, bytes, f16_to_double(value->as.f16), &f16_form); return JR_OK;
    case JR_BF16: print_float(buffer, bytes, bf16_to_double(value->as.bf16), &bf16_form); return JR_OK;
    case JR_F32: print_float(buffer, bytes, (double)value->as.f32, &f32_form); return JR_OK;
    case JR_F64: print_float(buffer, bytes, value->as.f64, &f64_form); return JR_OK;
    case JR_BOOL: snprintf(buffer, bytes, "%s", value->as.boolean ? "true" : "false"); return JR_OK;
    case JR_STRUCT: return print_bytes(value, buffer, bytes);
    case JR_TYPE_NONE: break;
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the value has no type (%d)", (int)value->type);
}
