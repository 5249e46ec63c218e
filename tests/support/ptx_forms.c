/* Kernels and inputs for every form of ptx_forms_list.c. */
#include "support/ptx_forms.h"

#include <stdio.h>
#include <string.h>

/* Word n of a list separated by blanks. */
static bool word(const char *list, size_t n, char out[16]) {
    for (; n > 0; n--) {
        list = strchr(list, ' ');
        if (!list) return false;
        list++;
    }
    size_t length = strcspn(list, " ");
    snprintf(out, 16, "%.*s", (int)length, list);
    return length > 0;
}

size_t form_type_count(const form_row *row) {
    char type[16];
    size_t count = 0;
    while (word(row->types, count, type)) count++;
    return count;
}

static bool operand_type(const form_row *row, size_t type, size_t operand, char out[16]) {
    if (!word(row->operands, operand, out)) return false;
    if (strcmp(out, "T") == 0) word(row->types, type, out);
    return true;
}

/* ---- texts ---- */

static unsigned bytes_of(const char *type) {
    static const char *const wide[] = {"u64", "s64", "b64", "f64"}, *const narrow[] = {"u16",  "s16", "b16", "f16",
                                                                                       "bf16", "u8",  "s8"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (strcmp(type, wide[i]) == 0) return 8;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (strcmp(type, narrow[i]) == 0) return 2;
    return 4;
}

/* Loads source k into %a<k>, or makes %q<k> of its lowest bit. */
static size_t load_source(char *text, size_t used, unsigned k, const char *type) {
    unsigned bits = bytes_of(type) * 8;
    bool predicate = strcmp(type, "pred") == 0;
    used += (size_t)snprintf(
        text + used, 4096 - used,
        " .reg .b%u %%a%u;\n ld.param.u64 %%p, [p%u];\n add.s64 %%p, %%p, %%o;\n ld.global.b%u %%a%u, [%%p];\n", bits,
        k, k, bits, k);
    if (!predicate) return used;
    used += (size_t)snprintf(text + used, 4096 - used,
                             " .reg .pred %%q%u;\n and.b32 %%a%u, %%a%u, 1;\n setp.ne.u32 %%q%u, %%a%u, 0;\n", k, k, k,
                             k, k);
    return used;
}

void form_make(const form_row *row, size_t type, form_case *out) {
    char name[16], source[16];
    size_t used = 0;
    word(row->types, type, name);
    snprintf(out->opcode, sizeof out->opcode, row->opcode, name); /* NOLINT(clang-diagnostic-format-nonliteral) */
    char *text = out->ptx;
    used += (size_t)snprintf(
        text, 4096,
        ".version 9.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry form(.param .u64 pd, .param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{\n"
        " .reg .b64 %%p, %%o, %%w;\n .reg .b32 %%t, %%n;\n .reg .pred %%qd;\n"
        " mov.u32 %%t, %%tid.x;\n mul.wide.u32 %%o, %%t, 8;\n");
    for (unsigned k = 0; operand_type(row, type, k + 1, source); k++) used = load_source(text, used, k, source);
    operand_type(row, type, 0, name);
    bool predicate = strcmp(name, "pred") == 0;
    used += (size_t)snprintf(text + used, 4096 - used, " .reg .b%u %%d;\n %s %s", bytes_of(name) * 8, out->opcode,
                             predicate ? "%qd" : "%d");
    for (unsigned k = 0; operand_type(row, type, k + 1, source); k++)
        used += (size_t)snprintf(text + used, 4096 - used, ", %%%c%u", strcmp(source, "pred") == 0 ? 'q' : 'a', k);
    used += (size_t)snprintf(text + used, 4096 - used, "%s;\n", row->tail);
    if (predicate) used += (size_t)snprintf(text + used, 4096 - used, " selp.u32 %%d, 1, 0, %%qd;\n");
    snprintf(text + used, 4096 - used,
             " ld.param.u64 %%p, [pd];\n add.s64 %%p, %%p, %%o;\n mov.u64 %%w, 0;\n st.global.u64 [%%p], %%w;\n "
             "st.global.b%u [%%p], %%d;\n ret;\n}\n",
             bytes_of(name) * 8);
}

/* ---- inputs ---- */

static const uint64_t integers[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    127,
                                    128,
                                    255,
                                    256,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x10000,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x100000000,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0xffffffffffffffff,
                                    0xfffffffffffffffe,
                                    0xaaaaaaaaaaaaaaaa,
                                    0x5555555512345678};
static const uint64_t singles[] = {
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f000000,
    0x40490fdb, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x4b000000,
    0x4b800001, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x5f000000, 0x3effffff, 0x3fc00000, 0x40200000, 0xc0200000,
    0x33800001, 0x477fe000, 0x477ff000, 0x38800000, 0x387fffff, 0x33000000, 0x33000001, 0x437f0000, 0x43ff8000};
static const uint64_t doubles[] = {0,
                                   0x8000000000000000,
                                   1,
                                   0x000fffffffffffff,
                                   0x0010000000000000,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x3fe0000000000000,
                                   0x7fefffffffffffff,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x4330000000000001,
                                   0x41e0000000000000,
                                   0xc1e0000000200000,
                                   0x43e0000000000000,
                                   0xc3e0000000000000,
                                   0x3ff8000000000000,
                                   0x4004000000000000,
                                   0x400921fb54442d18,
                                   0x36a0000000000000,
                                   0x47efffffe0000000,
                                   0x47efffffefffffff,
                                   0x3ff0000010000000,
                                   0x3ff0000010000001,
                                   0x3ff0000030000000,
                                   0x3690000000000001,
                                   0x7ff8000000000000,
                                   0x3810000000000000};
static const uint64_t halves[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x7bff, 0xfbff,
                                  0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x3555, 0x4248, 0x6400, 0x6401, 0x3800, 0x1400,
                                  0x7f80, 0xff80, 0x7fc0, 0x3f80, 0x0080, 0x007f, 0x7f7f, 0x4049};

static uint64_t random_bits(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t pick(const uint64_t *pool, size_t count, uint64_t bits) {
    return pool[bits % count];
}

#define PICK(pool, bits) pick(pool, sizeof(pool) / sizeof *(pool), bits)

/* A corner, or bits whose exponents are moderate. */
static uint64_t value_of(const char *type, uint64_t bits, uint64_t more) {
    bool corner = more % 4 != 0;
    if (strcmp(type, "f32") == 0) return corner ? PICK(singles, bits) : (bits & 0x87ffffff) | 0x38000000;
    if (strcmp(type, "f64") == 0)
        return corner ? PICK(doubles, bits) : (bits & 0x807fffffffffffff) | 0x3f80000000000000;
    if (strcmp(type, "f16") == 0 || strcmp(type, "bf16") == 0) return corner ? PICK(halves, bits) : bits & 0xffff;
    if (strcmp(type, "f16x2") == 0 || strcmp(type, "bf16x2") == 0)
        return corner ? PICK(halves, bits) << 16 | PICK(halves, bits >> 20) : bits & 0xffffffff;
    return corner ? PICK(integers, bits) : bits >> (more >> 2) % 60;
}

void form_input(const form_row *row, size_t type, unsigned k, uint64_t out[FORM_ELEMENTS]) {
    char name[16] = "u32";
    uint64_t state = k * 7919 + type * 104729;
    operand_type(row, type, k + 1, name);
    for (size_t i = 0; i < FORM_ELEMENTS; i++) {
        uint64_t bits = random_bits(&state);
        out[i] = value_of(name, bits, random_bits(&state));
    }
}

uint64_t form_digest(uint64_t digest, const uint64_t results[FORM_ELEMENTS]) {
    for (size_t i = 0; i < FORM_ELEMENTS; i++)
        for (unsigned byte = 0; byte < 8; byte++)
            digest = (digest ^ (results[i] >> (8 * byte) & 255)) * UINT64_C(0x100000001b3);
    return digest;
}
