/* Which known word is nearest to a mistyped one. */
#ifndef JR_BASE_NEAREST_H
#define JR_BASE_NEAREST_H

#include <stddef.h>

enum { JR_NEAREST_BYTES = 128 }; /* words are shorter */

/* Counts the slips between two words: letters too many, missing or wrong, and neighbours that changed places (optimal
 * string alignment). 0 if only capitals differ; JR_NEAREST_BYTES if one is too long. */
size_t jr_nearest_slips(const char *a, size_t a_length, const char *b, size_t b_length);

/* The most slips that a word of this length may have and still be meant: one, two of a long word; of a single letter
 * only the capital may differ. */
size_t jr_nearest_most(size_t length);

#endif
