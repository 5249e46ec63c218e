/* Parts of a function, and the backward data flow of its registers over them. */
#include "native_parts.h"

#include <stdlib.h>
#include <string.h>

#include "native_operands.h"

enum { SLOT_UNIT = 4, INSTRUCTIONS_MAX = 20000, PART_MAX = 96, WORDS_MAX = 1 << 22 };

static uint32_t index_of(jrs_slot slot) {
    return jrs_native_offset(slot) / SLOT_UNIT;
}

bool jrs_native_parts_has(const uint64_t *row, jrs_slot slot) {
    return row[index_of(slot) / 64] >> (index_of(slot) % 64) & 1;
}

static void put(uint64_t *row, jrs_slot slot, bool value) {
    const uint64_t bit = UINT64_C(1) << (index_of(slot) % 64);
    uint64_t *word = &row[index_of(slot) / 64];
    *word = value ? *word | bit : *word & ~bit;
}

/* ---- parts ---- */

static const uint32_t *targets_of(const jrs_instruction *i, uint32_t *count) {
    const bool indexed = i->run == jrs_op_brx;
    *count = indexed ? i->branch.count : i->run == jrs_op_bra;
    return indexed ? i->branch.targets : &i->branch.target;
}

static void mark_targets(const jrs_function *function, uint8_t *begins) {
    for (uint32_t k = 0; k < function->code_count; k++) {
        uint32_t count;
        const uint32_t *targets = targets_of(&function->code[k], &count);
        for (uint32_t t = 0; t < count; t++) begins[targets[t]] = 1;
    }
}

static void cut(jrs_native_parts *parts, const uint8_t *begins) {
    const jrs_function *function = parts->function;
    jrs_native_operands operands;
    for (uint32_t k = 0; k < function->code_count; k++) {
        const bool simple = jrs_native_read(function, &function->code[k], &operands);
        jrs_native_part *last = parts->count ? &parts->parts[parts->count - 1] : NULL;
        if (last && simple && last->simple && !begins[k] && k - last->begin < PART_MAX)
            last->end = k + 1;
        else
            parts->parts[parts->count++] = (jrs_native_part){k, k + 1, simple};
    }
}

/* ---- what is needed ---- */

/* Registers that the text does not name hold addresses and the like on the way to their instruction, whose family alone
 * knows where; and a shuffle may read a lane that takes no part. */
static void find_always(const jrs_native_parts *parts) {
    const jrs_function *function = parts->function;
    memset(parts->always, 0xff, parts->words * sizeof *parts->always);
    for (uint32_t m = 0; m < function->mention_begin[function->code_count]; m++)
        put(parts->always, function->mentions[m].slot, false);
    for (uint32_t k = 0; k < function->code_count; k++)
        if (function->code[k].run == jrs_op_shfl && jrs_native_in_frame(function->code[k].s[0]))
            put(parts->always, function->code[k].s[0], true);
}

static void step_simple(const jrs_function *function, const jrs_instruction *i, uint64_t *row) {
    jrs_native_operands operands;
    if (!jrs_native_read(function, i, &operands)) return;
    for (uint32_t k = 0; k < operands.count; k++)
        if (operands.of[k].defined && !i->guarded) put(row, operands.of[k].slot, false);
    for (uint32_t k = 0; k < operands.count; k++)
        if (!operands.of[k].defined && jrs_native_in_frame(operands.of[k].slot)) put(row, operands.of[k].slot, true);
}

/* A handler is taken to need all that its instruction mentions. */
static void step_handler(const jrs_function *function, uint32_t at, uint64_t *row) {
    for (uint32_t m = function->mention_begin[at]; m < function->mention_begin[at + 1]; m++)
        put(row, function->mentions[m].slot, true);
    if (function->code[at].guarded && jrs_native_in_frame(function->code[at].guard))
        put(row, function->code[at].guard, true);
}

static void step_back(const jrs_native_parts *parts, uint32_t part, uint64_t *row) {
    const jrs_native_part *of = &parts->parts[part];
    for (uint32_t k = of->end; k-- > of->begin;) {
        if (of->simple)
            step_simple(parts->function, &parts->function->code[k], row);
        else
            step_handler(parts->function, k, row);
    }
}

static uint32_t part_at(const jrs_native_parts *parts, uint32_t instruction) {
    uint32_t low = 0, high = parts->count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (parts->parts[middle].begin <= instruction)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void join(const jrs_native_parts *parts, uint32_t part, uint64_t *row) {
    if (part >= parts->count) return;
    for (uint32_t w = 0; w < parts->words; w++) row[w] |= parts->needed[(size_t)part * parts->words + w];
}

void jrs_native_parts_after(const jrs_native_parts *parts, uint32_t part, uint64_t *row) {
    const jrs_instruction *last = &parts->function->code[parts->parts[part].end - 1];
    uint32_t count;
    const uint32_t *targets = targets_of(last, &count);
    const bool leaves = last->run == jrs_op_ret || last->run == jrs_op_exit || count;
    memcpy(row, parts->always, parts->words * sizeof *row);
    for (uint32_t t = 0; t < count; t++) join(parts, part_at(parts, targets[t]), row);
    if (!leaves || last->guarded) join(parts, part + 1, row);
}

static void iterate(const jrs_native_parts *parts, uint64_t *row) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t part = parts->count; part-- > 0;) {
            uint64_t *known = &parts->needed[(size_t)part * parts->words];
            jrs_native_parts_after(parts, part, row);
            step_back(parts, part, row);
            changed |= memcmp(known, row, parts->words * sizeof *row) != 0;
            memcpy(known, row, parts->words * sizeof *row);
        }
    }
}

bool jrs_native_parts_find(jrs_native_parts *parts, const jrs_function *function) {
    *parts = (jrs_native_parts){.function = function, .words = function->frame_bytes / SLOT_UNIT / 64 + 1};
    if (function->code_count > INSTRUCTIONS_MAX) return false;
    uint8_t *begins = calloc(function->code_count + 1, 1);
    uint64_t *row = calloc(parts->words, sizeof *row);
    parts->parts = calloc(function->code_count, sizeof *parts->parts);
    parts->always = calloc(parts->words, sizeof *parts->always);
    bool good = begins && row && parts->parts && parts->always;
    if (good) {
        mark_targets(function, begins);
        cut(parts, begins);
        if ((uint64_t)parts->count * parts->words <= WORDS_MAX)
            parts->needed = calloc((size_t)parts->count * parts->words, sizeof *parts->needed);
        good = parts->needed != NULL;
    }
    if (good) {
        find_always(parts);
        iterate(parts, row);
    }
    free(begins);
    free(row);
    if (!good) jrs_native_parts_free(parts);
    return good;
}

void jrs_native_parts_free(jrs_native_parts *parts) {
    free(parts->parts);
    free(parts->needed);
    free(parts->always);
    *parts = (jrs_native_parts){0};
}
