/* Expands macros into names of files. */
#include "macros.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16, VISITS_MAX = 1024, FILE_BYTES = 1024 };

static const char word_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

typedef struct definition {
    struct definition *next;
    char *body; /* NULL: not known, or of no use in a name of a file */
} definition;

typedef struct macro {
    char *name;
    definition *first;
} macro;

static int compare(const void *left, const void *right) {
    return strcmp(((const macro *)left)->name, ((const macro *)right)->name);
}

static void macro_free(void *opaque) {
    macro *freed = opaque;
    while (freed->first != NULL) {
        definition *next = freed->first->next;
        free(freed->first->body);
        free(freed->first);
        freed->first = next;
    }
    free(freed->name);
    free(freed);
}

static char *copy_of(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* Finds or makes a macro; NULL: no memory. */
static macro *macro_of(jr_macros *macros, const char *name, size_t length) {
    macro *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->name = copy_of(name, length);
    macro **place = made->name != NULL ? tsearch(made, &macros->by_name, compare) : NULL;
    if (place == NULL || *place != made) macro_free(made);
    return place != NULL ? *place : NULL;
}

/* A body without blanks and comments around it, if it could stand in a name of a file; else NULL. */
static const char *plain_body(const char *body, size_t *length) {
    while (*length > 0 && strchr(" \t", *body) != NULL) body++, (*length)--;
    for (size_t i = 0; i + 1 < *length; i++)
        if (body[i] == '/' && (body[i + 1] == '/' || body[i + 1] == '*')) *length = i;
    while (*length > 0 && strchr(" \t\r", body[*length - 1]) != NULL) (*length)--;
    for (size_t i = 0; i < *length; i++)
        if (strchr(word_characters, body[i]) == NULL && strchr("./+-<>\"", body[i]) == NULL) return NULL;
    return body;
}

bool jr_macros_add(jr_macros *macros, const char *name, size_t name_length, const char *body, size_t body_length) {
    macro *found = macro_of(macros, name, name_length);
    definition *added = found != NULL ? calloc(1, sizeof *added) : NULL;
    if (added == NULL) return false;
    added->next = found->first;
    found->first = added;
    macros->count++;
    body = body != NULL && body_length < FILE_BYTES ? plain_body(body, &body_length) : NULL;
    if (body == NULL) return true;
    added->body = copy_of(body, body_length);
    return added->body != NULL;
}

void jr_macros_free(jr_macros *macros) {
    tdestroy(macros->by_name, macro_free);
    *macros = (jr_macros){0};
}

/* ---- expanding ---- */

typedef struct expansion {
    const jr_macros *macros;
    bool (*visit)(void *user, const char *file);
    void *user;
    int visits;
    bool complete; /* nothing else may be meant */
} expansion;

static const macro *find(const jr_macros *macros, const char *word, size_t length) {
    char name[FILE_BYTES];
    if (length == 0 || length >= sizeof name) return NULL;
    memcpy(name, word, length);
    name[length] = '\0';
    const macro key = {.name = name};
    macro *const *found = tfind(&key, &macros->by_name, compare);
    return found != NULL ? *found : NULL;
}

static bool is_file(const char *text) {
    const size_t length = strlen(text);
    return length > 2 && text[1] != '/' &&
           ((text[0] == '<' && text[length - 1] == '>') || (text[0] == '"' && text[length - 1] == '"'));
}

/* Replaces the first word from `from` on that is a macro by each of its bodies. */
static void expand(expansion *state, const char *text, size_t from, int depth) {
    const macro *found = NULL;
    size_t length = 0;
    for (; text[from] != '\0' && found == NULL; from += found == NULL ? length : 0) {
        length = strspn(text + from, word_characters);
        found = text[0] != '"' ? find(state->macros, text + from, length) : NULL; /* nothing is expanded in quotes */
        if (length == 0) length = 1;
    }
    if (found == NULL) {
        if (is_file(text) && state->visits++ < VISITS_MAX)
            state->complete = state->visit(state->user, text) && state->complete;
        else
            state->complete = false;
        return;
    }
    for (const definition *one = found->first; one != NULL; one = one->next) {
        char longer[FILE_BYTES];
        const size_t body = one->body != NULL ? strlen(one->body) : 0;
        if (one->body == NULL || depth == DEPTH_MAX || strlen(text) + body >= sizeof longer ||
            state->visits >= VISITS_MAX) {
            state->complete = false;
            continue;
        }
        memcpy(longer, text, from);
        memcpy(longer + from, one->body, body);
        strcpy(longer + from + body, text + from + length); /* NOLINT(clang-analyzer-security.insecureAPI.strcpy) */
        if (strcmp(longer, text) == 0)                      /* itself: it is no macro then */
            expand(state, text, from + length, depth + 1);
        else
            expand(state, longer, from, depth + 1);
    }
}

bool jr_macros_have(const jr_macros *macros, const char *name, size_t length) {
    return find(macros, name, length) != NULL;
}

bool jr_macros_expand(const jr_macros *macros, const char *name, size_t length,
                      bool (*visit)(void *user, const char *file), void *user) {
    expansion state = {.macros = macros, .visit = visit, .user = user, .complete = true};
    char text[FILE_BYTES];
    if (find(macros, name, length) == NULL) return false;
    memcpy(text, name, length);
    text[length] = '\0';
    expand(&state, text, 0, 0);
    return state.complete;
}
