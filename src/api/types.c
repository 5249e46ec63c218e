/* The public names of types, operators and algorithms, and values as text (types.h). */
#include "jitreduce/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "program/operator.h"
#include "reduce/algorithm.h"

#define JR_STRING_OF(x)        #x
#define JR_VERSION_OF(a, b, c) JR_STRING_OF(a) "." JR_STRING_OF(b) "." JR_STRING_OF(c)

const char *jr_version(void) {
    return JR_VERSION_OF(JR_VERSION_MAJOR, JR_VERSION_MINOR, JR_VERSION_PATCH);
}

const char *jr_type_name(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? row->name : "?";
}

const char *jr_op_name(jr_op op) {
    const jr_operator *row = jr_operator_find(op);
    return row != NULL ? row->name : "?";
}

const char *jr_algorithm_name(jr_algorithm algorithm) {
    const jr_algorithm_row *row = jr_algorithm_row_find(algorithm);
    return row != NULL ? row->name : "?";
}

/* The public lists' names in one line each, for messages. */
#define JR_NAME_TEXT(name, number, text) " " text
static const char type_names[] = JR_TYPES(JR_NAME_TEXT);
static const char op_names[] = JR_OPS(JR_NAME_TEXT);
static const char algorithm_names[] = JR_ALGORITHMS(JR_NAME_TEXT);
#undef JR_NAME_TEXT

static jr_status fail_unknown(const char *kind, const char *name, const char *known) {
    if (name == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the %s's name is NULL", kind);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown %s '%s': known are%s", kind, name, known);
}

static jr_status fail_no_place(const char *kind) {
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the place for the %s is NULL", kind);
}

jr_status jr_type_find(const char *name, jr_type *type) {
    const jr_dtype *row = name != NULL ? jr_dtype_find_name(name) : NULL;
    if (row == NULL) return fail_unknown("element type", name, type_names);
    if (type == NULL) return fail_no_place("element type");
    *type = row->type;
    return JR_OK;
}

jr_status jr_op_find(const char *name, jr_op *op) {
    const jr_operator *row = name != NULL ? jr_operator_find_name(name) : NULL;
    if (row == NULL) return fail_unknown("operator", name, op_names);
    if (op == NULL) return fail_no_place("operator");
    *op = row->op;
    return JR_OK;
}

jr_status jr_algorithm_find(const char *name, jr_algorithm *algorithm) {
    const jr_algorithm_row *row = name != NULL ? jr_algorithm_row_find_name(name) : NULL;
    if (row == NULL) return fail_unknown("algorithm", name, algorithm_names);
    if (algorithm == NULL) return fail_no_place("algorithm");
    *algorithm = row->algorithm;
    return JR_OK;
}

size_t jr_type_size(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? row->bytes : 0;
}

jr_status jr_result_type(jr_op op, jr_type type, jr_type *result) {
    if (result == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "result is NULL");
    return jr_operator_accumulator(op, type, result);
}

/* The fewest significant digits, up to most, that read back the same double (or float, when narrow). */
static int digits_of(double number, int most, bool narrow) {
    char buffer[64];
    for (int digits = 1; digits < most; digits++) {
        snprintf(buffer, sizeof buffer, "%.*e", digits - 1, number);
        const double back = strtod(buffer, NULL);
        if (narrow ? (float)back == (float)number : back == number) return digits;
    }
    return most;
}

/* As a person writes it: "0.1", "100", and with an exponent only far from one ("1e+20"). */
static void print_float(char *buffer, size_t bytes, double number, int most, bool narrow) {
    enum { FIXED_FROM = -5, FIXED_TO = 16 }; /* decimal exponents */
    if (number != number || number - number != 0) {
        snprintf(buffer, bytes, "%s", number != number ? "nan" : number > 0 ? "inf" : "-inf");
        return;
    }
    const int digits = digits_of(number, most, narrow);
    snprintf(buffer, bytes, "%.*e", digits - 1, number);
    const char *mark = strchr(buffer, 'e');
    const long exponent = mark != NULL ? strtol(mark + 1, NULL, 10) : 0;
    if (exponent >= FIXED_FROM && exponent < FIXED_TO)
        snprintf(buffer, bytes, "%.*f", digits - 1 > exponent ? digits - 1 - (int)exponent : 0, number);
    char *comma = strchr(buffer, ','); /* the application's locale may write one */
    if (comma != NULL) *comma = '.';
}

jr_status jr_value_print(const jr_value *value, char *buffer, size_t bytes) {
    enum { BYTES_NEEDED = 32, FLT_DIGITS = 9, DBL_DIGITS = 17 };
    if (value == NULL || buffer == NULL || bytes < BYTES_NEEDED)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "value or buffer is NULL, or the buffer of %zu bytes is below %d",
                       bytes, BYTES_NEEDED);
    switch (value->type) {
    case JR_I32: snprintf(buffer, bytes, "%ld", (long)value->as.i32); return JR_OK;
    case JR_U32: snprintf(buffer, bytes, "%lu", (unsigned long)value->as.u32); return JR_OK;
    case JR_I64: snprintf(buffer, bytes, "%lld", (long long)value->as.i64); return JR_OK;
    case JR_U64: snprintf(buffer, bytes, "%llu", (unsigned long long)value->as.u64); return JR_OK;
    case JR_F32: print_float(buffer, bytes, (double)value->as.f32, FLT_DIGITS, true); return JR_OK;
    case JR_F64: print_float(buffer, bytes, value->as.f64, DBL_DIGITS, false); return JR_OK;
    case JR_TYPE_NONE: break;
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the value has no type (%d)", (int)value->type);
}
