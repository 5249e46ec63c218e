/* Tries candidates, whose results are held against the estimate's, part by part: a scan has as many as there are
 * elements. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/memory.h"
#include "verify.h"

/* ---- what is expected ---- */

enum { PART_BYTES = 4 << 20 };

/* Results that lie in a part. */
static uint64_t part_count(const jr_expected *expected) {
    const uint64_t most = PART_BYTES / expected->arena->reduction->output_bytes;
    return expected->arena->result_count < most ? expected->arena->result_count : most;
}

/* Leaves it zeroed. */
static void free_expected(jr_expected *expected) {
    free(expected->results);
    free(expected->part);
    *expected = (jr_expected){0};
}

/* Takes what a plan left in the first place of an arena, which must stay. The context is current, as in all of these.
 * Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
static jr_status take_expected(const jr_arena *arena, const jr_plan *plan, jr_expected *expected) {
    const size_t bytes = arena->reduction->output_bytes;
    jr_expected taken = {.arena = arena, .depth = jr_verify_depth(plan, arena->count)};
    taken.results = calloc((size_t)arena->result_count, bytes);
    taken.part = calloc((size_t)part_count(&taken), bytes);
    jr_status status = JR_OK;
    if (taken.results == NULL || taken.part == NULL)
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %llu results of %zu bytes",
                         (unsigned long long)arena->result_count, bytes);
    if (status == JR_OK)
        status = jr_memory_download(arena->device, taken.results, arena->out, arena->result_count * bytes, NULL);
    if (status == JR_OK)
        *expected = taken;
    else
        free_expected(&taken);
    return status;
}

/* One part, of a scan where there is more than one result. */
static bool is_same(const jr_expected *expected, const jr_plan *plan, const jr_verify_part *part,
                    char why[JR_REASON_BYTES]) {
    const jr_arena *arena = expected->arena;
    const double depth = expected->depth + jr_verify_depth(plan, arena->count);
    if (plan->kind == &jr_plan_scan) return jr_verify_scan(arena->reduction, depth, part, why);
    return jr_verify_results(arena->reduction, arena->count, depth, part->results, why);
}

/* Compares all of it with what another plan left there since then. why: "" where it is the same, as far as rounding
 * goes. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
static jr_status check_expected(const jr_expected *expected, const jr_plan *plan, char why[JR_REASON_BYTES]) {
    const jr_arena *arena = expected->arena;
    const size_t bytes = arena->reduction->output_bytes;
    jr_verify_part part = {.count = part_count(expected)};
    why[0] = '\0';
    for (; part.first < arena->result_count; part.first += part.count) {
        const uint64_t left = arena->result_count - part.first, at = part.first * bytes;
        if (left < part.count) part.count = left;
        const jr_status status =
            jr_memory_download(arena->device, expected->part, arena->out + at, part.count * bytes, NULL);
        if (status != JR_OK) return status;
        part.results[0] = expected->results + at;
        part.results[1] = expected->part;
        if (!is_same(expected, plan, &part, why)) return JR_OK;
    }
    return JR_OK;
}

/* ---- trials ---- */

/* A plan with its place in the turns. */
typedef struct contender {
    const jr_arena *arena;
    jr_plan *plan;
    uint64_t first_slot;
} contender;

/* The estimate and the candidates that have not failed. */
typedef struct trial_group {
    contender contenders[JR_TRIAL_GROUP + 1]; /* the first is the estimate's */
    jr_tune_candidate *alive[JR_TRIAL_GROUP];
    jr_quartiles found[JR_TRIAL_GROUP + 1];
    int count; /* alive */
} trial_group;

static jr_status run_contender(void *user, uint64_t number, jr_stream stream) {
    const contender *self = user;
    jr_run run = jr_arena_run(self->arena, self->first_slot + number);
    run.stream = stream;
    return jr_plan_start(self->plan, &run);
}

/* Runs a plan in the first place of the arena. */
static jr_status run_once(const jr_trials *trials, const jr_plan *plan, double *ms) {
    const jr_run run = jr_arena_run(&trials->arena, 0);
    const jr_device *device = &trials->job.context->device;
    jr_status status = jr_arena_blank(&trials->arena);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = jr_plan_start(plan, &run);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    *ms = jr_clock_ms() - begin;
    return status;
}

static void describe(const jr_plan *plan, uint64_t count, jr_tune_candidate *candidate) {
    const jr_tuning *tuning = &plan->choice.tuning;
    candidate->algorithm = tuning->algorithm;
    candidate->unroll = tuning->unroll;
    candidate->block = tuning->block;
    candidate->blocks_per_multiprocessor = tuning->blocks_per_multiprocessor;
    candidate->grid = jr_plan_grid(plan, count);
}

jr_status jr_trials_open(const jr_job *job, jr_trials *trials) {
    const uint64_t count = job->requested.capacity;
    *trials = (jr_trials){.job = *job};
    JR_TRY(jr_make_plan(job, &trials->plan));
    jr_status status = jr_arena_make(job, &trials->arena);
    if (status == JR_OK) status = run_once(trials, trials->plan, &trials->estimate_ms);
    if (status == JR_OK) status = run_once(trials, trials->plan, &trials->estimate_ms);
    if (status == JR_OK) status = take_expected(&trials->arena, trials->plan, &trials->expected);
    describe(trials->plan, count, &trials->estimate);
    if (status != JR_OK) jr_trials_close(trials);
    return status;
}

void jr_trials_close(jr_trials *trials) {
    jr_arena_free(&trials->arena);
    jr_plan_free(trials->plan);
    free_expected(&trials->expected);
    *trials = (jr_trials){0};
}

jr_job jr_trials_job(const jr_trials *trials, const jr_tune_candidate *candidate) {
    jr_job job = trials->job;
    job.requested.algorithm = candidate->algorithm;
    job.requested.unroll = candidate->unroll;
    job.requested.block = candidate->block;
    job.requested.blocks_per_multiprocessor = candidate->blocks_per_multiprocessor;
    return job;
}

/* Is this a failure of the candidate alone? */
static bool is_own(jr_status status) {
    return status == JR_ERROR_NOT_APPLICABLE || status == JR_ERROR_LAUNCH_RESOURCES || status == JR_ERROR_COMPILE ||
           status == JR_ERROR_LOAD || status == JR_ERROR_DEVICE_OUT_OF_MEMORY;
}

/* Of a run that took so long. */
static jr_status verify(const jr_trials *trials, const jr_plan *plan, double ms, jr_tune_candidate *candidate) {
    enum { TOO_SLOW = 8, WORTH_MS = 200 };
    const jr_status status = check_expected(&trials->expected, plan, candidate->failure);
    if (status == JR_OK && candidate->failure[0] == '\0' && ms > WORTH_MS && ms > TOO_SLOW * trials->estimate_ms)
        snprintf(candidate->failure, sizeof candidate->failure, "a run takes %.0f ms, and the estimate's %.0f ms", ms,
                 trials->estimate_ms);
    return status;
}

/* Candidate -> plan, run once and verified; *plan stays NULL for one that failed. */
static jr_status prepare(jr_trials *trials, jr_tune_candidate *candidate, jr_plan **plan) {
    const jr_job job = jr_trials_job(trials, candidate);
    jr_plan *made = NULL;
    double ms = 0;
    jr_error_saved *saved = jr_error_save();
    jr_status status = jr_make_plan(&job, &made);
    if (status == JR_OK) describe(made, trials->arena.count, candidate);
    if (status == JR_OK) status = run_once(trials, made, &ms);
    if (status == JR_OK) status = verify(trials, made, ms, candidate);
    if (status != JR_OK) snprintf(candidate->failure, sizeof candidate->failure, "%.511s", jr_last_error()->message);
    if (status == JR_OK || is_own(status))
        jr_error_restore(saved);
    else
        jr_error_discard(saved);
    if (status == JR_OK && candidate->failure[0] == '\0')
        *plan = made;
    else
        jr_plan_free(made);
    return is_own(status) ? JR_OK : status;
}

/* Samples of a group -> what its candidates show. */
static void conclude(double *samples, int wanted, int rounds, trial_group *group) {
    group->found[0] = jr_quartiles_of(samples, rounds);
    for (int i = 0; i < group->count; i++) {
        group->found[i + 1] = jr_quartiles_of(samples + (i + 1) * wanted, rounds);
        const double us = group->found[i + 1].median;
        group->alive[i]->us = us;
        group->alive[i]->gain = us > 0 ? group->found[0].median / us : 0;
    }
}

/* Measures a group; each of it begins in another part of the arena. */
static jr_status measure(jr_trials *trials, const jr_measure_options *options, trial_group *group, int *rounds) {
    jr_measured items[JR_TRIAL_GROUP + 1];
    const int count = group->count + 1;
    double *samples = calloc((size_t)count * (size_t)options->rounds, sizeof *samples);
    if (samples == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for samples");
    for (int i = 0; i < count; i++) {
        group->contenders[i].arena = &trials->arena;
        group->contenders[i].first_slot = trials->arena.slots * (uint64_t)i / (uint64_t)count;
        items[i] = (jr_measured){run_contender, &group->contenders[i]};
    }
    jr_status status = jr_measure_run(&trials->job.context->device, options, items, count, samples, rounds);
    if (status == JR_OK) conclude(samples, options->rounds, *rounds, group);
    if (status == JR_OK) trials->estimate.us = group->found[0].median;
    free(samples);
    return status;
}

jr_status jr_trials_measure(jr_trials *trials, jr_tune_candidate *const *candidates, int count,
                            const jr_measure_options *options, jr_quartiles *spreads, int *rounds) {
    trial_group group = {.contenders = {{.plan = trials->plan}}};
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < count; i++) {
        jr_plan *plan = NULL;
        status = prepare(trials, candidates[i], &plan);
        if (plan == NULL) continue;
        group.alive[group.count++] = candidates[i];
        group.contenders[group.count].plan = plan;
    }
    if (status == JR_OK) status = measure(trials, options, &group, rounds);
    for (int i = 1; i <= group.count; i++) jr_plan_free(group.contenders[i].plan);
    if (status != JR_OK || spreads == NULL) return status;
    spreads[0] = group.found[0];
    for (int i = 0, next = 0; i < count; i++) {
        const bool measured = next < group.count && group.alive[next] == candidates[i];
        spreads[i + 1] = measured ? group.found[1 + next++] : (jr_quartiles){0};
    }
    return JR_OK;
}
