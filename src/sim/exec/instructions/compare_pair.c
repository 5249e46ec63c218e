/* Comparisons of f16x2 and bf16x2: each half by the comparison of f16 or bf16, in the worker's scratch lanes. */
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"

/* Scratch slots of our own; jrs_op_adjust uses those before them. */
enum { SLOT_BYTES = 8 * JRS_LANES, SLOT_A = 8, SLOT_B, SLOT_C, SLOT_LOW, SLOT_HIGH };

static jrs_slot scratch(unsigned k) {
    return (jrs_slot)JRS_BASE_SCRATCH << JRS_BASE_SHIFT | (jrs_slot)(k * SLOT_BYTES);
}

static void take_halves(const jrs_warp *warp, jrs_slot from, jrs_slot to, unsigned half) {
    const lane_u32 *words = jrs_at(warp, from);
    lane_u16 *halves = jrs_at(warp, to);
    JRS_INDEPENDENT for (unsigned l = 0; l < JRS_LANES; l++) halves[l] = (uint16_t)(words[l] >> (16 * half));
}

/* Compares one half of all lanes into predicate d; the boolean operand is a copy: d may be its register. */
static void compare_half(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, unsigned half, jrs_slot d) {
    jrs_instruction inner = *i;
    jrs_type pair = (jrs_type)(i->run == jrs_op_set_pair ? i->arithmetic.source_type : i->type);
    for (unsigned k = 0; k < 2; k++) {
        inner.s[k] = scratch(SLOT_A + k);
        take_halves(warp, i->s[k], inner.s[k], half);
    }
    inner.s[2] = scratch(SLOT_C);
    inner.type = pair == JRS_TYPE_f16x2 ? JRS_TYPE_f16 : JRS_TYPE_bf16;
    inner.run = i->arithmetic.ftz ? jrs_op_adjust : i->arithmetic.inner;
    inner.has_d2 = false;
    inner.d = d;
    inner.run(warp, &inner, mask);
}

static void keep_boolean(const jrs_warp *warp, const jrs_instruction *i) {
    if (i->arithmetic.boolean) memcpy(jrs_at(warp, scratch(SLOT_C)), jrs_at(warp, i->s[2]), sizeof(uint32_t));
}

/* p is of the lower half, q of the upper one. */
jrs_next jrs_op_setp_pair(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    keep_boolean(warp, i);
    compare_half(warp, i, mask, 0, i->d);
    if (i->has_d2) compare_half(warp, i, mask, 1, i->d2);
    return JRS_STEP;
}

/* 1.0, or all ones, in each half that holds. */
jrs_next jrs_op_set_pair(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const uint32_t one = i->type == JRS_TYPE_f16x2 ? 0x3c00u : i->type == JRS_TYPE_bf16x2 ? 0x3f80u : 0xffffu;
    lane_u32 *ds = jrs_at(warp, i->d);
    keep_boolean(warp, i);
    compare_half(warp, i, mask, 0, scratch(SLOT_LOW));
    compare_half(warp, i, mask, 1, scratch(SLOT_HIGH));
    const uint32_t lows = jrs_predicate(warp, scratch(SLOT_LOW)), highs = jrs_predicate(warp, scratch(SLOT_HIGH));
    JRS_FOR_LANES(mask, ds[l] = (lows >> l & 1 ? one : 0) | (highs >> l & 1 ? one << 16 : 0));
    return JRS_STEP;
}
