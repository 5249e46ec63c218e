/* The decoder of cvt: all scalar types, and the packing forms of f16x2 and bf16x2. */
#include <string.h>

#include "decode.h"

static void take_mode(jrs_statement *statement, jrs_conversion *found) {
    static const char *const integral[] = {"rni", "rzi", "rmi", "rpi"};
    unsigned index = jrs_take_one(statement, integral, 4);
    if (index < 4) found->rounding = (uint8_t)(JRS_ROUND_NEAREST + index);
    found->integral = index < 4;
    if (index == 4) found->rounding = (uint8_t)jrs_take_rounding(statement);
    if (jrs_take(statement, "rna")) found->rounding = JRS_ROUND_AWAY;
    for (bool more = true; more;) {
        more = false;
        if (jrs_take(statement, "ftz")) more = found->ftz = true;
        if (jrs_take(statement, "satfinite")) more = found->satfinite = true;
        if (jrs_take(statement, "sat")) more = found->sat = true;
        if (jrs_take(statement, "relu")) more = found->relu = true;
    }
}

static bool is_float(jrs_type type) {
    jrs_kind kind = jrs_type_kind(type);
    return kind == JRS_KIND_FLOAT || kind == JRS_KIND_BRAIN || kind == JRS_KIND_TENSOR;
}

static void check_types(jrs_parser *parser, const jrs_statement *statement, jrs_type to, const jrs_conversion *found) {
    const jrs_type from = (jrs_type)found->from;
    bool integers = !is_float(to) && !is_float(from);
    bool to_ok = is_float(to) || jrs_type_is_integer(to);
    bool from_ok = is_float(from) || jrs_type_is_integer(from);
    bool tensor = to == JRS_TYPE_tf32 && from != JRS_TYPE_f32;
    bool mode_missing = is_float(to) != is_float(from) && !found->rounding;
    if (!to_ok || !from_ok || tensor || jrs_type_bytes(to) > 8 || jrs_type_bytes(from) > 8 ||
        (integers && (found->rounding || found->ftz)) || from == JRS_TYPE_tf32)
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    if (mode_missing) jrs_parse_fail(parser, "'%s' lacks a rounding mode", statement->opcode);
}

/* d = {upper half from a, lower half from b}. */
static void decode_pair(jrs_parser *parser, const jrs_statement *statement, jrs_type to, const jrs_conversion *found) {
    jrs_slot s[2];
    jrs_expect_operands(parser, statement, 3, 3);
    if (found->from != JRS_TYPE_f32 || (found->rounding != JRS_ROUND_NEAREST && found->rounding != JRS_ROUND_ZERO))
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    for (unsigned i = 0; i < 2; i++) s[i] = jrs_slot_source(parser, &statement->operands[1 + i], 4);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 4);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_convert_pair);
    instruction->type = (uint8_t)to;
    instruction->convert = *found;
    instruction->d = d;
    memcpy(instruction->s, s, sizeof s);
}

void jrs_decode_cvt(jrs_parser *parser, jrs_statement *statement) {
    jrs_conversion found = {0};
    unsigned to_bytes, from_bytes;
    take_mode(statement, &found);
    const jrs_type to = jrs_take_type(parser, statement), from = jrs_take_type(parser, statement);
    found.from = (uint8_t)from;
    jrs_take_end(parser, statement);
    if (to == JRS_TYPE_f16x2 || to == JRS_TYPE_bf16x2) {
        decode_pair(parser, statement, to, &found);
        return;
    }
    check_types(parser, statement, to, &found);
    jrs_expect_operands(parser, statement, 2, 2);
    jrs_slot s = jrs_slot_source_wide(parser, &statement->operands[1], jrs_type_bytes(from), &from_bytes);
    jrs_slot d = jrs_slot_destination_wide(parser, &statement->operands[0], jrs_type_bytes(to), &to_bytes);
    bool natural = to_bytes == jrs_type_bytes(to) && from_bytes == jrs_type_bytes(from);
    bool plain = !found.sat && !found.ftz && !found.relu && found.rounding <= JRS_ROUND_NEAREST && !found.integral;
    jrs_handler *fast = natural && plain ? jrs_convert_fast(to, from) : NULL;
    jrs_instruction *instruction = jrs_emit(parser, fast ? fast : jrs_op_convert);
    found.from_width = (uint8_t)from_bytes;
    instruction->convert = found;
    instruction->type = (uint8_t)to;
    instruction->width = (uint8_t)to_bytes;
    instruction->d = d;
    instruction->s[0] = s;
    instruction->source_count = 1;
}
