/* The state of one parse, and what its parts offer each other: text → statements → (decoder) instructions.
 *
 * A failure leaves through longjmp, with the report written, to the function being parsed, which keeps what concerns it
 * alone, and else to jrs_module_parse; all memory is the module's arena. */
#ifndef JRS_PTX_PARSER_H
#define JRS_PTX_PARSER_H

#include <setjmp.h>

#include "code.h"
#include "ptx_report.h"

enum {
    JRS_SYMBOL_BUCKETS = 1 << 15,
    JRS_OPCODE_PARTS = 24,
    JRS_OPERANDS = 8,
    JRS_LIST_OPERANDS = 64,      /* of a call, or a vector */
    JRS_SCOPE_DEPTH = 64,        /* { } inside { } */
    JRS_REGISTER_COUNT = 1 << 20 /* of a module's functions together */
};

typedef enum jrs_symbol_kind {
    JRS_SYMBOL_REGISTER,
    JRS_SYMBOL_VARIABLE, /* in space, at offset */
    JRS_SYMBOL_DYNAMIC,  /* extern .shared: lies after all static shared memory */
    JRS_SYMBOL_FUNCTION,
    JRS_SYMBOL_LABEL,  /* its offset is an instruction's number */
    JRS_SYMBOL_OPAQUE, /* a texture, a sampler: nothing that can be used here */
    JRS_SYMBOL_OTHER   /* a .callprototype or .branchtargets label */
} jrs_symbol_kind;

typedef struct jrs_symbol {
    struct jrs_symbol *next;       /* in its bucket */
    struct jrs_symbol *scope_next; /* in its scope */
    struct jrs_scope *scope;
    const char *name;
    uint32_t hash; /* of the name */
    jrs_symbol_kind kind;
    jrs_type type;
    jrs_space space;
    uint32_t offset, bytes;
    uint32_t id; /* of a register with a slot: counted from 0 in its function */
    bool has_slot;
    jrs_slot slot;
    jrs_function *function;
    jrs_global *global;
    bool module_scope;
    const struct jrs_targets *targets;
} jrs_symbol;

/* The label list of a .branchtargets. */
typedef struct jrs_targets {
    const char **names;
    uint32_t count;
} jrs_targets;

typedef enum jrs_operand_kind {
    JRS_OPERAND_REGISTER,
    JRS_OPERAND_INTEGER,
    JRS_OPERAND_FLOAT32,
    JRS_OPERAND_FLOAT64,
    JRS_OPERAND_VARIABLE, /* its address */
    JRS_OPERAND_FUNCTION,
    JRS_OPERAND_SPECIAL, /* %tid.x, ... */
    JRS_OPERAND_NAME,    /* a label, or unknown */
    JRS_OPERAND_SINK,    /* _ */
    JRS_OPERAND_VECTOR,
    JRS_OPERAND_LIST /* ( ... ) of a call */
} jrs_operand_kind;

typedef struct jrs_operand {
    jrs_operand_kind kind;
    bool negated;   /* ! */
    bool bracketed; /* [ ]: an address */
    const char *name;
    jrs_symbol *symbol;
    uint64_t bits;  /* of an immediate */
    int64_t offset; /* added to a register, variable or nothing */
    struct jrs_operand *items;
    uint32_t count;
    struct jrs_operand *pair; /* q of p|q */
} jrs_operand;

typedef struct jrs_statement {
    const char *opcode;                  /* as written */
    const char *parts[JRS_OPCODE_PARTS]; /* between the dots */
    unsigned part_count;
    unsigned part_next; /* decoders: the first part not taken yet */
    jrs_operand operands[JRS_OPERANDS];
    unsigned operand_count;
    jrs_operand *guard;
    bool guard_negated;
    bool is_call; /* ( ) around operands makes a list of them */
    uint32_t line;
    const char *text;
    uint32_t text_bytes;
} jrs_statement;

typedef struct jrs_scope {
    struct jrs_scope *parent;
    jrs_symbol *symbols;
    uint32_t depth;
    uint32_t first_fixup; /* the builder's branches from here on stand in it */
} jrs_scope;

typedef struct jrs_parser {
    jmp_buf *failed;  /* where a failure leads */
    bool unsupported; /* it is the simulator's: this function alone is refused */
    jrs_report *report;
    jrs_module *module;
    const char *at, *end;
    uint32_t line;
    jrs_symbol *buckets[JRS_SYMBOL_BUCKETS];
    jrs_scope *scope;
    uint32_t register_count;        /* declared so far */
    const jrs_statement *statement; /* being decoded: named in messages */
    struct jrs_builder *builder;    /* of the function being parsed, NULL outside */
    struct jrs_opcode_index *opcodes;
    jrs_global **globals_end;
    jrs_function **functions_end;
    struct jrs_called *called; /* functions called, checked at the end */
} jrs_parser;

/* ---- failure and memory (failure.c) ---- */
/* An attribute and not _Noreturn, which cppcheck does not know. */
/* The text is wrong: the module is refused. */
void jrs_parse_fail(jrs_parser *parser, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
/* The text may be right, but the simulator cannot execute it: the function is refused, its neighbours are not. */
void jrs_parse_refuse(jrs_parser *parser, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
void *jrs_parse_take(jrs_parser *parser, size_t bytes); /* never NULL */
const char *jrs_parse_string(jrs_parser *parser, const char *text, size_t length);
/* A larger copy of an array in the arena. */
void *jrs_parse_grow(jrs_parser *parser, const void *old, size_t old_bytes, size_t new_bytes);

/* ---- characters and words (lexer.c) ---- */
void jrs_lex_skip(jrs_parser *parser); /* white space and comments */
char jrs_lex_peek(jrs_parser *parser); /* the next character after white space, 0 at the end */
bool jrs_lex_accept(jrs_parser *parser, char c);
void jrs_lex_expect(jrs_parser *parser, char c);
/* An identifier; %tid.x is one. NULL when the text does not continue with one. */
const char *jrs_lex_name(jrs_parser *parser);
const char *jrs_lex_expect_name(jrs_parser *parser, const char *what);
/* ".word" without its dot. */
const char *jrs_lex_directive(jrs_parser *parser);
/* Skips a directive that no kernel depends on (.pragma, ...), and records .file and .loc; false: it is another
 * directive. */
bool jrs_lex_aside(jrs_parser *parser, const char *directive);
void jrs_lex_until(jrs_parser *parser, char c);
bool jrs_lex_pass(jrs_parser *parser);         /* skips through the next ; or { ... }; whether it was the latter */
const char *jrs_lex_label(jrs_parser *parser); /* of "name:", which is taken; NULL: it does not stand here */
/* A number literal: integer, 0f, 0d or decimal float, into kind and bits. */
bool jrs_lex_number(jrs_parser *parser, jrs_operand *operand);
int64_t jrs_lex_integer(jrs_parser *parser); /* with an optional sign */
/* Parses an integer from least to most; the error message for anything else calls it `what`. */
uint32_t jrs_lex_count(jrs_parser *parser, uint32_t least, uint32_t most, const char *what);

/* ---- constant expressions (ptx_expression.c) ---- */
/* A constant into kind and bits: an integer, or a float. */
void jrs_expression_parse(jrs_parser *parser, jrs_operand *operand);
/* What is added to a name, "+ 4*2" or "- 4"; 0: nothing is. */
int64_t jrs_expression_offset(jrs_parser *parser);

/* ---- symbols (symbols.c) ---- */
jrs_symbol *jrs_symbol_add(jrs_parser *parser, const char *name, jrs_symbol_kind kind);
jrs_symbol *jrs_symbol_find(jrs_parser *parser, const char *name);
void jrs_scope_open(jrs_parser *parser);
void jrs_scope_close(jrs_parser *parser);

/* ---- declarations (variable.c, function.c) ---- */
bool jrs_space_find(const char *name, jrs_space *space);
/* After ".space": "[.align n] [.vn] .type name[...] = ...;". */
void jrs_variable_parse(jrs_parser *parser, jrs_space space, bool external);
void jrs_initial_parse(jrs_parser *parser, jrs_global *global, jrs_type type); /* after "=" (initial.c) */
void jrs_register_parse(jrs_parser *parser);
/* One ".param ..." of a list, of a .func also ".reg ...": adds the symbol, and says its place. */
void jrs_parameter_parse(jrs_parser *parser, jrs_space space, uint32_t *end, jrs_parameter *parameter);
/* Room in the local memory of the function being parsed: its offset. */
uint32_t jrs_frame_reserve(jrs_parser *parser, uint32_t bytes);
void jrs_function_parse(jrs_parser *parser, bool entry);

/* ---- statements (statement.c) ---- */
void jrs_body_parse(jrs_parser *parser); /* after "{", through the closing "}" */

#endif
