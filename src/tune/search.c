/* Searches for the best tuning of one spec and count. */
#include "search.h"

#include <stdlib.h>

#include "base/error.h"
#include "pace.h"
#include "tune_candidates.h"

typedef struct search {
    jr_trials trials;
    const jr_tune_options *options;
    jr_pace pace;
    jr_candidates_list list;
    int expected; /* candidates that are not known yet, about */
} search;

static void tell(search *self, const jr_tune_candidate *candidate) {
    jr_tune_candidate *best;
    if (self->options->progress == NULL) return;
    const bool found = jr_candidates_best(&self->list, &best, 1) > 0 && best->gain > 1;
    const jr_tune_progress progress = {.size = sizeof progress,
                                       .done = self->list.done,
                                       .planned = self->list.count + self->expected,
                                       .candidate = candidate,
                                       .best = found ? best : NULL};
    if (self->options->progress(self->options->user, &progress) != 0) self->pace.stopped = true;
}

/* Tries all candidates that have not been tried, some at a time. */
static jr_status try_all(search *self) {
    jr_status status = JR_OK;
    while (status == JR_OK && self->list.done < self->list.count && !jr_pace_is_over(&self->pace)) {
        const jr_measure_options options = {.rounds = JR_PACE_ROUNDS, .limit_ms = jr_pace_left_ms(&self->pace, false)};
        jr_tune_candidate *group[JR_TRIAL_GROUP];
        int count = 0, rounds;
        while (count < JR_TRIAL_GROUP && self->list.done + count < self->list.count) {
            group[count] = &self->list.items[self->list.done + count];
            count++;
        }
        status = jr_trials_measure(&self->trials, group, count, &options, NULL, &rounds);
        for (int i = 0; status == JR_OK && i < count; i++) {
            self->list.done++;
            tell(self, group[i]);
        }
    }
    return status;
}

/* A simulator's times say nothing of a GPU's: there one pass shows that all of it works. */
static jr_status try_stages(search *self) {
    enum { GRID = 60, NEIGHBOURS = 16, PASSES = 2 };
    const int passes = self->trials.job.context->device.info.simulated ? 1 : PASSES;
    jr_candidates_add_algorithms(&self->trials, &self->list);
    self->expected = GRID + NEIGHBOURS;
    jr_status status = try_all(self);
    if (status != JR_OK || jr_pace_is_over(&self->pace)) return status;
    jr_candidates_add_grid(&self->trials, &self->list);
    self->expected = NEIGHBOURS;
    status = try_all(self);
    self->expected = 0;
    for (int pass = 0; status == JR_OK && pass < passes && !jr_pace_is_over(&self->pace); pass++) {
        jr_candidates_add_neighbours(&self->trials, &self->list);
        status = try_all(self);
    }
    return status;
}

/* Measures the best few once more, and takes the one that is surely better. */
static jr_status decide(search *self, jr_tuned *tuned) {
    const jr_measure_options options = {.rounds = JR_PACE_LAST_ROUNDS, .limit_ms = jr_pace_left_ms(&self->pace, true)};
    jr_tune_candidate *best[JR_CANDIDATES_BEST];
    jr_quartiles spreads[JR_CANDIDATES_BEST + 1];
    int rounds = 0;
    const int count = jr_candidates_best(&self->list, best, JR_CANDIDATES_BEST);
    JR_TRY(jr_trials_measure(&self->trials, best, count, &options, spreads, &rounds));
    tuned->estimate = tuned->best = self->trials.estimate;
    tuned->complete = tuned->complete && rounds >= JR_PACE_LEAST_ROUNDS;
    for (int i = 0; rounds >= JR_PACE_LEAST_ROUNDS && i < count; i++) {
        if (best[i]->failure[0] != '\0' || best[i]->gain <= tuned->best.gain) continue;
        if (!jr_pace_wins(best[i]->gain, &spreads[i + 1], &spreads[0])) continue;
        tuned->best = *best[i];
        tuned->better = 1;
    }
    return JR_OK;
}

static jr_status run(search *self, uint64_t count, jr_tuned *tuned) {
    jr_tuned found = {.count = count};
    jr_status status = try_stages(self);
    if (status != JR_OK) return status;
    self->trials.estimate.gain = 1;
    found.complete = !self->pace.stopped && !self->pace.late;
    for (int i = 0; i < self->list.done; i++) {
        found.measured += self->list.items[i].failure[0] == '\0';
        found.failed += self->list.items[i].failure[0] != '\0';
    }
    if (self->pace.stopped)
        found.estimate = found.best = self->trials.estimate;
    else
        status = decide(self, &found);
    if (status == JR_OK) *tuned = found;
    return status;
}

jr_status jr_search_run(const jr_job *job, const jr_tune_options *options, jr_tuned *tuned) {
    search *self = calloc(1, sizeof *self);
    if (self == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a search");
    self->options = options;
    self->pace = jr_pace_begin(options->limit_ms);
    JR_INSIDE inside = jr_inside_to_wait(&job->context->device, NULL);
    jr_status status = inside.status;
    if (status == JR_OK) {
        status = jr_trials_open(job, &self->trials);
        if (status == JR_OK) status = run(self, job->requested.capacity, tuned);
        jr_trials_close(&self->trials);
    }
    free(self);
    return status;
}
