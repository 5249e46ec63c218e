/* Pictures: a script for gnuplot, and the file that it draws. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <stdio.h>

#include "error.h"

/* Fails, before anything is measured, for a file whose name ends in neither .svg nor .png, and without a gnuplot. */
cli_exit cli_plot_check(const char *path, cli_error *error);

/* Begins a script for a picture of so many pixels, of the kind that a checked path says. NULL, and the reason: it
 * cannot be made. */
FILE *cli_plot_begin(const char *path, int width, int height, cli_error *error);

/* Prints a text of gnuplot's in single quotes. */
void cli_plot_text(const char *text, FILE *script);

/* Draws the script into the file, or leaves that as it was, and closes the script. */
cli_exit cli_plot_end(FILE *script, const char *path, cli_error *error);

#endif
