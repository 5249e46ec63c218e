/* Pictures of bars: in the terminal, drawn by ourselves, or in a file, by gnuplot. */
#ifndef CLI_CHART_H
#define CLI_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "base/cli_error.h"

enum { CLI_CHART_TEXT_BYTES = 192 };

/* One picture while it is drawn. */
typedef struct cli_chart {
    FILE *out;   /* standard output, or a script of gnuplot's */
    bool script; /* the latter */
    bool looks;  /* bars are only looked at: how long and how wide they are to be */
    bool blocks; /* the terminal shows block elements; else '#' */
    int label_width, bar_width;
    double most; /* of the values of a panel */
} cli_chart;

/* What is drawn: panels one below the other, each with bars of one unit. */
typedef struct cli_chart_picture {
    const void *user;
    int panel_count;
    /* Writes what a panel is of, its unit with it. */
    void (*title)(const void *user, int panel, char text[CLI_CHART_TEXT_BYTES]);
    /* Calls cli_chart_bar for each bar of a panel, in order; is called twice for each. */
    void (*bars)(const void *user, int panel, cli_chart *chart);
} cli_chart_picture;

/* Draws a bar: its label, at most 40 characters, and a value; a value below 0, or NaN, gets no bar. */
void cli_chart_bar(cli_chart *chart, const char *label, double value);

/* Draws on standard output, as wide as the terminal, or 80 columns if it is not a terminal. With block elements where
 * the locale (LC_ALL, LC_CTYPE, LANG) says UTF-8 and the terminal is not plain (TERM, NO_COLOR), else in ASCII. */
void cli_chart_draw(const cli_chart_picture *picture);

/* Draws into a file, whose name ends in .svg or .png, or leaves it as it was. */
cli_exit cli_chart_write(const cli_chart_picture *picture, const char *path, cli_error *error);

#endif
