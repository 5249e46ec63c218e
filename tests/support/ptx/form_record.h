/* The recorded form of results, as tests/support/ptx/recorded keeps it: lines of text, in the order of a family's rows.
 *
 * An exact row is one line: the digest (FNV-1a over the bytes of all results), the opcode and the types. A row with a
 * bound is a line with its opcode and type, then its results in hexadecimal digits, 32 values a line. Lines that begin
 * with # are for people. */
#ifndef TESTS_SUPPORT_FORM_RECORD_H
#define TESTS_SUPPORT_FORM_RECORD_H

#include "base/text.h"
#include "ptx_forms.h"

/* Appends what is recorded of a row's results (form_run). */
void form_record_print(const form_row *row, const uint64_t *results, jr_text *out);

/* Compares results with the next row of a recorded text and moves *at past that row, but where an exact row is not in
 * the text. False: they differ, or the text holds another row; *why, which has 256 bytes, says what. */
bool form_record_compare(const form_row *row, const uint64_t *results, const char **at, char why[256]);

/* How far two sets of results of an approximation are apart. */
typedef struct form_gap {
    size_t beyond; /* values that the row's bound does not allow */
    double ulps;   /* the largest difference of those that count, in units of the recorded value's last place */
    size_t worst;  /* where: an element; the first one beyond, when there is one */
} form_gap;

/* Compares results with recorded ones of a row that has a bound. Equal bits, and any two NaNs, are 0 apart. */
form_gap form_gap_of(const form_row *row, const uint64_t *results, const uint64_t *recorded);

/* The number that bits of a floating-point type hold; of a pair, the half (0: the lower one). */
double form_number(const char *type, uint64_t bits, unsigned half);

#endif
