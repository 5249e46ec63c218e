/* Reads all inputs, one after the other, and holds their counts together. */
#include "inputs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fold_streams.h"
#include "io/ranks.h"
#include "npy/npz.h"

/* What the options say of one input alone. */
static cli_options options_of(const cli_options *options, int input, char *file[1]) {
    cli_options alone = *options;
    alone.spec.type = cli_options_type(options, input);
    if (alone.spec.type == JR_STRUCT && alone.format == CLI_FORMAT_AUTO) alone.format = CLI_FORMAT_BINARY;
    if (input == 0) return alone;
    file[0] = (char *)(uintptr_t)options->more_files[input]; /* read only: files are never written to */
    alone.files = file;
    alone.file_count = 1;
    alone.random = alone.iota = false;
    return alone;
}

static bool is_generated(const cli_options *options) {
    return options->random || options->iota;
}

static cli_exit check_standard_input(const cli_options *options, cli_error *error) {
    int wanted = options->file_count == 0 && !is_generated(options);
    if (wanted && options->ranks == NULL && isatty(STDIN_FILENO))
        return cli_fail(error, CLI_USAGE,
                        "no input: name a file, pipe numbers in, or give --random N; see 'jitreduce --help'");
    for (int i = 0; i < options->file_count; i++) wanted += strcmp(options->files[i], "-") == 0;
    for (int i = 1; i < JR_INPUTS_MAX && options->more_files[i] != NULL; i++)
        wanted += strcmp(options->more_files[i], "-") == 0;
    if (options->offsets != NULL) wanted += strcmp(options->offsets, "-") == 0;
    if (options->keys != NULL) wanted += strcmp(options->keys, "-") == 0;
    if (options->group_by != NULL && options->table.key_count == 0) wanted += strcmp(options->group_by, "-") == 0;
    if (options->ranks != NULL && wanted > 0)
        return cli_fail(error, CLI_USAGE, "--mpi: each rank reads its share: name a file, not standard input");
    return wanted < 2 ? CLI_OK : cli_fail(error, CLI_USAGE, "-: standard input can be read only once");
}

/* Takes one more input that was read. */
static cli_exit add(const cli_options *options, cli_inputs *inputs, cli_error *error) {
    const int index = inputs->count++;
    const cli_input *input = &inputs->input[index];
    inputs->types[index] = input->type;
    inputs->arrays[index] = input->elements;
    inputs->bytes += input->count * input->element_bytes;
    if (index == 0) inputs->element_count = input->count;
    if (index == 0) inputs->whole_count = input->whole_count;
    if (input->whole_count == inputs->whole_count) return CLI_OK;
    return cli_fail(error, CLI_FAILURE, "-%c %s: has %llu elements, but x has %llu", "xyzw"[index],
                    options -> more_files[index], (unsigned long long)input -> whole_count,
                    (unsigned long long)inputs -> whole_count);
}

/* Several columns of the same files. */
static cli_exit read_columns(const cli_options *options, cli_fold *fold, cli_inputs *inputs, cli_error *error) {
    cli_exit code = cli_input_read_columns(options, fold, inputs->input, error);
    for (int i = 0; code == CLI_OK && i < options->table.column_count; i++) code = add(options, inputs, error);
    return code;
}

/* A regular file, or a member of one. */
static bool is_regular(const char *name) {
    struct stat status;
    char archive[PATH_MAX];
    const char *member = cli_npz_member_name(name);
    if (member == NULL) return stat(name, &status) == 0 && S_ISREG(status.st_mode);
    const int length = snprintf(archive, sizeof archive, "%.*s", (int)(member - 1 - name), name);
    return length < (int)sizeof archive && stat(archive, &status) == 0 && S_ISREG(status.st_mode);
}

/* Whether all inputs can be open at once: the others are regular files, for which no writer waits that is to write x
 * first. */
static bool may_open_all(const cli_options *options) {
    for (int i = 1; i < JR_INPUTS_MAX && options->more_files[i] != NULL; i++)
        if (!is_regular(options->more_files[i])) return false;
    return !is_generated(options);
}

/* Arrays and raw files that do not all lie in memory are folded while they are read. *done: they were. */
static cli_exit read_in_step(const cli_options *options, cli_fold *fold, cli_input *opened, bool *done,
                             cli_error *error) {
    const int count = cli_options_input_count(options);
    bool all = true, any = false;
    cli_exit code = CLI_OK;
    for (int i = 0; code == CLI_OK && i < count; i++) {
        char *file[1];
        const cli_options alone = options_of(options, i, file);
        code = cli_input_open(&alone, &opened[i], error);
        all &= cli_parts_stream(opened[i].parts, opened[i].part_count, true, &any);
    }
    *done = code == CLI_OK && all && any;
    return *done ? cli_fold_streams(fold, opened, count, error) : code;
}

/* Reads each input by itself; those that were opened are taken. */
static cli_exit read_each(const cli_options *options, cli_fold *fold, cli_input *opened, cli_inputs *inputs,
                          cli_error *error) {
    cli_exit code = CLI_OK;
    for (int i = 0; code == CLI_OK && i < cli_options_input_count(options); i++) {
        char *file[1];
        const cli_options alone = options_of(options, i, file);
        code = opened[i].parts != NULL ? cli_input_read_opened(&alone, fold, &opened[i], &inputs->input[i], error)
                                       : cli_input_read_columns(&alone, fold, &inputs->input[i], error);
        if (code == CLI_OK) code = add(options, inputs, error);
    }
    return code;
}

static cli_exit read_all(const cli_options *options, cli_fold *fold, cli_inputs *inputs, cli_error *error) {
    const int count = cli_options_input_count(options);
    cli_input opened[JR_INPUTS_MAX] = {{.count = 0}};
    bool done = false;
    cli_exit code = CLI_OK;
    if (options->table.column_count > 1) return read_columns(options, fold, inputs, error);
    if (fold != NULL && count > 1 && may_open_all(options)) code = read_in_step(options, fold, opened, &done, error);
    if (code == CLI_OK && !done) code = read_each(options, count == 1 ? fold : NULL, opened, inputs, error);
    for (int i = 0; code == CLI_OK && done && i < count; i++) {
        inputs->input[i] = opened[i];
        opened[i] = (cli_input){.count = 0};
        code = add(options, inputs, error);
    }
    for (int i = 0; i < count; i++) cli_input_free(&opened[i]);
    return code;
}

/* An empty text may be the mistake of who was to write it: its sum is 0 like that of many others. --count 0, an
 * offset and a file of kept states say that it is meant, and --op count prints how many there are. */
static void note_empty(const cli_options *options, const cli_inputs *inputs) {
    const cli_input *input = &inputs->input[0];
    bool texts = input->part_count > 0 && inputs->whole_count == 0;
    for (int i = 0; i < input->part_count; i++) texts &= input->parts[i].format == CLI_FORMAT_TEXT;
    if (!texts || options->quiet || options->counts || options->count == 0 || options->offset > 0 ||
        options->states.add_count > 0 || !cli_ranks_first(options->ranks))
        return;
    if (options->file_count == 1 && strcmp(options->files[0], "-") != 0)
        fprintf(stderr, "jitreduce: note: %s has no values\n", options->files[0]);
    else
        fprintf(stderr, "jitreduce: note: %s no values\n",
                options->file_count > 1 ? "the files have" : "standard input has");
}

cli_exit cli_inputs_read(const cli_options *options, cli_fold *fold, cli_inputs *inputs, cli_error *error) {
    cli_inputs found = {0};
    if (options->ops[0] == JR_OP_DOT && cli_options_input_count(options) < 2)
        return cli_fail(error, CLI_USAGE, "--op dot: needs a second array: -y FILE");
    cli_exit code = check_standard_input(options, error);
    if (code == CLI_OK) code = read_all(options, fold, &found, error);
    if (code == CLI_OK && (fold == NULL || fold->elements == 0)) note_empty(options, &found);
    if (code == CLI_OK)
        *inputs = found;
    else
        cli_inputs_free(&found);
    return code;
}

void cli_inputs_free(cli_inputs *inputs) {
    for (int i = 0; i < inputs->count; i++) cli_input_free(&inputs->input[i]);
    *inputs = (cli_inputs){0};
}
