/* --tune of run and replay: finds the fastest values of a kernel's constants, each tried in a process of its own that
 * may fault or never end. */
#ifndef CLI_TUNE_LAUNCH_H
#define CLI_TUNE_LAUNCH_H

#include "options.h"

/* Opens the device and makes the arguments, which live as long as the child. */
typedef cli_exit cli_open_tuned(void *user, jr_context **context, jr_tunable_problem *problem, cli_error *error);

/* A launch that is tuned. No context is open yet: the process that opens one is a child. */
typedef struct cli_tuned_launch {
    const cli_options *options;        /* run.tuned and what goes with it */
    const jr_program *program;         /* with all constants; one that is tuned says which value comes first */
    const char *grid, *block, *shared; /* formulas; shared: NULL: none */
    cli_open_tuned *open;
    void *user;
} cli_tuned_launch;

/* Is a constant tuned? */
bool cli_tunes(const cli_run_options *run, const char *name);

/* Tunes, and prints what was found. */
cli_exit cli_tune_launch(const cli_tuned_launch *launch, cli_error *error);

#endif
