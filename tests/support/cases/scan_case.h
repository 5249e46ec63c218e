/* What the tests of scans share: an oracle that takes one element after the other, and runs between guards.
 *
 * The data are small integers, which every element type holds and every accumulator adds exactly: one oracle serves all
 * types, to the bit. */
#ifndef TESTS_SUPPORT_SCAN_CASE_H
#define TESTS_SUPPORT_SCAN_CASE_H

#include "support/fixtures/open_context.h"

typedef struct scan_oracle {
    jr_op op;
    jr_type type;
    bool taken; /* an element, or an initial value */
    int64_t running;
    int64_t index; /* of the element to come */
    int64_t best;  /* the element whose index is the result */
} scan_oracle;

/* The result of all elements taken so far, as scan_read gives it; of none as an empty reduction's. */
void scan_oracle_take(scan_oracle *oracle, int64_t x);
int64_t scan_oracle_result(const scan_oracle *oracle);

/* Fills with data for an operator. */
void scan_fill(jr_op op, jr_type type, void *data, uint64_t count, uint64_t *seed);

/* Reads an element; bits that scan_fill and the operators cannot have made give INT64_MIN. */
int64_t scan_read(jr_type type, const void *data, uint64_t i);

/* Where the arrays of a run begin: bytes after a 256-byte boundary. */
typedef struct scan_places {
    size_t in_shift, out_shift;
} scan_places;

/* Elements in host memory. */
typedef struct scan_data {
    const void *elements;
    size_t bytes; /* of each */
    uint64_t count;
} scan_data;

/* Runs a plan over host data and brings the results back. Asserts that nothing around them was written. */
void scan_run(const opened *device, jr_plan *plan, scan_data data, scan_places places, void *results);

/* A plan of a scan. */
jr_plan *scan_plan(const opened *device, const jr_spec *spec, jr_work_kind kind);

#endif
