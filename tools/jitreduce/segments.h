/* Segments: --segment-length and --offsets. */
#ifndef CLI_SEGMENTS_H
#define CLI_SEGMENTS_H

#include "inputs.h"
#include "request.h"

/* Whether the command line asks for segments. */
bool cli_segments_wanted(const cli_options *options);

/* Reduces every segment of the inputs, and prints a line for each or writes the file of --output. */
cli_exit cli_segments_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                             jr_context *context, cli_error *error);

#endif
