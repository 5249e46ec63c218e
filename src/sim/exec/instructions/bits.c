/* Bit counting and bit fields: popc, clz, bfind, brev, bfe, bfi, bmsk, szext, fns. */
#include "sim/exec/lanes.h"

static uint64_t reverse(uint64_t bits, unsigned width) {
    uint64_t reversed = 0;
    for (unsigned k = 0; k < width; k++) reversed |= (bits >> k & 1) << (width - 1 - k);
    return reversed;
}

static uint32_t leading_zeros(uint64_t bits, unsigned width) {
    return bits ? (uint32_t)__builtin_clzll(bits) - (64 - width) : width;
}

/* The position of the most significant bit that differs from the sign; all ones when every bit equals the sign. */
static uint32_t find_high(uint64_t bits, unsigned width, bool shift) {
    if (!bits) return UINT32_MAX;
    uint32_t place = width - 1 - leading_zeros(bits, width);
    return shift ? width - 1 - place : place;
}

static uint64_t magnitude(int64_t value) {
    return value < 0 ? ~(uint64_t)value : (uint64_t)value;
}

static uint64_t low_mask(unsigned count) {
    return count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

static uint64_t extract(uint64_t bits, uint32_t position, uint32_t count, unsigned width, bool sign) {
    if (width == 32) position &= 255, count &= 255; /* the 64-bit forms look at all bits, as the device does */
    if (count > 255) count = 255;
    uint64_t field = position < width ? bits >> position & low_mask(count) : 0;
    if (!sign || count == 0) return field;
    uint32_t past = width - 1 - (position < width ? position : width - 1); /* bits above position */
    unsigned last = count - 1 < past ? position + count - 1 : width - 1;
    bool negative = bits >> last & 1;
    unsigned known = position < width ? last - position + 1 : 0;
    return negative ? field | ~low_mask(known) : field;
}

static uint64_t insert(uint64_t field, uint64_t into, uint32_t position, uint32_t count, unsigned width) {
    if (width == 32) position &= 255, count &= 255;
    if (position >= width || count == 0) return into;
    uint64_t mask = low_mask(count) << position;
    return (into & ~mask) | (field << position & mask);
}

/* The bit of mask that is n-th from base: n > 0 upward, n < 0 downward, 0: base itself if set. */
static uint32_t nth_set(uint32_t mask, uint32_t base, int32_t n) {
    int step = n < 0 ? -1 : 1;
    int64_t wanted = n < 0 ? -(int64_t)n : n;
    if (n == INT32_MIN) return 0; /* what the device makes of it */
    if (base > 31) return UINT32_MAX;
    if (n == 0) return mask >> base & 1 ? base : UINT32_MAX;
    for (int place = (int)base; place >= 0 && place < 32; place += step)
        if ((mask >> place & 1) && --wanted == 0) return (uint32_t)place;
    return UINT32_MAX;
}

static uint32_t make_mask(uint32_t position, uint32_t count, bool wrap) {
    if (wrap) position &= 31, count &= 31;
    if (position > 31) return 0;
    return (uint32_t)(low_mask(count > 32 ? 32 : count) << position);
}

/* The low count bits, extended by zeros or by their highest one. */
static uint32_t extend(uint32_t bits, uint32_t count, bool wrap, bool sign) {
    if (wrap) count &= 31;
    if (count == 0) return 0;
    if (count > 31) return bits;
    uint32_t shift = 32 - count, field = bits << shift;
    return sign ? (uint32_t)((int32_t)field >> shift) : field >> shift;
}

#define FORMS(XX)                                                                                                      \
    XX(UNARY, popc_b32, u32, u32, __builtin_popcount(a))                                                               \
    XX(UNARY, popc_b64, u32, u64, __builtin_popcountll(a))                                                             \
    XX(UNARY, clz_b32, u32, u32, leading_zeros(a, 32))                                                                 \
    XX(UNARY, clz_b64, u32, u64, leading_zeros(a, 64))                                                                 \
    XX(UNARY, bfind_u32, u32, u32, find_high(a, 32, false))                                                            \
    XX(UNARY, bfind_u64, u32, u64, find_high(a, 64, false))                                                            \
    XX(UNARY, bfind_s32, u32, s32, find_high(magnitude(a), 32, false))                                                 \
    XX(UNARY, bfind_s64, u32, s64, find_high(magnitude(a), 64, false))                                                 \
    XX(UNARY, bfind_shiftamt_u32, u32, u32, find_high(a, 32, true))                                                    \
    XX(UNARY, bfind_shiftamt_u64, u32, u64, find_high(a, 64, true))                                                    \
    XX(UNARY, bfind_shiftamt_s32, u32, s32, find_high(magnitude(a), 32, true))                                         \
    XX(UNARY, bfind_shiftamt_s64, u32, s64, find_high(magnitude(a), 64, true))                                         \
    XX(UNARY, brev_b32, u32, u32, reverse(a, 32))                                                                      \
    XX(UNARY, brev_b64, u64, u64, reverse(a, 64))                                                                      \
    XX(TERNARY, bfe_u32, u32, u32, u32, u32, extract(a, b, c, 32, false))                                              \
    XX(TERNARY, bfe_s32, u32, u32, u32, u32, extract(a, b, c, 32, true))                                               \
    XX(TERNARY, bfe_u64, u64, u64, u32, u32, extract(a, b, c, 64, false))                                              \
    XX(TERNARY, bfe_s64, u64, u64, u32, u32, extract(a, b, c, 64, true))                                               \
    XX(QUATERNARY, bfi_b32, u32, u32, u32, u32, u32, insert(a, b, c, e, 32))                                           \
    XX(QUATERNARY, bfi_b64, u64, u64, u64, u32, u32, insert(a, b, c, e, 64))                                           \
    XX(BINARY, bmsk_clamp_b32, u32, u32, u32, make_mask(a, b, false))                                                  \
    XX(BINARY, bmsk_wrap_b32, u32, u32, u32, make_mask(a, b, true))                                                    \
    XX(BINARY, szext_clamp_u32, u32, u32, u32, extend(a, b, false, false))                                             \
    XX(BINARY, szext_clamp_s32, u32, u32, u32, extend(a, b, false, true))                                              \
    XX(BINARY, szext_wrap_u32, u32, u32, u32, extend(a, b, true, false))                                               \
    XX(BINARY, szext_wrap_s32, u32, u32, u32, extend(a, b, true, true))                                                \
    XX(TERNARY, fns_b32, u32, u32, u32, s32, nth_set(a, b, c))

JRS_HANDLERS_AND_TABLE(bits, FORMS)
