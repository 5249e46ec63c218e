/* Runs a kernel again when its file changes. */
#include "run_watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/cli_device.h"
#include "run_program.h"

static cli_exit check(const cli_options *options, cli_error *error) {
    if (options->run.tuned_count > 0) return cli_fail(error, CLI_USAGE, "--watch: does not go with --tune");
    if (strcmp(options->files[0], "-") == 0)
        return cli_fail(error, CLI_USAGE,
                        "--watch: standard input is no file that could change: name one, as saxpy.cu");
    if (cli_run_is_ptx(options))
        return cli_fail(error, CLI_USAGE, "--watch: '%s' is PTX: only CUDA C++ (.cu) is watched", options->files[0]);
    return CLI_OK;
}

static cli_exit open_watch(const cli_options *options, jr_context *context, jr_watch **watch, cli_error *error) {
    cli_run_source source;
    const cli_exit code = cli_run_source_read(options, &source, error);
    if (code != CLI_OK) return code;
    source.program.source = NULL; /* the watch reads it itself */
    const jr_status status = jr_kernel_watch(context, &source.program, options->files[0], watch);
    cli_run_source_free(&source);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

/* A run that fails is reported: a next change may mend it. */
static void run_after_each_change(const cli_options *options, cli_run_once *once, jr_watch *watch) {
    jr_kernel *kernel = NULL;
    (void)jr_watch_kernel(watch, 0, &kernel);
    while (jr_watch_kernel(watch, INFINITY, &kernel) == JR_OK) {
        static cli_error failure;
        if (!options->quiet) fprintf(stderr, "jitreduce: note: %s has changed\n", options->files[0]);
        if (once(options, &failure) != CLI_OK) cli_error_print(&failure);
        fflush(stdout);
    }
}

cli_exit cli_run_watch(const cli_options *options, cli_run_once *once, cli_error *error) {
    jr_context *context = NULL;
    jr_watch *watch = NULL;
    cli_exit code = cli_run_program_check(options, error);
    if (code == CLI_OK) code = check(options, error);
    if (code == CLI_OK) code = cli_device_open(options, &context, error);
    if (code == CLI_OK) code = open_watch(options, context, &watch, error);
    if (code == CLI_OK) code = once(options, error);
    fflush(stdout);
    if (code == CLI_OK) run_after_each_change(options, once, watch);
    jr_watch_end(watch);
    jr_context_close(context);
    return code;
}
