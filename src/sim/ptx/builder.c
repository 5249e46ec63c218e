/* Building one function's code: begin, labels and branches, end. */
#include "builder.h"

#include <string.h>

#include "handlers.h"

enum { REGISTERS_RESERVED = 2, REGISTERS_LEAST = 8, REGISTERS_MOST = 255, REGISTER_FILE = 65536, REGISTER_UNIT = 8 };

void *jrs_builder_room(jrs_parser *parser, void *array, uint32_t count, uint32_t *capacity, size_t bytes) {
    if (count < *capacity) return array;
    uint32_t larger = *capacity ? *capacity * 2 : 64;
    array = jrs_parse_grow(parser, array, count * bytes, larger * bytes);
    *capacity = larger;
    return array;
}

jrs_instruction *jrs_emit(jrs_parser *parser, jrs_handler *run) {
    jrs_builder *builder = parser->builder;
    const jrs_statement *statement = parser->statement;
    builder->code =
        jrs_builder_room(parser, builder->code, builder->code_count, &builder->code_capacity, sizeof *builder->code);
    jrs_instruction *instruction = &builder->code[builder->code_count++];
    *instruction = (jrs_instruction){.run = run};
    if (!statement) return instruction;
    instruction->line = statement->line;
    instruction->text = statement->text;
    instruction->text_bytes = statement->text_bytes;
    return instruction;
}

void jrs_builder_begin(jrs_parser *parser, jrs_function *function) {
    parser->builder = jrs_parse_take(parser, sizeof *parser->builder);
    parser->builder->function = function;
}

void jrs_builder_label(jrs_parser *parser, const char *name) {
    jrs_builder *builder = parser->builder;
    for (uint32_t i = builder->label_count; i-- > 0 && builder->labels[i].scope == parser->scope->id;)
        if (strcmp(builder->labels[i].name, name) == 0) jrs_parse_fail(parser, "the label '%s' is defined twice", name);
    builder->labels = jrs_builder_room(parser, builder->labels, builder->label_count, &builder->label_capacity,
                                       sizeof *builder->labels);
    builder->labels[builder->label_count++] = (jrs_label){name, parser->scope->id, builder->code_count};
}

void jrs_builder_fixup(jrs_parser *parser, const char *name, uint32_t instruction, uint32_t *into) {
    jrs_builder *builder = parser->builder;
    builder->fixups = jrs_builder_room(parser, builder->fixups, builder->fixup_count, &builder->fixup_capacity,
                                       sizeof *builder->fixups);
    builder->fixups[builder->fixup_count++] = (jrs_fixup){name,
                                                          instruction,
                                                          parser->statement->line,
                                                          into,
                                                          parser->scope,
                                                          parser->statement->text,
                                                          parser->statement->text_bytes};
}

static const jrs_label *find_label(const jrs_builder *builder, const jrs_fixup *fixup) {
    for (const jrs_scope *scope = fixup->scope; scope; scope = scope->parent)
        for (uint32_t i = 0; i < builder->label_count; i++)
            if (builder->labels[i].scope == scope->id && strcmp(builder->labels[i].name, fixup->name) == 0)
                return &builder->labels[i];
    return NULL;
}

static void resolve_labels(jrs_parser *parser) {
    jrs_builder *builder = parser->builder;
    for (uint32_t i = 0; i < builder->fixup_count; i++) {
        const jrs_fixup *fixup = &builder->fixups[i];
        const jrs_label *label = find_label(builder, fixup);
        if (!label) {
            jrs_statement *statement = jrs_parse_take(parser, sizeof *statement);
            *statement = (jrs_statement){.line = fixup->line, .text = fixup->text, .text_bytes = fixup->text_bytes};
            parser->statement = statement;
            jrs_parse_fail(parser, "there is no label '%s'", fixup->name);
        }
        if (fixup->into)
            *fixup->into = label->instruction;
        else
            builder->code[fixup->instruction].branch.target = label->instruction;
    }
}

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
    jrs_emit(parser, jrs_op_ret); /* falling off the end returns */
    resolve_labels(parser);
    function->registers = allot_registers(function, jrs_liveness_peak(parser) + REGISTERS_RESERVED);
    function->code = builder->code;
    function->code_count = builder->code_count;
    function->frame_bytes = (builder->frame_bytes + 63) / 64 * 64;
    function->constants = builder->constants;
    function->constant_bytes = builder->constant_bytes;
    function->local_bytes = (function->local_bytes + 15) / 16 * 16;
    finish_shared(parser);
    parser->builder = NULL;
}
