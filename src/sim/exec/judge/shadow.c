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
#include "shadow_stamp.h"
#include "shadow_word.h"

bool jrs_shadow_seen(const jrs_warp *warp, jrs_stamp stamp) {
    return jrs_stamp_clock_of(stamp) < warp->clock[jrs_stamp_entry_of(warp, stamp)];
}

/* The earlier access to a byte, for a report. */
typedef struct past_access {
    const jrs_block *block; /* whose shared memory */
    uint32_t offset;
    jrs_stamp earlier;
    const char *did; /* "wrote", "read" */
} past_access;

const char *jrs_shadow_place(const jrs_block *block, jrs_stamp stamp, char out[JRS_SOURCE_BYTES]) {
    return jrs_source_line(block->run->function->module, stamp >> JRS_STAMP_LINE_SHIFT & JRS_STAMP_LINE_MASK, out);
}

const char *jrs_shadow_name(const jrs_warp *warp, jrs_stamp stamp, char out[JRS_NAME_BYTES]) {
    const jrs_warp *other =
        &warp->block->cluster->blocks[jrs_stamp_rank_of(warp, stamp)].warps[jrs_stamp_warp_of(stamp)];
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
    if (jrs_stamp_clock_of(past.earlier) < JRS_STAMP_COPYING) {
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

/* Notes in *finding that the access found this byte, of the span `where`, as `earlier` left it. */
static void put_down(jrs_finding *finding, const jrs_span *where, uint32_t byte, jrs_stamp earlier) {
    if (!finding->bytes) *finding = (jrs_finding){.block = where->block, .offset = where->offset, .earlier = earlier};
    finding->bytes |= 1u << byte;
}

/* Judges a read of one byte that `writer` wrote. unwritten: receives whether nobody wrote it; NULL: then that is a
 * fault. */
static bool may_read(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span byte, jrs_stamp writer,
                     bool *unwritten) {
    const jrs_block *block = byte.block;
    const uint32_t offset = byte.offset;
    if (jrs_stamp_clock_of(writer) >= JRS_STAMP_HELD)
        return report_held(warp, i, lane, (past_access){block, offset, writer, NULL});
    if (jrs_shadow_races(warp, i, lane, writer))
        return report_race(warp, i, lane, (past_access){block, offset, writer, "wrote"});
    const bool own = offset < block->run->reserved_shared; /* the system's part begins as zeros */
    const bool written = !own || (jrs_stamp_clock_of(writer) >= block->first_clock && !(writer & JRS_STAMP_UNWRITTEN));
    if (unwritten) *unwritten = !written;
    if (unwritten || written) return true;
    return jrs_fault(warp, i, lane, JRS_FAULT_UNINITIALISED, "address 0x%" PRIx32 " was never written by this %s",
                     offset, jrs_shadow_writers(warp)) == JRS_STEP;
}

/* Judges a read of a span, and remembers it. finding: receives the bytes that nobody wrote; NULL: they are a fault. */
static bool read_as(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span where, jrs_finding *finding) {
    const uint32_t begin = where.offset, end = begin + where.bytes;
    const jrs_stamp now = jrs_shadow_stamp(warp, i, lane, jrs_now(warp));
    jrs_shadow past = {0, 0, 0}, after = past;
    bool unwritten = false, split = false;
    for (uint32_t at = begin, bytes; at < end; at += bytes) {
        jrs_shadow *shadow = jrs_word_past(where.block, at, end, &bytes);
        if (at == begin || !jrs_shadow_same_past(shadow, &past)) {
            const jrs_span byte = {where.block, at, 1};
            if (!may_read(warp, i, lane, byte, shadow->writer, finding ? &unwritten : NULL)) return false;
            past = *shadow;
            after = jrs_shadow_read_by(warp, past, now);
        }
        for (uint32_t k = 0; unwritten && k < bytes; k++) put_down(finding, &where, at - begin + k, past.writer);
        *shadow = after;
        split |= bytes == 1;
    }
    if (split) jrs_word_join(where.block, begin, end);
    return true;
}

void jrs_shadow_unwrite(const jrs_block *block, uint32_t offset, uint32_t bytes) {
    for (uint32_t at = offset, size; at < offset + bytes; at += size)
        jrs_word_past(block, at, offset + bytes, &size)->writer |= JRS_STAMP_UNWRITTEN;
}

/* Judges a write of one byte, whose past is byte. clashes: receives whether another thread wrote it with no barrier
 * between; NULL: then that is a race, whatever the two write. */
static bool may_write(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span where, jrs_shadow byte,
                      bool *clashes) {
    const jrs_block *block = where.block;
    const uint32_t offset = where.offset;
    if (jrs_stamp_clock_of(byte.writer) >= JRS_STAMP_HELD)
        return report_held(warp, i, lane, (past_access){block, offset, byte.writer, NULL});
    const bool again = jrs_shadow_races(warp, i, lane, byte.writer) && !jrs_shadow_same_store(warp, i, byte.writer);
    if (clashes)
        *clashes = again;
    else if (again)
        return report_race(warp, i, lane, (past_access){block, offset, byte.writer, "wrote"});
    if (jrs_shadow_races(warp, i, lane, byte.reader))
        return report_race(warp, i, lane, (past_access){block, offset, byte.reader, "read"});
    return !jrs_shadow_races(warp, i, lane, byte.other_reader) ||
           report_race(warp, i, lane, (past_access){block, offset, byte.other_reader, "read"});
}

/* Judges a write of a span, and remembers it by this stamp. clash: receives the bytes that clash; NULL: they are a
 * race. */
static bool write_as(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_stamp stamp, jrs_span where,
                     jrs_finding *clash) {
    const uint32_t begin = where.offset, end = begin + where.bytes;
    jrs_shadow past = {0, 0, 0};
    bool clashes = false, split = false;
    for (uint32_t at = begin, bytes; at < end; at += bytes) {
        jrs_shadow *shadow = jrs_word_past(where.block, at, end, &bytes);
        if (at == begin || !jrs_shadow_same_past(shadow, &past)) {
            const jrs_span byte = {where.block, at, 1};
            if (!may_write(warp, i, lane, byte, *shadow, clash ? &clashes : NULL)) return false;
            past = *shadow;
        }
        for (uint32_t k = 0; clashes && k < bytes; k++) put_down(clash, &where, at - begin + k, past.writer);
        shadow->writer = stamp;
        split |= bytes == 1;
    }
    if (split) jrs_word_join(where.block, begin, end);
    return true;
}

bool jrs_shadow_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span bytes, jrs_intent intent) {
    const bool reads = intent <= JRS_LOAD || intent == JRS_MODIFY, writes = intent > JRS_LOAD;
    uint32_t clock = jrs_now(warp);
    if (intent >= JRS_FILL) clock = (intent == JRS_FILL ? JRS_STAMP_COPYING : JRS_STAMP_HELD) + warp->block->rank;
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

void jrs_shadow_end_copy(const jrs_flight *flight, uint32_t clock, bool bulk) {
    const jrs_stamp stamp = jrs_shadow_stamp(flight->warp, flight->instruction, flight->lane, clock);
    const uint32_t end = flight->shared + flight->bytes;
    for (uint32_t at = flight->shared, size; at < end; at += size)
        jrs_word_past(flight->block, at, end, &size)->writer = bulk ? stamp | JRS_STAMP_MANY : stamp;
}

void jrs_shadow_fence_proxy(jrs_warp *warp) {
    jrs_clock_tick(warp);
    jrs_clock_join(warp->block->proxied, warp->clock, warp->block->run->clock_count);
}

bool jrs_shadow_proxied(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span bytes) {
    const jrs_block *block = warp->block;
    char source[JRS_SOURCE_BYTES];
    const uint32_t end = bytes.offset + bytes.bytes;
    for (uint32_t at = bytes.offset, size; at < end; at += size) {
        const jrs_stamp writer = jrs_word_past(block, at, end, &size)->writer;
        if ((writer & JRS_STAMP_MANY) || jrs_stamp_clock_of(writer) < block->proxied[jrs_stamp_entry_of(warp, writer)])
            continue;
        return jrs_fault(warp, i, lane, JRS_FAULT_PROXY,
                         "address 0x%" PRIx32 " was written at %s, and no fence.proxy.async followed", at,
                         jrs_shadow_place(block, writer, source)) == JRS_STEP;
    }
    return true;
}

void jrs_shadow_forget(const jrs_block *block, uint32_t offset, uint32_t bytes) {
    jrs_word_forget(block, offset, offset + bytes);
}

bool jrs_shadow_after(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_mbarrier *mbarrier) {
    return !jrs_shadow_races(warp, i, lane, mbarrier->initialised) ||
           report_race(warp, i, lane,
                       (past_access){mbarrier->block, mbarrier->offset, mbarrier->initialised, "initialised"});
}
