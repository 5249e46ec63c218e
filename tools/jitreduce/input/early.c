/* Recognises formats, and checks the beginning of a binary input while the rest is still to come. */
#include "early.h"

#include <string.h>

#include "npy/npy_header.h"
#include "npy/npz.h"

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Numbers of a text: white space stands between them, which raw keys that happen to be digits lack. */
static bool are_numbers(const cli_bytes *bytes) {
    enum { LOOKED_AT = 4096 };
    const size_t size = bytes->size < LOOKED_AT ? bytes->size : LOOKED_AT;
    bool parted = false;
    for (size_t i = 0; i < size; i++) {
        const char c = bytes->data[i];
        if (c == '\0' || strchr("0123456789+-.eEinfaNIFA, \t\r\n", c) == NULL) return false;
        parted |= c == '\n' || c == ' ' || c == '\t' || c == ',';
    }
    return parted;
}

cli_format cli_format_recognise(const cli_bytes *bytes, cli_format wanted) {
    if (wanted == CLI_FORMAT_KEYS)
        wanted = ends_with(bytes->name, ".txt") || ends_with(bytes->name, ".csv") || are_numbers(bytes)
                     ? CLI_FORMAT_AUTO
                     : CLI_FORMAT_BINARY;
    if (wanted != CLI_FORMAT_AUTO && wanted != CLI_FORMAT_BINARY) return wanted;
    if (cli_npy_recognise(bytes) || cli_npz_recognise(bytes) || ends_with(bytes->name, ".npy")) return CLI_FORMAT_NPY;
    return wanted == CLI_FORMAT_BINARY ? CLI_FORMAT_RAW : CLI_FORMAT_TEXT;
}

cli_exit cli_early_check(const void *options, const cli_bytes *read, cli_error *error) {
    const cli_options *asked = options;
    cli_npy_header header;
    cli_bytes begin = *read;
    if (cli_format_recognise(read, asked->format) != CLI_FORMAT_NPY || cli_npz_recognise(read) ||
        (cli_npy_recognise(read) && read->size < cli_npy_header_bytes(read)))
        return CLI_OK;
    begin.field = asked->field;
    const cli_exit code = cli_npy_header_parse(&begin, &header, error);
    const uint64_t promised = header.count * header.item_bytes;
    if (code != CLI_OK || read->size - header.offset <= promised) return code;
    return cli_fail(error, CLI_FAILURE, "%s: byte %llu: bytes follow the last element", read->name,
                    (unsigned long long)(header.offset + promised));
}
