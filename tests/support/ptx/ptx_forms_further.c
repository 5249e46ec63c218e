/* Further exact forms: carry chains, pairs, minima of magnitudes, relu, szext. */
#include "ptx_forms.h"

#define CHAIN(name, first, middle, last)                                                                               \
    FORM_BODY(name, "u32 s32 u64 s64", "T T T T T",                                                                    \
              first middle last " st.global.b# [%memory], %z0; st.global.b# [%memory+8], %z1;")

#define MAD_CHAIN(half)                                                                                                \
    CHAIN("mad." half ".cc madc." half, "mad." half ".cc.$ %d, %a0, %a1, %a2;",                                        \
          " madc." half ".cc.$ %z0, %a1, %a2, %a3;", " madc." half ".$ %z1, %a0, %a3, %a1;")

#define PAIR_SETP(compare)                                                                                             \
    FORM_BODY("setp." compare " p|q", "f16x2 bf16x2", "u32 T T",                                                       \
              "setp." compare ".$ %k1|%k2, %a0, %a1; selp.u32 %d, 1, 0, %k1; selp.u32 %x, 1, 0, %k2;")

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
    FORM("add.%s", "u16x2 s16x2", "T T T"),
    FORM("min.%s", "u16x2 s16x2", "T T T"),
    FORM("max.%s", "u16x2 s16x2", "T T T"),
    FORM("min.relu.%s", "s16x2 s32", "T T T"),
    FORM("max.relu.%s", "s16x2 s32", "T T T"),
    FORM("szext.clamp.%s", "u32 s32", "T T u32"),
    FORM("szext.wrap.%s", "u32 s32", "T T u32"),
    FORM("fma.rn.ftz.%s", "f16 f16x2", "T T T T"),
    FORM("fma.rn.relu.%s", "f16 f16x2 bf16 bf16x2", "T T T T"),
    FORM("fma.rn.ftz.relu.%s", "f16 f16x2", "T T T T"),
    FORM("min.xorsign.abs.%s", "f32 f16 f16x2 bf16 bf16x2", "T T T"),
    FORM("max.xorsign.abs.%s", "f32 f16 f16x2 bf16 bf16x2", "T T T"),
    FORM("min.NaN.xorsign.abs.%s", "f32 f16 f16x2 bf16 bf16x2", "T T T"),
    FORM("max.NaN.xorsign.abs.%s", "f32 f16 f16x2 bf16 bf16x2", "T T T"),
    FORM("min.ftz.%s", "f16 f16x2", "T T T"),
    FORM("max.ftz.NaN.%s", "f32 f16 f16x2", "T T T"),
    FORM("max.ftz.xorsign.abs.%s", "f32 f16 f16x2", "T T T"),
    FORM("cvt.rn.relu.%s.f32", "f16x2 bf16x2", "T f32 f32"),
    FORM("cvt.rz.relu.%s.f32", "f16x2 bf16x2", "T f32 f32"),
    FORM("cvt.rn.satfinite.%s.f32", "f16 bf16", "T f32"),
    FORM("cvt.rn.satfinite.%s.f32", "f16x2 bf16x2", "T f32 f32"),
    FORM("cvt.rn.satfinite.%s.f32", "e4m3x2 e5m2x2", "u16 f32 f32"),
    FORM("cvt.rn.satfinite.relu.%s.f32", "e4m3x2 e5m2x2", "u16 f32 f32"),
    FORM("cvt.rn.satfinite.%s.f16x2", "e4m3x2 e5m2x2", "u16 f16x2"),
    FORM("cvt.rn.satfinite.relu.%s.f16x2", "e4m3x2 e5m2x2", "u16 f16x2"),
    FORM("cvt.rn.f16x2.%s", "e4m3x2 e5m2x2", "u32 u16"),
    FORM("cvt.rn.relu.f16x2.%s", "e4m3x2 e5m2x2", "u32 u16"),
    FORM("vabsdiff4.u32.u32.%s", "u32", "T T T T"),
    FORM("vabsdiff4.u32.u32.%s.add", "u32", "T T T T"),
    FORM("vabsdiff4.u32.s32.%s", "s32", "u32 T T u32"),
    FORM("vabsdiff4.u32.s32.%s.add", "s32", "u32 T T u32"),
    FORM("set.eq.%s.f16x2", "u32 s32", "T f16x2 f16x2"),
    FORM("set.ltu.%s.bf16x2", "u32 s32", "T bf16x2 bf16x2"),
    FORM_BODY("selp of !p", "u32", "u32 u32", "setp.gt.u32 %k0, %a0, 7; selp.u32 %d, 1, 0, !%k0;"),
    FORM_BODY("mov of !p", "u32", "u32 u32", "setp.gt.u32 %k0, %a0, 7; mov.pred %k1, !%k0; selp.u32 %d, 1, 0, %k1;"),
    FORM_BODY("and of !p", "u32", "u32 u32 u32",
              "setp.gt.u32 %k0, %a0, 7; setp.gt.u32 %k1, %a1, 7; and.pred %k2, %k1, !%k0; selp.u32 %d, 1, 0, %k2;"),
    FORM("set.lt.%s.f16", "f16 u32 s32 u16", "T f16 f16"),
    FORM("set.geu.%s.bf16", "bf16 u32", "T bf16 bf16"),
    FORM("set.eq.%s.f16x2", "f16x2", "T f16x2 f16x2"),
    FORM("set.ltu.%s.bf16x2", "bf16x2", "T bf16x2 bf16x2"),
    FORM("set.gt.and.%s.f16x2", "f16x2", "T f16x2 f16x2 pred"),
    FORM("set.neu.or.ftz.%s.f16x2", "f16x2", "T f16x2 f16x2 pred"),
    PAIR_SETP("eq"),
    PAIR_SETP("ne"),
    PAIR_SETP("lt"),
    PAIR_SETP("ge"),
    PAIR_SETP("equ"),
    PAIR_SETP("gtu"),
    PAIR_SETP("nan"),
    PAIR_SETP("num"),
    FORM_BODY(
        "setp.lt.xor.ftz p|q", "f16x2", "u32 T T u32",
        "setp.gt.s32 %k0, %a2, 7; setp.lt.xor.ftz.$ %k0|%k2, %a0, %a1, !%k0; selp.u32 %d, 1, 0, %k0; selp.u32 %x, 1, "
        "0, %k2;"),
};
const size_t form_further_count = sizeof form_further / sizeof *form_further;
