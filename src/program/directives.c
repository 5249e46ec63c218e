/* Finds the names of files in directives. */
#include "directives.h"

#include <string.h>

/* What a name of a file may be made of where it only might be one. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";

static bool is_splice(const char *at) {
    return at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'));
}

static size_t splice_length(const char *at) {
    return at[1] == '\n' ? 2 : 3;
}

/* Past blanks, splices and comments that end within the text. Lines are counted at the end, by who goes on there. */
static const char *skip_blanks(const char *at) {
    for (;;) {
        if (is_splice(at)) {
            at += splice_length(at);
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end != NULL ? end + 2 : at + strlen(at);
        } else if (*at == ' ' || *at == '\t' || *at == '\v' || *at == '\f') {
            at++;
        } else {
            return at;
        }
    }
}

/* Past a word, spelled with splices or not; NULL when it does not stand here. */
static const char *past(const char *at, const char *word) {
    for (; *word != '\0'; word++) {
        while (is_splice(at)) at += splice_length(at);
        if (*at++ != *word) return NULL;
    }
    return at;
}

static const char *past_one_of(const char *at, const char *const *words) {
    for (; *words != NULL; words++) {
        const char *end = past(at, *words);
        if (end != NULL) return end;
    }
    return NULL;
}

/* The end of a directive: of its last line. */
static const char *line_end(const char *at) {
    while (*at != '\0' && *at != '\n') at += is_splice(at) ? splice_length(at) : 1;
    return at;
}

/* Takes the name that stands here; one that is not closed on its line is as a macro. */
static bool take_name(const char *at, jr_directive_name *name) {
    if (*at != '"' && *at != '<') return false;
    const char *close = strpbrk(at + 1, *at == '"' ? "\"\n" : ">\n");
    if (close == NULL || *close == '\n') return false;
    *name = (jr_directive_name){
        .quoted = *at == '"', .text = at + 1, .length = (size_t)(close - at - 1), .begin = at, .end = close + 1};
    return true;
}

/* What an include names that is no name of a file: the rest of its line. */
static void take_rest(const char *at, jr_directive_name *name) {
    const char *end = line_end(at);
    *name = (jr_directive_name){.kind = JR_DIRECTIVE_COMPUTED, .text = at, .length = (size_t)(end - at)};
    name->begin = at;
    name->end = end;
}

/* __has_include and its like, with a name of a file. */
static bool take_question(const char *at, jr_directive_name *name) {
    static const char *const words[] = {"__has_include", "__has_embed", NULL};
    const char *after = past_one_of(at, words);
    if (after == NULL) return false;
    const char *next = past(after, "_next");
    after = skip_blanks(next != NULL ? next : after);
    if (*after != '(' || !take_name(skip_blanks(after + 1), name)) return false;
    name->kind = next != NULL ? JR_DIRECTIVE_NEXT : JR_DIRECTIVE_INCLUDE;
    return true;
}

/* A directive's sign; behind it, or NULL. */
static const char *past_sign(const char *at) {
    static const char *const signs[] = {"#", "%:", "?\?=", NULL};
    return past_one_of(at, signs);
}

static bool take_include(const char *at, jr_directive_name *name) {
    static const char *const words[] = {"include", "import", "embed", NULL};
    const char *sign = past_sign(at), *after = sign != NULL ? past_one_of(skip_blanks(sign), words) : NULL;
    if (after == NULL) return false;
    const char *next = past(after, "_next");
    after = skip_blanks(next != NULL ? next : after);
    if (take_name(after, name))
        name->kind = next != NULL ? JR_DIRECTIVE_NEXT : JR_DIRECTIVE_INCLUDE;
    else
        take_rest(after, name);
    return true;
}

/* A macro that is defined here, without parameters. */
static bool take_define(const char *at, jr_directive_name *name) {
    const char *sign = past_sign(at), *after = sign != NULL ? past(skip_blanks(sign), "define") : NULL;
    if (after == NULL) return false;
    after = skip_blanks(after);
    const size_t length = strspn(after, plain); /* '.' and its like end no word here, and belong to none */
    const char *end = after + length;
    if (length == 0 || *end == '(' || is_splice(end)) return false;
    *name = (jr_directive_name){.kind = JR_DIRECTIVE_DEFINE, .text = after, .length = length, .begin = end, .end = end};
    return true;
}

/* Does a directive begin here in which names are only mentioned? */
static bool begins_mentions(const char *at) {
    static const char *const words[] = {"define", "if", "elif", NULL};
    const char *sign = past_sign(at);
    return sign != NULL && past_one_of(skip_blanks(sign), words) != NULL;
}

/* Takes a name that is mentioned here. */
static bool take_mention(const char *at, jr_directive_name *name) {
    if (!take_name(at, name) || name->length == 0 || strspn(name->text, plain) < name->length) return false;
    name->kind = JR_DIRECTIVE_MENTION;
    return true;
}

/* Takes what stands at the walk's place; the walk goes on behind it. */
static bool take(jr_directives *walk, jr_directive_name *name) {
    const char *at = walk->at;
    if (strchr("#%?_<\"", *at) == NULL) return false;
    if (walk->mentions_end == NULL && begins_mentions(at)) walk->mentions_end = line_end(at);
    return take_include(at, name) || take_question(at, name) || take_define(at, name) ||
           (walk->mentions_end != NULL && take_mention(at, name));
}

bool jr_directives_next(jr_directives *walk, jr_directive_name *name) {
    while (*walk->at != '\0') {
        if (walk->at == walk->mentions_end) walk->mentions_end = NULL;
        const bool found = take(walk, name);
        const char *next = found ? name->end : walk->at + 1;
        if (found) name->line = walk->line;
        for (; walk->at < next; walk->at++) walk->line += *walk->at == '\n';
        if (walk->mentions_end != NULL && walk->at > walk->mentions_end) walk->mentions_end = NULL;
        if (found) return true;
    }
    return false;
}
