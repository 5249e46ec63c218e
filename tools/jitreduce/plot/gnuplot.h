/* gnuplot as a child process: a script goes in, a picture comes out. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include <stdio.h>

#include "options/cli_options.h"

/* Fails where --plot names a file that is no picture, or, with what to install, where there is no gnuplot that runs. */
cli_exit cli_gnuplot_check_options(const cli_options *options, cli_error *error);

/* Prints what sets the terminal for a file, whose name has been checked, and a size in pixels. */
void cli_gnuplot_terminal(const char *path, int width, int height, FILE *script);

/* Has gnuplot run the script that print writes, which draws to standard output, and puts what it printed to path:
 * whole, or path stays as it was. */
typedef void (*cli_gnuplot_print)(const void *user, const char *path, FILE *script);
cli_exit cli_gnuplot_draw(cli_gnuplot_print print, const void *user, const char *path, cli_error *error);

#endif
