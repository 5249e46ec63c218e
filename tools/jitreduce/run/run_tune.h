/* jitreduce run --tune: the launch of the command line, tuned. */
#ifndef CLI_RUN_TUNE_H
#define CLI_RUN_TUNE_H

#include "options/cli_options.h"
#include "run_argument.h"

/* The options of a run with the first value of each constant that is tuned, where --define says none. */
cli_exit cli_run_first(const cli_run_options *run, cli_run_options *first, cli_error *error);

/* Tunes; the arguments were read. */
cli_exit cli_run_tune(const cli_options *options, cli_argument *arguments, size_t count, cli_error *error);

#endif
