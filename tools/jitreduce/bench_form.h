/* The forms in which the command tells a benchmark: table, CSV, object, picture. */
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
cli_exit cli_bench_plot_check(const char *path, cli_error *error);
cli_exit cli_bench_plot(const cli_bench *bench, const char *path, cli_error *error);

#endif
