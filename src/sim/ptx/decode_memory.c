/* Decoders of loads, stores, atomics, fences and cache hints. */
#include <string.h>

#include "decode.h"

/* What stands between the family's name and the type. */
typedef struct access {
    jrs_space space;
    bool strong;
    bool hinted; /* .L2::cache_hint: a policy is the last operand */
    unsigned vector;
    unsigned operation; /* of atomics */
    jrs_type type;
} access;

static bool is_one_of(const char *word, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, names[i]) == 0) return true;
    return false;
}

bool jrs_take_space(jrs_statement *statement, jrs_space *space) {
    static const struct {
        const char *name;
        jrs_space space;
    } spaces[] = {{"global", JRS_SPACE_GLOBAL},          {"const", JRS_SPACE_CONST},
                  {"shared", JRS_SPACE_SHARED},          {"shared::cta", JRS_SPACE_SHARED},
                  {"shared::cluster", JRS_SPACE_SHARED}, {"local", JRS_SPACE_LOCAL},
                  {"param", JRS_SPACE_PARAMETER},        {"param::entry", JRS_SPACE_PARAMETER},
                  {"param::func", JRS_SPACE_PARAMETER}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (!jrs_take(statement, spaces[i].name)) continue;
        *space = spaces[i].space;
        return true;
    }
    return false;
}

/* Orderings, scopes and cache hints: only whether the access is strong matters here. */
static bool take_hint(jrs_statement *statement, access *found) {
    static const char *const strong[] = {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"};
    static const char *const ignored[] = {"weak", "cta", "cluster", "gpu", "sys", "nc",      "ca",   "cg",
                                          "cs",   "lu",  "cv",      "wb",  "wt",  "unified", "noftz"};
    const char *part = statement->part_next < statement->part_count ? statement->parts[statement->part_next] : "";
    bool strengthens = is_one_of(part, strong, sizeof strong / sizeof *strong);
    if (!strengthens && !is_one_of(part, ignored, sizeof ignored / sizeof *ignored) && strncmp(part, "L1::", 4) != 0 &&
        strncmp(part, "L2::", 4) != 0)
        return false;
    found->strong |= strengthens;
    found->hinted |= strcmp(part, "L2::cache_hint") == 0;
    statement->part_next++;
    return true;
}

/* So many operands, and a cache policy when the opcode says so. */
static void expect_operands(jrs_parser *parser, const jrs_statement *statement, unsigned count, bool hinted) {
    jrs_expect_operands(parser, statement, count + hinted, count + hinted);
    if (hinted) jrs_slot_source(parser, &statement->operands[count], 8);
}

static access take_access(jrs_parser *parser, jrs_statement *statement) {
    static const char *const vectors[] = {"v2", "v4", "v8"};
    access found = {JRS_SPACE_GENERIC, false, false, 1, 0, JRS_TYPE_COUNT};
    for (bool more = true; more;) {
        unsigned vector = jrs_take_one(statement, vectors, 3);
        if (vector < 3) found.vector = 2u << vector;
        more = vector < 3 || jrs_take_space(statement, &found.space) || take_hint(statement, &found);
    }
    found.type = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    if (jrs_type_bytes(found.type) == 0 || found.vector * jrs_type_bytes(found.type) > 32)
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    return found;
}

jrs_location jrs_take_location(jrs_parser *parser, const jrs_operand *operand, jrs_space space) {
    uint64_t zero = 0;
    jrs_location found = {0, 8, (uint8_t)space, operand->offset};
    bool entry = parser->builder->function->entry;
    if (!operand->bracketed) jrs_parse_fail(parser, "an address in [ ] is needed");
    if (operand->kind == JRS_OPERAND_REGISTER) {
        jrs_operand base = *operand;
        base.offset = 0;
        found.bytes = (uint8_t)operand->symbol->bytes;
        if (found.bytes != 4 && found.bytes != 8) jrs_parse_fail(parser, "an address needs 32 or 64 bits");
        found.slot = jrs_slot_source(parser, &base, found.bytes);
        if (space == JRS_SPACE_PARAMETER && !entry) found.space = JRS_SPACE_LOCAL;
        return found;
    }
    if (operand->kind == JRS_OPERAND_INTEGER) {
        found.offset = (int64_t)operand->bits + operand->offset;
        found.slot = jrs_slot_constant(parser, &zero, 8);
        return found;
    }
    if (operand->kind != JRS_OPERAND_VARIABLE) jrs_parse_fail(parser, "'%s' is not declared", operand->name);
    found.space = (uint8_t)operand->symbol->space;
    if (found.space == JRS_SPACE_FRAME || found.space == JRS_SPACE_PARAMETER) {
        found.slot = jrs_slot_constant(parser, &zero, 8);
        found.offset += operand->symbol->offset;
        return found;
    }
    jrs_operand base = *operand;
    base.offset = 0;
    found.slot = jrs_slot_source(parser, &base, 8);
    return found;
}

static jrs_instruction *emit_access(jrs_parser *parser, jrs_handler *run, const access *found, const jrs_location *at) {
    jrs_instruction *instruction = jrs_emit(parser, run);
    instruction->strong = found->strong;
    instruction->type = (uint8_t)found->type;
    instruction->memory = (jrs_memory_access){.at = *at,
                                              .count = 1,
                                              .bytes = (uint8_t)jrs_type_bytes(found->type),
                                              .sign_extended = jrs_type_kind(found->type) == JRS_KIND_SIGNED};
    return instruction;
}

void jrs_decode_ld(jrs_parser *parser, jrs_statement *statement) {
    unsigned bytes, count;
    access found = take_access(parser, statement);
    expect_operands(parser, statement, 2, found.hinted);
    jrs_location at = jrs_take_location(parser, &statement->operands[1], found.space);
    jrs_slot *slots =
        jrs_slot_vector(parser, &statement->operands[0], jrs_type_bytes(found.type), &bytes, true, &count);
    if (count != found.vector) jrs_parse_fail(parser, "%u registers for %u elements", count, found.vector);
    bool direct = at.space == JRS_SPACE_PARAMETER && statement->operands[1].kind == JRS_OPERAND_VARIABLE;
    jrs_instruction *instruction = emit_access(parser, direct ? jrs_op_load_parameter : jrs_op_load, &found, &at);
    instruction->memory.slots = slots;
    instruction->memory.count = (uint8_t)count;
    instruction->width = (uint8_t)bytes;
}

void jrs_decode_ldu(jrs_parser *parser, jrs_statement *statement) {
    jrs_decode_ld(parser, statement);
}

void jrs_decode_st(jrs_parser *parser, jrs_statement *statement) {
    unsigned bytes, count;
    access found = take_access(parser, statement);
    expect_operands(parser, statement, 2, found.hinted);
    jrs_location at = jrs_take_location(parser, &statement->operands[0], found.space);
    jrs_slot *slots =
        jrs_slot_vector(parser, &statement->operands[1], jrs_type_bytes(found.type), &bytes, false, &count);
    if (count != found.vector) jrs_parse_fail(parser, "%u values for %u elements", count, found.vector);
    if (at.space == JRS_SPACE_PARAMETER || at.space == JRS_SPACE_CONST)
        jrs_parse_fail(parser, "a store to memory that kernels cannot write");
    jrs_instruction *instruction = emit_access(parser, jrs_op_store, &found, &at);
    instruction->memory.slots = slots;
    instruction->memory.count = (uint8_t)count;
    instruction->width = (uint8_t)bytes;
}

/* ---- atomics ---- */

static bool atomic_takes(unsigned operation, jrs_type type) {
    jrs_kind kind = jrs_type_kind(type);
    unsigned bytes = jrs_type_bytes(type);
    bool word = bytes == 4 || bytes == 8, bits = kind == JRS_KIND_BITS;
    switch (operation) {
    case JRS_ATOMIC_add:
        return kind > JRS_KIND_SIGNED || type == JRS_TYPE_u32 || type == JRS_TYPE_s32 || type == JRS_TYPE_u64;
    case JRS_ATOMIC_min:
    case JRS_ATOMIC_max: return word && (kind == JRS_KIND_SIGNED || kind == JRS_KIND_UNSIGNED);
    case JRS_ATOMIC_and:
    case JRS_ATOMIC_or:
    case JRS_ATOMIC_xor: return word && bits;
    case JRS_ATOMIC_exch: return bits && bytes >= 4;
    case JRS_ATOMIC_cas: return bits && bytes >= 2;
    default: return type == JRS_TYPE_u32; /* inc, dec */
    }
}

static access take_atomic(jrs_parser *parser, jrs_statement *statement) {
#define NAME(name) #name,
    static const char *const names[] = {JRS_ATOMICS(NAME)};
#undef NAME
    access found = {JRS_SPACE_GENERIC, true, false, 1, JRS_ATOMIC_COUNT, JRS_TYPE_COUNT};
    for (bool more = true; more;) {
        more = false;
        if (found.operation == JRS_ATOMIC_COUNT) {
            found.operation = jrs_take_one(statement, names, JRS_ATOMIC_COUNT);
            more = found.operation < JRS_ATOMIC_COUNT;
        }
        more = more || jrs_take_space(statement, &found.space) || take_hint(statement, &found);
    }
    found.type = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    if (found.operation == JRS_ATOMIC_COUNT || !atomic_takes(found.operation, found.type))
        jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
    return found;
}

static void decode_atomic(jrs_parser *parser, jrs_statement *statement, bool returns) {
    access found = take_atomic(parser, statement);
    unsigned bytes = jrs_type_register_bytes(found.type), at_operand = returns ? 1 : 0;
    unsigned sources = found.operation == JRS_ATOMIC_cas ? 2 : 1;
    jrs_slot s[2] = {0, 0}, d = 0;
    expect_operands(parser, statement, at_operand + 1 + sources, found.hinted);
    jrs_location at = jrs_take_location(parser, &statement->operands[at_operand], found.space);
    for (unsigned i = 0; i < sources; i++)
        s[i] = jrs_slot_source(parser, &statement->operands[at_operand + 1 + i], bytes);
    if (returns) d = jrs_slot_destination(parser, &statement->operands[0], bytes);
    jrs_instruction *instruction = emit_access(parser, jrs_op_atomic, &found, &at);
    instruction->operation = (uint8_t)found.operation;
    instruction->width = (uint8_t)bytes;
    instruction->s[1] = s[0];
    instruction->s[2] = s[1];
    instruction->source_count = (uint8_t)sources;
    instruction->d = d;
    instruction->has_d = returns;
}

void jrs_decode_atom(jrs_parser *parser, jrs_statement *statement) {
    decode_atomic(parser, statement, true);
}

void jrs_decode_red(jrs_parser *parser, jrs_statement *statement) {
    decode_atomic(parser, statement, false);
}

/* ---- without effect here ---- */

void jrs_decode_fence(jrs_parser *parser, jrs_statement *statement) {
    static const char *const known[] = {"sc",
                                        "acq_rel",
                                        "acquire",
                                        "release",
                                        "cta",
                                        "cluster",
                                        "gpu",
                                        "sys",
                                        "gl",
                                        "proxy",
                                        "alias",
                                        "async",
                                        "async::generic",
                                        "global",
                                        "shared::cta",
                                        "shared::cluster",
                                        "mbarrier_init",
                                        "sync_restrict::shared::cta",
                                        "sync_restrict::shared::cluster"};
    const unsigned count = sizeof known / sizeof *known;
    bool proxy = statement->part_count > 2 && strcmp(statement->parts[1], "proxy") == 0 &&
                 strcmp(statement->parts[2], "async") == 0;
    while (jrs_take_one(statement, known, count) < count) {
    }
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 0, 0);
    jrs_emit(parser, jrs_op_fence)->operation = proxy ? JRS_FENCE_PROXY : JRS_FENCE_PLAIN;
}

void jrs_decode_membar(jrs_parser *parser, jrs_statement *statement) {
    jrs_decode_fence(parser, statement);
}

void jrs_decode_prefetch(jrs_parser *parser, jrs_statement *statement) {
    (void)statement;
    jrs_emit(parser, jrs_op_nothing);
}

void jrs_decode_prefetchu(jrs_parser *parser, jrs_statement *statement) {
    jrs_decode_prefetch(parser, statement);
}

/* Launches of a stream run one after the other here: letting the next one begin has no effect. */
void jrs_decode_griddepcontrol(jrs_parser *parser, jrs_statement *statement) {
    const bool waits = jrs_take(statement, "wait");
    if (!waits && !jrs_take(statement, "launch_dependents"))
        jrs_parse_fail(parser, "griddepcontrol needs .launch_dependents or .wait");
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 0, 0);
    jrs_emit(parser, waits ? jrs_op_grid_wait : jrs_op_nothing);
}

void jrs_decode_discard(jrs_parser *parser, jrs_statement *statement) {
    jrs_decode_prefetch(parser, statement);
}

void jrs_decode_applypriority(jrs_parser *parser, jrs_statement *statement) {
    jrs_decode_prefetch(parser, statement);
}
