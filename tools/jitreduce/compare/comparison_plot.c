/* The picture of compare --plot: a bar for each algorithm that takes the request, of --exact a panel for each operator.
 */
#include "comparison.h"
#include "io/data.h"
#include "plot/chart.h"

static void title_of(const void *user, int panel, char text[CLI_CHART_TEXT_BYTES]) {
    const cli_comparison *comparison = user;
    const bool one = comparison->exact || comparison->op_count == 1;
    snprintf(text, CLI_CHART_TEXT_BYTES, "%s%s%s of %llu elements of %s, %s",
             comparison->scan != NULL ? comparison->scan : "", comparison->scan != NULL ? " scan " : "",
             one ? jr_op_name(comparison->ops[panel]) : "several operators", (unsigned long long)comparison->count,
             cli_type_name(comparison->type), comparison->exact ? "units in the last place off" : "GB/s");
}

static void draw_bars(const void *user, int panel, cli_chart *chart) {
    const cli_comparison *comparison = user;
    for (int i = 0; i < comparison->row_count; i++) {
        const cli_contestant *row = &comparison->rows[i];
        if (row->refused[0] != '\0' || (comparison->exact && !row->off[panel].known)) continue;
        cli_chart_bar(chart, cli_contestant_name(row),
                      comparison->exact ? (double)row->off[panel].steps : cli_contestant_gb_per_s(row));
    }
}

cli_exit cli_comparison_plot(const cli_comparison *comparison, const char *path, cli_error *error) {
    const cli_chart_picture picture = {.user = comparison,
                                       .panel_count = comparison->exact ? comparison->op_count : 1,
                                       .title = title_of,
                                       .bars = draw_bars};
    if (path != NULL) return cli_chart_write(&picture, path, error);
    cli_chart_draw(&picture);
    return CLI_OK;
}
