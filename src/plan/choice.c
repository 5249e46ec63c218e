/* Chooses algorithms and tunings. */
#include "choice.h"

#include <stdio.h>

#include "algorithms.h"
#include "base/error.h"
#include "estimate.h"

/* The row of the algorithm asked for: of several the first that takes the job. */
static const jr_algorithm_row *find_named(const jr_job *job) {
    const jr_algorithm_row *row;
    for (size_t i = 0; job->requested.algorithm != JR_ALGORITHM_AUTO && (row = jr_algorithms_get(i)) != NULL; i++)
        if (row->algorithm == job->requested.algorithm && jr_algorithms_applies(row, job)) return row;
    for (size_t i = 0; job->requested.algorithm != JR_ALGORITHM_AUTO && (row = jr_algorithms_get(i)) != NULL; i++)
        if (row->algorithm == job->requested.algorithm && row->kind == job->kind && row->tree == job->reduction->tree)
            return row;
    return jr_algorithms_find(job->requested.algorithm, job->kind);
}

/* Data beyond the device memory that it may take goes through the device in parts. Much data that is reduced to one
 * result does so in any case, unless the algorithm asked for cannot work so; where there are many results, what fits is
 * there all at once, so that none is written before all are known. */
static bool is_chunked(const jr_job *job) {
    if (!job->on_host) return false;
    const jr_algorithm_row *named = find_named(job);
    if (job->requested.device_bytes > 0 && job->host_bytes > job->requested.device_bytes) return true;
    if (job->kind != JR_JOB_FLAT) return job->host_bytes > job->free_bytes - job->free_bytes / 8;
    return job->host_bytes >= jr_tuned_number_of(job->device, JR_NUMBER_CHUNK_FROM_BYTES) &&
           (named == NULL || named->parts != NULL);
}

/* True if a run is several launches whose results are folded at the end, or each of which continues the one before. */
static bool is_in_parts(const jr_job *job) {
    return (job->kind == JR_JOB_FLAT && job->requested.max_launch_ms > 0) || is_chunked(job);
}

static bool can_be_in_parts(const jr_algorithm_row *row) {
    return row->parts != NULL || row->kind == JR_JOB_SEGMENTS || row->kind == JR_JOB_APPLY ||
           row->kind == JR_JOB_MANY || (row->scan != NULL && (row->scan->part != NULL || row->scan->by_rows));
}

static bool suits_parts(const jr_job *job, const jr_algorithm_row *row) {
    return (!is_in_parts(job) && !job->is_part) || can_be_in_parts(row);
}

/* ---- which row ---- */

static jr_status check_flat(const jr_job *job, const jr_algorithm_row *row) {
    if (job->reduction->tree && !row->tree)
        return jr_fail(
            JR_ERROR_NOT_APPLICABLE,
            "algorithm %s has no fixed tree, which accuracy reproducible asks for: single_pass, two_pass and "
            "one_block have it",
            row->name);
    if (row->kind == JR_JOB_SCAN && job->kind != JR_JOB_SCAN)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s is for scans, and this is a reduction: set spec.algorithm to 0", row->name);
    if (!jr_algorithms_applies(row, job))
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s needs %s; the spec has a grid of %d, an unroll factor of %d and %s operator",
                       row->name, row->needs, job->requested.grid, job->requested.unroll,
                       job->reduction->commutative ? "a commutative" : "a non-commutative");
    if (is_in_parts(job) && !can_be_in_parts(row))
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s cannot work in parts, which max_launch_ms or data beyond device_bytes asks for: "
                       "leave the algorithm to the library",
                       row->name);
    return JR_OK;
}

/* What an algorithm that scans does not scan of segments. */
static const char *unscanned(const jr_job *job, const jr_algorithm_row *row) {
    if (job->layout.kind == JR_SEGMENTS_STRIDED) return "segments with gaps between them";
    return row->algorithm == JR_ALGORITHM_BULK_COPY ? "segments of such elements, results or expressions" : "segments";
}

static jr_status check_scan(const jr_job *job, const jr_algorithm_row *row) {
    if (row->kind == job->kind && row->views != (job->view.arrays > 0))
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s reads arrays in C order without gaps, and axis->strides are not: set "
                       "spec.algorithm to 0, or copy the array",
                       row->name);
    if (row->kind == job->kind && job->layout.kind != 0 && !row->applicable(job))
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "algorithm %s does not scan %s: set spec.algorithm to 0", row->name,
                       unscanned(job, row));
    if (row->kind != job->kind)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s does not scan: set spec.algorithm to 0 or to one that scan.h lists", row->name);
    if (!row->applicable(job)) return jr_fail(JR_ERROR_NOT_APPLICABLE, "algorithm %s needs %s", row->name, row->needs);
    if (row->grid_max > 0 && job->requested.grid > row->grid_max)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "a grid of %d blocks: algorithm %s has at most %d row%s",
                       job->requested.grid, row->name, row->grid_max, row->grid_max > 1 ? "s" : "");
    if (job->requested.max_launch_ms > 0)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "max_launch_ms %g: a scan is not split into short launches",
                       job->requested.max_launch_ms);
    if (job->requested.shared == JR_SHARED_DYNAMIC)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "algorithm %s has static shared memory only", row->name);
    if (job->is_part && !can_be_in_parts(row))
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s cannot go on where another device has ended: leave the algorithm to the library",
                       row->name);
    if (!suits_parts(job, row))
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "algorithm %s cannot work in parts, which data and results of %llu bytes ask for, beyond "
                       "device_bytes or what the device has free: leave the algorithm to the library",
                       row->name, (unsigned long long)job->host_bytes);
    return JR_OK;
}

static jr_status check_segments(const jr_job *job, const jr_algorithm_row *row) {
    const jr_requested_tuning *requested = &job->requested;
    if (row->kind == job->kind && jr_algorithms_applies(row, job) && requested->shared != JR_SHARED_DYNAMIC &&
        requested->max_launch_ms == 0)
        return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE,
                   "segments have algorithms of their own: leave spec.algorithm (%d), spec.shared (%d) and "
                   "spec.max_launch_ms (%g) 0",
                   (int)requested->algorithm, (int)requested->shared, requested->max_launch_ms);
}

/* There is one algorithm, of which nothing can be wished. */
static jr_status check_merge(const jr_job *job, const jr_algorithm_row *row) {
    (void)job;
    (void)row;
    return JR_OK;
}

/* Applies and many arrays. */
static jr_status check_own(const jr_job *job, const jr_algorithm_row *row) {
    const jr_requested_tuning *requested = &job->requested;
    if (row->kind == job->kind && requested->shared != JR_SHARED_DYNAMIC && requested->max_launch_ms == 0) return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE,
                   "%s own: leave spec.algorithm (%d), spec.shared (%d) and spec.max_launch_ms (%g) 0",
                   job->kind == JR_JOB_MANY ? "many arrays have an algorithm of their" : "apply has algorithms of its",
                   (int)requested->algorithm, (int)requested->shared, requested->max_launch_ms);
}

/* Is it one to choose when the algorithm is left open? */
static bool is_preferred(const jr_job *job, const jr_algorithm_row *row) {
    const uint64_t from_bytes = jr_tuned_algorithm_of(job->device, row->tuned)->preferred_from_bytes;
    return suits_parts(job, row) && jr_job_expected_count(job) >= from_bytes / job->reduction->inputs[0].bytes &&
           (row->choices == NULL || row->choices->preferred == NULL || row->choices->preferred(job)) &&
           jr_estimate_ring_fits(job, row);
}

/* True if the first of two preferred or requested rows comes before the other. */
static bool is_before(const jr_job *job, const jr_algorithm_row *row, const jr_algorithm_row *other) {
    const jr_tuned_algorithm *tuned = jr_tuned_algorithm_of(job->device, row->tuned),
                             *others = jr_tuned_algorithm_of(job->device, other->tuned);
    const bool open = job->requested.algorithm == JR_ALGORITHM_AUTO;
    if (open && tuned->preferred_from_bytes != others->preferred_from_bytes)
        return tuned->preferred_from_bytes > others->preferred_from_bytes;
    return tuned->order > 0 && (others->order == 0 || tuned->order < others->order);
}

/* A row of the requested algorithm, or else the preferred row; NULL: no row fits. */
static const jr_algorithm_row *find_best(const jr_job *job) {
    const jr_algorithm_row *best = NULL, *row;
    for (size_t i = 0; (row = jr_algorithms_get(i)) != NULL; i++) {
        if (!jr_algorithms_applies(row, job)) continue;
        const bool open = job->requested.algorithm == JR_ALGORITHM_AUTO;
        if (open ? !is_preferred(job, row) : row->algorithm != job->requested.algorithm) continue;
        if (best == NULL || is_before(job, row, best)) best = row;
    }
    return best;
}

static jr_status find_row(const jr_job *job, const jr_algorithm_row **row) {
    static jr_status (*const checks[])(const jr_job *, const jr_algorithm_row *) = {
        [JR_JOB_FLAT] = check_flat,   [JR_JOB_SEGMENTS] = check_segments, [JR_JOB_SCAN] = check_scan,
        [JR_JOB_MERGE] = check_merge, [JR_JOB_APPLY] = check_own,         [JR_JOB_MANY] = check_own};
    const jr_algorithm_row *named = find_named(job), *best = find_best(job);
    if (named == NULL && job->requested.algorithm != JR_ALGORITHM_AUTO)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "unknown algorithm %d: set spec.algorithm to a JR_ALGORITHM_ value, or to 0",
                       (int)job->requested.algorithm);
    if (best == NULL) best = named; /* which says what it lacks */
    if (best == NULL && job->kind == JR_JOB_APPLY)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "apply needs a commutative operator whose accumulators have at most 64 bytes; these have %zu",
                       job->reduction->accumulator_bytes);
    if (best == NULL && job->kind == JR_JOB_MANY)
        return jr_fail(
            JR_ERROR_NOT_APPLICABLE,
            "many arrays are of numbers, of one input, and need a commutative operator that is no index, whose "
            "accumulators have at most 64 bytes (these have %zu); apply takes no logsumexp of them",
            job->reduction->accumulator_bytes);
    if (best == NULL) return jr_fail(JR_ERROR_NOT_APPLICABLE, "no algorithm takes this spec");
    const jr_status status = checks[job->kind](job, best);
    if (status == JR_OK) *row = best;
    return status;
}

/* ---- by whom ---- */

static bool is_given(const jr_requested_tuning *requested) {
    return requested->algorithm != JR_ALGORITHM_AUTO && requested->unroll > 0 && requested->block > 0;
}

jr_status jr_choice_make_estimate(const jr_job *job, jr_choice *choice) {
    jr_choice made = {.chunked = is_chunked(job), .launch_count = jr_estimate_launch_count(job)};
    JR_TRY(find_row(job, &made.row));
    JR_TRY(jr_estimate_tuning(job, made.row, &made.tuning));
    snprintf(made.why, sizeof made.why, "%s", is_given(&job->requested) ? "given" : "estimate");
    *choice = made;
    return JR_OK;
}

/* Stored tunings are of runs in one part, in grids that the library chooses, and not of segments. */
static jr_advice ask_adviser(const jr_job *job) {
    const jr_requested_tuning *requested = &job->requested;
    jr_advice advice = {.algorithm = JR_ALGORITHM_AUTO};
    if (job->adviser != NULL && job->layout.kind == 0 && requested->grid == 0 && requested->capacity > 0 &&
        !is_given(requested) && !is_in_parts(job))
        job->adviser->ask(job->adviser->self, job, &advice);
    return advice;
}

/* False when what is advised does not suit the device. */
static bool follow(const jr_job *job, const jr_advice *advice, jr_choice *choice) {
    jr_job advised = *job;
    advised.requested.algorithm = advice->algorithm;
    advised.requested.unroll = advice->unroll;
    advised.requested.block = advice->block;
    advised.requested.blocks_per_multiprocessor = advice->blocks_per_multiprocessor;
    JR_KEEP_ERROR;
    const bool good = jr_choice_make_estimate(&advised, choice) == JR_OK;
    choice->advised = good;
    if (good) snprintf(choice->why, sizeof choice->why, "%s", advice->why);
    return good;
}

jr_status jr_choice_make(const jr_job *job, jr_choice *choice) {
    jr_choice made = {.row = NULL};
    const jr_advice advice = ask_adviser(job);
    const bool followed = advice.algorithm != JR_ALGORITHM_AUTO && follow(job, &advice, &made);
    if (!followed) JR_TRY(jr_choice_make_estimate(job, &made));
    if (advice.algorithm == JR_ALGORITHM_AUTO && advice.why[0] != '\0')
        snprintf(made.why, sizeof made.why, "%s", advice.why);
    *choice = made;
    return JR_OK;
}
