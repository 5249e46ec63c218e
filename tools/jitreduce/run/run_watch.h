/* --watch of jitreduce run: a run after each change of the file or of its headers. */
#ifndef CLI_RUN_WATCH_H
#define CLI_RUN_WATCH_H

#include "options/cli_options.h"

typedef cli_exit cli_run_once(const cli_options *options, cli_error *error);

/* Runs, and waits for a change, until a signal ends the process. Returns only if the first run or the watch fails. */
cli_exit cli_run_watch(const cli_options *options, cli_run_once *once, cli_error *error);

#endif
