/* Decoders of moves, comparisons, selections, conversions and address windows. */
#include <string.h>

#include "decode.h"

static jrs_instruction *emit_simple(jrs_parser *parser, jrs_handler *run, jrs_slot d, const jrs_slot *sources,
                                    unsigned count) {
    jrs_instruction *instruction = jrs_emit(parser, run);
    instruction->d = d;
    memcpy(instruction->s, sources, count * sizeof *sources);
    instruction->source_count = (uint8_t)count;
    return instruction;
}

/* ---- mov ---- */

static void decode_unpack(jrs_parser *parser, const jrs_statement *statement, unsigned bytes) {
    unsigned element, count;
    jrs_slot source = jrs_slot_source(parser, &statement->operands[1], bytes);
    jrs_slot *slots = jrs_slot_vector(parser, &statement->operands[0], 2, &element, true, &count);
    if (element * count != bytes)
        jrs_parse_fail(parser, "%u elements of %u bits do not make %u", count, element * 8, bytes * 8);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_unpack);
    instruction->s[0] = source;
    instruction->elements = (jrs_elements){slots, (uint8_t)count, (uint8_t)element};
    instruction->width = (uint8_t)bytes;
}

static void decode_pack(jrs_parser *parser, const jrs_statement *statement, unsigned bytes) {
    unsigned element, count;
    const jrs_operand *vector = &statement->operands[1];
    if (vector->count == 0 || bytes % vector->count)
        jrs_parse_fail(parser, "the vector does not make %u bits", bytes * 8);
    jrs_slot *slots = jrs_slot_vector(parser, vector, bytes / vector->count, &element, false, &count);
    if (element * count != bytes)
        jrs_parse_fail(parser, "%u elements of %u bits do not make %u", count, element * 8, bytes * 8);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], bytes);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_pack);
    instruction->d = d;
    instruction->elements = (jrs_elements){slots, (uint8_t)count, (uint8_t)element};
    instruction->width = (uint8_t)bytes;
}

void jrs_decode_mov(jrs_parser *parser, jrs_statement *statement) {
    jrs_type type = jrs_take_type(parser, statement);
    unsigned bytes = jrs_type_register_bytes(type);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 2, 2);
    const jrs_operand *source = &statement->operands[1];
    if (statement->operands[0].kind == JRS_OPERAND_VECTOR) {
        decode_unpack(parser, statement, bytes);
    } else if (source->kind == JRS_OPERAND_VECTOR) {
        decode_pack(parser, statement, bytes);
    } else {
        jrs_slot s = jrs_slot_source(parser, source, bytes);
        jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], bytes);
        emit_simple(parser, bytes ? jrs_op_move : jrs_op_move_predicate, d, &s, 1)->width = (uint8_t)bytes;
    }
}

/* ---- setp, set, selp, slct, testp ---- */

static bool is_pair(jrs_type type) {
    return type == JRS_TYPE_f16x2 || type == JRS_TYPE_bf16x2;
}

/* A pair is compared half by half. */
static jrs_form find_comparison(jrs_parser *parser, const jrs_statement *statement, const char *operator_,
                                jrs_type type) {
    char name[64];
    const jrs_type half = type == JRS_TYPE_f16x2 ? JRS_TYPE_f16 : JRS_TYPE_bf16;
    snprintf(name, sizeof name, "setp_%.20s_%.20s", operator_, jrs_type_name(is_pair(type) ? half : type));
    const jrs_form *form = jrs_form_find(parser, name);
    if (!form) jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    jrs_form found = *form;
    if (is_pair(type)) found.bytes[1] = found.bytes[2] = (uint8_t)jrs_type_bytes(type);
    return found;
}

static jrs_boolean take_boolean(jrs_statement *statement) {
    static const char *const names[] = {"and", "or", "xor"};
    unsigned found = jrs_take_one(statement, names, 3);
    return found == 3 ? JRS_BOOLEAN_NONE : (jrs_boolean)(JRS_BOOLEAN_AND + found);
}

/* The comparison that setp and set share: operands 1.. are a, b and, with a boolean operator, c. */
static jrs_instruction *emit_comparison(jrs_parser *parser, jrs_statement *statement, const jrs_form *form,
                                        jrs_boolean boolean, bool ftz, jrs_slot d) {
    jrs_slot s[3] = {0, 0, 0};
    unsigned count = boolean ? 3 : 2;
    jrs_expect_operands(parser, statement, count + 1, count + 1);
    for (unsigned i = 0; i < 2; i++) s[i] = jrs_slot_source(parser, &statement->operands[1 + i], form->bytes[1 + i]);
    if (boolean) s[2] = jrs_slot_source(parser, &statement->operands[3], 0);
    jrs_instruction *instruction = emit_simple(parser, form->run, d, s, count);
    instruction->arithmetic =
        (jrs_arithmetic){.inner = form->run, .ftz = ftz, .compares = true, .boolean = (uint8_t)boolean};
    instruction->negated = boolean && statement->operands[3].negated;
    return instruction;
}

void jrs_decode_setp(jrs_parser *parser, jrs_statement *statement) {
    if (statement->part_count < 3) jrs_parse_fail(parser, "'%s' lacks a comparison or a type", statement->opcode);
    const char *operator_ = statement->parts[statement->part_next++];
    jrs_boolean boolean = take_boolean(statement);
    bool ftz = jrs_take(statement, "ftz");
    jrs_type type = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    const jrs_form form = find_comparison(parser, statement, operator_, type);
    if (statement->operand_count == 0) jrs_parse_fail(parser, "setp without operands");
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 0), d2 = 0;
    const jrs_operand *pair = statement->operands[0].pair;
    if (pair) d2 = jrs_slot_destination(parser, pair, 0);
    jrs_instruction *instruction = emit_comparison(parser, statement, &form, boolean, ftz, d);
    instruction->has_d2 = pair != NULL;
    instruction->d2 = d2;
    instruction->type = (uint8_t)type;
    if (ftz) instruction->run = jrs_op_adjust;
    if (is_pair(type)) instruction->run = jrs_op_setp_pair;
}

void jrs_decode_set(jrs_parser *parser, jrs_statement *statement) {
    if (statement->part_count < 4) jrs_parse_fail(parser, "'%s' lacks a comparison or its types", statement->opcode);
    const char *operator_ = statement->parts[statement->part_next++];
    jrs_boolean boolean = take_boolean(statement);
    bool ftz = jrs_take(statement, "ftz");
    jrs_type to = jrs_take_type(parser, statement), from = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    const jrs_form form = find_comparison(parser, statement, operator_, from);
    if (is_pair(from) && to != from)
        jrs_parse_fail(parser, "set of .%s from .%s", jrs_type_name(to), jrs_type_name(from));
    if (jrs_type_bytes(to) != 4 && jrs_type_bytes(to) != 2) jrs_parse_fail(parser, "set of .%s", jrs_type_name(to));
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], jrs_type_bytes(to));
    jrs_instruction *instruction = emit_comparison(parser, statement, &form, boolean, ftz, d);
    instruction->run = is_pair(from) ? jrs_op_set_pair : jrs_op_set;
    instruction->type = (uint8_t)to;
    instruction->arithmetic.source_type = (uint8_t)from;
}

void jrs_decode_selp(jrs_parser *parser, jrs_statement *statement) {
    jrs_slot s[3];
    unsigned bytes = jrs_type_bytes(jrs_take_type(parser, statement));
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 4, 4);
    if (bytes < 2) jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    for (unsigned i = 0; i < 2; i++) s[i] = jrs_slot_source(parser, &statement->operands[1 + i], bytes);
    s[2] = jrs_slot_source(parser, &statement->operands[3], 0);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], bytes);
    jrs_instruction *instruction = emit_simple(parser, jrs_op_select, d, s, 3);
    instruction->width = (uint8_t)bytes;
    instruction->negated = statement->operands[3].negated;
}

void jrs_decode_slct(jrs_parser *parser, jrs_statement *statement) {
    jrs_slot s[3];
    bool ftz = jrs_take(statement, "ftz");
    unsigned bytes = jrs_type_bytes(jrs_take_type(parser, statement));
    jrs_type tested = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 4, 4);
    if (bytes < 2 || (tested != JRS_TYPE_s32 && tested != JRS_TYPE_f32))
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    for (unsigned i = 0; i < 2; i++) s[i] = jrs_slot_source(parser, &statement->operands[1 + i], bytes);
    s[2] = jrs_slot_source(parser, &statement->operands[3], 4);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], bytes);
    jrs_instruction *instruction = emit_simple(parser, jrs_op_slct, d, s, 3);
    instruction->width = (uint8_t)bytes;
    instruction->arithmetic = (jrs_arithmetic){.source_type = (uint8_t)tested, .ftz = ftz};
}

void jrs_decode_testp(jrs_parser *parser, jrs_statement *statement) {
#define NAME(name) #name,
    static const char *const names[] = {JRS_TESTS(NAME)};
#undef NAME
    unsigned test = jrs_take_one(statement, names, JRS_TEST_COUNT);
    jrs_type type = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 2, 2);
    if (test == JRS_TEST_COUNT || (type != JRS_TYPE_f32 && type != JRS_TYPE_f64))
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    jrs_slot s = jrs_slot_source(parser, &statement->operands[1], jrs_type_bytes(type));
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 0);
    jrs_instruction *instruction = emit_simple(parser, jrs_op_testp, d, &s, 1);
    instruction->operation = (uint8_t)test;
    instruction->width = (uint8_t)jrs_type_bytes(type);
}

/* ---- lop3, prmt ---- */

void jrs_decode_lop3(jrs_parser *parser, jrs_statement *statement) {
    jrs_slot s[3];
    bool b32 = jrs_take(statement, "b32");
    jrs_take_end(parser, statement);
    if (!b32) jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    jrs_expect_operands(parser, statement, 5, 5);
    for (unsigned i = 0; i < 3; i++) s[i] = jrs_slot_source(parser, &statement->operands[1 + i], 4);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 4);
    int64_t table = jrs_operand_constant(parser, &statement->operands[4]);
    if (table < 0 || table > 255) jrs_parse_fail(parser, "a lop3 table of %lld", (long long)table);
    emit_simple(parser, jrs_op_lop3, d, s, 3)->table = (uint8_t)table;
}

void jrs_decode_prmt(jrs_parser *parser, jrs_statement *statement) {
#define NAME(name) #name,
    static const char *const names[] = {JRS_PRMTS(NAME)};
#undef NAME
    jrs_slot s[3];
    bool b32 = jrs_take(statement, "b32");
    unsigned mode = jrs_take_one(statement, names, JRS_PRMT_COUNT - 1);
    jrs_take_end(parser, statement);
    if (!b32) jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    jrs_expect_operands(parser, statement, 4, 4);
    for (unsigned i = 0; i < 3; i++) s[i] = jrs_slot_source(parser, &statement->operands[1 + i], 4);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 4);
    emit_simple(parser, jrs_op_prmt, d, s, 3)->operation =
        (uint8_t)(mode == JRS_PRMT_COUNT - 1 ? JRS_PRMT_plain : mode + 1);
}

/* ---- cvta, isspacep ---- */

static jrs_window take_window(jrs_parser *parser, jrs_statement *statement) {
    static const struct {
        const char *name;
        jrs_window window;
    } windows[] = {{"global", JRS_WINDOW_GLOBAL},          {"const", JRS_WINDOW_GLOBAL},
                   {"shared", JRS_WINDOW_SHARED},          {"shared::cta", JRS_WINDOW_SHARED},
                   {"shared::cluster", JRS_WINDOW_SHARED}, {"local", JRS_WINDOW_LOCAL},
                   {"param", JRS_WINDOW_PARAMETER},        {"param::entry", JRS_WINDOW_PARAMETER}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        if (jrs_take(statement, windows[i].name)) return windows[i].window;
    jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
}

void jrs_decode_cvta(jrs_parser *parser, jrs_statement *statement) {
    bool to = jrs_take(statement, "to");
    jrs_window window = take_window(parser, statement);
    jrs_type type = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 2, 2);
    if (type != JRS_TYPE_u64) jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    jrs_slot s = jrs_slot_source(parser, &statement->operands[1], 8);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 8);
    jrs_handler *run = window == JRS_WINDOW_GLOBAL ? jrs_op_move : to ? jrs_op_window_remove : jrs_op_window_add;
    jrs_instruction *instruction = emit_simple(parser, run, d, &s, 1);
    instruction->window = (uint8_t)window;
    instruction->width = 8;
}

void jrs_decode_isspacep(jrs_parser *parser, jrs_statement *statement) {
    jrs_window window = take_window(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 2, 2);
    jrs_slot s = jrs_slot_source(parser, &statement->operands[1], 8);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 0);
    emit_simple(parser, jrs_op_isspacep, d, &s, 1)->window = (uint8_t)window;
}
