/* Reads one field of each line of a text: CSV, TSV, or columns between white space.
 * The first line decides what parts the fields, and may be a header: its field need not be a number. */
#include "lines.h"
#include "readers.h"

/* The first of comma, semicolon and tab that the line has, else white space (' '). */
static char find_separator(const char *line, const char *end) {
    for (const char *s = ",;\t"; *s != '\0'; s++)
        if (memchr(line, *s, (size_t)(end - line)) != NULL) return *s;
    return ' ';
}

static bool is_space(char c) {
    return cli_kind(c) == CLI_BLANK && c != ',';
}

/* The end of the field at `at`; separators between double quotes do not count. */
static const char *field_end(const char *at, const char *end, char separator) {
    bool quoted = false;
    for (; at < end; at++) {
        if (!quoted && (separator == ' ' ? is_space(*at) : *at == separator)) break;
        quoted ^= *at == '"';
    }
    return at;
}

/* Finds field `column` (from 1) of a line; returns how many fields the line has, counted no further than that one. */
static uint64_t find_field(const char *line, const char *end, char separator, uint64_t column, const char *field[2]) {
    const char *at = line;
    for (uint64_t number = 1;; number++, at++) {
        while (separator == ' ' && at < end && is_space(*at)) at++;
        if (separator == ' ' && at >= end) return number - 1;
        field[0] = at;
        field[1] = at = field_end(at, end, separator);
        if (number == column || at == end) return number;
    }
}

/* Takes white space and one pair of double quotes off a field. */
static void trim(const char *field[2]) {
    while (field[0] < field[1] && is_space(*field[0])) field[0]++;
    while (field[0] < field[1] && is_space(*(field[1] - 1))) field[1]--;
    if (field[1] - field[0] < 2 || *field[0] != '"' || *(field[1] - 1) != '"') return;
    field[0]++;
    field[1]--;
}

static bool is_skipped(const char *line, const char *end) {
    while (line < end && is_space(*line)) line++;
    return line == end || cli_kind(*line) == CLI_COMMENT;
}

static cli_number_status parse_field(const char *const field[2], cli_vector *vector) {
    if (field[1] - field[0] > CLI_TOKEN_BYTES) return CLI_NUMBER_TOO_LONG;
    if (!cli_vector_grow(vector)) return CLI_NUMBER_NO_MEMORY;
    return cli_number_parse(vector->type, field[0], field[1], vector->bytes + vector->used);
}

cli_exit cli_read_csv(const cli_bytes *bytes, uint64_t column, cli_vector *vector, cli_number_status *reason,
                      cli_error *error) {
    const char *at = cli_text_begin(bytes), *end = at + (bytes->size - (size_t)(at - bytes->data));
    char separator = '\0';
    *reason = CLI_NUMBER_OK;
    for (const char *stop; at < end; at = stop + (stop < end)) {
        const char *field[2] = {at, at};
        stop = cli_line_end(at, end);
        if (stop - at > CLI_LINE_BYTES) {
            cli_error_set_line(bytes, at, error, "the line is longer than %d bytes", CLI_LINE_BYTES);
            return CLI_FAILURE;
        }
        if (is_skipped(at, stop)) continue;
        bool first = separator == '\0';
        if (first) separator = find_separator(at, stop);
        uint64_t fields = find_field(at, stop, separator, column, field);
        if (fields < column) {
            cli_error_set_line(bytes, at, error, "the line has %llu field%s, but column %llu is wanted",
                               (unsigned long long)fields, fields == 1 ? "" : "s", (unsigned long long)column);
            return CLI_FAILURE;
        }
        trim(field);
        *reason = parse_field(field, vector);
        if (first && *reason == CLI_NUMBER_NONE && field[0] < field[1]) continue;
        if (*reason != CLI_NUMBER_OK) return cli_fail_token(bytes, field, vector->type, *reason, error);
        vector->used += vector->size;
    }
    *reason = CLI_NUMBER_OK;
    return CLI_OK;
}
