/* Building one function's code: instructions, labels and branches, calls. */
#include "builder.h"

#include <string.h>

enum { BRANCHES_MAX = 1 << 20 };

void *jrs_builder_room(jrs_parser *parser, void *array, uint32_t count, uint32_t *capacity, size_t bytes) {
    if (count < *capacity) return array;
    uint32_t larger = *capacity ? *capacity * 2 : 64;
    array = jrs_parse_grow(parser, array, count * bytes, larger * bytes);
    *capacity = larger;
    return array;
}

jrs_slot jrs_builder_slot(unsigned base, uint32_t offset) {
    return (uint32_t)base << JRS_BASE_SHIFT | offset;
}

void jrs_emit(jrs_parser *parser, const jrs_instruction *made) {
    jrs_builder *builder = parser->builder;
    const jrs_statement *statement = parser->statement;
    builder->code =
        jrs_builder_room(parser, builder->code, builder->code_count, &builder->code_capacity, sizeof *builder->code);
    jrs_instruction *instruction = &builder->code[builder->code_count++];
    *instruction = *made;
    if (!statement) return;
    instruction->line = statement->line;
    instruction->text = statement->text;
    instruction->text_bytes = statement->text_bytes;
}

void jrs_emit_before(jrs_parser *parser, const jrs_instruction *made, uint32_t own) {
    jrs_builder *builder = parser->builder;
    jrs_mention kept[JRS_SOURCES];
    const uint32_t number = builder->code_count, last = builder->mention_count - own;
    uint32_t first = last;
    if (own) memcpy(kept, builder->mentions + last, own * sizeof *kept);
    while (first > 0 && builder->mentions[first - 1].instruction == number) {
        first--;
        builder->mentions[first + own] = builder->mentions[first];
        builder->mentions[first + own].instruction = number + 1;
    }
    if (own) memcpy(builder->mentions + first, kept, own * sizeof *kept);
    jrs_emit(parser, made);
}

void jrs_builder_begin(jrs_parser *parser, jrs_function *function) {
    parser->builder = jrs_parse_take(parser, sizeof *parser->builder);
    parser->builder->function = function;
}

/* ---- labels ---- */

void jrs_builder_label(jrs_parser *parser, const char *name) {
    jrs_symbol_add(parser, name, JRS_SYMBOL_LABEL)->offset = parser->builder->code_count;
}

void jrs_builder_fixup(jrs_parser *parser, const char *name, uint32_t *into) {
    jrs_builder *builder = parser->builder;
    if (builder->fixup_count == BRANCHES_MAX) jrs_parse_fail(parser, "more than %d branches", BRANCHES_MAX);
    builder->fixups = jrs_builder_room(parser, builder->fixups, builder->fixup_count, &builder->fixup_capacity,
                                       sizeof *builder->fixups);
    builder->fixups[builder->fixup_count++] = (jrs_fixup){name, builder->code_count, into};
}

static bool resolve(jrs_parser *parser, const jrs_fixup *fixup) {
    const jrs_symbol *label = jrs_symbol_find(parser, fixup->name);
    if (!label || label->kind != JRS_SYMBOL_LABEL || label->scope != parser->scope) return false;
    if (fixup->into)
        *fixup->into = label->offset;
    else
        parser->builder->code[fixup->instruction].branch.target = label->offset;
    return true;
}

void jrs_builder_leave(jrs_parser *parser) {
    jrs_builder *builder = parser->builder;
    uint32_t left = parser->scope->first_fixup;
    for (uint32_t i = left; i < builder->fixup_count; i++)
        if (!resolve(parser, &builder->fixups[i])) builder->fixups[left++] = builder->fixups[i];
    builder->fixup_count = left;
}

void jrs_builder_leave_last(jrs_parser *parser) {
    jrs_builder_leave(parser);
    if (parser->builder->fixup_count == 0) return;
    const jrs_fixup *fixup = &parser->builder->fixups[0];
    const jrs_instruction *branch = &parser->builder->code[fixup->instruction];
    jrs_statement *statement = jrs_parse_take(parser, sizeof *statement);
    *statement = (jrs_statement){.line = branch->line, .text = branch->text, .text_bytes = branch->text_bytes};
    parser->statement = statement;
    jrs_parse_fail(parser, "there is no label '%s'", fixup->name);
}

void jrs_builder_called(jrs_parser *parser, const jrs_statement *statement, jrs_call_site *call) {
    jrs_called *called = jrs_parse_take(parser, sizeof *called);
    *called = (jrs_called){
        .next = parser->called, .caller = parser->builder->function, .call = call, .statement = *statement};
    parser->called = called;
}
