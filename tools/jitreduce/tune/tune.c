/* jitreduce tune: works x sizes, each tuned and stored before the next begins. */
#include <stdlib.h>

#include "base/cli_clock.h"
#include "base/interrupt.h"
#include "fold/works.h"
#include "io/cli_device.h"
#include "options/command.h"
#include "plot/chart.h"
#include "plot/gnuplot.h"
#include "tune_result.h"

/* The share of what is left of the time, 0 when there is no limit; at least a millisecond. */
static double share_ms(const cli_tune *tune, double begin_s) {
    if (!(tune->options->limit_s > 0)) return 0;
    const double left_s = tune->options->limit_s - (cli_now_s() - begin_s);
    const double share = left_s * 1e3 / (tune->planned - tune->count);
    return share > 1 ? share : 1;
}

static jr_work work_of(const cli_tune *tune, const jr_spec *spec) {
    const jr_work_kind kind = tune->options->scan ? cli_device_scan_kind(tune->options) : JR_WORK_REDUCE;
    return JR_INIT(jr_work, .spec = spec, .kind = kind);
}

static cli_exit store(cli_tune *tune, const jr_spec *spec, cli_tuning *tuning, cli_error *error) {
    const jr_tuned *tuned = &tuning->tuned;
    if (tune->wisdom.path[0] == '\0' || (!tuned->better && !tuned->complete)) return CLI_OK;
    const jr_work work = work_of(tune, spec);
    const jr_status status = jr_work_tuned_store(tune->context, &work, tuned);
    tuning->stored = status == JR_OK;
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

static cli_exit tune_one(cli_tune *tune, const cli_request *request, uint64_t count, double limit_ms,
                         cli_error *error) {
    const jr_tune_options options =
        JR_INIT(jr_tune_options, .limit_ms = limit_ms, .progress = cli_tune_progress, .user = tune);
    cli_tuning *tuning = &tune->tunings[tune->count];
    *tuning = (cli_tuning){.scan = cli_scan_name(tune->options),
                           .op = request->ops[0],
                           .type = request->spec.type,
                           .tuned = JR_INIT(jr_tuned, .count = count)};
    const jr_work work = work_of(tune, &request->spec);
    const jr_status status = jr_work_tune(tune->context, &work, count, &options, &tuning->tuned);
    if (tune->out_of_memory) return cli_fail(error, CLI_FAILURE, "out of memory for what failed");
    if (status != JR_OK) return cli_fail_library(error, status);
    if (tune->interrupted) return CLI_OK; /* nothing was decided */
    tune->count++;
    return store(tune, &request->spec, tuning, error);
}

/* A scan of nothing compiles nothing, and is refused if every scan is. */
static cli_exit check_scan(const cli_tune *tune, const jr_spec *spec, cli_error *error) {
    const void *const none[JR_INPUTS_MAX] = {NULL};
    const jr_work work = work_of(tune, spec);
    const jr_status status = jr_work_run_host(tune->context, &work, &JR_INIT(jr_work_data, .in = none));
    if (status == JR_OK) return CLI_OK;
    const cli_exit code = cli_fail_library(error, status);
    return code == CLI_FAILURE ? CLI_USAGE : code;
}

/* Checks every work before the first is measured, and counts them. */
static cli_exit check_works(const cli_tune *tune, int *works, cli_error *error) {
    cli_exit code = CLI_OK;
    cli_options own;
    *works = 0;
    for (; code == CLI_OK && cli_works_at(tune->options, *works, &own); (*works)++) {
        cli_request request;
        code = cli_works_request(&own, &request, error);
        if (code == CLI_OK && tune->options->scan) code = check_scan(tune, &request.spec, error);
    }
    return code;
}

static cli_exit run_all(cli_tune *tune, const cli_sizes *sizes, cli_error *error) {
    const double begin_s = cli_now_s();
    cli_exit code = CLI_OK;
    cli_options own;
    for (int w = 0; code == CLI_OK && cli_works_at(tune->options, w, &own); w++) {
        cli_request request;
        code = cli_works_request(&own, &request, error);
        for (int s = 0; code == CLI_OK && !tune->interrupted && s < sizes->count; s++)
            code = tune_one(tune, &request, sizes->counts[s], share_ms(tune, begin_s), error);
    }
    cli_progress_end(&tune->progress);
    return code;
}

/* ---- the picture of --plot: what the estimate takes of each work and size, and what the best ---- */

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

static cli_exit plot(const cli_tune *tune, cli_error *error) {
    cli_chart_picture picture = {.user = tune, .title = title_of, .bars = draw_bars};
    while (first_of(tune, picture.panel_count) < tune->count) picture.panel_count++;
    if (tune->options->bench.plot != NULL) return cli_chart_write(&picture, tune->options->bench.plot, error);
    cli_chart_draw(&picture);
    return CLI_OK;
}

/* ---- all of it ---- */

/* Prints what was found, also after a later failure. */
static cli_exit run(cli_tune *tune, cli_error *error) {
    cli_sizes chosen;
    int works;
    cli_exit code = check_works(tune, &works, error);
    tune->device = JR_INIT(jr_device_info);
    tune->wisdom = JR_INIT(jr_wisdom_info);
    jr_status status = code == CLI_OK ? jr_context_device_info(tune->context, &tune->device) : JR_OK;
    if (code == CLI_OK && status == JR_OK) status = jr_wisdom_info_get(tune->context, &tune->wisdom);
    if (status != JR_OK) code = cli_fail_library(error, status);
    if (code != CLI_OK) return code;
    const char *usual = tune->device.simulated ? "2^10..2^14*4" : "2^10..2^28*4";
    const cli_sizes *sizes = cli_works_sizes(tune->options, usual, &chosen);
    tune->planned = works * sizes->count;
    tune->tunings = calloc((size_t)tune->planned + 1, sizeof *tune->tunings);
    if (tune->tunings == NULL) return cli_fail(error, CLI_FAILURE, "out of memory for the results");
    code = run_all(tune, sizes, error);
    if (code == CLI_OK || tune->count > 0) (tune->options->json ? cli_tune_json : cli_tune_table)(tune, stdout);
    if (code == CLI_OK && tune->options->bench.plots && !tune->interrupted) code = plot(tune, error);
    return code;
}

cli_exit cli_tune_run(const cli_options *options, cli_error *error) {
    cli_tune tune = {.options = options, .progress = cli_progress_of(options)};
    sigset_t before;
    cli_exit code = cli_gnuplot_check_options(options, error);
    cli_interrupt_block(&before);
    if (code == CLI_OK) code = cli_device_open(options, &tune.context, error);
    if (code == CLI_OK) code = run(&tune, error);
    for (int i = 0; tune.tunings != NULL && i < tune.planned; i++) free(tune.tunings[i].failures);
    free(tune.tunings);
    jr_context_close(tune.context);
    cli_interrupt_release(&before);
    return code;
}
