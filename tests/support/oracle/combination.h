/* One kernel of a reduction under every count, alignment and grid that its compile serves, against the reference. */
#ifndef TESTS_SUPPORT_COMBINATION_H
#define TESTS_SUPPORT_COMBINATION_H

#include <stdbool.h>

#include "support/fixtures/open_context.h"

/* Where combinations run, and how many did. */
typedef struct combination_bench {
    const opened *device;
    char *host, *d_in; /* room for COMBINATION_ELEMENTS of 8 bytes, the same on both sides */
    uint64_t *d_out;   /* three words: the value goes into the middle one */
    uint64_t seed;
    bool thorough;      /* every grid and count, not a sample */
    uint64_t run_count; /* combinations */
} combination_bench;

/* The largest count, a prime, and room for every misalignment of two arrays. */
enum { COMBINATION_COUNT_MAX = 1299709, COMBINATION_ELEMENTS = COMBINATION_COUNT_MAX + 64 };

void combination_open(combination_bench *bench, const opened *device, uint64_t seed);
void combination_close(combination_bench *bench);

/* Runs all combinations of a kernel; the spec says op, type, algorithm, unroll, block, shared, nan and ddof. exact: the
 * data rounds nowhere, where the operator allows that. Fails the test at the first difference.
 * False: the algorithm is not applicable, and nothing ran. */
bool combination_run(combination_bench *bench, const jr_spec *spec, bool exact);

#endif
