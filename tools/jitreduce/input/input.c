/* Reads all files of the command line: recognises each one's format, settles on one type, joins the elements. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "binary_input.h"
#include "fold_streams.h"
#include "generate.h"
#include "io/ranks.h"
#include "missing_note.h"
#include "readers.h"
#include "text/text_input.h"

static size_t element_bytes(const cli_options *options, jr_type type) {
    return type == JR_STRUCT ? options->structure.bytes : jr_type_size(type);
}

/* Elements that are read at most: what follows them is not looked at. UINT64_MAX: all. */
static uint64_t wanted_elements(const cli_options *options) {
    uint64_t end;
    return __builtin_add_overflow(options->offset, options->count, &end) ? UINT64_MAX : end;
}

/* Reads the parts that know their type; the first one settles it when the command line does not. */
static cli_exit read_binaries(const cli_options *options, cli_input *input, cli_error *error) {
    cli_exit code = cli_parts_settle(options, input->parts, input->part_count, &input->type, error);
    input->element_bytes = element_bytes(options, input->type);
    for (int i = 0; code == CLI_OK && i < input->part_count; i++) {
        cli_part *part = &input->parts[i];
        const cli_bytes *bytes = cli_part_bytes(part);
        if (part->format == CLI_FORMAT_TEXT) continue;
        if (part->streams)
            code = cli_binary_keep(part, input->type, input->element_bytes, wanted_elements(options), error);
        else
            code = part->format == CLI_FORMAT_NPY
                       ? cli_read_npy(bytes, input->type, &part->data, error)
                       : cli_read_raw(bytes, input->type, input->element_bytes, &part->data, error);
    }
    return code;
}

/* Reads one text; a file that was closed is opened again. */
static cli_exit read_text(cli_part *part, const cli_options *options, int index, cli_text_reading *reading,
                          cli_error *error) {
    const char *name = cli_files_of(options)[index];
    cli_exit code = part->source.name != NULL ? CLI_OK : cli_source_open(name, &part->source, error);
    part->source.keeps = reading->after == NULL;
    if (code == CLI_OK) code = cli_text_read(&part->source, reading, error);
    cli_source_close(&part->source);
    return code;
}

/* Texts together with files that know their type: each has elements of its own. */
static cli_exit read_texts_between(const cli_options *options, cli_input *input, cli_error *error) {
    for (int i = 0; i < input->part_count; i++) {
        cli_part *part = &input->parts[i];
        cli_column column = cli_column_of(input->type);
        cli_text_reading reading = {.form = &options->table, .columns = &column, .most = wanted_elements(options)};
        if (part->format != CLI_FORMAT_TEXT) continue;
        const cli_exit code = read_text(part, options, i, &reading, error);
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
        code = read_text(&input->parts[i], options, i, reading, error);
    return code;
}

/* Reads the texts; again if a column must be wider than the elements that are folded already. */
static cli_exit read_texts(const cli_options *options, cli_fold *fold, cli_input *input, cli_column *columns,
                           cli_error *error) {
    cli_progress progress = cli_progress_of(options);
    cli_beyond beyond = {.infinite = 0};
    cli_text_reading reading = {
        .form = &options->table, .columns = columns, .keys = &input->keys, .progress = &progress, .beyond = &beyond};
    reading.most = wanted_elements(options);
    reading.words = options->reads_words;
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
    input->keyless = options->reads_words ? beyond.keyless : 0; /* for who asked for the words */
    input->lines = beyond.lines;
    if (options->reads_words) beyond.keyless = 0;
    if (code != CLI_OK || !cli_ranks_first(options->ranks)) return code;
    cli_beyond_tell(&beyond);
    cli_note_missing(options, &beyond);
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

static void take_joined(cli_input *input, bool open) {
    input->type = input->joined.type;
    input->open = open;
    input->element_bytes = jr_type_size(input->type);
    input->count = input->joined.count;
    input->elements = input->joined.elements;
}

/* Whether whole numbers of a column are f64, because an expression divides. */
static bool divides(const cli_options *options, int column) {
    return options->table.many != NULL ? options->table.many[column].divides : cli_options_read_floats(options);
}

/* All files are texts: an input for each column. What was folded has left the columns, which the fold still needs. */
static cli_exit read_into(const cli_options *options, cli_fold *fold, cli_column *columns, cli_input *inputs,
                          cli_error *error) {
    const int count = cli_table_columns(&options->table);
    for (int i = 0; i < count; i++) {
        columns[i] = cli_column_of(i == 0 ? options->spec.type : cli_options_type(options, i));
        columns[i].divides = columns[i].open && divides(options, i);
        if (columns[i].divides) columns[i].vector.type = JR_F64;
    }
    cli_exit code = read_texts(options, fold, &inputs[0], columns, error);
    for (int i = 0; i < count; i++) {
        cli_input *input = &inputs[i];
        input->divided = columns[i].divides && !columns[i].fraction && !columns[i].rounded;
        if (code == CLI_OK && (fold == NULL || fold->elements == 0)) {
            cli_vector_finish(&columns[i].vector, &input->joined);
            take_joined(input, columns[i].open);
            if (options->reads_words) input->count = input->keys.row_count;
        }
        if (fold == NULL || fold->elements == 0 || code != CLI_OK) cli_column_free(&columns[i]);
    }
    return code;
}

static cli_exit read_columns(const cli_options *options, cli_fold *fold, cli_input *inputs, cli_error *error) {
    if (options->offset > 0) fold = NULL; /* skipped elements also determine the type */
    if (fold != NULL) return read_into(options, fold, fold->room, inputs, error);
    cli_column *own = calloc((size_t)cli_table_columns(&options->table), sizeof *own);
    if (own == NULL) return cli_fail(error, CLI_FAILURE, "--column: out of memory");
    const cli_exit code = read_into(options, fold, own, inputs, error);
    free(own);
    return code;
}

cli_exit cli_input_open(const cli_options *options, cli_input *input, cli_error *error) {
    input->type = options->spec.type;
    return cli_parts_open(options, &input->parts, &input->part_count, error);
}

static cli_exit read_files(const cli_options *options, cli_fold *fold, cli_input *inputs, cli_error *error) {
    cli_input *input = &inputs[0];
    bool texts = true, streams = false;
    for (int i = 0; i < input->part_count; i++) texts &= input->parts[i].format == CLI_FORMAT_TEXT;
    if (texts) return read_columns(options, fold, inputs, error);
    if (fold != NULL && cli_parts_stream(input->parts, input->part_count, cli_fold_in_order(options), &streams) &&
        streams)
        return cli_fold_streams(fold, input, 1, error);
    cli_exit code = read_binaries(options, input, error);
    if (code == CLI_OK) code = read_texts_between(options, input, error);
    for (int i = 0; i < input->part_count; i++) input->count += input->parts[i].data.count; /* all of it is in memory */
    return code;
}

static cli_exit generate(const cli_options *options, cli_input *input, cli_error *error) {
    if (options->file_count)
        return cli_fail(error, CLI_USAGE, "%s: a file and generated data do not go together", options->files[0]);
    cli_exit code = cli_input_check_count(options, options->generated_count, error);
    if (code == CLI_OK) code = cli_generate(options, &input->joined, error);
    if (code == CLI_OK) take_joined(input, options->iota && options->spec.type == JR_TYPE_NONE);
    input->divided = input->open && cli_options_read_floats(options);
    return code;
}

/* --offset and --count, which leave no shape, and the share of a rank, but of segments, which are found in all elements
 * first. Of files the elements are joined now. */
static cli_exit narrow(const cli_options *options, cli_input *input, cli_error *error) {
    const uint64_t left = input->count - options->offset;
    const bool whole = options->offset == 0 && options->count == UINT64_MAX;
    const cli_exit code = cli_input_check_count(options, input->count, error);
    if (code != CLI_OK) return code;
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

cli_exit cli_input_read_opened(const cli_options *options, cli_fold *fold, cli_input *opened, cli_input *inputs,
                               cli_error *error) {
    const int count = cli_table_columns(&options->table);
    const bool generated = options->random || options->iota;
    for (int i = 0; i < count; i++) inputs[i] = (cli_input){.count = 0};
    inputs[0] = *opened;
    *opened = (cli_input){.count = 0};
    cli_exit code = generated ? generate(options, &inputs[0], error) : read_files(options, fold, inputs, error);
    const bool folded = fold != NULL && fold->elements > 0;
    if (code == CLI_OK && folded && !inputs[0].narrowed)
        code = cli_input_check_count(options, fold->elements + cli_fold_held(fold), error);
    for (int i = 0; code == CLI_OK && !folded && i < count && !inputs[i].narrowed; i++)
        code = narrow(options, &inputs[i], error);
    for (int i = 0; code != CLI_OK && i < count; i++) cli_input_free(&inputs[i]);
    return code;
}

cli_exit cli_input_read_columns(const cli_options *options, cli_fold *fold, cli_input *inputs, cli_error *error) {
    cli_input opened = {.count = 0};
    const cli_exit code = options->random || options->iota ? CLI_OK : cli_input_open(options, &opened, error);
    if (code == CLI_OK) return cli_input_read_opened(options, fold, &opened, inputs, error);
    cli_input_free(&opened);
    return code;
}

cli_exit cli_input_read(const cli_options *options, cli_input *input, cli_error *error) {
    return cli_input_read_columns(options, NULL, input, error);
}

void cli_input_free(cli_input *input) {
    cli_parts_close(input->parts, input->part_count);
    cli_data_free(&input->joined);
    cli_key_column_free(&input->keys);
    *input = (cli_input){0};
}
