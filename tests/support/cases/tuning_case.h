/* What the tests of tuning share: a context that stores its tunings in a file of its own, and what a tuning
 * reported. */
#ifndef TESTS_SUPPORT_TUNING_CASE_H
#define TESTS_SUPPORT_TUNING_CASE_H

#include "support/fixtures/open_context.h"

#include "jitreduce/tune.h"
#include "support/fixtures/scratch.h"

extern char tuning_path[2 * SCRATCH_BYTES]; /* the file */
extern jr_context *tuning_context;

/* CMocka's fixtures: no file exists yet, nothing has been reported. */
int tuning_begin(void **state);
int tuning_end(void **state);
/* Closes the context and opens it again: it reads the file again. */
void tuning_reopen(void);

enum { TUNING_SEEN_MAX = 512 };

/* What a tuning reported; after stop_after candidates it is stopped (0: never). */
typedef struct tuning_seen {
    jr_tune_candidate candidates[TUNING_SEEN_MAX];
    int count, stop_after;
} tuning_seen;
extern tuning_seen tuning_reports;

/* A jr_tune_options' progress, which asserts that each step is one more; user: &tuning_reports. */
int tuning_tell(void *user, const jr_tune_progress *progress);

bool tuning_is_same(const jr_tune_candidate *one, const jr_tune_candidate *other);
/* It failed for another reason than time: on a busy machine a run may well be taken for one that is too slow. */
bool tuning_is_wrong(const jr_tune_candidate *candidate);

#endif
