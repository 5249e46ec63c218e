/* cvt: between any two scalar types, in every rounding mode; integer and widening conversions on a fast path. */
#include <math.h>

#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"
#include "sim_number.h"

/* ---- the fast path: what C's own conversion does in round-to-nearest ---- */

#define JRS_CONVERT(D, A) JRS_RUN_UNARY(D##_from_##A, D, A, a)
#define FROM_INTEGERS(XX, D)                                                                                           \
    XX(D, u16)                                                                                                         \
    XX(D, s16)                                                                                                         \
    XX(D, u32)                                                                                                         \
    XX(D, s32)                                                                                                         \
    XX(D, u64)                                                                                                         \
    XX(D, s64)
#define FAST(XX)                                                                                                       \
    FROM_INTEGERS(XX, u16)                                                                                             \
    FROM_INTEGERS(XX, s16)                                                                                             \
    FROM_INTEGERS(XX, u32)                                                                                             \
    FROM_INTEGERS(XX, s32) FROM_INTEGERS(XX, u64) FROM_INTEGERS(XX, s64) FROM_INTEGERS(XX, f32) FROM_INTEGERS(XX, f64)

FAST(JRS_CONVERT)
JRS_RUN_UNARY(f64_from_f32, f64, f32, a)
JRS_RUN_UNARY(f32_from_f64, f32, f64, (float)a) /* a NaN keeps its upper bits */
JRS_RUN_UNARY(f32_from_f16, f32, u16, jrs_nan_f32(jrs_f16_to_f32(a)))
JRS_RUN_UNARY(f32_from_bf16, u32, u16, (uint32_t)a << 16)

jrs_handler *jrs_convert_fast(jrs_type to, jrs_type from) {
    static const struct {
        jrs_type to, from;
        jrs_handler *run;
    } rows[] = {
#define ROW(D, A) {JRS_TYPE_##D, JRS_TYPE_##A, run_##D##_from_##A},
        FAST(ROW) ROW(f64, f32) ROW(f32, f64) ROW(f32, f16) ROW(f32, bf16)
#undef ROW
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].to == to && rows[k].from == from) return rows[k].run;
    return NULL;
}

/* ---- the general path, one lane at a time ---- */

/* Any value on its way: an integer, or a float (f64 holds every narrower one exactly). */
typedef struct value {
    bool is_float;
    jrs_s128 n;
    double f;
} value;

/* The low bits of a register, extended as the type says. */
static jrs_s128 read_integer(uint64_t bits, jrs_type type) {
    unsigned shift = 64 - jrs_type_bytes(type) * 8;
    return jrs_type_kind(type) == JRS_KIND_SIGNED ? (int64_t)(bits << shift) >> shift
                                                  : (jrs_s128)(bits << shift >> shift);
}

static value read_value(uint64_t bits, jrs_type type, bool ftz) {
    value v = {.is_float = true};
    switch (type) {
    case JRS_TYPE_f16: v.f = (double)jrs_f16_to_f32((uint16_t)bits); break;
    case JRS_TYPE_bf16: v.f = (double)jrs_bf16_to_f32((uint16_t)bits); break;
    case JRS_TYPE_f32:
        if (ftz && (bits & 0x7f800000u) == 0) bits &= 0x80000000u;
        v.f = (double)jrs_f32_of((uint32_t)bits);
        break;
    case JRS_TYPE_f64: v.f = jrs_f64_of(bits); break;
    default: return (value){.n = read_integer(bits, type)};
    }
    return v;
}

/* The integer type's limits clamp. NaN: 0, but only the top bit when either type has 64 bits. */
static uint64_t float_to_integer(double f, const jrs_instruction *i) {
    jrs_type to = (jrs_type)i->type;
    unsigned bits = jrs_type_bytes(to) * 8;
    bool sign = jrs_type_kind(to) == JRS_KIND_SIGNED;
    if (f != f) {
        bool wide = bits == 64 || i->convert.from == JRS_TYPE_f64;
        return wide ? UINT64_C(1) << (bits - 1) : 0;
    }
    double whole = jrs_integral(f, (jrs_rounding)i->convert.rounding);
    double top = ldexp(1.0, (int)bits - sign), bottom = sign ? -top : 0.0;
    if (whole >= top) return (UINT64_C(1) << (bits - 1) << !sign) - 1;
    if (whole < bottom) return sign ? ~UINT64_C(0) << (bits - 1) : 0;
    return whole < 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole;
}

static jrs_s128 saturate_integer(jrs_s128 n, jrs_type to) {
    const bool sign = jrs_type_kind(to) == JRS_KIND_SIGNED;
    const jrs_s128 end = (jrs_s128)1 << (jrs_type_bytes(to) * 8 - sign), least = sign ? -end : 0;
    return n < least ? least : n >= end ? end - 1 : n;
}

/* Integers to f32 in a direction: exact in long double, which has 64 bits of mantissa here or more than enough. */
static double integer_to_float(jrs_s128 n, const jrs_instruction *i) {
    const long double exact = (long double)n;
    double nearest = (double)exact;
    if ((long double)nearest == exact) return nearest;
    if (i->type == JRS_TYPE_f64) {
        bool above = (long double)nearest > exact;
        bool down = i->convert.rounding == JRS_ROUND_DOWN || (i->convert.rounding == JRS_ROUND_ZERO && exact > 0);
        bool up = i->convert.rounding == JRS_ROUND_UP || (i->convert.rounding == JRS_ROUND_ZERO && exact < 0);
        if (above && down) return nextafter(nearest, -INFINITY);
        if (!above && up) return nextafter(nearest, INFINITY);
        return nearest;
    }
    uint64_t bits = jrs_f64_bits(nearest); /* rounded to odd: rounding again to f32 or less is then right */
    if (bits & 1) return nearest;
    bool outward = ((long double)nearest < exact) == (exact > 0);
    return jrs_f64_of(outward ? bits + 1 : bits - 1);
}

/* .rna adds half a unit to the bits whatever they mean; the others make one NaN. */
static uint32_t to_tensor(uint32_t bits, jrs_rounding rounding) {
    uint32_t half = 0x1000u, below = half - 1 + (bits >> 13 & 1);
    if (rounding == JRS_ROUND_AWAY) return (bits + half) & ~0x1fffu;
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffe000u;
    return (rounding == JRS_ROUND_ZERO ? bits : bits + below) & ~0x1fffu;
}

static double clamp_float(double f, const jrs_instruction *i) {
    if (i->convert.sat) f = f > 0 ? f < 1 ? f : 1.0 : 0.0;
    if (i->convert.relu && f <= 0) f = 0.0;
    return f;
}

static uint64_t narrow_half(double f, const jrs_instruction *i, bool brain) {
    uint16_t infinity = brain ? 0x7f80u : 0x7c00u;
    if (f != f && i->convert.from == JRS_TYPE_f64) { /* the upper bits of a wide NaN stay */
        uint64_t wide = jrs_f64_bits(f);
        uint64_t payload = (wide & UINT64_C(0xfffffffffffff)) >> (brain ? 45 : 42);
        return (wide >> 63 << 15) | infinity | (brain ? 0x40u : 0x200u) | payload;
    }
    uint16_t bits = jrs_narrow(f, brain ? 7 : 10, brain ? 8 : 5, (jrs_rounding)i->convert.rounding);
    if (i->convert.satfinite && (bits & 0x7fffu) == infinity) bits--;
    return bits;
}

static uint64_t write_float(double f, const jrs_instruction *i) {
    f = clamp_float(f, i);
    if (i->convert.integral) f = jrs_integral(f, (jrs_rounding)i->convert.rounding);
    uint32_t single;
    switch (i->type) {
    case JRS_TYPE_f16: return narrow_half(f, i, false);
    case JRS_TYPE_bf16: return narrow_half(f, i, true);
    case JRS_TYPE_f32:
        single = jrs_f32_bits(jrs_narrow_f32(f, (jrs_rounding)i->convert.rounding));
        if (i->convert.from != JRS_TYPE_f64) single = jrs_f32_bits(jrs_nan_f32(jrs_f32_of(single)));
        if (i->convert.ftz && (single & 0x7f800000u) == 0) single &= 0x80000000u;
        return single;
    default: return jrs_f64_bits(f);
    }
}

static uint64_t convert_one(uint64_t bits, const jrs_instruction *i) {
    jrs_type to = (jrs_type)i->type;
    if (to == JRS_TYPE_tf32) return to_tensor((uint32_t)bits, (jrs_rounding)i->convert.rounding);
    value v = read_value(bits, (jrs_type)i->convert.from, i->convert.ftz);
    if (!jrs_type_is_integer(to)) return write_float(v.is_float ? v.f : integer_to_float(v.n, i), i);
    const jrs_s128 whole = i->convert.sat && !v.is_float ? saturate_integer(v.n, to) : v.n;
    const uint64_t result = v.is_float ? float_to_integer(v.f, i) : (uint64_t)whole;
    return (uint64_t)read_integer(result, to); /* chopped, then extended to the register by its own sign */
}

jrs_next jrs_op_convert(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const uint8_t *from = jrs_at(warp, i->s[0]);
    uint8_t *to = jrs_at(warp, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        size_t l = jrs_first(rest);
        uint64_t bits = 0;
        memcpy(&bits, from + l * i->convert.from_width, i->convert.from_width);
        bits = convert_one(bits, i);
        memcpy(to + l * i->width, &bits, i->width);
    }
    return JRS_STEP;
}

jrs_next jrs_op_convert_pair(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_f32 *high = jrs_at(warp, i->s[0]), *low = jrs_at(warp, i->s[1]);
    lane_u32 *ds = jrs_at(warp, i->d);
    bool brain = i->type == JRS_TYPE_bf16x2;
    JRS_FOR_LANES(mask, const double a = clamp_float((double)high[l], i);
                  const double b = clamp_float((double)low[l], i);
                  ds[l] = (uint32_t)(narrow_half(a, i, brain) << 16 | narrow_half(b, i, brain)));
    return JRS_STEP;
}
