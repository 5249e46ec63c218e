/* Instructions to C: simple forms by the text of their expressions, a few others by name. */
#include <inttypes.h>
#include <string.h>

#include "native_operands.h"

typedef struct writer {
    jr_text *text;
    const jrs_function *function;
} writer;

/* The bits of an operand's lane. Constants of floats are read when the code runs: a compiler would compute with them,
 * and choose another NaN than the processor does. */
static void put_bits(const writer *w, jrs_slot slot, unsigned bytes, bool floats) {
    const uint32_t offset = jrs_native_offset(slot);
    uint64_t value = 0;
    if (jrs_native_in_frame(slot)) {
        jr_text_append(w->text, "%c%" PRIu32, bytes ? 'v' : 'p', offset);
        return;
    }
    memcpy(&value, w->function->constants + offset, bytes ? bytes : 4);
    if (!bytes)
        jr_text_append(w->text, "%du", (value & 1) != 0);
    else if (floats || !jrs_native_is_fixed(w->function, slot))
        jr_text_append(w->text, "c%" PRIu32 "_%u", offset, bytes);
    else
        jr_text_append(w->text, "((lane_u%u)UINT64_C(%" PRIu64 "))", bytes * 8, value);
}

static bool is_float(const char *type) {
    return type[0] == 'f';
}

/* The same as a value of the type. */
static void put_value(const writer *w, jrs_slot slot, unsigned bytes, const char *type) {
    if (is_float(type))
        jr_text_append(w->text, "jrs_%s_of(", type);
    else
        jr_text_append(w->text, "(lane_%s)(", type);
    put_bits(w, slot, bytes, is_float(type));
    jr_text_append(w->text, ")");
}

/* `register = ` or, of a guarded instruction, `register = guard ? `; ended by put_end. */
static void put_begin(const writer *w, const jrs_instruction *i, jrs_slot slot, unsigned bytes) {
    put_bits(w, slot, bytes, false);
    jr_text_append(w->text, " = ");
    if (i->guarded) jr_text_append(w->text, "g ? ");
}

static void put_end(const writer *w, const jrs_instruction *i, jrs_slot slot, unsigned bytes) {
    if (i->guarded) {
        jr_text_append(w->text, " : ");
        put_bits(w, slot, bytes, false);
    }
    jr_text_append(w->text, "; ");
}

static void put_result(const writer *w, const jrs_instruction *i, unsigned bytes, const char *value) {
    put_begin(w, i, i->d, bytes);
    jr_text_append(w->text, "%s", value);
    put_end(w, i, i->d, bytes);
}

static void put_comparison(const writer *w, const jrs_form *form, const jrs_instruction *i) {
    static const char operators[] = {[JRS_BOOLEAN_AND] = '&', [JRS_BOOLEAN_OR] = '|', [JRS_BOOLEAN_XOR] = '^'};
    for (unsigned k = 0; k < 2; k++) {
        jr_text_append(w->text, "const lane_%s %c = %s(", form->types[0], "ab"[k], form -> types[2]);
        put_value(w, i->s[k], form->bytes[1 + k], form->types[1]);
        jr_text_append(w->text, "); ");
    }
    jr_text_append(w->text, "const uint32_t r = (%s) ? 1 : 0, c = ", form->expression);
    if (i->arithmetic.boolean)
        put_bits(w, i->s[2], 0, false);
    else
        jr_text_append(w->text, "0");
    jr_text_append(w->text, "; (void)c; ");
    const bool joined = i->arithmetic.boolean != JRS_BOOLEAN_NONE;
    const char operator= joined ? operators[i->arithmetic.boolean] : '|';
    for (unsigned k = 0; k < 1u + i->has_d2; k++) {
        put_begin(w, i, k ? i->d2 : i->d, 0);
        jr_text_append(w->text, "(r ^ %uu) %c c", k, operator);
        put_end(w, i, k ? i->d2 : i->d, 0);
    }
}

static void put_form(const writer *w, const jrs_form *form, const jrs_instruction *i) {
    static const char *const names[] = {"a", "b", "c", "e"};
    if (jrs_native_compares(form)) {
        put_comparison(w, form, i);
        return;
    }
    const bool predicate = !form->bytes[0];
    for (unsigned k = 0; k < form->source_count; k++) {
        const char *type = predicate ? "u32" : form->types[1 + k];
        jr_text_append(w->text, "const lane_%s %s = ", type, names[k]);
        put_value(w, i->s[k], form->bytes[1 + k], type);
        jr_text_append(w->text, "; ");
    }
    if (predicate)
        jr_text_append(w->text, "const uint32_t r = (%s) & 1; ", form->expression);
    else if (is_float(form->types[0]))
        jr_text_append(w->text, "const lane_u%u r = jrs_%s_bits(%s); ", form->bytes[0] * 8u, form->types[0],
                       form->expression);
    else
        jr_text_append(w->text, "const lane_u%u r = (lane_u%u)(lane_%s)(%s); ", form->bytes[0] * 8u,
                       form->bytes[0] * 8u, form->types[0], form->expression);
    put_result(w, i, form->bytes[0], "r");
}

static void put_elements(const writer *w, const jrs_instruction *i) {
    const unsigned bits = i->elements.bytes * 8u, width = i->width * 8u;
    if (i->run == jrs_op_pack) {
        jr_text_append(w->text, "const lane_u%u r = 0", width);
        for (unsigned k = 0; k < i->elements.count; k++) {
            jr_text_append(w->text, " | (lane_u%u)(uint64_t)(", width);
            put_bits(w, i->elements.slots[k], i->elements.bytes, true);
            jr_text_append(w->text, ") << %u", k * bits);
        }
        jr_text_append(w->text, "; ");
        put_result(w, i, i->width, "r");
        return;
    }
    jr_text_append(w->text, "const lane_u%u r = ", width);
    put_bits(w, i->s[0], i->width, true);
    jr_text_append(w->text, "; ");
    for (unsigned k = 0; k < i->elements.count; k++) {
        put_begin(w, i, i->elements.slots[k], i->elements.bytes);
        jr_text_append(w->text, "(lane_u%u)(r >> %u)", bits, k * bits);
        put_end(w, i, i->elements.slots[k], i->elements.bytes);
    }
}

static void put_conversion(const writer *w, const jrs_instruction *i) {
    const char *to = jrs_type_name((jrs_type)i->type), *from = jrs_type_name((jrs_type)i->convert.from);
    if (i->convert.from == JRS_TYPE_f16 || i->convert.from == JRS_TYPE_bf16) from = "u16";
    jr_text_append(w->text, "const lane_%s a = ", from);
    put_value(w, i->s[0], i->convert.from_width, from);
    if (i->convert.from == JRS_TYPE_f16)
        jr_text_append(w->text, "; const lane_u32 r = jrs_f32_bits(jrs_nan_f32(jrs_f16_to_f32(a))); ");
    else if (i->convert.from == JRS_TYPE_bf16)
        jr_text_append(w->text, "; const lane_u32 r = (uint32_t)a << 16; ");
    else if (is_float(to))
        jr_text_append(w->text, "; const lane_u%u r = jrs_%s_bits((lane_%s)a); ", i->width * 8u, to, to);
    else
        jr_text_append(w->text, "; const lane_u%u r = (lane_u%u)(lane_%s)a; ", i->width * 8u, i->width * 8u, to);
    put_result(w, i, i->width, "r");
}

static void put_lop3(const writer *w, const jrs_instruction *i) {
    const char *separator = "";
    for (unsigned k = 0; k < 3; k++) {
        jr_text_append(w->text, "const uint32_t %c = ", "abc"[k]);
        put_bits(w, i->s[k], 4, false);
        jr_text_append(w->text, "; ");
    }
    jr_text_append(w->text, "const uint32_t r = ");
    for (unsigned k = 0; k < 8; k++) {
        if (!(i->table >> k & 1)) continue;
        jr_text_append(w->text, "%s(%sa & %sb & %sc)", separator, k & 4 ? "" : "~", k & 2 ? "" : "~", k & 1 ? "" : "~");
        separator = " | ";
    }
    jr_text_append(w->text, "%s; ", i->table ? "" : "0");
    put_result(w, i, 4, "r");
}

static void put_move(const writer *w, const jrs_instruction *i) {
    const bool predicate = i->run != jrs_op_move, negate = i->run == jrs_op_negate;
    const unsigned bytes = predicate ? 0 : i->width;
    put_begin(w, i, i->d, bytes);
    put_bits(w, i->s[0], bytes, bytes == 8);
    jr_text_append(w->text, "%s", negate ? " ^ 1u" : "");
    put_end(w, i, i->d, bytes);
}

static void put_selection(const writer *w, const jrs_instruction *i) {
    jr_text_append(w->text, "const lane_u%u r = ", i->width * 8u);
    put_bits(w, i->s[2], 0, false);
    jr_text_append(w->text, " ? ");
    put_bits(w, i->s[0], i->width, i->width == 8);
    jr_text_append(w->text, " : ");
    put_bits(w, i->s[1], i->width, i->width == 8);
    jr_text_append(w->text, "; ");
    put_result(w, i, i->width, "r");
}

static void put_parameter(const writer *w, const jrs_instruction *i) {
    const jrs_slot slot = i->memory.slots[0];
    put_begin(w, i, slot, i->width);
    jr_text_append(w->text, "(lane_u%u)*(const lane_%c%u *)(const void *)(n->parameters + %" PRIu64 ")", i->width * 8u,
                   i->memory.sign_extended ? 's' : 'u', i->memory.bytes * 8u, (uint64_t)i->memory.at.offset);
    put_end(w, i, slot, i->width);
}

void jrs_native_write(jr_text *text, const jrs_function *function, const jrs_instruction *instruction) {
    const writer w = {text, function};
    const jrs_form *form = jrs_native_form(instruction->run);
    jr_text_append(text, "        { ");
    if (instruction->guarded) {
        jr_text_append(text, "const uint32_t g = ");
        put_bits(&w, instruction->guard, 0, false);
        jr_text_append(text, "%s; ", instruction->guard_negated ? " == 0" : "");
    }
    if (form)
        put_form(&w, form, instruction);
    else if (instruction->run == jrs_op_select)
        put_selection(&w, instruction);
    else if (instruction->run == jrs_op_lop3)
        put_lop3(&w, instruction);
    else if (instruction->run == jrs_op_pack || instruction->run == jrs_op_unpack)
        put_elements(&w, instruction);
    else if (instruction->run == jrs_op_load_parameter)
        put_parameter(&w, instruction);
    else if (jrs_native_is_conversion(instruction))
        put_conversion(&w, instruction);
    else
        put_move(&w, instruction);
    jr_text_append(text, "}\n");
}
