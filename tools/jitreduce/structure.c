/* Works out the layout of a struct of numbers. The compiler checks the size again when the kernel is compiled. */
#include "structure.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* The words of number types. size 0: the word only says how a number is signed, or stands beside one that says more. */
static const struct {
    const char *word;
    size_t size;
} type_words[] = {{"char", 1},  {"bool", 1},   {"short", 2},  {"int", 4},      {"long", 8},
                  {"float", 4}, {"double", 8}, {"signed", 0}, {"unsigned", 0}, {"const", 0}};

/* One token of a struct's text: a word or number, else one character. */
typedef struct token {
    const char *begin;
    size_t length; /* 0 at the end */
} token;

static bool is_word_character(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static token next_token(const char **at) {
    while (isspace((unsigned char)**at)) (*at)++;
    token found = {.begin = *at};
    while (is_word_character(found.begin[found.length])) found.length++;
    if (found.length == 0 && *found.begin != '\0') found.length = 1;
    *at += found.length;
    return found;
}

static bool is(token found, const char *text) {
    return found.length == strlen(text) && strncmp(found.begin, text, found.length) == 0;
}

/* The row of a type's word, or -1. */
static int find_word(token found) {
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
        if (is(found, type_words[i].word)) return (int)i;
    return -1;
}

/* Takes the words of a type; leaves *name on the token behind them. Returns the size, 0 when there is no type. */
static size_t take_type(const char **at, token *name) {
    size_t size = 0;
    int row, count = 0;
    for (; (row = find_word(*name)) >= 0; *name = next_token(at), count++)
        if (size == 0 || is(*name, "short") || is(*name, "long"))
            size = type_words[row].size ? type_words[row].size : size;
    return size == 0 && count > 0 ? sizeof(int) : size; /* "unsigned x" */
}

/* Takes [N][M]... behind a name; returns how many elements they make, 0 when they are not understood. */
static size_t take_array(const char **at, token *next) {
    size_t count = 1;
    for (*next = next_token(at); is(*next, "["); *next = next_token(at)) {
        const token number = next_token(at);
        size_t value = 0;
        for (size_t i = 0; i < number.length; i++) {
            if (!isdigit((unsigned char)number.begin[i]) || value > 1000) return 0;
            value = 10 * value + (size_t)(number.begin[i] - '0');
        }
        count *= value;
        if (count > UINT16_MAX || !is(next_token(at), "]")) return 0;
    }
    return count;
}

/* Lays out "TYPE a, b[3];" behind what there is. *name: the token at its begin. */
static bool take_members(const char **at, token name, cli_structure *structure) {
    const size_t size = take_type(at, &name);
    token next = {.begin = "", .length = 0};
    if (size == 0) return false;
    if (structure->alignment < size) structure->alignment = size;
    structure->bytes = (structure->bytes + size - 1) / size * size;
    do {
        if (!is_word_character(*name.begin) || isdigit((unsigned char)*name.begin)) return false;
        const size_t count = take_array(at, &next);
        structure->bytes += count * size;
        if (count == 0) return false;
        if (is(next, ",")) name = next_token(at);
    } while (is(next, ","));
    return is(next, ";");
}

static bool lay_out(const char *at, cli_structure *structure) {
    for (token first; !is(first = next_token(&at), "}");)
        if (first.length == 0 || !take_members(&at, first, structure)) return false;
    if (structure->alignment == 0) return false;
    structure->bytes = (structure->bytes + structure->alignment - 1) / structure->alignment * structure->alignment;
    return true;
}

cli_structure cli_structure_of(const char *text) {
    cli_structure structure = {.text = text};
    const char *at = text;
    token before = {.begin = "", .length = 0}, name = before;
    const bool begins = is(next_token(&at), "struct");
    for (token found; (found = next_token(&at)).length > 0 && !is(found, "{"); name = found) before = name;
    if (!begins || at[-1] != '{' || !is_word_character(*name.begin) || name.length >= sizeof structure.name)
        return structure;
    memcpy(structure.name, name.begin, name.length);
    /* More than the name stands before the members: an alignment, a base. */
    if (before.length == 0 && lay_out(at, &structure)) return structure;
    structure.bytes = structure.alignment = 0;
    return structure;
}
