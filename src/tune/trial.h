/* Trials: candidates are made into plans, verified, and measured in turns with the estimate's plan. */
#ifndef JR_TUNE_TRIAL_H
#define JR_TUNE_TRIAL_H

#include "jitreduce/tune.h"
#include "measure.h"
#include "plan/make.h"
#include "plan/plan.h"
#include "tune_arena.h"

/* Zero it to begin with. */
typedef struct jr_expected {
    const jr_arena *arena;
    double depth;           /* additions of the estimate (jr_verify_depth) */
    unsigned char *results; /* all of them, in host memory */
    unsigned char *part;    /* room for some of a candidate's */
} jr_expected;

enum { JR_TRIAL_GROUP = 6 };

/* What candidates are tried with. */
typedef struct jr_trials {
    jr_job job; /* flat or a scan; its capacity is the count; the reduction is the caller's */
    jr_arena arena;
    jr_plan *plan;              /* the estimate's */
    jr_tune_candidate estimate; /* and what it is */
    jr_expected expected;       /* its results */
    double estimate_ms;         /* of a run of it, on the host's clock */
} jr_trials;

/* Makes the estimate's plan and its result. The context is current in all of these. */
jr_status jr_trials_open(const jr_job *job, jr_trials *trials);
/* The job with a candidate's tuning asked for. */
jr_job jr_trials_job(const jr_trials *trials, const jr_tune_candidate *candidate);

void jr_trials_close(jr_trials *trials); /* one that was zeroed is fine */

/* Measures up to JR_TRIAL_GROUP candidates and the estimate in turns. It writes us and gain of each candidate, or its
 * failure. limit_ms: 0: no limit. spreads: NULL, or the spread of the estimate and then of each candidate (0 if it
 * failed). rounds: how many were made. Errors: what is not a candidate's own failure. */
jr_status jr_trials_measure(jr_trials *trials, jr_tune_candidate *const *candidates, int count,
                            const jr_measure_options *options, jr_quartiles *spreads, int *rounds);

#endif
