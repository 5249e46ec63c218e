/* Finds where a program's includes end, and puts its text in another order. */
#include "pch_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "pch_headers.h"
#include "program/lexemes.h"
#include "program/options.h"

static bool defines_macros(const jr_program *program) {
    for (size_t i = 0; i < program->option_count; i++) {
        const char *name = program->options[i] + strspn(program->options[i], "-");
        if (name[0] == 'D' || name[0] == 'U' || !strncmp(name, "define-macro", 12) ||
            !strncmp(name, "undefine-macro", 14))
            return true;
    }
    return false;
}

static bool is_of_word(char byte) {
    return isalnum((unsigned char)byte) || byte == '_';
}

/* Does a text have a word, be it in a comment? bytes: how much of the text counts. */
static bool mentions(const char *text, size_t bytes, const char *word) {
    const size_t length = strlen(word);
    const char *end = text + bytes, *at = text;
    while ((at = memmem(at, (size_t)(end - at), word, length)) != NULL) {
        const bool begins = at == text || !is_of_word(at[-1]);
        if (begins && (at + length == end || !is_of_word(at[length]))) return true;
        at += length;
    }
    return false;
}

static bool any_mentions(const jr_headers *headers, const char *prefix, size_t prefix_bytes, const char *word) {
    if (mentions(prefix, prefix_bytes, word)) return true;
    for (size_t i = 0; i < headers->count; i++)
        if (mentions(headers->texts[i], strlen(headers->texts[i]), word)) return true;
    return false;
}

/* Past the constants and the #line that precede the source itself. */
static const char *source_of(const jr_program *program, const char *text) {
    for (size_t i = 0; i <= program->constant_count && text != NULL; i++) {
        text = strchr(text, '\n');
        if (text != NULL) text++;
    }
    return text;
}

/* Past blanks, comments and ends of lines. */
static const char *past_empty(const jr_lexing *lexing, const char *at) {
    const char *next = at;
    do {
        at = next;
        next = jr_lexeme_past_blanks(lexing, at);
        if (*next == '\n') next++;
    } while (next != at);
    return at;
}

/* Past the end of a directive's line. */
static const char *past_line(const jr_lexing *lexing, const char *at) {
    while (*at != '\0' && *at != '\n') {
        const char *next = jr_lexeme_past_blanks(lexing, at);
        at = next != at ? next : jr_lexeme_end(lexing, at);
    }
    return *at == '\n' ? at + 1 : at;
}

/* The end of the line of the last include outside all conditions that precedes the first code; 0: there is no such
 * include. A #line of the program's own ends the search: no header is precompiled after one. */
static size_t find_end(const char *source, int standard) {
    const jr_lexing lexing = jr_lexing_of(standard);
    char word[JR_LEXEME_WORD_BYTES];
    size_t end = 0;
    int depth = 0;
    for (const char *at = past_empty(&lexing, source); *at == '#'; at = past_empty(&lexing, at)) {
        at = jr_lexeme_past_blanks(&lexing, at + 1);
        if (!jr_lexeme_word(&lexing, at, word, &at)) word[0] = '\0';
        at = past_line(&lexing, at);
        if (strcmp(word, "line") == 0) break;
        if (strncmp(word, "if", 2) == 0) depth++;
        if (strcmp(word, "endif") == 0) depth--;
        if (strcmp(word, "include") == 0 && depth == 0 && at[-1] == '\n') end = (size_t)(at - source);
    }
    return end;
}

static size_t count_lines(const char *text, size_t bytes) {
    size_t lines = 0;
    for (size_t i = 0; i < bytes; i++) lines += text[i] == '\n';
    return lines;
}

/* Joins the text; `constants` are the lines up to the source's #line. */
static char *join(const jr_program *program, const char *constants, const char *source, size_t prefix_bytes) {
    jr_text made = {0};
    jr_text_append_bytes(&made, source, prefix_bytes);
    jr_text_append(&made, "#pragma nv_hdrstop\n");
    const char *end = constants;
    for (size_t i = 0; i < program->constant_count; i++) end = strchr(end, '\n') + 1;
    jr_text_append_bytes(&made, constants, (size_t)(end - constants));
    jr_text_append(&made, "#line %zu \"%s\"\n%s", count_lines(source, prefix_bytes) + 1, program->name,
                   source + prefix_bytes);
    char *text = jr_text_take(&made);
    jr_text_free(&made);
    return text;
}

bool jr_pch_text_make(const jr_program_text *text, const jr_headers *headers, jr_pch_text *made) {
    const jr_program *program = text->program;
    const int standard = jr_options_standard(program);
    if (headers == NULL || headers->source == NULL || text->debug != JR_DEBUG_NONE || text->relocatable ||
        defines_macros(program) || jr_pch_headers_bytes(headers) < JR_PCH_HEADER_BYTES_LEAST)
        return false;
    const char *source = source_of(program, headers->source);
    const size_t end = source != NULL ? find_end(source, standard > 0 ? standard : JR_STANDARD_DEFAULT) : 0;
    if (end == 0 || any_mentions(headers, source, end, "__BASE_FILE__")) return false;
    for (size_t i = 0; i < program->constant_count; i++)
        if (any_mentions(headers, source, end, program->constants[i].name)) return false;
    *made = (jr_pch_text){join(program, headers->source, source, end), end};
    return made->text != NULL;
}
