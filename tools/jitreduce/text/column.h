/* A column of numbers that grows while a text is read. */
#ifndef CLI_COLUMN_H
#define CLI_COLUMN_H

#include "base/number.h"
#include "io/data.h"
#include "lines.h"

typedef struct cli_column {
    cli_vector vector; /* its type is the column's */
    bool open;         /* no type was given: i64, then u64, then f64, the first that holds every number */
    bool divides;      /* whole numbers are f64, because an expression divides */
    bool fraction;     /* such a column has a number that is not written as a whole one, */
    bool rounded;      /* or a whole one that f64 rounds */
    bool lost;         /* the last number appended made f64 round whole numbers, though nothing divides */
    uint64_t folded;   /* elements that went before those of the vector, and are not kept */
    cli_vector minus;  /* u64: the positions of whole -0, which f64 distinguishes from 0 */
} cli_column;

/* A column of a type; JR_TYPE_NONE: open. */
cli_column cli_column_of(jr_type type);

/* Whether no number that follows can change the type. */
static inline bool cli_column_settled(const cli_column *column) {
    return !column->open || column->vector.type == JR_F64;
}

/* Appends the number [begin, end). An open column goes over to a wider type where it must: of one that has folded
 * elements the status is then CLI_NUMBER_WIDER, and the column only has the new type. An open column takes what is
 * beyond f64 as inf, and a whole number that no integer type holds as f64: CLI_NUMBER_BEYOND says so of the first, and
 * of every whole number that f64 rounds where an expression divides. */
cli_number_status cli_column_append(cli_column *column, const char *begin, const char *end);

/* Appends a number from 0 to 32767 that no text says. */
cli_number_status cli_column_append_code(cli_column *column, uint64_t code);

/* Appends a NaN. CLI_NUMBER_NONE: the type has none. */
cli_number_status cli_column_append_nan(cli_column *column);

/* Frees the elements. */
void cli_column_free(cli_column *column);

#endif
