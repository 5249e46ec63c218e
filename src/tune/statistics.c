/* Sorts, interpolates and fits. */
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The number below which this part of the sorted ones lies, as a straight line between neighbours. */
static double quantile(const double *sorted, int count, double part) {
    const double place = part * (count - 1);
    const int below = (int)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

jr_status jr_statistics_spread(const double *numbers, int count, jr_spread *spread) {
    double *sorted = malloc((size_t)count * sizeof *sorted);
    if (sorted == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a copy of %d numbers", count);
    memcpy(sorted, numbers, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    *spread = (jr_spread){.median = quantile(sorted, count, 0.5),
                          .lower_quartile = quantile(sorted, count, 0.25),
                          .upper_quartile = quantile(sorted, count, 0.75),
                          .least = sorted[0],
                          .most = sorted[count - 1]};
    free(sorted);
    return JR_OK;
}

/* Least squares with the weights 1 / y^2, around the weighted means so that large x do not cancel. */
jr_status jr_statistics_line(const double *x, const double *y, int count, jr_line *line) {
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
