/* Hands a run, or a captured launch, to the tuning of launches. */
#include "run_tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cli_device.h"
#include "run_program.h"
#include "run_shape.h"
#include "tune_launch.h"

/* ---- run --tune ---- */

/* What a child makes. */
typedef struct session {
    const cli_options *options;
    cli_argument *arguments;
    size_t count;
    const jr_program *program; /* without the values of constants that are tuned */
    cli_converted converted;
    jr_tunable_output outputs[CLI_ARGUMENTS_MAX];
} session;

/* What is written back is an output, of its type. */
static void note_output(const session *it, const cli_argument *argument, jr_tunable_output *output) {
    const jr_type type = argument->data.type;
    const double tolerance = it->options->run.tolerance;
    *output = (jr_tunable_output){.address = argument->device, .bytes = cli_argument_bytes(argument)};
    if (tolerance == 0 || (type != JR_F32 && type != JR_F64)) return;
    output->type = type;
    output->relative = tolerance;
}

/* Converts the arguments to what the kernel takes with the first value of each constant. */
static cli_exit convert(session *it, jr_context *context, cli_error *error) {
    cli_run_options first;
    jr_named_text constants[CLI_DEFINES_MAX];
    jr_program program = *it->program;
    jr_kernel *kernel = NULL;
    const cli_exit code = cli_run_first(&it->options->run, &first, error);
    if (code != CLI_OK) return code;
    for (size_t i = 0; i < first.define_count; i++)
        constants[i] = (jr_named_text){first.defines[i].name, first.defines[i].text};
    program.constants = constants;
    program.constant_count = first.define_count;
    const jr_status status = jr_kernel_get(context, &program, &kernel);
    if (status != JR_OK) return cli_fail_library(error, status);
    return cli_arguments_convert(it->arguments, it->count, kernel, &it->converted, error);
}

static cli_exit open_child(void *user, jr_context **context, jr_tunable_problem *problem, cli_error *error) {
    session *it = user;
    cli_exit code = cli_device_open(it->options, context, error);
    if (code != CLI_OK) return code;
    problem->args = it->converted.pointers;
    problem->outputs = it->outputs;
    for (size_t i = 0; i < it->count; i++) {
        cli_argument *argument = &it->arguments[i];
        const uint64_t bytes = cli_argument_bytes(argument);
        if (!argument->array) continue;
        jr_status status = jr_memory_new(*context, bytes, &argument->device);
        if (status == JR_OK && bytes > 0)
            status = jr_memory_write(*context, argument->device, argument->data.elements, bytes);
        if (status != JR_OK) return cli_fail_library(error, status);
        if (argument->written_back) note_output(it, argument, &it->outputs[problem->output_count++]);
    }
    return convert(it, *context, error);
}

cli_exit cli_run_first(const cli_run_options *run, cli_run_options *first, cli_error *error) {
    *first = *run;
    for (size_t i = 0; i < run->tuned_count; i++) {
        size_t at = 0;
        while (at < run->define_count && strcmp(run->defines[at].name, run->tuned[i].name) != 0) at++;
        if (at < run->define_count) continue;
        if (first->define_count == CLI_DEFINES_MAX)
            return cli_fail(error, CLI_USAGE, "--tune: more than %d constants with --define", CLI_DEFINES_MAX);
        cli_define *define = &first->defines[first->define_count++];
        memcpy(define->name, run->tuned[i].name, sizeof define->name);
        define->text = first->tuned[i].first;
    }
    return CLI_OK;
}

static cli_exit check(const cli_options *options, cli_error *error) {
    const cli_run_options *run = &options->run;
    if (cli_run_is_ptx(options))
        return cli_fail(error, CLI_USAGE, "--tune: '%s' is PTX, which has no constants", options->files[0]);
    if (run->grid == NULL)
        return cli_fail(error, CLI_USAGE, "--grid: is needed to launch the kernel, as --grid 'ceil(N/BLOCK)'");
    return CLI_OK;
}

cli_exit cli_run_tune(const cli_options *options, cli_argument *arguments, size_t count, cli_error *error) {
    const cli_run_options *run = &options->run;
    cli_exit code = check(options, error);
    if (code != CLI_OK) return code;
    cli_run_source *source = calloc(1, sizeof *source);
    session *it = calloc(1, sizeof *it);
    if (source == NULL || it == NULL) {
        free(source);
        free(it);
        return cli_fail(error, CLI_FAILURE, "run: out of memory");
    }
    *it = (session){.options = options, .arguments = arguments, .count = count, .program = &source->program};
    code = cli_run_source_read(options, source, error);
    if (code == CLI_OK) {
        const cli_tuned_launch launch = {.options = options,
                                         .program = &source->program,
                                         .grid = run->grid,
                                         .block = run->block != NULL        ? run->block
                                                  : cli_tunes(run, "BLOCK") ? "BLOCK"
                                                                            : "256",
                                         .shared = run->shared,
                                         .open = open_child,
                                         .user = it};
        code = cli_tune_launch(&launch, error);
    }
    cli_run_source_free(source);
    free(source);
    free(it);
    return code;
}

/* ---- replay --tune ---- */

cli_exit cli_replay_tune(cli_tuned_launch launch, const cli_run_options *run, const jr_replay *replay,
                         const jr_replay_info *info, cli_error *error) {
    const jr_program *captured = jr_replay_program(replay);
    jr_named_text constants[CLI_DEFINES_MAX];
    char grid[64], block[64], shared[24];
    if (captured == NULL)
        return cli_fail(error, CLI_USAGE, "--tune: the capture has no source: the application had loaded an image");
    if (info->failure[0] != '\0')
        return cli_fail(error, CLI_FAILURE, "--tune: the captured launch had failed: %s", info->failure);
    snprintf(grid, sizeof grid, "%u,%u,%u", info->grid[0], info->grid[1], info->grid[2]);
    snprintf(block, sizeof block, "%u,%u,%u", info->block[0], info->block[1], info->block[2]);
    snprintf(shared, sizeof shared, "%u", info->shared_bytes);
    jr_program program = *captured;
    for (size_t i = 0; i < run->define_count; i++)
        constants[i] = (jr_named_text){run->defines[i].name, run->defines[i].text};
    program.constants = constants;
    program.constant_count = run->define_count;
    launch.program = &program;
    launch.grid = run->grid != NULL ? run->grid : grid;
    launch.block = run->block != NULL ? run->block : cli_tunes(run, "BLOCK") ? "BLOCK" : block;
    launch.shared = run->shared != NULL ? run->shared : shared;
    return cli_tune_launch(&launch, error);
}

cli_exit cli_replay_outputs(const jr_replay *replay, const jr_replay_info *info, void *const *devices,
                            jr_tunable_problem *problem, cli_error *error) {
    jr_tunable_output *outputs = calloc(info->buffer_count + 1, sizeof *outputs);
    if (outputs == NULL) return cli_fail(error, CLI_FAILURE, "replay: out of memory");
    problem->outputs = outputs;
    for (uint64_t i = 0; i < info->buffer_count; i++) {
        jr_replay_buffer buffer;
        const jr_status status = jr_replay_buffer_get(replay, i, &buffer);
        if (status != JR_OK) return cli_fail_library(error, status);
        if (buffer.after == NULL) continue;
        outputs[problem->output_count++] =
            (jr_tunable_output){.address = devices[i], .bytes = buffer.bytes, .expected = buffer.after};
    }
    return CLI_OK;
}
