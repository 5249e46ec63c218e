/* Input for reductions in which a lost or doubled element shows in the result. */
#ifndef TESTS_SUPPORT_REDUCE_DATA_H
#define TESTS_SUPPORT_REDUCE_DATA_H

#include <stdbool.h>

#include "jitreduce/types.h"

/* Fills count elements (at most 2^21). exact: sums and products of any part come out the same in any order of
 * evaluation, without rounding; else they round at every step. Extrema of floats are sought among finite numbers of
 * every size down to subnormals, or, exact, among so few that most are ties. Nothing is NaN or infinite. */
void reduce_data_fill(jr_op op, jr_type type, bool exact, void *data, uint64_t count, uint64_t *seed);

/* Writes an element that decides the result wherever it stands: the extreme, a NaN, an infinity, a bit that no other
 * has. False when the operator has none, as each element of a sum of integers counts anyway. */
bool reduce_data_plant(jr_op op, jr_type type, void *element, uint64_t *seed);

/* Makes one element in `one_in` of a float type a NaN. */
void reduce_data_sprinkle_nan(jr_type type, void *data, uint64_t count, uint64_t one_in, uint64_t *seed);

#endif
