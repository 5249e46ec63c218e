/* --tune of run and replay: finds the fastest values of a kernel's constants, each tried in a process of its own that
 * may fault or never end. */
#ifndef CLI_TUNE_LAUNCH_H
#define CLI_TUNE_LAUNCH_H

#include "tunable.h"

/* Tunes, and prints what was found. */
cli_exit cli_tune_launch(const cli_tuned_launch *launch, cli_error *error);

#endif
