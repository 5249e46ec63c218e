/* Input for reductions in which a lost or doubled element shows in the result. */
#ifndef TESTS_SUPPORT_REDUCE_DATA_H
#define TESTS_SUPPORT_REDUCE_DATA_H

#include <stdbool.h>

#include "jitreduce/types.h"

/* Fills count elements (at most 2^21). exact: float sums and products of any part come out the same in any order of
 * evaluation, without rounding; else they round at every step. Floats for min and max are of every size down to
 * subnormals. Nothing is NaN or infinite. */
void reduce_data_fill(jr_op op, jr_type type, bool exact, void *data, uint64_t count, uint64_t *seed);

/* Writes an element that decides the result wherever it stands: the extreme, a NaN, a bit that no other has. False
 * when the operator has none, as each element of a sum counts anyway. */
bool reduce_data_plant(jr_op op, jr_type type, void *element, uint64_t *seed);

#endif
