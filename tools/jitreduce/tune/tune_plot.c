/* The picture of tune --plot: for each work and size what the estimate takes and what the best takes. */
#include "plot/chart.h"
#include "tune_result.h"

/* Whether a tuning is of another operator or type than the one before it: the first of a panel. */
static bool begins(const cli_tune *tune, int i) {
    return i == 0 || tune->tunings[i].op != tune->tunings[i - 1].op ||
           tune->tunings[i].type != tune->tunings[i - 1].type;
}

/* The first tuning of a panel; as many as there are: none. */
static int first_of(const cli_tune *tune, int panel) {
    for (int i = 0; i < tune->count; i++) {
        panel -= begins(tune, i);
        if (panel < 0) return i;
    }
    return tune->count;
}

static void title_of(const void *user, int panel, char text[CLI_CHART_TEXT_BYTES]) {
    const cli_tune *tune = user;
    char work[CLI_WORK_BYTES];
    snprintf(text, CLI_CHART_TEXT_BYTES, "%s, microseconds of a run",
             cli_tune_work_text(&tune->tunings[first_of(tune, panel)], work));
}

static void draw_bars(const void *user, int panel, cli_chart *chart) {
    const cli_tune *tune = user;
    const int first = first_of(tune, panel);
    for (int i = first; i < tune->count && (i == first || !begins(tune, i)); i++) {
        const jr_tuned *tuned = &tune->tunings[i].tuned;
        char label[64], count[24];
        snprintf(label, sizeof label, "%-9s estimate", cli_count_text(tuned->count, count));
        cli_chart_bar(chart, label, tuned->estimate.us);
        snprintf(label, sizeof label, "%-9s best", count);
        cli_chart_bar(chart, label, tuned->best.us);
    }
}

cli_exit cli_tune_plot(const cli_tune *tune, cli_error *error) {
    cli_chart_picture picture = {.user = tune, .title = title_of, .bars = draw_bars};
    while (first_of(tune, picture.panel_count) < tune->count) picture.panel_count++;
    if (tune->options->bench.plot != NULL) return cli_chart_write(&picture, tune->options->bench.plot, error);
    cli_chart_draw(&picture);
    return CLI_OK;
}
