/* The statistics of version 0.2, which stay for one version. */
#include "jitreduce/compat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "guard.h"
#include "tune/measure.h"

jr_status jr_spread_of(const double *numbers, int count, jr_spread *spread) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(numbers, spread));
    if (count < 1) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d numbers have no median: 1 or more are needed", count);
    for (int i = 0; i < count; i++)
        if (isnan(numbers[i])) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "number %d is NaN", i);
    double *sorted = malloc((size_t)count * sizeof *sorted);
    if (sorted == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a copy of %d numbers", count);
    memcpy(sorted, numbers, (size_t)count * sizeof *sorted);
    const jr_quartiles found = jr_quartiles_of(sorted, count);
    *spread = (jr_spread){found.median, found.lower, found.upper, sorted[0], sorted[count - 1]};
    free(sorted);
    return JR_OK;
}

/* Least squares with the weights 1 / y^2, around the weighted means so that large x do not cancel. */
static jr_status fit(const double *x, const double *y, int count, jr_line *line) {
    double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (int i = 0; i < count; i++) weights += 1 / (y[i] * y[i]);
    for (int i = 0; i < count; i++) {
        mean_x += x[i] / (y[i] * y[i]) / weights;
        mean_y += 1 / y[i] / weights;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x) / (y[i] * y[i]);
        xy += (x[i] - mean_x) * (y[i] - mean_y) / (y[i] * y[i]);
    }
    if (!(xx > 0)) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the x of all %d points is %g", count, x[0]);
    line->slope = xy / xx;
    line->intercept = mean_y - line->slope * mean_x;
    return JR_OK;
}

jr_status jr_line_fit(const double *x, const double *y, int count, jr_line *line) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(x, y, line));
    if (count < 2) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d points have no line: 2 or more are needed", count);
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]) || !(y[i] > 0) || !isfinite(y[i]))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "point %d at %g is %g: it must be above 0 and finite", i, x[i],
                           y[i]);
    return fit(x, y, count, line);
}
