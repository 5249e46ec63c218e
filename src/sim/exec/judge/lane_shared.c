/* Shared memory of a whole warp's access: what most kernels do is right, and is remembered by a few instructions a
 * lane. Whatever is not plainly right is left to shadow.c. */
#include "lane_shared.h"

#include "shadow_stamp.h"
#include "shadow_word.h"
#include "sim/exec/lanes.h"
#include "sim/exec/shared.h"

static bool is_plain(const jrs_warp *warp, const jrs_instruction *i, bool write) {
    const bool shared = i->memory.at.space == JRS_SPACE_SHARED || i->memory.at.space == JRS_SPACE_GENERIC;
    return shared && !i->strong && !(write && (warp->careful || warp->block->stores)) && i->memory.bytes >= JRS_WORD;
}

/* ---- one lane and one word ---- */

/* True if the lane may read the word, which the block's threads have written; remembers that it does. */
static bool reads(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_shadow *word, jrs_stamp now) {
    const uint32_t clock = jrs_stamp_clock_of(word->writer);
    const bool written = clock >= warp->block->first_clock && !(word->writer & JRS_STAMP_UNWRITTEN);
    if (!written || clock >= JRS_STAMP_HELD || jrs_shadow_races(warp, i, lane, word->writer)) return false;
    *word = jrs_shadow_read_by(warp, *word, now);
    return true;
}

/* The same for a write of what nobody else accesses. */
static bool writes(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_shadow *word, jrs_stamp now) {
    const jrs_stamp writer = word->writer;
    if (jrs_stamp_clock_of(writer) >= JRS_STAMP_HELD ||
        (jrs_shadow_races(warp, i, lane, writer) && !jrs_shadow_same_store(warp, i, writer)) ||
        jrs_shadow_races(warp, i, lane, word->reader) || jrs_shadow_races(warp, i, lane, word->other_reader))
        return false;
    word->writer = now;
    return true;
}

/* ---- all lanes, each at the word offsets[lane] of `words` ---- */

/* What nearly every access meets is done in line: a word whose last accesses the warp has seen. A split word's stamps
 * are seen by nobody. */
typedef struct all_lanes {
    jrs_warp *warp;
    const jrs_instruction *i;
    uint32_t mask;
    jrs_shadow *words;
    const uint32_t *offsets;
    jrs_stamp now; /* of lane 0 */
} all_lanes;

static inline bool seen(const uint32_t *clocks, jrs_stamp stamp) {
    return jrs_stamp_clock_of(stamp) < clocks[jrs_stamp_warp_of(stamp)];
}

static bool read_all(const all_lanes *of) {
    const uint32_t *clocks = of->warp->clock, number = of->warp->number;
    const jrs_stamp now = of->now, first = (jrs_stamp)of->warp->block->first_clock << JRS_STAMP_CLOCK_SHIFT;
    const jrs_shadow *last = NULL;
    const bool alone = of->warp->tick == 1; /* entries of clocks are numbers of warps */
    for (uint32_t rest = of->mask; rest; rest &= rest - 1) {
        const unsigned l = jrs_first(rest);
        jrs_shadow *word = &of->words[of->offsets[l]];
        const jrs_stamp writer = word->writer, reader = word->reader;
        if (word == last) { /* and whoever wrote it, all lanes have seen that */
            word->reader = now | l | JRS_STAMP_MANY;
            continue;
        }
        last = word;
        if (!alone || !seen(clocks, writer) || writer < first || (writer & JRS_STAMP_UNWRITTEN)) {
            if (!reads(of->warp, of->i, l, word, now | l)) return false;
            last = NULL;
        } else if (jrs_stamp_warp_of(reader) != number) { /* as jrs_shadow_read_by does */
            word->other_reader = reader;
            word->reader = now | l;
        } else {
            const bool many =
                reader >> JRS_STAMP_CLOCK_SHIFT == now >> JRS_STAMP_CLOCK_SHIFT && (reader ^ l) & (JRS_STAMP_MANY | 31);
            word->reader = now | l | (many ? JRS_STAMP_MANY : 0);
        }
    }
    return true;
}

static bool write_all(const all_lanes *of) {
    const uint32_t *clocks = of->warp->clock;
    const bool alone = of->warp->tick == 1;
    for (uint32_t rest = of->mask; rest; rest &= rest - 1) {
        const unsigned l = jrs_first(rest);
        jrs_shadow *word = &of->words[of->offsets[l]];
        if (alone && seen(clocks, word->writer) && seen(clocks, word->reader) && seen(clocks, word->other_reader))
            word->writer = of->now | l;
        else if (!writes(of->warp, of->i, l, word, of->now | l))
            return false;
    }
    return true;
}

/* ---- places ---- */

/* Finds the offsets of the lanes in the shared memory of their block. */
static bool find_offsets(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t offsets[JRS_LANES]) {
    const uint32_t each = (uint32_t)i->memory.bytes * i->memory.count, size = warp->block->run->shared_bytes;
    const bool generic = i->memory.at.space == JRS_SPACE_GENERIC;
    const uint64_t window = generic ? (uint64_t)JRS_WINDOW_SHARED << JRS_WINDOW_SHIFT : 0;
    const uint64_t add = (uint64_t)i->memory.at.offset - window;
    uint64_t wrong = size < each;
    if (i->memory.at.bytes == 8) {
        const lane_u64 *lanes = jrs_at(warp, i->memory.at.slot);
        JRS_FOR_LANES(mask, const uint64_t offset = lanes[l] + add;
                      wrong |= (offset & (each - 1)) | (offset > size - each); offsets[l] = (uint32_t)offset);
    } else {
        const lane_u32 *lanes = jrs_at(warp, i->memory.at.slot);
        JRS_FOR_LANES(mask, const uint32_t offset = lanes[l] + (uint32_t)add;
                      wrong |= (offset & (each - 1)) | (offset > size - each); offsets[l] = offset);
    }
    return !wrong;
}

bool jrs_lane_shared_find(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, bool write,
                          uint8_t *places[JRS_LANES]) {
    const jrs_block *block = warp->block;
    uint32_t offsets[JRS_LANES];
    if (!is_plain(warp, i, write) || !find_offsets(warp, i, mask, offsets)) return false;
    JRS_FOR_LANES(mask, places[l] = block->shared + offsets[l]; offsets[l] /= JRS_WORD);
    if (block->run->launch->judge == JRS_JUDGE_OFF) return true;
    all_lanes all = {warp, i, mask, block->shadow, offsets, jrs_shadow_stamp(warp, i, 0, jrs_now(warp))};
    for (uint32_t k = 0; k < (uint32_t)i->memory.bytes * i->memory.count; k += JRS_WORD, all.words++)
        if (!(write ? write_all(&all) : read_all(&all))) return false;
    return true;
}
