/* Statements to instructions: dispatch to the families, and the simple forms. */
#include "decode.h"

#include <string.h>

enum { FORM_BUCKETS = 2048, THREE_TARGET = 100 };

struct jrs_form_index {
    const jrs_form *forms[FORM_BUCKETS];
};

static const struct {
    const char *name;
    jrs_decoder *decode;
} families[] = {
#define ROW(name) {#name, jrs_decode_##name},
    JRS_DECODERS(ROW)
#undef ROW
};

static const jrs_form *const tables[] = {
#define ROW(name) jrs_##name##_forms,
    JRS_FORM_TABLES(ROW)
#undef ROW
};

/* ---- the index of simple forms: open addressing ---- */

static uint32_t hash_of(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash % FORM_BUCKETS;
}

static void build_index(jrs_parser *parser) {
    parser->forms = jrs_parse_take(parser, sizeof *parser->forms);
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        for (const jrs_form *form = tables[t]; form->name; form++) {
            uint32_t at = hash_of(form->name);
            while (parser->forms->forms[at]) at = (at + 1) % FORM_BUCKETS;
            parser->forms->forms[at] = form;
        }
    }
}

const jrs_form *jrs_form_find(const jrs_parser *parser, const char *name) {
    uint32_t at = hash_of(name);
    const jrs_form *form;
    while ((form = parser->forms->forms[at]) != NULL && strcmp(form->name, name) != 0) at = (at + 1) % FORM_BUCKETS;
    return form;
}

/* ---- parts of the opcode ---- */

bool jrs_take(jrs_statement *statement, const char *word) {
    if (statement->part_next == statement->part_count) return false;
    if (strcmp(statement->parts[statement->part_next], word) != 0) return false;
    statement->part_next++;
    return true;
}

unsigned jrs_take_one(jrs_statement *statement, const char *const *names, unsigned count) {
    unsigned i = 0;
    while (i < count && !jrs_take(statement, names[i])) i++;
    return i;
}

jrs_type jrs_take_type(jrs_parser *parser, jrs_statement *statement) {
    if (statement->part_next == statement->part_count) jrs_parse_fail(parser, "'%s' lacks a type", statement->opcode);
    const char *part = statement->parts[statement->part_next++];
    jrs_type type = jrs_type_find(part);
    if (type == JRS_TYPE_COUNT)
        jrs_parse_fail(parser, "the modifier .%s of '%s' is not supported", part, statement->opcode);
    return type;
}

jrs_rounding jrs_take_rounding(jrs_statement *statement) {
    static const char *const names[] = {"rn", "rz", "rm", "rp"};
    unsigned found = jrs_take_one(statement, names, 4);
    return found == 4 ? JRS_ROUND_NONE : (jrs_rounding)(JRS_ROUND_NEAREST + found);
}

void jrs_take_end(jrs_parser *parser, const jrs_statement *statement) {
    if (statement->part_next < statement->part_count)
        jrs_parse_fail(parser, "the modifier .%s of '%s' is not supported", statement->parts[statement->part_next],
                       statement->opcode);
}

void jrs_expect_operands(jrs_parser *parser, const jrs_statement *statement, unsigned least, unsigned most) {
    if (statement->operand_count < least || statement->operand_count > most)
        jrs_parse_fail(parser, "'%s' takes %u operands, %u found", statement->opcode,
                       statement->operand_count < least ? least : most, statement->operand_count);
}

/* ---- simple forms ---- */

/* What may be said beside a float form's name. */
typedef struct modifiers {
    jrs_rounding rounding;
    bool ftz, sat;
} modifiers;

static bool take_modifier(const char *part, modifiers *found) {
    static const char *const roundings[] = {"rn", "rz", "rm", "rp"};
    for (unsigned i = 0; i < 4; i++) {
        if (strcmp(part, roundings[i]) != 0) continue;
        found->rounding = (jrs_rounding)(JRS_ROUND_NEAREST + i);
        return true;
    }
    if (strcmp(part, "ftz") == 0) return found->ftz = true;
    if (strcmp(part, "sat") == 0) return found->sat = true;
    return false;
}

/* min and max of three sources are forms of their own. */
static bool takes_three(const jrs_statement *statement) {
    return statement->operand_count == 4 &&
           (strcmp(statement->parts[0], "min") == 0 || strcmp(statement->parts[0], "max") == 0);
}

/* The opcode with underscores for dots; without modifiers when found is not NULL. */
static void join_parts(const jrs_statement *statement, char name[256], modifiers *found) {
    size_t used = 0;
    for (unsigned i = 0; i < statement->part_count; i++) {
        if (found && i > 0 && take_modifier(statement->parts[i], found)) continue;
        const char *three = i == 0 && takes_three(statement) ? "3" : "";
        int length = snprintf(name + used, 256 - used, "%s%s%s", i ? "_" : "", statement->parts[i], three);
        if (length < 0 || (used += (size_t)length) >= 255) break;
    }
}

static void check_modifiers(jrs_parser *parser, const jrs_statement *statement, jrs_type type, const modifiers *found) {
    bool single = type == JRS_TYPE_f32, wide = type == JRS_TYPE_f64;
    bool half = type == JRS_TYPE_f16 || type == JRS_TYPE_f16x2 || type == JRS_TYPE_bf16 || type == JRS_TYPE_bf16x2;
    bool directed = found->rounding > JRS_ROUND_NEAREST;
    if (!(single || wide || half) || (wide && (found->ftz || found->sat)) || (half && directed))
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
}

void jrs_decode_form(jrs_parser *parser, jrs_statement *statement) {
    char name[256] = "";
    modifiers found = {JRS_ROUND_NONE, false, false};
    jrs_slot slots[1 + JRS_SOURCES];
    join_parts(statement, name, NULL);
    const jrs_form *form = jrs_form_find(parser, name);
    if (!form) {
        join_parts(statement, name, &found);
        form = jrs_form_find(parser, name);
    }
    if (!form) jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    if (takes_three(statement) && parser->module->target < THREE_TARGET)
        jrs_parse_fail(parser, "'%s' of three sources needs .target sm_%d", statement->opcode, THREE_TARGET);
    jrs_type type = jrs_type_find(statement->parts[statement->part_count - 1]);
    bool adjusted = found.ftz || found.sat || found.rounding > JRS_ROUND_NEAREST;
    if (adjusted || found.rounding) check_modifiers(parser, statement, type, &found);
    jrs_expect_operands(parser, statement, 1u + form->source_count, 1u + form->source_count);
    for (unsigned i = 0; i < form->source_count; i++)
        slots[1 + i] = jrs_slot_source(parser, &statement->operands[1 + i], form->bytes[1 + i]);
    slots[0] = jrs_slot_destination(parser, &statement->operands[0], form->bytes[0]);
    jrs_instruction *instruction = jrs_emit(parser, adjusted ? jrs_op_adjust : form->run);
    instruction->arithmetic =
        (jrs_arithmetic){.inner = form->run, .rounding = (uint8_t)found.rounding, .ftz = found.ftz, .sat = found.sat};
    instruction->d = slots[0];
    memcpy(instruction->s, slots + 1, form->source_count * sizeof *slots);
    instruction->source_count = form->source_count;
    instruction->type = (uint8_t)type;
}

/* ---- dispatch ---- */

void jrs_decode(jrs_parser *parser, jrs_statement *statement) {
    jrs_slot guard = 0;
    size_t family = 0;
    if (!parser->forms) build_index(parser);
    if (statement->guard) guard = jrs_slot_source(parser, statement->guard, 0);
    while (family < sizeof families / sizeof *families && strcmp(families[family].name, statement->parts[0]) != 0)
        family++;
    statement->part_next = 1;
    if (family < sizeof families / sizeof *families)
        families[family].decode(parser, statement);
    else
        jrs_decode_form(parser, statement);
    if (!statement->guard) return;
    jrs_instruction *last = &parser->builder->code[parser->builder->code_count - 1];
    last->guarded = true;
    last->guard = guard;
    last->guard_negated = statement->guard->negated;
}
