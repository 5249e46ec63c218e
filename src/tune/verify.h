/* Verifying: whether two tunings give the same results of the same data. */
#ifndef JR_TUNE_VERIFY_H
#define JR_TUNE_VERIFY_H

#include "jitreduce/tune.h"
#include "reduce/plan.h"

/* How many additions one element goes through at most in a run of count elements (README, "How far a float result may
 * be off"). */
double jr_verify_depth(const jr_plan *plan, uint64_t count);

/* Compares the results that two plans of a reduction left, as they lie in device memory, of an arena's data: exactly,
 * or within the bound of depth additions where floats round. False: why says which differ, and by what. */
bool jr_verify_results(const jr_reduction *reduction, uint64_t count, double depth,
                       const unsigned char *const results[2], char why[JR_REASON_BYTES]);

#endif
