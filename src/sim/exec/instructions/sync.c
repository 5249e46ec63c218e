/* Exchanges between the lanes of a warp: shfl, vote, match, redux, elect, bar.warp.sync.
 *
 * Each waits until all lanes that its member mask names, and that have not exited, have come to the same instruction
 * (bar.warp.sync: to any). Without .sync those lanes that run it together exchange. */
#include "sim/exec/judge/shadow.h"
#include "sim/exec/judge/undefined.h"
#include "sim/exec/lane_group.h"
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"

static bool same_place(const jrs_group *group, const jrs_group *other, const jrs_instruction *i) {
    if (i->run == jrs_op_warp_sync) return other->frame->function->code[other->pc].run == jrs_op_warp_sync;
    return other->frame == group->frame && other->pc == group->pc;
}

static jrs_next check_members(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t members) {
    uint32_t outside = mask & ~members;
    if (!outside) return JRS_STEP;
    return jrs_fault(warp, i, jrs_first(outside), JRS_FAULT_MASK,
                     "lane %u runs the instruction but is not in its mask 0x%x", jrs_first(outside), members);
}

/* Lanes of the running group that name these members wait as a group of their own. */
static void park(jrs_warp *warp, uint32_t mask, uint32_t members) {
    jrs_group *waiting = jrs_group_split(warp, mask);
    waiting->state = JRS_AT_SYNC;
    waiting->members = members;
}

/* Wakes the waiting lanes that `arrived` now completes: those at the same place join the running group. */
static void gather(jrs_warp *warp, const jrs_instruction *i, uint32_t members) {
    jrs_group *group = warp->group;
    for (uint32_t k = warp->group_count; k-- > 0;) {
        jrs_group *other = &warp->groups[k];
        if (other == group || other->state != JRS_AT_SYNC || other->members != members) continue;
        if (!same_place(group, other, i)) continue;
        other->state = JRS_READY;
        if (other->frame != group->frame || other->pc != group->pc) {
            other->pc++; /* another bar.warp.sync: it has passed */
            continue;
        }
        group->mask |= other->mask;
        jrs_group_remove(warp, other);
        group = warp->group; /* it may have moved into the gap */
    }
}

static uint32_t waiting_lanes(const jrs_warp *warp, const jrs_instruction *i, uint32_t members) {
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < warp->group_count; k++) {
        const jrs_group *other = &warp->groups[k];
        if (other != warp->group && other->state == JRS_AT_SYNC && other->members == members &&
            same_place(warp->group, other, i))
            lanes |= other->mask;
    }
    return lanes;
}

/* JRS_STEP: all of *mask has come and may go on, the lanes of this call and those that waited; else what to return.
 * Lanes with different member masks are handled one set at a time: the others stay where they are, ready. */
static jrs_next meet(jrs_warp *warp, const jrs_instruction *i, uint32_t *mask) {
    if (i->together) return JRS_STEP;
    const lane_u32 *masks = jrs_at(warp, i->s[3]);
    uint32_t members = masks[jrs_first(*mask)], same = 0;
    jrs_clock_tick(warp);
    if (*mask == JRS_ALL_LANES && members == JRS_ALL_LANES) { /* the usual case */
        uint32_t differ = 0;
        for (unsigned l = 0; l < JRS_LANES; l++) differ |= masks[l] ^ members;
        if (!differ) return JRS_STEP;
    }
    for (uint32_t rest = *mask; rest; rest &= rest - 1)
        if (masks[jrs_first(rest)] == members) same |= 1u << jrs_first(rest);
    if (check_members(warp, i, same, members) == JRS_FAULT) return JRS_FAULT;
    if (same != warp->group->mask) { /* lanes that do not run it go on; those with another mask come again */
        uint32_t skipped = warp->group->mask & ~*mask, others = *mask & ~same;
        if (skipped) jrs_group_split(warp, skipped)->pc++;
        if (others) jrs_group_split(warp, others);
        warp->limit = 0;
    }
    uint32_t awaited = members & warp->live;
    if ((same | waiting_lanes(warp, i, members)) != awaited) {
        park(warp, same, members);
        return JRS_WAIT;
    }
    if (same != awaited) gather(warp, i, members);
    *mask = warp->group->mask;
    return JRS_STEP;
}

jrs_next jrs_op_warp_sync(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    return meet(warp, i, &mask);
}

/* ---- shfl ---- */

static int source_lane(unsigned mode, int lane, int b, int c, bool *inside) {
    int segment = c >> 8 & 31, clamp = c & 31;
    int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
    int from = mode == JRS_SHUFFLE_up     ? lane - b
               : mode == JRS_SHUFFLE_down ? lane + b
               : mode == JRS_SHUFFLE_bfly ? lane ^ b
                                          : lowest | (b & ~segment);
    *inside = mode == JRS_SHUFFLE_up ? from >= highest : from <= highest;
    return *inside ? from : lane;
}

jrs_next jrs_op_shfl(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_next next = meet(warp, i, &mask);
    if (next != JRS_STEP) return next;
    const lane_u32 *values = jrs_at(warp, i->s[0]), *bs = jrs_at(warp, i->s[1]), *cs = jrs_at(warp, i->s[2]);
    lane_u32 *ds = jrs_at(warp, i->d);
    uint32_t copy[JRS_LANES], inside = 0, missing = 0;
    uint8_t sources[JRS_LANES] = {0};
    memcpy(copy, values, sizeof copy);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned l = jrs_first(rest);
        bool in;
        unsigned from = (unsigned)source_lane(i->operation, (int)l, (int)(bs[l] & 31), (int)cs[l], &in);
        missing |= (~mask >> from & 1) << l;
        sources[l] = (uint8_t)from;
        ds[l] = copy[from];
        inside |= (uint32_t)in << l;
    }
    if (i->has_d2) jrs_put_predicate(warp, i->d2, mask, inside);
    if ((missing || warp->careful) && !jrs_undefined_exchange(warp, i, mask, missing, sources)) return JRS_FAULT;
    return JRS_STEP;
}

/* ---- vote, match, redux, elect, activemask ---- */

static void put_all(const jrs_warp *warp, jrs_slot slot, uint32_t mask, uint32_t value) {
    lane_u32 *ds = jrs_at(warp, slot);
    JRS_FOR_LANES(mask, ds[l] = value);
}

jrs_next jrs_op_vote(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_next next = meet(warp, i, &mask);
    if (next != JRS_STEP) return next;
    const uint32_t yes = jrs_predicate(warp, i->s[0]) & mask;
    switch (i->operation) {
    case JRS_VOTE_all: jrs_put_predicate(warp, i->d, mask, yes == mask ? mask : 0); break;
    case JRS_VOTE_any: jrs_put_predicate(warp, i->d, mask, yes ? mask : 0); break;
    case JRS_VOTE_uni: jrs_put_predicate(warp, i->d, mask, yes == mask || !yes ? mask : 0); break;
    default: put_all(warp, i->d, mask, yes); break;
    }
    return JRS_STEP;
}

jrs_next jrs_op_match(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_next next = meet(warp, i, &mask);
    if (next != JRS_STEP) return next;
    uint64_t values[JRS_LANES] = {0};
    uint32_t equal[JRS_LANES];
    for (unsigned l = 0; l < JRS_LANES; l++)
        memcpy(&values[l], (const uint8_t *)jrs_at(warp, i->s[0]) + (size_t)l * i->width, i->width);
    for (unsigned l = 0; l < JRS_LANES; l++) {
        equal[l] = 0;
        for (unsigned k = 0; k < JRS_LANES; k++) equal[l] |= (uint32_t)(values[k] == values[l]) << k;
        equal[l] &= mask;
    }
    bool all = equal[jrs_first(mask)] == mask;
    lane_u32 *ds = jrs_at(warp, i->d);
    JRS_FOR_LANES(mask, ds[l] = i->operation == JRS_MATCH_any ? equal[l] : all ? mask : 0);
    if (i->has_d2) jrs_put_predicate(warp, i->d2, mask, all ? mask : 0);
    return JRS_STEP;
}

static uint32_t reduce(const jrs_instruction *i, uint32_t a, uint32_t b) {
    bool sign = i->type == JRS_TYPE_s32, smaller = sign ? (int32_t)a < (int32_t)b : a < b;
    switch (i->operation) {
    case JRS_REDUCE_add: return a + b;
    case JRS_REDUCE_min: return smaller ? a : b;
    case JRS_REDUCE_max: return smaller ? b : a;
    case JRS_REDUCE_and: return a & b;
    case JRS_REDUCE_or: return a | b;
    default: return a ^ b;
    }
}

jrs_next jrs_op_redux(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_next next = meet(warp, i, &mask);
    if (next != JRS_STEP) return next;
    const lane_u32 *values = jrs_at(warp, i->s[0]);
    uint32_t result = values[jrs_first(mask)];
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) result = reduce(i, result, values[jrs_first(rest)]);
    put_all(warp, i->d, mask, result);
    return JRS_STEP;
}

jrs_next jrs_op_elect(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_next next = meet(warp, i, &mask);
    if (next != JRS_STEP) return next;
    unsigned leader = jrs_first(mask);
    put_all(warp, i->d, mask, leader);
    jrs_put_predicate(warp, i->d2, mask, 1u << leader);
    return JRS_STEP;
}

jrs_next jrs_op_activemask(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    put_all(warp, i->d, mask, mask);
    return JRS_STEP;
}

jrs_next jrs_op_nanosleep(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    (void)warp, (void)i, (void)mask;
    return JRS_YIELD;
}
