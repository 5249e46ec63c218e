/* Operands to slots: registers, constants broadcast over 32 lanes, special registers, addresses of variables. */
#include <string.h>

#include "builder.h"
#include "handlers.h"
#include "special.h"

static jrs_slot temporary(jrs_parser *parser, unsigned bytes) {
    jrs_builder *builder = parser->builder;
    uint32_t size = bytes ? bytes * JRS_LANES : 4, alignment = bytes ? 64 : 4;
    uint32_t offset = (builder->frame_bytes + alignment - 1) / alignment * alignment;
    if (offset > JRS_FRAME_MAX) jrs_parse_fail(parser, "too many registers");
    builder->frame_bytes = offset + size;
    return jrs_builder_slot(JRS_BASE_FRAME, offset);
}

uint64_t jrs_function_address(const jrs_function *function) {
    return (uint64_t)JRS_WINDOW_FUNCTION << JRS_WINDOW_SHIFT | (uint64_t)(function->index + 1) * 16;
}

static void mention(jrs_parser *parser, const jrs_symbol *symbol, bool definition) {
    jrs_builder *builder = parser->builder;
    builder->mentions = jrs_builder_room(parser, builder->mentions, builder->mention_count, &builder->mention_capacity,
                                         sizeof *builder->mentions);
    builder->mentions[builder->mention_count++] = (jrs_mention){.name = symbol->name,
                                                                .instruction = builder->code_count,
                                                                .id = symbol->id,
                                                                .slot = symbol->slot,
                                                                .bytes = (uint8_t)symbol->bytes,
                                                                .definition = definition};
}

static jrs_slot register_slot(jrs_parser *parser, jrs_symbol *symbol, bool definition) {
    if (!symbol->has_slot) {
        symbol->slot = temporary(parser, symbol->bytes);
        symbol->id = parser->builder->register_count++;
        symbol->has_slot = true;
    }
    mention(parser, symbol, definition);
    return symbol->slot;
}

/* ---- immediates and addresses ---- */

uint64_t jrs_literal_bits(jrs_parser *parser, const jrs_operand *operand, unsigned bytes) {
    double wide;
    float narrow;
    uint32_t bits = (uint32_t)operand->bits;
    uint64_t wide_bits;
    if (operand->kind == JRS_OPERAND_INTEGER) return operand->bits + (uint64_t)operand->offset;
    if (bytes < 4 || bytes > 8) jrs_parse_fail(parser, "a float literal does not fit a %u-byte operand", bytes);
    if (operand->kind == JRS_OPERAND_FLOAT64 && bytes == 4) {
        memcpy(&wide, &operand->bits, sizeof wide);
        narrow = (float)wide;
        memcpy(&bits, &narrow, sizeof bits);
    }
    if (bytes == 4) return bits;
    if (operand->kind == JRS_OPERAND_FLOAT64) return operand->bits;
    memcpy(&narrow, &bits, sizeof narrow);
    wide = (double)narrow;
    memcpy(&wide_bits, &wide, sizeof wide_bits);
    return wide_bits;
}

static jrs_slot immediate_slot(jrs_parser *parser, const jrs_operand *operand, unsigned bytes) {
    uint64_t value[2] = {jrs_literal_bits(parser, operand, bytes), 0};
    if (bytes == 16 && operand->bits >> 63) value[1] = ~UINT64_C(0);
    if (bytes == 0) value[0] = value[0] ? JRS_ALL_LANES : 0;
    return jrs_slot_constant(parser, value, bytes);
}

static jrs_slot global_slot(jrs_parser *parser, const jrs_operand *operand, unsigned bytes) {
    uint64_t nothing = 0;
    if (bytes != 8) jrs_parse_fail(parser, "the address of '%s' needs 64 bits", operand->name);
    jrs_slot slot = jrs_slot_constant_apart(parser, &nothing, 8);
    jrs_relocation *relocation = jrs_parse_take(parser, sizeof *relocation);
    relocation->offset = slot & ((1u << JRS_BASE_SHIFT) - 1);
    relocation->global = operand->symbol->global;
    relocation->addend = operand->offset;
    relocation->next = parser->builder->function->relocations;
    parser->builder->function->relocations = relocation;
    return slot;
}

/* An address that only the launch or the frame knows: an instruction computes it. */
static jrs_slot computed_slot(jrs_parser *parser, jrs_handler *run, int64_t offset, unsigned bytes) {
    if (bytes != 4 && bytes != 8) jrs_parse_fail(parser, "an address needs 32 or 64 bits");
    jrs_slot slot = temporary(parser, bytes);
    jrs_emit_before(parser, &(jrs_instruction){.run = run, .d = slot, .width = (uint8_t)bytes, .offset = offset}, 0);
    return slot;
}

/* A kernel's shared addresses have slots apart from other constants, since they differ between the blocks of a
 * cluster. */
static jrs_slot shared_slot(jrs_parser *parser, uint64_t address, unsigned bytes) {
    jrs_function *function = parser->builder->function;
    if (!function->entry) return jrs_slot_constant(parser, &address, bytes);
    for (const jrs_shared_constant *known = function->shared_constants; known; known = known->next)
        if (known->address == address && known->bytes == bytes) return known->slot;
    jrs_shared_constant *made = jrs_parse_take(parser, sizeof *made);
    *made = (jrs_shared_constant){.next = function->shared_constants,
                                  .slot = jrs_slot_constant_apart(parser, &address, bytes),
                                  .bytes = bytes,
                                  .address = address};
    function->shared_constants = made;
    return made->slot;
}

static jrs_slot variable_slot(jrs_parser *parser, const jrs_operand *operand, unsigned bytes) {
    const jrs_symbol *symbol = operand->symbol;
    jrs_function *function = parser->builder->function;
    uint64_t offset = symbol->offset + (uint64_t)operand->offset;
    if (symbol->kind == JRS_SYMBOL_DYNAMIC) return computed_slot(parser, jrs_op_dynamic_shared, operand->offset, bytes);
    if (symbol->space == JRS_SPACE_SHARED && symbol->module_scope) function->uses_module_shared = true;
    if (symbol->space == JRS_SPACE_GLOBAL || symbol->space == JRS_SPACE_CONST)
        return global_slot(parser, operand, bytes);
    if (symbol->space == JRS_SPACE_LOCAL || symbol->space == JRS_SPACE_FRAME)
        return computed_slot(parser, jrs_op_frame_address, (int64_t)offset, bytes);
    if (bytes != 4 && bytes != 8) jrs_parse_fail(parser, "an address needs 32 or 64 bits");
    return symbol->space == JRS_SPACE_SHARED ? shared_slot(parser, offset, bytes)
                                             : jrs_slot_constant(parser, &offset, bytes);
}

static uint8_t find_special(jrs_parser *parser, const char *name) {
    static const char *const names[] = {
#define NAME(id, name, value) name,
        JRS_SPECIALS(NAME)
#undef NAME
    };
    static const char *const lacked[] = {"%pm", "%envreg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return (uint8_t)i;
    for (size_t i = 0; i < sizeof lacked / sizeof *lacked; i++)
        if (strncmp(lacked[i], name, strlen(lacked[i])) == 0)
            jrs_parse_refuse(parser, "the special register '%s' is not supported", name);
    jrs_parse_fail(parser, "'%s' is neither a register in scope nor a special register we know", name);
}

static jrs_slot special_slot(jrs_parser *parser, const jrs_operand *operand, unsigned bytes) {
    const uint8_t special = find_special(parser, operand->name);
    if ((bytes == 0) != (strcmp(operand->name, JRS_EXPLICIT_CLUSTER) == 0))
        jrs_parse_fail(parser, "'%s' is used where a %s is needed", operand->name, bytes ? "value" : "predicate");
    if (strncmp(operand->name, JRS_RESERVED, strlen(JRS_RESERVED)) == 0)
        parser->builder->function->uses_reserved = parser->module->uses_reserved = true;
    jrs_slot slot = temporary(parser, bytes);
    const jrs_instruction made = {.run = jrs_op_special, .d = slot, .width = (uint8_t)bytes, .operation = special};
    jrs_emit_before(parser, &made, 0);
    return slot;
}

/* ---- operands ---- */

static void __attribute__((noreturn)) fail_width(jrs_parser *parser, const jrs_operand *operand, unsigned bytes) {
    if (bytes == 0) jrs_parse_fail(parser, "'%s' is not a predicate register", operand->name);
    if (operand->symbol->bytes == 0)
        jrs_parse_fail(parser, "the predicate '%s' is used where a value is needed", operand->name);
    jrs_parse_fail(parser, "the register '%s' has %u bits where %u are needed", operand->name,
                   operand->symbol->bytes * 8, bytes * 8);
}

/* An instruction in front negates it. */
static jrs_slot negated_slot(jrs_parser *parser, const jrs_operand *operand) {
    jrs_operand plain = *operand;
    jrs_symbol *result = jrs_parse_take(parser, sizeof *result);
    char name[64];
    snprintf(name, sizeof name, "!%.60s", operand->name);
    result->name = jrs_parse_string(parser, name, strlen(name));
    plain.negated = false;
    jrs_instruction made = {.run = jrs_op_negate, .source_count = 1, .has_d = true};
    made.s[0] = jrs_slot_source(parser, &plain, 0);
    made.d = register_slot(parser, result, true);
    jrs_emit_before(parser, &made, 2);
    return register_slot(parser, result, false);
}

jrs_slot jrs_slot_source(jrs_parser *parser, const jrs_operand *operand, unsigned bytes) {
    uint64_t address;
    if (operand->negated && bytes) jrs_parse_fail(parser, "a ! before something that is not a predicate");
    if (operand->negated) return negated_slot(parser, operand);
    switch (operand->kind) {
    case JRS_OPERAND_REGISTER:
        if (operand->symbol->bytes != bytes) fail_width(parser, operand, bytes);
        if (operand->offset) jrs_parse_fail(parser, "a register with an offset outside of [ ]");
        return register_slot(parser, operand->symbol, false);
    case JRS_OPERAND_INTEGER:
    case JRS_OPERAND_FLOAT32:
    case JRS_OPERAND_FLOAT64: return immediate_slot(parser, operand, bytes);
    case JRS_OPERAND_VARIABLE: return variable_slot(parser, operand, bytes);
    case JRS_OPERAND_FUNCTION:
        address = jrs_function_address(operand->symbol->function);
        if (bytes != 8) jrs_parse_fail(parser, "the address of '%s' needs 64 bits", operand->name);
        return jrs_slot_constant(parser, &address, 8);
    case JRS_OPERAND_SPECIAL: return special_slot(parser, operand, bytes);
    default: jrs_parse_fail(parser, "'%s' is not declared or cannot be a source", operand->name ? operand->name : "{");
    }
}

jrs_slot jrs_slot_destination(jrs_parser *parser, const jrs_operand *operand, unsigned bytes) {
    if (operand->kind == JRS_OPERAND_SINK) return temporary(parser, bytes);
    if (operand->kind != JRS_OPERAND_REGISTER)
        jrs_parse_fail(parser, "'%s' is not a register to write to", operand->name ? operand->name : "the operand");
    if (operand->symbol->bytes != bytes) fail_width(parser, operand, bytes);
    return register_slot(parser, operand->symbol, true);
}

unsigned jrs_slot_wide(jrs_parser *parser, const jrs_operand *operand, unsigned least) {
    if (least == 1) least = 2;
    if (operand->kind != JRS_OPERAND_REGISTER) return least;
    if (operand->symbol->bytes < least) fail_width(parser, operand, least);
    return operand->symbol->bytes;
}

/* Immediates and sinks take the width of the other registers of the vector. */
static unsigned vector_bytes(jrs_parser *parser, const jrs_operand *items, unsigned count, unsigned least) {
    unsigned bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        if (items[i].kind != JRS_OPERAND_REGISTER) continue;
        unsigned width = jrs_slot_wide(parser, &items[i], least);
        if (bytes && width != bytes) jrs_parse_fail(parser, "the vector's registers differ in width");
        bytes = width;
    }
    return bytes ? bytes : jrs_slot_wide(parser, items, least);
}

jrs_elements jrs_slot_vector(jrs_parser *parser, const jrs_operand *operand, unsigned least, bool destination) {
    const bool vector = operand->kind == JRS_OPERAND_VECTOR;
    const jrs_operand *items = vector ? operand->items : operand;
    const unsigned count = vector ? operand->count : 1;
    if (count == 0) jrs_parse_fail(parser, "an empty vector");
    const unsigned bytes = vector_bytes(parser, items, count, least);
    jrs_slot *slots = jrs_parse_take(parser, count * sizeof *slots);
    for (unsigned i = 0; i < count; i++)
        slots[i] =
            destination ? jrs_slot_destination(parser, &items[i], bytes) : jrs_slot_source(parser, &items[i], bytes);
    return (jrs_elements){slots, (uint8_t)count, (uint8_t)bytes};
}

int64_t jrs_operand_constant(jrs_parser *parser, const jrs_operand *operand) {
    if (operand->kind != JRS_OPERAND_INTEGER) jrs_parse_fail(parser, "an integer constant is needed");
    return (int64_t)(operand->bits + (uint64_t)operand->offset);
}

/* ---- addresses ---- */

jrs_location jrs_location_take(jrs_parser *parser, const jrs_operand *operand, jrs_space space) {
    const uint64_t zero = 0;
    jrs_location found = {.bytes = 8, .space = (uint8_t)space, .offset = operand->offset};
    jrs_operand base = *operand;
    base.offset = 0;
    if (!operand->bracketed) jrs_parse_fail(parser, "an address in [ ] is needed");
    switch (operand->kind) {
    case JRS_OPERAND_REGISTER:
        found.bytes = (uint8_t)operand->symbol->bytes;
        if (found.bytes != 4 && found.bytes != 8) jrs_parse_fail(parser, "an address needs 32 or 64 bits");
        found.slot = jrs_slot_source(parser, &base, found.bytes);
        if (space == JRS_SPACE_PARAMETER && !parser->builder->function->entry) found.space = JRS_SPACE_LOCAL;
        return found;
    case JRS_OPERAND_INTEGER:
        found.offset = jrs_operand_constant(parser, operand);
        found.slot = jrs_slot_constant(parser, &zero, 8);
        return found;
    case JRS_OPERAND_VARIABLE: break;
    default: jrs_slot_source(parser, operand, 8); jrs_parse_fail(parser, "'%s' is not an address", operand->name);
    }
    found.space = (uint8_t)operand->symbol->space;
    if (found.space != JRS_SPACE_FRAME && found.space != JRS_SPACE_PARAMETER) {
        found.slot = jrs_slot_source(parser, &base, 8);
        return found;
    }
    found.slot = jrs_slot_constant(parser, &zero, 8);
    found.offset = (int64_t)(operand->symbol->offset + (uint64_t)operand->offset);
    return found;
}
