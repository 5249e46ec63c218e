/* The public measuring functions (measure.h). */
#include "tune/measure.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "guard.h"
#include "kernel/context.h"
#include "size.h"

static jr_status check_options(const jr_measure_options *options) {
    if (options->mode < JR_MEASURE_LAUNCHES || options->mode > JR_MEASURE_HOST)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown mode %d: set options.mode to a JR_MEASURE_ value",
                       (int)options->mode);
    if (options->rounds < 0 || options->batch < 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d rounds of %d runs: neither may be below 0", options->rounds,
                       options->batch);
    if (!(options->limit_ms >= 0))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "limit_ms is %g: it must be 0 or more", options->limit_ms);
    if (options->before != NULL && options->before->run == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "what runs before each sample has no run");
    return JR_OK;
}

static jr_status check_items(const jr_measured *items, int count, int rounds) {
    if (count < 1 || count > INT_MAX / rounds)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d items in %d rounds: from 1 to %d can be measured", count, rounds,
                       INT_MAX / rounds);
    for (int i = 0; i < count; i++)
        if (items[i].run == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "item %d has no run", i);
    return JR_OK;
}

jr_status jr_measure(jr_context *context, const jr_measure_options *options, const jr_measured *items, int count,
                     double *microseconds, int *rounds) {
    JR_GUARD_CALL;
    jr_measure_options filled = {0};
    int made = 0;
    JR_TRY(JR_GIVEN(context, items, microseconds));
    if (options != NULL) JR_TRY(jr_size_read(&jr_measure_options_sized, options, &filled));
    JR_TRY(check_options(&filled));
    if (filled.rounds == 0) filled.rounds = JR_MEASURE_ROUNDS;
    JR_TRY(check_items(items, count, filled.rounds));
    const size_t samples = (size_t)count * (size_t)filled.rounds;
    double *taken = calloc(samples, sizeof *taken);
    if (taken == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %zu samples", samples);
    const jr_status status = jr_measure_run(&context->device, &filled, items, count, taken, &made);
    if (status == JR_OK) memcpy(microseconds, taken, samples * sizeof *taken);
    if (status == JR_OK && rounds != NULL) *rounds = made;
    free(taken);
    return status;
}
