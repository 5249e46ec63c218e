/* The picture of bench --plot FILE: for each work GB/s over bytes (of --mode latency: microseconds), a line for each
 * contestant.
 */
#include <string.h>

#include "base/number.h"
#include "bench_form.h"
#include "plot/chart.h"
#include "plot/gnuplot.h"

/* A text of gnuplot's in single quotes; control characters have no place in one. */
static void print_text(const char *text, FILE *script) {
    fputc('\'', script);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("''", script);
        else
            fputc((unsigned char)*text < ' ' ? '?' : *text, script);
    fputc('\'', script);
}

/* The read loops are one line, the ceiling. */
static bool is_drawn(const cli_bench *bench, int contestant) {
    if (!bench->contestants[contestant].sets_ceiling) return true;
    for (int i = 0; i < contestant; i++)
        if (bench->contestants[i].sets_ceiling) return false;
    return true;
}

/* The point of a contestant, or of the fastest read loop; false: it was not measured. */
static bool find_point(const cli_bench *bench, const cli_bench_row *row, int contestant, double *y) {
    const int at = bench->contestants[contestant].sets_ceiling ? cli_bench_ceiling(bench, row) : contestant;
    if (at < 0 || !row->cells[at].there) return false;
    *y = bench->options->bench.mode == CLI_BENCH_LATENCY ? row->cells[at].us.median : cli_bench_gb_per_s(row, at);
    return *y > 0;
}

static void print_data(const cli_bench *bench, const cli_bench_work *work, int number, FILE *script) {
    for (int i = 0; i < bench->contestant_count; i++) {
        if (!is_drawn(bench, i)) continue;
        fprintf(script, "$d%d_%d << END\n", number, i);
        for (int r = 0; r < work->row_count; r++) {
            double y;
            if (find_point(bench, &work->rows[r], i, &y))
                fprintf(script, "%llu %.6g\n", (unsigned long long)work->rows[r].bytes, y);
        }
        fputs("END\n", script);
    }
}

static bool has_points(const cli_bench *bench, const cli_bench_work *work, int contestant) {
    double y;
    for (int r = 0; r < work->row_count; r++)
        if (find_point(bench, &work->rows[r], contestant, &y)) return true;
    return false;
}

static void print_panel(const cli_bench *bench, const cli_bench_work *work, int number, FILE *script) {
    char name[128], title[192];
    const char *comma = "plot ";
    snprintf(title, sizeof title, "%s of %s", cli_bench_work_text(work, name), jr_type_name(work->type));
    fputs("set title ", script);
    print_text(title, script);
    fputc('\n', script);
    for (int i = 0; i < bench->contestant_count; i++) {
        if (!is_drawn(bench, i) || !has_points(bench, work, i)) continue;
        const bool ceiling = bench->contestants[i].sets_ceiling;
        fprintf(script, "%s$d%d_%d using 1:2 with linespoints lw 2 pt 7 ps 0.5 %stitle ", comma, number, i,
                ceiling ? "dt 2 lc rgb 'gray50' " : "");
        print_text(ceiling ? "fastest bare read loop" : bench->contestants[i].name, script);
        comma = ", ";
    }
    fputc('\n', script);
}

static void print_script(const void *user, const char *path, FILE *script) {
    const cli_bench *bench = user;
    enum { WIDTH = 800, HEIGHT = 480 };
    const int columns = bench->work_count > 1 ? 2 : 1, rows = (bench->work_count + columns - 1) / columns;
    char title[512];
    snprintf(title, sizeof title, "%s, %s, %s data, NVRTC %s, jitreduce %s", bench->device.name,
             cli_bench_mode_text(bench), bench->cold_bytes > 0 ? "cold" : "warm", bench->nvrtc, jr_version());
    cli_gnuplot_terminal(path, columns * WIDTH, rows * HEIGHT + 40, script);
    fputs("set logscale x 2\nset logscale y 10\nset grid\nset xlabel 'bytes'\n", script);
    fprintf(script, "set ylabel '%s'\nset key %s\nset xtics format '2^%%L' rotate by -45\n",
            bench->options->bench.mode == CLI_BENCH_LATENCY ? "microseconds" : "GB/s",
            bench->options->bench.mode == CLI_BENCH_LATENCY ? "top left" : "bottom right");
    for (int w = 0; w < bench->work_count; w++) print_data(bench, bench->works[w], w, script);
    fprintf(script, "set multiplot layout %d,%d title ", rows, columns);
    print_text(title, script);
    fputc('\n', script);
    for (int w = 0; w < bench->work_count; w++) print_panel(bench, bench->works[w], w, script);
    fputs("unset multiplot\n", script);
}

cli_exit cli_bench_plot(const cli_bench *bench, const char *path, cli_error *error) {
    return cli_gnuplot_draw(print_script, bench, path, error);
}

/* ---- in the terminal ---- */

static void title_of(const void *user, int panel, char text[CLI_CHART_TEXT_BYTES]) {
    const cli_bench *bench = user;
    const cli_bench_work *work = bench->works[panel];
    char name[128];
    snprintf(text, CLI_CHART_TEXT_BYTES, "%s of %s, %s", cli_bench_work_text(work, name), jr_type_name(work->type),
             bench->options->bench.mode == CLI_BENCH_LATENCY ? "microseconds of a call" : "GB/s");
}

/* At each size a bar for each contestant. */
static void draw_bars(const void *user, int panel, cli_chart *chart) {
    const cli_bench *bench = user;
    const cli_bench_work *work = bench->works[panel];
    for (int r = 0; r < work->row_count; r++)
        for (int i = 0; i < bench->contestant_count; i++) {
            char label[128], count[24];
            double y;
            if (!is_drawn(bench, i) || !find_point(bench, &work->rows[r], i, &y)) continue;
            snprintf(label, sizeof label, "%-9s %s", cli_count_text(work->rows[r].count, count),
                     bench->contestants[i].sets_ceiling ? "fastest bare read loop" : bench->contestants[i].name);
            cli_chart_bar(chart, label, y);
        }
}

void cli_bench_draw(const cli_bench *bench) {
    const cli_chart_picture picture = {
        .user = bench, .panel_count = bench->work_count, .title = title_of, .bars = draw_bars};
    cli_chart_draw(&picture);
}
