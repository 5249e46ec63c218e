/* Kernels and inputs for every form of the lists. */
#include "ptx_forms.h"

#include <stdarg.h>
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

bool form_operand_type(const form_row *row, size_t type, size_t operand, char out[16]) {
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

unsigned form_result_bytes(const form_row *row, size_t type) {
    char name[16] = "";
    form_operand_type(row, type, 0, name);
    return bytes_of(name);
}

static void __attribute__((format(printf, 2, 3))) say(form_case *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out->ptx + out->used, sizeof out->ptx - out->used, format, arguments);
    va_end(arguments);
    if (length > 0) out->used += (size_t)length;
    if (out->used >= sizeof out->ptx) out->used = sizeof out->ptx - 1; /* cut short: no device takes such a text */
}

/* Loads source k into %a<k>, or makes %q<k> of its lowest bit. */
static void say_source(form_case *out, unsigned k, const char *type) {
    unsigned bits = bytes_of(type) * 8;
    say(out, " .reg .b%u %%a%u;\n ld.param.u64 %%p, [p%u];\n add.s64 %%p, %%p, %%o;\n ld.global.b%u %%a%u, [%%p];\n",
        bits, k, k, bits, k);
    if (strcmp(type, "pred") != 0) return;
    say(out, " .reg .pred %%q%u;\n and.b32 %%a%u, %%a%u, 1;\n setp.ne.u32 %%q%u, %%a%u, 0;\n", k, k, k, k, k);
}

static void say_instruction(const form_row *row, size_t type, form_case *out) {
    char name[16];
    form_operand_type(row, type, 0, name);
    bool predicate = strcmp(name, "pred") == 0;
    say(out, " .reg .b%u %%d;\n %s %s", bytes_of(name) * 8, out->opcode, predicate ? "%qd" : "%d");
    for (unsigned k = 0; form_operand_type(row, type, k + 1, name); k++)
        say(out, ", %%%c%u", strcmp(name, "pred") == 0 ? 'q' : 'a', k);
    say(out, "%s;\n", row->tail);
    if (predicate) say(out, " selp.u32 %%d, 1, 0, %%qd;\n");
    say(out,
        " ld.param.u64 %%p, [pd];\n add.s64 %%p, %%p, %%o;\n mov.u64 %%w, 0;\n st.global.u64 [%%p], %%w;\n"
        " st.global.b%u [%%p], %%d;\n",
        form_result_bytes(row, type) * 8);
}

/* A body gives %d (the destination's type), %x, %qd, and 16 bytes of its thread's at [%memory]; all begin as 0. It may
 * use 16 bytes of its thread's in shared memory at [%room], %r<8>, %e<8> (64 bits), %k<8> (predicates), %z<4> (as %d),
 * and reads %t (thread), %lane and %first: the memory of thread 0. */
static void say_body(const form_row *row, size_t type, form_case *out) {
    unsigned bits = form_result_bytes(row, type) * 8;
    char name[16];
    word(row->types, type, name);
    say(out,
        " .reg .b%u %%d, %%z<4>;\n .reg .b32 %%x, %%r<8>, %%room, %%lane;\n .reg .b64 %%memory, %%first, %%e<8>;\n"
        " .reg .pred %%k<8>;\n .shared .align 16 .b8 rooms[%u];\n"
        " mov.b%u %%d, 0;\n mov.u32 %%x, 0;\n setp.ne.u32 %%qd, %%x, 0;\n mov.u32 %%lane, %%laneid;\n"
        " mov.u32 %%room, rooms;\n mad.lo.u32 %%room, %%t, 16, %%room;\n ld.param.u64 %%p, [pd];\n"
        " add.s64 %%first, %%p, 16;\n mul.wide.u32 %%o, %%t, %u;\n add.s64 %%memory, %%first, %%o;\n ",
        bits, 16 * FORM_ELEMENTS, bits, 8 * FORM_WORDS);
    for (const char *at = row->body; *at; at++) {
        if (*at == '$')
            say(out, "%s", name);
        else if (*at == '#')
            say(out, "%u", bytes_of(name) * 8);
        else
            say(out, "%c", *at);
    }
    say(out,
        "\n selp.u32 %%n, 1, 0, %%qd;\n add.s64 %%p, %%p, %%o;\n st.global.v2.b32 [%%p+8], {%%x, %%n};\n"
        " st.global.b%u [%%p], %%d;\n",
        bits);
}

void form_make(const form_row *row, size_t type, form_case *out) {
    char name[16];
    word(row->types, type, name);
    snprintf(out->opcode, sizeof out->opcode, row->opcode, name); /* NOLINT(clang-diagnostic-format-nonliteral) */
    out->used = 0;
    say(out, ".version 9.0\n.target sm_90\n.address_size 64\n"
             ".visible .entry form(.param .u64 pd, .param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{\n"
             " .reg .b64 %%p, %%o, %%w;\n .reg .b32 %%t, %%n;\n .reg .pred %%qd;\n"
             " mov.u32 %%t, %%tid.x;\n mul.wide.u32 %%o, %%t, 8;\n");
    for (unsigned k = 0; form_operand_type(row, type, k + 1, name); k++) say_source(out, k, name);
    if (row->body)
        say_body(row, type, out);
    else
        say_instruction(row, type, out);
    say(out, " ret;\n}\n");
}

size_t form_result_count(const form_row *row) {
    return (size_t)FORM_ELEMENTS * (row->body ? FORM_WORDS : 1);
}

/* All families of forms. */
const form_family form_families[] = {
#define ROW(name) {#name, form_##name, &form_##name##_count},
    FORM_FAMILIES(ROW)
#undef ROW
};
const size_t form_family_count = sizeof form_families / sizeof *form_families;
