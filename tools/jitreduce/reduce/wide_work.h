/* The work in f64 that is done before the work itself, where its results may wrap. */
#ifndef CLI_WIDE_WORK_H
#define CLI_WIDE_WORK_H

#include "fold/wide.h"
#include "input/inputs.h"
#include "io/cli_device.h"

/* The work of a subcommand, once everything is there. */
typedef cli_exit cli_work(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                          const cli_devices *devices, cli_error *error);

/* Does the work again in f64 if the request may wrap (foresee.h) and no type was requested, and keeps the results in
 * *wide, which was zeroed; the caller frees it. True if it has results; false if nothing can wrap, or that is unknown.
 * The options have `segment_file`. */
bool cli_wide_collect(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                      const cli_devices *devices, cli_work *work, cli_wide *wide);

/* Whether the types of the inputs were left open, and they are whole numbers: what wraps was not asked to. */
bool cli_wide_is_open(const cli_options *options, const cli_inputs *inputs);

#endif
