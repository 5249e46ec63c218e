/* The one way a parse fails, and its memory, whose lack is a failure, too. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parser.h"
#include "sim_text.h"

__attribute__((format(printf, 3, 0))) static void report(jrs_parser *parser, bool unsupported, const char *format,
                                                         va_list arguments) {
    char sentence[1024], text[JRS_TEXT_BYTES] = "";
    vsnprintf(sentence, sizeof sentence, format, arguments);
    const char *kind = unsupported ? "unsupported" : "invalid";
    parser->unsupported = unsupported;
    const jrs_statement *statement = parser->statement;
    if (statement) jrs_text_collapse(text, statement->text, statement->text_bytes);
    parser->report->error = 218;
    if (statement)
        snprintf(parser->report->message, JRS_MESSAGE_BYTES, "%s PTX: line %u '%s': %s", kind, statement->line, text,
                 sentence);
    else
        snprintf(parser->report->message, JRS_MESSAGE_BYTES, "%s PTX: line %u: %s", kind, parser->line, sentence);
}

void jrs_parse_fail(jrs_parser *parser, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(parser, false, format, arguments);
    va_end(arguments);
    longjmp(*parser->failed, 1);
}

void jrs_parse_refuse(jrs_parser *parser, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(parser, true, format, arguments);
    va_end(arguments);
    longjmp(*parser->failed, 1);
}

void *jrs_parse_take(jrs_parser *parser, size_t bytes) {
    void *piece = jrs_arena_take(&parser->module->arena, bytes ? bytes : 1);
    if (!piece) jrs_parse_fail(parser, "out of memory for %zu bytes", bytes);
    return piece;
}

const char *jrs_parse_string(jrs_parser *parser, const char *text, size_t length) {
    char *copy = jrs_parse_take(parser, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void *jrs_parse_grow(jrs_parser *parser, const void *old, size_t old_bytes, size_t new_bytes) {
    void *grown = jrs_parse_take(parser, new_bytes);
    if (old_bytes) memcpy(grown, old, old_bytes);
    return grown;
}
