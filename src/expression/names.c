/* Finds out what a name is. */
#include "names.h"

#include <string.h>

#include "functions.h"

/* The text of a struct is trusted to be no heavier than this, a function. */
enum { DECLARED_WEIGHT = 64 };

static const char types[] = "bool char char16_t char32_t short int long signed unsigned float double size_t wchar_t";
static const char values[] = "true false INFINITY NAN sizeof alignof static_cast";

static bool is_spelled(jr_token word, const char *name) {
    return strlen(name) == word.length && memcmp(name, word.text, word.length) == 0;
}

static bool is_parameter(const jr_names *names, jr_token word) {
    for (int i = 0; i < names->parameter_count; i++)
        if (is_spelled(word, names->parameters[i].name)) return true;
    return false;
}

/* What the text of a struct makes of a word: of several places the one that needs most care. */
static jr_name_kind find_declared(const char *source, jr_token word) {
    jr_name_kind kind = JR_NAME_UNKNOWN;
    bool defines = false; /* the token before is "define" */
    for (jr_token at = jr_token_next(source); at.kind != JR_TOKEN_END; at = jr_token_next(at.text + at.length)) {
        const char *end = at.text + at.length;
        if (at.kind == JR_TOKEN_WORD && at.length == word.length && memcmp(at.text, word.text, word.length) == 0) {
            const bool called = end[strspn(end, " \t\n\r")] == '(';
            const jr_name_kind here = defines && *end == '(' ? JR_NAME_MACRO
                                      : called               ? JR_NAME_FUNCTION
                                                             : JR_NAME_DECLARED;
            if (here > kind) kind = here;
        }
        defines = jr_token_is_one_of(at, "define");
    }
    return kind;
}

bool jr_names_declared(const jr_names *names, jr_token word) {
    return names->structure != NULL && find_declared(names->structure->source, word) != JR_NAME_UNKNOWN;
}

jr_name_kind jr_names_find(const jr_names *names, jr_token word, size_t *weight) {
    const jr_structure *structure = names->structure;
    if (jr_token_is_one_of(word, values) || jr_token_is_one_of(word, names->variables) || is_parameter(names, word))
        return JR_NAME_VALUE;
    if (jr_token_is_one_of(word, types) || (structure != NULL && is_spelled(word, structure->name)))
        return JR_NAME_TYPE;
    jr_function function;
    if (jr_functions_find(word, &function)) {
        *weight = function.weight;
        return JR_NAME_FUNCTION;
    }
    *weight = DECLARED_WEIGHT;
    return structure != NULL ? find_declared(structure->source, word) : JR_NAME_UNKNOWN;
}
