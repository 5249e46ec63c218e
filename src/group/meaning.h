/* The meaning of a reduction, by which ranks check that they compute the same. */
#ifndef JR_GROUP_MEANING_H
#define JR_GROUP_MEANING_H

#include "base/digest.h"
#include "spec/reduction.h"

enum { JR_MEANING_TEXT_BYTES = 96 };

typedef struct jr_meaning {
    uint8_t digest[JR_DIGEST_BYTES];  /* of all that states and results depend on, but for tuning */
    char text[JR_MEANING_TEXT_BYTES]; /* for messages: "sum of f32" */
} jr_meaning;

jr_meaning jr_meaning_of(const jr_reduction *reduction);

/* Errors: JR_ERROR_RANKS_DIFFER, with what each of the two means. */
jr_status jr_meaning_compare(const jr_meaning *first, const jr_meaning *other, int rank);

#endif
