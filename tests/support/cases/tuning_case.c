/* A context that stores its tunings in a scratch folder; it keeps what a tuning reports. */
#include "tuning_case.h"

#include <stdio.h>
#include <string.h>

char tuning_path[2 * SCRATCH_BYTES];
jr_context *tuning_context;
tuning_seen tuning_reports;
static char folder[SCRATCH_BYTES];

int tuning_begin(void **state) {
    (void)state;
    scratch_make(folder);
    snprintf(tuning_path, sizeof tuning_path, "%s/wisdom", folder);
    memset(&tuning_reports, 0, sizeof tuning_reports);
    tuning_reopen();
    return 0;
}

int tuning_end(void **state) {
    (void)state;
    jr_context_close(tuning_context);
    tuning_context = NULL;
    scratch_remove(folder);
    return 0;
}

void tuning_reopen(void) {
    jr_context_close(tuning_context);
    tuning_context = NULL;
    works(jr_context_open(&JR_INIT(jr_options, .wisdom = tuning_path), &tuning_context));
}

int tuning_tell(void *user, const jr_tune_progress *progress) {
    tuning_seen *all = user;
    assert_true(all->count < TUNING_SEEN_MAX);
    all->candidates[all->count++] = *progress->candidate;
    assert_int_equal(progress->done, all->count);
    assert_true(progress->done <= progress->planned);
    if (progress->best != NULL) assert_true(progress->best->gain > 1);
    return all->stop_after > 0 && all->count >= all->stop_after;
}

bool tuning_is_same(const jr_tune_candidate *one, const jr_tune_candidate *other) {
    return one->algorithm == other->algorithm && one->unroll == other->unroll && one->block == other->block &&
           one->blocks_per_multiprocessor == other->blocks_per_multiprocessor;
}

bool tuning_is_wrong(const jr_tune_candidate *candidate) {
    return candidate->failure[0] != '\0' && strncmp(candidate->failure, "a run takes ", 12) != 0;
}
