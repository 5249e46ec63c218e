/* Moves, packing and unpacking of vectors, and address windows. */
#include "lanes.h"
#include "sim/ptx/handlers.h"

#define MOVE(T)                                                                                                        \
    static void move_##T(const jrs_warp *warp, jrs_slot from, jrs_slot to, uint32_t mask) {                            \
        const lane_##T *as = jrs_at(warp, from);                                                                       \
        lane_##T *ds = jrs_at(warp, to);                                                                               \
        JRS_FOR_LANES(mask, ds[l] = as[l]);                                                                            \
    }

MOVE(u16)
MOVE(u32)
MOVE(u64)
MOVE(u128)

jrs_next jrs_op_move(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    switch (i->width) {
    case 2: move_u16(warp, i->s[0], i->d, mask); break;
    case 4: move_u32(warp, i->s[0], i->d, mask); break;
    case 8: move_u64(warp, i->s[0], i->d, mask); break;
    default: move_u128(warp, i->s[0], i->d, mask); break;
    }
    return JRS_STEP;
}

jrs_next jrs_op_move_predicate(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint32_t from = *(const lane_u32 *)jrs_at(warp, i->s[0]);
    lane_u32 *to = jrs_at(warp, i->d);
    *to = (*to & ~mask) | (from & mask);
    return JRS_STEP;
}

/* A predicate with a ! in front. */
jrs_next jrs_op_negate(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    *(lane_u32 *)jrs_at(warp, i->d) = ~*(const lane_u32 *)jrs_at(warp, i->s[0]);
    (void)mask; /* a temporary, that nobody reads in other lanes */
    return JRS_STEP;
}

/* The elements of every lane side by side. */
static void gather(const jrs_warp *warp, const jrs_instruction *i, uint8_t *whole) {
    const size_t bytes = i->width, element = i->elements.bytes;
    for (unsigned k = 0; k < i->elements.count; k++) {
        const uint8_t *from = jrs_at(warp, i->elements.slots[k]);
        for (unsigned l = 0; l < JRS_LANES; l++) memcpy(whole + l * bytes + k * element, from + l * element, element);
    }
}

/* Elements into temporary lanes first: a vector may contain the register that is packed. */
jrs_next jrs_op_pack(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint8_t whole[JRS_LANES * 16];
    const size_t bytes = i->width;
    gather(warp, i, whole);
    uint8_t *to = jrs_at(warp, i->d);
    if (mask == JRS_ALL_LANES) {
        memcpy(to, whole, bytes * JRS_LANES);
        return JRS_STEP;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        size_t l = jrs_first(rest);
        memcpy(to + l * bytes, whole + l * bytes, bytes);
    }
    return JRS_STEP;
}

jrs_next jrs_op_unpack(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint8_t whole[JRS_LANES * 16];
    const size_t bytes = i->width, element = i->elements.bytes;
    memcpy(whole, jrs_at(warp, i->s[0]), bytes * JRS_LANES);
    for (unsigned k = 0; k < i->elements.count; k++) {
        uint8_t *to = jrs_at(warp, i->elements.slots[k]);
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            size_t l = jrs_first(rest);
            memcpy(to + l * element, whole + l * bytes + k * element, element);
        }
    }
    return JRS_STEP;
}

/* ---- windows ---- */

jrs_next jrs_op_window_add(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u64 *as = jrs_at(warp, i->s[0]);
    lane_u64 *ds = jrs_at(warp, i->d);
    const uint64_t window = (uint64_t)i->window << JRS_WINDOW_SHIFT;
    JRS_FOR_LANES(mask, ds[l] = as[l] + window);
    return JRS_STEP;
}

jrs_next jrs_op_window_remove(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u64 *as = jrs_at(warp, i->s[0]);
    lane_u64 *ds = jrs_at(warp, i->d);
    const uint64_t window = (uint64_t)i->window << JRS_WINDOW_SHIFT;
    JRS_FOR_LANES(mask, ds[l] = as[l] - window);
    return JRS_STEP;
}

jrs_next jrs_op_isspacep(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u64 *as = jrs_at(warp, i->s[0]);
    lane_u32 *d = jrs_at(warp, i->d);
    uint32_t inside = 0;
    for (unsigned l = 0; l < JRS_LANES; l++) inside |= (uint32_t)(as[l] >> JRS_WINDOW_SHIFT == i->window) << l;
    *d = (*d & ~mask) | (inside & mask);
    return JRS_STEP;
}
