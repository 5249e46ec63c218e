/* Decoders of branches, calls, barriers and the exchanges between the lanes of a warp. */
#include <string.h>

#include "decode.h"

static void __attribute__((noreturn)) unsupported(jrs_parser *parser, const jrs_statement *statement) {
    jrs_parse_fail(parser, "the instruction '%s' is not supported", statement->opcode);
}

/* ---- branches ---- */

void jrs_decode_bra(jrs_parser *parser, jrs_statement *statement) {
    jrs_take(statement, "uni");
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 1, 1);
    if (!statement->operands[0].name) jrs_parse_fail(parser, "a label is needed");
    jrs_emit(parser, jrs_op_bra);
    jrs_builder_fixup(parser, statement->operands[0].name, parser->builder->code_count - 1, NULL);
}

void jrs_decode_brx(jrs_parser *parser, jrs_statement *statement) {
    bool index = jrs_take(statement, "idx");
    jrs_take(statement, "uni");
    jrs_take_end(parser, statement);
    if (!index) unsupported(parser, statement);
    jrs_expect_operands(parser, statement, 2, 2);
    const jrs_symbol *list = statement->operands[1].symbol;
    if (!list || !list->targets) jrs_parse_fail(parser, "a .branchtargets list is needed");
    jrs_slot s = jrs_slot_source(parser, &statement->operands[0], 4);
    uint32_t *targets = jrs_parse_take(parser, list->targets->count * sizeof *targets);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_brx);
    instruction->s[0] = s;
    instruction->branch = (jrs_branch){.targets = targets, .count = list->targets->count};
    for (uint32_t i = 0; i < list->targets->count; i++)
        jrs_builder_fixup(parser, list->targets->names[i], parser->builder->code_count - 1, &targets[i]);
}

static void decode_end(jrs_parser *parser, jrs_statement *statement, jrs_handler *run) {
    jrs_take(statement, "uni");
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 0, 0);
    jrs_emit(parser, run);
}

void jrs_decode_ret(jrs_parser *parser, jrs_statement *statement) {
    decode_end(parser, statement, jrs_op_ret);
}

void jrs_decode_exit(jrs_parser *parser, jrs_statement *statement) {
    decode_end(parser, statement, jrs_op_exit);
}

void jrs_decode_trap(jrs_parser *parser, jrs_statement *statement) {
    decode_end(parser, statement, jrs_op_trap);
}

void jrs_decode_brkpt(jrs_parser *parser, jrs_statement *statement) {
    decode_end(parser, statement, jrs_op_trap);
}

/* ---- calls ---- */

static const jrs_parameter *frame_parameters(jrs_parser *parser, const jrs_operand *list, uint32_t *count) {
    *count = list ? list->count : 0;
    jrs_parameter *found = jrs_parse_take(parser, *count * sizeof *found);
    for (uint32_t i = 0; i < *count; i++) {
        const jrs_operand *item = &list->items[i];
        if (item->kind != JRS_OPERAND_VARIABLE || item->symbol->space != JRS_SPACE_FRAME)
            jrs_parse_fail(parser, "call operands other than .param variables are not supported");
        found[i] = (jrs_parameter){item->symbol->offset, item->symbol->bytes};
    }
    return found;
}

static jrs_handler *builtin(const jrs_function *function) {
    static const struct {
        const char *name;
        jrs_handler *run;
    } known[] = {{"vprintf", jrs_op_print}, {"__assertfail", jrs_op_assert_fail}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, function->name) == 0) return known[i].run;
    return NULL;
}

static void note_called(jrs_parser *parser, const jrs_function *function, const jrs_statement *statement,
                        const jrs_call *call) {
    jrs_called *called = jrs_parse_take(parser, sizeof *called);
    called->function = function;
    called->statement = *statement;
    called->call = call;
    called->next = parser->called;
    parser->called = called;
}

void jrs_decode_call(jrs_parser *parser, jrs_statement *statement) {
    unsigned at = 0;
    jrs_take(statement, "uni");
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 1, 4);
    const jrs_operand *results = NULL, *arguments = NULL;
    if (statement->operands[0].kind == JRS_OPERAND_LIST) results = &statement->operands[at++];
    const jrs_operand *target = at < statement->operand_count ? &statement->operands[at++] : NULL;
    if (at < statement->operand_count && statement->operands[at].kind == JRS_OPERAND_LIST)
        arguments = &statement->operands[at];
    jrs_call *call = jrs_parse_take(parser, sizeof *call);
    call->results = frame_parameters(parser, results, &call->result_count);
    call->arguments = frame_parameters(parser, arguments, &call->argument_count);
    jrs_handler *run = jrs_op_call;
    jrs_slot s = 0;
    if (target && target->kind == JRS_OPERAND_FUNCTION) {
        call->callee = target->symbol->function;
        if (builtin(call->callee))
            run = builtin(call->callee);
        else
            note_called(parser, call->callee, statement, call);
    } else if (target && target->kind == JRS_OPERAND_REGISTER) {
        s = jrs_slot_source(parser, target, 8);
    } else {
        jrs_parse_fail(parser, "'%s' is not a function", target && target->name ? target->name : "");
    }
    if (run == jrs_op_call) parser->builder->function->calls = true;
    jrs_instruction *instruction = jrs_emit(parser, run);
    instruction->call = call;
    instruction->s[0] = s;
}

/* ---- barriers ---- */

static void decode_warp_sync(jrs_parser *parser, jrs_statement *statement) {
    bool sync = jrs_take(statement, "sync");
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 1, 1);
    if (!sync) unsupported(parser, statement);
    jrs_slot s = jrs_slot_source(parser, &statement->operands[0], 4);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_warp_sync);
    instruction->s[3] = s;
    instruction->source_count = 1;
}

/* a[, b] of a barrier into s[0], s[1]; source_count says whether b is there. */
static unsigned barrier_sources(jrs_parser *parser, const jrs_statement *statement, unsigned from, unsigned to,
                                jrs_slot s[2]) {
    jrs_expect_operands(parser, statement, from + 1, 8);
    if (to - from > 2 || to <= from) unsupported(parser, statement);
    for (unsigned i = from; i < to; i++) s[i - from] = jrs_slot_source(parser, &statement->operands[i], 4);
    return to - from;
}

static void decode_barrier(jrs_parser *parser, jrs_statement *statement, bool aligned) {
#define NAME(name) #name,
    static const char *const names[] = {JRS_BARRIER_KINDS(NAME)};
#undef NAME
    jrs_slot s[2] = {0, 0}, d = 0, c = 0;
    jrs_take(statement, "cta");
    bool red = jrs_take(statement, "red");
    unsigned kind = jrs_take_one(statement, names, JRS_BARRIER_KIND_COUNT);
    if (kind == JRS_BARRIER_KIND_COUNT || red != (kind >= JRS_BARRIER_popc)) unsupported(parser, statement);
    if (jrs_take(statement, "aligned")) aligned = true;
    if (red && !jrs_take(statement, kind == JRS_BARRIER_popc ? "u32" : "pred")) unsupported(parser, statement);
    jrs_take_end(parser, statement);
    unsigned last = statement->operand_count - (red ? 1 : 0);
    unsigned sources = barrier_sources(parser, statement, red ? 1 : 0, last, s);
    if (red) c = jrs_slot_source(parser, &statement->operands[last], 0);
    if (red) d = jrs_slot_destination(parser, &statement->operands[0], kind == JRS_BARRIER_popc ? 4 : 0);
    jrs_instruction *instruction = jrs_emit(parser, jrs_op_barrier);
    instruction->operation = (uint8_t)kind;
    instruction->aligned = aligned;
    instruction->s[0] = s[0];
    instruction->s[1] = s[1];
    instruction->s[2] = c;
    instruction->negated = red && statement->operands[last].negated;
    instruction->source_count = (uint8_t)sources;
    instruction->d = d;
}

void jrs_decode_bar(jrs_parser *parser, jrs_statement *statement) {
    if (jrs_take(statement, "warp"))
        decode_warp_sync(parser, statement);
    else
        decode_barrier(parser, statement, true);
}

void jrs_decode_barrier(jrs_parser *parser, jrs_statement *statement) {
    decode_barrier(parser, statement, false);
}

/* ---- exchanges between lanes: the member mask is always s[3] ---- */

static jrs_instruction *emit_exchange(jrs_parser *parser, const jrs_statement *statement, jrs_handler *run,
                                      unsigned d_bytes, unsigned source_bytes) {
    jrs_slot s[JRS_SOURCES] = {0}, d2 = 0;
    unsigned sources = statement->operand_count - 2;
    if (statement->operand_count < 2 || sources > 3) jrs_parse_fail(parser, "a wrong number of operands");
    for (unsigned i = 0; i < sources; i++)
        s[i] = jrs_slot_source(parser, &statement->operands[1 + i], i ? 4 : source_bytes);
    s[3] = jrs_slot_source(parser, &statement->operands[statement->operand_count - 1], 4);
    const jrs_operand *pair = statement->operands[0].pair;
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], d_bytes);
    if (pair) d2 = jrs_slot_destination(parser, pair, 0);
    jrs_instruction *instruction = jrs_emit(parser, run);
    memcpy(instruction->s, s, sizeof s);
    instruction->d = d;
    instruction->d2 = d2;
    instruction->has_d2 = pair != NULL;
    instruction->source_count = (uint8_t)sources;
    return instruction;
}

void jrs_decode_shfl(jrs_parser *parser, jrs_statement *statement) {
#define NAME(name) #name,
    static const char *const names[] = {JRS_SHUFFLES(NAME)};
#undef NAME
    bool sync = jrs_take(statement, "sync");
    unsigned mode = jrs_take_one(statement, names, JRS_SHUFFLE_COUNT);
    if (!sync || mode == JRS_SHUFFLE_COUNT || !jrs_take(statement, "b32")) unsupported(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 5, 5);
    emit_exchange(parser, statement, jrs_op_shfl, 4, 4)->operation = (uint8_t)mode;
}

void jrs_decode_vote(jrs_parser *parser, jrs_statement *statement) {
#define NAME(name) #name,
    static const char *const names[] = {JRS_VOTES(NAME)};
#undef NAME
    bool sync = jrs_take(statement, "sync");
    unsigned mode = jrs_take_one(statement, names, JRS_VOTE_COUNT);
    bool ballot = mode == JRS_VOTE_ballot;
    if (!sync || mode == JRS_VOTE_COUNT || !jrs_take(statement, ballot ? "b32" : "pred"))
        unsupported(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 3, 3);
    jrs_instruction *instruction = emit_exchange(parser, statement, jrs_op_vote, ballot ? 4 : 0, 0);
    instruction->operation = (uint8_t)mode;
    instruction->negated = statement->operands[1].negated;
}

void jrs_decode_match(jrs_parser *parser, jrs_statement *statement) {
    bool all = jrs_take(statement, "all");
    if (!all && !jrs_take(statement, "any")) unsupported(parser, statement);
    if (!jrs_take(statement, "sync")) unsupported(parser, statement);
    unsigned bytes = jrs_type_bytes(jrs_take_type(parser, statement));
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 3, 3);
    if (bytes != 4 && bytes != 8) unsupported(parser, statement);
    jrs_instruction *instruction = emit_exchange(parser, statement, jrs_op_match, 4, bytes);
    instruction->operation = all;
    instruction->width = (uint8_t)bytes;
}

void jrs_decode_redux(jrs_parser *parser, jrs_statement *statement) {
#define NAME(name) #name,
    static const char *const names[] = {JRS_REDUCES(NAME)};
#undef NAME
    bool sync = jrs_take(statement, "sync");
    unsigned operation = jrs_take_one(statement, names, JRS_REDUCE_COUNT);
    if (!sync || operation == JRS_REDUCE_COUNT) unsupported(parser, statement);
    jrs_type type = jrs_take_type(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 3, 3);
    if (jrs_type_bytes(type) != 4 || !jrs_type_is_integer(type)) unsupported(parser, statement);
    jrs_instruction *instruction = emit_exchange(parser, statement, jrs_op_redux, 4, 4);
    instruction->operation = (uint8_t)operation;
    instruction->type = (uint8_t)type;
}

void jrs_decode_elect(jrs_parser *parser, jrs_statement *statement) {
    if (!jrs_take(statement, "sync")) unsupported(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 2, 2);
    if (!statement->operands[0].pair) jrs_parse_fail(parser, "elect.sync needs d|p");
    emit_exchange(parser, statement, jrs_op_elect, 4, 4);
}

void jrs_decode_activemask(jrs_parser *parser, jrs_statement *statement) {
    if (!jrs_take(statement, "b32")) unsupported(parser, statement);
    jrs_take_end(parser, statement);
    jrs_expect_operands(parser, statement, 1, 1);
    jrs_slot d = jrs_slot_destination(parser, &statement->operands[0], 4);
    jrs_emit(parser, jrs_op_activemask)->d = d;
}

void jrs_decode_nanosleep(jrs_parser *parser, jrs_statement *statement) {
    if (!jrs_take(statement, "u32")) unsupported(parser, statement);
    jrs_expect_operands(parser, statement, 1, 1);
    jrs_slot s = jrs_slot_source(parser, &statement->operands[0], 4);
    jrs_emit(parser, jrs_op_nanosleep)->s[0] = s;
}
