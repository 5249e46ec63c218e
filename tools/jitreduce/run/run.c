/* jitreduce run: runs a kernel of the caller's on a GPU, or on the simulator, which checks it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument_use.h"
#include "io/cli_device.h"
#include "kernel_print.h"
#include "options/command.h"
#include "run_argument.h"
#include "run_fault.h"
#include "run_output.h"
#include "run_program.h"
#include "run_shape.h"
#include "run_tune.h"
#include "run_watch.h"
#include "tunable.h"

/* One run, from the command line to the outputs. */
typedef struct session {
    const cli_options *options;
    const cli_run_options *run;
    cli_run_options first; /* with --tune: the same, with the first value of each constant that is tuned */
    cli_run_names names;
    jr_launch launch; /* grid 0: nothing is launched */
    cli_argument arguments[CLI_ARGUMENTS_MAX];
    cli_pointer pointers[CLI_ARGUMENTS_MAX]; /* among the kernel's parameters */
    cli_converted converted;                 /* as a launch takes them */
    size_t count;
    jr_context *context;
    jr_image *image;
    jr_kernel *kernel;
} session;

/* ---- the command line ---- */

static cli_exit check_wanted(const session *it, cli_error *error) {
    const cli_run_options *run = it->run;
    if (run->kernels && (run->grid != NULL || run->argument_count > 0 || run->output_count > 0 || run->time ||
                         run->resources || run->ptx || run->sass))
        return cli_fail(error, CLI_USAGE,
                        "--show kernels: lists the kernels of the file, and launches none: give it without --grid, "
                        "--arg, --output and other words of --show");
    if (run->grid != NULL || run->kernels) return CLI_OK;
    if (run->resources && run->argument_count > 0 && !run->time)
        return cli_fail(error, CLI_USAGE,
                        "--arg: nothing is launched without --grid: --show resources describes the kernel, and --grid "
                        "'ceil(N/BLOCK)' launches it");
    if (run->time || run->argument_count > 0 || run->output_count > 0)
        return cli_fail(error, CLI_USAGE, "--grid: is needed to launch the kernel, as --grid 'ceil(N/BLOCK)'");
    if (!run->resources && !run->ptx && !run->sass)
        return cli_fail(
            error, CLI_USAGE,
            "--grid: is needed, as --grid 'ceil(N/BLOCK)'; without it --show resources,ptx,sass describes the "
            "kernel, and --show kernels lists all of the file");
    return CLI_OK;
}

static cli_exit read_arguments(session *it, cli_error *error) {
    const cli_names names = {it->names.items, it->names.count};
    cli_exit code = CLI_OK;
    while (code == CLI_OK && it->count < it->run->argument_count) {
        cli_argument *argument = &it->arguments[it->count];
        argument->text = it->run->arguments[it->count];
        argument->number = it->count + 1;
        code = cli_argument_read(argument, &names, error);
        if (code == CLI_OK) it->count++;
    }
    return code;
}

/* ---- the kernel ---- */

static jr_status tell_info(const session *it) {
    jr_device_info device = JR_INIT(jr_device_info);
    jr_status status = jr_context_device_info(it->context, &device);
    if (status == JR_OK) status = cli_kernel_print(it->kernel, &it->launch, &device);
    return status;
}

static cli_exit tell_kernel(const session *it, cli_error *error) {
    if (it->run->ptx) fputs(jr_image_ptx(it->image), stdout);
    cli_exit code = it->run->sass ? cli_run_sass(it->image, error) : CLI_OK;
    if (code != CLI_OK || !it->run->resources) return code;
    const jr_status status = tell_info(it);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

static cli_exit load(session *it, cli_error *error) {
    return cli_run_load(it->options, it->context, &it->image, &it->kernel, error);
}

/* ---- the launch ---- */

static jr_status upload(session *it) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < it->count; i++) {
        cli_argument *argument = &it->arguments[i];
        const uint64_t bytes = cli_argument_bytes(argument);
        if (!argument->array) continue;
        status = jr_memory_new(it->context, bytes, &argument->device);
        if (status == JR_OK && bytes > 0)
            status = jr_memory_write(it->context, argument->device, argument->data.elements, bytes);
    }
    return status;
}

/* Into memory of their own: what was read may lie in a mapped file. */
static cli_exit download(session *it, cli_error *error) {
    cli_exit code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < it->count; i++) {
        cli_argument *argument = &it->arguments[i];
        const uint64_t bytes = cli_argument_bytes(argument);
        const cli_shape shape = argument->data.shape;
        cli_data result;
        if (!argument->written_back) continue;
        code = cli_data_create(&result, argument->data.type, jr_type_size(argument->data.type), argument->data.count,
                               argument->text, error);
        if (code != CLI_OK) return code;
        result.shape = shape;
        cli_data_free(&argument->data);
        argument->data = result;
        const jr_status status = bytes > 0 ? jr_memory_read(it->context, result.owned, argument->device, bytes) : JR_OK;
        if (status != JR_OK) code = cli_fail_library(error, status);
    }
    return code;
}

static cli_exit launch(session *it, cli_error *error) {
    jr_status status = upload(it);
    if (status != JR_OK) return cli_fail_library(error, status);
    cli_exit code = cli_arguments_convert(it->arguments, it->count, it->kernel, &it->converted, error);
    if (code != CLI_OK) return code;
    status = jr_kernel_launch(it->kernel, &it->launch, it->converted.pointers);
    if (status == JR_OK) status = jr_context_wait(it->context);
    if (status != JR_OK) return cli_run_fail(it->arguments, it->count, status, error);
    code = cli_arguments_note_dropped(it->options, it->arguments, it->count, it->pointers, it->context, error);
    return code == CLI_OK ? download(it, error) : code;
}

static cli_exit measure(session *it, cli_error *error) {
    const jr_status status = cli_kernel_print_time(it->context, it->kernel, &it->launch, it->converted.pointers);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

/* ---- all of it ---- */

/* No argument may be made of what is tuned: it is the same for all settings. */
static cli_exit name_first(session *it, cli_error *error) {
    cli_exit code = cli_run_first(it->run, &it->first, error);
    if (code == CLI_OK) code = cli_run_shape(&it->first, &it->launch, &it->names, error);
    for (size_t i = 0; code == CLI_OK && i < it->names.count; i++)
        for (size_t k = 0; k < it->run->tuned_count; k++)
            if (strcmp(it->names.items[i].name, it->run->tuned[k].name) == 0) it->names.items[i].text = "(tuned)";
    return code;
}

static cli_exit prepare(session *it, cli_error *error) {
    cli_exit code = cli_tune_check(it->options, error);
    if (code == CLI_OK) code = cli_run_program_check(it->options, error);
    if (code == CLI_OK) code = cli_pointers_read(it->options, it->pointers, error);
    if (code == CLI_OK) code = check_wanted(it, error);
    if (code == CLI_OK) code = name_first(it, error);
    if (code == CLI_OK) code = read_arguments(it, error);
    return code == CLI_OK ? cli_run_outputs_plan(it->run, it->arguments, it->count, error) : code;
}

static cli_exit check_elements(const session *it, cli_error *error) {
    return cli_arguments_check_elements(it->options, it->arguments, it->count, it->pointers, error);
}

static cli_exit work(session *it, cli_error *error) {
    if (it->run->kernels) return cli_run_kernels(it->options, it->context, error);
    cli_exit code = load(it, error);
    if (code == CLI_OK && it->run->grid != NULL)
        code = cli_arguments_convert(it->arguments, it->count, it->kernel, &it->converted, error);
    if (code == CLI_OK) code = check_elements(it, error);
    if (code == CLI_OK) code = tell_kernel(it, error);
    if (code != CLI_OK || it->run->grid == NULL) return code;
    code = launch(it, error);
    if (code == CLI_OK && it->run->time) code = measure(it, error);
    return code == CLI_OK ? cli_run_outputs_write(it->arguments, it->count, error) : code;
}

static void end(session *it) {
    for (size_t i = 0; i < it->count; i++) {
        if (it->context != NULL) jr_memory_free(it->context, it->arguments[i].device);
        cli_argument_free(&it->arguments[i]);
    }
    jr_image_destroy(it->image);
    jr_context_close(it->context);
    free(it);
}

static cli_exit run_once(const cli_options *options, cli_error *error) {
    session *it = calloc(1, sizeof *it);
    if (it == NULL) return cli_fail(error, CLI_FAILURE, "run: out of memory");
    it->options = options;
    it->run = &options->run;
    cli_exit code = prepare(it, error);
    if (code == CLI_OK && it->run->tuned_count > 0) {
        code = check_elements(it, error);
        if (code == CLI_OK) code = cli_run_tune(options, it->arguments, it->count, error);
        end(it);
        return code;
    }
    if (code == CLI_OK) code = cli_device_open(options, &it->context, error);
    if (code == CLI_OK) code = work(it, error);
    end(it);
    return code;
}

cli_exit cli_kernel_run(const cli_options *options, cli_error *error) {
    return options->run.watch ? cli_run_watch(options, run_once, error) : run_once(options, error);
}
