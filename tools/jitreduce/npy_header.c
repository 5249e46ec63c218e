/* Parses the .npy header (numpy/lib/format.py): magic, version, length, then a Python dictionary literal.
 * Invariant: the cursor never passes the end of the header, whatever the header says of itself. */
#include "npy_header.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAGIC       "\x93NUMPY"
#define MAGIC_BYTES 6

/* Headers above this are refused, as NumPy refuses those above 10 kB: no array of ours needs more. */
#define HEADER_LIMIT ((uint64_t)1 << 20)

enum { KEY_DESCR = 1, KEY_FORTRAN_ORDER = 2, KEY_SHAPE = 4 };

typedef struct cursor {
    const cli_bytes *bytes;
    const char *at, *end;
    int keys; /* those seen, as KEY_ bits */
    uint64_t dimensions_above_1;
    bool any_zero;
    bool overflow;
    cli_npy_header header;
    cli_error *error;
} cursor;

__attribute__((format(printf, 3, 4))) static void set_error_at(const cursor *in, const char *at, const char *format,
                                                               ...) {
    char detail[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    cli_error_set(in->error, "%s: npy header, byte %td: %s", in->bytes->name, at - in->bytes->data, detail);
}

#define fail_at(in, at, ...) (set_error_at(in, at, __VA_ARGS__), CLI_FAILURE)

static void skip_space(cursor *in) {
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\n' || *in->at == '\t' || *in->at == '\r')) in->at++;
}

/* Takes one character, white space before it allowed; false, and nothing taken, when another one stands there. */
static bool take(cursor *in, char c) {
    skip_space(in);
    if (in->at == in->end || *in->at != c) return false;
    in->at++;
    return true;
}

static cli_exit expect(cursor *in, char c) {
    return take(in, c) ? CLI_OK : fail_at(in, in->at, "'%c' expected", c);
}

/* Takes a quoted string without escapes. */
static cli_exit take_string(cursor *in, const char **begin, const char **end) {
    skip_space(in);
    char quote = in->at < in->end ? *in->at : '\0';
    if (quote != '\'' && quote != '"') return fail_at(in, in->at, "a quoted string expected");
    const char *start = in->at + 1;
    const char *stop = memchr(start, quote, (size_t)(in->end - start));
    if (stop == NULL) return fail_at(in, in->at, "a string that does not end");
    if (memchr(start, '\\', (size_t)(stop - start)) != NULL) return fail_at(in, in->at, "an escape in a string");
    *begin = start;
    *end = stop;
    in->at = stop + 1;
    return CLI_OK;
}

char cli_npy_kind(jr_type type) {
    switch (jr_type_class_of(type)) {
    case JR_CLASS_SIGNED: return 'i';
    case JR_CLASS_UNSIGNED: return 'u';
    case JR_CLASS_BOOLEAN: return 'b';
    case JR_CLASS_FLOAT: return type == JR_F16 || type == JR_F32 || type == JR_F64 ? 'f' : '\0';
    case JR_CLASS_NONE: break;
    }
    return '\0';
}

static jr_type find_type(char kind, size_t size) {
#define TYPE_MATCH(name, number, text)                                                                                 \
    if (cli_npy_kind(JR_##name) == kind && jr_type_size(JR_##name) == size) return JR_##name;
    JR_TYPES(TYPE_MATCH)
#undef TYPE_MATCH
    return JR_TYPE_NONE;
}

static cli_exit fail_type(const cursor *in, const char *start, const char *name) {
#define TYPE_TEXT(name, number, text) " " text
    char known[] = JR_TYPES(TYPE_TEXT); /* as much as all of them take */
#undef TYPE_TEXT
    known[0] = '\0';
#define TYPE_LIST(name, number, text)                                                                                  \
    if (cli_npy_kind(JR_##name) != '\0') strcat(known, " " text);
    JR_TYPES(TYPE_LIST)
#undef TYPE_LIST
    return fail_at(in, start, "type '%s' is not one of%s", name, known);
}

/* descr: byte order, kind, size, as '<f4'. */
static cli_exit take_descr(cursor *in) {
    skip_space(in);
    const char *start = in->at, *begin = NULL, *end = NULL;
    if (start < in->end && *start == '[') return fail_at(in, start, "a structured type; fields cannot be reduced");
    cli_exit code = take_string(in, &begin, &end);
    if (code != CLI_OK) return code;
    jr_type type = JR_TYPE_NONE;
    if (end - begin == 3 && strchr("<>=|", begin[0]) != NULL && begin[2] >= '1' && begin[2] <= '8')
        type = find_type(begin[1], (size_t)(begin[2] - '0'));
    char quoted[64];
    if (type == JR_TYPE_NONE) return fail_type(in, start, cli_quote(begin, end, quoted));
    in->header.type = type;
    in->header.swapped = jr_type_size(type) > 1 && begin[0] == (cli_little_endian() ? '>' : '<');
    return CLI_OK;
}

static cli_exit take_bool(cursor *in) {
    skip_space(in);
    size_t left = (size_t)(in->end - in->at);
    bool is_true = left >= 4 && memcmp(in->at, "True", 4) == 0;
    bool is_false = left >= 5 && memcmp(in->at, "False", 5) == 0;
    if (!is_true && !is_false) return fail_at(in, in->at, "True or False expected");
    in->at += is_true ? 4 : 5;
    in->header.fortran_order = is_true;
    return CLI_OK;
}

static cli_exit take_dimension(cursor *in) {
    skip_space(in);
    const char *start = in->at;
    uint64_t value = 0;
    bool overflow = false;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++) {
        overflow |= __builtin_mul_overflow(value, UINT64_C(10), &value);
        overflow |= __builtin_add_overflow(value, (uint64_t)(*in->at - '0'), &value);
    }
    if (in->at == start) return fail_at(in, start, "a dimension expected: a number that is not negative");
    if (overflow) return fail_at(in, start, "a dimension of 2^64 or more");
    if (in->at < in->end && *in->at == 'L') in->at++; /* NumPy under Python 2 wrote (3L,) */
    cli_shape *shape = &in->header.shape;
    if (shape->dimensions < JR_DIMENSIONS_MAX) shape->sizes[shape->dimensions] = value;
    shape->dimensions++;
    in->dimensions_above_1 += value > 1;
    in->any_zero |= value == 0;
    in->overflow |= __builtin_mul_overflow(in->header.count, value, &in->header.count);
    return CLI_OK;
}

/* shape: (), (3,), (2, 3), (2, 3,). */
static cli_exit take_shape(cursor *in) {
    in->header.count = 1;
    cli_exit code = expect(in, '(');
    for (bool comma = true; code == CLI_OK && !take(in, ')');) {
        if (!comma) return fail_at(in, in->at, "',' or ')' expected in the shape");
        code = take_dimension(in);
        comma = take(in, ',');
    }
    return code;
}

static cli_exit take_entry(cursor *in) {
    static const struct {
        const char *name;
        int bit;
        cli_exit (*take_value)(cursor *in);
    } entries[] = {{"descr", KEY_DESCR, take_descr},
                   {"fortran_order", KEY_FORTRAN_ORDER, take_bool},
                   {"shape", KEY_SHAPE, take_shape}};
    skip_space(in);
    const char *start = in->at, *begin = NULL, *end = NULL;
    cli_exit code = take_string(in, &begin, &end);
    if (code == CLI_OK) code = expect(in, ':');
    if (code != CLI_OK) return code;
    size_t length = (size_t)(end - begin);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (length != strlen(entries[i].name) || memcmp(begin, entries[i].name, length) != 0) continue;
        if (in->keys & entries[i].bit) return fail_at(in, start, "'%s' is given twice", entries[i].name);
        in->keys |= entries[i].bit;
        return entries[i].take_value(in);
    }
    char quoted[64];
    return fail_at(in, start, "unknown key '%s'", cli_quote(begin, end, quoted));
}

static cli_exit take_dictionary(cursor *in) {
    const char *start = in->at;
    cli_exit code = expect(in, '{');
    for (bool comma = true; code == CLI_OK && !take(in, '}');) {
        if (!comma) return fail_at(in, in->at, "',' or '}' expected");
        code = take_entry(in);
        comma = take(in, ',');
    }
    if (code != CLI_OK) return code;
    skip_space(in);
    if (in->at != in->end) return fail_at(in, in->at, "something follows the dictionary");
    if (!(in->keys & KEY_DESCR)) return fail_at(in, start, "the key 'descr' is missing");
    if (!(in->keys & KEY_FORTRAN_ORDER)) return fail_at(in, start, "the key 'fortran_order' is missing");
    if (!(in->keys & KEY_SHAPE)) return fail_at(in, start, "the key 'shape' is missing");
    return CLI_OK;
}

/* Magic, version and length; leaves the cursor on the dictionary. */
static cli_exit take_preamble(cursor *in) {
    const unsigned char *raw = (const unsigned char *)in->bytes->data;
    size_t size = in->bytes->size;
    if (!cli_npy_recognise(in->bytes)) return fail_at(in, in->at, "not an npy file: the magic \\x93NUMPY is missing");
    if (size < MAGIC_BYTES + 2) return fail_at(in, in->at + size, "the file ends in the header");
    unsigned major = raw[6], minor = raw[7];
    if (major < 1 || major > 3 || minor != 0)
        return fail_at(in, in->at + 6, "format version %u.%u is not one of 1.0 2.0 3.0", major, minor);
    size_t start = major == 1 ? 10 : 12;
    if (size < start) return fail_at(in, in->at + size, "the file ends in the header");
    uint64_t length = raw[8] | (uint64_t)raw[9] << 8;
    if (major > 1) length |= (uint64_t)raw[10] << 16 | (uint64_t)raw[11] << 24;
    if (length > size - start)
        return fail_at(in, in->at + 8, "a header of %llu bytes, but only %zu bytes follow", (unsigned long long)length,
                       size - start);
    if (length > HEADER_LIMIT)
        return fail_at(in, in->at + 8, "a header of %llu bytes; at most %llu are read", (unsigned long long)length,
                       (unsigned long long)HEADER_LIMIT);
    in->at += start;
    in->end = in->at + length;
    in->header.offset = start + length;
    return CLI_OK;
}

bool cli_npy_recognise(const cli_bytes *bytes) {
    return bytes->size >= MAGIC_BYTES && memcmp(bytes->data, MAGIC, MAGIC_BYTES) == 0;
}

cli_exit cli_npy_header_parse(const cli_bytes *bytes, cli_npy_header *header, cli_error *error) {
    cursor in = {.bytes = bytes, .at = bytes->data, .end = bytes->data + bytes->size, .error = error};
    cli_exit code = take_preamble(&in);
    const char *start = in.at;
    if (code == CLI_OK) code = take_dictionary(&in);
    if (code != CLI_OK) return code;
    uint64_t size;
    if (in.any_zero) {
        in.header.count = 0;
    } else if (in.overflow || __builtin_mul_overflow(in.header.count, (uint64_t)jr_type_size(in.header.type), &size)) {
        return fail_at(&in, start, "the shape's size in bytes is 2^64 or more");
    }
    in.header.fortran_order &= in.dimensions_above_1 > 1 && !in.any_zero;
    *header = in.header;
    return CLI_OK;
}
