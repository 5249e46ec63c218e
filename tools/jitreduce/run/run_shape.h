/* Grid, block and shared memory of a launch, from their formulas. */
#ifndef CLI_RUN_SHAPE_H
#define CLI_RUN_SHAPE_H

#include "options/cli_options.h"

enum { CLI_RUN_BLOCK = 256 }; /* threads without --block */

/* What formulas know: BLOCK and its extents, then the defines, which go before them. */
typedef struct cli_run_names {
    cli_define items[CLI_DEFINES_MAX + 4];
    char numbers[4][24];
    size_t count;
} cli_run_names;

/* Computes the launch, grid 0 where none is given, and the names that --arg may use. Writes both on success only. */
cli_exit cli_run_shape(const cli_run_options *run, jr_launch *launch, cli_run_names *names, cli_error *error);

#endif
