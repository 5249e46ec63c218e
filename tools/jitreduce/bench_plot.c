/* The picture of bench --plot: for each work GB/s over bytes (of --latency: microseconds), a line for each contestant.
 */
#include "bench_form.h"
#include "plot.h"

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
    *y = bench->options->bench.latency ? row->cells[at].us.median : cli_bench_gb_per_s(row, at);
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
    cli_plot_text(title, script);
    fputc('\n', script);
    for (int i = 0; i < bench->contestant_count; i++) {
        if (!is_drawn(bench, i) || !has_points(bench, work, i)) continue;
        const bool ceiling = bench->contestants[i].sets_ceiling;
        fprintf(script, "%s$d%d_%d using 1:2 with linespoints lw 2 pt 7 ps 0.5 %stitle ", comma, number, i,
                ceiling ? "dt 2 lc rgb 'gray50' " : "");
        cli_plot_text(ceiling ? "fastest bare read loop" : bench->contestants[i].name, script);
        comma = ", ";
    }
    fputc('\n', script);
}

static int columns_of(const cli_bench *bench) {
    return bench->work_count > 1 ? 2 : 1;
}

static int rows_of(const cli_bench *bench) {
    return (bench->work_count + columns_of(bench) - 1) / columns_of(bench);
}

static void print_script(const cli_bench *bench, FILE *script) {
    char title[512];
    snprintf(title, sizeof title, "%s, %s, %s data, NVRTC %s, jitreduce %s", bench->device.name,
             cli_bench_mode_text(bench), bench->cold_bytes > 0 ? "cold" : "warm", bench->nvrtc, jr_version());
    fputs("set logscale x 2\nset logscale y 10\nset xlabel 'bytes'\n", script);
    fprintf(script, "set ylabel '%s'\nset key %s\nset xtics format '2^%%L' rotate by -45\n",
            bench->options->bench.latency ? "microseconds" : "GB/s",
            bench->options->bench.latency ? "top left" : "bottom right");
    for (int w = 0; w < bench->work_count; w++) print_data(bench, bench->works[w], w, script);
    fprintf(script, "set multiplot layout %d,%d title ", rows_of(bench), columns_of(bench));
    cli_plot_text(title, script);
    fputc('\n', script);
    for (int w = 0; w < bench->work_count; w++) print_panel(bench, bench->works[w], w, script);
    fputs("unset multiplot\n", script);
}

cli_exit cli_bench_plot(const cli_bench *bench, const char *path, cli_error *error) {
    enum { WIDTH = 800, HEIGHT = 480, TITLE = 40 };
    FILE *script = cli_plot_begin(path, columns_of(bench) * WIDTH, rows_of(bench) * HEIGHT + TITLE, error);
    if (script == NULL) return CLI_FAILURE;
    print_script(bench, script);
    return cli_plot_end(script, path, error);
}
