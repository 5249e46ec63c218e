/* jitreduce replay: runs a captured launch again, and holds what it writes against what it wrote then. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "io/cli_device.h"
#include "kernel_print.h"
#include "options/command.h"
#include "replay_tell.h"
#include "run_fault.h"
#include "run_shape.h"
#include "run_tune.h"

/* One run, from the file to the comparison. */
typedef struct session {
    const cli_options *options;
    jr_replay *replay;
    jr_replay_info info;
    jr_context *context;
    jr_kernel *kernel;
    jr_launch launch;
    void **devices;     /* the buffers' device memory; the session frees each */
    void **pointers;    /* where each argument's value lies in host memory; the session frees each */
    uint64_t differing; /* how many buffers differ from the captured ones */
} session;

static cli_exit no_memory(cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "replay: out of memory");
}

/* ---- what is run ---- */

/* The captured constants, then those of --define that are new; one of the same name takes its place. */
static cli_exit name_constants(const session *it, cli_run_options *run, cli_error *error) {
    const cli_run_options *given = &it->options->run;
    const jr_program *program = jr_replay_program(it->replay);
    run->define_count = 0;
    for (size_t i = 0; program != NULL && i < program->constant_count; i++) {
        cli_define *define = &run->defines[run->define_count];
        if (run->define_count == CLI_DEFINES_MAX || strlen(program->constants[i].name) >= sizeof define->name)
            return cli_fail(error, CLI_FAILURE,
                            "replay: the captured program has too many constants, or one that is too long");
        snprintf(define->name, sizeof define->name, "%s", program->constants[i].name);
        define->text = program->constants[i].text;
        run->define_count++;
    }
    for (size_t i = 0; i < given->define_count; i++) {
        size_t at = 0;
        while (at < run->define_count && strcmp(run->defines[at].name, given->defines[i].name) != 0) at++;
        if (at == CLI_DEFINES_MAX)
            return cli_fail(error, CLI_USAGE, "--define: more than %d with those of the capture", CLI_DEFINES_MAX);
        run->defines[at] = given->defines[i];
        if (at == run->define_count) run->define_count++;
    }
    return CLI_OK;
}

/* Grid, block and shared memory of the capture, or of the command line. */
static cli_exit plan_launch(session *it, cli_run_options *run, cli_error *error) {
    cli_run_names names;
    char block[64];
    const jr_replay_info *info = &it->info;
    it->launch = JR_INIT(jr_launch, .shared_bytes = info->shared_bytes, .dependent = info->dependent);
    memcpy(it->launch.grid, info->grid, sizeof info->grid);
    memcpy(it->launch.block, info->block, sizeof info->block);
    if (run->grid == NULL && run->block == NULL && run->shared == NULL) return CLI_OK;
    jr_launch asked;
    snprintf(block, sizeof block, "%u,%u,%u", info->block[0], info->block[1], info->block[2]);
    if (run->block == NULL) run->block = block;
    const cli_exit code = cli_run_shape(run, &asked, &names, error);
    if (code != CLI_OK) return code;
    memcpy(it->launch.block, asked.block, sizeof asked.block);
    if (run->grid != NULL) memcpy(it->launch.grid, asked.grid, sizeof asked.grid);
    if (run->shared != NULL) it->launch.shared_bytes = asked.shared_bytes;
    return CLI_OK;
}

static jr_status compile(session *it, const cli_run_options *run) {
    jr_program program = *jr_replay_program(it->replay);
    jr_named_text constants[CLI_DEFINES_MAX];
    for (size_t i = 0; i < run->define_count; i++)
        constants[i] = (jr_named_text){run->defines[i].name, run->defines[i].text};
    program.constants = constants;
    program.constant_count = run->define_count;
    return jr_kernel_get(it->context, &program, &it->kernel);
}

/* Loads the captured image; compiles the captured program instead where --define is given or the device refuses the
 * image. */
static cli_exit load(session *it, const cli_run_options *run, cli_error *error) {
    const bool has_program = jr_replay_program(it->replay) != NULL;
    const bool others = it->options->run.define_count > 0;
    if (others && !has_program)
        return cli_fail(error, CLI_USAGE, "--define: the capture has no source: the application had loaded an image");
    jr_status status = others ? JR_ERROR_LOAD : jr_kernel_load(it->context, jr_replay_image(it->replay), &it->kernel);
    if (status == JR_ERROR_LOAD && has_program) status = compile(it, run);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

/* ---- memory ---- */

/* Allocates each buffer on the device, with what it held before the launch. */
static jr_status make_buffers(session *it) {
    jr_status status = JR_OK;
    for (uint64_t i = 0; status == JR_OK && i < it->info.buffer_count; i++) {
        jr_replay_buffer buffer;
        status = jr_replay_buffer_get(it->replay, i, &buffer);
        if (status == JR_OK) status = jr_memory_new(it->context, buffer.bytes, &it->devices[i]);
        if (status == JR_OK && buffer.bytes > 0)
            status = jr_memory_write(it->context, it->devices[i], buffer.before, buffer.bytes);
    }
    return status;
}

/* Copies each argument's value to memory of its own; a pointer into a captured buffer becomes one to its copy on the
 * device. */
static cli_exit place_arguments(session *it, cli_error *error) {
    for (uint64_t i = 0; i < it->info.argument_count; i++) {
        jr_replay_argument argument;
        const jr_status status = jr_replay_argument_get(it->replay, i, &argument);
        if (status != JR_OK) return cli_fail_library(error, status);
        it->pointers[i] = malloc(argument.bytes + 1);
        if (it->pointers[i] == NULL) return no_memory(error);
        memcpy(it->pointers[i], argument.value, argument.bytes);
        if (argument.buffer < 0) continue;
        char *at = (char *)it->devices[argument.buffer] + argument.offset;
        memcpy(it->pointers[i], &at, sizeof at);
    }
    return CLI_OK;
}

static cli_exit prepare(session *it, cli_error *error) {
    it->devices = calloc(it->info.buffer_count + 1, sizeof *it->devices);
    it->pointers = calloc(it->info.argument_count + 1, sizeof *it->pointers);
    if (it->devices == NULL || it->pointers == NULL) return no_memory(error);
    const jr_status status = make_buffers(it);
    return status == JR_OK ? place_arguments(it, error) : cli_fail_library(error, status);
}

/* ---- the comparison ---- */

/* " (arguments 2, 3)" */
static void print_arguments(const session *it, uint64_t buffer) {
    const char *before = " (argument ";
    for (uint64_t i = 0; i < it->info.argument_count; i++) {
        jr_replay_argument argument;
        if (jr_replay_argument_get(it->replay, i, &argument) != JR_OK || argument.buffer != (int64_t)buffer) continue;
        printf("%s%" PRIu64, before, i + 1);
        before = ", ";
    }
    if (*before == ',') putchar(')');
}

static void tell_buffer(session *it, uint64_t index, const jr_replay_buffer *buffer, const unsigned char *now) {
    const jr_type type = cli_options_type(it->options, index < JR_INPUTS_MAX ? (int)index : JR_INPUTS_MAX);
    printf("buffer %" PRIu64, index + 1);
    print_arguments(it, index);
    it->differing += cli_replay_tell(buffer, now, type);
}

static cli_exit compare(session *it, cli_error *error) {
    cli_exit code = CLI_OK;
    for (uint64_t i = 0; code == CLI_OK && i < it->info.buffer_count; i++) {
        jr_replay_buffer buffer;
        jr_status status = jr_replay_buffer_get(it->replay, i, &buffer);
        if (status != JR_OK) return cli_fail_library(error, status);
        if (buffer.after == NULL) continue;
        unsigned char *now = malloc(buffer.bytes + 1);
        if (now == NULL) return no_memory(error);
        if (buffer.bytes > 0) status = jr_memory_read(it->context, now, it->devices[i], buffer.bytes);
        if (status == JR_OK)
            tell_buffer(it, i, &buffer, now);
        else
            code = cli_fail_library(error, status);
        free(now);
    }
    return code;
}

/* ---- the run ---- */

static void tell_launch(const session *it) {
    const jr_launch *launch = &it->launch;
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < it->info.buffer_count; i++) {
        jr_replay_buffer buffer;
        if (jr_replay_buffer_get(it->replay, i, &buffer) == JR_OK) bytes += buffer.bytes;
    }
    printf("%s: grid %u x %u x %u, block %u x %u x %u, %u dynamic shared bytes; captured on %s\n",
           jr_kernel_name(it->kernel), launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
           launch->block[1], launch->block[2], launch->shared_bytes, it->info.device);
    printf("the capture holds %" PRIu64 " bytes of the application's memory: whoever may read it may read them\n",
           bytes);
    if (it->info.failure[0] != '\0') printf("the launch had failed: %s\n", it->info.failure);
}

static cli_exit measure(session *it, cli_error *error) {
    const jr_status status = cli_kernel_print_time(it->context, it->kernel, &it->launch, it->pointers);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

static cli_exit run_once(session *it, cli_error *error) {
    jr_status status = jr_kernel_launch(it->kernel, &it->launch, it->pointers);
    if (status == JR_OK) status = jr_context_wait(it->context);
    if (status != JR_OK) return cli_run_fail(NULL, 0, status, error);
    if (it->info.failure[0] != '\0') puts("it did not fail now, and there is nothing to compare with");
    return compare(it, error);
}

/* ---- tuning ---- */

/* A child's context, buffers and arguments: they live as long as the child's process. */
static cli_exit open_child(void *user, jr_context **context, jr_tunable_problem *problem, cli_error *error) {
    session *it = user;
    cli_exit code = cli_device_open(it->options, &it->context, error);
    if (code == CLI_OK) code = prepare(it, error);
    if (code != CLI_OK) return code;
    code = cli_replay_outputs(it->replay, &it->info, it->devices, problem, error);
    if (code != CLI_OK) return code;
    *context = it->context;
    problem->args = it->pointers;
    return CLI_OK;
}

static cli_exit work(session *it, cli_run_options *run, cli_error *error) {
    cli_exit code = name_constants(it, run, error);
    if (code == CLI_OK && run->tuned_count > 0)
        return cli_replay_tune((cli_tuned_launch){.options = it->options, .open = open_child, .user = it}, run,
                               it->replay, &it->info, error);
    if (code == CLI_OK) code = plan_launch(it, run, error);
    if (code == CLI_OK) code = cli_device_open(it->options, &it->context, error);
    if (code == CLI_OK) code = load(it, run, error);
    if (code == CLI_OK) code = prepare(it, error);
    if (code != CLI_OK) return code;
    tell_launch(it);
    code = run_once(it, error);
    if (code == CLI_OK && it->options->run.time) code = measure(it, error);
    if (code != CLI_OK || it->differing == 0) return code;
    return cli_fail(error, CLI_FAILURE, "replay: %" PRIu64 " of %" PRIu64 " buffers differ from the captured ones",
                    it->differing, it->info.buffer_count);
}

static void end(session *it) {
    for (uint64_t i = 0; it->devices != NULL && i < it->info.buffer_count; i++)
        jr_memory_free(it->context, it->devices[i]);
    for (uint64_t i = 0; it->pointers != NULL && i < it->info.argument_count; i++) free(it->pointers[i]);
    free(it->devices);
    free(it->pointers);
    jr_context_close(it->context);
    jr_replay_close(it->replay);
}

cli_exit cli_replay_run(const cli_options *options, cli_error *error) {
    session it = {.options = options, .info = JR_INIT(jr_replay_info)};
    if (options->file_count != 1)
        return cli_fail(error, CLI_USAGE, "replay: takes one captured launch, but %d were given" SEE_HELP,
                        options->file_count);
    if (options->run.resources || options->run.ptx || options->run.sass || options->run.kernels)
        return cli_fail(error, CLI_USAGE, "--show: replay shows only time; run shows kernels, resources, ptx and sass");
    cli_exit code = cli_tune_check(options, error);
    if (code != CLI_OK) return code;
    jr_status status = jr_replay_open(options->files[0], &it.replay);
    if (status == JR_OK) status = jr_replay_look(it.replay, &it.info);
    cli_run_options run = options->run;
    code = status == JR_OK ? work(&it, &run, error) : cli_fail_library(error, status);
    end(&it);
    return code;
}
