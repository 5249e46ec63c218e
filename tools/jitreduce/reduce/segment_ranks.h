/* Segments that ranks reduce. */
#ifndef CLI_SEGMENT_RANKS_H
#define CLI_SEGMENT_RANKS_H

#include "cli_results.h"
#include "io/cli_device.h"
#include "segmentation.h"

/* Each rank has found the segments in all elements, works on its share, and gets the results of all. results: of all,
 * made. */
cli_exit cli_ranks_segments(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices,
                            const cli_segmentation *all, cli_results *results, cli_error *error);

#endif
