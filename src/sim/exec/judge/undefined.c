/* Undefined values: one row of lanes for each register, and how instructions move them. */
#include "undefined.h"
#include "shadow.h"
#include "sim/exec/lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/handlers.h"
#include "sim/ptx/ptx_source.h"

#define FROM_LANE UINT32_MAX /* as an address: it was a lane that took no part */

/* Whether an undefined source has been used; simple forms hand it on. */
static bool takes(const jrs_instruction *i) {
    enum { HANDS_ON, TAKES };
    static const struct {
        jrs_handler *run;
        bool takes;
    } rows[] = {
#define ROW(name, of_undefined) {jrs_op_##name, of_undefined},
        JRS_HANDLERS(ROW)
#undef ROW
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].run == i->run) return rows[k].takes;
    return false;
}

/* ---- the rows ---- */

/* NULL: no register, or the frame has no undefined values. */
static jrs_doubt *doubt_of(const jrs_warp *warp, jrs_slot slot) {
    jrs_doubt *doubts = warp->group->frame->doubts;
    if (!doubts || slot >> JRS_BASE_SHIFT != JRS_BASE_FRAME) return NULL;
    return &doubts[slot / JRS_DOUBT_UNIT];
}

static uint32_t lanes_of(const jrs_warp *warp, jrs_slot slot) {
    const jrs_doubt *doubt = doubt_of(warp, slot);
    return doubt ? doubt->lanes : 0;
}

/* Lanes of mask are undefined where `lanes` says so, by `origin`, and else defined. */
static void put(jrs_warp *warp, jrs_slot slot, uint32_t mask, uint32_t lanes, const jrs_doubt *origin) {
    jrs_doubt *doubt = doubt_of(warp, slot);
    if (!doubt) return;
    const uint32_t before = doubt->lanes, after = (before & ~mask) | (lanes & mask);
    if ((lanes & mask) && !(before & ~mask & after)) *doubt = *origin; /* else it keeps what its first lanes have */
    doubt->lanes = after;
    warp->doubt_count += (uint32_t)(after != 0) - (uint32_t)(before != 0);
    if (warp->doubt_count == 0) warp->careful = warp->watched;
}

static bool begin(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    jrs_frame *frame = warp->group->frame;
    warp->careful = true;
    warp->limit = 0; /* choose again: by the careful loop */
    if (!frame->doubts) frame->doubts = calloc(frame->function->frame_bytes / JRS_DOUBT_UNIT + 1, sizeof(jrs_doubt));
    if (!frame->doubts) jrs_fault(warp, i, lane, JRS_FAULT_NO_MEMORY, "for undefined values");
    return frame->doubts != NULL;
}

bool jrs_undefined_load(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_slot slot, uint32_t address) {
    if (!begin(warp, i, lane)) return false;
    put(warp, slot, 1u << lane, 1u << lane, &(jrs_doubt){.line = i->line, .address = address});
    return true;
}

/* ---- uses ---- */

static bool report(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_doubt *doubt) {
    char source[JRS_SOURCE_BYTES];
    jrs_source_line(warp->block->run->function->module, doubt->line, source);
    if (doubt->address == FROM_LANE)
        return jrs_fault(warp, i, lane, JRS_FAULT_UNDEFINED, "it uses what %s took from a lane that does not take part",
                         source) == JRS_STEP;
    return jrs_fault(warp, i, lane, JRS_FAULT_UNINITIALISED,
                     "address 0x%" PRIx32 " was never written by this %s, and %s loaded it", doubt->address,
                     jrs_shadow_writers(warp), source) == JRS_STEP;
}

bool jrs_undefined_use(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, jrs_slot slot) {
    const jrs_doubt *doubt = doubt_of(warp, slot);
    if (!doubt || !(doubt->lanes & mask)) return true;
    return report(warp, i, jrs_first(doubt->lanes & mask), doubt);
}

uint32_t jrs_undefined_elements(const jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    uint32_t elements = 0;
    for (unsigned k = 0; k < i->memory.count; k++) elements |= (lanes_of(warp, i->memory.slots[k]) >> lane & 1) << k;
    return elements;
}

/* ---- handing on ---- */

static bool is_form(const jrs_form *forms, const jrs_instruction *i, const char *name) {
    for (; forms->name; forms++)
        if (forms->run == i->run || forms->wide == i->run) return !name || strcmp(forms->name, name) == 0;
    return false;
}

/* Lanes where a defined operand alone decides a conjunction (of false) or disjunction (of true). */
static uint32_t decided(const jrs_warp *warp, jrs_slot slot, bool by) {
    const uint32_t value = jrs_predicate(warp, slot);
    return (by ? value : ~value) & ~lanes_of(warp, slot);
}

/* The lanes whose result is defined although an operand is not. */
static uint32_t settled(const jrs_warp *warp, const jrs_instruction *i) {
    if (i->run == jrs_op_select) {
        const uint32_t first = jrs_predicate(warp, i->s[2]);
        const uint32_t chosen = (first & lanes_of(warp, i->s[0])) | (~first & lanes_of(warp, i->s[1]));
        return ~(chosen | lanes_of(warp, i->s[2]));
    }
    if (is_form(jrs_logic_forms, i, "and_pred")) return decided(warp, i->s[0], false) | decided(warp, i->s[1], false);
    if (is_form(jrs_logic_forms, i, "or_pred")) return decided(warp, i->s[0], true) | decided(warp, i->s[1], true);
    if (!is_form(jrs_compare_forms, i, NULL)) return 0;
    if (i->arithmetic.boolean == JRS_BOOLEAN_AND) return decided(warp, i->s[2], false);
    return i->arithmetic.boolean == JRS_BOOLEAN_OR ? decided(warp, i->s[2], true) : 0;
}

/* A run through the registers that an instruction mentions. */
typedef struct mentions {
    const jrs_mention *at, *end;
} mentions;

static mentions mentions_of(const jrs_warp *warp, const jrs_instruction *i) {
    const jrs_function *function = warp->group->frame->function;
    const uint32_t *begin = &function->mention_begin[i - function->code];
    return (mentions){function->mentions + begin[0], function->mentions + begin[1]};
}

static bool is_source(const jrs_instruction *i, const jrs_mention *mention) {
    return !mention->definition && !(i->guarded && mention->slot == i->guard);
}

/* True if the instruction's handler checks this source itself: a store checks its values, a shuffle the values of the
 * lanes that others read. */
static bool checked_by_handler(const jrs_instruction *i, jrs_slot slot) {
    if (i->run == jrs_op_store) return slot != i->memory.at.slot;
    return i->run == jrs_op_shfl && slot == i->s[0] && slot != i->s[1] && slot != i->s[2] && slot != i->s[3];
}

static void define(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t lanes, const jrs_doubt *origin) {
    const mentions m = mentions_of(warp, i);
    for (const jrs_mention *mention = m.at; mention < m.end; mention++)
        if (mention->definition) put(warp, mention->slot, mask, lanes, origin);
}

static bool use_all(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const mentions m = mentions_of(warp, i);
    for (const jrs_mention *mention = m.at; mention < m.end; mention++) {
        const bool now = is_source(i, mention) && !checked_by_handler(i, mention->slot);
        if (now && !jrs_undefined_use(warp, i, mask, mention->slot)) return false;
    }
    if (i->guarded && !jrs_undefined_use(warp, i, warp->group->mask, i->guard)) return false;
    if (i->run != jrs_op_shfl) define(warp, i, mask, 0, NULL);
    return true;
}

/* A guard that is undefined makes the result so, whether it held or not. */
static void propagate(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const mentions m = mentions_of(warp, i);
    jrs_doubt origin = {0};
    for (const jrs_mention *mention = m.at; mention < m.end; mention++) {
        const jrs_doubt *doubt = is_source(i, mention) ? doubt_of(warp, mention->slot) : NULL;
        if (!doubt || !(doubt->lanes & mask)) continue;
        origin = (jrs_doubt){origin.lanes | (doubt->lanes & mask), doubt->line, doubt->address};
    }
    if (origin.lanes) origin.lanes &= ~settled(warp, i);
    const jrs_doubt *guard = i->guarded ? doubt_of(warp, i->guard) : NULL;
    const uint32_t unsure = guard ? guard->lanes & warp->group->mask : 0;
    if (unsure) origin = (jrs_doubt){origin.lanes | unsure, guard->line, guard->address};
    define(warp, i, mask | unsure, origin.lanes, &origin);
}

bool jrs_undefined_step(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    if (!warp->group->frame->doubts) return true;
    if (takes(i)) return use_all(warp, i, mask);
    propagate(warp, i, mask);
    return true;
}

bool jrs_undefined_exchange(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t missing,
                            const uint8_t from[JRS_LANES]) {
    uint32_t lanes = missing;
    if (missing && warp->block->run->launch->judge != JRS_JUDGE_OFF && !begin(warp, i, jrs_first(missing)))
        return false;
    const jrs_doubt *source = doubt_of(warp, i->s[0]);
    jrs_doubt origin = {.line = i->line, .address = FROM_LANE};
    if (source && !missing) origin = *source;
    for (uint32_t rest = source ? mask & ~missing : 0; rest; rest &= rest - 1)
        lanes |= (source->lanes >> from[jrs_first(rest)] & 1) << jrs_first(rest);
    put(warp, i->d, mask, lanes, &origin);
    if (i->has_d2) put(warp, i->d2, mask, 0, &origin);
    return true;
}
