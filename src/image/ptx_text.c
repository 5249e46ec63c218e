/* Reads of PTX text what a host must know: .target, .entry and .param. All else is the driver's to judge.
 *
 * Source of the grammar: PTX ISA, "Kernel and Function Directives: .entry" and "Kernel Function Parameter Attributes".
 */
#include "ptx_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* A word (a name, a number, a directive with its dot) or one other character; at NULL: the text has ended. */
typedef struct word {
    const char *at;
    size_t bytes;
} word;

static bool is_part(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* White space, comments and strings, which hold no words. */
static const char *skip(const char *at) {
    for (;;) {
        const char *end = NULL;
        at += strspn(at, " \t\r\n\v\f");
        if (strncmp(at, "//", 2) == 0)
            end = at + strcspn(at, "\n");
        else if (strncmp(at, "/*", 2) == 0)
            end = strstr(at + 2, "*/") != NULL ? strstr(at + 2, "*/") + 2 : at + strlen(at);
        else if (*at == '"')
            end = strchr(at + 1, '"') != NULL ? strchr(at + 1, '"') + 1 : at + strlen(at);
        if (end == NULL) return at;
        at = end;
    }
}

static word next(const char **text) {
    const char *begin = skip(*text), *end = begin;
    if (*begin == '\0') {
        *text = begin;
        return (word){NULL, 0};
    }
    for (end++; (is_part(*begin) || *begin == '.') && is_part(*end);) end++;
    *text = end;
    return (word){begin, (size_t)(end - begin)};
}

static bool is(word found, const char *text) {
    return found.at != NULL && found.bytes == strlen(text) && memcmp(found.at, text, found.bytes) == 0;
}

/* ---- kernels ---- */

/* Finds the next kernel that is defined or declared: its name, and the text after the name. */
static bool next_entry(const char **text, word *name) {
    for (word found; (found = next(text)).at != NULL;) {
        if (!is(found, ".entry")) continue;
        *name = next(text);
        if (name->at != NULL && (is_part(*name->at))) return true;
    }
    return false;
}

/* The text after the name of a kernel; NULL: no kernel has this name. */
static const char *find_word(const char *ptx, word entry) {
    word name;
    for (const char *at = ptx; next_entry(&at, &name);)
        if (name.bytes == entry.bytes && memcmp(name.at, entry.at, entry.bytes) == 0) return at;
    return NULL;
}

static const char *find_entry(const char *ptx, const char *entry) {
    return find_word(ptx, (word){entry, strlen(entry)});
}

/* A kernel that is declared before it is defined is listed once. */
void jr_ptx_kernels(const char *ptx, jr_text *list) {
    word name;
    for (const char *at = ptx; next_entry(&at, &name);)
        if (find_word(ptx, name) == at)
            jr_text_append(list, "%s%.*s", list->length > 0 ? "; " : "", (int)name.bytes, name.at);
}

static jr_status fail_entry(const char *ptx, const char *entry) {
    jr_text names = {0};
    word name;
    for (const char *at = ptx; next_entry(&at, &name);) jr_text_append(&names, " %.*s", (int)name.bytes, name.at);
    char *list = jr_text_take(&names);
    jr_status status;
    if (list == NULL || *list == '\0')
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "the PTX has no kernel: .entry is missing");
    else if (entry == NULL)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "the PTX has several kernels: name one of:%.400s", list);
    else
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "the PTX has no kernel '%.200s': it has%.400s", entry, list);
    free(list);
    return status;
}

/* ---- parameters ---- */

static bool read_size(word found, size_t *size) {
    const uint64_t most = 1 << 20;
    uint64_t sum = 0;
    for (size_t i = 0; i < found.bytes && sum <= most; i++) {
        if (!isdigit((unsigned char)found.at[i])) return false;
        sum = sum * 10 + (uint64_t)(found.at[i] - '0');
    }
    *size = (size_t)sum;
    return found.bytes > 0 && sum > 0 && sum <= most;
}

/* ".u64": its size, from the number at its end; false: not a type of bits. */
static bool read_type(word found, jr_kernel_parameter *parameter) {
    size_t bits;
    if (found.bytes < 3 || found.bytes > 5 || *found.at != '.' || strchr("bsuf", found.at[1]) == NULL) return false;
    if (!read_size((word){found.at + 2, found.bytes - 2}, &bits) || bits % 8 != 0 || bits > 128) return false;
    memcpy(parameter->type, found.at + 1, found.bytes - 1);
    parameter->type[found.bytes - 1] = '\0';
    parameter->bytes = bits / 8;
    return true;
}

/* ".param .align 8 .b8 name[16]", ".param .u64 .ptr .global .align 4 name"; *last: the word after it. */
static bool read_parameter(const char **text, jr_kernel_parameter *parameter, word *last) {
    bool typed = false, named = false;
    size_t many = 1, aligned = 0;
    *parameter = (jr_kernel_parameter){0};
    for (*last = next(text); last->at != NULL && !is(*last, ",") && !is(*last, ")"); *last = next(text)) {
        if (is(*last, ".align")) {
            size_t size;
            if (!read_size(next(text), &size)) return false;
            if (!typed) aligned = size; /* else of what a pointer points to */
        } else if (is(*last, "[")) {
            if (!read_size(next(text), &many) || !is(next(text), "]")) return false;
        } else if (*last->at != '.') {
            named = true;
        } else if (!typed) {
            typed = read_type(*last, parameter);
        }
    }
    parameter->alignment = aligned > 0 ? aligned : parameter->bytes;
    parameter->bytes *= many;
    return typed && named && last->at != NULL;
}

/* Reads the parameter list after a kernel's name. *found: how many were read, also if the next one cannot be read. */
static bool read_list(const char *at, jr_kernel_parameter *parameters, size_t room, size_t *found) {
    const char *empty = at;
    word last = next(&at);
    *found = 0;
    if (is(next(&empty), "(") && is(next(&empty), ")")) return true;
    while (is(last, "(") || is(last, ",")) {
        jr_kernel_parameter parameter;
        if (!read_parameter(&at, &parameter, &last)) return false;
        if (*found < room) parameters[*found] = parameter;
        ++*found;
    }
    return true;
}

jr_status jr_ptx_parameters(const char *ptx, const char *entry, jr_kernel_parameter *parameters, size_t room,
                            size_t *count) {
    const char *at = find_entry(ptx, entry);
    size_t found;
    if (at == NULL) return fail_entry(ptx, entry);
    if (!read_list(at, parameters, room, &found))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %zu of the kernel %s cannot be read in its PTX", found + 1,
                       entry);
    *count = found;
    return JR_OK;
}

bool jr_ptx_parameters_read(const char *ptx, const char *entry, jr_kernel_parameter *parameters, size_t room,
                            size_t *count) {
    const char *at = find_entry(ptx, entry);
    size_t found;
    if (at == NULL || !read_list(at, parameters, room, &found)) return false;
    *count = found;
    return true;
}

/* ---- images ---- */

/* "compute_90" of ".target sm_90". */
static bool find_architecture(const char *ptx, char *architecture, size_t bytes) {
    for (word found; (found = next(&ptx)).at != NULL;) {
        if (!is(found, ".target")) continue;
        found = next(&ptx);
        if (found.at == NULL || found.bytes < 4 || strncmp(found.at, "sm_", 3) != 0) return false;
        snprintf(architecture, bytes, "compute_%.*s", (int)found.bytes - 3, found.at + 3);
        return true;
    }
    return false;
}

jr_status jr_ptx_image(const char *ptx, const char *entry, jr_image **image) {
    char architecture[32];
    word name, other;
    const char *at = ptx;
    if (!find_architecture(ptx, architecture, sizeof architecture))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this is not PTX: there is no .target sm_NN");
    const bool one = next_entry(&at, &name) && !next_entry(&at, &other);
    if (entry != NULL ? find_entry(ptx, entry) == NULL : !one) return fail_entry(ptx, entry);
    char *own = entry != NULL ? jr_string_copy(entry) : strndup(name.at, name.bytes);
    if (own == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the name of a kernel");
    const jr_status status = jr_image_make(
        &(jr_image_parts){.entry = own, .architecture = architecture, .ptx = ptx, .ptx_bytes = strlen(ptx)}, image);
    free(own);
    return status;
}
