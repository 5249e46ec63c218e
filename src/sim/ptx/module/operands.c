/* Operands by a row's pattern: each goes to its place in the instruction, sources first. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

/* One operand of a pattern. */
typedef struct token {
    char role;  /* d: destination; a b c m: a source; [: address; {: vector; #: constant */
    bool wider; /* + */
    bool paired, must_pair;
    bool written; /* of a vector */
    unsigned bytes;
    jrs_space space;
} token;

/* ---- patterns ---- */

static unsigned width_of(const jrs_match *match, const char **at) {
    if (**at == 'p') return (*at)++, 0;
    if (**at == 'T' || **at == 'U') return jrs_type_register_bytes(match->types[*(*at)++ == 'U']);
    unsigned bits = 0;
    while (isdigit((unsigned char)**at)) bits = bits * 10 + (unsigned)(*(*at)++ - '0');
    return bits / 8;
}

static jrs_space space_of(const jrs_match *match, const char *name) {
    if (name[1] == ']') return match->space;
    return name[0] == 's' ? JRS_SPACE_SHARED : JRS_SPACE_GLOBAL;
}

static token read_token(const jrs_match *match, const char *at) {
    token read = {.role = *at++};
    if (read.role == '[') read.space = space_of(match, at);
    if (read.role == '{') read.written = *at == 'd';
    if (strchr("[{#", read.role)) return read;
    read.bytes = width_of(match, &at);
    read.wider = *at == '+';
    read.must_pair = *at == '|';
    read.paired = read.must_pair || strncmp(at, "{|p}", 4) == 0;
    return read;
}

/* The pattern's next operand; NULL: it was the last one. */
static const char *next_token(const char *at) {
    at += strcspn(at, " ");
    return at[0] == ' ' && at[1] != '/' ? at + 1 : NULL;
}

static const char *next_way(const char *at) {
    const char *slash = strstr(at, " / ");
    return slash ? slash + 3 : NULL;
}

static unsigned count_tokens(const char *way) {
    unsigned count = 0;
    for (const char *at = *way ? way : NULL; at; at = next_token(at)) count++;
    return count;
}

/* Whether predicates stand where the pattern wants them. */
static bool fits(const jrs_match *match, const char *way) {
    const jrs_operand *operand = match->statement->operands;
    for (const char *at = *way ? way : NULL; at; at = next_token(at), operand++) {
        const token wanted = read_token(match, at);
        bool plain = !strchr("[{#", wanted.role) && operand->kind == JRS_OPERAND_REGISTER;
        if (plain && (operand->symbol->bytes == 0) != (wanted.bytes == 0)) return false;
    }
    return true;
}

/* The form of the row that fits the statement's operands; a cache policy comes last. */
static const char *find_way(jrs_parser *parser, const jrs_match *match) {
    const unsigned found = match->statement->operand_count;
    unsigned least = JRS_OPERANDS, most = 0;
    const char *counted = NULL;
    for (const char *way = match->row->operands; way; way = next_way(way)) {
        const unsigned count = count_tokens(way) + match->hinted;
        if (count < least) least = count;
        if (count > most) most = count;
        if (count != found) continue;
        if (fits(match, way)) return way;
        counted = way;
    }
    if (!counted)
        jrs_parse_fail(parser, "'%s' takes %u operands, %u found", match->statement->opcode,
                       found < least ? least : most, found);
    return counted; /* errors in it are reported when it is parsed */
}

/* ---- taking them ---- */

void jrs_operands_expect(jrs_parser *parser, const jrs_statement *statement, unsigned least, unsigned most) {
    unsigned found = statement->operand_count;
    if (found < least || found > most)
        jrs_parse_fail(parser, "'%s' takes %u operands, %u found", statement->opcode, found < least ? least : most,
                       found);
}

static void check_marks(jrs_parser *parser, const jrs_operand *operand, const token *wanted) {
    if (operand->bracketed && wanted->role != '[')
        jrs_parse_fail(parser, "[ ] around something that is not an address");
    if (operand->negated && strchr("d[{#", wanted->role)) jrs_parse_fail(parser, "a ! is not allowed here");
    if (operand->pair && !wanted->paired) jrs_parse_fail(parser, "a second destination: this instruction has one");
    if (!operand->pair && wanted->must_pair) jrs_parse_fail(parser, "a destination like d|p is needed");
}

static void take_vector(jrs_parser *parser, jrs_match *match, const jrs_operand *operand, const token *wanted) {
    *(wanted->written ? &match->written : &match->read) =
        jrs_slot_vector(parser, operand, jrs_type_bytes(match->types[0]), wanted->written);
}

static void take_source(jrs_parser *parser, jrs_match *match, const jrs_operand *operand, const token *wanted,
                        jrs_instruction *made) {
    const unsigned index = wanted->role == 'm' ? JRS_SOURCES - 1 : (unsigned)(wanted->role - 'a');
    match->source_bytes = wanted->wider ? jrs_slot_wide(parser, operand, wanted->bytes) : wanted->bytes;
    made->s[index] = jrs_slot_source(parser, operand, match->source_bytes);
    if (wanted->role != 'm' && index + 1 > made->source_count) made->source_count = (uint8_t)(index + 1);
}

static void take_destination(jrs_parser *parser, const jrs_operand *operand, const token *wanted,
                             jrs_instruction *made) {
    const unsigned bytes = wanted->wider ? jrs_slot_wide(parser, operand, wanted->bytes) : wanted->bytes;
    made->d = jrs_slot_destination(parser, operand, bytes);
    made->has_d = true;
    made->width = (uint8_t)bytes;
    made->has_d2 = operand->pair != NULL;
    if (operand->pair) made->d2 = jrs_slot_destination(parser, operand->pair, 0);
}

/* What is written, or all the rest: an operand that is read may need an instruction of its own in front. */
static void take_operands(jrs_parser *parser, jrs_match *match, const char *way, bool written, jrs_instruction *made) {
    const jrs_operand *operand = match->statement->operands;
    unsigned place = 0;
    for (const char *at = *way ? way : NULL; at; at = next_token(at), operand++) {
        const token wanted = read_token(match, at);
        if ((wanted.role == 'd' || wanted.written) != written) continue;
        check_marks(parser, operand, &wanted);
        switch (wanted.role) {
        case 'd': take_destination(parser, operand, &wanted, made); break;
        case '[': match->places[place++] = jrs_location_take(parser, operand, wanted.space); break;
        case '{': take_vector(parser, match, operand, &wanted); break;
        case '#': match->constant = jrs_operand_constant(parser, operand); break;
        default: take_source(parser, match, operand, &wanted, made);
        }
    }
}

static void take_form(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const jrs_statement *statement = match->statement;
    const jrs_form *form = match->form;
    jrs_operands_expect(parser, statement, 1u + form->source_count, 1u + form->source_count);
    for (unsigned i = 0; i <= form->source_count; i++)
        check_marks(parser, &statement->operands[i], &(token){.role = i ? 'a' : 'd'});
    for (unsigned i = 0; i < form->source_count; i++)
        made->s[i] = jrs_slot_source(parser, &statement->operands[1 + i], form->bytes[1 + i]);
    made->d = jrs_slot_destination(parser, &statement->operands[0], form->bytes[0]);
    made->source_count = form->source_count;
}

void jrs_operands_take(jrs_parser *parser, jrs_match *match, jrs_instruction *made) {
    const jrs_statement *statement = match->statement;
    if (match->form) {
        take_form(parser, match, made);
        return;
    }
    if (!match->row->operands) return;
    const char *way = find_way(parser, match);
    if (match->hinted) jrs_slot_source(parser, &statement->operands[statement->operand_count - 1], 8);
    take_operands(parser, match, way, false, made);
    take_operands(parser, match, way, true, made);
}
