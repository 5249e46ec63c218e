/* Exchanges between the lanes of a warp: every lane has its own source and result. */
#include "ptx_forms.h"

/* ---- shfl: source lane and clamps from registers, segments of 32, 16, 8, 4 and 2 lanes ---- */

#define SHUFFLE(mode, c)                                                                                               \
    FORM_BODY("shfl.sync." mode ".b32 p " c, "b32", "T T T", "shfl.sync." mode ".b32 %d|%qd, %a0, %a1, " c ", -1;")
#define SHUFFLES(mode, clamp, part)                                                                                    \
    SHUFFLE(mode, "0x00" clamp), SHUFFLE(mode, "0x10" clamp), SHUFFLE(mode, "0x18" clamp),                             \
        SHUFFLE(mode, "0x1c" clamp), SHUFFLE(mode, "0x1e" clamp), SHUFFLE(mode, part), SHUFFLE_REGISTER(mode),         \
        SHUFFLE_HALF(mode, "0x10" clamp), SHUFFLE_HALVES(mode, "0x10" clamp)
#define SHUFFLE_REGISTER(mode)                                                                                         \
    FORM_BODY("shfl.sync." mode ".b32 c", "b32", "T T T T",                                                            \
              "and.b32 %r0, %a2, 0x1f1f; shfl.sync." mode ".b32 %d|%qd, %a0, %a1, %r0, -1;")
/* The lower half of the warp alone; then both halves, each for itself. */
#define SHUFFLE_HALF(mode, c)                                                                                          \
    FORM_BODY("shfl.sync." mode ".b32 half", "b32", "T T T",                                                           \
              "and.b32 %a1, %a1, 15; setp.lt.u32 %k0, %lane, 16; @%k0 shfl.sync." mode ".b32 %d|%qd, %a0, %a1, " c     \
              ", 0xffff;")
#define SHUFFLE_HALVES(mode, c)                                                                                        \
    FORM_BODY("shfl.sync." mode ".b32 halves", "b32", "T T T",                                                         \
              HALVES "and.b32 %a1, %a1, 15; shfl.sync." mode ".b32 %d|%qd, %a0, %a1, " c ", %r0;")
#define HALVES "setp.lt.u32 %k0, %lane, 16; selp.b32 %r0, 0xffff, 0xffff0000, %k0; "

/* ---- vote: %k0 is a lane's lowest bit, but true in the 2nd and false in the 3rd of 4 warps ---- */

#define BALLOTS                                                                                                        \
    "and.b32 %r1, %a0, 1; setp.ne.u32 %k0, %r1, 0; shr.u32 %r1, %t, 5; and.b32 %r1, %r1, 3; setp.eq.u32 %k1, %r1, 1; " \
    "setp.ne.u32 %k2, %r1, 2; or.pred %k0, %k0, %k1; and.pred %k0, %k0, %k2; "
#define VOTE(mode, not )                                                                                               \
    FORM_BODY("vote.sync." mode ".pred " not, "b32", "T T", BALLOTS "vote.sync." mode ".pred %qd, " not "%k0, -1;")
#define VOTE_HALF(mode)                                                                                                \
    FORM_BODY("vote.sync." mode ".pred half", "b32", "T T",                                                            \
              BALLOTS "setp.ge.u32 %k3, %lane, 16; @%k3 vote.sync." mode ".pred %qd, %k0, 0xffff0000;")

/* ---- match, redux ---- */

#define SAME_IN_SOME "and.b32 %r1, %t, 96; setp.eq.u32 %k1, %r1, 32; @%k1 mov.b# %a0, 42; "
#define REDUX(form, types)                                                                                             \
    FORM_BODY("redux.sync." form, types, "T T", "redux.sync." form ".$ %d, %a0, -1;"),                                 \
        FORM_BODY("redux.sync." form " some", types, "T T",                                                            \
                  "and.b32 %r1, %lane, 5; setp.eq.u32 %k1, %r1, 5; @%k1 redux.sync." form ".$ %d, %a0, 0xa0a0a0a0;")

/* ---- barriers that reduce over the block ---- */

#define BARRIER(form, type, d)                                                                                         \
    FORM_BODY(form " " type, "b32", "T T", BALLOTS form "." type " " d ", 0, %k0;"),                                   \
        FORM_BODY(form " " type " few", "b32", "T T", "setp.lt.u32 %k0, %t, 777; " form "." type " " d ", 3, !%k0;")

const form_row form_warp[] = {
    SHUFFLES("up", "00", "0x0004"),
    SHUFFLES("down", "1f", "0x1807"),
    SHUFFLES("bfly", "1f", "0x000f"),
    SHUFFLES("idx", "1f", "0x1c15"),
    FORM_BODY("shfl.sync.idx.b32 odd even", "b32", "T T T",
              "and.b32 %r1, %lane, 1; setp.eq.u32 %k0, %r1, 1; selp.b32 %r0, 0xaaaaaaaa, 0x55555555, %k0; and.b32 %r2, "
              "%a1, 30; or.b32 %r2, %r2, %r1; shfl.sync.idx.b32 %d|%qd, %a0, %r2, 31, %r0;"),
    VOTE("all", ""),
    VOTE("any", ""),
    VOTE("uni", ""),
    VOTE("all", "!"),
    VOTE("any", "!"),
    VOTE("uni", "!"),
    VOTE_HALF("all"),
    VOTE_HALF("any"),
    VOTE_HALF("uni"),
    FORM_BODY("vote.sync.ballot.b32", "b32", "T T", BALLOTS "vote.sync.ballot.b32 %d, %k0, -1;"),
    FORM_BODY("vote.sync.ballot.b32 !", "b32", "T T", BALLOTS "vote.sync.ballot.b32 %d, !%k0, -1;"),
    FORM_BODY("vote.sync.ballot.b32 halves", "b32", "T T",
              "and.b32 %r1, %a0, 2; setp.ne.u32 %k3, %r1, 0; " HALVES "vote.sync.ballot.b32 %d, %k3, %r0;"),
    FORM_BODY("match.any.sync", "b32 b64", "b32 T", "match.any.sync.$ %d, %a0, -1;"),
    FORM_BODY("match.any.sync few", "b32 b64", "b32 T",
              "and.b# %a0, %a0, 3; " HALVES "@%k0 match.any.sync.$ %d, %a0, 0xffff;"),
    FORM_BODY("match.all.sync p", "b32 b64", "b32 T", SAME_IN_SOME "match.all.sync.$ %d|%qd, %a0, -1;"),
    FORM_BODY("match.all.sync", "b32 b64", "b32 T", SAME_IN_SOME "match.all.sync.$ %d, %a0, -1;"),
    FORM_BODY("match.all.sync p half", "b32 b64", "b32 T",
              SAME_IN_SOME HALVES "@!%k0 match.all.sync.$ %d|%qd, %a0, 0xffff0000;"),
    REDUX("add", "u32 s32"),
    REDUX("min", "u32 s32"),
    REDUX("max", "u32 s32"),
    REDUX("and", "b32"),
    REDUX("or", "b32"),
    REDUX("xor", "b32"),
    FORM_BODY("activemask.b32", "b32", "T T", "activemask.b32 %d;"),
    FORM_BODY("activemask.b32 guarded", "b32", "T T", BALLOTS "@%k0 activemask.b32 %d;"),
    FORM_BODY("elect.sync p", "b32", "T T", "elect.sync %d|%qd, -1;"),
    FORM_BODY("elect.sync p half", "b32", "T T", HALVES "@!%k0 elect.sync %d|%qd, 0xffff0000;"),
    BARRIER("barrier.cta.red.popc", "u32", "%d"),
    BARRIER("barrier.cta.red.and", "pred", "%qd"),
    BARRIER("barrier.cta.red.or", "pred", "%qd"),
    BARRIER("bar.red.popc", "u32", "%d"),
    BARRIER("bar.red.and", "pred", "%qd"),
    BARRIER("bar.red.or", "pred", "%qd"),
};
const size_t form_warp_count = sizeof form_warp / sizeof *form_warp;
