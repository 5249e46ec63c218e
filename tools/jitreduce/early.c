/* Checks the beginning of an input while the rest is still to come.
 *
 * The newest block is read with the readers themselves, for a few blocks in all. When it looks bad, everything so far
 * is read: that has the last word, since a block may begin inside a comment, and finds the first fault. */
#include "early.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "npy_header.h"
#include "readers.h"

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

cli_format cli_format_recognise(const cli_bytes *bytes, cli_format wanted) {
    if (wanted != CLI_FORMAT_AUTO && wanted != CLI_FORMAT_BINARY) return wanted;
    if (cli_npy_recognise(bytes) || ends_with(bytes->name, ".npy")) return CLI_FORMAT_NPY;
    return wanted == CLI_FORMAT_BINARY ? CLI_FORMAT_RAW : CLI_FORMAT_TEXT;
}

/* The end of the last whole token, or line where there are columns. One beyond its greatest length counts as whole, so
 * that the reader refuses it. */
static size_t whole_bytes(const cli_bytes *read, bool lines) {
    size_t most = lines ? CLI_LINE_BYTES : CLI_TOKEN_BYTES;
    for (size_t end = read->size; end > 0; end--) {
        if (read->size - end > most) return read->size;
        char last = read->data[end - 1];
        if (last == '\n' || (!lines && cli_kind(last) == CLI_BLANK)) return end;
    }
    return 0;
}

/* Where the newest block has its first line, else its first token; 0: nowhere. */
static size_t newest_begin(const cli_bytes *read, size_t end, bool lines) {
    size_t from = read->size > CLI_BLOCK_BYTES ? read->size - CLI_BLOCK_BYTES : end;
    if (from >= end) return 0;
    const char *newline = memchr(read->data + from, '\n', end - from);
    if (newline) return (size_t)(newline - read->data) + 1;
    while (!lines && from < end && cli_kind(read->data[from]) != CLI_BLANK) from++;
    return lines || from == end ? 0 : from + 1; /* behind a comma, which may end a number before the block */
}

/* Reads [begin, end) as a text. Where no type is given it is f64, which has the last word on what is a number. */
static cli_exit try_text(const cli_options *options, const cli_bytes *read, size_t begin, size_t end,
                         cli_error *error) {
    jr_type type = options->spec.type == JR_TYPE_NONE ? JR_F64 : options->spec.type;
    cli_bytes part = {.name = read->name, .data = read->data + begin, .size = end - begin};
    cli_vector vector = {.type = type, .size = jr_type_size(type)};
    cli_number_status reason;
    cli_exit code = options->column ? cli_read_csv(&part, options->column, &vector, &reason, error)
                                    : cli_read_text(&part, &vector, &reason, error);
    free(vector.bytes);
    return reason == CLI_NUMBER_NO_MEMORY ? CLI_OK : code;
}

cli_exit cli_early_check(const void *options, const cli_bytes *read, cli_error *error) {
    const cli_options *asked = options;
    cli_format format = cli_format_recognise(read, asked->format);
    cli_npy_header header;
    if (format == CLI_FORMAT_NPY && !cli_npy_recognise(read)) return cli_npy_header_parse(read, &header, error);
    if (format != CLI_FORMAT_TEXT) return CLI_OK;
    size_t end = whole_bytes(read, asked->column != 0), begin = newest_begin(read, end, asked->column != 0);
    if (begin && try_text(asked, read, begin, end, error) == CLI_OK) return CLI_OK;
    return try_text(asked, read, 0, end, error);
}
