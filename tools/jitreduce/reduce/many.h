/* Reduces segments of host memory to many results, of which some may be of no elements. */
#ifndef CLI_MANY_H
#define CLI_MANY_H

#include "cli_results.h"
#include "io/cli_device.h"

typedef struct cli_many {
    const cli_devices *devices;
    const jr_segment_layout *layout;
    const void *const *arrays;
    const jr_segments *segments;
} cli_many;

/* Reduces by the device or by the group. Where a result is of no elements and its operator has no value for that,
 * reduces once more with the count of each, and keeps the counts in the results. */
cli_exit cli_many_reduce(const cli_many *many, cli_results *results, cli_error *error);

#endif
