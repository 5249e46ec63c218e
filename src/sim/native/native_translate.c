/* The translator: parts become blocks of a C function, in their order, each with a label. */
#include "native_translate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "native_operands.h"
#include "native_parts.h"
#include "native_text.h"
#include "sim/exec/judge/shadow_stamp.h"
#include "sim/exec/native_abi.h"

typedef struct translator {
    jr_text *text;
    const jrs_function *function;
    jrs_native_parts parts;
    jrs_native_counts *counts;
    uint64_t *row; /* scratch */
} translator;

/* ---- computed parts ---- */

/* A register of a part. */
typedef struct local {
    jrs_slot slot;
    uint8_t bytes;
    bool read; /* its value from before the part is needed */
    bool written;
} local;

enum { LOCALS_MAX = 1024 };

typedef struct locals {
    local of[LOCALS_MAX];
    uint32_t count;
} locals;

static local *local_of(locals *all, const jrs_native_operand *operand) {
    for (uint32_t k = 0; k < all->count; k++)
        if (all->of[k].slot == operand->slot && all->of[k].bytes == operand->bytes) return &all->of[k];
    local *made = &all->of[all->count++];
    *made = (local){.slot = operand->slot, .bytes = operand->bytes};
    return made;
}

static void find_locals(const translator *t, const jrs_native_part *part, locals *all) {
    jrs_native_operands operands;
    all->count = 0;
    for (uint32_t k = part->begin; k < part->end; k++) {
        const jrs_instruction *i = &t->function->code[k];
        if (!jrs_native_read(t->function, i, &operands) || all->count + operands.count > LOCALS_MAX) return;
        for (uint32_t o = 0; o < operands.count; o++) {
            local *one = local_of(all, &operands.of[o]);
            if (!operands.of[o].defined || i->guarded) one->read |= !one->written;
        }
        for (uint32_t o = 0; o < operands.count; o++)
            if (operands.of[o].defined) local_of(all, &operands.of[o])->written = true;
    }
}

/* Before the loop: constants and whole predicates. */
static void put_uniform(const translator *t, const locals *all) {
    for (uint32_t k = 0; k < all->count; k++) {
        const local *one = &all->of[k];
        const uint32_t offset = jrs_native_offset(one->slot);
        if (!jrs_native_in_frame(one->slot)) {
            if (one->bytes)
                jr_text_append(t->text, "    const lane_u%u c%" PRIu32 "_%u = *(const lane_u%u *)(K + %" PRIu32 ");\n",
                               one->bytes * 8u, offset, one->bytes, one->bytes * 8u, offset);
        } else if (!one->bytes) {
            jr_text_append(t->text,
                           "    const uint32_t P%" PRIu32 " = PREDICATE(%" PRIu32 "); uint32_t Q%" PRIu32 " = 0;\n",
                           offset, offset, offset);
        }
    }
}

static void put_reads(const translator *t, const locals *all) {
    for (uint32_t k = 0; k < all->count; k++) {
        const local *one = &all->of[k];
        const uint32_t offset = jrs_native_offset(one->slot);
        if (!jrs_native_in_frame(one->slot)) continue;
        if (!one->bytes)
            jr_text_append(t->text, "        uint32_t p%" PRIu32 " = P%" PRIu32 " >> l & 1;\n", offset, offset);
        else if (one->read)
            jr_text_append(t->text, "        lane_u%u v%" PRIu32 " = LANES(u%u, %" PRIu32 ")[l];\n", one->bytes * 8u,
                           offset, one->bytes * 8u, offset);
        else
            jr_text_append(t->text, "        lane_u%u v%" PRIu32 ";\n", one->bytes * 8u, offset);
    }
}

static void put_writes(const translator *t, const locals *all) {
    for (uint32_t k = 0; k < all->count; k++) {
        const local *one = &all->of[k];
        const uint32_t offset = jrs_native_offset(one->slot);
        if (!one->written || !jrs_native_parts_has(t->row, one->slot)) continue;
        if (one->bytes)
            jr_text_append(t->text, "        PUT(u%u, %" PRIu32 ", v%" PRIu32 ");\n", one->bytes * 8u, offset, offset);
        else
            jr_text_append(t->text, "        Q%" PRIu32 " |= p%" PRIu32 " << l;\n", offset, offset);
    }
}

static void put_predicates(const translator *t, const locals *all) {
    for (uint32_t k = 0; k < all->count; k++) {
        const uint32_t offset = jrs_native_offset(all->of[k].slot);
        if (all->of[k].bytes || !all->of[k].written || !jrs_native_parts_has(t->row, all->of[k].slot)) continue;
        jr_text_append(t->text, "    PREDICATE(%" PRIu32 ") = (P%" PRIu32 " & ~mask) | (Q%" PRIu32 " & mask);\n",
                       offset, offset, offset);
    }
}

static void put_computed(const translator *t, uint32_t number, locals *all) {
    const jrs_native_part *part = &t->parts.parts[number];
    find_locals(t, part, all);
    jrs_native_parts_after(&t->parts, number, t->row);
    jr_text_append(t->text, "    {\n");
    put_uniform(t, all);
    jr_text_append(t->text, "    JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) {\n");
    put_reads(t, all);
    for (uint32_t k = part->begin; k < part->end; k++) jrs_native_write(t->text, t->function, &t->function->code[k]);
    put_writes(t, all);
    jr_text_append(t->text, "    }\n");
    put_predicates(t, all);
    jr_text_append(t->text, "    }\n    left -= %" PRIu32 ";\n", part->end - part->begin);
    t->counts->computed += part->end - part->begin;
}

/* ---- single instructions ---- */

/* "mask", or the lanes of it whose guard holds. */
static void put_mask(const translator *t, const jrs_instruction *i) {
    jr_text_append(t->text, "    const uint32_t lanes = mask");
    if (i->guarded)
        jr_text_append(t->text, " & %s*(const lane_u32 *)(%s + %" PRIu32 ")", i->guard_negated ? "~" : "",
                       jrs_native_in_frame(i->guard) ? "frame" : "K", jrs_native_offset(i->guard));
    jr_text_append(t->text, ";\n");
}

static void put_branch(const translator *t, uint32_t at, const jrs_instruction *i) {
    jr_text_append(t->text, "    left--;\n    {\n");
    put_mask(t, i);
    jr_text_append(t->text, "    if (lanes == mask) BRANCH(%" PRIu32 ");\n", i->branch.target);
    if (i->guarded) jr_text_append(t->text, "    if (lanes) CALL(%" PRIu32 ");\n", at);
    jr_text_append(t->text, "    }\n");
    t->counts->handled++;
}

/* Accesses whose kind compiled code knows, by addresses in registers: to global memory, to words of shared memory. */
static bool is_access(const jrs_instruction *i) {
    const jrs_memory_access *m = &i->memory;
    if ((i->run != jrs_op_load && i->run != jrs_op_store) || i->strong) return false;
    const bool global = m->at.space <= JRS_SPACE_CONST && m->at.bytes == 8;
    const bool shared = m->at.space == JRS_SPACE_SHARED && m->bytes >= 4;
    if ((!global && !shared) || !jrs_native_in_frame(m->at.slot)) return false;
    if (m->bytes > 8 || i->width > 8 || i->width < 2 || m->bytes > i->width) return false;
    for (unsigned k = 0; k < m->count; k++)
        if (!jrs_native_in_frame(m->slots[k])) return false;
    return true;
}

static const char *kind_of(const jrs_instruction *i) {
    if (i->memory.at.space != JRS_SPACE_SHARED) return "global";
    return i->memory.at.bytes == 8 ? "shared_wide" : "shared";
}

/* "load_global_u8_u32_4" */
static void put_access_name(jr_text *text, const jrs_instruction *i) {
    const bool load = i->run == jrs_op_load;
    jr_text_append(text, "%s_%s_%c%u_u%u_%u", load ? "load" : "store", kind_of(i),
                   load && i->memory.sign_extended ? 's' : 'u', i->memory.bytes * 8u, i->width * 8u, i->memory.count);
}

static void put_access(const translator *t, uint32_t at, const jrs_instruction *i) {
    jr_text_append(t->text, "    left--;\n    {\n");
    put_mask(t, i);
    jr_text_append(t->text, "    static const uint32_t registers[] = {");
    for (unsigned k = 0; k < i->memory.count; k++)
        jr_text_append(t->text, "%s%" PRIu32, k ? ", " : "", jrs_native_offset(i->memory.slots[k]));
    jr_text_append(t->text,
                   "};\n    const jrs_native_access access = {%" PRIu32 ", lanes, UINT64_C(%" PRIu64
                   "), registers, %" PRIu32 "};\n    if (lanes && !",
                   jrs_native_offset(i->memory.at.slot), (uint64_t)i->memory.at.offset, i->line & JRS_STAMP_LINE_MASK);
    put_access_name(t->text, i);
    jr_text_append(t->text, "(n, &access)) CALL(%" PRIu32 ");\n    }\n", at);
    t->counts->accesses++;
}

static void put_handled(const translator *t, uint32_t at, const jrs_instruction *i) {
    jr_text_append(t->text, "    left--;\n    {\n");
    put_mask(t, i);
    jr_text_append(t->text, "    if (lanes) CALL(%" PRIu32 ");\n    }\n", at);
    t->counts->handled++;
}

static void put_part(const translator *t, uint32_t number, locals *all) {
    const jrs_native_part *part = &t->parts.parts[number];
    const jrs_instruction *i = &t->function->code[part->begin];
    jr_text_append(t->text, "  L%" PRIu32 ":;\n    AT(%" PRIu32 ");\n", part->begin, part->begin);
    if (part->simple)
        put_computed(t, number, all);
    else if (i->run == jrs_op_bra)
        put_branch(t, part->begin, i);
    else if (is_access(i))
        put_access(t, part->begin, i);
    else
        put_handled(t, part->begin, i);
}

/* ---- the program ---- */

/* The functions for accesses of each kind, once. */
static void put_access_functions(const translator *t) {
    jr_text name = {0}, made = {0};
    for (uint32_t k = 0; k < t->function->code_count; k++) {
        const jrs_instruction *i = &t->function->code[k];
        if (!is_access(i)) continue;
        const bool load = i->run == jrs_op_load;
        jr_text_free(&name);
        put_access_name(&name, i);
        jr_text_append(&name, ",");
        if (strstr(jr_text_string(&made), jr_text_string(&name))) continue;
        jr_text_append(&made, "%s", jr_text_string(&name));
        jr_text_append(t->text, "JRS_NATIVE_%s(%s jrs_native_find_%s, lane_%c%u, lane_u%u, %u)\n",
                       load ? "LOAD" : "STORE", jr_text_string(&name), kind_of(i),
                       load && i->memory.sign_extended ? 's' : 'u', i->memory.bytes * 8u, i->width * 8u,
                       i->memory.count);
    }
    t->text->failed |= jr_text_failed(&name) || jr_text_failed(&made);
    jr_text_free(&name);
    jr_text_free(&made);
}

static void put_program(const translator *t, locals *all) {
    jrs_native_text_begin(t->text);
    put_access_functions(t);
    jr_text_append(t->text, "%s", "BODY {\n  BEGIN\n    switch (n->pc) {\n");
    for (uint32_t k = 0; k < t->parts.count; k++)
        jr_text_append(t->text, "    case %" PRIu32 ": goto L%" PRIu32 ";\n", t->parts.parts[k].begin,
                       t->parts.parts[k].begin);
    jr_text_append(t->text, "%s", "    default: return JRS_NATIVE_FOREIGN;\n    }\n");
    for (uint32_t k = 0; k < t->parts.count; k++) put_part(t, k, all);
    jr_text_append(t->text, "%s", "    return JRS_NATIVE_FOREIGN;\n}\nKERNEL\n");
}

bool jrs_native_translate(jr_text *text, const jrs_function *function, jrs_native_counts *counts) {
    translator t = {.text = text, .function = function, .counts = counts};
    *counts = (jrs_native_counts){0};
    if (!jrs_native_parts_find(&t.parts, function)) return false;
    locals *all = malloc(sizeof *all);
    t.row = malloc(t.parts.words * sizeof *t.row);
    if (all && t.row) put_program(&t, all);
    const bool good = all && t.row && !jr_text_failed(text);
    free(all);
    free(t.row);
    jrs_native_parts_free(&t.parts);
    return good;
}
