/* Appends numbers, and widens what is there when one does not fit. */
#include "column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

cli_column cli_column_of(jr_type type) {
    const jr_type begins = type == JR_TYPE_NONE ? JR_I64 : type;
    return (cli_column){.vector = {.type = begins, .size = jr_type_size(begins)},
                        .open = type == JR_TYPE_NONE,
                        .minus = {.type = JR_U64, .size = sizeof(uint64_t)}};
}

static bool has_negative(const cli_vector *vector) {
    for (size_t at = 0; at < vector->used; at += sizeof(int64_t)) {
        int64_t element;
        memcpy(&element, vector->bytes + at, sizeof element);
        if (element < 0) return true;
    }
    return false;
}

/* Integers become f64, each where it lies; a -0 stays one. */
static void convert(cli_column *column) {
    cli_vector *vector = &column->vector;
    for (size_t at = 0; at < vector->used; at += sizeof(double)) {
        int64_t element;
        memcpy(&element, vector->bytes + at, sizeof element);
        const bool negative = vector->type == JR_I64 && element < 0;
        const uint64_t size = negative ? -(uint64_t)element : (uint64_t)element;
        const double number = negative ? -(double)size : (double)size;
        column->lost |= size > (uint64_t)1 << 53 && (size & -size) < size >> 52;
        memcpy(vector->bytes + at, &number, sizeof number);
    }
    for (size_t at = 0; at < column->minus.used; at += sizeof(uint64_t)) {
        uint64_t index;
        const double number = -0.0;
        memcpy(&index, column->minus.bytes + at, sizeof index);
        memcpy(vector->bytes + index * sizeof number, &number, sizeof number);
    }
    column->minus.used = 0;
    vector->type = JR_F64;
}

/* Parses [begin, end) as f64; what is beyond it becomes inf. */
static cli_number_status parse_open(const char *begin, const char *end, void *element) {
    const cli_number_status status = cli_number_parse(JR_F64, begin, end, element);
    const double infinite = *begin == '-' ? -INFINITY : INFINITY;
    if (status != CLI_NUMBER_DOES_NOT_FIT) return status;
    memcpy(element, &infinite, sizeof infinite);
    return CLI_NUMBER_BEYOND;
}

/* Finds the type that also holds [begin, end), and goes over to it. f64 has the last word on what is a number. */
static cli_number_status widen(cli_column *column, const char *begin, const char *end) {
    cli_vector *vector = &column->vector;
    uint64_t whole;
    double number;
    const bool folded = column->folded > 0;
    if (vector->type == JR_I64 && cli_number_parse(JR_U64, begin, end, &whole) == CLI_NUMBER_OK &&
        !has_negative(vector)) {
        vector->type = JR_U64;
    } else {
        const cli_number_status status = parse_open(begin, end, &number);
        if (status != CLI_NUMBER_OK && status != CLI_NUMBER_BEYOND) return status;
        convert(column);
    }
    return folded ? CLI_NUMBER_WIDER : CLI_NUMBER_OK;
}

static bool keep_minus(cli_column *column) {
    const uint64_t index = column->vector.used / column->vector.size;
    if (!cli_vector_grow(&column->minus)) return false;
    memcpy(column->minus.bytes + column->minus.used, &index, sizeof index);
    column->minus.used += sizeof index;
    return true;
}

/* Appends to an open column what its type does not hold; status: what its type said. */
static cli_number_status append_wider(cli_column *column, const char *begin, const char *end,
                                      cli_number_status status) {
    cli_vector *vector = &column->vector;
    const bool whole = status == CLI_NUMBER_DOES_NOT_FIT && vector->type != JR_F64;
    if (vector->type != JR_F64) status = widen(column, begin, end);
    if (vector->type != JR_F64 && status == CLI_NUMBER_OK)
        return cli_number_parse(vector->type, begin, end, vector->bytes + vector->used);
    if (status == CLI_NUMBER_WIDER) return status;
    status = parse_open(begin, end, vector->bytes + vector->used);
    return status == CLI_NUMBER_OK && whole ? CLI_NUMBER_BEYOND : status;
}

enum { ROUNDED_DIGITS = 16 }; /* f64 holds all whole numbers of fewer digits */

/* Whether [begin, end) has digits alone, and f64 is another number. */
static bool is_rounded(const char *begin, const char *end, double number) {
    const char *digits = begin + (*begin == '-' || *begin == '+');
    uint64_t whole;
    if (end - digits < ROUNDED_DIGITS || !(fabs(number) >= 0x1p53 && fabs(number) < 0x1p64)) return false;
    for (const char *at = digits; at < end; at++)
        if (!cli_is_digit(*at)) return false;
    return cli_number_parse(JR_U64, digits, end, &whole) == CLI_NUMBER_OK && (uint64_t)fabs(number) != whole;
}

/* Finds whether a whole number is rounded in an open column that has gone over to f64. */
static cli_number_status check_lost(cli_column *column, const char *begin, const char *end) {
    double number;
    memcpy(&number, column->vector.bytes + column->vector.used, sizeof number);
    column->lost |= is_rounded(begin, end, number);
    return column->lost ? CLI_NUMBER_BEYOND : CLI_NUMBER_OK;
}

/* Finds whether f64 rounds the last number of a column that divides. */
static cli_number_status check_whole(cli_column *column, const char *begin, const char *end) {
    const cli_vector *vector = &column->vector;
    const char *digits = begin + (*begin == '-' || *begin == '+');
    uint64_t whole;
    double number;
    memcpy(&number, vector->bytes + vector->used, sizeof number);
    if (isnan(number)) return CLI_NUMBER_OK;
    for (const char *at = digits; at < end && !column->fraction; at++) column->fraction = !cli_is_digit(*at);
    if (column->fraction || fabs(number) < 0x1p53) return CLI_NUMBER_OK;
    const bool fits = fabs(number) < 0x1p64 && cli_number_parse(JR_U64, digits, end, &whole) == CLI_NUMBER_OK;
    if (fits && (uint64_t)fabs(number) == whole) return CLI_NUMBER_OK;
    column->rounded = true;
    return CLI_NUMBER_BEYOND;
}

cli_number_status cli_column_append(cli_column *column, const char *begin, const char *end) {
    cli_vector *vector = &column->vector;
    if (end - begin > CLI_TOKEN_BYTES) return CLI_NUMBER_TOO_LONG;
    if (!cli_vector_grow(vector)) return CLI_NUMBER_NO_MEMORY;
    column->lost = false;
    cli_number_status status = cli_number_parse(vector->type, begin, end, vector->bytes + vector->used);
    if (status != CLI_NUMBER_OK) {
        if (!column->open || status == CLI_NUMBER_NO_MEMORY) return status;
        status = append_wider(column, begin, end, status);
        if (status != CLI_NUMBER_OK && status != CLI_NUMBER_BEYOND) return status;
    }
    if (status == CLI_NUMBER_OK && column->divides)
        status = check_whole(column, begin, end);
    else if (status == CLI_NUMBER_OK && column->open && vector->type == JR_F64 &&
             (column->lost || end - begin >= ROUNDED_DIGITS))
        status = check_lost(column, begin, end);
    if (*begin == '-' && !cli_column_settled(column)) {
        uint64_t bits;
        memcpy(&bits, vector->bytes + vector->used, sizeof bits);
        if (bits == 0 && !keep_minus(column)) return CLI_NUMBER_NO_MEMORY;
    }
    vector->used += vector->size;
    return status;
}

cli_number_status cli_column_append_code(cli_column *column, uint64_t code) {
    cli_vector *vector = &column->vector;
    char text[24];
    const double number = (double)code;
    if (vector->type != JR_I64 && vector->type != JR_F64)
        return cli_column_append(column, text, text + snprintf(text, sizeof text, "%llu", (unsigned long long)code));
    if (!cli_vector_grow(vector)) return CLI_NUMBER_NO_MEMORY;
    memcpy(vector->bytes + vector->used, vector->type == JR_I64 ? (const void *)&code : &number, sizeof code);
    vector->used += sizeof code;
    return CLI_NUMBER_OK;
}

cli_number_status cli_column_append_nan(cli_column *column) {
    static const char text[] = "nan";
    if (column->open || jr_type_class_of(column->vector.type) == JR_CLASS_FLOAT)
        return cli_column_append(column, text, text + 3);
    return CLI_NUMBER_NONE;
}

void cli_column_free(cli_column *column) {
    free(column->vector.bytes);
    free(column->minus.bytes);
    column->vector.bytes = column->minus.bytes = NULL;
}
