/* Segments in a comparison: their layout, offsets and keys in device memory, and what a run costs. */
#ifndef CLI_COMPARE_SEGMENTS_H
#define CLI_COMPARE_SEGMENTS_H

#include "comparison.h"
#include "reduce/segmentation.h"

typedef struct cli_compare_segments {
    jr_context *context;
    cli_segmentation all;
    jr_work_data data;      /* all but arrays and results; offsets and keys are on the device */
    uint64_t results;       /* room for so many */
    uint64_t divider_bytes; /* of offsets or keys */
    void *offsets, *keys, *run_count;
} cli_compare_segments;

/* Finds the segments that the command line asks for, and copies what divides them to the device. Writes *segments on
 * success only; the caller closes it. */
cli_exit cli_compare_segments_open(const cli_options *options, const cli_inputs *inputs, jr_context *context,
                                   cli_compare_segments *segments, cli_error *error);

/* Runs a plan so many rounds, and writes the least time, launches and bytes. input_bytes: of the arrays. */
jr_status cli_compare_segments_time(const cli_compare_segments *segments, jr_plan *plan, const jr_work_data *data,
                                    uint64_t input_bytes, int rounds, jr_run_cost *cost);

/* The values of the last segment. */
jr_status cli_compare_segments_read(const cli_compare_segments *segments, const cli_request *request, const void *out,
                                    jr_value *values);

void cli_compare_segments_close(cli_compare_segments *segments);

#endif
