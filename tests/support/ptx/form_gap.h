/* How far two sets of results of an approximation are apart. */
#ifndef TESTS_SUPPORT_FORM_GAP_H
#define TESTS_SUPPORT_FORM_GAP_H

#include "ptx_forms.h"

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
