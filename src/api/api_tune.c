/* The public functions of tuning (tune.h). */
#include "jitreduce/tune.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "guard.h"
#include "size.h"
#include "tune/search.h"
#include "wisdom/advice.h"
#include "wisdom/tune_work.h"

_Static_assert((int)JR_WISDOM_PATH_BYTES == (int)JR_PATH_BYTES, "paths of one length");

jr_status jr_wisdom_info_get(jr_context *context, jr_wisdom_info *info) {
    JR_GUARD_CALL;
    jr_advice_state state;
    JR_TRY(JR_GIVEN(context, info));
    JR_TRY(jr_size_check(&jr_wisdom_info_sized, info));
    JR_TRY(jr_advice_inspect(context, &state));
    jr_wisdom_info found = {.origin = state.place.origin,
                            .found = state.found,
                            .own_count = state.here,
                            .usable_count = state.elsewhere,
                            .other_count = state.other};
    memcpy(found.path, state.place.path, sizeof found.path);
    memcpy(found.refused, state.refused, sizeof found.refused);
    jr_size_write(&jr_wisdom_info_sized, &found, info);
    return JR_OK;
}

static jr_status check(const jr_spec *spec, uint64_t count, const jr_tune_options *options) {
    const uint64_t most = UINT64_C(1000000000000000); /* that a stored tuning can be of */
    if (spec->algorithm != JR_ALGORITHM_AUTO || spec->unroll != 0 || spec->block != 0 || spec->grid != 0 ||
        spec->blocks_per_multiprocessor != 0 || spec->shared != JR_SHARED_AUTO || spec->max_launch_ms > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the spec says how to reduce, which is what tuning is to find: leave algorithm, unroll, block, "
                       "grid, blocks_per_multiprocessor, shared and max_launch_ms 0");
    if (count == 0 || count > most)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu cannot be tuned for: 1 to %llu",
                       (unsigned long long)count, (unsigned long long)most);
    if (!isfinite(options->limit_ms) || options->limit_ms < 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "limit_ms %g is not allowed: 0 or a positive number",
                       options->limit_ms);
    return JR_OK;
}

/* The job has its context and kind, and of a scan that one's kind. */
static jr_status tune(jr_job *job, const jr_spec *spec, uint64_t count, const jr_tune_options *options,
                      jr_tuned *tuned) {
    jr_context *const context = job->context;
    jr_tune_options own_options = {0};
    jr_tuned found;
    jr_size_spec own;
    JR_TRY(JR_GIVEN(context, spec, tuned));
    jr_status status = jr_size_spec_read(spec, &own);
    if (status == JR_OK && options != NULL) status = jr_size_read(&jr_tune_options_sized, options, &own_options);
    if (status == JR_OK) status = jr_size_check(&jr_tuned_sized, tuned);
    if (status == JR_OK) status = jr_job_make(&own.spec, job);
    job->requested.capacity = count;
    if (status == JR_OK) status = check(&own.spec, count, &own_options);
    if (status == JR_OK) status = jr_search_run(job, &own_options, &found);
    if (status == JR_OK) jr_size_write(&jr_tuned_sized, &found, tuned);
    jr_job_free(job);
    return status;
}

jr_status jr_tune(jr_context *context, const jr_spec *spec, uint64_t count, const jr_tune_options *options,
                  jr_tuned *tuned) {
    JR_GUARD_CALL;
    jr_job job = {.context = context};
    return tune(&job, spec, count, options, tuned);
}

jr_status jr_tune_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind, uint64_t count,
                       const jr_tune_options *options, jr_tuned *tuned) {
    JR_GUARD_CALL;
    jr_job job = {.context = context, .kind = JR_JOB_SCAN, .scan = kind};
    return tune(&job, spec, count, options, tuned);
}

/* What was found, as it is stored. */
static jr_wisdom_entry entry_of(const jr_job *job, const jr_tuned *tuned) {
    jr_wisdom_entry entry = {.count = tuned->count,
                             .time_ns = (uint64_t)(tuned->best.us * 1e3),
                             .estimate_ns = (uint64_t)(tuned->estimate.us * 1e3)};
    jr_work_of(job, entry.work);
    if (tuned->better) {
        entry.algorithm = tuned->best.algorithm;
        entry.unroll = tuned->best.unroll;
        entry.block = tuned->best.block;
        entry.blocks_per_multiprocessor = tuned->best.blocks_per_multiprocessor;
    }
    return entry;
}

static jr_status store(jr_job *job, const jr_spec *spec, const jr_tuned *tuned) {
    jr_context *const context = job->context;
    const jr_tune_options none = {0};
    jr_tuned found;
    jr_size_spec own;
    JR_TRY(JR_GIVEN(context, spec, tuned));
    jr_status status = jr_size_spec_read(spec, &own);
    if (status == JR_OK) status = jr_size_read(&jr_tuned_sized, tuned, &found);
    if (status == JR_OK) status = jr_job_make(&own.spec, job);
    if (status == JR_OK) status = check(&own.spec, found.count, &none);
    if (status == JR_OK && !found.better && !found.complete)
        status =
            jr_fail(JR_ERROR_INVALID_ARGUMENT, "nothing was found for a count of %llu: the tuning was not complete",
                    (unsigned long long)found.count);
    if (status == JR_OK) {
        const jr_wisdom_entry entry = entry_of(job, &found);
        status = jr_advice_add(job->context, &entry);
    }
    jr_job_free(job);
    return status;
}

jr_status jr_tuned_store(jr_context *context, const jr_spec *spec, const jr_tuned *tuned) {
    JR_GUARD_CALL;
    jr_job job = {.context = context};
    return store(&job, spec, tuned);
}

jr_status jr_tuned_store_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const jr_tuned *tuned) {
    JR_GUARD_CALL;
    jr_job job = {.context = context, .kind = JR_JOB_SCAN, .scan = kind};
    return store(&job, spec, tuned);
}
