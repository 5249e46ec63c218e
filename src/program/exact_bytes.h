/* Exact sums as bytes that are kept: written, looked at and read. The format stands in jitreduce/exact_state.h. */
#ifndef JR_PROGRAM_EXACT_BYTES_H
#define JR_PROGRAM_EXACT_BYTES_H

#include "base/digest.h"
#include "exact_sums.h"
#include "reduction.h"

enum { JR_EXACT_VERSION = 1, JR_EXACT_HEAD_BYTES = 80, JR_EXACT_SUM_BYTES = 8 };

/* What sums were added up: all that must be the same of two states that are added. */
typedef struct jr_exact_meaning {
    uint8_t op_count, input_count, sum_count;
    uint8_t ops[JR_OPS_MAX];
    uint8_t types[JR_INPUTS_MAX]; /* of the inputs; 0 behind the last */
    uint8_t added;                /* the type that operators are given; 0 of dot */
    uint8_t skips_nan;
    uint8_t expressions[JR_DIGEST_BYTES]; /* of map, where, their parameters and structs; zeros without them */
} jr_exact_meaning;

/* The head of bytes. */
typedef struct jr_exact_head {
    jr_exact_meaning meaning;
    uint64_t elements, kept; /* gone through; and added, which `where` and NaNs left out are not */
} jr_exact_head;

/* Of a reduction that accumulates exact sums alone. */
jr_exact_meaning jr_exact_meaning_of(const jr_reduction *reduction);

/* Fails, with JR_ERROR_STATE, unless both mean the same. */
jr_status jr_exact_meaning_compare(const jr_exact_meaning *state, const jr_exact_meaning *wanted);

/* Fails, and says why, where a reduction does not accumulate exact sums alone. Errors: JR_ERROR_UNSUPPORTED_TYPE,
 * JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_exact_check(const jr_reduction *reduction);

/* Writes an accumulator as bytes; returns how many. bytes: jr_exact_bytes_most of the reduction. */
size_t jr_exact_bytes_write(const jr_reduction *reduction, const unsigned char *accumulator, uint64_t elements,
                            uint8_t *bytes);
size_t jr_exact_bytes_most(const jr_reduction *reduction);

/* Checks bytes as a whole, and reads their head. Errors: JR_ERROR_STATE (no state, another version, truncated, with
 * something behind, damaged; of
 * what this version does not know). */
jr_status jr_exact_bytes_look(const uint8_t *bytes, size_t size, jr_exact_head *head);

/* Reads bytes into an accumulator of accumulator_bytes, zeroed, which on failure is spoilt. Errors: JR_ERROR_STATE,
 * also for what a reduction of another meaning has left. */
jr_status jr_exact_bytes_read(const jr_reduction *reduction, const uint8_t *bytes, size_t size,
                              unsigned char *accumulator, uint64_t *elements);

#endif
