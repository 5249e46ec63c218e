/* Stamps: the last accesses to a place of shared memory, and whether one now races with them. */
#ifndef JRS_JUDGE_SHADOW_STAMP_H
#define JRS_JUDGE_SHADOW_STAMP_H

#include "sim/exec/sim_machine.h"

/* The clocks of a copy in flight and of an mbarrier. As in all clocks, the lowest bits are the rank of the warp's
 * block. */
#define JRS_STAMP_COPYING (UINT32_MAX - JRS_MAX_CLUSTER + 1)
#define JRS_STAMP_HELD    (JRS_STAMP_COPYING - JRS_MAX_CLUSTER)

/* The bits of a stamp: see jrs_stamp. MANY means, in a reader, that several lanes of its warp read at that
 * clock; in a writer, that a bulk copy wrote. */
enum {
    JRS_STAMP_WARP_SHIFT = 5,
    JRS_STAMP_MANY_SHIFT = 10,
    JRS_STAMP_ATOMIC_SHIFT = 11,
    JRS_STAMP_LINE_SHIFT = 12,
    JRS_STAMP_UNWRITTEN_SHIFT = 31,
    JRS_STAMP_CLOCK_SHIFT = 32,
    JRS_STAMP_LINE_MASK = 0x7ffff
};

#define JRS_STAMP_MANY      (UINT64_C(1) << JRS_STAMP_MANY_SHIFT)
#define JRS_STAMP_UNWRITTEN (UINT64_C(1) << JRS_STAMP_UNWRITTEN_SHIFT)

static inline uint32_t jrs_stamp_clock_of(jrs_stamp stamp) {
    return (uint32_t)(stamp >> JRS_STAMP_CLOCK_SHIFT);
}

static inline unsigned jrs_stamp_warp_of(jrs_stamp stamp) {
    return stamp >> JRS_STAMP_WARP_SHIFT & 31;
}

/* The rank, in its cluster, of the block whose warp left the stamp. A clock steps by warp->tick, a power of two; the
 * bits below it are the rank. */
static inline uint32_t jrs_stamp_rank_of(const jrs_warp *warp, jrs_stamp stamp) {
    return jrs_stamp_clock_of(stamp) & (warp->tick - 1);
}

/* The entry, in vector clocks, of the warp that left the stamp. */
static inline uint32_t jrs_stamp_entry_of(const jrs_warp *warp, jrs_stamp stamp) {
    if (warp->tick == 1) return jrs_stamp_warp_of(stamp); /* its block is alone */
    return jrs_stamp_rank_of(warp, stamp) * warp->block->warp_count + jrs_stamp_warp_of(stamp);
}

static inline jrs_stamp jrs_shadow_stamp(const jrs_warp *warp, const jrs_instruction *i, unsigned lane,
                                         uint32_t clock) {
    return (uint64_t)clock << JRS_STAMP_CLOCK_SHIFT |
           (uint64_t)(i->line & JRS_STAMP_LINE_MASK) << JRS_STAMP_LINE_SHIFT |
           (uint64_t)i->strong << JRS_STAMP_ATOMIC_SHIFT | (uint64_t)warp->number << JRS_STAMP_WARP_SHIFT | lane;
}

/* True if an earlier access races with one by this lane now, provided that one of the two writes. */
static inline bool jrs_shadow_races(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_stamp earlier) {
    const uint32_t other = jrs_stamp_entry_of(warp, earlier);
    if (jrs_stamp_clock_of(earlier) < warp->clock[other]) return false; /* seen; so is all that earlier blocks did */
    if (i->strong && (earlier >> JRS_STAMP_ATOMIC_SHIFT & 1)) return false;
    return other != warp->entry || (earlier & 31) != lane || (earlier & JRS_STAMP_MANY);
}

/* True if a lane of this warp stored to the byte by the same instruction: then it is not a race, since one of the lanes
 * wins, as the programming guide says. */
static inline bool jrs_shadow_same_store(const jrs_warp *warp, const jrs_instruction *i, jrs_stamp earlier) {
    return jrs_stamp_entry_of(warp, earlier) == warp->entry &&
           (earlier >> JRS_STAMP_LINE_SHIFT & JRS_STAMP_LINE_MASK) == (i->line & JRS_STAMP_LINE_MASK);
}

/* True if two bytes have the same past. Neighbouring bytes mostly have: they are judged once. */
static inline bool jrs_shadow_same_past(const jrs_shadow *one, const jrs_shadow *two) {
    return one->writer == two->writer && one->reader == two->reader && one->other_reader == two->other_reader;
}

/* The shadow of a byte after this warp has read it: its own last read is replaced, of other warps one is kept. */
static inline jrs_shadow jrs_shadow_read_by(const jrs_warp *warp, jrs_shadow byte, jrs_stamp now) {
    if (jrs_stamp_entry_of(warp, byte.reader) != warp->entry) return (jrs_shadow){byte.writer, now, byte.reader};
    bool at_once = jrs_stamp_clock_of(byte.reader) == jrs_stamp_clock_of(now),
         another = (byte.reader & 31) != (now & 31);
    bool many = at_once && (another || (byte.reader & JRS_STAMP_MANY));
    return (jrs_shadow){byte.writer, now | (many ? JRS_STAMP_MANY : 0), byte.other_reader};
}

#endif
