/* What executes instructions: handlers by name, and the tables of simple forms that the execution files offer. */
#ifndef JRS_PTX_HANDLERS_H
#define JRS_PTX_HANDLERS_H

#include "code.h"

/* ---- everything that is no simple form ---- */

/* name, and what becomes of a source that is undefined: the result is (HANDS_ON), or it has been used (TAKES). */
#define JRS_HANDLERS(XX)                                                                                               \
    XX(nothing, HANDS_ON) /* prefetch, ... */                                                                          \
    XX(grid_wait, HANDS_ON)                                                                                            \
    XX(special, HANDS_ON)                                                                                              \
    XX(dynamic_shared, HANDS_ON) /* address of extern .shared */                                                       \
    XX(frame_address, HANDS_ON)  /* address of a .local or .param variable */                                          \
    XX(move, HANDS_ON)                                                                                                 \
    XX(pack, HANDS_ON)                                                                                                 \
    XX(unpack, HANDS_ON)                                                                                               \
    XX(select, HANDS_ON)                                                                                               \
    XX(negate, HANDS_ON)                                                                                               \
    XX(move_predicate, HANDS_ON)                                                                                       \
    XX(adjust, HANDS_ON) /* inner with .ftz, .sat, rounding */                                                         \
    XX(set, HANDS_ON)    /* inner is a comparison */                                                                   \
    XX(setp_pair, HANDS_ON)                                                                                            \
    XX(set_pair, HANDS_ON)                                                                                             \
    XX(slct, HANDS_ON)                                                                                                 \
    XX(lop3, HANDS_ON)                                                                                                 \
    XX(prmt, HANDS_ON)                                                                                                 \
    XX(testp, HANDS_ON)                                                                                                \
    XX(convert, HANDS_ON)                                                                                              \
    XX(convert_to_tiny, HANDS_ON)                                                                                      \
    XX(convert_from_tiny, HANDS_ON)                                                                                    \
    XX(convert_pair, HANDS_ON)                                                                                         \
    XX(window_add, HANDS_ON)                                                                                           \
    XX(window_remove, HANDS_ON)                                                                                        \
    XX(isspacep, HANDS_ON)                                                                                             \
    XX(map_rank, HANDS_ON)                                                                                             \
    XX(get_rank, HANDS_ON)                                                                                             \
    XX(load_parameter, HANDS_ON)                                                                                       \
    XX(load, TAKES)                                                                                                    \
    XX(store, TAKES)                                                                                                   \
    XX(atomic, TAKES)                                                                                                  \
    XX(fence, HANDS_ON)                                                                                                \
    XX(copy_async, TAKES)                                                                                              \
    XX(copy_arrive, TAKES)                                                                                             \
    XX(copy_commit, HANDS_ON)                                                                                          \
    XX(copy_wait, HANDS_ON)                                                                                            \
    XX(bulk_load, TAKES)                                                                                               \
    XX(bulk_store, TAKES)                                                                                              \
    XX(store_async, TAKES)                                                                                             \
    XX(mbarrier, TAKES)                                                                                                \
    XX(mbarrier_wait, TAKES)                                                                                           \
    XX(mbarrier_pending, TAKES)                                                                                        \
    XX(bra, TAKES)                                                                                                     \
    XX(brx, TAKES)                                                                                                     \
    XX(call, TAKES)                                                                                                    \
    XX(ret, TAKES)                                                                                                     \
    XX(exit, TAKES)                                                                                                    \
    XX(trap, TAKES)                                                                                                    \
    XX(print, TAKES)                                                                                                   \
    XX(malloc, TAKES)                                                                                                  \
    XX(malloc_aligned, TAKES)                                                                                          \
    XX(free, TAKES)                                                                                                    \
    XX(assert_fail, TAKES)                                                                                             \
    XX(shfl, TAKES)                                                                                                    \
    XX(vote, TAKES)                                                                                                    \
    XX(match, TAKES)                                                                                                   \
    XX(redux, TAKES)                                                                                                   \
    XX(warp_sync, TAKES)                                                                                               \
    XX(activemask, HANDS_ON)                                                                                           \
    XX(elect, TAKES)                                                                                                   \
    XX(barrier, TAKES)                                                                                                 \
    XX(cluster_arrive, TAKES)                                                                                          \
    XX(cluster_wait, TAKES)                                                                                            \
    XX(nanosleep, TAKES)

#define JRS_HANDLER_DECLARATION(name, of_undefined) jrs_handler jrs_op_##name;
JRS_HANDLERS(JRS_HANDLER_DECLARATION)
#undef JRS_HANDLER_DECLARATION

/* Conversions between integers, and from integers, need no mode: a table by type. NULL when jrs_op_convert does it. */
jrs_handler *jrs_convert_fast(jrs_type to, jrs_type from);

/* What instruction->operation holds, family by family: in the order of the alternatives in the rows. */
enum {
    JRS_ATOMIC_add,
    JRS_ATOMIC_and,
    JRS_ATOMIC_or,
    JRS_ATOMIC_xor,
    JRS_ATOMIC_min,
    JRS_ATOMIC_max,
    JRS_ATOMIC_exch,
    JRS_ATOMIC_inc,
    JRS_ATOMIC_dec,
    JRS_ATOMIC_cas
};
enum { JRS_SHUFFLE_up, JRS_SHUFFLE_down, JRS_SHUFFLE_bfly, JRS_SHUFFLE_idx };
enum { JRS_VOTE_all, JRS_VOTE_any, JRS_VOTE_uni, JRS_VOTE_ballot };
enum { JRS_MATCH_any, JRS_MATCH_all };
enum { JRS_REDUCE_add, JRS_REDUCE_min, JRS_REDUCE_max, JRS_REDUCE_and, JRS_REDUCE_or, JRS_REDUCE_xor };
enum { JRS_BARRIER_sync, JRS_BARRIER_arrive, JRS_BARRIER_popc, JRS_BARRIER_and, JRS_BARRIER_or };
enum { JRS_CLUSTER_RELEASE, JRS_CLUSTER_RELAXED };
enum { JRS_WITHIN_BLOCK, JRS_WITHIN_CLUSTER }; /* isspacep.shared */
enum { JRS_TEST_finite, JRS_TEST_infinite, JRS_TEST_number, JRS_TEST_notanumber, JRS_TEST_normal, JRS_TEST_subnormal };
enum {
    JRS_MBARRIER_init,
    JRS_MBARRIER_inval,
    JRS_MBARRIER_expect_tx,
    JRS_MBARRIER_complete_tx,
    JRS_MBARRIER_arrive,
    JRS_MBARRIER_arrive_drop
};
enum { JRS_PRMT_plain, JRS_PRMT_f4e, JRS_PRMT_b4e, JRS_PRMT_rc8, JRS_PRMT_ecl, JRS_PRMT_ecr, JRS_PRMT_rc16 };
enum { JRS_TINY_e4m3, JRS_TINY_e5m2 };
/* Between ordinary accesses, between those and bulk copies, or for mbarriers that were initialised. */
enum { JRS_FENCE_PLAIN, JRS_FENCE_PROXY, JRS_FENCE_MBARRIER };
/* Which groups a commit or wait of cp.async means. */
enum { JRS_COPY_LANES, JRS_COPY_BULK };

/* How a comparison is joined to a predicate. */
typedef enum jrs_boolean { JRS_BOOLEAN_NONE, JRS_BOOLEAN_AND, JRS_BOOLEAN_OR, JRS_BOOLEAN_XOR } jrs_boolean;

/* What an mbarrier instruction's flags hold. */
enum {
    JRS_MBARRIER_EXPECTS = 1,    /* .expect_tx */
    JRS_MBARRIER_INCOMPLETE = 2, /* .noComplete */
    JRS_MBARRIER_PARITY = 4,
    JRS_MBARRIER_RELAXED = 8,
    JRS_MBARRIER_COUNTED = 16 /* .noinc: it is among the expected arrivals already */
};

/* ---- simple forms: one result from sources of fixed widths ---- */

typedef struct jrs_form {
    const char *name; /* opcode with underscores for dots, without .rn/.rz/.rm/.rp, .ftz and .sat of floats */
    jrs_handler *run;
    uint8_t source_count;
    uint8_t bytes[1 + JRS_SOURCES]; /* of the destination and the sources; 0: predicate */
    jrs_handler *wide;              /* gives the same on CPUs that jrs_form_run finds wide; NULL: run does there, too */
    /* What a lane computes, as text of C; NULL: only the handlers know. The types of destination and sources, without
     * "lane_". A comparison has the type that is compared, that of the registers, and what makes the one of
     * the other. */
    const char *types[1 + JRS_SOURCES];
    const char *expression;
} jrs_form;

/* The handler that this CPU executes fastest. */
static inline jrs_handler *jrs_form_run(const jrs_form *form) {
#ifdef __x86_64__
    if (form->wide && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return form->wide;
#endif
    return form->run;
}

/* Each ends with a row without a name. */
#define JRS_FORM_TABLES(XX)                                                                                            \
    XX(integer)                                                                                                        \
    XX(bits)                                                                                                           \
    XX(multiply)                                                                                                       \
    XX(carry)                                                                                                          \
    XX(logic)                                                                                                          \
    XX(float)                                                                                                          \
    XX(math)                                                                                                           \
    XX(half)                                                                                                           \
    XX(compare)

#define JRS_FORM_TABLE(name) extern const jrs_form jrs_##name##_forms[];
JRS_FORM_TABLES(JRS_FORM_TABLE)
#undef JRS_FORM_TABLE

#endif
