/* Whole numbers without a requested type do not wrap silently: a result that may not fit 64 bits is computed once more
 * in f64. If the two differ by 2^63 or more, which rounding cannot cause, the result has wrapped, and the f64 is
 * printed instead. */
#ifndef CLI_WIDE_H
#define CLI_WIDE_H

#include "request.h"

typedef struct cli_wide {
    bool collecting; /* the results that arrive now are the ones in f64: they are kept */
    bool all;        /* values of --map do not fit: every result is that in f64 */
    bool inside;     /* --map or --where may compare numbers that do not fit: a result that differs in f64 is that */
    bool divided;    /* elements are whole numbers, read as f64 because an expression divides: results may be rounded */
    bool missing;    /* results may have wrapped, but their expressions do not take f64 */
    double *numbers; /* in f64: value_count for each of `count` results; NULL: not collected */
    uint64_t *counts; /* of the elements of each of those results; NULL: not collected */
    uint64_t count;
    int value_count;
} cli_wide;

/* Whether a type that the command line leaves open holds whole numbers: results may wrap that nobody asked to. */
bool cli_wide_applies(const cli_options *options, const jr_type *types, const bool *open, int count);

/* The request in f64: elements of f64, or (as_integers) the same ones, whose sums and products accumulate in f64. *own:
 * a copy of the options, which is changed. */
cli_exit cli_wide_request(cli_options *own, const jr_type *types, int count, bool as_integers, cli_request *request,
                          cli_error *error);

/* Writes `count` whole numbers as f64. */
void cli_wide_convert(jr_type type, const void *from, uint64_t count, double *to);

/* Whether sums and products of `count` numbers up to `magnitude` may not fit the types of their results, or what
 * --finish or --combine makes of them. */
bool cli_wide_may_wrap(const cli_options *options, const cli_request *request, double magnitude, uint64_t count);

/* The greatest magnitude of whole numbers. */
double cli_wide_magnitude(jr_type type, const void *elements, uint64_t count);

/* How many of the results of an operator are those in f64; of these, how many are floats, and do not fit its type; and
 * how many are floats of whole numbers, but too large for a float to be every whole number. */
typedef struct cli_wide_tally {
    uint64_t replaced, floats, beyond, rounded;
} cli_wide_tally;

/* Adds a result that is not replaced to *tally, if it is such a float. */
void cli_wide_add_rounded(const cli_wide *wide, const jr_value *value, cli_wide_tally *tally);

/* A result, or its number `index` in f64 where it has wrapped, which is added to *tally. op: its operator; JR_OP_NONE:
 * it is the number of elements that took part. */
jr_value cli_wide_value(const cli_options *options, jr_op op, const jr_value *value, uint64_t index,
                        cli_wide_tally *tally);

/* Keeps the results while those in f64 are collected. numbers, and counts, which may be set before: from malloc; wide
 * owns them from now on. */
void cli_wide_keep(cli_wide *wide, double *numbers, uint64_t count, int value_count);

/* Says on standard error why some of `count` results of an operator are those in f64. */
void cli_wide_note(const cli_options *options, const char *op, jr_type type, const cli_wide_tally *tally,
                   uint64_t count);

/* Says that results may have wrapped: of what takes whole numbers alone. */
void cli_wide_note_missing(const cli_options *options, const char *what);

/* Frees what it holds. */
void cli_wide_free(cli_wide *wide);

#endif
