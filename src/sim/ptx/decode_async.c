/* Decoders of asynchronous copies and mbarriers, and of the hints that stand beside them. */
#include <string.h>

#include "decode.h"

static void __attribute__((noreturn)) unsupported(jrs_parser *parser, const jrs_statement *statement) {
    jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
}

static bool is_predicate(const jrs_operand *operand) {
    return operand->kind == JRS_OPERAND_REGISTER && operand->symbol->bytes == 0;
}

static bool take_any(jrs_statement *statement, const char *const *names, unsigned count) {
    return jrs_take_one(statement, names, count) < count;
}

#define TAKE_ANY(statement, ...)                                                                                       \
    take_any(statement, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* .L2::cache_hint, which has a policy as its last operand; the operands but that one. */
static unsigned take_hint(jrs_parser *parser, jrs_statement *statement) {
    bool hinted = jrs_take(statement, "L2::cache_hint");
    TAKE_ANY(statement, "L2::64B", "L2::128B", "L2::256B");
    if (!hinted) return statement->operand_count;
    if (statement->operand_count == 0) jrs_parse_fail(parser, ".L2::cache_hint without a policy");
    jrs_slot_source(parser, &statement->operands[statement->operand_count - 1], 8);
    return statement->operand_count - 1;
}

static void expect(jrs_parser *parser, const jrs_statement *statement, unsigned found, unsigned least, unsigned most) {
    if (found >= least && found <= most) return;
    jrs_parse_fail(parser, "'%s' takes %u operands, %u found", statement->opcode, found < least ? least : most, found);
}

/* The addresses in the operands from first on. */
static jrs_async places(jrs_parser *parser, const jrs_operand *first, const jrs_space *spaces, unsigned count) {
    jrs_async made = {0};
    for (unsigned k = 0; k < count; k++) made.places[k] = jrs_take_location(parser, first + k, spaces[k]);
    return made;
}

/* ---- cp.async ---- */

static void decode_copy(jrs_parser *parser, jrs_statement *statement) {
    static const jrs_space spaces[] = {JRS_SPACE_SHARED, JRS_SPACE_GLOBAL};
    bool whole_line = jrs_take(statement, "cg");
    if (!whole_line && !jrs_take(statement, "ca")) unsupported(parser, statement);
    if (!TAKE_ANY(statement, "shared", "shared::cta") || !jrs_take(statement, "global")) unsupported(parser, statement);
    unsigned count = take_hint(parser, statement);
    jrs_take_end(parser, statement);
    expect(parser, statement, count, 3, 4);
    const jrs_operand *operands = statement->operands;
    int64_t bytes = jrs_operand_constant(parser, &operands[2]);
    if (bytes != 16 && (whole_line || (bytes != 4 && bytes != 8)))
        jrs_parse_fail(parser, "a copy of %lld bytes by '%s'", (long long)bytes, statement->opcode);
    bool ignores = count == 4 && is_predicate(&operands[3]);
    jrs_slot s = count == 4 ? jrs_slot_source(parser, &operands[3], ignores ? 0 : 4) : 0;
    jrs_async async = places(parser, operands, spaces, 2);
    async.ignores = ignores;
    async.bytes = (uint8_t)bytes;
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_copy_async);
    instruction->async = async;
    instruction->s[2] = s;
    instruction->source_count = (uint8_t)(count - 1);
    instruction->negated = ignores && operands[3].negated;
}

static void decode_commit(jrs_parser *parser, jrs_statement *statement, uint8_t kind) {
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 0, 0);
    jrs_emit(parser, jrs_op_copy_commit)->operation = kind;
}

static void decode_wait(jrs_parser *parser, jrs_statement *statement, uint8_t kind, bool all) {
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, all ? 0 : 1, all ? 0 : 1);
    int64_t kept = all ? -1 : jrs_operand_constant(parser, &statement->operands[0]);
    if (!all && (kept < 0 || kept > INT32_MAX)) jrs_parse_fail(parser, "%lld groups", (long long)kept);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_copy_wait);
    instruction->operation = kind;
    instruction->async.kept = (int32_t)kept;
}

static void decode_arrive(jrs_parser *parser, jrs_statement *statement) {
    jrs_space space = JRS_SPACE_GENERIC;
    if (!jrs_take(statement, "arrive")) unsupported(parser, statement);
    bool expected = jrs_take(statement, "noinc");
    jrs_take_space(statement, &space);
    if (!jrs_take(statement, "b64")) unsupported(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 1, 1);
    jrs_async async = places(parser, statement->operands, &space, 1);
    async.noinc = expected;
    jrs_emit(parser, jrs_op_copy_arrive)->async = async;
}

/* ---- cp.async.bulk ---- */

static void decode_bulk_load(jrs_parser *parser, jrs_statement *statement) {
    static const jrs_space spaces[] = {JRS_SPACE_SHARED, JRS_SPACE_GLOBAL, JRS_SPACE_SHARED};
    if (!jrs_take(statement, "global") || !jrs_take(statement, "mbarrier::complete_tx::bytes"))
        unsupported(parser, statement);
    unsigned count = take_hint(parser, statement);
    jrs_take_end(parser, statement);
    expect(parser, statement, count, 4, 4);
    const jrs_operand *operands = statement->operands;
    const jrs_operand addresses[] = {operands[0], operands[1], operands[3]};
    jrs_slot s = jrs_slot_source(parser, &operands[2], 4);
    const jrs_async async = places(parser, addresses, spaces, 3);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_bulk_load);
    instruction->async = async;
    instruction->s[2] = s;
}

static void decode_bulk_store(jrs_parser *parser, jrs_statement *statement) {
    static const jrs_space spaces[] = {JRS_SPACE_GLOBAL, JRS_SPACE_SHARED};
    if (!jrs_take(statement, "shared::cta") || !jrs_take(statement, "bulk_group")) unsupported(parser, statement);
    unsigned count = take_hint(parser, statement);
    jrs_take_end(parser, statement);
    expect(parser, statement, count, 3, 3);
    jrs_slot s = jrs_slot_source(parser, &statement->operands[2], 4);
    const jrs_async async = places(parser, statement->operands, spaces, 2);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_bulk_store);
    instruction->async = async;
    instruction->s[2] = s;
}

static void decode_bulk(jrs_parser *parser, jrs_statement *statement) {
    if (TAKE_ANY(statement, "shared::cluster", "shared::cta")) {
        decode_bulk_load(parser, statement);
    } else if (jrs_take(statement, "global")) {
        decode_bulk_store(parser, statement);
    } else if (jrs_take(statement, "commit_group")) {
        decode_commit(parser, statement, JRS_COPY_BULK);
    } else if (jrs_take(statement, "wait_group")) {
        jrs_take(statement, "read"); /* here a copy reads and writes in one go */
        decode_wait(parser, statement, JRS_COPY_BULK, false);
    } else if (jrs_take(statement, "prefetch") && jrs_take(statement, "L2") && jrs_take(statement, "global")) {
        jrs_emit(parser, jrs_op_nothing);
    } else {
        unsupported(parser, statement);
    }
}

void jrs_decode_cp(jrs_parser *parser, jrs_statement *statement) {
    if (!jrs_take(statement, "async")) unsupported(parser, statement);
    if (jrs_take(statement, "bulk"))
        decode_bulk(parser, statement);
    else if (jrs_take(statement, "mbarrier"))
        decode_arrive(parser, statement);
    else if (jrs_take(statement, "commit_group"))
        decode_commit(parser, statement, JRS_COPY_LANES);
    else if (jrs_take(statement, "wait_group"))
        decode_wait(parser, statement, JRS_COPY_LANES, false);
    else if (jrs_take(statement, "wait_all"))
        decode_wait(parser, statement, JRS_COPY_LANES, true);
    else
        decode_copy(parser, statement);
}

/* ---- mbarrier ---- */

/* What stands between the operation and .b64, in any order. */
static uint8_t take_flags(jrs_statement *statement, jrs_space *space) {
    static const struct {
        const char *name;
        uint8_t flag;
    } flags[] = {{"expect_tx", JRS_MBARRIER_EXPECTS},
                 {"noComplete", JRS_MBARRIER_INCOMPLETE},
                 {"parity", JRS_MBARRIER_PARITY},
                 {"relaxed", JRS_MBARRIER_RELAXED},
                 {"acquire", 0},
                 {"release", 0},
                 {"cta", 0},
                 {"cluster", 0}};
    uint8_t found = 0;
    for (bool more = true; more;) {
        more = jrs_take_space(statement, space);
        for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
            if (!jrs_take(statement, flags[k].name)) continue;
            found |= flags[k].flag;
            more = true;
        }
    }
    return found;
}

/* How an operation's operands lie: whether it has a destination first, and operands after the address. */
typedef struct shape {
    unsigned destination_bytes;
    bool destination;
    unsigned least, most; /* operands after the address */
    unsigned value_bytes; /* of the first of them */
    uint8_t flags;        /* that may be given */
} shape;

static shape shape_of(unsigned operation, uint8_t flags) {
    const uint8_t arrives = JRS_MBARRIER_EXPECTS | JRS_MBARRIER_INCOMPLETE | JRS_MBARRIER_RELAXED;
    const uint8_t waits = JRS_MBARRIER_PARITY | JRS_MBARRIER_RELAXED;
    bool counts = flags & (JRS_MBARRIER_EXPECTS | JRS_MBARRIER_INCOMPLETE);
    switch (operation) {
    case JRS_MBARRIER_init: return (shape){0, false, 1, 1, 4, 0};
    case JRS_MBARRIER_inval: return (shape){0, false, 0, 0, 4, 0};
    case JRS_MBARRIER_expect_tx:
    case JRS_MBARRIER_complete_tx: return (shape){0, false, 1, 1, 4, JRS_MBARRIER_RELAXED};
    case JRS_MBARRIER_arrive:
    case JRS_MBARRIER_arrive_drop: return (shape){8, true, counts ? 1 : 0, 1, 4, arrives};
    default:
        return (shape){0,    true, 1, operation == JRS_MBARRIER_try_wait ? 2 : 1, flags & JRS_MBARRIER_PARITY ? 4 : 8,
                       waits};
    }
}

static void decode_pending_count(jrs_parser *parser, jrs_statement *statement) {
    if (!jrs_take(statement, "b64")) unsupported(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 2, 2);
    jrs_slot s = jrs_slot_source(parser, &statement->operands[1], 8);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 4);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_mbarrier_pending);
    instruction->s[1] = s;
    instruction->d = d;
}

void jrs_decode_mbarrier(jrs_parser *parser, jrs_statement *statement) {
#define NAME(name) #name,
    static const char *const names[] = {JRS_MBARRIERS(NAME)};
#undef NAME
    jrs_space space = JRS_SPACE_GENERIC;
    unsigned operation = jrs_take_one(statement, names, JRS_MBARRIER_COUNT);
    if (operation == JRS_MBARRIER_pending_count) {
        decode_pending_count(parser, statement);
        return;
    }
    uint8_t flags = take_flags(statement, &space);
    const shape wanted = shape_of(operation, flags);
    if (operation == JRS_MBARRIER_COUNT || !jrs_take(statement, "b64") || (flags & ~wanted.flags))
        unsupported(parser, statement);
    jrs_take_end(parser, statement);
    const unsigned at = wanted.destination ? 1 : 0;
    jrs_expect_operands(parser, statement, at + 1 + wanted.least, at + 1 + wanted.most);
    const bool valued = statement->operand_count > at + 1;
    jrs_async async = places(parser, &statement->operands[at], &space, 1);
    async.flags = flags;
    jrs_slot s = valued ? jrs_slot_source(parser, &statement->operands[at + 1], wanted.value_bytes) : 0;
    jrs_slot d = at ? jrs_slot_destination(parser, &statement->operands[0], wanted.destination_bytes) : 0;
    bool waits = operation == JRS_MBARRIER_test_wait || operation == JRS_MBARRIER_try_wait;
    jrs_instruction *instruction = jrs_emit(parser, waits ? jrs_op_mbarrier_wait : jrs_op_mbarrier);
    instruction->operation = (uint8_t)operation;
    instruction->async = async;
    instruction->s[1] = s;
    instruction->source_count = valued ? 2 : 1;
    instruction->d = d;
    instruction->has_d = wanted.destination;
}

/* ---- hints ---- */

/* A policy is opaque: here it is 0. */
void jrs_decode_createpolicy(jrs_parser *parser, jrs_statement *statement) {
    const uint64_t policy = 0;
    if (!TAKE_ANY(statement, "fractional", "range", "cvt")) unsupported(parser, statement);
    while (TAKE_ANY(statement, "global", "L2", "L2::evict_last", "L2::evict_normal", "L2::evict_first",
                    "L2::evict_unchanged")) {
    }
    if (!jrs_take(statement, "b64")) unsupported(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 1, 4);
    jrs_slot s = jrs_slot_constant(parser, &policy, 8);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 8);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_move);
    instruction->s[0] = s;
    instruction->d = d;
    instruction->width = 8;
}

/* Registers move between warps of the device; here each warp has all it needs. */
void jrs_decode_setmaxnreg(jrs_parser *parser, jrs_statement *statement) {
    bool known = TAKE_ANY(statement, "inc", "dec") && jrs_take(statement, "sync") && jrs_take(statement, "aligned") &&
                 jrs_take(statement, "u32");
    if (!known) unsupported(parser, statement);
    if (!parser->module->exact_target) jrs_parse_fail(parser, "'%s' needs a .target like sm_90a", statement->opcode);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 1, 1);
    int64_t count = jrs_operand_constant(parser, &statement->operands[0]);
    if (count < 24 || count > 256 || count % 8)
        jrs_parse_fail(parser, "%lld registers: 24 to 256 in steps of 8 are possible", (long long)count);
    jrs_emit(parser, jrs_op_nothing);
}
