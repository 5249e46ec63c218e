/* Lays out a struct of numbers, and prints it by its members. The compiler checks the size again when the kernel is
 * compiled. */
#include "structure.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

/* The words of number types, and the types they make without and with "unsigned". */
static const struct {
    const char *word;
    jr_type type, unsigned_type;
} type_words[] = {{"char", JR_I8, JR_U8},     {"bool", JR_BOOL, JR_BOOL},
                  {"short", JR_I16, JR_U16},  {"int", JR_I32, JR_U32},
                  {"long", JR_I64, JR_U64},   {"float", JR_F32, JR_F32},
                  {"double", JR_F64, JR_F64}, {"signed", 0, 0},
                  {"unsigned", 0, 0},         {"const", 0, 0}};

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

/* Takes the words of a type; leaves *name on the token after them. Returns JR_TYPE_NONE if there is no type. */
static jr_type take_type(const char **at, token *name) {
    bool no_sign = false, any = false;
    int chosen = -1;
    for (int row; (row = find_word(*name)) >= 0; *name = next_token(at), any = true) {
        const bool sized = is(*name, "short") || is(*name, "long"), is_double = is(*name, "double");
        no_sign |= is(*name, "unsigned");
        if (type_words[row].type == JR_TYPE_NONE) continue;
        if (chosen < 0 || is_double || (sized && type_words[chosen].type != JR_F64)) chosen = row;
    }
    if (chosen < 0) return !any ? JR_TYPE_NONE : no_sign ? JR_U32 : JR_I32; /* "unsigned x" */
    return no_sign ? type_words[chosen].unsigned_type : type_words[chosen].type;
}

/* Reads [N][M]... after a name; returns the number of elements, 0 when the text is wrong. */
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

/* Adds a member after those there are. */
static void add_member(cli_layout *layout, token name, jr_type type, size_t count, bool array) {
    if (layout->count < JR_STRUCT_BYTES_MAX)
        layout->members[layout->count++] = (cli_member){name.begin, name.length, type, layout->bytes, count, array};
    layout->bytes += count * jr_type_size(type);
}

/* Lays out "TYPE a, b[3];". name: its first token. */
static bool take_members(const char **at, token name, cli_layout *layout) {
    const jr_type type = take_type(at, &name);
    const size_t size = jr_type_size(type);
    token next = {.begin = "", .length = 0};
    if (size == 0) return false;
    if (layout->alignment < size) layout->alignment = size;
    layout->bytes = (layout->bytes + size - 1) / size * size;
    do {
        if (!is_word_character(*name.begin) || isdigit((unsigned char)*name.begin)) return false;
        const bool array = (*at)[strspn(*at, " \t\n")] == '[';
        const size_t count = take_array(at, &next);
        if (count == 0) return false;
        add_member(layout, name, type, count, array);
        if (is(next, ",")) name = next_token(at);
    } while (is(next, ","));
    return is(next, ";");
}

static bool lay_out(const char *at, cli_layout *layout) {
    for (token first; !is(first = next_token(&at), "}");)
        if (first.length == 0 || !take_members(&at, first, layout)) return false;
    if (layout->alignment == 0) return false;
    layout->bytes = (layout->bytes + layout->alignment - 1) / layout->alignment * layout->alignment;
    return true;
}

/* Lays out a text; returns its name, of length 0 if it does not begin like a struct. *known: whether all members are
 * numbers. */
static token read_text(const char *text, cli_layout *layout, bool *known) {
    const char *at = text;
    token before = {.begin = "", .length = 0}, name = before;
    *known = false;
    *layout = (cli_layout){0};
    const bool begins = is(next_token(&at), "struct");
    for (token found; (found = next_token(&at)).length > 0 && !is(found, "{"); name = found) before = name;
    if (!begins || at[-1] != '{' || !is_word_character(*name.begin)) return (token){.begin = "", .length = 0};
    /* More than the name stands before the members: an alignment, a base. */
    *known = before.length == 0 && lay_out(at, layout);
    return name;
}

cli_structure cli_structure_of(const char *text) {
    cli_structure structure = {.text = text};
    cli_layout layout;
    bool known;
    const token name = read_text(text, &layout, &known);
    if (name.length >= sizeof structure.name) return structure;
    memcpy(structure.name, name.begin, name.length);
    if (!known) return structure;
    structure.bytes = layout.bytes;
    structure.alignment = layout.alignment;
    return structure;
}

bool cli_structure_lay_out(const jr_structure *structure, cli_layout *layout) {
    bool known;
    if (structure == NULL || structure->source == NULL) return false;
    (void)read_text(structure->source, layout, &known);
    return known && layout->bytes == structure->bytes;
}

jr_value cli_member_value(const cli_member *member, const unsigned char *bytes, size_t index) {
    const size_t size = jr_type_size(member->type);
    jr_value value = {.type = member->type};
    memcpy(value.as.bytes, bytes + member->offset + index * size, size);
    return value;
}

bool cli_structure_print(const jr_structure *structure, const unsigned char *bytes, char *text, size_t room) {
    cli_layout layout;
    char number[32];
    size_t used = 0;
    if (!cli_structure_lay_out(structure, &layout)) return false;
    for (int i = 0; i < layout.count; i++) {
        const cli_member *member = &layout.members[i];
        for (size_t k = 0; k < member->count && used < room; k++) {
            const jr_value value = cli_member_value(member, bytes, k);
            if (jr_value_print(&value, number, sizeof number) != JR_OK) return false;
            used += (size_t)snprintf(text + used, room - used, "%s%s%s%s", i == 0 && k == 0 ? "{" : ", ",
                                     member->array && k == 0 ? "{" : "", number,
                                     member->array && k + 1 == member->count ? "}" : "");
        }
    }
    if (used + 2 > room) return false;
    memcpy(text + used, "}", 2);
    return true;
}

bool cli_structure_parse(const jr_structure *structure, const char *text, unsigned char *bytes) {
    static const char between[] = " \t{},";
    unsigned char made[JR_STRUCT_BYTES_MAX] = {0};
    cli_layout layout;
    const char *at = text;
    if (!cli_structure_lay_out(structure, &layout) || layout.bytes > sizeof made || text[0] != '{') return false;
    for (int i = 0; i < layout.count; i++) {
        const cli_member *member = &layout.members[i];
        unsigned char *to = made + member->offset;
        for (size_t k = 0; k < member->count; k++, to += jr_type_size(member->type)) {
            at += strspn(at, between);
            const char *end = at + strcspn(at, between);
            if (end == at || cli_number_parse(member->type, at, end, to) != CLI_NUMBER_OK) return false;
            at = end;
        }
    }
    if (at[strspn(at, " \t}")] != '\0') return false;
    memcpy(bytes, made, layout.bytes);
    return true;
}
