/* Bitwise operations, shifts, lop3, prmt, and logic on predicates. */
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"

#define BITWISE(XX, T, U)                                                                                              \
    XX(BINARY, and_##T, U, U, U, a &b)                                                                                 \
    XX(BINARY, or_##T, U, U, U, a | b)                                                                                 \
    XX(BINARY, xor_##T, U, U, U, a ^ b)                                                                                \
    XX(UNARY, not_##T, U, U, ~a)                                                                                       \
    XX(UNARY, cnot_##T, U, U, a == 0)

/* Shift counts past the width are clamped. */
#define SHIFTS(XX, bits)                                                                                               \
    XX(BINARY, shl_b##bits, u##bits, u##bits, u32, b >= bits ? 0 : (uint64_t)a << b)                                   \
    XX(BINARY, shr_b##bits, u##bits, u##bits, u32, b >= bits ? 0 : a >> b)                                             \
    XX(BINARY, shr_u##bits, u##bits, u##bits, u32, b >= bits ? 0 : a >> b)                                             \
    XX(BINARY, shr_s##bits, s##bits, s##bits, u32, a >> (b >= bits ? bits - 1 : b))

#define PAIR(high, low) ((uint64_t)(high) << 32 | (low))
#define CLAMP(c)        ((c) > 32 ? 32 : (c))

#define FORMS(XX)                                                                                                      \
    BITWISE(XX, b16, u16)                                                                                              \
    BITWISE(XX, b32, u32)                                                                                              \
    BITWISE(XX, b64, u64)                                                                                              \
    SHIFTS(XX, 16)                                                                                                     \
    SHIFTS(XX, 32)                                                                                                     \
    SHIFTS(XX, 64)                                                                                                     \
    XX(TERNARY, shf_l_clamp_b32, u32, u32, u32, u32, PAIR(b, a) << CLAMP(c) >> 32)                                     \
    XX(TERNARY, shf_l_wrap_b32, u32, u32, u32, u32, PAIR(b, a) << (c & 31) >> 32)                                      \
    XX(TERNARY, shf_r_clamp_b32, u32, u32, u32, u32, PAIR(b, a) >> CLAMP(c))                                           \
    XX(TERNARY, shf_r_wrap_b32, u32, u32, u32, u32, PAIR(b, a) >> (c & 31))                                            \
    XX(PREDICATE, and_pred, 2, a &b)                                                                                   \
    XX(PREDICATE, or_pred, 2, a | b)                                                                                   \
    XX(PREDICATE, xor_pred, 2, a ^ b)                                                                                  \
    XX(PREDICATE, not_pred, 1, ~a)

/* cppcheck-suppress shiftTooManyBitsSigned ; shr_s: gcc and clang define the shift of negative numbers as arithmetic */
JRS_HANDLERS_AND_TABLE(logic, FORMS)

jrs_next jrs_op_lop3(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u32 *as = jrs_at(warp, i->s[0]), *bs = jrs_at(warp, i->s[1]), *cs = jrs_at(warp, i->s[2]);
    lane_u32 *ds = jrs_at(warp, i->d);
    uint32_t keep[8]; /* all ones for the rows of the truth table that are 1 */
    for (unsigned k = 0; k < 8; k++) keep[k] = i->table >> k & 1 ? UINT32_MAX : 0;
    JRS_FOR_LANES(mask, const uint32_t a = as[l]; const uint32_t b = bs[l]; const uint32_t c = cs[l];
                  ds[l] = (~a & ~b & ~c & keep[0]) | (~a & ~b & c & keep[1]) | (~a & b & ~c & keep[2]) |
                          (~a & b & c & keep[3]) | (a & ~b & ~c & keep[4]) | (a & ~b & c & keep[5]) |
                          (a & b & ~c & keep[6]) | (a & b & c & keep[7]));
    return JRS_STEP;
}

/* Which byte of {b, a} becomes byte k, and whether its sign is spread: selector nibbles of the modes. */
static unsigned selector(unsigned mode, uint32_t c, unsigned k) {
    unsigned n = c & 3;
    switch (mode) {
    case JRS_PRMT_f4e: return (n + k) & 7;
    case JRS_PRMT_b4e: return (n - k) & 7;
    case JRS_PRMT_rc8: return n;
    case JRS_PRMT_ecl: return k > n ? k : n;
    case JRS_PRMT_ecr: return k < n ? k : n;
    case JRS_PRMT_rc16: return (n & 1) * 2 + (k & 1);
    default: return c >> (4 * k) & 15;
    }
}

static uint32_t permute(uint64_t bytes, uint32_t c, unsigned mode) {
    uint32_t result = 0;
    for (unsigned k = 0; k < 4; k++) {
        unsigned select = selector(mode, c, k);
        uint32_t byte = (uint32_t)(bytes >> (8 * (select & 7)) & 255);
        if (select & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * k);
    }
    return result;
}

jrs_next jrs_op_prmt(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u32 *as = jrs_at(warp, i->s[0]), *bs = jrs_at(warp, i->s[1]), *cs = jrs_at(warp, i->s[2]);
    lane_u32 *ds = jrs_at(warp, i->d);
    JRS_FOR_LANES(mask, ds[l] = permute(PAIR(bs[l], as[l]), cs[l], i->operation));
    return JRS_STEP;
}
