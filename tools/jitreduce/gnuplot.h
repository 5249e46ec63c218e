/* gnuplot as a child process: a script goes in, a picture comes out. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include <stdio.h>

#include "error.h"

/* Fails, with what to install, when there is no gnuplot that runs. */
cli_exit cli_gnuplot_check(cli_error *error);

/* Has gnuplot run the script, which stands in a file and draws to standard output, and puts what it printed to path:
 * whole, or path stays as it was. */
cli_exit cli_gnuplot_run(FILE *script, const char *path, cli_error *error);

#endif
