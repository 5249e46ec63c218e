/* Reads all files of the command line: recognises each one's format, settles on one type, joins the elements. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "early.h"
#include "generate.h"
#include "kind.h"
#include "npz.h"
#include "ranks.h"
#include "readers.h"
#include "text_input.h"

static char *const *files_of(const cli_options *options) {
    static char standard[] = "-";
    static char *const only_standard[] = {standard};
    return options->file_count ? options->files : only_standard;
}

/* A file of another kind than those that are read would be a text full of faults. */
static cli_exit check_kind(const cli_source *source, cli_error *error) {
    const char *kind = cli_file_kind(source->ahead, source->ahead_bytes);
    if (kind == NULL) return CLI_OK;
    return cli_fail(error, CLI_FAILURE, "%s: is %s, which is not read%s", source->name, kind, cli_file_advice(kind));
}

/* Reads a file that is no text; of an .npz file the array that its name, or nothing else, says. */
static cli_exit read_bytes(const cli_options *options, cli_part *part, const char *name, cli_error *error) {
    cli_exit code = cli_bytes_read(&part->source, cli_early_check, options, &part->bytes, error);
    part->bytes.field = options->field;
    if (code != CLI_OK || !cli_npz_recognise(&part->bytes) || part->format != CLI_FORMAT_NPY) return code;
    part->bytes.name = name;
    return cli_npz_find(&part->bytes, part->path != NULL ? cli_npz_member_name(name) : NULL, &part->member, error);
}

/* Reads a part, or, of a text, leaves that for later: other files may tell its type. */
static cli_exit open_part(const cli_options *options, cli_part *part, const char *name, cli_error *error) {
    const bool is_table = options->table.column_count > 0;
    const cli_bytes ahead = {.name = part->source.name, .data = part->source.ahead, .size = part->source.ahead_bytes};
    part->format = cli_format_recognise(&ahead, options->format);
    if (part->format != CLI_FORMAT_TEXT && is_table)
        return cli_fail(error, CLI_USAGE, "--column: is for text, but %s is an npy file", part->source.name);
    cli_exit code = CLI_OK;
    if (part->format != CLI_FORMAT_TEXT)
        code = read_bytes(options, part, name, error);
    else if (options->format == CLI_FORMAT_AUTO)
        code = check_kind(&part->source, error);
    const bool again = part->source.whole && !part->source.standard;
    if (part->format != CLI_FORMAT_TEXT || again) cli_source_close(&part->source);
    return code;
}

/* Opens a file, or the .npz file of a name like data.npz:price. */
static cli_exit open_source(cli_part *part, const char *name, cli_error *error) {
    const char *member = cli_npz_member_name(name);
    if (member == NULL) return cli_source_open(name, &part->source, error);
    part->path = strndup(name, (size_t)(member - 1 - name));
    if (part->path == NULL) return cli_fail(error, CLI_FAILURE, "%s: out of memory", name);
    return cli_source_open(part->path, &part->source, error);
}

/* Opens every file; standard input only once. */
static cli_exit open_parts(const cli_options *options, cli_input *input, cli_error *error) {
    char *const *names = files_of(options);
    const int count = options->file_count ? options->file_count : 1;
    int standards = 0;
    input->parts = calloc((size_t)count, sizeof *input->parts);
    if (input->parts == NULL) return cli_fail(error, CLI_FAILURE, "input: out of memory for %d files", count);
    for (int i = 0; i < count; i++) {
        standards += strcmp(names[i], "-") == 0;
        if (standards > 1) return cli_fail(error, CLI_USAGE, "-: standard input can be read only once");
        cli_part *part = &input->parts[input->part_count];
        input->part_count++;
        cli_exit code = open_source(part, names[i], error);
        if (code == CLI_OK) code = open_part(options, part, names[i], error);
        if (code != CLI_OK) return code;
    }
    return CLI_OK;
}

/* Reads the parts that know their type; the first one settles it when the command line does not. */
static cli_exit read_binaries(cli_input *input, cli_error *error) {
    for (int i = 0; i < input->part_count; i++) {
        cli_part *part = &input->parts[i];
        cli_exit code = CLI_OK;
        if (part->format == CLI_FORMAT_NPY)
            code =
                cli_read_npy(part->member.data != NULL ? &part->member : &part->bytes, input->type, &part->data, error);
        if (part->format == CLI_FORMAT_RAW)
            code = cli_read_raw(&part->bytes, input->type, input->element_bytes, &part->data, error);
        if (code != CLI_OK) return code;
        if (part->format != CLI_FORMAT_TEXT) input->type = part->data.type;
    }
    return CLI_OK;
}

/* Reads one text; a file that was closed is opened again. */
static cli_exit read_text(cli_part *part, const char *name, cli_text_reading *reading, cli_error *error) {
    cli_exit code = part->source.name != NULL ? CLI_OK : cli_source_open(name, &part->source, error);
    if (code == CLI_OK) code = cli_text_read(&part->source, reading, error);
    cli_source_close(&part->source);
    return code;
}

/* Texts beside files that know their type: each has elements of its own. */
static cli_exit read_texts_between(const cli_options *options, cli_input *input, cli_error *error) {
    for (int i = 0; i < input->part_count; i++) {
        cli_part *part = &input->parts[i];
        cli_column column = cli_column_of(input->type);
        cli_text_reading reading = {.form = &options->table, .columns = &column};
        if (part->format != CLI_FORMAT_TEXT) continue;
        const cli_exit code = read_text(part, files_of(options)[i], &reading, error);
        if (code == CLI_OK) cli_vector_finish(&column.vector, &part->data);
        cli_column_free(&column);
        if (code != CLI_OK) return code;
    }
    return CLI_OK;
}

/* All files are texts: their numbers go into the same columns. */
static cli_exit read_texts_once(const cli_options *options, cli_input *input, cli_text_reading *reading,
                                cli_error *error) {
    cli_exit code = CLI_OK;
    for (int i = 0; code == CLI_OK && i < input->part_count; i++)
        code = read_text(&input->parts[i], files_of(options)[i], reading, error);
    return code;
}

/* Reads them anew where a column must be wider, elements of which are folded already. */
static cli_exit read_texts(const cli_options *options, cli_fold *fold, cli_input *input, cli_column *columns,
                           cli_error *error) {
    cli_progress progress = cli_progress_of(options);
    cli_beyond beyond = {.infinite = 0};
    cli_text_reading reading = {
        .form = &options->table, .columns = columns, .keys = &input->keys, .progress = &progress, .beyond = &beyond};
    const int count = cli_table_columns(&options->table);
    if (fold != NULL) {
        reading.after = cli_fold_take;
        reading.user = fold;
        cli_fold_begin(fold, columns, count);
        for (int i = 0; i < input->part_count; i++) fold->repeats &= input->parts[i].source.name == NULL;
    }
    cli_exit code = read_texts_once(options, input, &reading, error);
    while (code != CLI_OK && (reading.wider || (fold != NULL && fold->again))) {
        cli_fold_forget(fold);
        for (int i = 0; i < count; i++) columns[i].folded = columns[i].vector.used = columns[i].minus.used = 0;
        beyond = (cli_beyond){.infinite = 0};
        code = read_texts_once(options, input, &reading, error);
    }
    cli_progress_end(&progress);
    if (code == CLI_OK && cli_ranks_first(options->ranks)) cli_beyond_tell(&beyond);
    return code;
}

/* Where the elements from `first` on and a part's own ones meet: in that part from *from on, so many. begin: the number
 * of the part's first one. */
static uint64_t overlap(const cli_input *input, const cli_data *part, uint64_t begin, uint64_t *from) {
    const uint64_t end = input->first + input->count, low = input->first > begin ? input->first : begin,
                   part_end = begin + part->count, high = end < part_end ? end : part_end;
    *from = low - begin;
    return low < high ? high - low : 0;
}

/* What one part holds alone is used where it lies; what several hold is copied together. */
static cli_exit join(cli_input *input, cli_error *error) {
    uint64_t begin = 0, from;
    cli_exit code = CLI_OK;
    char *to = NULL;
    for (int i = 0; code == CLI_OK && i < input->part_count; i++) {
        const cli_data *part = &input->parts[i].data;
        const uint64_t count = overlap(input, part, begin, &from);
        begin += part->count;
        if (count == 0) continue;
        const char *elements = (const char *)part->elements + from * input->element_bytes;
        if (count == input->count) {
            input->elements = elements;
            return CLI_OK;
        }
        if (to == NULL) {
            code = cli_data_create(&input->joined, input->type, input->element_bytes, input->count, "input", error);
            input->elements = to = input->joined.owned;
        }
        if (code == CLI_OK) memcpy(to, elements, count * input->element_bytes);
        to += count * input->element_bytes;
    }
    return code;
}

static size_t element_bytes(const cli_options *options, jr_type type) {
    return type == JR_STRUCT ? options->structure.bytes : jr_type_size(type);
}

static void take_joined(cli_input *input, bool open) {
    input->type = input->joined.type;
    input->open = open;
    input->element_bytes = jr_type_size(input->type);
    input->count = input->joined.count;
    input->elements = input->joined.elements;
}

/* All files are texts: an input for each column. What was folded is gone from the columns, which the fold still needs.
 */
static cli_exit read_columns(const cli_options *options, cli_fold *fold, cli_input *inputs, cli_error *error) {
    const int count = cli_table_columns(&options->table);
    cli_column own[JR_INPUTS_MAX], *columns = fold != NULL ? fold->room : own;
    for (int i = 0; i < count; i++)
        columns[i] = cli_column_of(i == 0 ? options->spec.type : cli_options_type(options, i));
    cli_exit code = read_texts(options, fold, &inputs[0], columns, error);
    for (int i = 0; i < count; i++) {
        cli_input *input = &inputs[i];
        if (code == CLI_OK && (fold == NULL || fold->elements == 0)) {
            cli_vector_finish(&columns[i].vector, &input->joined);
            take_joined(input, columns[i].open);
        }
        if (fold == NULL || fold->elements == 0 || code != CLI_OK) cli_column_free(&columns[i]);
    }
    return code;
}

static cli_exit read_files(const cli_options *options, cli_fold *fold, cli_input *inputs, cli_error *error) {
    cli_input *input = &inputs[0];
    bool texts = true;
    input->type = options->spec.type;
    input->element_bytes = element_bytes(options, input->type);
    cli_exit code = open_parts(options, input, error);
    for (int i = 0; i < input->part_count; i++) texts &= input->parts[i].format == CLI_FORMAT_TEXT;
    if (code == CLI_OK && texts) return read_columns(options, fold, inputs, error);
    if (code == CLI_OK) code = read_binaries(input, error);
    if (code == CLI_OK) code = read_texts_between(options, input, error);
    input->element_bytes = element_bytes(options, input->type);
    for (int i = 0; i < input->part_count; i++) input->count += input->parts[i].data.count; /* all of it is in memory */
    return code;
}

static cli_exit generate(const cli_options *options, cli_input *input, cli_error *error) {
    if (options->file_count)
        return cli_fail(error, CLI_USAGE, "%s: a file and generated data do not go together", options->files[0]);
    cli_exit code = cli_generate(options, &input->joined, error);
    if (code != CLI_OK) return code;
    take_joined(input, options->iota && options->spec.type == JR_TYPE_NONE);
    return CLI_OK;
}

/* --offset and --count, which leave no shape, and the share of a rank, but of segments, which are found in all elements
 * first. Of files the elements are joined now. */
static cli_exit narrow(const cli_options *options, cli_input *input, cli_error *error) {
    if (options->offset > input->count)
        return cli_fail(error, CLI_FAILURE, "--offset: %llu elements to leave out, but the input has %llu",
                        (unsigned long long)options->offset, (unsigned long long)input->count);
    uint64_t left = input->count - options->offset;
    if (options->count != UINT64_MAX && options->count > left)
        return cli_fail(error, CLI_FAILURE, "--count: %llu elements wanted, but the input has %llu after the offset",
                        (unsigned long long)options->count, (unsigned long long)left);
    const bool whole = options->offset == 0 && options->count == UINT64_MAX;
    input->whole_count = options->count < left ? options->count : left;
    input->count =
        cli_ranks_share(cli_options_divide(options) ? NULL : options->ranks, input->whole_count, &input->first);
    input->shape = whole && input->part_count == 1 && input->parts[0].format == CLI_FORMAT_NPY
                       ? input->parts[0].data.shape
                       : cli_shape_flat(input->whole_count);
    input->first += options->offset;
    if (input->elements == NULL) return join(input, error);
    input->elements = (const char *)input->elements + input->first * input->element_bytes;
    return CLI_OK;
}

cli_exit cli_input_read_columns(const cli_options *options, cli_fold *fold, cli_input *inputs, cli_error *error) {
    cli_input found[JR_INPUTS_MAX] = {{.count = 0}};
    const int count = cli_table_columns(&options->table);
    cli_exit code = options->random || options->iota ? generate(options, &found[0], error)
                                                     : read_files(options, fold, found, error);
    const bool folded = fold != NULL && fold->elements > 0;
    for (int i = 0; code == CLI_OK && !folded && i < count; i++) code = narrow(options, &found[i], error);
    for (int i = 0; i < count; i++) {
        if (code == CLI_OK)
            inputs[i] = found[i];
        else
            cli_input_free(&found[i]);
    }
    return code;
}

cli_exit cli_input_read(const cli_options *options, cli_input *input, cli_error *error) {
    return cli_input_read_columns(options, NULL, input, error);
}

void cli_input_free(cli_input *input) {
    for (int i = 0; i < input->part_count; i++) {
        cli_data_free(&input->parts[i].data);
        cli_bytes_free(&input->parts[i].bytes);
        cli_bytes_free(&input->parts[i].member);
        cli_source_close(&input->parts[i].source);
        free(input->parts[i].path);
    }
    free(input->parts);
    cli_data_free(&input->joined);
    cli_key_column_free(&input->keys);
    *input = (cli_input){0};
}
