/* The public functions of tuning (tune.h). */
#include "jitreduce/tune.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "given_work.h"
#include "guard.h"
#include "tune/tune_plans.h"
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

static const jr_work_taker taker = {.name = "a tuning", .scans = true};

/* jr_job_free must follow, whether it fails or not. */
static jr_status make_job(jr_context *context, const jr_work *work, jr_own_work *own, jr_job *job) {
    JR_TRY(jr_given_work_read(work, &taker, own));
    *job = jr_given_work_job(own, context, NULL);
    return jr_job_make(&own->spec.spec, job);
}

jr_status jr_work_tune(jr_context *context, const jr_work *work, uint64_t count, const jr_tune_options *options,
                       jr_tuned *tuned) {
    JR_GUARD_CALL;
    jr_tune_options own_options = {0};
    jr_tuned found;
    jr_own_work own = {.kind = JR_WORK_REDUCE};
    jr_job job = {.context = context};
    JR_TRY(JR_GIVEN(context, work, tuned));
    jr_status status = options != NULL ? jr_size_read(&jr_tune_options_sized, options, &own_options) : JR_OK;
    if (status == JR_OK) status = jr_size_check(&jr_tuned_sized, tuned);
    if (status == JR_OK) status = make_job(context, work, &own, &job);
    job.requested.capacity = count;
    if (status == JR_OK) status = check(&own.spec.spec, count, &own_options);
    if (status == JR_OK) status = jr_plans_search(&job, &own_options, &found);
    if (status == JR_OK) jr_size_write(&jr_tuned_sized, &found, tuned);
    jr_job_free(&job);
    return status;
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

jr_status jr_work_tuned_store(jr_context *context, const jr_work *work, const jr_tuned *tuned) {
    JR_GUARD_CALL;
    const jr_tune_options none = {0};
    jr_tuned found;
    jr_own_work own = {.kind = JR_WORK_REDUCE};
    jr_job job = {.context = context};
    JR_TRY(JR_GIVEN(context, work, tuned));
    jr_status status = jr_size_read(&jr_tuned_sized, tuned, &found);
    if (status == JR_OK) status = make_job(context, work, &own, &job);
    if (status == JR_OK) status = check(&own.spec.spec, found.count, &none);
    if (status == JR_OK && !found.better && !found.complete)
        status =
            jr_fail(JR_ERROR_INVALID_ARGUMENT, "nothing was found for a count of %llu: the tuning was not complete",
                    (unsigned long long)found.count);
    if (status == JR_OK) {
        const jr_wisdom_entry entry = entry_of(&job, &found);
        status = jr_advice_add(context, &entry);
    }
    jr_job_free(&job);
    return status;
}
