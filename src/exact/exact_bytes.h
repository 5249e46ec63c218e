/* Exact sums as bytes that are kept: written, looked at and read. The format stands in jitreduce/exact_state.h. */
#ifndef JR_EXACT_EXACT_BYTES_H
#define JR_EXACT_EXACT_BYTES_H

#include "exact_meaning.h"
#include "exact_sums.h"

enum { JR_EXACT_VERSION = 1, JR_EXACT_HEAD_BYTES = 80, JR_EXACT_SUM_BYTES = 8 };

/* The head of bytes. */
typedef struct jr_exact_head {
    jr_exact_meaning meaning;
    uint64_t elements, kept; /* gone through; and kept, without those that `where` or the nan rule skipped */
} jr_exact_head;

/* Writes an accumulator as bytes; returns how many. bytes: jr_exact_bytes_most of the reduction. */
size_t jr_exact_bytes_write(const jr_reduction *reduction, const unsigned char *accumulator, uint64_t elements,
                            uint8_t *bytes);
size_t jr_exact_bytes_most(const jr_reduction *reduction);

/* Checks the bytes as a whole, and reads their head. Errors: JR_ERROR_STATE (not a state, of another version,
 * truncated, followed by other bytes, damaged, or with operators or types that this version does not know). */
jr_status jr_exact_bytes_check(const uint8_t *bytes, size_t size, jr_exact_head *head);

/* Reads bytes into an accumulator of accumulator_bytes, zeroed, which on failure is spoilt. Errors: JR_ERROR_STATE,
 * also for what a reduction of another meaning has left. */
jr_status jr_exact_bytes_read(const jr_reduction *reduction, const uint8_t *bytes, size_t size,
                              unsigned char *accumulator, uint64_t *elements);

#endif
