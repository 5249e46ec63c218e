/* Instructions as table rows in the syntax of the PTX manual, and the result of matching an opcode.
 *
 * A row's syntax is the opcode: `.word` is itself; `.{a,b}` is exactly one of them; `{.a,.b}` at most one; `{.a,.b}*`
 * any of them, each at most once, in any order. An alternative that ends with * matches all words that begin so. TYPE,
 * SPACE and WORD match any type, state space or word.
 *
 * A row lists the operands in order, separated by ", "; alternatives follow after " / ". A letter says into which
 * member an operand goes, the suffix how wide it is:
 *   d       the destination; `d32|p`: with a predicate as second result, `d32{|p}`: with an optional one
 *   a b c   source 0, 1, 2; m: source 3 (a member mask, or a fourth operand)
 *   [a]     an address in the opcode's space, [shared], [global]: in that one
 *   {d} {a} a vector, or one register, to be written or read
 *   #       an integer constant
 *   8 ... 128: bits; p: a predicate; T, U: as wide as the opcode's first, second type; T+: or wider. A predicate that
 * is read may have a !
 */
#ifndef JRS_MODULE_ROWS_H
#define JRS_MODULE_ROWS_H

#include "sim/ptx/builder.h"
#include "sim/ptx/handlers.h"

enum { JRS_FORM_NAME_BYTES = 64 };

typedef struct jrs_match jrs_match;

/* Fills in what the operands do not say, and refuses what the syntax cannot. */
typedef void jrs_maker(jrs_parser *parser, const jrs_match *match, jrs_instruction *made);

typedef struct jrs_row {
    const char *syntax;
    const char *operands; /* NULL: the maker takes them itself */
    jrs_handler *run;     /* NULL: the maker emits */
    uint8_t operation;    /* the number of the alternative in the first `.{a,b}` is added */
    jrs_maker *make;      /* may be NULL */
} jrs_row;

/* What an opcode is, and then its operands. */
struct jrs_match {
    jrs_statement *statement;
    const char *opcode;
    const jrs_row *row;    /* NULL: it is a form */
    const jrs_form *form;  /* NULL: it is a row, or takes three sources */
    const jrs_form *three; /* min or max of three sources, else NULL */
    jrs_arithmetic modifiers;
    jrs_type types[2]; /* that the opcode ends with; JRS_TYPE_COUNT: none */
    jrs_space space;
    uint8_t operation;
    bool hinted; /* .L2::cache_hint: a policy is the last operand */
    /* of the operands: */
    jrs_location places[JRS_PLACES];
    jrs_elements read, written; /* vectors; bytes: of each register */
    unsigned source_bytes;      /* of the last source */
    int64_t constant;
};

/* Each ends with a row without a syntax. */
#define JRS_ROW_TABLES(XX)                                                                                             \
    XX(data)                                                                                                           \
    XX(convert)                                                                                                        \
    XX(memory)                                                                                                         \
    XX(control)                                                                                                        \
    XX(exchange)                                                                                                       \
    XX(async)

#define JRS_ROW_TABLE(name) extern const jrs_row jrs_##name##_rows[];
JRS_ROW_TABLES(JRS_ROW_TABLE)
#undef JRS_ROW_TABLE

/* ---- opcodes (match.c) ---- */
/* Finds what the statement's opcode is; refuses the kernel when it is nothing. */
void jrs_match_opcode(jrs_parser *parser, jrs_statement *statement, jrs_match *match);
const jrs_form *jrs_match_form(jrs_parser *parser, const char *name); /* NULL: no row matches */
bool jrs_match_has(const jrs_match *match, const char *word);         /* whether the opcode has this part */

/* ---- operands (operands.c) ---- */
void jrs_operands_take(jrs_parser *parser, jrs_match *match, jrs_instruction *made);
void jrs_operands_expect(jrs_parser *parser, const jrs_statement *statement, unsigned least, unsigned most);

/* The instruction cannot be executed here. */
void jrs_match_refuse(jrs_parser *parser, const jrs_match *match) __attribute__((noreturn));

#endif
