/* The carry flag between instructions of every kind: who sets it, who reads it and sets it again, who reads it. */
#include "ptx_forms.h"

#define TYPES "u32 s32 u64 s64"
#define KEEP  " st.global.b# [%memory], %z0; st.global.b# [%memory+8], %z1;"

/* ---- one that sets the flag, one that reads and sets it, one that reads it: of four kinds each ---- */

#define SETS_add    "add.cc.$ %d, %a0, %a1;"
#define SETS_sub    "sub.cc.$ %d, %a0, %a1;"
#define SETS_mad_lo "mad.lo.cc.$ %d, %a0, %a1, %a2;"
#define SETS_mad_hi "mad.hi.cc.$ %d, %a0, %a1, %a2;"

#define HANDS_add    " addc.cc.$ %z0, %a2, %a3;"
#define HANDS_sub    " subc.cc.$ %z0, %a2, %a3;"
#define HANDS_mad_lo " madc.lo.cc.$ %z0, %a1, %a2, %a3;"
#define HANDS_mad_hi " madc.hi.cc.$ %z0, %a1, %a2, %a3;"

#define READS_add    " addc.$ %z1, %a0, %a3;"
#define READS_sub    " subc.$ %z1, %a0, %a3;"
#define READS_mad_lo " madc.lo.$ %z1, %a0, %a3, %a1;"
#define READS_mad_hi " madc.hi.$ %z1, %a0, %a3, %a1;"

#define CHAIN(sets, hands, reads)                                                                                      \
    FORM_BODY("carry " #sets " " #hands " " #reads, TYPES, "T T T T T", SETS_##sets HANDS_##hands READS_##reads KEEP)
#define CHAINS_TO(sets, hands)                                                                                         \
    CHAIN(sets, hands, add), CHAIN(sets, hands, sub), CHAIN(sets, hands, mad_lo), CHAIN(sets, hands, mad_hi)
#define CHAINS(sets) CHAINS_TO(sets, add), CHAINS_TO(sets, sub), CHAINS_TO(sets, mad_lo), CHAINS_TO(sets, mad_hi)

/* ---- who reads without setting leaves the flag; who does neither, too, though it carries inside ---- */

#define READ_TWICE(sets)                                                                                               \
    FORM_BODY("carry " #sets " read twice", TYPES, "T T T T T",                                                        \
              SETS_##sets " subc.$ %z0, %a2, %a3; add.$ %z2, %a1, %a2; mul.hi.$ %z3, %a3, %a2; add.$ %z2, %z2, %z3;"   \
                          " addc.$ %z1, %z2, %a3;" KEEP)

/* ---- a guard: only some threads set it again ---- */

#define GUARDED(sets)                                                                                                  \
    FORM_BODY("carry " #sets " guarded", TYPES, "T T T T T",                                                           \
              "add.cc.$ %z0, %a1, %a3; setp.lt.$ %k0, %a2, %a3; @%k0 " SETS_##sets " addc.$ %z1, %a2, %a3;" KEEP)

/* ---- 32 bits set it and 64 read it, and the other way ---- */

#define LOW_HALVES                                                                                                     \
    "cvt.u32.u64 %r0, %a0; cvt.u32.u64 %r1, %a1; cvt.u32.u64 %r2, %a2; cvt.u32.u64 %r3, %a3; mov.u32 %x, 0; "
#define WIDTHS(sets, sources, reads, more)                                                                             \
    FORM_BODY("carry " sets " u32 " reads " u64", "u64", "T T T T T",                                                  \
              LOW_HALVES sets ".u32 %x, %r0, %r1" sources("r") "; " reads ".u64 %d, %a2, %a3" more("a") ";"),          \
        FORM_BODY("carry " sets " u64 " reads " u32", "u64", "T T T T T",                                              \
                  LOW_HALVES sets ".u64 %d, %a0, %a1" sources("a") "; " reads ".u32 %x, %r2, %r3" more("r") ";")
#define TWO(letter)   ""
#define THREE(letter) ", %" letter "1"
#define WIDTHS_OF(sets, sources)                                                                                       \
    WIDTHS(sets, sources, "addc", TWO), WIDTHS(sets, sources, "subc", TWO), WIDTHS(sets, sources, "madc.lo", THREE),   \
        WIDTHS(sets, sources, "madc.hi", THREE)

const form_row form_carry[] = {
    CHAINS(add),
    CHAINS(sub),
    CHAINS(mad_lo),
    CHAINS(mad_hi),
    READ_TWICE(add),
    READ_TWICE(sub),
    READ_TWICE(mad_lo),
    READ_TWICE(mad_hi),
    GUARDED(add),
    GUARDED(sub),
    GUARDED(mad_lo),
    GUARDED(mad_hi),
    WIDTHS_OF("add.cc", TWO),
    WIDTHS_OF("sub.cc", TWO),
    WIDTHS_OF("mad.lo.cc", THREE),
    WIDTHS_OF("mad.hi.cc", THREE),
};
const size_t form_carry_count = sizeof form_carry / sizeof *form_carry;
