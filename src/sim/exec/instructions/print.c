/* vprintf and __assertfail: what kernels say to the host. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/exec/fault.h"
#include "sim/exec/frame.h"
#include "sim/exec/judge/access.h"
#include "sim/ptx/handlers.h"

enum { STRING_BYTES = 1024, SPECIFIER_BYTES = 64, CONVERTED_BYTES = 1100 };

/* What one lane's call is about: its memory, and how far it has come. */
typedef struct reader {
    jrs_warp *warp;
    const jrs_instruction *call;
    unsigned lane;
    uint64_t arguments; /* address of the argument buffer */
    uint64_t used;      /* bytes of it */
    bool failed;
} reader;

static bool read_bytes(reader *r, uint64_t address, void *into, unsigned bytes) {
    const jrs_extent extent = {address, bytes, bytes, JRS_SPACE_GENERIC};
    const uint8_t *at = jrs_access_extent(r->warp, r->call, r->lane, &extent, JRS_READ);
    if (at)
        memcpy(into, at, bytes);
    else
        r->failed = true;
    return at != NULL;
}

static void read_string(reader *r, uint64_t address, char text[STRING_BYTES]) {
    size_t length = 0;
    while (length < STRING_BYTES - 1 && read_bytes(r, address + length, &text[length], 1) && text[length]) length++;
    text[length] = '\0';
}

static uint64_t next_argument(reader *r, unsigned bytes) {
    uint64_t value = 0;
    r->used = (r->used + bytes - 1) / bytes * bytes;
    read_bytes(r, r->arguments + r->used, &value, bytes);
    r->used += bytes;
    return value;
}

static void emit(jrs_run *run, const char *text, size_t length) {
    pthread_mutex_lock(&run->mutex);
    if (run->launch->print)
        run->launch->print(run->launch->user, text, length);
    else
        fwrite(text, 1, length, stdout);
    pthread_mutex_unlock(&run->mutex);
}

/* ---- one conversion ---- */

/* "%-5.3lld": flags, width and precision without length letters; *wide: 64-bit; returns what follows. */
static const char *parse_specifier(reader *r, const char *at, char specifier[SPECIFIER_BYTES], bool *wide) {
    size_t used = 0;
    *wide = false;
    specifier[used++] = *at++;
    while (*at && !isalpha((unsigned char)*at) && *at != '%' && used < SPECIFIER_BYTES - 24) {
        if (*at == '*')
            used += (size_t)snprintf(specifier + used, 12, "%d", (int)next_argument(r, 4));
        else
            specifier[used++] = *at;
        at++;
    }
    while (*at && strchr("hljztLq", *at)) *wide |= strchr("ljztLq", *at++) != NULL;
    specifier[used] = '\0';
    return at;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the kernel's own format, whose parts have been checked */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

static int convert_one(reader *r, char *into, const char *specifier, char letter, bool wide) {
    char format[SPECIFIER_BYTES + 4], text[STRING_BYTES];
    uint64_t bits;
    double real;
    snprintf(format, sizeof format, "%s%s%c", specifier, strchr("diouxX", letter) ? "ll" : "", letter);
    switch (letter) {
    case 'd':
    case 'i':
        bits = next_argument(r, wide ? 8 : 4);
        return snprintf(into, CONVERTED_BYTES, format, wide ? (long long)bits : (long long)(int32_t)bits);
    case 'o':
    case 'u':
    case 'x':
    case 'X': return snprintf(into, CONVERTED_BYTES, format, (unsigned long long)next_argument(r, wide ? 8 : 4));
    case 'c': return snprintf(into, CONVERTED_BYTES, format, (int)next_argument(r, 4));
    case 'p':
        bits = next_argument(r, 8);
        return snprintf(into, CONVERTED_BYTES, format, (void *)(uintptr_t)bits); /* NOLINT: printed, never used */
    case 's': read_string(r, next_argument(r, 8), text); return snprintf(into, CONVERTED_BYTES, format, text);
    default:
        bits = next_argument(r, 8);
        memcpy(&real, &bits, sizeof real);
        return snprintf(into, CONVERTED_BYTES, format, real);
    }
}
#pragma GCC diagnostic pop

/* The number of conversions. */
static int format_all(reader *r, const char *format, FILE *out) {
    char specifier[SPECIFIER_BYTES], converted[CONVERTED_BYTES];
    int count = 0;
    bool wide;
    for (const char *at = format; *at && !r->failed;) {
        size_t plain = strcspn(at, "%");
        fwrite(at, 1, plain, out);
        at += plain;
        if (!*at) break;
        at = parse_specifier(r, at, specifier, &wide);
        if (*at == '%') {
            fputc('%', out);
        } else if (*at && strchr("diouxXcpsfFeEgGaA", *at)) {
            const int length = convert_one(r, converted, specifier, *at, wide); /* negative: of a width out of range */
            if (length > 0) fwrite(converted, 1, length < CONVERTED_BYTES ? (size_t)length : CONVERTED_BYTES - 1, out);
            count++;
        } else {
            fputs(specifier, out); /* as it stands, like the device */
            continue;
        }
        at++;
    }
    return count;
}

/* What a lane's call prints, and its result. */
static bool print_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    char format[STRING_BYTES], *text = NULL;
    size_t length = 0;
    reader r = {.warp = warp, .call = i, .lane = lane};
    FILE *out = open_memstream(&text, &length);
    if (!out) return jrs_fault(warp, i, lane, JRS_FAULT_NO_MEMORY, "for what it prints") == JRS_STEP;
    read_string(&r, jrs_call_argument(warp, i, lane, 0), format);
    r.arguments = jrs_call_argument(warp, i, lane, 1);
    const int32_t count = format_all(&r, format, out);
    fclose(out);
    if (!r.failed && text) emit(warp->block->run, text, length);
    free(text);
    jrs_call_result(warp, i, lane, &count, sizeof count);
    return !r.failed;
}

jrs_next jrs_op_print(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!print_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    warp->progress = true;
    return JRS_STEP;
}

/* __assertfail(message, file, line, function, size of a character) */
jrs_next jrs_op_assert_fail(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    unsigned lane = jrs_first(mask);
    char message[STRING_BYTES], file[STRING_BYTES], function[STRING_BYTES];
    reader r = {.warp = warp, .call = i, .lane = lane};
    read_string(&r, jrs_call_argument(warp, i, lane, 0), message);
    read_string(&r, jrs_call_argument(warp, i, lane, 1), file);
    read_string(&r, jrs_call_argument(warp, i, lane, 3), function);
    return jrs_fault(warp, i, lane, JRS_FAULT_ASSERTION, "%.300s:%u: %.200s: '%.300s'", file,
                     (unsigned)jrs_call_argument(warp, i, lane, 2), function, message);
}
