/* Rows of moves, comparisons, selections, bits and address windows. */

#include "rows.h"

/* ---- mov ---- */

static jrs_elements take_elements(jrs_parser *parser, const jrs_operand *vector, unsigned whole, bool written) {
    if (vector->count == 0 || whole % vector->count)
        jrs_parse_fail(parser, "%u elements do not make %u bits", vector->count, whole * 8);
    const jrs_elements taken = jrs_slot_vector(parser, vector, whole / vector->count, written);
    if ((unsigned)taken.bytes * taken.count != whole)
        jrs_parse_fail(parser, "%u elements of %u bits do not make %u", taken.count, taken.bytes * 8u, whole * 8);
    return taken;
}

static void make_mov(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const jrs_operand *to = &match->statement->operands[0], *from = &match->statement->operands[1];
    const unsigned bytes = jrs_type_register_bytes(match->types[0]);
    const bool unpacks = to->kind == JRS_OPERAND_VECTOR, packs = from->kind == JRS_OPERAND_VECTOR;
    jrs_operands_expect(parser, match->statement, 2, 2);
    if (to->negated || to->pair || from->pair || from->bracketed) jrs_match_refuse(parser, match);
    made->run = unpacks ? jrs_op_unpack : packs ? jrs_op_pack : bytes ? jrs_op_move : jrs_op_move_predicate;
    made->width = (uint8_t)bytes;
    if (packs)
        made->elements = take_elements(parser, from, bytes, false);
    else
        made->s[0] = jrs_slot_source(parser, from, bytes);
    if (unpacks)
        made->elements = take_elements(parser, to, bytes, true);
    else
        made->d = jrs_slot_destination(parser, to, bytes);
}

/* ---- setp, set ---- */

static bool is_pair(jrs_type type) {
    return type == JRS_TYPE_f16x2 || type == JRS_TYPE_bf16x2;
}

/* The comparison of a type by the operator that follows the family's name; of a pair, of its halves. */
static jrs_handler *comparison_of(jrs_parser *parser, const jrs_match *match, jrs_type type) {
    char name[JRS_FORM_NAME_BYTES];
    const jrs_type half = type == JRS_TYPE_f16x2 ? JRS_TYPE_f16 : type == JRS_TYPE_bf16x2 ? JRS_TYPE_bf16 : type;
    snprintf(name, sizeof name, "setp_%.20s_%s", match->statement->parts[1], jrs_type_name(half));
    const jrs_form *form = jrs_match_form(parser, name);
    if (!form) jrs_match_refuse(parser, match);
    return jrs_form_run(form);
}

static jrs_boolean boolean_of(const jrs_match *match) {
    return jrs_match_has(match, "and")   ? JRS_BOOLEAN_AND
           : jrs_match_has(match, "or")  ? JRS_BOOLEAN_OR
           : jrs_match_has(match, "xor") ? JRS_BOOLEAN_XOR
                                         : JRS_BOOLEAN_NONE;
}

static void fill_comparison(jrs_parser *parser, const jrs_match *match, jrs_type type, jrs_instruction *made) {
    made->arithmetic = (jrs_arithmetic){.inner = comparison_of(parser, match, type),
                                        .boolean = (uint8_t)boolean_of(match),
                                        .ftz = jrs_match_has(match, "ftz"),
                                        .compares = true};
    if (made->arithmetic.ftz && jrs_type_kind(type) != JRS_KIND_FLOAT && jrs_type_kind(type) != JRS_KIND_FLOAT_PAIR)
        jrs_match_refuse(parser, match);
    if ((made->source_count == 3) != (made->arithmetic.boolean != JRS_BOOLEAN_NONE))
        jrs_parse_fail(parser, "a predicate is joined to a comparison with .and, .or or .xor, and only then");
}

static void make_setp(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    fill_comparison(parser, match, match->types[0], made);
    made->run = is_pair(match->types[0]) ? jrs_op_setp_pair
                : made->arithmetic.ftz   ? jrs_op_adjust
                                         : made->arithmetic.inner;
}

static void make_set(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const jrs_type to = match->types[0], from = match->types[1];
    const unsigned bytes = jrs_type_bytes(to);
    const bool integer = to == JRS_TYPE_u32 || to == JRS_TYPE_s32;
    if ((is_pair(from) && to != from && !integer) || (bytes != 4 && bytes != 2)) jrs_match_refuse(parser, match);
    fill_comparison(parser, match, from, made);
    made->arithmetic.source_type = (uint8_t)from;
    made->run = is_pair(from) ? jrs_op_set_pair : jrs_op_set;
}

/* ---- the others ---- */

static void make_selp(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)made;
    if (jrs_type_bytes(match->types[0]) < 2) jrs_match_refuse(parser, match);
}

static void make_slct(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    make_selp(parser, match, made);
    made->arithmetic = (jrs_arithmetic){.source_type = (uint8_t)match->types[1], .ftz = jrs_match_has(match, "ftz")};
}

static void make_testp(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)parser;
    made->width = (uint8_t)jrs_type_bytes(match->types[0]);
}

static void make_lop3(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    if (match->constant < 0 || match->constant > 255)
        jrs_parse_fail(parser, "a lop3 table of %lld", (long long)match->constant);
    made->table = (uint8_t)match->constant;
}

static jrs_window window_of(jrs_parser *parser, const jrs_match *match) {
    switch (match->space) {
    case JRS_SPACE_GLOBAL:
    case JRS_SPACE_CONST: return JRS_WINDOW_GLOBAL;
    case JRS_SPACE_SHARED:
    case JRS_SPACE_CLUSTER: return JRS_WINDOW_SHARED;
    case JRS_SPACE_LOCAL: return JRS_WINDOW_LOCAL;
    case JRS_SPACE_PARAMETER: return JRS_WINDOW_PARAMETER;
    default: jrs_match_refuse(parser, match);
    }
}

static void make_cvta(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const bool to = jrs_match_has(match, "to");
    made->window = (uint8_t)window_of(parser, match);
    made->run = made->window == JRS_WINDOW_GLOBAL ? jrs_op_move : to ? jrs_op_window_remove : jrs_op_window_add;
}

static void make_isspacep(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    made->window = (uint8_t)window_of(parser, match);
    made->operation = match->space == JRS_SPACE_CLUSTER ? JRS_WITHIN_CLUSTER : JRS_WITHIN_BLOCK;
}

/* Generic addresses unless it is said that they are shared ones. */
static void make_rank(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)parser;
    made->window = jrs_match_has(match, "shared::cluster") ? JRS_WINDOW_GLOBAL : JRS_WINDOW_SHARED;
    made->width = (uint8_t)jrs_type_bytes(match->types[0]);
}

#define COMPARED ".WORD{.and,.or,.xor}{.ftz}"

const jrs_row jrs_data_rows[] = {
    {.syntax = "mov.TYPE", .make = make_mov},
    {"setp" COMPARED ".TYPE", "dp{|p}, aT, bT / dp{|p}, aT, bT, cp", .make = make_setp},
    {"set" COMPARED ".TYPE.TYPE", "dT, aU, bU / dT, aU, bU, cp", .make = make_set},
    {"selp.TYPE", "dT, aT, bT, cp", .run = jrs_op_select, .make = make_selp},
    {"slct{.ftz}.TYPE.{s32,f32}", "dT, aT, bT, c32", .run = jrs_op_slct, .make = make_slct},
    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}", "dp, aT", .run = jrs_op_testp,
     .make = make_testp},
    {"lop3.b32", "d32, a32, b32, c32, #", .run = jrs_op_lop3, .make = make_lop3},
    {"prmt.b32", "d32, a32, b32, c32", .run = jrs_op_prmt, .operation = JRS_PRMT_plain},
    {"prmt.b32.{f4e,b4e,rc8,ecl,ecr,rc16}", "d32, a32, b32, c32", .run = jrs_op_prmt, .operation = JRS_PRMT_f4e},
    {"cvta.SPACE.u64", "d64, a64", .make = make_cvta},
    {"cvta.to.SPACE.u64", "d64, a64", .make = make_cvta},
    {"isspacep.SPACE", "dp, a64", .run = jrs_op_isspacep, .make = make_isspacep},
    {"mapa.u64", "dT, aT, b32", .run = jrs_op_map_rank, .make = make_rank},
    {"mapa.shared::cluster.{u32,u64}", "dT, aT, b32", .run = jrs_op_map_rank, .make = make_rank},
    {"getctarank.u64", "d32, aT", .run = jrs_op_get_rank, .make = make_rank},
    {"getctarank.shared::cluster.{u32,u64}", "d32, aT", .run = jrs_op_get_rank, .make = make_rank},
    {.syntax = NULL},
};
