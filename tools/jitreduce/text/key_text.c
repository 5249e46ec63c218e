/* Orders keys that are texts, and prints them as fields of a line and as JSON strings. */
#include "key_text.h"

#include <string.h>

#include "base/utf8.h"

int cli_key_text_compare(const cli_key_text *a, const cli_key_text *b) {
    const size_t least = a->length < b->length ? a->length : b->length;
    const int order = least > 0 ? memcmp(a->begin, b->begin, least) : 0;
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool needs_quotes(const cli_key_text *text, char separator) {
    if (text->length == 0 || is_blank(text->begin[0]) || is_blank(text->begin[text->length - 1])) return true;
    for (size_t i = 0; i < text->length; i++)
        if (text->begin[i] == separator || strchr("\"\r\n", text->begin[i]) != NULL) return true;
    return false;
}

void cli_key_text_print(FILE *out, const cli_key_text *text, char separator) {
    const bool quoted = needs_quotes(text, separator);
    if (quoted) putc('"', out);
    for (size_t i = 0; i < text->length; i++) {
        if (text->begin[i] == '"') putc('"', out);
        putc(text->begin[i], out);
    }
    if (quoted) putc('"', out);
}

bool cli_key_text_is_utf8(const cli_key_text *text) {
    size_t at = 0;
    for (size_t length = 1; at < text->length && length > 0; at += length)
        length = cli_utf8_bytes((const unsigned char *)text->begin + at, text->length - at);
    return at == text->length;
}

void cli_key_text_json(FILE *out, const cli_key_text *text) {
    const unsigned char *bytes = (const unsigned char *)text->begin;
    putc('"', out);
    for (size_t at = 0, length; at<text->length; at += length> 0 ? length : 1) {
        length = cli_utf8_bytes(bytes + at, text->length - at);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (bytes[at] == '"' || bytes[at] == '\\')
            fprintf(out, "\\%c", bytes[at]);
        else if (bytes[at] < 0x20 || bytes[at] == 0x7f)
            fprintf(out, "\\u%04x", bytes[at]);
        else
            fwrite(bytes + at, 1, length, out);
    }
    putc('"', out);
}
