/* Moves, packing and unpacking of vectors, and address windows. */
#include "sim/exec/lanes.h"
#include "sim/exec/shared.h"
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
    jrs_put_predicate(warp, i->d, mask, jrs_predicate(warp, i->s[0]));
    return JRS_STEP;
}

/* A predicate with a ! in front. */
jrs_next jrs_op_negate(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_put_predicate(warp, i->d, mask, ~jrs_predicate(warp, i->s[0]));
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

static jrs_next add(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint64_t offset) {
    const lane_u64 *as = jrs_at(warp, i->s[0]);
    lane_u64 *ds = jrs_at(warp, i->d);
    JRS_FOR_LANES(mask, ds[l] = as[l] + offset);
    return JRS_STEP;
}

jrs_next jrs_op_window_add(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const jrs_block *block = warp->block;
    lane_u64 *ds = jrs_at(warp, i->d);
    add(warp, i, mask, (uint64_t)i->window << JRS_WINDOW_SHIFT);
    if (i->window != JRS_WINDOW_SHARED || block->cluster->count == 1) return JRS_STEP;
    for (uint32_t rest = mask; rest; rest &= rest - 1) { /* other blocks may be given it: it says whose it is */
        const unsigned l = jrs_first(rest);
        if (!((uint32_t)ds[l] >> JRS_RANK_SHIFT)) ds[l] += jrs_shared_address(block, 0);
    }
    return JRS_STEP;
}

jrs_next jrs_op_window_remove(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    return add(warp, i, mask, 0 - ((uint64_t)i->window << JRS_WINDOW_SHIFT));
}

jrs_next jrs_op_isspacep(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u64 *as = jrs_at(warp, i->s[0]);
    const bool own = i->window == JRS_WINDOW_SHARED && i->operation == JRS_WITHIN_BLOCK;
    uint32_t inside = 0;
    for (unsigned l = 0; l < JRS_LANES; l++) {
        const uint32_t owner = (uint32_t)as[l] >> JRS_RANK_SHIFT;
        const bool is = as[l] >> JRS_WINDOW_SHIFT == i->window && (!own || !owner || owner == warp->block->rank + 1);
        inside |= (uint32_t)is << l;
    }
    jrs_put_predicate(warp, i->d, mask, inside);
    return JRS_STEP;
}
