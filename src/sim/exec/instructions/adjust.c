/* Modifiers of float forms: .ftz flushes operands and result, .sat clamps the result, a rounding mode surrounds it.
 *
 * The adjusted instruction is a copy whose operands lie in the warp's scratch lanes. */
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"
#include "sim_number.h"

enum { SCRATCH_SLOT_BYTES = 8 * JRS_LANES };

static bool is_brain(jrs_type type) {
    return type == JRS_TYPE_bf16 || type == JRS_TYPE_bf16x2;
}

/* Subnormals to zeros of the same sign. */
static void flush_words(lane_u32 *words) {
    for (unsigned l = 0; l < JRS_LANES; l++)
        if ((words[l] & 0x7f800000u) == 0) words[l] &= 0x80000000u;
}

static void flush_halves(lane_u16 *halves, unsigned count, uint16_t exponent) {
    for (unsigned l = 0; l < count; l++)
        if ((halves[l] & exponent) == 0) halves[l] &= 0x8000u;
}

static void flush(void *lanes, jrs_type type) {
    uint16_t exponent = is_brain(type) ? 0x7f80u : 0x7c00u;
    if (type == JRS_TYPE_f32)
        flush_words(lanes);
    else
        flush_halves(lanes, jrs_type_bytes(type) / 2 * JRS_LANES, exponent);
}

/* Into [0, 1]; a NaN becomes 0. */
static void saturate_words(lane_f32 *values) {
    for (unsigned l = 0; l < JRS_LANES; l++) values[l] = values[l] > 0.0f ? values[l] < 1.0f ? values[l] : 1.0f : 0.0f;
}

static void saturate_halves(lane_u16 *halves, unsigned count, uint16_t one, uint16_t infinity) {
    for (unsigned l = 0; l < count; l++) {
        bool negative_or_nan = halves[l] >> 15 || halves[l] > infinity;
        halves[l] = negative_or_nan ? 0 : halves[l] > one ? one : halves[l];
    }
}

static void saturate(void *lanes, jrs_type type) {
    unsigned count = jrs_type_bytes(type) / 2 * JRS_LANES;
    if (type == JRS_TYPE_f32)
        saturate_words(lanes);
    else if (is_brain(type))
        saturate_halves(lanes, count, 0x3f80u, 0x7f80u);
    else
        saturate_halves(lanes, count, 0x3c00u, 0x7c00u);
}

static jrs_slot scratch_slot(unsigned k) {
    return (jrs_slot)JRS_BASE_SCRATCH << JRS_BASE_SHIFT | (jrs_slot)(k * SCRATCH_SLOT_BYTES);
}

static void copy_lanes(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, jrs_slot from) {
    const jrs_instruction move = {.d = i->d, .s = {from}, .width = (uint8_t)jrs_type_bytes((jrs_type)i->type)};
    jrs_op_move((jrs_warp *)warp, &move, mask);
}

jrs_next jrs_op_adjust(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_instruction inner = *i;
    jrs_type type = (jrs_type)i->type;
    size_t bytes = jrs_type_bytes(type) * JRS_LANES;
    inner.run = i->arithmetic.inner;
    for (unsigned k = 0; i->arithmetic.ftz && k < i->source_count && k < 3; k++) {
        if (i->arithmetic.boolean && k == 2) break; /* a predicate */
        inner.s[k] = scratch_slot(k);
        memcpy(jrs_at(warp, inner.s[k]), jrs_at(warp, i->s[k]), bytes);
        flush(jrs_at(warp, inner.s[k]), type);
    }
    if (i->arithmetic.compares) return inner.run(warp, &inner, mask);
    inner.d = scratch_slot(4);
    jrs_next next = jrs_with_rounding((jrs_rounding)i->arithmetic.rounding, inner.run, warp, &inner, mask);
    if (i->arithmetic.ftz) flush(jrs_at(warp, inner.d), type);
    if (i->arithmetic.sat) saturate(jrs_at(warp, inner.d), type);
    copy_lanes(warp, i, mask, inner.d);
    return next;
}
