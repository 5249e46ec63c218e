/* Integer products and distances: mul, mad, mul24, dp4a, dp2a, vabsdiff4. */
#include <stdlib.h>

#include "sim/exec/lanes.h"

/* The upper half of a product: W is twice as wide as T. */
#define HIGH(W, bits, a, b) ((W)((W)(a) * (W)(b)) >> (bits))

/* T: the type, U: the same unsigned, W: twice as wide, bits: of T */
#define PRODUCTS(XX, T, U, W, bits)                                                                                    \
    XX(BINARY, mul_lo_##T, U, U, U, (uint64_t)a *b)                                                                    \
    XX(BINARY, mul_hi_##T, U, T, T, HIGH(W, bits, a, b))                                                               \
    XX(TERNARY, mad_lo_##T, U, U, U, U, (uint64_t)a *b + c)                                                            \
    XX(TERNARY, mad_hi_##T, U, T, T, U, (uint64_t)HIGH(W, bits, a, b) + c)

#define WIDE(XX, T, D, W)                                                                                              \
    XX(BINARY, mul_wide_##T, D, T, T, (lane_##D)((lane_##D)a * (lane_##D)b))                                           \
    XX(TERNARY, mad_wide_##T, D, T, T, D, (W)((W)((lane_##D)a * (lane_##D)b) + (W)c))

#define LOW24U(a) ((a)&0xffffffu)
#define LOW24S(a) ((int64_t)((int32_t)((uint32_t)(a) << 8) >> 8))

static int32_t byte_at(uint32_t word, unsigned shift, bool is_signed) {
    int32_t byte = (int32_t)(word >> shift & 255);
    return is_signed && byte > INT8_MAX ? byte - 256 : byte;
}

static uint32_t byte_dot(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed) {
    for (unsigned k = 0; k < 32; k += 8) c += (uint32_t)(byte_at(a, k, a_signed) * byte_at(b, k, b_signed));
    return c;
}

static uint32_t half_dot(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed, unsigned shift) {
    for (unsigned k = 0; k < 2; k++) {
        int32_t x = (int32_t)(a >> (16 * k) & 0xffff), y = byte_at(b, shift + 8 * k, b_signed);
        if (a_signed) x = (int16_t)x;
        c += (uint32_t)x * (uint32_t)y;
    }
    return c;
}

/* The absolute differences of four neighbouring bytes, as bytes or summed and added to c. */
static uint32_t byte_differences(uint32_t a, uint32_t b, bool is_signed) {
    uint32_t bytes = 0;
    for (unsigned k = 0; k < 32; k += 8)
        bytes |= ((uint32_t)abs(byte_at(a, k, is_signed) - byte_at(b, k, is_signed)) & 255) << k;
    return bytes;
}

static uint32_t byte_distance(uint32_t a, uint32_t b, uint32_t c, bool is_signed) {
    for (unsigned k = 0; k < 32; k += 8) c += (uint32_t)abs(byte_at(a, k, is_signed) - byte_at(b, k, is_signed));
    return c;
}

#define DISTANCES(XX, T, is_signed)                                                                                    \
    XX(TERNARY, vabsdiff4_u32_##T##_##T, u32, u32, u32, u32, ((void)c, byte_differences(a, b, is_signed)))             \
    XX(TERNARY, vabsdiff4_u32_##T##_##T##_add, u32, u32, u32, u32, byte_distance(a, b, c, is_signed))

#define DOTS(XX, TA, TB, sa, sb)                                                                                       \
    XX(TERNARY, dp4a_##TA##_##TB, u32, u32, u32, u32, byte_dot(a, b, c, sa, sb))                                       \
    XX(TERNARY, dp2a_lo_##TA##_##TB, u32, u32, u32, u32, half_dot(a, b, c, sa, sb, 0))                                 \
    XX(TERNARY, dp2a_hi_##TA##_##TB, u32, u32, u32, u32, half_dot(a, b, c, sa, sb, 16))

#define FORMS(XX)                                                                                                      \
    PRODUCTS(XX, u16, u16, uint32_t, 16)                                                                               \
    PRODUCTS(XX, s16, u16, int32_t, 16)                                                                                \
    PRODUCTS(XX, u32, u32, uint64_t, 32)                                                                               \
    PRODUCTS(XX, s32, u32, int64_t, 32)                                                                                \
    PRODUCTS(XX, u64, u64, jrs_u128, 64)                                                                               \
    PRODUCTS(XX, s64, u64, jrs_s128, 64)                                                                               \
    WIDE(XX, u16, u32, uint32_t)                                                                                       \
    WIDE(XX, s16, s32, uint32_t)                                                                                       \
    WIDE(XX, u32, u64, uint64_t)                                                                                       \
    WIDE(XX, s32, s64, uint64_t)                                                                                       \
    XX(BINARY, mul24_lo_u32, u32, u32, u32, LOW24U(a) * LOW24U(b))                                                     \
    XX(BINARY, mul24_lo_s32, u32, u32, u32, LOW24S(a) * LOW24S(b))                                                     \
    XX(TERNARY, mad24_lo_u32, u32, u32, u32, u32, LOW24U(a) * LOW24U(b) + c)                                           \
    XX(TERNARY, mad24_lo_s32, u32, u32, u32, u32, LOW24S(a) * LOW24S(b) + c)                                           \
    DOTS(XX, u32, u32, false, false)                                                                                   \
    DOTS(XX, u32, s32, false, true)                                                                                    \
    DOTS(XX, s32, u32, true, false)                                                                                    \
    DOTS(XX, s32, s32, true, true)                                                                                     \
    DISTANCES(XX, u32, false)                                                                                          \
    DISTANCES(XX, s32, true)

JRS_HANDLERS_AND_TABLE(multiply, FORMS)
