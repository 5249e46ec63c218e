/* Handlers made from one expression: rows of arithmetic forms expand to a function and to a table entry.
 *
 * A file lists its forms once as XX(shape, name, types..., expression); the name is the opcode with its dots written
 * as underscores. When all lanes run, the loop has a constant count and no branch, so that the compiler vectorises it.
 */
#ifndef JRS_EXEC_LANES_H
#define JRS_EXEC_LANES_H

#include "lane_types.h"
#include "sim/ptx/handlers.h"
#include "sim_machine.h"

/* A predicate of all lanes, a bit each; and its bits of the lanes of mask, replaced. */
static inline uint32_t jrs_predicate(const jrs_warp *warp, jrs_slot slot) {
    return *(const lane_u32 *)jrs_at(warp, slot);
}

static inline void jrs_put_predicate(const jrs_warp *warp, jrs_slot slot, uint32_t mask, uint32_t bits) {
    lane_u32 *d = jrs_at(warp, slot);
    *d = (*d & ~mask) | (bits & mask);
}

/* Runs statement for every lane l of mask. A destination is either a source or apart from it. */
#define JRS_FOR_LANES(mask, statement)                                                                                 \
    do {                                                                                                               \
        if ((mask) == JRS_ALL_LANES) {                                                                                 \
            JRS_INDEPENDENT for (unsigned l = 0; l < JRS_LANES; l++) {                                                 \
                statement;                                                                                             \
            }                                                                                                          \
        } else {                                                                                                       \
            for (uint32_t rest_ = (mask); rest_; rest_ &= rest_ - 1) {                                                 \
                unsigned l = jrs_first(rest_);                                                                         \
                statement;                                                                                             \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

#define JRS_HANDLER(name) static jrs_next run_##name(jrs_warp *warp, const jrs_instruction *i, uint32_t mask)

#define JRS_RUN_UNARY(name, D, A, expression)                                                                          \
    JRS_HANDLER(name) {                                                                                                \
        const lane_##A *as = jrs_at(warp, i->s[0]);                                                                    \
        lane_##D *ds = jrs_at(warp, i->d);                                                                             \
        JRS_FOR_LANES(mask, const lane_##A a = as[l]; ds[l] = (lane_##D)(expression));                                 \
        return JRS_STEP;                                                                                               \
    }

#define JRS_RUN_BINARY(name, D, A, B, expression)                                                                      \
    JRS_HANDLER(name) {                                                                                                \
        const lane_##A *as = jrs_at(warp, i->s[0]);                                                                    \
        const lane_##B *bs = jrs_at(warp, i->s[1]);                                                                    \
        lane_##D *ds = jrs_at(warp, i->d);                                                                             \
        JRS_FOR_LANES(mask, const lane_##A a = as[l]; const lane_##B b = bs[l]; ds[l] = (lane_##D)(expression));       \
        return JRS_STEP;                                                                                               \
    }

#define JRS_RUN_TERNARY(name, D, A, B, C, expression)                                                                  \
    JRS_HANDLER(name) {                                                                                                \
        const lane_##A *as = jrs_at(warp, i->s[0]);                                                                    \
        const lane_##B *bs = jrs_at(warp, i->s[1]);                                                                    \
        const lane_##C *cs = jrs_at(warp, i->s[2]);                                                                    \
        lane_##D *ds = jrs_at(warp, i->d);                                                                             \
        JRS_FOR_LANES(mask, const lane_##A a = as[l]; const lane_##B b = bs[l]; const lane_##C c = cs[l];              \
                      ds[l] = (lane_##D)(expression));                                                                 \
        return JRS_STEP;                                                                                               \
    }

#define JRS_RUN_QUATERNARY(name, D, A, B, C, E, expression)                                                            \
    JRS_HANDLER(name) {                                                                                                \
        const lane_##A *as = jrs_at(warp, i->s[0]);                                                                    \
        const lane_##B *bs = jrs_at(warp, i->s[1]);                                                                    \
        const lane_##C *cs = jrs_at(warp, i->s[2]);                                                                    \
        const lane_##E *es = jrs_at(warp, i->s[3]);                                                                    \
        lane_##D *ds = jrs_at(warp, i->d);                                                                             \
        JRS_FOR_LANES(mask, const lane_##A a = as[l]; const lane_##B b = bs[l]; const lane_##C c = cs[l];              \
                      const lane_##E e = es[l]; ds[l] = (lane_##D)(expression));                                       \
        return JRS_STEP;                                                                                               \
    }

/* A predicate form: expression over whole masks a, b. */
#define JRS_RUN_PREDICATE(name, count, expression)                                                                     \
    JRS_HANDLER(name) {                                                                                                \
        const uint32_t a = jrs_predicate(warp, i->s[0]), b = (count) > 1 ? jrs_predicate(warp, i->s[1]) : 0;           \
        (void)b;                                                                                                       \
        jrs_put_predicate(warp, i->d, mask, expression);                                                               \
        return JRS_STEP;                                                                                               \
    }

/* The same handlers once more, for CPUs with AVX2 and FMA, which x86-64-v3 has. */
#ifdef __x86_64__
#define JRS_WIDE_HANDLER(name)   static __attribute__((target("avx2,fma"))) jrs_handler run_wide_##name;
#define JRS_WIDE(name)           run_wide_##name
#define JRS_RUN_WIDE(shape, ...) JRS_WIDE_##shape(__VA_ARGS__)
#else
#define JRS_WIDE(name) NULL
#define JRS_RUN_WIDE(shape, ...)
#endif
#define JRS_WIDE_UNARY(name, ...)      JRS_WIDE_HANDLER(name) JRS_RUN_UNARY(wide_##name, __VA_ARGS__)
#define JRS_WIDE_BINARY(name, ...)     JRS_WIDE_HANDLER(name) JRS_RUN_BINARY(wide_##name, __VA_ARGS__)
#define JRS_WIDE_TERNARY(name, ...)    JRS_WIDE_HANDLER(name) JRS_RUN_TERNARY(wide_##name, __VA_ARGS__)
#define JRS_WIDE_QUATERNARY(name, ...) JRS_WIDE_HANDLER(name) JRS_RUN_QUATERNARY(wide_##name, __VA_ARGS__)
#define JRS_WIDE_PREDICATE(...)        /* it has no loop */

/* The same rows as table entries: name, handler, bytes of destination and sources, wide handler, types, expression. */
#define JRS_ROW_UNARY(name, D, A, expression)                                                                          \
    {#name, run_##name, 1, {sizeof(lane_##D), sizeof(lane_##A), 0, 0, 0}, JRS_WIDE(name), {#D, #A}, #expression},
#define JRS_ROW_BINARY(name, D, A, B, expression)                                                                      \
    {#name,          run_##name,   2,          {sizeof(lane_##D), sizeof(lane_##A), sizeof(lane_##B), 0, 0},           \
     JRS_WIDE(name), {#D, #A, #B}, #expression},
#define JRS_ROW_TERNARY(name, D, A, B, C, expression)                                                                  \
    {#name,                                                                                                            \
     run_##name,                                                                                                       \
     3,                                                                                                                \
     {sizeof(lane_##D), sizeof(lane_##A), sizeof(lane_##B), sizeof(lane_##C), 0},                                      \
     JRS_WIDE(name),                                                                                                   \
     {#D, #A, #B, #C},                                                                                                 \
     #expression},
#define JRS_ROW_QUATERNARY(name, D, A, B, C, E, expression)                                                            \
    {#name,                                                                                                            \
     run_##name,                                                                                                       \
     4,                                                                                                                \
     {sizeof(lane_##D), sizeof(lane_##A), sizeof(lane_##B), sizeof(lane_##C), sizeof(lane_##E)},                       \
     JRS_WIDE(name),                                                                                                   \
     {#D, #A, #B, #C, #E},                                                                                             \
     #expression},
#define JRS_ROW_PREDICATE(name, count, expression)                                                                     \
    {#name, run_##name, count, {0, 0, 0, 0, 0}, NULL, {NULL}, #expression},

#define JRS_RUN(shape, ...) JRS_RUN_##shape(__VA_ARGS__)
#define JRS_ROW(shape, ...) JRS_ROW_##shape(__VA_ARGS__)

/* All of a file: the handlers of its list, and the table jrs_NAME_forms. */
#define JRS_HANDLERS_AND_TABLE(family, list)                                                                           \
    list(JRS_RUN) list(JRS_RUN_WIDE) const jrs_form jrs_##family##_forms[] = {list(JRS_ROW){.name = NULL}};

#endif
