/* The work in f64 that is done before the work itself, where its results may wrap. */
#ifndef CLI_WIDE_WORK_H
#define CLI_WIDE_WORK_H

#include "fold/wide.h"
#include "input/inputs.h"
#include "io/cli_device.h"

/* The work of a subcommand, once everything is there. */
typedef cli_exit cli_work(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                          const cli_devices *devices, cli_error *error);

/* Does the work in f64 of a request that may wrap (foresee.h) and for which no type was asked, and keeps its results in
 * *wide, which was zeroed; the caller frees it. Whether there is something in it: else nothing can wrap, or nothing is
 * known. The options have `told`. */
bool cli_wide_collect(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                      const cli_devices *devices, cli_work *work, cli_wide *wide);

/* Whether the types of the inputs were left open, and they are whole numbers: what wraps was not asked to. */
bool cli_wide_is_open(const cli_options *options, const cli_inputs *inputs);

#endif
