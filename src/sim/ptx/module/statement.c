/* The body of a function: scopes, directives, labels and instructions with their operands. */
#include <ctype.h>
#include <string.h>

#include "rows.h"

/* ---- operands ---- */

static void resolve_name(jrs_parser *parser, jrs_operand *operand, const char *name) {
    operand->name = name;
    operand->symbol = jrs_symbol_find(parser, name);
    operand->kind = JRS_OPERAND_NAME;
    if (strcmp(name, "_") == 0)
        operand->kind = JRS_OPERAND_SINK;
    else if (!operand->symbol && name[0] == '%')
        operand->kind = JRS_OPERAND_SPECIAL;
    else if (!operand->symbol || operand->symbol->kind == JRS_SYMBOL_OTHER || operand->symbol->kind == JRS_SYMBOL_LABEL)
        return;
    else if (operand->symbol->kind == JRS_SYMBOL_OPAQUE)
        jrs_parse_refuse(parser, "'%s' is a texture, sampler or surface: they are not supported", name);
    else if (operand->symbol->kind == JRS_SYMBOL_REGISTER)
        operand->kind = JRS_OPERAND_REGISTER;
    else if (operand->symbol->kind == JRS_SYMBOL_FUNCTION)
        operand->kind = JRS_OPERAND_FUNCTION;
    else
        operand->kind = JRS_OPERAND_VARIABLE;
}

/* Accepts a name with an optional ! before it; anything else begins a constant. */
static const char *accept_name(jrs_parser *parser, jrs_operand *operand) {
    const char *const start = (jrs_lex_skip(parser), parser->at);
    const uint32_t line = parser->line;
    operand->negated = jrs_lex_accept(parser, '!');
    const char *name = jrs_lex_name(parser);
    if (name && (strcmp(name, "WARP_SZ") != 0 || jrs_symbol_find(parser, name))) return name;
    parser->at = start;
    parser->line = line;
    operand->negated = false;
    return NULL;
}

static void parse_primary(jrs_parser *parser, jrs_operand *operand) {
    const char *name = accept_name(parser, operand);
    const char first = jrs_lex_peek(parser);
    if (name) {
        resolve_name(parser, operand, name);
        operand->offset = jrs_expression_offset(parser);
    } else if (isalnum((unsigned char)first) || (first && strchr("(+-~!", first))) {
        jrs_expression_parse(parser, operand);
    } else {
        jrs_parse_fail(parser, "an operand expected");
    }
}

static void parse_items(jrs_parser *parser, jrs_operand *operand, char close) {
    jrs_operand items[JRS_LIST_OPERANDS] = {0};
    while (jrs_lex_peek(parser) != close) {
        if (operand->count == JRS_LIST_OPERANDS)
            jrs_parse_fail(parser, "more than %d operands in a list", JRS_LIST_OPERANDS);
        parse_primary(parser, &items[operand->count++]);
        if (!jrs_lex_accept(parser, ',')) break;
    }
    jrs_lex_expect(parser, close);
    operand->items = jrs_parse_grow(parser, items, operand->count * sizeof *items, operand->count * sizeof *items);
}

static void parse_operand(jrs_parser *parser, jrs_operand *operand) {
    if (jrs_lex_accept(parser, '{')) {
        operand->kind = JRS_OPERAND_VECTOR;
        parse_items(parser, operand, '}');
    } else if (parser->statement->is_call && jrs_lex_accept(parser, '(')) {
        operand->kind = JRS_OPERAND_LIST;
        parse_items(parser, operand, ')');
    } else if (jrs_lex_accept(parser, '[')) {
        parse_primary(parser, operand);
        operand->bracketed = true;
        jrs_lex_expect(parser, ']');
    } else {
        parse_primary(parser, operand);
    }
    if (!jrs_lex_accept(parser, '|')) return;
    operand->pair = jrs_parse_take(parser, sizeof *operand);
    parse_primary(parser, operand->pair);
}

/* ---- instructions ---- */

static void parse_guard(jrs_parser *parser, jrs_statement *statement) {
    statement->guard = jrs_parse_take(parser, sizeof *statement->guard);
    parse_primary(parser, statement->guard);
    statement->guard_negated = statement->guard->negated;
    statement->guard->negated = false;
    if (statement->guard->kind != JRS_OPERAND_REGISTER || statement->guard->symbol->type != JRS_TYPE_pred)
        jrs_parse_fail(parser, "the guard '@%s' is not a predicate register",
                       statement->guard->name ? statement->guard->name : "");
}

static void parse_opcode(jrs_parser *parser, jrs_statement *statement) {
    char part[64];
    size_t used = 0;
    jrs_lex_skip(parser);
    const char *start = parser->at;
    for (;; parser->at++) {
        char c = parser->at < parser->end ? *parser->at : '\0';
        bool word = isalnum((unsigned char)c) || c == '_' || c == ':';
        if (word && used < sizeof part - 1) {
            part[used++] = c;
            continue;
        }
        if (!used || word || statement->part_count == JRS_OPCODE_PARTS)
            jrs_parse_fail(parser, "an instruction expected");
        statement->parts[statement->part_count++] = jrs_parse_string(parser, part, used);
        used = 0;
        if (c != '.') break;
    }
    statement->opcode = jrs_parse_string(parser, start, (size_t)(parser->at - start));
}

enum { THREE_TARGET = 100 };

static void choose_three(jrs_parser *parser, jrs_match *match) {
    if (match->statement->operand_count != 4) {
        if (!match->form) jrs_match_refuse(parser, match);
        return;
    }
    if (parser->module->target < THREE_TARGET)
        jrs_parse_fail(parser, "'%s' of three sources needs .target sm_%d", match->statement->opcode, THREE_TARGET);
    match->form = match->three;
}

static void make_form(const jrs_match *match, jrs_instruction *made) {
    const jrs_arithmetic *modifiers = &match->modifiers;
    bool adjusted = modifiers->ftz || modifiers->sat || modifiers->rounding > JRS_ROUND_NEAREST;
    made->run = adjusted ? jrs_op_adjust : jrs_form_run(match->form);
    made->arithmetic = *modifiers;
    made->arithmetic.inner = jrs_form_run(match->form);
}

/* Emits the instruction of a statement whose opcode was matched. */
static void emit_instruction(jrs_parser *parser, jrs_match *match) {
    const jrs_operand *guard = match->statement->guard;
    jrs_instruction made = {.guarded = guard != NULL, .operation = match->operation};
    if (match->types[0] != JRS_TYPE_COUNT) made.type = (uint8_t)match->types[0];
    if (guard) made.guard = jrs_slot_source(parser, guard, 0);
    made.guard_negated = match->statement->guard_negated;
    if (match->three) choose_three(parser, match);
    jrs_operands_take(parser, match, &made);
    if (match->form) {
        make_form(match, &made);
    } else {
        made.run = match->row->run;
        if (match->row->make) match->row->make(parser, match, &made);
    }
    jrs_emit(parser, &made);
}

/* Text up to the semicolon, so that a message shows it whole even when its operands cannot be parsed. */
static void mark_text(jrs_parser *parser, jrs_statement *statement) {
    jrs_lex_skip(parser);
    statement->line = parser->line;
    statement->text = parser->at;
    const char *semicolon = memchr(parser->at, ';', (size_t)(parser->end - parser->at));
    size_t bytes = (size_t)((semicolon ? semicolon : parser->end) - parser->at);
    statement->text_bytes = (uint32_t)(bytes < 1000 ? bytes : 1000);
}

/* What the opcode is decides first: operands of an unknown instruction may look like anything. */
static void parse_instruction(jrs_parser *parser) {
    jrs_statement statement = {0};
    jrs_match match;
    mark_text(parser, &statement);
    /* cppcheck-suppress autoVariables ; taken back below, and where a failure leads */
    parser->statement = &statement;
    if (jrs_lex_accept(parser, '@')) parse_guard(parser, &statement);
    parse_opcode(parser, &statement);
    jrs_match_opcode(parser, &statement, &match);
    statement.is_call = strcmp(statement.parts[0], "call") == 0;
    while (jrs_lex_peek(parser) != ';') {
        if (statement.operand_count == JRS_OPERANDS) jrs_parse_fail(parser, "too many operands");
        parse_operand(parser, &statement.operands[statement.operand_count++]);
        if (!jrs_lex_accept(parser, ',')) break;
    }
    jrs_lex_expect(parser, ';');
    emit_instruction(parser, &match);
    parser->statement = NULL;
}

/* ---- labels and directives ---- */

static void parse_branch_targets(jrs_parser *parser, const char *label) {
    const char *names[4096];
    jrs_targets *targets = jrs_parse_take(parser, sizeof *targets);
    do {
        if (targets->count == 4096) jrs_parse_fail(parser, "more than 4096 branch targets");
        names[targets->count++] = jrs_lex_expect_name(parser, "a label");
    } while (jrs_lex_accept(parser, ','));
    jrs_lex_expect(parser, ';');
    targets->names = jrs_parse_grow(parser, names, targets->count * sizeof *names, targets->count * sizeof *names);
    jrs_symbol_add(parser, label, JRS_SYMBOL_OTHER)->targets = targets;
}

static bool accept_label(jrs_parser *parser) {
    const char *name = jrs_lex_label(parser);
    if (!name) return false;
    if (jrs_lex_peek(parser) != '.') {
        jrs_builder_label(parser, name);
        return true;
    }
    const char *start = parser->at;
    const char *word = jrs_lex_directive(parser);
    if (strcmp(word, "branchtargets") == 0) {
        parse_branch_targets(parser, name);
    } else if (strcmp(word, "callprototype") == 0 || strcmp(word, "calltargets") == 0) {
        jrs_symbol_add(parser, name, JRS_SYMBOL_OTHER);
        jrs_lex_until(parser, ';');
    } else {
        parser->at = start;
        jrs_builder_label(parser, name);
    }
    return true;
}

static void parse_directive(jrs_parser *parser) {
    jrs_space space;
    const char *word = jrs_lex_directive(parser);
    if (strcmp(word, "reg") == 0)
        jrs_register_parse(parser);
    else if (strcmp(word, "param") == 0)
        jrs_variable_parse(parser, JRS_SPACE_FRAME, false);
    else if (jrs_space_find(word, &space))
        jrs_variable_parse(parser, space, false);
    else if (!jrs_lex_aside(parser, word))
        jrs_parse_refuse(parser, "the directive .%s is not supported", word);
}

void jrs_body_parse(jrs_parser *parser) {
    for (unsigned depth = 1;;) {
        char c = jrs_lex_peek(parser);
        if (c == '\0') jrs_parse_fail(parser, "'}' expected, but the text ends");
        if (c == '{') {
            parser->at++;
            depth++;
            jrs_scope_open(parser);
            parser->scope->first_fixup = parser->builder->fixup_count;
        } else if (c == '}') {
            parser->at++;
            if (--depth == 0) return;
            jrs_builder_leave(parser);
            jrs_scope_close(parser);
        } else if (c == ';') {
            parser->at++; /* an empty statement of inline assembly */
        } else if (c == '.') {
            parse_directive(parser);
        } else if (!accept_label(parser)) {
            parse_instruction(parser);
        }
    }
}
