/* A contest of settings: kernels of a tunable, run on the caller's memory, checked against the expected results, and
 * measured in turns with the preferred one. */
#ifndef JR_TUNE_CONTEST_H
#define JR_TUNE_CONTEST_H

#include "kernel/context.h"
#include "measure.h"
#include "setting.h"

enum { JR_CONTEST_GROUP = 6 };

typedef struct jr_contest_output {
    unsigned char *before;   /* what was there when the contest began */
    unsigned char *expected; /* what a run is to leave */
} jr_contest_output;

typedef struct jr_contest {
    jr_context *context;
    const jr_space *space;
    const jr_tunable_problem *problem;
    jr_contest_output *outputs;
    bool kept;                                                     /* what was in the outputs is known */
    unsigned char *now;                                            /* room for what a run left of one output */
    jr_named_text *constants;                                      /* of a setting's program */
    jr_tunable_setting preferred;                                  /* and it is verified */
    double preferred_ms;                                           /* of a run of it, on the host's clock */
    void (*begins)(void *user, const jr_tunable_setting *setting); /* called before each setting is run; may be NULL */
    void *user;
} jr_contest;

/* Keeps what lies in the outputs, and runs the preferred setting. The context is current in all of these. Errors: as
 * the public jr_tunable_tune. */
jr_status jr_contest_open(jr_context *context, const jr_space *space, const jr_tunable_problem *problem,
                          jr_contest *contest);

/* Puts the outputs back to what they were. One that was zeroed is fine. */
void jr_contest_close(jr_contest *contest);

/* Measures up to JR_CONTEST_GROUP settings, of which `values` are looked at, and the preferred one by turns: each gets
 * its us and gain, or its failure. spreads: NULL, or the preferred one's and then the settings'; those of failed ones
 * are 0. Errors: what is not a setting's own failure. */
jr_status jr_contest_measure(jr_contest *contest, jr_tunable_setting *const *settings, int count,
                             const jr_measure_options *options, jr_quartiles *spreads, int *rounds);

#endif
