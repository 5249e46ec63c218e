/* What is expected: the results of the estimate's plan, which every candidate must have, too. */
#ifndef JR_TUNE_EXPECTED_H
#define JR_TUNE_EXPECTED_H

#include "jitreduce/tune.h"
#include "plan/plan.h"
#include "tune_arena.h"

/* Zero it to begin with. */
typedef struct jr_expected {
    const jr_arena *arena;
    double depth;           /* additions of the estimate (jr_verify_depth) */
    unsigned char *results; /* all of them, in host memory */
    unsigned char *part;    /* room for some of a candidate's */
} jr_expected;

/* Takes what a plan left in the first place of an arena, which must stay. The context is current, as in all of these.
 * Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_expected_take(const jr_arena *arena, const jr_plan *plan, jr_expected *expected);

/* Compares all of it with what another plan left there since then. why: "" where it is the same, as far as rounding
 * goes. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_expected_check(const jr_expected *expected, const jr_plan *plan, char why[JR_REASON_BYTES]);

void jr_expected_free(jr_expected *expected); /* leaves it zeroed */

#endif
