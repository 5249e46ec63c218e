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
    if (options->spec.accuracy == JR_ACCURACY_REPRODUCIBLE)
        return cli_fail(error, CLI_USAGE, "%s: states have no fixed tree: give --accuracy exact or fast", name);
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
static void take_types(const jr_state_info *info, cli_options *options) {
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

/* What the first state says of operators, types and rules that were not given. */
static cli_exit take_first(cli_options *options, const cli_state_file *file, cli_error *error) {
    jr_state_info info = JR_INIT(jr_state_info);
    const jr_status status = jr_state_look(file->bytes, file->size, &info);
    if (status != JR_OK) return fail_state(options->states.add[0], status, error);
    if (options->op_open) { /* the look has found them to be known */
        memcpy(options->ops, info.ops, (size_t)info.op_count * sizeof *info.ops);
        options->op_count = info.op_count;
    }
    if (options->type_count == 0 && options->structure.text == NULL) take_types(&info, options);
    if (info.skips_nan && !options->given[cli_option_find("nan")]) options->spec.nan = JR_NAN_IGNORE;
    if (info.exact && !options->given[cli_option_find("accuracy")]) options->spec.accuracy = JR_ACCURACY_EXACT;
    if (info.exact) take_result(options);
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

/* The states that are merged, one after the other: those of the files, then that of the input. */
typedef struct state_list {
    size_t bytes; /* of each */
    unsigned char *states;
    uint64_t count, elements;
} state_list;

static cli_exit count_elements(state_list *list, uint64_t more, cli_error *error) {
    if (more > UINT64_MAX - list->elements)
        return cli_fail(error, CLI_FAILURE, "--add-state: %llu elements and %llu more are more than 64 bits can count",
                        (unsigned long long)list->elements, (unsigned long long)more);
    list->elements += more;
    list->count++;
    return CLI_OK;
}

static cli_exit add_file(const char *path, const cli_state_file *file, const jr_spec *spec, state_list *list,
                         cli_error *error) {
    uint64_t elements = 0;
    const jr_status status =
        jr_state_read(spec, file->bytes, file->size, list->states + list->count * list->bytes, &elements);
    return status == JR_OK ? count_elements(list, elements, error) : fail_state(path, status, error);
}

static cli_exit add_files(const cli_states *states, const jr_spec *spec, state_list *list, cli_error *error) {
    cli_exit code = states->add_count > 0 ? add_file(states->add[0], states->first, spec, list, error) : CLI_OK;
    for (int i = 1; code == CLI_OK && i < states->add_count; i++) {
        cli_state_file file;
        code = read_file(states->add[i], &file, error);
        if (code == CLI_OK) code = add_file(states->add[i], &file, spec, list, error);
    }
    return code;
}

/* The elements come after those of the states: their index counts on. */
static cli_exit add_input(const jr_spec *spec, const cli_inputs *inputs, jr_context *context, state_list *list,
                          cli_error *error) {
    const jr_status status =
        jr_work_run_host(context, &JR_INIT(jr_work, .spec = spec, .kind = JR_WORK_STATE),
                         &JR_INIT(jr_work_data, .in = inputs->arrays, .count = inputs->element_count,
                                  .first = list->elements, .out = list->states + list->count * list->bytes));
    return status == JR_OK ? count_elements(list, inputs->element_count, error) : cli_fail_library(error, status);
}

static cli_exit merge(const jr_spec *spec, jr_context *context, const state_list *list, jr_value *values,
                      cli_error *error) {
    const void *const in[] = {list->states};
    const jr_work work = JR_INIT(jr_work, .spec = spec, .kind = values != NULL ? JR_WORK_MERGE : JR_WORK_MERGE_STATES);
    const jr_work_data data = JR_INIT(jr_work_data, .in = in, .states = list->count, .count = list->elements,
                                      .values = values, .out = values != NULL ? NULL : list->states);
    const jr_status status = jr_work_run_host(context, &work, &data);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

/* Merges the states into one first. */
static cli_exit save(const char *path, const jr_spec *spec, jr_context *context, const state_list *list,
                     cli_error *error) {
    unsigned char bytes[FILE_BYTES_MAX];
    size_t size;
    cli_new_file made;
    cli_exit code = list->count > 1 ? merge(spec, context, list, NULL, error) : CLI_OK;
    if (code != CLI_OK) return code;
    const jr_status status = jr_state_write(spec, list->states, list->elements, bytes, sizeof bytes, &size);
    if (status != JR_OK) return cli_fail_library(error, status);
    code = cli_new_file_create("--save-state", path, &made, error);
    if (code != CLI_OK) return code;
    int failure = cli_new_file_write(&made, bytes, size);
    if (failure == 0 && fsync(made.file) != 0) failure = errno;
    return cli_new_file_finish(&made, failure, error);
}

cli_exit cli_states_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                           jr_context *context, jr_value *values, cli_error *error) {
    const jr_spec *spec = &request->spec;
    state_list list = {.bytes = request->results.state_bytes};
    jr_value found[JR_OPS_MAX];
    list.states = malloc(((size_t)options->states.add_count + 1) * list.bytes);
    if (list.states == NULL) return cli_fail(error, CLI_FAILURE, "%s: out of memory", name_of(options));
    cli_exit code = add_files(&options->states, spec, &list, error);
    if (code == CLI_OK) code = add_input(spec, inputs, context, &list, error);
    if (code == CLI_OK) code = merge(spec, context, &list, found, error);
    if (code == CLI_OK && options->states.save != NULL) code = save(options->states.save, spec, context, &list, error);
    free(list.states);
    if (code == CLI_OK) memcpy(values, found, (size_t)request->results.count * sizeof *values);
    return code;
}
