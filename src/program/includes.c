/* Looks for includes of real files. */
#include "includes.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "sources.h"

/* One text while it is looked through; line splices (a backslash before the end of a line) are taken for blanks. */
typedef struct text_scan {
    const char *at;
    int line;
} text_scan;

static bool is_splice(const char *at) {
    return at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'));
}

/* Moves past blanks, splices and comments that stay within the directive. */
static void skip_blanks(text_scan *scan) {
    for (;;) {
        if (is_splice(scan->at)) {
            scan->at += scan->at[1] == '\n' ? 2 : 3;
            scan->line++;
        } else if (scan->at[0] == '/' && scan->at[1] == '*') {
            const char *end = strstr(scan->at + 2, "*/");
            scan->at = end != NULL ? end + 2 : scan->at + strlen(scan->at);
        } else if (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\v' || *scan->at == '\f') {
            scan->at++;
        } else {
            return;
        }
    }
}

/* Whether a word stands here, spelled with splices or not; moves past it if so. */
static bool take_word(text_scan *scan, const char *word) {
    text_scan here = *scan;
    for (; *word != '\0'; word++) {
        while (is_splice(here.at)) here.at += here.at[1] == '\n' ? 2 : 3;
        if (*here.at++ != *word) return false;
    }
    *scan = here;
    return true;
}

/* What is named after an include: a plain relative path in quotes or angles. */
static bool names_a_plain_file(const text_scan *scan) {
    const char close = *scan->at == '"' ? '"' : '>';
    if (*scan->at != '"' && *scan->at != '<') return false; /* a macro: who knows what it becomes */
    const char *name = scan->at + 1;
    const char *end = strpbrk(name, close == '"' ? "\"\n\\" : ">\n\\");
    if (end == NULL || *end != close || *name == '/') return false;
    for (const char *dots = name; dots + 1 < end; dots++)
        if (dots[0] == '.' && dots[1] == '.') return false;
    return true;
}

/* Whether the text that follows asks for a file that is none of ours. */
static bool asks_for_a_file(text_scan scan) {
    if (take_word(&scan, "__has_include") || take_word(&scan, "__has_embed")) {
        take_word(&scan, "_next");
        skip_blanks(&scan);
        if (*scan.at == '(') scan.at++;
        skip_blanks(&scan);
        return !names_a_plain_file(&scan);
    }
    if (!take_word(&scan, "#") && !take_word(&scan, "%:") && !take_word(&scan, "?\?=")) return false;
    skip_blanks(&scan);
    if (!take_word(&scan, "include") && !take_word(&scan, "import") && !take_word(&scan, "embed")) return false;
    take_word(&scan, "_next");
    skip_blanks(&scan);
    return !names_a_plain_file(&scan);
}

static jr_status check_text(const char *program, const char *what, const char *text) {
    text_scan scan = {text, 1};
    if (jr_sources_digest(text) != NULL) return JR_OK; /* embedded: test_program looks through them */
    for (; *scan.at != '\0'; scan.at++) {
        if (*scan.at == '\n') scan.line++;
        if (strchr("#%?_", *scan.at) != NULL && asks_for_a_file(scan))
            return jr_fail(
                JR_ERROR_INVALID_ARGUMENT,
                "%s of program %s, line %d: only program.headers, files of include folders and NVRTC's own headers can "
                "be included, by a plain name",
                what, program, scan.line);
    }
    return JR_OK;
}

jr_status jr_includes_check(const jr_program *program) {
    jr_status status = check_text(program->name, "the source", program->source);
    for (size_t i = 0; status == JR_OK && i < program->header_count; i++)
        status = check_text(program->name, program->headers[i].name, program->headers[i].text);
    for (size_t i = 0; status == JR_OK && i < program->constant_count; i++)
        status = check_text(program->name, program->constants[i].name, program->constants[i].text);
    return status;
}
