/* Rows of cvt: all scalar types, and the packing forms of f16x2 and bf16x2. */
#include "rows.h"

static uint8_t rounding_of(const jrs_match *match, bool *integral) {
    static const struct {
        const char *plain, *integral;
        jrs_rounding rounding;
    } modes[] = {{"rn", "rni", JRS_ROUND_NEAREST},
                 {"rz", "rzi", JRS_ROUND_ZERO},
                 {"rm", "rmi", JRS_ROUND_DOWN},
                 {"rp", "rpi", JRS_ROUND_UP},
                 {"rna", "", JRS_ROUND_AWAY}};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        *integral = jrs_match_has(match, modes[k].integral);
        if (*integral || jrs_match_has(match, modes[k].plain)) return (uint8_t)modes[k].rounding;
    }
    return JRS_ROUND_NONE;
}

static jrs_conversion read_mode(const jrs_match *match) {
    bool integral;
    const uint8_t rounding = rounding_of(match, &integral);
    return (jrs_conversion){.from = (uint8_t)match->types[1],
                            .from_width = (uint8_t)match->source_bytes,
                            .rounding = rounding,
                            .integral = integral,
                            .ftz = jrs_match_has(match, "ftz"),
                            .sat = jrs_match_has(match, "sat"),
                            .relu = jrs_match_has(match, "relu"),
                            .satfinite = jrs_match_has(match, "satfinite")};
}

static bool is_float(jrs_type type) {
    jrs_kind kind = jrs_type_kind(type);
    return kind == JRS_KIND_FLOAT || kind == JRS_KIND_BRAIN || kind == JRS_KIND_TENSOR;
}

static bool is_scalar(jrs_type type) {
    return (is_float(type) || jrs_type_is_integer(type)) && jrs_type_bytes(type) <= 8;
}

static void check_types(jrs_parser *parser, const jrs_match *match, const jrs_conversion *found) {
    const jrs_type to = match->types[0], from = match->types[1];
    bool integers = !is_float(to) && !is_float(from);
    bool tensor = to == JRS_TYPE_tf32 && from != JRS_TYPE_f32;
    bool mode_missing = is_float(to) != is_float(from) && !found->rounding;
    if (!is_scalar(to) || !is_scalar(from) || tensor || from == JRS_TYPE_tf32 ||
        (integers && (found->rounding || found->ftz)))
        jrs_match_refuse(parser, match);
    if (mode_missing) jrs_parse_fail(parser, "'%s' lacks a rounding mode", match->statement->opcode);
}

static void make_convert(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const jrs_conversion mode = read_mode(match);
    const jrs_type to = match->types[0], from = match->types[1];
    check_types(parser, match, &mode);
    bool natural = made->width == jrs_type_bytes(to) && mode.from_width == jrs_type_bytes(from);
    bool plain = !mode.sat && !mode.ftz && !mode.relu && mode.rounding <= JRS_ROUND_NEAREST && !mode.integral;
    jrs_handler *fast = natural && plain ? jrs_convert_fast(to, from) : NULL;
    made->run = fast ? fast : jrs_op_convert;
    made->convert = mode;
}

/* d = {upper half from a, lower half from b}. */
static void make_pair(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    made->convert = read_mode(match);
    if (made->convert.rounding != JRS_ROUND_NEAREST && made->convert.rounding != JRS_ROUND_ZERO)
        jrs_match_refuse(parser, match);
}

static void make_tiny(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)parser;
    made->convert.relu = jrs_match_has(match, "relu");
}

#define MODE "{.rni,.rzi,.rmi,.rpi,.rn,.rz,.rm,.rp,.rna}{.ftz,.sat,.satfinite,.relu}*"

const jrs_row jrs_convert_rows[] = {
    {"cvt" MODE ".{f16x2,bf16x2}.f32", "d32, a32, b32", .run = jrs_op_convert_pair, .make = make_pair},
    {"cvt.rn.satfinite{.relu}.{e4m3x2,e5m2x2}.f32", "d16, a32, b32", .run = jrs_op_convert_to_tiny, .make = make_tiny},
    {"cvt.rn.satfinite{.relu}.{e4m3x2,e5m2x2}.f16x2", "d16, a32", .run = jrs_op_convert_to_tiny, .make = make_tiny},
    {"cvt.rn{.relu}.f16x2.{e4m3x2,e5m2x2}", "d32, a16", .run = jrs_op_convert_from_tiny, .make = make_tiny},
    {"cvt" MODE ".TYPE.TYPE", "dT+, aU+", .make = make_convert},
    {.syntax = NULL},
};
