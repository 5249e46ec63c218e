/* Finds a field in the descr of a structured type: [('name', '<f8'), ('at', [('x', '<f4'), ('y', '<f4')]), ...], a
 * field of a field as 'at.x' (numpy/lib/format.py, descr_to_dtype). */
#include "npy_fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cli_error.h"
#include "base/suggest.h"

/* ---- words of the dictionary ---- */

void cli_npy_set_error(const cli_npy_cursor *in, const char *at, const char *format, ...) {
    char detail[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    cli_error_set(in->error, "%s: npy header, byte %td: %s", in->bytes->name, at - in->bytes->data, detail);
}

void cli_npy_skip_space(cli_npy_cursor *in) {
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\n' || *in->at == '\t' || *in->at == '\r')) in->at++;
}

bool cli_npy_take(cli_npy_cursor *in, char c) {
    cli_npy_skip_space(in);
    if (in->at == in->end || *in->at != c) return false;
    in->at++;
    return true;
}

cli_exit cli_npy_expect(cli_npy_cursor *in, char c) {
    return cli_npy_take(in, c) ? CLI_OK : cli_npy_fail(in, in->at, "'%c' expected", c);
}

cli_exit cli_npy_take_string(cli_npy_cursor *in, const char **begin, const char **end) {
    cli_npy_skip_space(in);
    char quote = in->at < in->end ? *in->at : '\0';
    if (quote != '\'' && quote != '"') return cli_npy_fail(in, in->at, "a quoted string expected");
    const char *start = in->at + 1;
    const char *stop = memchr(start, quote, (size_t)(in->end - start));
    if (stop == NULL) return cli_npy_fail(in, in->at, "a string that does not end");
    if (memchr(start, '\\', (size_t)(stop - start)) != NULL) return cli_npy_fail(in, in->at, "an escape in a string");
    *begin = start;
    *end = stop;
    in->at = stop + 1;
    return CLI_OK;
}

/* ---- fields ---- */

/* A name that a shell can give. */
typedef struct field_name {
    const char *text; /* in the header, or in room; not terminated */
    size_t length;
    char room[256];
} field_name;

/* Reads a name from the header, as UTF-8. Formats 1 and 2 are Latin-1, format 3 is UTF-8. A name that room cannot hold
 * stays as it is in the header. */
static void name_read(const cli_npy_cursor *in, const char *begin, const char *end, field_name *name) {
    size_t length = 0, high = 0;
    name->text = begin;
    name->length = (size_t)(end - begin);
    for (const char *at = begin; at < end; at++) high += (unsigned char)*at >= 0x80;
    if (!in->latin1 || high == 0 || name->length + high > sizeof name->room) return;
    for (const char *at = begin; at < end; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c >= 0x80) name->room[length++] = (char)(0xc0 | c >> 6);
        name->room[length++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
    }
    name->text = name->room;
    name->length = length;
}

/* Whether a terminal would take a byte, or the pair that begins there, as a control character. */
static bool is_control(const char *at, const char *end) {
    const unsigned char c = (unsigned char)at[0], next = at + 1 < end ? (unsigned char)at[1] : 0;
    return c < 0x20 || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0);
}

/* Copies a name into buffer (at least 64 bytes) for a message; one with control characters, or a long one, as cli_quote
 * does. Returns buffer. */
static const char *name_show(const field_name *name, char *buffer) {
    const char *end = name->text + name->length;
    bool plain = name->length < 64;
    for (const char *at = name->text; at < end; at++) plain &= !is_control(at, end);
    if (!plain) return cli_quote(name->text, end, buffer);
    memcpy(buffer, name->text, name->length);
    buffer[name->length] = '\0';
    return buffer;
}

enum { DEEPEST = 8 };

typedef struct search {
    cli_npy_cursor *in;
    bool found;
    uint64_t bytes;    /* of the fields so far */
    char there[256];   /* their names, for a message */
    cli_nearest near;  /* the name nearest to what is wanted, in the innermost list that the wanted name leads to */
    const char *start; /* of the outermost list */
} search;

static cli_exit take_list(search *all, const char *wanted, int depth);

/* Adds the bytes of a type, `times` as many as one of them takes. */
static cli_exit add_bytes(search *all, const char *at, uint64_t bytes, uint64_t times) {
    if (__builtin_mul_overflow(bytes, times, &bytes) || __builtin_add_overflow(all->bytes, bytes, &all->bytes) ||
        all->bytes > UINT32_MAX)
        return cli_npy_fail(all->in, at, "a type of 4 GiB or more");
    return CLI_OK;
}

/* The bytes of a word such as '<f8', '<U10', '|V4' or '<M8[ns]'; 0: it is not such a word. */
static uint64_t bytes_of(const char *begin, const char *end) {
    uint64_t bytes = 0;
    const char *at = begin;
    if (at < end && strchr("<>=|", *at) != NULL) at++;
    if (at == end) return 0;
    const char kind = *at++;
    for (; at < end && *at >= '0' && *at <= '9' && bytes < UINT32_MAX; at++) bytes = bytes * 10 + (uint64_t)(*at - '0');
    return kind == 'U' ? 4 * bytes : bytes;
}

/* A shape after a field's type makes the field an array: *times is the product of its sizes. */
static cli_exit take_times(search *all, uint64_t *times, bool *is_array) {
    cli_npy_cursor *in = all->in;
    *times = 1;
    *is_array = cli_npy_take(in, ',');
    if (!*is_array) return CLI_OK;
    cli_exit code = cli_npy_expect(in, '(');
    while (code == CLI_OK && !cli_npy_take(in, ')')) {
        uint64_t size = 0;
        cli_npy_skip_space(in);
        const char *start = in->at;
        for (; in->at < in->end && *in->at >= '0' && *in->at <= '9' && size < UINT32_MAX; in->at++)
            size = size * 10 + (uint64_t)(*in->at - '0');
        if (in->at == start) return cli_npy_fail(in, start, "a size expected in the shape of a field");
        if (__builtin_mul_overflow(*times, size, times)) return cli_npy_fail(in, start, "a type of 4 GiB or more");
        (void)cli_npy_take(in, ',');
    }
    return code;
}

/* 'name', or ('title', 'name'). */
static cli_exit take_name(search *all, const char **begin, const char **end) {
    cli_npy_cursor *in = all->in;
    const bool titled = cli_npy_take(in, '(');
    cli_exit code = cli_npy_take_string(in, begin, end);
    if (code != CLI_OK || !titled) return code;
    code = cli_npy_expect(in, ',');
    if (code == CLI_OK) code = cli_npy_take_string(in, begin, end);
    return code == CLI_OK ? cli_npy_expect(in, ')') : code;
}

/* The type of a field: a word, or a list. here: the field is the wanted one; rest: what is wanted inside it. */
static cli_exit take_type(search *all, bool here, const char *rest, int depth) {
    cli_npy_cursor *in = all->in;
    cli_npy_skip_space(in);
    const char *start = in->at, *begin, *end;
    if (start < in->end && *start == '[') {
        if (here) return cli_npy_fail(in, start, "the field has fields: --field %s.NAME", in->bytes->field);
        return take_list(all, rest, depth + 1);
    }
    cli_exit code = cli_npy_take_string(in, &begin, &end);
    if (code != CLI_OK) return code;
    char quoted[64];
    if (here) {
        in->header.type = cli_npy_find_type(begin, end, &in->header.swapped);
        if (in->header.type == JR_TYPE_NONE)
            return cli_npy_fail(in, start, "the field's type '%s' cannot be reduced", cli_quote(begin, end, quoted));
        in->header.unnamed = cli_npy_is_unnamed(begin, end);
        in->header.field_offset = all->bytes;
        all->found = true;
    }
    return add_bytes(all, start, bytes_of(begin, end), 1);
}

/* The bytes of the wanted name that a field's name matches, up to its end or a '.'; 0 if it is another name. */
static size_t match(const char *wanted, const char *text, size_t length) {
    const bool begins = wanted != NULL && length > 0 && strlen(wanted) >= length && memcmp(wanted, text, length) == 0;
    return begins && (wanted[length] == '\0' || wanted[length] == '.') ? length : 0;
}

/* ('name', type) or ('name', type, shape). */
static cli_exit take_field(search *all, const char *wanted, int depth) {
    cli_npy_cursor *in = all->in;
    const char *begin = NULL, *end = NULL;
    cli_exit code = cli_npy_expect(in, '(');
    if (code == CLI_OK) code = take_name(all, &begin, &end);
    if (code == CLI_OK) code = cli_npy_expect(in, ',');
    if (code != CLI_OK) return code;
    const size_t used = strlen(all->there);
    field_name name;
    name_read(in, begin, end, &name);
    char shown[64];
    if (depth == 0 && name.length > 0) /* padding has no name */
        snprintf(all->there + used, sizeof all->there - used, " '%s'", name_show(&name, shown));
    if (wanted != NULL && wanted == all->near.typed) cli_nearest_offer(&all->near, name.text, name.length);
    size_t matched = match(wanted, name.text, name.length);
    if (matched == 0) matched = match(wanted, begin, (size_t)(end - begin)); /* typed in the file's own encoding */
    const bool here = matched > 0 && wanted[matched] == '\0' && !all->found;
    const char *rest = matched > 0 && wanted[matched] == '.' ? wanted + matched + 1 : NULL;
    const uint64_t before = all->bytes;
    const bool found_before = all->found;
    uint64_t times;
    bool is_array;
    code = take_type(all, here, rest, depth);
    if (code == CLI_OK) code = take_times(all, &times, &is_array);
    if (code != CLI_OK) return code;
    if (is_array && all->found && !found_before)
        return cli_npy_fail(in, begin, "the field '%s' is an array in each element", in->bytes->field);
    const uint64_t one = all->bytes - before;
    all->bytes = before;
    code = add_bytes(all, begin, one, times);
    return code == CLI_OK ? cli_npy_expect(in, ')') : code;
}

/* NOLINTNEXTLINE(misc-no-recursion): at most DEEPEST lists lie inside each other */
static cli_exit take_list(search *all, const char *wanted, int depth) {
    if (depth > DEEPEST) return cli_npy_fail(all->in, all->in->at, "fields deeper than %d", DEEPEST);
    if (wanted != NULL) all->near = (cli_nearest){.typed = wanted};
    cli_exit code = cli_npy_expect(all->in, '[');
    for (bool comma = true; code == CLI_OK && !cli_npy_take(all->in, ']');) {
        if (!comma) return cli_npy_fail(all->in, all->in->at, "',' or ']' expected between fields");
        code = take_field(all, wanted, depth);
        comma = cli_npy_take(all->in, ',');
    }
    return code;
}

static cli_exit fail_name(const search *all) {
    const char *field = all->in->bytes->field;
    char before[CLI_SUGGEST_BYTES], hint[CLI_HINT_BYTES];
    snprintf(before, sizeof before, "%.*s", (int)(all->near.typed - field), field);
    const char *near = cli_nearest_hint(&all->near, before, hint);
    return cli_npy_fail(all->in, all->start, "no field is called '%s': there are%s%s", field, all->there,
                        all->near.word[0] != '\0' ? near : "");
}

cli_exit cli_npy_take_fields(cli_npy_cursor *in) {
    search all = {.in = in, .start = in->at};
    const cli_exit code = take_list(&all, in->bytes->field, 0);
    if (code != CLI_OK) return code;
    if (in->bytes->field == NULL)
        return cli_npy_fail(in, all.start, "a structured type: give one of its fields by --field:%s", all.there);
    if (!all.found) return fail_name(&all);
    in->header.item_bytes = all.bytes;
    return CLI_OK;
}
