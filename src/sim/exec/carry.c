/* Arithmetic with the carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc. The flag is one bit a lane of the warp. */
#include "lanes.h"

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

/* One addition or subtraction with a flag going in and out. */
static uint64_t add_flag(uint64_t a, uint64_t b, bool in, unsigned bits, bool *out) {
    uint128 sum = (uint128)a + b + in;
    *out = (sum >> bits & 1) != 0;
    return (uint64_t)sum;
}

static uint64_t sub_flag(uint64_t a, uint64_t b, bool in, unsigned bits, bool *out) {
    uint128 difference = (uint128)a - b - in;
    *out = (difference >> bits & 1) != 0;
    return (uint64_t)difference;
}

static uint64_t low(uint64_t a, uint64_t b, unsigned bits, bool sign) {
    (void)bits, (void)sign;
    return a * b;
}

static uint64_t high(uint64_t a, uint64_t b, unsigned bits, bool sign) {
    if (!sign) return (uint64_t)((uint128)a * b >> bits);
    int128 x = bits == 32 ? (int32_t)a : (int64_t)a, y = bits == 32 ? (int32_t)b : (int64_t)b;
    return (uint64_t)((uint128)(x * y) >> bits);
}

static void set_flag(jrs_warp *warp, unsigned lane, bool out, bool writes) {
    if (writes) warp->carry = (warp->carry & ~(1u << lane)) | (uint32_t)out << lane;
}

/* reads, writes: whether the flag goes in and out */
#define JRS_RUN_SUM(name, T, step, reads, writes)                                                                      \
    JRS_HANDLER(name) {                                                                                                \
        const lane_##T *as = jrs_at(warp, i->s[0]), *bs = jrs_at(warp, i->s[1]);                                       \
        lane_##T *ds = jrs_at(warp, i->d);                                                                             \
        for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                           \
            unsigned l = jrs_first(rest);                                                                              \
            bool in = (reads) && (warp->carry >> l & 1), out;                                                          \
            ds[l] = (lane_##T)step(as[l], bs[l], in, sizeof(lane_##T) * 8, &out);                                      \
            set_flag(warp, l, out, writes);                                                                            \
        }                                                                                                              \
        return JRS_STEP;                                                                                               \
    }
#define JRS_ROW_SUM(name, T, step, reads, writes)                                                                      \
    {#name, run_##name, 2, {sizeof(lane_##T), sizeof(lane_##T), sizeof(lane_##T), 0, 0}},

#define JRS_RUN_PRODUCT(name, T, half, sign, reads, writes)                                                            \
    JRS_HANDLER(name) {                                                                                                \
        const lane_##T *as = jrs_at(warp, i->s[0]), *bs = jrs_at(warp, i->s[1]);                                       \
        const lane_##T *cs = jrs_at(warp, i->s[2]);                                                                    \
        lane_##T *ds = jrs_at(warp, i->d);                                                                             \
        const unsigned bits = sizeof(lane_##T) * 8;                                                                    \
        for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                           \
            unsigned l = jrs_first(rest);                                                                              \
            bool in = (reads) && (warp->carry >> l & 1), out;                                                          \
            lane_##T part = (lane_##T)half(as[l], bs[l], bits, sign);                                                  \
            ds[l] = (lane_##T)add_flag(part, cs[l], in, bits, &out);                                                   \
            set_flag(warp, l, out, writes);                                                                            \
        }                                                                                                              \
        return JRS_STEP;                                                                                               \
    }
#define JRS_ROW_PRODUCT(name, T, half, sign, reads, writes)                                                            \
    {#name, run_##name, 3, {sizeof(lane_##T), sizeof(lane_##T), sizeof(lane_##T), sizeof(lane_##T), 0}},

#define PRODUCTS(XX, part, half, T, U, sign)                                                                           \
    XX(PRODUCT, mad_##part##_cc_##T, U, half, sign, false, true)                                                       \
    XX(PRODUCT, madc_##part##_cc_##T, U, half, sign, true, true)                                                       \
    XX(PRODUCT, madc_##part##_##T, U, half, sign, true, false)

#define FLAGGED(XX, T, U, sign)                                                                                        \
    XX(SUM, add_cc_##T, U, add_flag, false, true)                                                                      \
    XX(SUM, addc_cc_##T, U, add_flag, true, true)                                                                      \
    XX(SUM, addc_##T, U, add_flag, true, false)                                                                        \
    XX(SUM, sub_cc_##T, U, sub_flag, false, true)                                                                      \
    XX(SUM, subc_cc_##T, U, sub_flag, true, true)                                                                      \
    XX(SUM, subc_##T, U, sub_flag, true, false)                                                                        \
    PRODUCTS(XX, lo, low, T, U, sign)                                                                                  \
    PRODUCTS(XX, hi, high, T, U, sign)

#define FORMS(XX)                                                                                                      \
    FLAGGED(XX, u32, u32, false)                                                                                       \
    FLAGGED(XX, s32, u32, true)                                                                                        \
    FLAGGED(XX, u64, u64, false)                                                                                       \
    FLAGGED(XX, s64, u64, true)

FORMS(JRS_RUN)

const jrs_form jrs_carry_forms[] = {FORMS(JRS_ROW){NULL, NULL, 0, {0}}};
