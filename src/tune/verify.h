/* Verifying: whether two tunings give the same results of the same data. */
#ifndef JR_TUNE_VERIFY_H
#define JR_TUNE_VERIFY_H

#include "jitreduce/tune.h"
#include "plan/plan.h"

/* How many additions one element goes through at most in a run of count elements (README, "How far a float result may
 * be off"; of scans "Scans"). */
double jr_verify_depth(const jr_plan *plan, uint64_t count);

/* Compares the results that two plans of a reduction left, as they lie in device memory, of an arena's data: exactly,
 * or within the bound of depth additions where floats round. False: why says which differ, and by what. */
bool jr_verify_results(const jr_reduction *reduction, uint64_t count, double depth,
                       const unsigned char *const results[2], char why[JR_REASON_BYTES]);

/* Some results of a scan: count of them, the first one of element `first`. */
typedef struct jr_verify_part {
    uint64_t first, count;
    const unsigned char *results[2]; /* of two plans */
} jr_verify_part;

/* Compares results that two plans of scans left in the same way, each with its neighbour in the other. */
bool jr_verify_scan(const jr_reduction *reduction, double depth, const jr_verify_part *part, char why[JR_REASON_BYTES]);

#endif
