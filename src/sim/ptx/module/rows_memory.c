/* Rows of loads, stores, atomics, fences and cache hints. */
#include "rows.h"

/* Whether the access orders others: of all that may be said of ordering, scope and caches, only that matters here. */
static bool is_strong(const jrs_match *match) {
    static const char *const words[] = {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (jrs_match_has(match, words[k])) return true;
    return false;
}

/* Whether a strong access is of system scope; a volatile one is (PTX manual, ld). */
static bool is_of_system(const jrs_match *match) {
    return jrs_match_has(match, "sys") || jrs_match_has(match, "volatile") || jrs_match_has(match, "mmio");
}

static void fill_access(const jrs_match *match, const jrs_elements *elements, jrs_instruction *made) {
    const jrs_type type = match->types[0];
    made->strong = is_strong(match);
    made->system = is_of_system(match);
    made->memory = (jrs_memory_access){.at = match->places[0],
                                       .slots = elements->slots,
                                       .count = elements->count,
                                       .bytes = (uint8_t)jrs_type_bytes(type),
                                       .sign_extended = jrs_type_kind(type) == JRS_KIND_SIGNED};
}

static void check_count(jrs_parser *parser, const jrs_match *match, const jrs_elements *elements) {
    static const char *const words[] = {"v2", "v4", "v8"};
    const unsigned bytes = jrs_type_bytes(match->types[0]);
    unsigned vector = 1;
    for (unsigned k = 0; k < 3; k++)
        if (jrs_match_has(match, words[k])) vector = 2u << k;
    if (bytes == 0 || vector * bytes > 32) jrs_match_refuse(parser, match);
    if (elements->count != vector) jrs_parse_fail(parser, "%u registers for %u elements", elements->count, vector);
}

static void make_access(jrs_parser *parser, const jrs_match *match, const jrs_elements *elements,
                        jrs_instruction *made) {
    check_count(parser, match, elements);
    fill_access(match, elements, made);
    made->width = elements->bytes;
}

static void make_load(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    make_access(parser, match, &match->written, made);
    const bool direct = match->statement->operands[1].kind == JRS_OPERAND_VARIABLE;
    if (direct && match->places[0].space == JRS_SPACE_PARAMETER) made->run = jrs_op_load_parameter;
}

static void make_store(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    const uint8_t space = match->places[0].space;
    make_access(parser, match, &match->read, made);
    if (space == JRS_SPACE_PARAMETER || space == JRS_SPACE_CONST)
        jrs_parse_fail(parser, "a store to memory that kernels cannot write");
}

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

static void make_atomic(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    if (jrs_type_bytes(match->types[0]) == 0 || !atomic_takes(match->operation, match->types[0]))
        jrs_match_refuse(parser, match);
    fill_access(match, &match->read, made);
    made->strong = true;
    made->memory.count = 1;
    made->width = (uint8_t)jrs_type_register_bytes(match->types[0]);
}

/* Element by element, each of them by itself. */
static void make_atomic_vector(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    make_access(parser, match, &match->read, made);
    const bool shared = match->places[0].space != JRS_SPACE_GLOBAL && match->places[0].space != JRS_SPACE_GENERIC;
    if (shared || match->read.bytes != jrs_type_register_bytes(match->types[0])) jrs_match_refuse(parser, match);
    made->operation = JRS_ATOMIC_add;
    made->strong = true;
    made->has_d = match->written.slots != NULL;
    if (!made->has_d) return;
    check_count(parser, match, &match->written);
    if (match->written.bytes != match->read.bytes) jrs_parse_fail(parser, "the vectors' registers differ in width");
    made->memory.previous = match->written.slots;
}

static void make_fence(jrs_parser *parser, const jrs_match *match, jrs_instruction *made) {
    (void)parser;
    const bool proxy = jrs_match_has(match, "proxy") && jrs_match_has(match, "async");
    const bool mbarrier = jrs_match_has(match, "mbarrier_init");
    made->operation = proxy ? JRS_FENCE_PROXY : mbarrier ? JRS_FENCE_MBARRIER : JRS_FENCE_PLAIN;
}

/* Ordering, scope, state space and caches: the manual has an order for them that ptxas does not insist on. */
#define SCOPES ".cta,.cluster,.gpu,.sys"
#define CACHES ".L1::*,.L2::evict*,.L2::cache_hint,.L2::64B,.L2::128B,.L2::256B"
#define ACCESS "{.weak,.volatile,.relaxed,.acquire,.release,.mmio," SCOPES ",.SPACE,.nc,.unified," CACHES
#define LOAD   ACCESS ",.ca,.cg,.cs,.lu,.cv,.v2,.v4,.v8}*.TYPE"
#define STORE  ACCESS ",.wb,.cg,.cs,.wt,.v2,.v4,.v8}*.TYPE"
#define ATOMIC "{.relaxed,.acquire,.release,.acq_rel," SCOPES ",.SPACE,.noftz,.L2::cache_hint}*"
#define FETCH  ATOMIC ".{add,and,or,xor,min,max,exch,inc,dec}" ATOMIC ".TYPE"
#define VECTOR ATOMIC ".add" ATOMIC ".{v2,v4,v8}.{f32,f16,bf16,f16x2,bf16x2}"
#define WORDS  "{.global,.local,.const,.param,.L1,.L2,.L2::*,.tensormap}*"
#define FENCE  "{.sc,.acq_rel,.acquire,.release," SCOPES ",.gl,.sync_restrict::*,.mbarrier_init}*"
#define PROXY                                                                                                          \
    "{.alias,.async,.async::generic,.acquire,.release,.global,.shared::cta,.shared::cluster," SCOPES                   \
    ",.sync_restrict::*}*"

const jrs_row jrs_memory_rows[] = {
    {"ld" LOAD, "{d}, [a]", .run = jrs_op_load, .make = make_load},
    {"ldu" LOAD, "{d}, [a]", .run = jrs_op_load, .make = make_load},
    {"st" STORE, "[a], {a}", .run = jrs_op_store, .make = make_store},
    {"atom" FETCH, "dT, [a], aT", .run = jrs_op_atomic, .operation = JRS_ATOMIC_add, .make = make_atomic},
    {"atom" VECTOR, "{d}, [a], {a}", .run = jrs_op_atomic, .make = make_atomic_vector},
    {"atom" ATOMIC ".cas" ATOMIC ".TYPE", "dT, [a], aT, bT", .run = jrs_op_atomic, .operation = JRS_ATOMIC_cas,
     .make = make_atomic},
    {"red" FETCH, "[a], aT", .run = jrs_op_atomic, .operation = JRS_ATOMIC_add, .make = make_atomic},
    {"red" VECTOR, "[a], {a}", .run = jrs_op_atomic, .make = make_atomic_vector},
    {"fence" FENCE, "", .run = jrs_op_fence, .make = make_fence},
    {"fence.proxy" PROXY, "", .run = jrs_op_fence, .make = make_fence},
    {"membar{.cta,.gl,.gpu,.sys}", "", .run = jrs_op_fence, .operation = JRS_FENCE_PLAIN},
    {"membar.proxy" PROXY, "", .run = jrs_op_fence, .make = make_fence},
    {"prefetch" WORDS, "[a]", .run = jrs_op_nothing},
    {"prefetchu.L1", "[a]", .run = jrs_op_nothing},
    {"discard" WORDS, "[a], #", .run = jrs_op_nothing},
    {"applypriority" WORDS, "[a], #", .run = jrs_op_nothing},
    /* launches of a stream run one after the other here: letting the next one begin has no effect */
    {"griddepcontrol.launch_dependents", "", .run = jrs_op_nothing},
    {"griddepcontrol.wait", "", .run = jrs_op_grid_wait},
    {.syntax = NULL},
};
