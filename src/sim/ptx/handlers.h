/* Handlers that decoders name: everything that is no simple form. */
#ifndef JRS_PTX_HANDLERS_H
#define JRS_PTX_HANDLERS_H

#include "code.h"

#define JRS_HANDLERS(XX)                                                                                               \
    XX(nothing) /* prefetch, ... */                                                                                    \
    XX(grid_wait)                                                                                                      \
    XX(special)                                                                                                        \
    XX(dynamic_shared) /* address of extern .shared */                                                                 \
    XX(frame_address)  /* address of a .local or .param variable */                                                    \
    XX(move)                                                                                                           \
    XX(pack)                                                                                                           \
    XX(unpack)                                                                                                         \
    XX(select)                                                                                                         \
    XX(move_predicate)                                                                                                 \
    XX(adjust) /* inner with .ftz, .sat, rounding */                                                                   \
    XX(set)    /* inner is a comparison */                                                                             \
    XX(setp_pair)                                                                                                      \
    XX(set_pair)                                                                                                       \
    XX(slct)                                                                                                           \
    XX(lop3)                                                                                                           \
    XX(prmt)                                                                                                           \
    XX(testp)                                                                                                          \
    XX(convert)                                                                                                        \
    XX(convert_pair)                                                                                                   \
    XX(window_add)                                                                                                     \
    XX(window_remove)                                                                                                  \
    XX(isspacep)                                                                                                       \
    XX(load_parameter)                                                                                                 \
    XX(load)                                                                                                           \
    XX(store)                                                                                                          \
    XX(atomic)                                                                                                         \
    XX(fence)                                                                                                          \
    XX(copy_async)                                                                                                     \
    XX(copy_arrive)                                                                                                    \
    XX(copy_commit)                                                                                                    \
    XX(copy_wait)                                                                                                      \
    XX(bulk_load)                                                                                                      \
    XX(bulk_store)                                                                                                     \
    XX(mbarrier)                                                                                                       \
    XX(mbarrier_wait)                                                                                                  \
    XX(mbarrier_pending)                                                                                               \
    XX(bra)                                                                                                            \
    XX(brx)                                                                                                            \
    XX(call)                                                                                                           \
    XX(ret)                                                                                                            \
    XX(exit)                                                                                                           \
    XX(trap)                                                                                                           \
    XX(print)                                                                                                          \
    XX(assert_fail)                                                                                                    \
    XX(shfl)                                                                                                           \
    XX(vote)                                                                                                           \
    XX(match)                                                                                                          \
    XX(redux)                                                                                                          \
    XX(warp_sync)                                                                                                      \
    XX(activemask)                                                                                                     \
    XX(elect)                                                                                                          \
    XX(barrier)                                                                                                        \
    XX(nanosleep)

#define JRS_HANDLER_DECLARATION(name) jrs_handler jrs_op_##name;
JRS_HANDLERS(JRS_HANDLER_DECLARATION)
#undef JRS_HANDLER_DECLARATION

/* Conversions between integers, and from integers, need no mode: a table by type. NULL when jrs_op_convert does it. */
jrs_handler *jrs_convert_fast(jrs_type to, jrs_type from);

/* Comparison and boolean operators, atomics, votes, ...: the numbers that instruction->operation holds. */
typedef enum jrs_boolean { JRS_BOOLEAN_NONE, JRS_BOOLEAN_AND, JRS_BOOLEAN_OR, JRS_BOOLEAN_XOR } jrs_boolean;

#define JRS_ATOMICS(XX)                                                                                                \
    XX(add)                                                                                                            \
    XX(and)                                                                                                            \
    XX(or)                                                                                                             \
    XX(xor)                                                                                                            \
    XX(min)                                                                                                            \
    XX(max)                                                                                                            \
    XX(exch)                                                                                                           \
    XX(cas)                                                                                                            \
    XX(inc)                                                                                                            \
    XX(dec)
#define JRS_SHUFFLES(XX)                                                                                               \
    XX(up)                                                                                                             \
    XX(down)                                                                                                           \
    XX(bfly)                                                                                                           \
    XX(idx)
#define JRS_VOTES(XX)                                                                                                  \
    XX(all)                                                                                                            \
    XX(any)                                                                                                            \
    XX(uni)                                                                                                            \
    XX(ballot)
#define JRS_REDUCES(XX)                                                                                                \
    XX(add)                                                                                                            \
    XX(min)                                                                                                            \
    XX(max)                                                                                                            \
    XX(and)                                                                                                            \
    XX(or)                                                                                                             \
    XX(xor)
#define JRS_BARRIER_KINDS(XX)                                                                                          \
    XX(sync)                                                                                                           \
    XX(arrive)                                                                                                         \
    XX(popc)                                                                                                           \
    XX(and)                                                                                                            \
    XX(or)
#define JRS_TESTS(XX)                                                                                                  \
    XX(finite)                                                                                                         \
    XX(infinite)                                                                                                       \
    XX(number)                                                                                                         \
    XX(notanumber)                                                                                                     \
    XX(normal)                                                                                                         \
    XX(subnormal)

#define JRS_MBARRIERS(XX)                                                                                              \
    XX(init)                                                                                                           \
    XX(inval)                                                                                                          \
    XX(expect_tx)                                                                                                      \
    XX(complete_tx)                                                                                                    \
    XX(arrive)                                                                                                         \
    XX(arrive_drop)                                                                                                    \
    XX(test_wait)                                                                                                      \
    XX(try_wait)                                                                                                       \
    XX(pending_count)

#define JRS_ATOMIC_ENUM(name)   JRS_ATOMIC_##name,
#define JRS_SHUFFLE_ENUM(name)  JRS_SHUFFLE_##name,
#define JRS_VOTE_ENUM(name)     JRS_VOTE_##name,
#define JRS_REDUCE_ENUM(name)   JRS_REDUCE_##name,
#define JRS_BARRIER_ENUM(name)  JRS_BARRIER_##name,
#define JRS_TEST_ENUM(name)     JRS_TEST_##name,
#define JRS_MBARRIER_ENUM(name) JRS_MBARRIER_##name,
enum { JRS_ATOMICS(JRS_ATOMIC_ENUM) JRS_ATOMIC_COUNT };
enum { JRS_SHUFFLES(JRS_SHUFFLE_ENUM) JRS_SHUFFLE_COUNT };
enum { JRS_VOTES(JRS_VOTE_ENUM) JRS_VOTE_COUNT };
enum { JRS_REDUCES(JRS_REDUCE_ENUM) JRS_REDUCE_COUNT };
enum { JRS_BARRIER_KINDS(JRS_BARRIER_ENUM) JRS_BARRIER_KIND_COUNT };
enum { JRS_TESTS(JRS_TEST_ENUM) JRS_TEST_COUNT };
enum { JRS_MBARRIERS(JRS_MBARRIER_ENUM) JRS_MBARRIER_COUNT };

/* What an mbarrier instruction's flags hold: .expect_tx, .noComplete, .parity, .relaxed. */
enum { JRS_MBARRIER_EXPECTS = 1, JRS_MBARRIER_INCOMPLETE = 2, JRS_MBARRIER_PARITY = 4, JRS_MBARRIER_RELAXED = 8 };

/* Fences between ordinary accesses, or between those and bulk copies. */
enum { JRS_FENCE_PLAIN, JRS_FENCE_PROXY };

/* Which groups a commit or wait of cp.async means. */
enum { JRS_COPY_LANES, JRS_COPY_BULK };

/* Modes of prmt. */
#define JRS_PRMTS(XX)                                                                                                  \
    XX(b4e)                                                                                                            \
    XX(f4e)                                                                                                            \
    XX(rc8)                                                                                                            \
    XX(ecl)                                                                                                            \
    XX(ecr)                                                                                                            \
    XX(rc16)
#define JRS_PRMT_ENUM(name) JRS_PRMT_##name,
enum { JRS_PRMT_plain, JRS_PRMTS(JRS_PRMT_ENUM) JRS_PRMT_COUNT };

#endif
