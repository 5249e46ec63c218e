/* Finds fields of CSV (RFC 4180), TSV, or columns between white space. */
#include "table_fields.h"

#include <stddef.h>
#include <string.h>

#include "lines.h"

bool cli_field_blank(char c, char separator) {
    return c != separator && c != '\n' && c != ',' && cli_kind(c) == CLI_BLANK;
}

/* The separator or the newline after a field without quotes. */
static const char *field_stop(const char *at, const char *end, char separator) {
    if (separator != ' ')
        while (at < end && *at != separator && *at != '\n') at++;
    else
        while (at < end && *at != '\n' && !cli_field_blank(*at, '\n')) at++;
    return at;
}

/* Finds the quote that closes a field. at: after the opening quote. NULL: no closing quote before the end. */
static const char *closing_quote(const char *at, const char *end, bool *doubled) {
    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        if (at + 1 == end || at[1] != '"') return at;
        *doubled = true;
        at += 2;
    }
    return NULL;
}

static bool is_line_end(const char *at, const char *end) {
    return at == end || *at == '\n';
}

const char *cli_field_find(const char *at, const char *end, char separator, cli_field *field, bool *open) {
    const char *start = at;
    *field = (cli_field){.doubled = false};
    while (at < end && cli_field_blank(*at, separator == ' ' ? '\n' : separator)) at++;
    const char *begin = at, *close = NULL;
    if (at < end && *at == '"') {
        close = closing_quote(at + 1, end, &field->doubled);
        *open = close == NULL;
        at = *open ? end : close + 1;
    }
    at = field_stop(at, end, separator);
    const char *stop = at;
    while (stop > begin && cli_field_blank(stop[-1], separator == ' ' ? '\n' : separator)) stop--;
    const bool quoted = close != NULL && stop == close + 1; /* what follows the quote makes it no quoted field */
    field->quoted = quoted;
    field->begin = quoted ? begin + 1 : begin;
    field->end = quoted ? close : stop;
    field->raw_begin = quoted || separator == ' ' ? field->begin : start;
    field->raw_end = quoted || separator == ' ' ? field->end : at;
    if (!quoted && field->raw_end > field->raw_begin && field->raw_end[-1] == '\r' && is_line_end(at, end))
        field->raw_end--;
    return at;
}

const char *cli_fields_end(const char *at, const char *end, char separator) {
    cli_field field;
    bool open = false;
    const char *newline = cli_line_end(at, end);
    if (memchr(at, '"', (size_t)(newline - at)) == NULL) return newline;
    while (at < end && *at != '\n') {
        at = cli_field_find(at, end, separator, &field, &open);
        if (open) return NULL;
        at += at < end && *at != '\n';
    }
    return at;
}

const char *cli_lone_return(const char *at, const char *end) {
    bool quoted = false;
    for (; at + 1 < end; at++) {
        quoted ^= *at == '"';
        if (!quoted && at[0] == '\r' && at[1] != '\n' && at[1] != '\r') return at;
    }
    return NULL;
}
