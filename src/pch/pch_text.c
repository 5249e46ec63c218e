/* Finds where a program's includes end, and puts its text in another order. */
#include "pch_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "pch_headers.h"
#include "pch_names.h"
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

/* Do the headers or the prefix ask for the name of the program's file? */
static bool ask_for_file(const jr_headers *headers, const char *prefix, size_t prefix_bytes) {
    static const char word[] = "__BASE_FILE__";
    bool asked = memmem(prefix, prefix_bytes, word, sizeof word - 1) != NULL;
    for (size_t i = 0; !asked && i < headers->count; i++) asked = strstr(headers->texts[i], word) != NULL;
    return asked;
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
    if (end == 0 || ask_for_file(headers, source, end) || jr_pch_names_used(program, headers, source, end))
        return false;
    *made = (jr_pch_text){join(program, headers->source, source, end), end};
    return made->text != NULL;
}
