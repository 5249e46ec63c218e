/* Atomics: each thread on a word of its own, where the old value is known, and all threads on one word. */
#include "ptx_forms.h"

#define CAS_SOMETIMES "and.b32 %r0, %t, 1; setp.eq.u32 %k0, %r0, 0; @%k0 mov.b# %a0, %a1; "
#define IN_GLOBAL     "st.global.b# [%memory], %a0; "
#define IN_SHARED     "st.shared.b# [%room], %a0; "
#define FROM_SHARED   " ld.shared.b# %a0, [%room]; st.global.b# [%memory], %a0;"

/* form: what stands between the family and the type, as ".relaxed.gpu" ".global" ".add" */
#define ON_GLOBAL(qualifiers, op, types)                                                                               \
    FORM_BODY("atom" qualifiers ".global." op, types, "T T T",                                                         \
              IN_GLOBAL "atom" qualifiers ".global." op ".$ %d, [%memory], %a1;"),                                     \
        FORM_BODY("red" qualifiers ".global." op, types, "T T T",                                                      \
                  IN_GLOBAL "red" qualifiers ".global." op ".$ [%memory], %a1;")
#define ON_SHARED(qualifiers, op, types)                                                                               \
    FORM_BODY("atom" qualifiers ".shared." op, types, "T T T",                                                         \
              IN_SHARED "atom" qualifiers ".shared." op ".$ %d, [%room], %a1;" FROM_SHARED),                           \
        FORM_BODY("red" qualifiers ".shared." op, types, "T T T",                                                      \
                  IN_SHARED "red" qualifiers ".shared." op ".$ [%room], %a1;" FROM_SHARED)
#define EVERYWHERE(op, types)                                                                                          \
    ON_GLOBAL("", op, types), ON_SHARED("", op, types),                                                                \
        FORM_BODY("atom." op, types, "T T T", IN_GLOBAL "atom." op ".$ %d, [%memory], %a1;"),                          \
        FORM_BODY("red." op, types, "T T T", IN_GLOBAL "red." op ".$ [%memory], %a1;"),                                \
        FORM_BODY("atom." op " to shared", types, "T T T",                                                             \
                  IN_SHARED "cvt.u64.u32 %e0, %room; cvta.shared.u64 %e0, %e0; atom." op                               \
                            ".$ %d, [%e0], %a1;" FROM_SHARED)

/* exch and cas have no red. */
#define EXCHANGE(qualifiers, types)                                                                                    \
    FORM_BODY("atom" qualifiers ".global.exch", types, "T T T",                                                        \
              IN_GLOBAL "atom" qualifiers ".global.exch.$ %d, [%memory], %a1;"),                                       \
        FORM_BODY("atom" qualifiers ".shared.exch", types, "T T T",                                                    \
                  IN_SHARED "atom" qualifiers ".shared.exch.$ %d, [%room], %a1;" FROM_SHARED)
#define COMPARE(qualifiers, types)                                                                                     \
    FORM_BODY("atom" qualifiers ".global.cas", types, "T T T T",                                                       \
              CAS_SOMETIMES IN_GLOBAL "atom" qualifiers ".global.cas.$ %d, [%memory], %a1, %a2;"),                     \
        FORM_BODY("atom" qualifiers ".shared.cas", types, "T T T T",                                                   \
                  CAS_SOMETIMES IN_SHARED "atom" qualifiers ".shared.cas.$ %d, [%room], %a1, %a2;" FROM_SHARED)

#define ATOM_ORDERED(order)                                                                                            \
    ON_GLOBAL(order, "add", "u32 u64"), ON_SHARED(order, "max", "s32"), EXCHANGE(order, "b32"), COMPARE(order, "b64")
#define RED_ONLY_ORDERED(order)                                                                                        \
    FORM_BODY("atom" order ".global.add", "u32 u64", "T T T",                                                          \
              IN_GLOBAL "atom" order ".global.add.$ %d, [%memory], %a1;"),                                             \
        FORM_BODY("atom" order ".shared.max", "s32", "T T T",                                                          \
                  IN_SHARED "atom" order ".shared.max.$ %d, [%room], %a1;" FROM_SHARED),                               \
        EXCHANGE(order, "b32"), COMPARE(order, "b64")

/* All threads on the first thread's words: operations whose order does not matter. */
#define TOGETHER_GLOBAL(op, types, prepare)                                                                            \
    FORM_BODY("red.global." op " together", types, "T T", prepare "red.global." op ".$ [%first], %a0;"),               \
        FORM_BODY("atom.global." op " together", types, "T T", prepare "atom.global." op ".$ %z0, [%first], %a0;")
#define TOGETHER_SHARED(op, types, prepare)                                                                            \
    FORM_BODY("red.shared." op " together", types, "T T",                                                              \
              prepare "mov.b# %z0, 0; st.shared.b# [%room], %z0; bar.sync 0; mov.u32 %r1, rooms; red.shared." op       \
                      ".$ [%r1], %a0; bar.sync 0; ld.shared.b# %d, [%r1];")
#define TOGETHER(op, types, prepare) TOGETHER_GLOBAL(op, types, prepare), TOGETHER_SHARED(op, types, prepare)

const form_row form_atomic[] = {
    FORM_BODY("atom.global.add.v2", "f32", "T T T",
              "st.global.b32 [%memory], %a0; st.global.b32 [%memory+4], %a1; atom.global.add.v2.f32 {%d, %x}, "
              "[%memory], {%a1, %a0};"),
    FORM_BODY("red.global.add.v4", "f32", "T T T",
              "st.global.b32 [%memory], %a0; st.global.b32 [%memory+4], %a1; red.global.add.v4.f32 [%memory], {%a1, "
              "%a0, %a0, %a1};"),
    FORM_BODY("atom.global.add.noftz.v2", "f16 bf16", "T T T",
              "st.global.b16 [%memory], %a0; st.global.b16 [%memory+2], %a1; atom.global.add.noftz.v2.$ {%d, %z0}, "
              "[%memory], {%a1, %a0}; cvt.u32.u16 %x, %z0;"),
    EVERYWHERE("add", "u32 s32 u64 f32 f64"),
    EVERYWHERE("min", "u32 s32 u64 s64"),
    EVERYWHERE("max", "u32 s32 u64 s64"),
    EVERYWHERE("and", "b32 b64"),
    EVERYWHERE("or", "b32 b64"),
    EVERYWHERE("xor", "b32 b64"),
    EVERYWHERE("inc", "u32"),
    EVERYWHERE("dec", "u32"),
    EVERYWHERE("add.noftz", "f16 f16x2 bf16 bf16x2"),
    EXCHANGE("", "b32 b64"),
    COMPARE("", "b16 b32 b64"),
    ATOM_ORDERED(".relaxed.cta"),
    ATOM_ORDERED(".relaxed.gpu"),
    ATOM_ORDERED(".relaxed.sys"),
    ATOM_ORDERED(".release.cta"),
    ATOM_ORDERED(".release.gpu"),
    ATOM_ORDERED(".release.sys"),
    RED_ONLY_ORDERED(".acquire.cta"),
    RED_ONLY_ORDERED(".acquire.gpu"),
    RED_ONLY_ORDERED(".acquire.sys"),
    RED_ONLY_ORDERED(".acq_rel.cta"),
    RED_ONLY_ORDERED(".acq_rel.gpu"),
    RED_ONLY_ORDERED(".acq_rel.sys"),
    FORM_BODY("atom.global.exch.b128", "b64", "T T T T T",
              ".reg .b128 %u<2>; st.global.v2.b64 [%memory], {%a0, %a1}; mov.b128 %u0, {%a2, %a3}; "
              "atom.global.exch.b128 %u1, [%memory], %u0; mov.b128 {%d, %e0}, %u1; cvt.u32.u64 %x, %e0;"),
    FORM_BODY("atom.global.cas.b128", "b64", "T T T T T",
              CAS_SOMETIMES ".reg .b128 %u<3>; st.global.v2.b64 [%memory], {%a0, %a1}; mov.b128 %u0, {%a1, %a1}; "
                            "mov.b128 %u1, {%a2, %a3}; atom.global.cas.b128 %u2, [%memory], %u0, %u1; mov.b128 {%d, "
                            "%e0}, %u2; cvt.u32.u64 %x, %e0;"),
    TOGETHER("add", "u32 s32 u64", ""),
    TOGETHER("add", "f32 f64", "and.b32 %r0, %t, 63; cvt.rn.$.u32 %a0, %r0; "),
    TOGETHER("max", "u32 s32 u64 s64", ""),
    TOGETHER("min", "s32 s64", ""),
    TOGETHER("or", "b32 b64", "mov.b# %z1, 0x4924; and.b# %a0, %a0, %z1; "),
    TOGETHER("xor", "b32 b64", ""),
    TOGETHER("inc", "u32", "mov.u32 %a0, 776; "),
    TOGETHER("dec", "u32", "mov.u32 %a0, 345; "),
};
const size_t form_atomic_count = sizeof form_atomic / sizeof *form_atomic;
