/* A launch with constants to tune -> the library's tunable. */
#include "tunable.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

static const char *value_of(const cli_tuned_launch *launch, const char *name) {
    for (size_t i = launch->program->constant_count; i-- > 0;)
        if (strcmp(launch->program->constants[i].name, name) == 0) return launch->program->constants[i].text;
    return NULL;
}

bool cli_tunes(const cli_run_options *run, const char *name) {
    for (size_t i = 0; i < run->tuned_count; i++)
        if (strcmp(run->tuned[i].name, name) == 0) return true;
    return false;
}

cli_exit cli_tune_check(const cli_options *options, cli_error *error) {
    const cli_run_options *run = &options->run;
    if (run->tuned_count == 0 && (options->spec.where != NULL || run->tolerance > 0 || options->limit_s > 0))
        return cli_fail(error, CLI_USAGE, "--%s: needs --tune NAME=VALUES" SEE_HELP,
                        options->spec.where != NULL ? "where"
                        : options->limit_s > 0      ? "limit"
                                                    : "tolerance");
    if (run->tuned_count > 0 && (run->time || run->resources || run->ptx || run->sass || run->kernels ||
                                 run->output_count > 0 || options->stats))
        return cli_fail(error, CLI_USAGE,
                        "--tune: prints only the settings; give --show, --stats and --output in a run "
                        "without --tune");
    return CLI_OK;
}

/* Constants that are tuned say which setting is preferred; the others stay. */
static void split_constants(cli_tunable *it, const cli_tuned_launch *launch) {
    const cli_run_options *run = &launch->options->run;
    size_t length = 0;
    bool any = false;
    it->program = *launch->program;
    it->program.constants = it->constants;
    it->program.constant_count = 0;
    for (size_t i = 0; i < launch->program->constant_count; i++)
        if (!cli_tunes(run, launch->program->constants[i].name))
            it->constants[it->program.constant_count++] = launch->program->constants[i];
    for (size_t i = 0; i < run->tuned_count && length < sizeof it->preferred; i++) {
        const char *value = value_of(launch, run->tuned[i].name);
        any = any || value != NULL;
        length += (size_t)snprintf(it->preferred + length, sizeof it->preferred - length, "%s%s=%s", i > 0 ? "," : "",
                                   run->tuned[i].name, value != NULL ? value : run->tuned[i].first);
    }
    if (any && length < sizeof it->preferred) it->tunable.preferred = it->preferred;
}

void cli_tunable_make(cli_tunable *it, const cli_tuned_launch *launch) {
    const cli_run_options *run = &launch->options->run;
    for (size_t i = 0; i < run->tuned_count; i++)
        it->parameters[i] = (jr_named_text){run->tuned[i].name, run->tuned[i].values};
    it->tunable =
        JR_INIT(jr_tunable, .program = &it->program, .parameters = it->parameters, .parameter_count = run->tuned_count,
                .restrictions = &launch->options->spec.where, .restriction_count = launch->options->spec.where != NULL,
                .grid = launch->grid, .block = launch->block, .shared = launch->shared);
    split_constants(it, launch);
    if (cli_tunes(run, "BLOCK") || value_of(launch, "BLOCK") != NULL ||
        jr_formula_compute(launch->block, it->constants, it->program.constant_count, &it->sizes[0]) != JR_OK ||
        it->sizes[0] < 1)
        return;
    it->size_names[0] = "BLOCK";
    it->tunable.sizes = it->size_names;
    it->tunable.size_count = 1;
}
