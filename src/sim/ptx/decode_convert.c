/* The decoder of cvt: all scalar types, and the packing forms of f16x2 and bf16x2. */
#include <string.h>

#include "decode.h"

typedef struct conversion {
    jrs_rounding rounding;
    bool integral; /* .rni ...: to an integer value */
    bool ftz, sat, relu, satfinite;
    jrs_type to, from;
} conversion;

static void take_mode(jrs_statement *statement, conversion *found) {
    static const char *const integral[] = {"rni", "rzi", "rmi", "rpi"};
    unsigned index = jrs_take_one(statement, integral, 4);
    if (index < 4) found->rounding = (jrs_rounding)(JRS_ROUND_NEAREST + index);
    found->integral = index < 4;
    if (index == 4) found->rounding = jrs_take_rounding(statement);
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

static void check_types(jrs_parser *parser, const jrs_statement *statement, const conversion *found) {
    bool integers = !is_float(found->to) && !is_float(found->from);
    bool to_ok = is_float(found->to) || jrs_type_is_integer(found->to);
    bool from_ok = is_float(found->from) || jrs_type_is_integer(found->from);
    bool tensor = found->to == JRS_TYPE_tf32 && found->from != JRS_TYPE_f32;
    bool mode_missing = is_float(found->to) != is_float(found->from) && !found->rounding;
    if (!to_ok || !from_ok || tensor || jrs_type_bytes(found->to) > 8 || jrs_type_bytes(found->from) > 8 ||
        (integers && (found->rounding || found->ftz)) || found->from == JRS_TYPE_tf32)
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    if (mode_missing) jrs_parse_fail(parser, "'%s' lacks a rounding mode", statement->opcode);
}

static void fill(jrs_instruction *instruction, const conversion *found) {
    instruction->type = (uint8_t)found->to;
    instruction->source_type = (uint8_t)found->from;
    instruction->rounding = (uint8_t)found->rounding;
    instruction->exact_integer = found->integral;
    instruction->ftz = found->ftz;
    instruction->sat = found->sat;
    instruction->relu = found->relu;
    instruction->satfinite = found->satfinite;
}

/* d = {upper half from a, lower half from b}. */
static void decode_pair(jrs_parser *parser, const jrs_statement *statement, const conversion *found) {
    jrs_slot s[2];
    jrs_expect_operands(parser, statement, 3, 3);
    if (found->from != JRS_TYPE_f32 || (found->rounding != JRS_ROUND_NEAREST && found->rounding != JRS_ROUND_ZERO))
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    for (unsigned i = 0; i < 2; i++) s[i] = jrs_slot_source(parser, &statement->operands[1 + i], 4);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 4);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_convert_pair);
    fill(instruction, found);
    instruction->d = d;
    memcpy(instruction->s, s, sizeof s);
}

void jrs_decode_cvt(jrs_parser *parser, jrs_statement *statement) {
    conversion found = {0};
    unsigned to_bytes, from_bytes;
    take_mode(statement, &found);
    found.to = jrs_take_type(parser, statement);
    found.from = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    if (found.to == JRS_TYPE_f16x2 || found.to == JRS_TYPE_bf16x2) {
        decode_pair(parser, statement, &found);
        return;
    }
    check_types(parser, statement, &found);
    jrs_expect_operands(parser, statement, 2, 2);
    jrs_slot s = jrs_slot_source_wide(parser, &statement->operands[1], jrs_type_bytes(found.from), &from_bytes);
    jrs_slot d = jrs_slot_destination_wide(parser, &statement->operands[0], jrs_type_bytes(found.to), &to_bytes);
    bool natural = to_bytes == jrs_type_bytes(found.to) && from_bytes == jrs_type_bytes(found.from);
    bool plain = !found.sat && !found.ftz && !found.relu && found.rounding <= JRS_ROUND_NEAREST && !found.integral;
    jrs_handler *fast = natural && plain ? jrs_convert_fast(found.to, found.from) : NULL;
    jrs_instruction *instruction = jrs_emit(parser, fast ? fast : jrs_op_convert);
    fill(instruction, &found);
    instruction->d = d;
    instruction->s[0] = s;
    instruction->source_count = 1;
    instruction->bytes = (uint8_t)from_bytes;
    instruction->register_bytes = (uint8_t)to_bytes;
}
