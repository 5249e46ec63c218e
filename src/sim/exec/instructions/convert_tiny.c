/* cvt between pairs of 8-bit floats (e4m3, e5m2) and pairs of wider ones. */
#include <math.h>

#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"
#include "sim_number.h"

enum { TINY_NAN = 0x7f, E4M3_MAX = 0x7e, E5M2_MAX = 0x7b, E5M2_INFINITY = 0x7c };

/* e4m3 has no infinity: its exponents reach one further than those of a format that has, which half a number shows. */
static uint8_t to_e4m3(double value) {
    const bool large = fabs(value) >= 2;
    uint16_t bits = jrs_narrow(large ? value / 2 : value, 3, 4, JRS_ROUND_NEAREST);
    const uint16_t magnitude = (uint16_t)((bits & TINY_NAN) + (large ? 8 : 0));
    return (uint8_t)((bits & 0x80u) | (magnitude < E4M3_MAX ? magnitude : E4M3_MAX));
}

static uint8_t to_e5m2(double value) {
    const uint16_t bits = jrs_narrow(value, 2, 5, JRS_ROUND_NEAREST), magnitude = bits & TINY_NAN;
    return (uint8_t)((bits & 0x80u) | (magnitude < E5M2_MAX ? magnitude : E5M2_MAX));
}

/* The nearest one; what is too large becomes the largest. */
static uint8_t narrow(double value, const jrs_instruction *i) {
    if (value != value) return TINY_NAN;
    if (i->convert.relu && value <= 0) value = 0;
    return i->operation == JRS_TINY_e4m3 ? to_e4m3(value) : to_e5m2(value);
}

static uint16_t widen_magnitude(unsigned magnitude, unsigned operation) {
    if (operation == JRS_TINY_e5m2) return (uint16_t)(magnitude > E5M2_INFINITY ? JRS_NAN_F16 : magnitude << 8);
    if (magnitude == TINY_NAN) return JRS_NAN_F16;
    if (magnitude < 8) return jrs_to_f16(ldexp(magnitude, -9));
    return (uint16_t)((magnitude << 7) + (8u << 10));
}

/* Exactly, as f16. */
static uint16_t widen(unsigned bits, const jrs_instruction *i) {
    const uint16_t magnitude = widen_magnitude(bits & TINY_NAN, i->operation);
    const bool negative = bits & 0x80u, nan = magnitude == JRS_NAN_F16;
    if (negative && i->convert.relu && !nan) return 0;
    return (uint16_t)(magnitude | (negative && !nan ? 0x8000u : 0));
}

static uint16_t narrow_pair(double high, double low, const jrs_instruction *i) {
    return (uint16_t)((unsigned)narrow(high, i) << 8 | narrow(low, i));
}

/* Converts two f32, the first into the upper half, or an f16x2. */
jrs_next jrs_op_convert_to_tiny(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_f32 *highs = jrs_at(warp, i->s[0]), *lows = jrs_at(warp, i->s[1]);
    const lane_u32 *pairs = jrs_at(warp, i->s[0]);
    const bool two = i->source_count == 2;
    lane_u16 *ds = jrs_at(warp, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned l = jrs_first(rest);
        const float high = two ? highs[l] : jrs_f16_to_f32((uint16_t)(pairs[l] >> 16));
        const float low = two ? lows[l] : jrs_f16_to_f32((uint16_t)pairs[l]);
        ds[l] = narrow_pair((double)high, (double)low, i);
    }
    return JRS_STEP;
}

jrs_next jrs_op_convert_from_tiny(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u16 *as = jrs_at(warp, i->s[0]);
    lane_u32 *ds = jrs_at(warp, i->d);
    JRS_FOR_LANES(mask, ds[l] = (uint32_t)widen(as[l] >> 8, i) << 16 | widen(as[l] & 255u, i));
    return JRS_STEP;
}
