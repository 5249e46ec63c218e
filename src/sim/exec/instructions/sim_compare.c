/* Comparisons: setp of every type and operator, and what stands on them: set, selp, slct, testp. */
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"
#include "sim_number.h"

/* 32 bytes that are 0 or 1 to 32 bits. */
static uint32_t pack(const uint8_t flags[JRS_LANES]) {
    uint32_t packed = 0;
    for (unsigned k = 0; k < JRS_LANES / 8; k++) {
        uint64_t eight;
        memcpy(&eight, flags + 8 * k, 8);
        packed |= (uint32_t)((eight * UINT64_C(0x0102040810204080)) >> 56) << (8 * k);
    }
    return packed;
}

static uint32_t combine(uint32_t value, uint32_t c, unsigned boolean) {
    switch (boolean) {
    case JRS_BOOLEAN_AND: return value & c;
    case JRS_BOOLEAN_OR: return value | c;
    case JRS_BOOLEAN_XOR: return value ^ c;
    default: return value;
    }
}

/* p = value op c, q = !value op c */
static jrs_next finish(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t value) {
    uint32_t c = i->arithmetic.boolean ? jrs_predicate(warp, i->s[2]) : 0;
    jrs_put_predicate(warp, i->d, mask, combine(value, c, i->arithmetic.boolean));
    if (i->has_d2) jrs_put_predicate(warp, i->d2, mask, combine(~value, c, i->arithmetic.boolean));
    return JRS_STEP;
}

/* Compares elements of type T as numbers of type N; `read` converts one to the other. */
#define JRS_RUN_COMPARISON(name, T, N, read, expression)                                                               \
    JRS_HANDLER(name) {                                                                                                \
        const lane_##T *as = jrs_at(warp, i->s[0]), *bs = jrs_at(warp, i->s[1]);                                       \
        uint8_t flags[JRS_LANES];                                                                                      \
        JRS_INDEPENDENT for (unsigned l = 0; l < JRS_LANES; l++) {                                                     \
            const lane_##N a = read(as[l]), b = read(bs[l]);                                                           \
            flags[l] = (uint8_t)((expression) ? 1 : 0);                                                                \
        }                                                                                                              \
        return finish(warp, i, mask, pack(flags));                                                                     \
    }
#define JRS_ROW_COMPARISON(name, T, N, read, expression)                                                               \
    {#name, run_##name, 2, {0, sizeof(lane_##T), sizeof(lane_##T), 0, 0}, JRS_WIDE(name), {#N, #T, #read}, #expression},
#define JRS_WIDE_COMPARISON(name, ...) JRS_WIDE_HANDLER(name) JRS_RUN_COMPARISON(wide_##name, __VA_ARGS__)

#define SAME

#define EQUALITY(XX, T, U)                                                                                             \
    XX(COMPARISON, setp_eq_##T, U, U, SAME, a == b)                                                                    \
    XX(COMPARISON, setp_ne_##T, U, U, SAME, a != b)

#define ORDER(XX, T, U)                                                                                                \
    EQUALITY(XX, T, U)                                                                                                 \
    XX(COMPARISON, setp_lt_##T, U, U, SAME, a < b)                                                                     \
    XX(COMPARISON, setp_le_##T, U, U, SAME, a <= b)                                                                    \
    XX(COMPARISON, setp_gt_##T, U, U, SAME, a > b)                                                                     \
    XX(COMPARISON, setp_ge_##T, U, U, SAME, a >= b)

#define UNSIGNED(XX, T)                                                                                                \
    ORDER(XX, T, T)                                                                                                    \
    XX(COMPARISON, setp_lo_##T, T, T, SAME, a < b)                                                                     \
    XX(COMPARISON, setp_ls_##T, T, T, SAME, a <= b)                                                                    \
    XX(COMPARISON, setp_hi_##T, T, T, SAME, a > b)                                                                     \
    XX(COMPARISON, setp_hs_##T, T, T, SAME, a >= b)

/* Ordered comparisons fail when an operand is NaN, unordered ones hold. */
#define FLOATING(XX, T, U, N, read)                                                                                    \
    XX(COMPARISON, setp_eq_##T, U, N, read, a == b)                                                                    \
    XX(COMPARISON, setp_ne_##T, U, N, read, a<b || a> b)                                                               \
    XX(COMPARISON, setp_lt_##T, U, N, read, a < b)                                                                     \
    XX(COMPARISON, setp_le_##T, U, N, read, a <= b)                                                                    \
    XX(COMPARISON, setp_gt_##T, U, N, read, a > b)                                                                     \
    XX(COMPARISON, setp_ge_##T, U, N, read, a >= b)                                                                    \
    XX(COMPARISON, setp_equ_##T, U, N, read, !(a < b || a > b))                                                        \
    XX(COMPARISON, setp_neu_##T, U, N, read, a != b)                                                                   \
    XX(COMPARISON, setp_ltu_##T, U, N, read, !(a >= b))                                                                \
    XX(COMPARISON, setp_leu_##T, U, N, read, !(a > b))                                                                 \
    XX(COMPARISON, setp_gtu_##T, U, N, read, !(a <= b))                                                                \
    XX(COMPARISON, setp_geu_##T, U, N, read, !(a < b))                                                                 \
    XX(COMPARISON, setp_num_##T, U, N, read, a == a && b == b)                                                         \
    XX(COMPARISON, setp_nan_##T, U, N, read, a != a || b != b)

#define FORMS(XX)                                                                                                      \
    EQUALITY(XX, b16, u16)                                                                                             \
    EQUALITY(XX, b32, u32)                                                                                             \
    EQUALITY(XX, b64, u64)                                                                                             \
    ORDER(XX, s16, s16)                                                                                                \
    ORDER(XX, s32, s32)                                                                                                \
    ORDER(XX, s64, s64)                                                                                                \
    UNSIGNED(XX, u16)                                                                                                  \
    UNSIGNED(XX, u32)                                                                                                  \
    UNSIGNED(XX, u64)                                                                                                  \
    FLOATING(XX, f32, f32, f32, SAME)                                                                                  \
    FLOATING(XX, f64, f64, f64, SAME)                                                                                  \
    FLOATING(XX, f16, u16, f32, jrs_f16_to_f32)                                                                        \
    FLOATING(XX, bf16, u16, f32, jrs_bf16_to_f32)

JRS_HANDLERS_AND_TABLE(compare, FORMS)

/* ---- set: all ones or 1.0 where setp would give true ---- */

jrs_next jrs_op_set(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_instruction inner = *i;
    inner.run = i->arithmetic.ftz ? jrs_op_adjust : i->arithmetic.inner;
    inner.type = i->arithmetic.source_type;
    inner.has_d2 = false;
    inner.d = (jrs_slot)JRS_BASE_SCRATCH << JRS_BASE_SHIFT | (JRS_SCRATCH_BYTES - 64);
    inner.run(warp, &inner, mask);
    uint32_t holds = jrs_predicate(warp, inner.d), yes = UINT32_MAX;
    if (i->type == JRS_TYPE_f32) yes = 0x3f800000u;
    if (i->type == JRS_TYPE_f16) yes = 0x3c00u;
    if (i->type == JRS_TYPE_bf16) yes = 0x3f80u;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned l = jrs_first(rest);
        uint32_t value = holds >> l & 1 ? yes : 0;
        if (jrs_type_bytes((jrs_type)i->type) == 2)
            ((lane_u16 *)jrs_at(warp, i->d))[l] = (uint16_t)value;
        else
            ((lane_u32 *)jrs_at(warp, i->d))[l] = value;
    }
    return JRS_STEP;
}

/* ---- selections ---- */

static const uint32_t bit_of[JRS_LANES] = {
#define BIT(l)   UINT32_C(1) << (l)
#define BITS4(l) BIT(l), BIT((l) + 1), BIT((l) + 2), BIT((l) + 3)
    BITS4(0), BITS4(4), BITS4(8), BITS4(12), BITS4(16), BITS4(20), BITS4(24), BITS4(28)};

/* By masks and without a branch, so that the compiler vectorises it. */
#define CHOOSE(T)                                                                                                      \
    static void choose_##T(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t first) {            \
        const lane_##T *as = jrs_at(warp, i->s[0]), *bs = jrs_at(warp, i->s[1]);                                       \
        lane_##T *ds = jrs_at(warp, i->d);                                                                             \
        JRS_FOR_LANES(mask, const lane_##T a = as[l]; const lane_##T b = bs[l];                                        \
                      const lane_##T kept = (lane_##T)(int32_t)(first & bit_of[l] ? -1 : 0);                           \
                      ds[l] = (lane_##T)((a & kept) | (b & ~kept)));                                                   \
    }

CHOOSE(u16)
CHOOSE(u32)
CHOOSE(u64)

static jrs_next choose(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t first) {
    if (i->width == 2)
        choose_u16(warp, i, mask, first);
    else if (i->width == 4)
        choose_u32(warp, i, mask, first);
    else
        choose_u64(warp, i, mask, first);
    return JRS_STEP;
}

jrs_next jrs_op_select(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    return choose(warp, i, mask, jrs_predicate(warp, i->s[2]));
}

jrs_next jrs_op_slct(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_s32 *words = jrs_at(warp, i->s[2]);
    const lane_f32 *floats = jrs_at(warp, i->s[2]);
    uint32_t first = 0;
    for (unsigned l = 0; l < JRS_LANES; l++) {
        float c = floats[l];
        bool tiny = i->arithmetic.ftz && (jrs_f32_bits(c) & 0x7f800000u) == 0;
        bool chosen = i->arithmetic.source_type == JRS_TYPE_s32 ? words[l] >= 0 : tiny || c >= 0;
        first |= (uint32_t)chosen << l;
    }
    return choose(warp, i, mask, first);
}

/* ---- testp ---- */

static bool holds(unsigned test, uint64_t exponent, uint64_t special, uint64_t mantissa) {
    switch (test) {
    case JRS_TEST_finite: return exponent != special;
    case JRS_TEST_infinite: return exponent == special && mantissa == 0;
    case JRS_TEST_number: return exponent != special || mantissa == 0;
    case JRS_TEST_notanumber: return exponent == special && mantissa != 0;
    case JRS_TEST_normal: return exponent != special && (exponent != 0 || mantissa == 0);
    default: return exponent == 0 && mantissa != 0; /* subnormal */
    }
}

jrs_next jrs_op_testp(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u32 *words = jrs_at(warp, i->s[0]);
    const lane_u64 *longs = jrs_at(warp, i->s[0]);
    uint32_t value = 0;
    for (unsigned l = 0; l < JRS_LANES; l++) {
        bool yes = i->width == 4
                       ? holds(i->operation, words[l] >> 23 & 255, 255, words[l] & 0x7fffffu)
                       : holds(i->operation, longs[l] >> 52 & 2047, 2047, longs[l] & UINT64_C(0xfffffffffffff));
        value |= (uint32_t)yes << l;
    }
    jrs_put_predicate(warp, i->d, mask, value);
    return JRS_STEP;
}
