/* Adds files of kept states to a reduction, and writes one. */
#include "states.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/cli_device.h"
#include "io/new_file.h"
#include "io/source.h"
#include "options/option_take.h"

/* Far more than any state has. */
enum { FILE_BYTES_MAX = 1 << 16 };

struct cli_state_file {
    char bytes[FILE_BYTES_MAX];
    size_t size;
};

bool cli_states_wanted(const cli_options *options) {
    return options->states.save != NULL || options->states.add_count > 0;
}

/* ---- reading ---- */

static cli_exit read_source(cli_source *source, const char *path, cli_state_file *file, cli_error *error) {
    size_t got = 1;
    file->size = 0;
    while (got > 0) {
        if (file->size == sizeof file->bytes)
            return cli_fail(error, CLI_FAILURE, "--add-state: %s: is not a state: it has more than %d bytes", path,
                            FILE_BYTES_MAX);
        const cli_exit code =
            cli_source_read(source, file->bytes + file->size, sizeof file->bytes - file->size, &got, error);
        if (code != CLI_OK) return code;
        file->size += got;
    }
    return CLI_OK;
}

static cli_exit read_file(const char *path, cli_state_file *file, cli_error *error) {
    cli_source source = {.name = NULL};
    cli_exit code = cli_source_open(path, &source, error);
    if (code == CLI_OK) code = read_source(&source, path, file, error);
    cli_source_close(&source);
    return code;
}

static cli_exit fail_state(const char *path, jr_status status, cli_error *error) {
    if (status != JR_ERROR_STATE && status != JR_ERROR_INVALID_ARGUMENT) return cli_fail_library(error, status);
    return cli_fail(error, CLI_FAILURE, "--add-state: %s: %s", path, jr_last_error()->message);
}

/* ---- what goes together ---- */

static const char *name_of(const cli_options *options) {
    return options->states.save != NULL ? "--save-state" : "--add-state";
}

static cli_exit check_together(const cli_options *options, cli_error *error) {
    const char *name = name_of(options);
    if (options->spec.accuracy != JR_ACCURACY_EXACT)
        return cli_fail(error, CLI_USAGE, "%s: needs --accuracy exact: only exact sums are kept", name);
    if (options->axis_count > 0 || options->segment_length > 0 || options->offsets != NULL || options->keys != NULL ||
        options->group_by != NULL)
        return cli_fail(error, CLI_USAGE, "%s: a state belongs to one reduction; axes, segments and keys make several",
                        name);
    if (options->ranks != NULL || cli_device_is_group(options))
        return cli_fail(error, CLI_USAGE,
                        "%s: one device makes a state: cuda:N or sim; save one state per part, and add them", name);
    if (options->states.save != NULL && strcmp(options->states.save, "-") == 0)
        return cli_fail(error, CLI_USAGE,
                        "--save-state: '-': standard output has the result, and a state is bytes: give the name of a "
                        "file (./- for one that is named so)");
    if (options->states.save != NULL && options->output != NULL && strcmp(options->states.save, options->output) == 0)
        return cli_fail(error, CLI_USAGE, "--output, --save-state: '%s' cannot be both files", options->output);
    return CLI_OK;
}

/* A struct's text must be given. */
static void take_types(const jr_exact_state_info *info, cli_options *options) {
    for (int i = 0; i < info->input_count; i++)
        if (info->types[i] == JR_STRUCT) return;
    memcpy(options->types, info->types, (size_t)info->input_count * sizeof *info->types);
    options->type_count = info->input_count;
    options->spec.type = info->types[0];
}

/* Standard input is one state, or the input, which it is where no file is named. */
static cli_exit check_standard_input(const cli_options *options, cli_error *error) {
    int wanted = options->file_count == 0 && !options->random && !options->iota, states = 0;
    for (int i = 0; i < options->file_count; i++) wanted += strcmp(options->files[i], "-") == 0;
    for (int i = 1; i < JR_INPUTS_MAX && options->more_files[i] != NULL; i++)
        wanted += strcmp(options->more_files[i], "-") == 0;
    for (int i = 0; i < options->states.add_count; i++) states += strcmp(options->states.add[i], "-") == 0;
    if (states == 0 || wanted + states < 2) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--add-state: '-': standard input can be read only once%s",
                    wanted > 0 && options->file_count == 0 ? ", and is the input when no file is named" : "");
}

/* Whole numbers whose sum is one round nothing, and have no state: a state of them was made with a float for a result.
 */
static void take_result(cli_options *options) {
    jr_type types[JR_INPUTS_MAX];
    cli_request request;
    cli_error unused;
    const int count = cli_options_input_count(options);
    for (int i = 0; i < count; i++) types[i] = cli_options_type(options, i);
    if (options->spec.result != JR_TYPE_NONE || options->type_count == 0) return;
    if (cli_request_make(options, types, count, &request, &unused) != CLI_OK) return;
    if (jr_type_class_of(request.results.types[0]) != JR_CLASS_FLOAT) options->spec.result = JR_F64;
}

/* What the first state says of operators and types that were not given. */
static cli_exit take_first(cli_options *options, const cli_state_file *file, cli_error *error) {
    jr_exact_state_info info = JR_INIT(jr_exact_state_info);
    const jr_status status = jr_exact_state_look(file->bytes, file->size, &info);
    if (status != JR_OK) return fail_state(options->states.add[0], status, error);
    if (options->op_open) { /* the look has found them to be known */
        memcpy(options->ops, info.ops, (size_t)info.op_count * sizeof *info.ops);
        options->op_count = info.op_count;
    }
    if (options->type_count == 0 && options->structure.text == NULL) take_types(&info, options);
    take_result(options);
    return CLI_OK;
}

cli_exit cli_states_settle(cli_options *options, cli_error *error) {
    cli_exit code = check_together(options, error);
    if (code != CLI_OK || options->states.add_count == 0) return code;
    code = check_standard_input(options, error);
    if (code != CLI_OK) return code;
    cli_state_file *first = malloc(sizeof *first);
    if (first == NULL) return cli_fail(error, CLI_FAILURE, "--add-state: out of memory");
    code = read_file(options->states.add[0], first, error);
    if (code == CLI_OK) code = take_first(options, first, error);
    if (code == CLI_OK)
        options->states.first = first;
    else
        free(first);
    return code;
}

void cli_states_explain(const cli_options *options, cli_error *error) {
    const size_t used = strlen(error->message);
    if (!error->of_type || options->states.first == NULL || options->given[cli_option_find("type")]) return;
    snprintf(error->message + used, sizeof error->message - used,
             "; this is the type of the state '%s': give --type f64 when the first state is saved",
             options->states.add[0]);
}

void cli_states_free(cli_options *options) {
    free(options->states.first);
    options->states.first = NULL;
}

/* ---- the work ---- */

static cli_exit add_file(const char *path, const cli_state_file *file, jr_exact_state *state, cli_error *error) {
    const jr_status status = jr_exact_state_add_bytes(state, file->bytes, file->size);
    return status == JR_OK ? CLI_OK : fail_state(path, status, error);
}

static cli_exit add_files(const cli_states *states, jr_exact_state *state, cli_error *error) {
    cli_exit code = states->add_count > 0 ? add_file(states->add[0], states->first, state, error) : CLI_OK;
    for (int i = 1; code == CLI_OK && i < states->add_count; i++) {
        cli_state_file file;
        code = read_file(states->add[i], &file, error);
        if (code == CLI_OK) code = add_file(states->add[i], &file, state, error);
    }
    return code;
}

static cli_exit save(const char *path, const jr_exact_state *state, cli_error *error) {
    unsigned char bytes[FILE_BYTES_MAX];
    size_t size;
    cli_new_file made;
    const jr_status status = jr_exact_state_write(state, bytes, sizeof bytes, &size);
    if (status != JR_OK) return cli_fail_library(error, status);
    const cli_exit code = cli_new_file_create("--save-state", path, &made, error);
    if (code != CLI_OK) return code;
    int failure = cli_new_file_write(&made, bytes, size);
    if (failure == 0 && fsync(made.file) != 0) failure = errno;
    return cli_new_file_finish(&made, failure, error);
}

/* A state of whole numbers takes no fractions later. */
static const char *advise_type(const cli_request *request) {
    const jr_type_class elements = jr_type_class_of(request->spec.type);
    if (elements != JR_CLASS_SIGNED && elements != JR_CLASS_UNSIGNED) return "";
    return "; --type f64 makes a state that also takes fractions";
}

/* The elements come after those of the states: their index counts on. */
cli_exit cli_states_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                           jr_context *context, jr_value *values, cli_error *error) {
    jr_exact_state *state;
    jr_value found[JR_OPS_MAX];
    jr_status status = jr_exact_state_create(context, &request->spec, &state);
    if (status == JR_ERROR_UNSUPPORTED_TYPE)
        return cli_fail(error, CLI_USAGE, "%s: %s%s", name_of(options), jr_last_error()->message, advise_type(request));
    if (status != JR_OK) return cli_fail_library(error, status);
    cli_exit code = add_files(&options->states, state, error);
    if (code == CLI_OK)
        status = jr_exact_state_fold_host(state, inputs->arrays, inputs->element_count, jr_exact_state_elements(state));
    if (code == CLI_OK && status == JR_OK) status = jr_exact_state_value(state, found);
    if (status != JR_OK) code = cli_fail_library(error, status);
    if (code == CLI_OK && options->states.save != NULL) code = save(options->states.save, state, error);
    jr_exact_state_destroy(state);
    if (code == CLI_OK) memcpy(values, found, (size_t)request->results.count * sizeof *values);
    return code;
}
