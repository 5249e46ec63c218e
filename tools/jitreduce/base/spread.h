/* Median, quartiles and range of measured times, for the command and the benchmarks. */
#ifndef CLI_SPREAD_H
#define CLI_SPREAD_H

#include <stdlib.h>

/* Half of the numbers lie between the quartiles. */
typedef struct cli_spread {
    double median, lower_quartile, upper_quartile, least, most;
} cli_spread;

static inline int cli_spread_compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The number below which this part of the sorted ones lies, as a straight line between neighbours. */
static inline double cli_spread_quantile(const double *sorted, int count, double part) {
    const double place = part * (count - 1);
    const int below = (int)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

/* Sorts the numbers, of which there are 1 or more. */
static inline cli_spread cli_spread_of(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, cli_spread_compare);
    return (cli_spread){.median = cli_spread_quantile(numbers, count, 0.5),
                        .lower_quartile = cli_spread_quantile(numbers, count, 0.25),
                        .upper_quartile = cli_spread_quantile(numbers, count, 0.75),
                        .least = numbers[0],
                        .most = numbers[count - 1]};
}

#endif
