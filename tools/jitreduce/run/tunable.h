/* A launch with constants to tune -> the library's tunable. */
#ifndef CLI_TUNABLE_H
#define CLI_TUNABLE_H

#include "options/cli_options.h"

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

/* Do the options of run and replay go together, with --tune or without? */
cli_exit cli_tune_check(const cli_options *options, cli_error *error);

/* Is a constant tuned? */
bool cli_tunes(const cli_run_options *run, const char *name);

/* Points into itself and into the launch: stays where it is. */
typedef struct cli_tunable {
    jr_tunable tunable;
    jr_program program;
    jr_named_text constants[CLI_DEFINES_MAX], parameters[JR_TUNABLE_PARAMETERS_MAX];
    char preferred[JR_SETTING_BYTES];
    const char *size_names[1];
    int64_t sizes[1]; /* BLOCK, where it is a number that is not tuned */
} cli_tunable;

void cli_tunable_make(cli_tunable *it, const cli_tuned_launch *launch);

#endif
