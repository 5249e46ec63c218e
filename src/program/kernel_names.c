/* Looks for __global__ in a source, outside comments, literals and directives. */
#include "kernel_names.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "lexemes.h"

enum { SCOPES_MAX = 16, SHOWN_MAX = 16 };

/* One walk through a source. */
typedef struct finder {
    const char *at;
    jr_lexing lexing;
    int depth; /* of braces */
    struct {
        int depth;        /* of the braces inside it */
        size_t kept;      /* the length of the prefix outside of it, to which its end cuts the prefix back */
    } scopes[SCOPES_MAX]; /* namespaces */
    int scope_count;
    char prefix[JR_KERNEL_NAME_BYTES]; /* "ours::inner::" */
    bool in_line;
    bool templated; /* the declaration began with template <...> */
    bool declares;  /* it has __global__: the next name before a bracket is a kernel's */
} finder;

/* Past blanks, comments, ends of lines and directives. */
static void skip(finder *it) {
    for (;;) {
        it->at = jr_lexeme_past_blanks(&it->lexing, it->at);
        if (*it->at == '\n') {
            it->at++;
            it->in_line = false;
        } else if (*it->at == '#' && !it->in_line) {
            while (*it->at != '\0' && *it->at != '\n') {
                it->at = jr_lexeme_past_blanks(&it->lexing, it->at);
                if (*it->at != '\n') it->at = jr_lexeme_end(&it->lexing, it->at);
            }
        } else {
            it->in_line = true;
            return;
        }
    }
}

static bool take_word(finder *it, char word[JR_LEXEME_WORD_BYTES]) {
    const char *end;
    skip(it);
    if (!jr_lexeme_word(&it->lexing, it->at, word, &end)) return false;
    it->at = jr_lexeme_end(&it->lexing, it->at); /* a raw string begins as a word, too */
    return true;
}

/* Past a group of brackets that begins here, as "(256)". */
static void skip_group(finder *it, char open, char close) {
    int depth = 0;
    do {
        skip(it);
        depth += *it->at == open ? 1 : *it->at == close ? -1 : 0;
        it->at = jr_lexeme_end(&it->lexing, it->at);
    } while (depth > 0 && *it->at != '\0');
}

/* Enters "namespace a::b {"; skips an alias or a using. */
static void take_namespace(finder *it) {
    char word[JR_LEXEME_WORD_BYTES], name[JR_KERNEL_NAME_BYTES] = "";
    size_t length = 0;
    while (take_word(it, word)) {
        const int added = snprintf(name + length, sizeof name - length, "%s::", word);
        if (added < 0 || (size_t)added >= sizeof name - length) return;
        length += (size_t)added;
        skip(it);
        while (*it->at == ':') it->at++;
    }
    if (*it->at != '{' || it->scope_count == SCOPES_MAX) return;
    const size_t kept = strlen(it->prefix);
    if (kept + length >= sizeof it->prefix) return;
    it->at++;
    it->scopes[it->scope_count].depth = ++it->depth;
    it->scopes[it->scope_count++].kept = kept;
    memcpy(it->prefix + kept, name, length + 1);
}

static void leave_brace(finder *it) {
    while (it->scope_count > 0 && it->depth <= it->scopes[it->scope_count - 1].depth) {
        it->scope_count--;
        it->prefix[it->scopes[it->scope_count].kept] = '\0';
    }
    if (it->depth > 0) it->depth--;
}

static bool is_attribute(const char *word) {
    static const char *const words[] = {"__launch_bounds__", "__maxnreg__",  "__block_size__", "__cluster_dims__",
                                        "__attribute__",     "__declspec__", "alignas",        "decltype"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0) return true;
    return false;
}

static void keep(const finder *it, const char *word, jr_kernel_names *names) {
    jr_declared_kernel name = {.is_template = it->templated};
    const int length = snprintf(name.text, sizeof name.text, "%s%s", it->prefix, word);
    if (length < 0 || (size_t)length >= sizeof name.text || names->count == JR_KERNEL_NAMES_MAX) return;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i].text, name.text) == 0) return;
    names->items[names->count++] = name;
}

/* Steps over one word: a keyword that matters, or, after __global__, the kernel's name, which is kept. */
static void take(finder *it, const char *word, jr_kernel_names *names) {
    if (strcmp(word, "__global__") == 0) {
        it->declares = true;
    } else if (strcmp(word, "namespace") == 0) {
        take_namespace(it);
    } else if (strcmp(word, "template") == 0) {
        skip(it);
        if (*it->at == '<') it->templated = true; /* its parameters are words like others */
    } else if (it->declares) {
        skip(it);
        if (is_attribute(word) && *it->at == '(') {
            skip_group(it, '(', ')');
        } else if (*it->at == '(') {
            keep(it, word, names);
            it->declares = it->templated = false;
        } else if (*it->at == '<') {
            it->declares = it->templated = false; /* an instance of a template that is declared elsewhere */
        }
    }
}

void jr_kernel_names_find(const char *source, int standard, jr_kernel_names *names) {
    finder it = {.at = jr_lexeme_past_mark(source), .lexing = jr_lexing_of(standard)};
    char word[JR_LEXEME_WORD_BYTES];
    names->count = 0;
    for (skip(&it); *it.at != '\0'; skip(&it)) {
        if (take_word(&it, word)) {
            take(&it, word, names);
            continue;
        }
        if (*it.at == '{') it.depth++;
        if (*it.at == '}') leave_brace(&it);
        if (strchr("{};", *it.at) != NULL) it.templated = it.declares = false;
        it.at = jr_lexeme_end(&it.lexing, it.at);
    }
}

void jr_kernel_names_append(const jr_kernel_names *names, jr_text *text) {
    for (size_t i = 0; i < names->count && i < SHOWN_MAX; i++)
        jr_text_append(text, "%s%s%s", i > 0 ? ", " : "", names->items[i].text,
                       names->items[i].is_template ? "<...>" : "");
    if (names->count > SHOWN_MAX) jr_text_append(text, " and more");
}

/* ---- the nearest ---- */

/* The last part of a name, without namespaces and template arguments; its length. */
static const char *base_of(const char *name, size_t *length) {
    const size_t whole = strcspn(name, "< (");
    size_t begin = whole;
    while (begin > 0 && name[begin - 1] != ':') begin--;
    *length = whole - begin;
    return name + begin;
}

const jr_declared_kernel *jr_kernel_names_nearest(const jr_kernel_names *names, const char *entry) {
    const jr_declared_kernel *nearest = NULL;
    size_t length, least;
    const char *wanted = base_of(entry, &length);
    if (length >= JR_KERNEL_NAME_BYTES) return NULL;
    least = 1 + (length + 1) / 3;
    if (least > length) least = length;
    for (size_t i = 0; i < names->count; i++) {
        size_t other_length;
        const char *other = base_of(names->items[i].text, &other_length);
        const size_t slips = jr_nearest_slips(wanted, length, other, other_length);
        if (slips >= least) continue;
        least = slips;
        nearest = &names->items[i];
    }
    return nearest;
}
