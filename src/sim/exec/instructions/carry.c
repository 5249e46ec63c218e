/* Arithmetic with the carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc. The flag is one bit a lane of the warp, the
 * same for all of them and for 32 and 64 bits. As on a GPU, a - b is a + ~b + 1, so that the flag after a subtraction
 * means "nothing was borrowed", and subc computes a + ~b + flag. */
#include "sim/exec/lanes.h"

/* The halves of a product, as wide as T. */
#define LOW(T, a, b)        ((jrs_u128)(lane_##T)((a) * (b)))
#define HIGH(T, sign, a, b) ((jrs_u128)(lane_##T)high((uint64_t)(a), (uint64_t)(b), sizeof(lane_##T) * 8, sign))

static uint64_t high(uint64_t a, uint64_t b, unsigned bits, bool sign) {
    if (!sign) return (uint64_t)((jrs_u128)a * b >> bits);
    jrs_s128 x = bits == 32 ? (int32_t)a : (int64_t)a, y = bits == 32 ? (int32_t)b : (int64_t)b;
    return (uint64_t)((jrs_u128)(x * y) >> bits);
}

#define NOT(T, b) ((jrs_u128)(lane_##T) ~(b))
#define FLAG      (warp->carry >> l & 1)

/* expression: of a, b, the third of `count` operands c and `in`, which is what is taken for the flag (0, 1 or FLAG):
 * the result with the flag that goes out above it; writes: whether the flag goes out */
#define JRS_RUN_FLAGGED(name, T, count, taken, writes, expression)                                                     \
    JRS_HANDLER(name) {                                                                                                \
        const lane_##T *as = jrs_at(warp, i->s[0]), *bs = jrs_at(warp, i->s[1]), *cs = jrs_at(warp, i->s[2]);          \
        lane_##T *ds = jrs_at(warp, i->d);                                                                             \
        uint32_t carry = 0;                                                                                            \
        for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                           \
            const unsigned l = jrs_first(rest);                                                                        \
            const jrs_u128 a = as[l], b = bs[l], c = (count) > 2 ? cs[l] : 0, in = (taken);                            \
            const jrs_u128 result = (expression);                                                                      \
            (void)c;                                                                                                   \
            ds[l] = (lane_##T)result;                                                                                  \
            carry |= (uint32_t)(result >> sizeof(lane_##T) * 8 & 1) << l;                                              \
        }                                                                                                              \
        if (writes) warp->carry = (warp->carry & ~mask) | carry;                                                       \
        return JRS_STEP;                                                                                               \
    }
#define JRS_ROW_FLAGGED(name, T, count, taken, writes, expression)                                                     \
    {#name, run_##name, count, {sizeof(lane_##T), sizeof(lane_##T), sizeof(lane_##T), sizeof(lane_##T), 0},            \
     NULL,  {NULL},     NULL},
#define JRS_WIDE_FLAGGED(...) /* compilers do not vectorise it */

#define FLAGGED(XX, T, U, sign)                                                                                        \
    XX(FLAGGED, add_cc_##T, U, 2, 0, true, a + b + in)                                                                 \
    XX(FLAGGED, addc_cc_##T, U, 2, FLAG, true, a + b + in)                                                             \
    XX(FLAGGED, addc_##T, U, 2, FLAG, false, a + b + in)                                                               \
    XX(FLAGGED, sub_cc_##T, U, 2, 1, true, a + NOT(U, b) + in)                                                         \
    XX(FLAGGED, subc_cc_##T, U, 2, FLAG, true, a + NOT(U, b) + in)                                                     \
    XX(FLAGGED, subc_##T, U, 2, FLAG, false, a + NOT(U, b) + in)                                                       \
    XX(FLAGGED, mad_lo_cc_##T, U, 3, 0, true, LOW(U, a, b) + c + in)                                                   \
    XX(FLAGGED, madc_lo_cc_##T, U, 3, FLAG, true, LOW(U, a, b) + c + in)                                               \
    XX(FLAGGED, madc_lo_##T, U, 3, FLAG, false, LOW(U, a, b) + c + in)                                                 \
    XX(FLAGGED, mad_hi_cc_##T, U, 3, 0, true, HIGH(U, sign, a, b) + c + in)                                            \
    XX(FLAGGED, madc_hi_cc_##T, U, 3, FLAG, true, HIGH(U, sign, a, b) + c + in)                                        \
    XX(FLAGGED, madc_hi_##T, U, 3, FLAG, false, HIGH(U, sign, a, b) + c + in)

#define FORMS(XX)                                                                                                      \
    FLAGGED(XX, u32, u32, false)                                                                                       \
    FLAGGED(XX, s32, u32, true)                                                                                        \
    FLAGGED(XX, u64, u64, false)                                                                                       \
    FLAGGED(XX, s64, u64, true)

JRS_HANDLERS_AND_TABLE(carry, FORMS)
