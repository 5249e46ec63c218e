/* The forms in which the command prints a benchmark (table, CSV, object, picture), and what they compute from measured
 * medians: rates, shares of the ceiling, fits. */
#ifndef CLI_BENCH_FORM_H
#define CLI_BENCH_FORM_H

#include <stdio.h>

#include "bench_result.h"

/* One form of the report; each of its functions is called in turn, so that a long benchmark can be watched. */
typedef struct cli_bench_form {
    void (*begin)(const cli_bench *bench, FILE *out);
    void (*work)(const cli_bench *bench, const cli_bench_work *work, FILE *out);
    void (*end)(const cli_bench *bench, FILE *out);
} cli_bench_form;

extern const cli_bench_form cli_bench_table, cli_bench_csv, cli_bench_json;

/* Draws all works into the file, whose name ends in .svg or .png, or leaves it as it was. */
cli_exit cli_bench_plot(const cli_bench *bench, const char *path, cli_error *error);
/* Draws them on standard output. */
void cli_bench_draw(const cli_bench *bench);

enum { CLI_TUNING_BYTES = 128 + JR_TUNED_BY_BYTES };

/* A peer's about is its path. */
static inline bool cli_bench_is_peer(const cli_bench_contestant *contestant) {
    return contestant->about != NULL && !contestant->sets_ceiling;
}

/* "back to back", "in a CUDA graph", "host call to value" */
const char *cli_bench_mode_text(const cli_bench *bench);
/* "sum", "min+max"; returns text, which has 128 bytes. */
const char *cli_bench_work_text(const cli_bench_work *work, char *text);
/* "single_pass uf 4 block 256 grid 24; estimate"; returns text, which has CLI_TUNING_BYTES. */
const char *cli_bench_tuning_text(const cli_bench_row *row, char *text);
/* The fastest read loop of a row, -1: none was measured. */
int cli_bench_ceiling(const cli_bench *bench, const cli_bench_row *row);
/* Bytes per second of a median in 10^9, and the time of the fastest read loop over it (0: none). */
double cli_bench_gb_per_s(const cli_bench_row *row, int contestant);
double cli_bench_share(const cli_bench *bench, const cli_bench_row *row, int contestant);
/* The speedup of a group: its throughput divided by that of one device alone. */
double cli_bench_speedup(const cli_bench *bench, const cli_bench_row *row);
/* The rate that a fit tends to for large sizes; 0: its line does not rise. */
double cli_bench_fit_gb_per_s(const cli_line *fit);
/* Fits a line to points so that the sum of the squares of the relative residuals is least. False: x are all equal, or a
 * y is 0. */
bool cli_line_fit(const double *x, const double *y, int count, cli_line *line);
/* Fits a line to the medians of each contestant that was measured at CLI_FIT_SIZES sizes or more. */
void cli_bench_fit(const cli_bench *bench, cli_bench_work *work);

#endif
