/* Opcodes to rows and simple forms: one matcher for the syntax of all rows. */
#include <string.h>

#include "rows.h"

enum { BUCKETS = 2048, SEEN = 256 };

static const jrs_row *const row_tables[] = {
#define ROW(name) jrs_##name##_rows,
    JRS_ROW_TABLES(ROW)
#undef ROW
};
static const jrs_form *const form_tables[] = {
#define ROW(name) jrs_##name##_forms,
    JRS_FORM_TABLES(ROW)
#undef ROW
};

/* ---- the index: open addressing; rows lie by their first word, one after another ---- */

struct jrs_opcode_index {
    const jrs_form *forms[BUCKETS];
    const jrs_row *rows[BUCKETS];
    jrs_match *seen[SEEN]; /* opcodes of this text, before their operands; a newer one takes an older one's place */
};

static uint32_t hash_of(const char *word, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    return hash % BUCKETS;
}

static size_t family_length(const char *syntax) {
    return strcspn(syntax, ".{");
}

static struct jrs_opcode_index *build_index(jrs_parser *parser) {
    struct jrs_opcode_index *index = jrs_parse_take(parser, sizeof *index);
    for (size_t t = 0; t < sizeof form_tables / sizeof form_tables[0]; t++) {
        for (const jrs_form *form = form_tables[t]; form->name; form++) {
            uint32_t at = hash_of(form->name, strlen(form->name));
            while (index->forms[at]) at = (at + 1) % BUCKETS;
            index->forms[at] = form;
        }
    }
    for (size_t t = 0; t < sizeof row_tables / sizeof row_tables[0]; t++) {
        for (const jrs_row *row = row_tables[t]; row->syntax; row++) {
            uint32_t at = hash_of(row->syntax, family_length(row->syntax));
            while (index->rows[at]) at = (at + 1) % BUCKETS;
            index->rows[at] = row;
        }
    }
    return index;
}

static struct jrs_opcode_index *index_of(jrs_parser *parser) {
    if (!parser->opcodes) parser->opcodes = build_index(parser);
    return parser->opcodes;
}

const jrs_form *jrs_match_form(jrs_parser *parser, const char *name) {
    const struct jrs_opcode_index *index = index_of(parser);
    uint32_t at = hash_of(name, strlen(name));
    while (index->forms[at] && strcmp(index->forms[at]->name, name) != 0) at = (at + 1) % BUCKETS;
    return index->forms[at];
}

bool jrs_match_has(const jrs_match *match, const char *word) {
    const jrs_statement *statement = match->statement;
    for (unsigned i = 1; i < statement->part_count; i++)
        if (strcmp(statement->parts[i], word) == 0) return true;
    return false;
}

void jrs_match_refuse(jrs_parser *parser, const jrs_match *match) {
    jrs_parse_refuse(parser, "the instruction '%s' is not supported", match->statement->opcode);
}

/* ---- one row ---- */

static bool is_same(const char *alternative, size_t length, const char *word) {
    return strncmp(alternative, word, length) == 0 && word[length] == '\0';
}

/* Whether an alternative, without its dot, is the word. */
static bool is_word(const char *alternative, size_t length, const char *word, jrs_match *match) {
    if (is_same(alternative, length, "TYPE")) return jrs_type_find(word) != JRS_TYPE_COUNT;
    if (is_same(alternative, length, "SPACE")) return jrs_space_find(word, &match->space);
    if (is_same(alternative, length, "WORD")) return true;
    if (alternative[length - 1] == '*') return strncmp(alternative, word, length - 1) == 0;
    return is_same(alternative, length, word);
}

/* Which of the alternatives from at to end the opcode's next part is, which then is taken; -1: none. */
static int take_one(jrs_match *match, const char *at, const char *end) {
    jrs_statement *statement = match->statement;
    if (statement->part_next == statement->part_count) return -1;
    const char *word = statement->parts[statement->part_next];
    for (int number = 0; at < end; number++) {
        if (*at == '.') at++;
        size_t length = strcspn(at, ",}.{");
        if (is_word(at, length, word, match)) {
            statement->part_next++;
            return number;
        }
        at += length + 1;
    }
    return -1;
}

/* `{.a,.b}` or `{.a,.b}*`; what follows it, NULL when one stands there twice. */
static const char *take_optional(jrs_match *match, const char *at) {
    const char *end = strchr(at, '}');
    uint64_t taken = 0;
    bool any = end[1] == '*';
    int number;
    while ((number = take_one(match, at + 1, end)) >= 0) {
        if (taken >> number & 1) return NULL;
        taken |= UINT64_C(1) << number;
        if (!any) break;
    }
    return end + 1 + any;
}

/* `.word` or `.{a,b}`; what follows it, NULL when the next part is another. */
static const char *take_needed(jrs_match *match, const char *at, bool *chosen) {
    bool group = at[1] == '{';
    const char *begin = at + 1 + group, *end = begin + strcspn(begin, group ? "}" : ".{");
    int number = take_one(match, begin, end);
    if (number < 0) return NULL;
    if (group && !*chosen) match->operation = (uint8_t)(match->operation + number);
    *chosen |= group;
    return end + group;
}

static bool match_row(const jrs_row *row, jrs_match *match) {
    const char *at = row->syntax + family_length(row->syntax);
    bool chosen = false;
    match->statement->part_next = 1;
    match->operation = row->operation;
    match->space = JRS_SPACE_GENERIC;
    while (at && *at) at = *at == '{' ? take_optional(match, at) : take_needed(match, at, &chosen);
    return at && match->statement->part_next == match->statement->part_count;
}

/* Finds the family's row. False: the opcode belongs to no family of rows. */
static bool find_row(jrs_parser *parser, jrs_match *match) {
    const struct jrs_opcode_index *index = index_of(parser);
    const jrs_statement *statement = match->statement;
    const size_t length = strlen(statement->parts[0]);
    unsigned furthest = 0;
    const jrs_row *row;
    for (uint32_t at = hash_of(statement->parts[0], length); (row = index->rows[at]) != NULL; at = (at + 1) % BUCKETS) {
        if (family_length(row->syntax) != length || memcmp(row->syntax, statement->parts[0], length) != 0) continue;
        match->row = row;
        if (match_row(row, match)) return true;
        match->row = NULL;
        if (statement->part_next > furthest) furthest = statement->part_next;
    }
    if (furthest && furthest < statement->part_count)
        jrs_parse_refuse(parser, "the modifier .%s of '%s' is not supported", statement->parts[furthest],
                         statement->opcode);
    if (furthest) jrs_parse_refuse(parser, "'%s' lacks a modifier or a type", statement->opcode);
    return false;
}

/* ---- simple forms ---- */

/* The modifiers of a float form besides its name. */
static bool take_modifier(const char *part, jrs_arithmetic *found) {
    static const char *const roundings[] = {"rn", "rz", "rm", "rp"};
    for (unsigned i = 0; i < 4; i++) {
        if (strcmp(part, roundings[i]) != 0) continue;
        found->rounding = (uint8_t)(JRS_ROUND_NEAREST + i);
        return true;
    }
    if (strcmp(part, "ftz") == 0) return found->ftz = true;
    if (strcmp(part, "sat") == 0) return found->sat = true;
    return false;
}

/* The opcode with underscores for dots; without modifiers when found is not NULL. */
static void join_parts(const jrs_statement *statement, char name[JRS_FORM_NAME_BYTES], jrs_arithmetic *found) {
    size_t used = 0;
    for (unsigned i = 0; i < statement->part_count; i++) {
        if (found && i > 0 && take_modifier(statement->parts[i], found)) continue;
        size_t length = strlen(statement->parts[i]);
        if (used + length + 2 > JRS_FORM_NAME_BYTES) break; /* longer than any form's name */
        if (i) name[used++] = '_';
        memcpy(name + used, statement->parts[i], length);
        used += length;
    }
    name[used] = '\0';
}

static void check_modifiers(jrs_parser *parser, const jrs_match *match) {
    const jrs_arithmetic *found = &match->modifiers;
    const jrs_type type = match->types[0];
    bool single = type == JRS_TYPE_f32, wide = type == JRS_TYPE_f64;
    bool half = type == JRS_TYPE_f16 || type == JRS_TYPE_f16x2 || type == JRS_TYPE_bf16 || type == JRS_TYPE_bf16x2;
    bool directed = found->rounding > JRS_ROUND_NEAREST;
    if (!(single || wide || half) || (wide && (found->ftz || found->sat)) || (half && directed))
        jrs_match_refuse(parser, match);
}

/* min and max of three sources are forms of their own: "min_s32" is "min3_s32" then. */
static void look_up(jrs_parser *parser, jrs_match *match, const char *name) {
    char three[JRS_FORM_NAME_BYTES + 1];
    match->form = jrs_match_form(parser, name);
    if (strncmp(name, "min_", 4) != 0 && strncmp(name, "max_", 4) != 0) return;
    snprintf(three, sizeof three, "%.3s3%s", name, name + 3);
    match->three = jrs_match_form(parser, three);
}

static void find_form(jrs_parser *parser, jrs_match *match) {
    char name[JRS_FORM_NAME_BYTES];
    join_parts(match->statement, name, NULL);
    look_up(parser, match, name);
    if (match->form || match->three) return;
    join_parts(match->statement, name, &match->modifiers);
    look_up(parser, match, name);
    if (!match->form && !match->three) jrs_match_refuse(parser, match);
    check_modifiers(parser, match);
}

/* ---- any opcode ---- */

/* The types that the opcode ends with, two at most. */
static void find_types(jrs_match *match) {
    const jrs_statement *statement = match->statement;
    unsigned at = statement->part_count, count = 0;
    while (count < 2 && at > 1 && jrs_type_find(statement->parts[at - 1]) != JRS_TYPE_COUNT) at--, count++;
    for (unsigned i = 0; i < 2; i++)
        match->types[i] = i < count ? jrs_type_find(statement->parts[at + i]) : JRS_TYPE_COUNT;
}

/* A text has many instructions and few opcodes. */
void jrs_match_opcode(jrs_parser *parser, jrs_statement *statement, jrs_match *match) {
    struct jrs_opcode_index *index = index_of(parser);
    jrs_match **seen = &index->seen[hash_of(statement->opcode, strlen(statement->opcode)) % SEEN];
    if (!*seen || strcmp((*seen)->opcode, statement->opcode) != 0) {
        *match = (jrs_match){.statement = statement, .opcode = statement->opcode};
        find_types(match);
        if (!find_row(parser, match)) find_form(parser, match);
        match->hinted = jrs_match_has(match, "L2::cache_hint");
        *seen = jrs_parse_take(parser, sizeof **seen);
        **seen = *match;
    }
    *match = **seen;
    match->statement = statement;
}
