/* Verifying: whether two tunings give the same results of the same data. */
#ifndef JR_TUNE_VERIFY_H
#define JR_TUNE_VERIFY_H

#include "jitreduce/tune.h"
#include "plan/plan.h"
#include "tune_arena.h"

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

/* What a plan has left in the first place of an arena, which must stay; a zeroed one is fine to free. The context is
 * current. Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
typedef struct jr_expected {
    const jr_arena *arena;
    double depth;           /* additions of the plan (jr_verify_depth) */
    unsigned char *results; /* all of them, in host memory */
    unsigned char *part;    /* room for some of another plan's */
} jr_expected;
jr_status jr_expected_take(const jr_arena *arena, const jr_plan *plan, jr_expected *expected);
void jr_expected_free(jr_expected *expected);

/* Compares all of it with what another plan left there since then. why: written where it is not the same, as far as
 * rounding goes. */
jr_status jr_expected_check(const jr_expected *expected, const jr_plan *plan, char why[JR_REASON_BYTES]);

#endif
