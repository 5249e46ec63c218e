/* Whether two results are of the same reduction. */
#ifndef CLI_BENCH_VALUE_H
#define CLI_BENCH_VALUE_H

#include <stdbool.h>

#include <jitreduce.h>

/* The relative difference that two orders of adding up count elements may have at most, in the coarser of two types; 0
 * where they must be equal: of integers, and of operators that select. Integers of different widths are compared as far
 * as both reach, since sums are modular. */
double cli_value_tolerance(jr_op op, jr_type ours, jr_type other, uint64_t count);

bool cli_values_agree(jr_op op, const jr_value *ours, const jr_value *other, uint64_t count);

#endif
