/* Building one function's code: begin, labels and branches, end. */
#include "builder.h"

#include <string.h>

#include "handlers.h"

enum { REGISTERS_RESERVED = 2, REGISTERS_LEAST = 8, REGISTERS_MOST = 255, REGISTER_FILE = 65536, REGISTER_UNIT = 8 };
enum { BRANCHES_MOST = 1 << 20 };

void *jrs_builder_room(jrs_parser *parser, void *array, uint32_t count, uint32_t *capacity, size_t bytes) {
    if (count < *capacity) return array;
    uint32_t larger = *capacity ? *capacity * 2 : 64;
    array = jrs_parse_grow(parser, array, count * bytes, larger * bytes);
    *capacity = larger;
    return array;
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
    jrs_builder *builder = parser->builder;
    jrs_symbol_add(parser, name, JRS_SYMBOL_LABEL)->offset = builder->code_count;
    builder->labels = jrs_builder_room(parser, builder->labels, builder->label_count, &builder->label_capacity,
                                       sizeof *builder->labels);
    builder->labels[builder->label_count++] = builder->code_count;
}

void jrs_builder_fixup(jrs_parser *parser, const char *name, uint32_t *into) {
    jrs_builder *builder = parser->builder;
    const jrs_statement *statement = parser->statement;
    if (builder->fixup_count == BRANCHES_MOST) jrs_parse_fail(parser, "more than %d branches", BRANCHES_MOST);
    builder->fixups = jrs_builder_room(parser, builder->fixups, builder->fixup_count, &builder->fixup_capacity,
                                       sizeof *builder->fixups);
    builder->fixups[builder->fixup_count++] =
        (jrs_fixup){name, builder->code_count, statement->line, into, statement->text, statement->text_bytes};
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

static void resolve_last(jrs_parser *parser) {
    jrs_builder_leave(parser);
    if (parser->builder->fixup_count == 0) return;
    const jrs_fixup *fixup = &parser->builder->fixups[0];
    jrs_statement *statement = jrs_parse_take(parser, sizeof *statement);
    *statement = (jrs_statement){.line = fixup->line, .text = fixup->text, .text_bytes = fixup->text_bytes};
    parser->statement = statement;
    jrs_parse_fail(parser, "there is no label '%s'", fixup->name);
}

void jrs_builder_called(jrs_parser *parser, const jrs_statement *statement, jrs_call *call) {
    jrs_called *called = jrs_parse_take(parser, sizeof *called);
    *called = (jrs_called){
        .next = parser->called, .caller = parser->builder->function, .call = call, .statement = *statement};
    parser->called = called;
}

/* ---- the end ---- */

static void finish_shared(jrs_parser *parser) {
    jrs_function *function = parser->builder->function;
    if (parser->builder->own_shared || !function->entry) return;
    if (function->uses_module_shared || function->calls) function->shared_bytes = parser->module->shared_bytes;
}

/* ptxas spills rather than let a block that the kernel is bound to not fit, and so many blocks as it promises. Warps
 * are dealt to the quarters of a multiprocessor, so a number of them that is no multiple of 4 counts as the next one.
 */
static uint32_t allot_registers(const jrs_function *function, uint32_t wanted) {
    uint32_t most = REGISTERS_MOST, warps = (function->max_threads + JRS_LANES - 1) / JRS_LANES;
    uint32_t blocks = function->min_blocks ? function->min_blocks : 1, dealt = (warps * blocks + 3) / 4 * 4;
    uint32_t share = REGISTER_FILE / (dealt * JRS_LANES) / REGISTER_UNIT * REGISTER_UNIT;
    if (function->bounded && share < most) most = share;
    if (function->register_limit && function->register_limit < most) most = function->register_limit;
    if (most < REGISTERS_LEAST) most = REGISTERS_LEAST;
    return wanted < REGISTERS_LEAST ? REGISTERS_LEAST : wanted > most ? most : wanted;
}

void jrs_builder_end(jrs_parser *parser) {
    jrs_builder *builder = parser->builder;
    jrs_function *function = builder->function;
    jrs_emit(parser, &(jrs_instruction){.run = jrs_op_ret}); /* falling off the end returns */
    resolve_last(parser);
    const uint32_t live = jrs_liveness_peak(parser);
    function->registers = allot_registers(function, live < REGISTERS_MOST ? live + REGISTERS_RESERVED : live);
    function->code = builder->code;
    function->code_count = builder->code_count;
    function->mentions = builder->mentions;
    function->frame_bytes = (builder->frame_bytes + 63) / 64 * 64;
    function->constants = builder->constants;
    function->constant_bytes = builder->constant_bytes;
    function->local_bytes = (function->local_bytes + 15) / 16 * 16;
    finish_shared(parser);
    parser->builder = NULL;
}
