/* --axis: reduces an array along an axis. */
#ifndef CLI_AXIS_H
#define CLI_AXIS_H

#include "inputs.h"
#include "request.h"

/* Reduces along options->axis, and prints a line for each result or writes the file of --output, whose shape is the
 * input's without the axis. The shape is that of --shape, else that of x. */
cli_exit cli_axis_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                         jr_context *context, cli_error *error);

#endif
