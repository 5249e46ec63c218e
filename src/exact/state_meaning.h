/* What states are of, in numbers that stay the same in all versions. */
#ifndef JR_EXACT_STATE_MEANING_H
#define JR_EXACT_STATE_MEANING_H

#include "base/digest.h"
#include "spec/reduction.h"

/* What elements were folded, and how: all that must be the same of two states that are merged. */
typedef struct jr_state_meaning {
    uint8_t op_count, input_count, sum_count; /* sum_count: exact sums; 0: the state is not of exact sums alone */
    uint8_t ops[JR_OPS_MAX];
    uint8_t types[JR_INPUTS_MAX]; /* of the inputs; 0 after the last */
    uint8_t added;                /* the type that operators are given; 0 of dot */
    uint8_t skips_nan;
    uint8_t expressions[JR_DIGEST_BYTES]; /* of exact sums: of map, where, their parameters and structs, zeros without
                                           * them; of others: jr_state_meaning_digest */
} jr_state_meaning;

jr_state_meaning jr_state_meaning_of(const jr_reduction *reduction);

/* The same as earlier versions wrote it: the white space of map and where counted. */
jr_state_meaning jr_state_meaning_as_written(const jr_reduction *reduction);

/* Fails, with JR_ERROR_STATE, unless both mean the same. */
jr_status jr_state_meaning_compare(const jr_state_meaning *state, const jr_state_meaning *wanted);

/* Adds all that the bytes of a state depend on to a digest. */
void jr_state_meaning_digest(const jr_reduction *reduction, jr_digest *digest);

#endif
