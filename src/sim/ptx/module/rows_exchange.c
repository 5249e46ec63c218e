/* Rows of barriers and of the exchanges between the lanes of a warp, whose member mask is always the last source. */
#include <string.h>

#include "rows.h"

static void make_match(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    if (made->operation == JRS_MATCH_any && made->has_d2) jrs_parse_fail(parser, "match.any has one destination");
    made->width = (uint8_t)jrs_type_bytes(match->types[0]);
}

/* bar is barrier.aligned. */
static void make_barrier(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)parser;
    made->aligned = strcmp(match->statement->parts[0], "bar") == 0 || jrs_match_has(match, "aligned");
}

/* The cluster's barrier: what an arrival releases. */
static void make_cluster(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)parser;
    made->operation = jrs_match_has(match, "relaxed") ? JRS_CLUSTER_RELAXED : JRS_CLUSTER_RELEASE;
    made->aligned = jrs_match_has(match, "aligned");
}

/* Without .sync: among the lanes that run it together. Newer targets do not have it (PTX manual, shfl and vote). */
static void make_together(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    enum { TARGET = 70, VERSION = 64 };
    const uint32_t all = JRS_ALL_LANES;
    if (parser->module->target >= TARGET && parser->module->version >= VERSION)
        jrs_parse_fail(parser, "%s without .sync is not for .target sm_70 and higher from PTX 6.4 on",
                       match->statement->parts[0]);
    made->together = true;
    made->s[JRS_SOURCES - 1] = jrs_slot_constant(parser, &all, 4);
}

#define COUNTED  "d32, a32, mp / d32, a32, b32, mp"
#define COMPARED "dp, a32, mp / dp, a32, b32, mp"
#define BARRIER(opcode, taken, name)                                                                                   \
    { opcode, taken, .run = jrs_op_barrier, .operation = JRS_BARRIER_##name, .make = make_barrier }

const jrs_row jrs_exchange_rows[] = {
    {"bar.warp.sync", "m32", .run = jrs_op_warp_sync},
    BARRIER("bar{.cta}.sync", "a32 / a32, b32", sync),
    BARRIER("bar{.cta}.arrive", "a32, b32", arrive),
    BARRIER("bar{.cta}.red.popc.u32", COUNTED, popc),
    BARRIER("bar{.cta}.red.{and,or}.pred", COMPARED, and),
    BARRIER("barrier{.cta}.sync{.aligned}", "a32 / a32, b32", sync),
    BARRIER("barrier{.cta}.arrive{.aligned}", "a32, b32", arrive),
    BARRIER("barrier{.cta}.red.popc{.aligned}.u32", COUNTED, popc),
    BARRIER("barrier{.cta}.red.{and,or}{.aligned}.pred", COMPARED, and),
    {"barrier.cluster.arrive{.release,.relaxed,.aligned}*", "", .run = jrs_op_cluster_arrive, .make = make_cluster},
    {"barrier.cluster.wait{.acquire,.aligned}*", "", .run = jrs_op_cluster_wait, .make = make_cluster},
    {"shfl.sync.{up,down,bfly,idx}.b32", "d32{|p}, a32, b32, c32, m32", .run = jrs_op_shfl},
    {"shfl.{up,down,bfly,idx}.b32", "d32{|p}, a32, b32, c32", .run = jrs_op_shfl, .make = make_together},
    {"vote.{all,any,uni}.pred", "dp, ap", .run = jrs_op_vote, .operation = JRS_VOTE_all, .make = make_together},
    {"vote.ballot.b32", "d32, ap", .run = jrs_op_vote, .operation = JRS_VOTE_ballot, .make = make_together},
    {"vote.sync.{all,any,uni}.pred", "dp, ap, m32", .run = jrs_op_vote, .operation = JRS_VOTE_all},
    {"vote.sync.ballot.b32", "d32, ap, m32", .run = jrs_op_vote, .operation = JRS_VOTE_ballot},
    {"vote.{all,any,uni}.sync.pred", "dp, ap, m32", .run = jrs_op_vote, .operation = JRS_VOTE_all},
    {"vote.ballot.sync.b32", "d32, ap, m32", .run = jrs_op_vote, .operation = JRS_VOTE_ballot},
    {"match.{any,all}.sync.{b32,b64}", "d32{|p}, aT, m32", .run = jrs_op_match, .operation = JRS_MATCH_any,
     .make = make_match},
    {"redux.sync.{add,min,max}.{u32,s32}", "d32, a32, m32", .run = jrs_op_redux, .operation = JRS_REDUCE_add},
    {"redux.sync.{and,or,xor}.b32", "d32, a32, m32", .run = jrs_op_redux, .operation = JRS_REDUCE_and},
    {"elect.sync", "d32|p, m32", .run = jrs_op_elect},
    {"activemask.b32", "d32", .run = jrs_op_activemask},
    {"nanosleep.u32", "a32", .run = jrs_op_nanosleep},
    {.syntax = NULL},
};
