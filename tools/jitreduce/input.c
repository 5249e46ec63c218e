/* Reads all files of the command line: recognises each one's format, settles on one type, joins the elements. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "early.h"
#include "generate.h"
#include "readers.h"

/* Opens every file; standard input only once. */
static cli_exit open_parts(const cli_options *options, cli_input *input, cli_error *error) {
    static char standard[] = "-";
    static char *const only_standard[] = {standard};
    char *const *names = options->file_count ? options->files : only_standard;
    int count = options->file_count ? options->file_count : 1, standards = 0;
    input->parts = calloc((size_t)count, sizeof *input->parts);
    if (input->parts == NULL) return cli_fail(error, CLI_FAILURE, "input: out of memory for %d files", count);
    for (int i = 0; i < count; i++) {
        standards += strcmp(names[i], "-") == 0;
        if (standards > 1) return cli_fail(error, CLI_USAGE, "-: standard input can be read only once");
        cli_part *part = &input->parts[input->part_count];
        cli_exit code = cli_bytes_read(names[i], cli_early_check, options, &part->bytes, error);
        if (code != CLI_OK) return code;
        input->part_count++;
        part->format = cli_format_recognise(&part->bytes, options->format);
        if (part->format != CLI_FORMAT_TEXT && options->column != 0)
            return cli_fail(error, CLI_USAGE, "--column: is for text, but %s is an npy file", part->bytes.name);
    }
    return CLI_OK;
}

/* Reads the parts that know their type; the first one settles it when the command line does not. */
static cli_exit read_binaries(cli_input *input, cli_error *error) {
    for (int i = 0; i < input->part_count; i++) {
        cli_part *part = &input->parts[i];
        cli_exit code = CLI_OK;
        if (part->format == CLI_FORMAT_NPY) code = cli_read_npy(&part->bytes, input->type, &part->data, error);
        if (part->format == CLI_FORMAT_RAW)
            code = cli_read_raw(&part->bytes, input->type, input->element_bytes, &part->data, error);
        if (code != CLI_OK) return code;
        if (part->format != CLI_FORMAT_TEXT) input->type = part->data.type;
    }
    return CLI_OK;
}

static cli_exit read_one_text(cli_part *part, jr_type type, uint64_t column, cli_number_status *reason,
                              cli_error *error) {
    cli_vector vector = {.type = type, .size = jr_type_size(type)};
    cli_exit code = column ? cli_read_csv(&part->bytes, column, &vector, reason, error)
                           : cli_read_text(&part->bytes, &vector, reason, error);
    if (code == CLI_OK) cli_vector_finish(&vector, &part->data);
    free(vector.bytes);
    return code;
}

/* Reads all texts as one type, or none. */
static cli_exit read_texts_as(cli_input *input, jr_type type, uint64_t column, cli_number_status *reason,
                              cli_error *error) {
    for (int i = 0; i < input->part_count; i++) {
        cli_part *part = &input->parts[i];
        if (part->format != CLI_FORMAT_TEXT) continue;
        cli_exit code = read_one_text(part, type, column, reason, error);
        if (code == CLI_OK) continue;
        for (int j = 0; j < i; j++)
            if (input->parts[j].format == CLI_FORMAT_TEXT) cli_data_free(&input->parts[j].data);
        return code;
    }
    input->type = type;
    return CLI_OK;
}

/* The first type that holds every number of every text. A token that is no number at all ends the search. */
static cli_exit read_texts(cli_input *input, uint64_t column, cli_error *error) {
    static const jr_type candidates[] = {JR_I64, JR_U64, JR_F64};
    cli_number_status reason = CLI_NUMBER_OK;
    bool any = false;
    for (int i = 0; i < input->part_count; i++) any |= input->parts[i].format == CLI_FORMAT_TEXT;
    if (!any) return CLI_OK;
    if (input->type != JR_TYPE_NONE) return read_texts_as(input, input->type, column, &reason, error);
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (reason == CLI_NUMBER_NOT_INTEGER && candidates[i] == JR_U64) continue;
        cli_exit code = read_texts_as(input, candidates[i], column, &reason, error);
        /* A first number such as inf is not whole either: only f64 has the last word on what is no number. */
        if (code == CLI_OK || reason == CLI_NUMBER_OK || reason == CLI_NUMBER_NO_MEMORY) return code;
        if (reason == CLI_NUMBER_NONE || reason == CLI_NUMBER_TOO_LONG || candidates[i] == JR_F64) return code;
    }
    return CLI_FAILURE;
}

/* One part that holds everything is used where it lies; several are copied together. */
static cli_exit join(cli_input *input, cli_error *error) {
    const cli_part *only = NULL;
    int filled = 0;
    for (int i = 0; i < input->part_count; i++) {
        if (input->parts[i].data.count == 0) continue;
        only = &input->parts[i];
        input->count += only->data.count; /* cannot overflow: all of it is in memory */
        filled++;
    }
    input->elements = only ? only->data.elements : NULL;
    if (filled < 2) return CLI_OK;
    cli_exit code = cli_data_create(&input->joined, input->type, input->element_bytes, input->count, "input", error);
    if (code != CLI_OK) return code;
    char *to = input->joined.owned;
    for (int i = 0; i < input->part_count; i++) {
        size_t bytes = input->parts[i].data.count * input->element_bytes;
        if (bytes) memcpy(to, input->parts[i].data.elements, bytes);
        to += bytes;
    }
    input->elements = input->joined.elements;
    return CLI_OK;
}

static size_t element_bytes(const cli_options *options, jr_type type) {
    return type == JR_STRUCT ? options->structure.bytes : jr_type_size(type);
}

static cli_exit read_files(const cli_options *options, cli_input *input, cli_error *error) {
    input->type = options->spec.type;
    input->element_bytes = element_bytes(options, input->type);
    cli_exit code = open_parts(options, input, error);
    if (code == CLI_OK) code = read_binaries(input, error);
    if (code == CLI_OK) code = read_texts(input, options->column, error);
    input->element_bytes = element_bytes(options, input->type);
    if (code == CLI_OK) code = join(input, error);
    return code;
}

static cli_exit generate(const cli_options *options, cli_input *input, cli_error *error) {
    if (options->file_count)
        return cli_fail(error, CLI_USAGE, "%s: a file and generated data do not go together", options->files[0]);
    cli_exit code = cli_generate(options, &input->joined, error);
    if (code != CLI_OK) return code;
    input->type = input->joined.type;
    input->element_bytes = jr_type_size(input->type);
    input->count = input->joined.count;
    input->elements = input->joined.elements;
    return CLI_OK;
}

/* --offset and --count, which leave no shape. */
static cli_exit narrow(const cli_options *options, cli_input *input, cli_error *error) {
    if (options->offset > input->count)
        return cli_fail(error, CLI_FAILURE, "--offset: %llu elements to leave out, but the input has %llu",
                        (unsigned long long)options->offset, (unsigned long long)input->count);
    uint64_t left = input->count - options->offset;
    if (options->count != UINT64_MAX && options->count > left)
        return cli_fail(error, CLI_FAILURE, "--count: %llu elements wanted, but the input has %llu after the offset",
                        (unsigned long long)options->count, (unsigned long long)left);
    if (options->offset) input->elements = (const char *)input->elements + options->offset * input->element_bytes;
    input->count = options->count < left ? options->count : left;
    const bool whole = options->offset == 0 && options->count == UINT64_MAX;
    input->shape = whole && input->part_count == 1 && input->parts[0].format == CLI_FORMAT_NPY
                       ? input->parts[0].data.shape
                       : cli_shape_flat(input->count);
    return CLI_OK;
}

cli_exit cli_input_read(const cli_options *options, cli_input *input, cli_error *error) {
    cli_input found = {0};
    cli_exit code =
        options->random || options->iota ? generate(options, &found, error) : read_files(options, &found, error);
    if (code == CLI_OK) code = narrow(options, &found, error);
    if (code != CLI_OK)
        cli_input_free(&found);
    else
        *input = found;
    return code;
}

void cli_input_free(cli_input *input) {
    for (int i = 0; i < input->part_count; i++) {
        cli_data_free(&input->parts[i].data);
        cli_bytes_free(&input->parts[i].bytes);
    }
    free(input->parts);
    cli_data_free(&input->joined);
    *input = (cli_input){0};
}
