/* Exact forms that came after the first recording: carry chains, mad of floats, comparisons of bits. */
#include "support/ptx_forms.h"

#define CHAIN(name, first, middle, last)                                                                               \
    FORM_BODY(name, "u32 s32 u64 s64", "T T T T T",                                                                    \
              first middle last " st.global.b# [%memory], %z0; st.global.b# [%memory+8], %z1;")

#define MAD_CHAIN(half)                                                                                                \
    CHAIN("mad." half ".cc madc." half, "mad." half ".cc.$ %d, %a0, %a1, %a2;",                                        \
          " madc." half ".cc.$ %z0, %a1, %a2, %a3;", " madc." half ".$ %z1, %a0, %a3, %a1;")

const form_row form_further[] = {
    CHAIN("add.cc addc", "add.cc.$ %d, %a0, %a1;", " addc.cc.$ %z0, %a2, %a3;", " addc.$ %z1, %a0, %a3;"),
    CHAIN("sub.cc subc", "sub.cc.$ %d, %a0, %a1;", " subc.cc.$ %z0, %a2, %a3;", " subc.$ %z1, %a0, %a3;"),
    MAD_CHAIN("lo"),
    MAD_CHAIN("hi"),
    CHAIN("mad.lo.cc madc.hi", "mad.lo.cc.$ %d, %a0, %a1, %a2;", " madc.hi.cc.$ %z0, %a0, %a1, %a3;",
          " addc.$ %z1, %a2, %a3;"),
    FORM("mad.rn.%s", "f32 f64", "T T T T"),
    FORM("mad.rz.%s", "f32 f64", "T T T T"),
    FORM("mad.rn.ftz.sat.%s", "f32", "T T T T"),
    FORM("setp.eq.%s", "b16 b32 b64", "pred T T"),
    FORM("setp.ne.%s", "b16 b32 b64", "pred T T"),
    FORM_BODY("setp.lt.and p|q", "s32 u64 f32 f64", "u32 T T u32",
              "setp.gt.s32 %k0, %a2, 7; setp.lt.and.$ %k1|%k2, %a0, %a1, !%k0; selp.u32 %d, 1, 0, %k1; selp.u32 %x, 1, "
              "0, %k2;"),
};
const size_t form_further_count = sizeof form_further / sizeof *form_further;
