/* Finds uninitialised reads and data races in shared memory.
 *
 * Every warp has a vector clock (sim_clock.c). A byte remembers its last writer and, of two warps, the last readers,
 * with their clocks; a race with an older reader may be missed. Two accesses race when they are by different threads,
 * at least one writes, not both are atomic, and the later warp has not seen the earlier one's clock. Lanes of one warp
 * are ordered by a tick.
 *
 * Two clocks that no warp reaches mark bytes that nobody may touch: those that a copy in flight will write, and those
 * of an mbarrier.
 *
 * One vector has the warps of all blocks of a cluster; the rank in a stamp's clock says which block it is from.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "shadow.h"

/* The clocks of a copy in flight and of an mbarrier. As in all clocks, the lowest bits are the rank of the warp's
 * block. */
#define COPYING (UINT32_MAX - JRS_MAX_CLUSTER + 1)
#define HELD    (COPYING - JRS_MAX_CLUSTER)

/* The bits of a stamp: see jrs_stamp. MANY means, in a reader, that several lanes of its warp read at that clock; in a
 * writer, that a bulk copy wrote. */
enum {
    WARP_SHIFT = 5,
    MANY_SHIFT = 10,
    ATOMIC_SHIFT = 11,
    LINE_SHIFT = 12,
    UNWRITTEN_SHIFT = 31,
    CLOCK_SHIFT = 32,
    LINE_MASK = 0x7ffff
};

static uint32_t clock_of(jrs_stamp stamp) {
    return (uint32_t)(stamp >> CLOCK_SHIFT);
}

static unsigned warp_of(jrs_stamp stamp) {
    return stamp >> WARP_SHIFT & 31;
}

/* The rank, in its cluster, of the block whose warp left the stamp. A clock steps by warp->tick, a power of two; the
 * bits below it are the rank. */
static uint32_t rank_of(const jrs_warp *warp, jrs_stamp stamp) {
    return clock_of(stamp) & (warp->tick - 1);
}

/* The entry, in vector clocks, of the warp that left the stamp. */
static uint32_t entry_of(const jrs_warp *warp, jrs_stamp stamp) {
    if (warp->tick == 1) return warp_of(stamp); /* its block is alone */
    return rank_of(warp, stamp) * warp->block->warp_count + warp_of(stamp);
}

bool jrs_shadow_seen(const jrs_warp *warp, jrs_stamp stamp) {
    return clock_of(stamp) < warp->clock[entry_of(warp, stamp)];
}

jrs_stamp jrs_shadow_stamp(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint32_t clock) {
    return (uint64_t)clock << CLOCK_SHIFT | (uint64_t)(i->line & LINE_MASK) << LINE_SHIFT |
           (uint64_t)i->strong << ATOMIC_SHIFT | (uint64_t)warp->number << WARP_SHIFT | lane;
}

/* True if an earlier access races with one by this lane now, provided that one of the two writes. */
static bool races(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_stamp earlier) {
    const uint32_t other = entry_of(warp, earlier);
    if (clock_of(earlier) < warp->clock[other]) return false; /* seen; so is all that earlier blocks did */
    if (i->strong && (earlier >> ATOMIC_SHIFT & 1)) return false;
    return other != warp->entry || (earlier & 31) != lane || (earlier >> MANY_SHIFT & 1);
}

/* True if a lane of this warp stored to the byte by the same instruction: then it is not a race, since one of the lanes
 * wins, as the programming guide says. */
static bool same_store(const jrs_warp *warp, const jrs_instruction *i, jrs_stamp earlier) {
    return entry_of(warp, earlier) == warp->entry && (earlier >> LINE_SHIFT & LINE_MASK) == (i->line & LINE_MASK);
}

/* The earlier access to a byte, for a report. */
typedef struct past_access {
    const jrs_block *block; /* whose shared memory */
    uint32_t offset;
    jrs_stamp earlier;
    const char *did; /* "wrote", "read" */
} past_access;

const char *jrs_shadow_place(const jrs_block *block, jrs_stamp stamp, char out[JRS_SOURCE_BYTES]) {
    return jrs_source_line(block->run->function->module, stamp >> LINE_SHIFT & LINE_MASK, out);
}

const char *jrs_shadow_name(const jrs_warp *warp, jrs_stamp stamp, char out[JRS_NAME_BYTES]) {
    const jrs_warp *other = &warp->block->cluster->blocks[rank_of(warp, stamp)].warps[warp_of(stamp)];
    const uint32_t *index = other->block->index;
    uint32_t thread[3];
    jrs_thread_index(other, stamp & 31, thread);
    const int length = snprintf(out, JRS_NAME_BYTES, "thread (%u,%u,%u)", thread[0], thread[1], thread[2]);
    if (other->block != warp->block)
        snprintf(out + length, JRS_NAME_BYTES - (size_t)length, " of block (%u,%u,%u)", index[0], index[1], index[2]);
    return out;
}

const char *jrs_shadow_writers(const jrs_warp *warp) {
    return warp->block->cluster->count > 1 ? "cluster" : "block";
}

const char *jrs_shadow_owner(const jrs_warp *warp, const jrs_block *block, char out[JRS_OWNER_BYTES]) {
    const uint32_t *index = block->index;
    out[0] = '\0';
    if (block != warp->block) snprintf(out, JRS_OWNER_BYTES, " of block (%u,%u,%u)", index[0], index[1], index[2]);
    return out;
}

/* Reports a fault of this kind. True if the launch's judge lets the kernel continue, as from all that return bool here;
 * false if the warp must stop. */
static bool report(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_fault_kind kind, past_access past) {
    const jrs_stamp earlier = past.earlier;
    char source[JRS_SOURCE_BYTES], name[JRS_NAME_BYTES], owner[JRS_OWNER_BYTES];
    return jrs_fault(warp, i, lane, kind, "address 0x%" PRIx32 "%s: %s %s it at %s with no barrier between",
                     past.offset, jrs_shadow_owner(warp, past.block, owner), jrs_shadow_name(warp, earlier, name),
                     past.did, jrs_shadow_place(warp->block, earlier, source)) == JRS_STEP;
}

static bool report_race(jrs_warp *warp, const jrs_instruction *i, unsigned lane, past_access past) {
    return report(warp, i, lane, JRS_FAULT_RACE, past);
}

/* Reports an access to a byte of a copy in flight, or of an mbarrier; the latter always stops the warp. */
static bool report_held(jrs_warp *warp, const jrs_instruction *i, unsigned lane, past_access past) {
    char source[JRS_SOURCE_BYTES], name[JRS_NAME_BYTES], owner[JRS_OWNER_BYTES];
    jrs_shadow_place(warp->block, past.earlier, source);
    jrs_shadow_name(warp, past.earlier, name);
    jrs_shadow_owner(warp, past.block, owner);
    if (clock_of(past.earlier) < COPYING) {
        jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER,
                  "address 0x%" PRIx32 "%s is in an mbarrier, which %s initialised at %s", past.offset, owner, name,
                  source);
        return false;
    }
    return jrs_fault(warp, i, lane, JRS_FAULT_RACE,
                     "address 0x%" PRIx32 "%s: the copy that %s began at %s writes it and has not "
                     "been waited for",
                     past.offset, owner, name, source) == JRS_STEP;
}

/* True if two bytes have the same past. Neighbouring bytes mostly have: they are judged once. */
static bool same_past(const jrs_shadow *one, const jrs_shadow *two) {
    return one->writer == two->writer && one->reader == two->reader && one->other_reader == two->other_reader;
}

/* Notes in *finding that the access found this byte, of the span `where`, as `earlier` left it. */
static void put_down(jrs_finding *finding, const jrs_span *where, uint32_t byte, jrs_stamp earlier) {
    if (!finding->bytes) *finding = (jrs_finding){.block = where->block, .offset = where->offset, .earlier = earlier};
    finding->bytes |= 1u << byte;
}

/* Judges a read of one byte. unwritten: receives whether nobody wrote it; NULL: then that is a fault. */
static bool may_read(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_block *block, uint32_t offset,
                     bool *unwritten) {
    const jrs_stamp writer = block->shadow[offset].writer;
    if (clock_of(writer) >= HELD) return report_held(warp, i, lane, (past_access){block, offset, writer, NULL});
    if (races(warp, i, lane, writer)) return report_race(warp, i, lane, (past_access){block, offset, writer, "wrote"});
    const bool own = offset < block->run->reserved_shared; /* the system's part begins as zeros */
    const bool written = !own || (clock_of(writer) >= block->first_clock && !(writer >> UNWRITTEN_SHIFT & 1));
    if (unwritten) *unwritten = !written;
    if (unwritten || written) return true;
    return jrs_fault(warp, i, lane, JRS_FAULT_UNINITIALISED, "address 0x%" PRIx32 " was never written by this %s",
                     offset, jrs_shadow_writers(warp)) == JRS_STEP;
}

/* The shadow of a byte after this warp has read it: its own last read is replaced, of other warps one is kept. */
static jrs_shadow read_by(const jrs_warp *warp, jrs_shadow byte, jrs_stamp now) {
    if (entry_of(warp, byte.reader) != warp->entry) return (jrs_shadow){byte.writer, now, byte.reader};
    bool at_once = clock_of(byte.reader) == clock_of(now), another = (byte.reader & 31) != (now & 31);
    bool many = at_once && (another || (byte.reader >> MANY_SHIFT & 1));
    return (jrs_shadow){byte.writer, now | (uint64_t)many << MANY_SHIFT, byte.other_reader};
}

/* Judges a read of a span, and remembers it. finding: receives the bytes that nobody wrote; NULL: they are a fault. */
static bool read_as(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span where, jrs_finding *finding) {
    bool unwritten = false;
    const jrs_block *block = where.block;
    jrs_shadow *shadow = block->shadow + where.offset, past = {0, 0, 0}, after = past;
    jrs_stamp now = jrs_shadow_stamp(warp, i, lane, jrs_now(warp));
    for (uint32_t k = 0; k < where.bytes; k++) {
        if (k == 0 || !same_past(&shadow[k], &past)) {
            if (!may_read(warp, i, lane, block, where.offset + k, finding ? &unwritten : NULL)) return false;
            past = shadow[k];
            after = read_by(warp, past, now);
        }
        if (unwritten) put_down(finding, &where, k, past.writer);
        shadow[k] = after;
    }
    return true;
}

void jrs_shadow_unwrite(const jrs_block *block, uint32_t offset, uint32_t bytes) {
    for (uint32_t k = 0; k < bytes; k++) block->shadow[offset + k].writer |= UINT64_C(1) << UNWRITTEN_SHIFT;
}

/* Judges a write of one byte. clashes: receives whether another thread wrote it with no barrier between; NULL: then
 * that is a race, whatever the two write. */
static bool may_write(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_block *block, uint32_t offset,
                      bool *clashes) {
    const jrs_shadow byte = block->shadow[offset];
    if (clock_of(byte.writer) >= HELD)
        return report_held(warp, i, lane, (past_access){block, offset, byte.writer, NULL});
    const bool again = races(warp, i, lane, byte.writer) && !same_store(warp, i, byte.writer);
    if (clashes)
        *clashes = again;
    else if (again)
        return report_race(warp, i, lane, (past_access){block, offset, byte.writer, "wrote"});
    if (races(warp, i, lane, byte.reader))
        return report_race(warp, i, lane, (past_access){block, offset, byte.reader, "read"});
    return !races(warp, i, lane, byte.other_reader) ||
           report_race(warp, i, lane, (past_access){block, offset, byte.other_reader, "read"});
}

/* Judges a write of a span, and remembers it by this stamp. clash: receives the bytes that clash; NULL: they are a
 * race. */
static bool write_as(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_stamp stamp, jrs_span where,
                     jrs_finding *clash) {
    bool clashes = false;
    const jrs_block *block = where.block;
    jrs_shadow *shadow = block->shadow + where.offset, past = {0, 0, 0};
    for (uint32_t k = 0; k < where.bytes; k++) {
        if (k == 0 || !same_past(&shadow[k], &past)) {
            if (!may_write(warp, i, lane, block, where.offset + k, clash ? &clashes : NULL)) return false;
            past = shadow[k];
        }
        if (clashes) put_down(clash, &where, k, past.writer);
        shadow[k].writer = stamp;
    }
    return true;
}

bool jrs_shadow_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span bytes, jrs_intent intent) {
    const bool reads = intent <= JRS_LOAD || intent == JRS_MODIFY, writes = intent > JRS_LOAD;
    uint32_t clock = jrs_now(warp);
    if (intent >= JRS_FILL) clock = (intent == JRS_FILL ? COPYING : HELD) + warp->block->rank;
    if (reads && !read_as(warp, i, lane, bytes, intent == JRS_LOAD ? &warp->finding : NULL)) return false;
    return !writes || write_as(warp, i, lane, jrs_shadow_stamp(warp, i, lane, clock), bytes,
                               intent == JRS_STORE ? &warp->finding : NULL);
}

bool jrs_shadow_settle(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const uint8_t *held,
                       const uint8_t *stored) {
    const jrs_finding clash = warp->finding;
    warp->finding.bytes = 0;
    for (uint32_t rest = clash.bytes; rest; rest &= rest - 1)
        if (held[jrs_first(rest)] != stored[jrs_first(rest)])
            return report_race(warp, i, lane,
                               (past_access){clash.block, clash.offset + jrs_first(rest), clash.earlier, "wrote"});
    return report(warp, i, lane, JRS_FAULT_SAME_VALUE,
                  (past_access){clash.block, clash.offset, clash.earlier, "wrote"});
}

/* ---- copies and mbarriers ---- */

/* MANY, in a writer's stamp. */
static const jrs_stamp in_bulk = UINT64_C(1) << MANY_SHIFT;

void jrs_shadow_end_copy(const jrs_flight *flight, uint32_t clock, bool bulk) {
    const jrs_stamp stamp = jrs_shadow_stamp(flight->warp, flight->instruction, flight->lane, clock);
    jrs_shadow *shadow = flight->block->shadow + flight->shared;
    for (uint32_t k = 0; k < flight->bytes; k++) shadow[k].writer = bulk ? stamp | in_bulk : stamp;
}

void jrs_shadow_fence_proxy(jrs_warp *warp) {
    jrs_clock_tick(warp);
    jrs_clock_join(warp->block->proxied, warp->clock, warp->block->run->clock_count);
}

bool jrs_shadow_proxied(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span bytes) {
    const jrs_block *block = warp->block;
    char source[JRS_SOURCE_BYTES];
    for (uint32_t k = 0; k < bytes.bytes; k++) {
        const jrs_stamp writer = block->shadow[bytes.offset + k].writer;
        if ((writer & in_bulk) || clock_of(writer) < block->proxied[entry_of(warp, writer)]) continue;
        return jrs_fault(warp, i, lane, JRS_FAULT_PROXY,
                         "address 0x%" PRIx32 " was written at %s, and no fence.proxy.async followed", bytes.offset + k,
                         jrs_shadow_place(block, writer, source)) == JRS_STEP;
    }
    return true;
}

void jrs_shadow_forget(const jrs_block *block, uint32_t offset, uint32_t bytes) {
    memset(block->shadow + offset, 0, bytes * sizeof *block->shadow);
}

bool jrs_shadow_after(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_mbarrier *mbarrier) {
    return !races(warp, i, lane, mbarrier->initialised) ||
           report_race(warp, i, lane,
                       (past_access){mbarrier->block, mbarrier->offset, mbarrier->initialised, "initialised"});
}
