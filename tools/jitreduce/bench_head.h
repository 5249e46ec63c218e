/* Where and how a benchmark was made: device, versions, command line. */
#ifndef CLI_BENCH_HEAD_H
#define CLI_BENCH_HEAD_H

#include "bench_result.h"

/* Fills device, versions and command. */
cli_exit cli_bench_head(const cli_options *options, jr_context *context, cli_bench *bench, cli_error *error);

#endif
