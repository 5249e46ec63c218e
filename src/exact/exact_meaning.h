/* What exact sums are of, in numbers that stay the same in all versions. */
#ifndef JR_EXACT_EXACT_MEANING_H
#define JR_EXACT_EXACT_MEANING_H

#include "base/digest.h"
#include "spec/reduction.h"

/* What sums were added up: all that must be the same of two states that are added. */
typedef struct jr_exact_meaning {
    uint8_t op_count, input_count, sum_count;
    uint8_t ops[JR_OPS_MAX];
    uint8_t types[JR_INPUTS_MAX]; /* of the inputs; 0 after the last */
    uint8_t added;                /* the type that operators are given; 0 of dot */
    uint8_t skips_nan;
    uint8_t expressions[JR_DIGEST_BYTES]; /* of map, where, their parameters and structs; zeros without them */
} jr_exact_meaning;

/* Of a reduction that accumulates exact sums alone. */
jr_exact_meaning jr_exact_meaning_of(const jr_reduction *reduction);

/* The same as earlier versions wrote it: the white space of map and where counted. */
jr_exact_meaning jr_exact_meaning_as_written(const jr_reduction *reduction);

/* Fails, with JR_ERROR_STATE, unless both mean the same. */
jr_status jr_exact_meaning_compare(const jr_exact_meaning *state, const jr_exact_meaning *wanted);

/* Fails, and says why, where a reduction does not accumulate exact sums alone. Errors: JR_ERROR_UNSUPPORTED_TYPE,
 * JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_exact_check(const jr_reduction *reduction);

#endif
