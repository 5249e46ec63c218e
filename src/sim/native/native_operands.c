/* Which instructions lanes compute each for itself: simple forms whose expressions compiled kernels can hold, and a few
 * others by name; and their operands. */
#include "native_operands.h"

#include <inttypes.h>
#include <string.h>

/* ---- simple forms ---- */

/* Functions that compiled kernels have. */
static bool has_function(const char *name, size_t length) {
    static const char *const known[] = {"jrs_nan_f32",
                                        "jrs_first_nan",
                                        "jrs_divide_near",
                                        "jrs_min_f32",
                                        "jrs_max_f32",
                                        "jrs_min_f64",
                                        "jrs_max_f64",
                                        "jrs_f16_to_f32",
                                        "jrs_bf16_to_f32",
                                        "fmaf",
                                        "fma",
                                        "sqrtf",
                                        "sqrt",
                                        "fabsf",
                                        "fabs",
                                        "exp2",
                                        "log2",
                                        "sin",
                                        "cos",
                                        "tanh",
                                        "__builtin_popcount",
                                        "copysignf",
                                        "__builtin_popcountll"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strlen(known[k]) == length && memcmp(known[k], name, length) == 0) return true;
    return false;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether all that the expression calls is known to compiled kernels. */
static bool is_known(const char *expression) {
    for (const char *at = expression; *at;) {
        size_t length = 0;
        while (is_letter(at[length])) length++;
        if (!length) {
            at++;
            continue;
        }
        const char *after = at + length + strspn(at + length, " ");
        if (*after == '(' && !has_function(at, length)) return false;
        at += length;
    }
    return true;
}

const jrs_form *jrs_native_form(jrs_handler *run) {
    static const jrs_form *const tables[] = {
#define ROW(name) jrs_##name##_forms,
        JRS_FORM_TABLES(ROW)
#undef ROW
    };
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const jrs_form *form = tables[t]; form->name; form++)
            if (form->run == run || (form->wide && form->wide == run))
                return form->expression && is_known(form->expression) && strlen(form->expression) < 1024 ? form : NULL;
    return NULL;
}

bool jrs_native_compares(const jrs_form *form) {
    return form->types[2] && !form->bytes[0];
}

/* ---- operands ---- */

static void add(jrs_native_operands *to, jrs_slot slot, unsigned bytes, bool defined) {
    if (to->count < JRS_NATIVE_OPERANDS)
        to->of[to->count] = (jrs_native_operand){.slot = slot, .bytes = (uint8_t)bytes, .defined = defined};
    to->count++;
}

static void read_form(const jrs_form *form, const jrs_instruction *i, jrs_native_operands *to) {
    for (unsigned k = 0; k < form->source_count; k++) add(to, i->s[k], form->bytes[1 + k], false);
    if (jrs_native_compares(form) && i->arithmetic.boolean) add(to, i->s[2], 0, false);
    add(to, i->d, form->bytes[0], true);
    if (i->has_d2) add(to, i->d2, 0, true);
}

static void read_elements(const jrs_instruction *i, jrs_native_operands *to, bool pack) {
    if (pack)
        add(to, i->d, i->width, true);
    else
        add(to, i->s[0], i->width, false);
    for (unsigned k = 0; k < i->elements.count; k++) add(to, i->elements.slots[k], i->elements.bytes, !pack);
}

bool jrs_native_is_conversion(const jrs_instruction *i) {
    return i->type < JRS_TYPE_COUNT && i->convert.from < JRS_TYPE_COUNT && i->run != jrs_op_convert &&
           i->run == jrs_convert_fast((jrs_type)i->type, (jrs_type)i->convert.from);
}

/* The family's operands; false for all other families. */
static bool read_family(const jrs_instruction *i, jrs_native_operands *to) {
    if (i->run == jrs_op_move) {
        add(to, i->s[0], i->width, false);
        add(to, i->d, i->width, true);
    } else if (i->run == jrs_op_move_predicate || i->run == jrs_op_negate) {
        add(to, i->s[0], 0, false);
        add(to, i->d, 0, true);
    } else if (i->run == jrs_op_select) {
        add(to, i->s[0], i->width, false);
        add(to, i->s[1], i->width, false);
        add(to, i->s[2], 0, false);
        add(to, i->d, i->width, true);
    } else if (i->run == jrs_op_lop3) {
        for (unsigned k = 0; k < 3; k++) add(to, i->s[k], 4, false);
        add(to, i->d, 4, true);
    } else if (i->run == jrs_op_pack || i->run == jrs_op_unpack) {
        read_elements(i, to, i->run == jrs_op_pack);
    } else if (i->run == jrs_op_load_parameter) {
        add(to, i->memory.slots[0], i->width, true);
    } else if (jrs_native_is_conversion(i)) {
        add(to, i->s[0], i->convert.from_width, false);
        add(to, i->d, i->width, true);
    } else {
        return false;
    }
    return true;
}

/* A parameter of one element; others, and those out of bounds, are left to the handler. */
static bool fits(const jrs_function *function, const jrs_memory_access *access) {
    const uint64_t offset = (uint64_t)access->at.offset, end = function->parameter_bytes;
    return access->count == 1 && access->bytes <= 8 && offset <= end && access->bytes <= end - offset;
}

bool jrs_native_read(const jrs_function *function, const jrs_instruction *instruction, jrs_native_operands *operands) {
    const jrs_form *form = jrs_native_form(instruction->run);
    operands->count = 0;
    if (instruction->run == jrs_op_load_parameter && !fits(function, &instruction->memory)) return false;
    if (form)
        read_form(form, instruction, operands);
    else if (!read_family(instruction, operands))
        return false;
    if (instruction->guarded) add(operands, instruction->guard, 0, false);
    if (operands->count > JRS_NATIVE_OPERANDS) return false;
    for (uint32_t k = 0; k < operands->count; k++) {
        const jrs_native_operand *one = &operands->of[k];
        if (one->bytes != 0 && one->bytes != 2 && one->bytes != 4 && one->bytes != 8) return false;
        if (!jrs_native_in_frame(one->slot) && one->defined) return false;
        if (one->slot >> JRS_BASE_SHIFT == JRS_BASE_SCRATCH) return false;
    }
    return true;
}

/* ---- constants ---- */

/* Addresses of variables differ from module to module, those of shared ones from block to block of a cluster. */
bool jrs_native_is_fixed(const jrs_function *function, jrs_slot slot) {
    const uint32_t offset = jrs_native_offset(slot);
    for (const jrs_relocation *one = function->relocations; one; one = one->next)
        if (one->offset == offset) return false;
    for (const jrs_shared_constant *one = function->shared_constants; one; one = one->next)
        if (jrs_native_offset(one->slot) == offset) return false;
    return true;
}
