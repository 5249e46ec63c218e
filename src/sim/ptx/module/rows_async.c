/* Rows of asynchronous copies and mbarriers, and of the cache hints that the copies take. */
#include <string.h>

#include "rows.h"

static void make_places(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)parser;
    const bool cluster = jrs_match_has(match, "shared::cluster");
    memcpy(made->async.places, match->places, sizeof match->places);
    for (unsigned k = 0; k < JRS_PLACES; k++)
        if (cluster && made->async.places[k].space == JRS_SPACE_SHARED) made->async.places[k].space = JRS_SPACE_CLUSTER;
}

/* ---- cp.async ---- */

/* The last operand says how many bytes are read, or whether none are. */
static void make_copy(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const int64_t bytes = match->constant;
    const jrs_operand *last = &match->statement->operands[3];
    if (bytes != 16 && (jrs_match_has(match, "cg") || (bytes != 4 && bytes != 8)))
        jrs_parse_fail(parser, "a copy of %lld bytes by '%s'", (long long)bytes, match->statement->opcode);
    make_places(parser, match, made);
    made->async.bytes = (uint8_t)bytes;
    made->async.ignores = made->source_count && last->kind == JRS_OPERAND_REGISTER && last->symbol->bytes == 0;
}

static void make_wait(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const bool all = jrs_match_has(match, "wait_all");
    if (match->constant < 0 || match->constant > INT32_MAX)
        jrs_parse_fail(parser, "%lld groups", (long long)match->constant);
    made->async.kept = all ? -1 : (int32_t)match->constant;
}

/* ---- st.async ---- */

/* Its registers are sources: at most four. */
static void make_store(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    static const char *const words[] = {"v2", "v4"};
    const unsigned bytes = jrs_type_bytes(match->types[0]);
    unsigned vector = 1;
    for (unsigned k = 0; k < 2; k++)
        if (jrs_match_has(match, words[k])) vector = 2u << k;
    const bool reaches = match->space == JRS_SPACE_CLUSTER || match->space == JRS_SPACE_GENERIC;
    if (!reaches || (bytes != 4 && bytes != 8) || bytes * vector > 16) jrs_match_refuse(parser, match);
    if (match->read.count != vector) jrs_parse_fail(parser, "%u registers for %u elements", match->read.count, vector);
    if (match->read.bytes != bytes) jrs_parse_fail(parser, "registers of %u bits", match->read.bytes * 8);
    memcpy(made->async.places, match->places, sizeof match->places);
    made->async.bytes = (uint8_t)bytes;
    for (unsigned k = 0; k < vector; k++) made->s[k] = match->read.slots[k];
    made->source_count = (uint8_t)vector;
}

/* ---- mbarrier ---- */

/* Another block's mbarrier takes only arrivals that return no state, and byte counts. */
static void check_cluster(jrs_parser *parser, const jrs_match *match, const jrs_instruction *made) {
    const char *opcode = match->statement->opcode;
    const bool counts = made->run == jrs_op_mbarrier && made->operation >= JRS_MBARRIER_expect_tx;
    if (match->space != JRS_SPACE_CLUSTER) return;
    if (!counts || jrs_match_has(match, "noComplete"))
        jrs_parse_fail(parser, "'%s' works on mbarriers of its own block only", opcode);
    if (made->has_d && match->statement->operands[0].kind != JRS_OPERAND_SINK)
        jrs_parse_fail(parser, "the destination of '%s' must be _", opcode);
}

static void make_mbarrier(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    static const struct {
        const char *word;
        uint8_t flag;
    } flags[] = {{"expect_tx", JRS_MBARRIER_EXPECTS},
                 {"noComplete", JRS_MBARRIER_INCOMPLETE},
                 {"noinc", JRS_MBARRIER_COUNTED},
                 {"parity", JRS_MBARRIER_PARITY},
                 {"relaxed", JRS_MBARRIER_RELAXED}};
    check_cluster(parser, match, made);
    make_places(parser, match, made);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        if (jrs_match_has(match, flags[k].word)) made->async.flags |= flags[k].flag;
}

/* ---- hints ---- */

/* A policy is opaque: here it is 0. */
static void make_policy(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const uint64_t policy = 0;
    jrs_operands_expect(parser, match->statement, 1, 4);
    made->s[0] = jrs_slot_constant(parser, &policy, 8);
    made->d = jrs_slot_destination(parser, &match->statement->operands[0], 8);
    made->width = 8;
}

/* Registers move between warps of the device; here each warp has all it needs. */
static void make_setmaxnreg(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)made;
    if (!parser->module->exact_target)
        jrs_parse_fail(parser, "'%s' needs a .target like sm_90a", match->statement->opcode);
    if (match->constant < 24 || match->constant > 256 || match->constant % 8)
        jrs_parse_fail(parser, "%lld registers: it must be 24 to 256, a multiple of 8", (long long)match->constant);
}

#define HINTS   "{.L2::cache_hint,.L2::64B,.L2::128B,.L2::256B}*"
#define SHARED  "{shared,shared::cta}"
#define ORDER   "{.relaxed,.acquire,.release,.cta,.cluster,.SPACE}*"
#define ARRIVES "mbarrier.{arrive,arrive_drop}"
#define MBARRIER(opcode, taken, name)                                                                                  \
    { opcode, taken, .run = jrs_op_mbarrier, .operation = JRS_MBARRIER_##name, .make = make_mbarrier }

const jrs_row jrs_async_rows[] = {
    {"cp.async.{ca,cg}." SHARED ".global" HINTS,
     "[shared], [global], # / [shared], [global], #, a32 / [shared], [global], #, ap", .run = jrs_op_copy_async,
     .make = make_copy},
    {"cp.async.commit_group", "", .run = jrs_op_copy_commit, .operation = JRS_COPY_LANES},
    {"cp.async.wait_group", "#", .run = jrs_op_copy_wait, .operation = JRS_COPY_LANES, .make = make_wait},
    {"cp.async.wait_all", "", .run = jrs_op_copy_wait, .operation = JRS_COPY_LANES, .make = make_wait},
    {"cp.async.mbarrier.arrive{.noinc}{.SPACE}.b64", "[a]", .run = jrs_op_copy_arrive, .make = make_mbarrier},
    {"cp.async.bulk.{shared::cluster,shared::cta}.global.mbarrier::complete_tx::bytes" HINTS,
     "[shared], [global], a32, [shared]", .run = jrs_op_bulk_load, .make = make_places},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster" HINTS,
     "[shared], [global], a32, [shared], b16", .run = jrs_op_bulk_load, .make = make_places},
    {"cp.async.bulk.global.shared::cta.bulk_group" HINTS, "[global], [shared], a32", .run = jrs_op_bulk_store,
     .make = make_places},
    {"st.async{.weak,.SPACE,.mbarrier::complete_tx::bytes,.v2,.v4}*.TYPE", "[a], {a}, [a]", .run = jrs_op_store_async,
     .make = make_store},
    {"cp.async.bulk.commit_group", "", .run = jrs_op_copy_commit, .operation = JRS_COPY_BULK},
    /* .read: here a copy reads and writes in one go */
    {"cp.async.bulk.wait_group{.read}", "#", .run = jrs_op_copy_wait, .operation = JRS_COPY_BULK, .make = make_wait},
    {"cp.async.bulk.prefetch.L2.global" HINTS, "[global], a32", .run = jrs_op_nothing},
    MBARRIER("mbarrier.init{.SPACE}.b64", "[a], a32", init),
    MBARRIER("mbarrier.inval{.SPACE}.b64", "[a]", inval),
    MBARRIER("mbarrier.{expect_tx,complete_tx}" ORDER ".b64", "[a], a32", expect_tx),
    MBARRIER(ARRIVES ORDER ".b64", "d64, [a] / d64, [a], a32", arrive),
    MBARRIER(ARRIVES ".expect_tx" ORDER ".b64", "d64, [a], a32", arrive),
    MBARRIER(ARRIVES ".noComplete" ORDER ".b64", "d64, [a], a32", arrive),
    {"mbarrier.test_wait" ORDER ".b64", "dp, [a], a64", .run = jrs_op_mbarrier_wait, .make = make_mbarrier},
    {"mbarrier.test_wait.parity" ORDER ".b64", "dp, [a], a32", .run = jrs_op_mbarrier_wait, .make = make_mbarrier},
    {"mbarrier.try_wait" ORDER ".b64", "dp, [a], a64 / dp, [a], a64, b32", .run = jrs_op_mbarrier_wait,
     .make = make_mbarrier},
    {"mbarrier.try_wait.parity" ORDER ".b64", "dp, [a], a32 / dp, [a], a32, b32", .run = jrs_op_mbarrier_wait,
     .make = make_mbarrier},
    {"mbarrier.pending_count.b64", "d32, a64", .run = jrs_op_mbarrier_pending},
    {.syntax = "createpolicy.{fractional,range,cvt}{.global,.L2,.L2::evict_last,.L2::evict_normal,.L2::evict_first,"
               ".L2::evict_unchanged}*.b64",
     .run = jrs_op_move,
     .make = make_policy},
    {"setmaxnreg.{inc,dec}.sync.aligned.u32", "#", .run = jrs_op_nothing, .make = make_setmaxnreg},
    {.syntax = NULL},
};
