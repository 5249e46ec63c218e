/* vprintf and __assertfail: what kernels say to the host. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "access.h"
#include "fault.h"
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

static uint64_t call_argument(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, unsigned index) {
    uint64_t value = 0;
    const jrs_parameter *parameter = &i->call->arguments[index];
    if (index >= i->call->argument_count) return 0;
    const uint8_t *from = jrs_local(warp, lane) + warp->group->frame->local_base + parameter->offset;
    memcpy(&value, from, parameter->bytes < 8 ? parameter->bytes : 8);
    return value;
}

/* ---- output ---- */

typedef struct output {
    char *text;
    size_t length, capacity;
} output;

static void append(output *out, const char *text, size_t length) {
    if (length == 0) return;
    if (out->length + length > out->capacity) {
        size_t capacity = (out->length + length) * 2 + 128;
        char *larger = realloc(out->text, capacity);
        if (!larger) return;
        out->text = larger;
        out->capacity = capacity;
    }
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

static void emit(jrs_run *run, const output *out) {
    pthread_mutex_lock(&run->mutex);
    if (run->launch->print)
        run->launch->print(run->launch->user, out->text ? out->text : "", out->length);
    else if (out->text)
        fwrite(out->text, 1, out->length, stdout);
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

__attribute__((format(printf, 3, 4))) static int convert(char *into, size_t bytes, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(into, bytes, format, arguments);
    va_end(arguments);
    return length;
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
        return convert(into, CONVERTED_BYTES, format, wide ? (long long)bits : (long long)(int32_t)bits);
    case 'o':
    case 'u':
    case 'x':
    case 'X': return convert(into, CONVERTED_BYTES, format, (unsigned long long)next_argument(r, wide ? 8 : 4));
    case 'c': return convert(into, CONVERTED_BYTES, format, (int)next_argument(r, 4));
    case 'p':
        bits = next_argument(r, 8);
        return convert(into, CONVERTED_BYTES, format, (void *)(uintptr_t)bits); /* NOLINT: printed, never used */
    case 's': read_string(r, next_argument(r, 8), text); return convert(into, CONVERTED_BYTES, format, text);
    default:
        bits = next_argument(r, 8);
        memcpy(&real, &bits, sizeof real);
        return convert(into, CONVERTED_BYTES, format, real);
    }
}
#pragma GCC diagnostic pop

/* The number of conversions. */
static int format_all(reader *r, const char *format, output *out) {
    char specifier[SPECIFIER_BYTES], converted[CONVERTED_BYTES];
    int count = 0;
    bool wide;
    for (const char *at = format; *at && !r->failed;) {
        size_t plain = strcspn(at, "%");
        append(out, at, plain);
        at += plain;
        if (!*at) break;
        at = parse_specifier(r, at, specifier, &wide);
        if (*at == '%') {
            append(out, "%", 1);
        } else if (*at && strchr("diouxXcpsfFeEgGaA", *at)) {
            int length = convert_one(r, converted, specifier, *at, wide);
            append(out, converted,
                   length < 0                          ? 0
                   : (size_t)length < sizeof converted ? (size_t)length
                                                       : sizeof converted - 1);
            count++;
        } else {
            append(out, specifier, strlen(specifier)); /* as it stands, like the device */
            continue;
        }
        at++;
    }
    return count;
}

jrs_next jrs_op_print(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = jrs_first(rest);
        char format[STRING_BYTES];
        output out = {0};
        reader r = {.warp = warp, .call = i, .lane = lane};
        read_string(&r, call_argument(warp, i, lane, 0), format);
        r.arguments = call_argument(warp, i, lane, 1);
        int32_t count = r.failed ? -1 : format_all(&r, format, &out);
        if (!r.failed) emit(warp->block->run, &out);
        free(out.text);
        if (r.failed) return JRS_FAULT;
        if (i->call->result_count && i->call->results[0].bytes == 4)
            memcpy(jrs_local(warp, lane) + warp->group->frame->local_base + i->call->results[0].offset, &count, 4);
    }
    warp->progress = true;
    return JRS_STEP;
}

/* __assertfail(message, file, line, function, size of a character) */
jrs_next jrs_op_assert_fail(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    unsigned lane = jrs_first(mask);
    char message[STRING_BYTES], file[STRING_BYTES], function[STRING_BYTES];
    reader r = {.warp = warp, .call = i, .lane = lane};
    read_string(&r, call_argument(warp, i, lane, 0), message);
    read_string(&r, call_argument(warp, i, lane, 1), file);
    read_string(&r, call_argument(warp, i, lane, 3), function);
    return jrs_fault(warp, i, lane, JRS_FAULT_ASSERTION, "%.300s:%u: %.200s: '%.300s'", file,
                     (unsigned)call_argument(warp, i, lane, 2), function, message);
}
