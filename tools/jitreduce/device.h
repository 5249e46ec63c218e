/* The device that the command line asks for. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "options.h"

/* Opens a context on options->device. "auto" takes the GPU, or the simulator when there is no NVIDIA driver or no GPU:
 * then one line on standard error says so, unless --quiet. Writes *context on success only; the caller closes it. */
cli_exit cli_device_open(const cli_options *options, jr_context **context, cli_error *error);

#endif
