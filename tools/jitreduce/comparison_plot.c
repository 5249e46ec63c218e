/* The picture of compare --exact --plot: for each operator a bar for each algorithm, as high as its result is off. */
#include "comparison.h"
#include "data.h"
#include "plot.h"

/* Of a distance of 0, which has no place on a logarithmic axis. */
#define FOOT "0.3"

static bool is_drawn(const cli_comparison *comparison, int row, int op) {
    return comparison->rows[row].refused[0] == '\0' && comparison->rows[row].off[op].known;
}

static void print_data(const cli_comparison *comparison, int op, FILE *script) {
    int bar = 0;
    fprintf(script, "$d%d << END\n", op);
    for (int r = 0; r < comparison->row_count; r++) {
        const cli_contestant *row = &comparison->rows[r];
        char text[CLI_DISTANCE_BYTES];
        if (row->refused[0] != '\0') continue;
        cli_distance_text(&row->off[op], text);
        fprintf(script, "%d %s %s %s\n", bar++, row->off[op].known && row->off[op].steps > 0 ? text : FOOT,
                cli_contestant_name(row), is_drawn(comparison, r, op) ? text : "nan");
    }
    fputs("END\n", script);
}

static void print_panel(const cli_comparison *comparison, int op, FILE *script) {
    char title[128];
    snprintf(title, sizeof title, "%s of %llu elements of %s", jr_op_name(comparison->ops[op]),
             (unsigned long long)comparison->count, cli_type_name(comparison->type));
    fputs("set title ", script);
    cli_plot_text(title, script);
    fprintf(script,
            "\nplot $d%d using 1:2:xtic(3) with boxes lc rgb 'steelblue' notitle, $d%d using 1:2:4 with labels offset "
            "0,0.7 notitle\n",
            op, op);
}

cli_exit cli_comparison_plot(const cli_comparison *comparison, const char *path, cli_error *error) {
    enum { WIDTH = 900, HEIGHT = 480, TITLE = 40 };
    FILE *script = cli_plot_begin(path, WIDTH, comparison->op_count * HEIGHT + TITLE, error);
    if (script == NULL) return CLI_FAILURE;
    for (int i = 0; i < comparison->op_count; i++) print_data(comparison, i, script);
    fputs("set logscale y 10\nset yrange [0.2:*]\nset boxwidth 0.7\nset style fill solid 0.8\n", script);
    fputs("set ylabel 'units in the last place off'\nset xtics rotate by -20\nset offsets graph 0, 0, graph 0.1, 0\n",
          script);
    fprintf(script, "set multiplot layout %d,1 title ", comparison->op_count);
    cli_plot_text(comparison->device.name, script);
    fputc('\n', script);
    for (int i = 0; i < comparison->op_count; i++) print_panel(comparison, i, script);
    fputs("unset multiplot\n", script);
    return cli_plot_end(script, path, error);
}
