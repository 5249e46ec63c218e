/* Parses the .npy header (numpy/lib/format.py): magic, version, length, then a Python dictionary literal.
 */
#include "npy_header.h"

#include <stdio.h>
#include <string.h>

#include "npy_fields.h"

#define MAGIC       "\x93NUMPY"
#define MAGIC_BYTES 6

/* Headers above this are refused, as NumPy refuses those above 10 kB: no array of ours needs more. */
#define HEADER_LIMIT ((uint64_t)1 << 20)

enum { KEY_DESCR = 1, KEY_FORTRAN_ORDER = 2, KEY_SHAPE = 4 };

static cli_exit fail_type(const cli_npy_cursor *in, const char *start, const char *name) {
#define TYPE_TEXT(name, number, text) " " text
    char known[] = JR_TYPES(TYPE_TEXT); /* as much as all of them take */
#undef TYPE_TEXT
    known[0] = '\0';
#define TYPE_LIST(name, number, text)                                                                                  \
    if (cli_npy_kind(JR_##name) != '\0') strcat(known, " " text);
    JR_TYPES(TYPE_LIST)
#undef TYPE_LIST
    const char kind = strchr("<>|=", name[0]) != NULL && name[0] != '\0' ? name[1] : name[0];
    return cli_npy_fail(in, start, "type '%s' is not one of%s%s", name, known,
                        kind == 'c'                  ? "; of complex numbers x.real, x.imag or abs(x) is saved by NumPy"
                        : kind == 'M' || kind == 'm' ? "; of times x.astype('i8') is saved by NumPy"
                        : kind == 'U' || kind == 'S'
                            ? "; texts that are keys stand in a column of a table, or in a text file, one in a line"
                        : kind == 'O' ? "; of Python's objects x.astype('f8') is saved by NumPy"
                                      : "");
}

/* descr: byte order, kind, size, as '<f4'; or a list of fields. */
static cli_exit take_descr(cli_npy_cursor *in) {
    cli_npy_skip_space(in);
    const char *start = in->at, *begin = NULL, *end = NULL;
    if (start < in->end && *start == '[') return cli_npy_take_fields(in);
    cli_exit code = cli_npy_take_string(in, &begin, &end);
    if (code != CLI_OK) return code;
    char quoted[64];
    in->header.type = cli_npy_find_type(begin, end, &in->header.swapped);
    if (in->header.type == JR_TYPE_NONE) return fail_type(in, start, cli_quote(begin, end, quoted));
    if (in->bytes->field != NULL)
        return cli_npy_fail(in, start, "'%s' has no fields: --field", cli_quote(begin, end, quoted));
    in->header.unnamed = cli_npy_is_unnamed(begin, end);
    in->header.item_bytes = jr_type_size(in->header.type);
    return CLI_OK;
}

static cli_exit take_bool(cli_npy_cursor *in) {
    cli_npy_skip_space(in);
    size_t left = (size_t)(in->end - in->at);
    bool is_true = left >= 4 && memcmp(in->at, "True", 4) == 0;
    bool is_false = left >= 5 && memcmp(in->at, "False", 5) == 0;
    if (!is_true && !is_false) return cli_npy_fail(in, in->at, "True or False expected");
    in->at += is_true ? 4 : 5;
    in->header.fortran_order = is_true;
    return CLI_OK;
}

static cli_exit take_dimension(cli_npy_cursor *in) {
    cli_npy_skip_space(in);
    const char *start = in->at;
    uint64_t value = 0;
    bool overflow = false;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++) {
        overflow |= __builtin_mul_overflow(value, UINT64_C(10), &value);
        overflow |= __builtin_add_overflow(value, (uint64_t)(*in->at - '0'), &value);
    }
    if (in->at == start) return cli_npy_fail(in, start, "a dimension expected: a number that is not negative");
    if (overflow) return cli_npy_fail(in, start, "a dimension of 2^64 or more");
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
static cli_exit take_shape(cli_npy_cursor *in) {
    in->header.count = 1;
    cli_exit code = cli_npy_expect(in, '(');
    for (bool comma = true; code == CLI_OK && !cli_npy_take(in, ')');) {
        if (!comma) return cli_npy_fail(in, in->at, "',' or ')' expected in the shape");
        code = take_dimension(in);
        comma = cli_npy_take(in, ',');
    }
    return code;
}

static cli_exit take_entry(cli_npy_cursor *in) {
    static const struct {
        const char *name;
        int bit;
        cli_exit (*take_value)(cli_npy_cursor *in);
    } entries[] = {{"descr", KEY_DESCR, take_descr},
                   {"fortran_order", KEY_FORTRAN_ORDER, take_bool},
                   {"shape", KEY_SHAPE, take_shape}};
    cli_npy_skip_space(in);
    const char *start = in->at, *begin = NULL, *end = NULL;
    cli_exit code = cli_npy_take_string(in, &begin, &end);
    if (code == CLI_OK) code = cli_npy_expect(in, ':');
    if (code != CLI_OK) return code;
    size_t length = (size_t)(end - begin);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (length != strlen(entries[i].name) || memcmp(begin, entries[i].name, length) != 0) continue;
        if (in->keys & entries[i].bit) return cli_npy_fail(in, start, "'%s' is given twice", entries[i].name);
        in->keys |= entries[i].bit;
        return entries[i].take_value(in);
    }
    char quoted[64];
    return cli_npy_fail(in, start, "unknown key '%s'", cli_quote(begin, end, quoted));
}

static cli_exit take_dictionary(cli_npy_cursor *in) {
    const char *start = in->at;
    cli_exit code = cli_npy_expect(in, '{');
    for (bool comma = true; code == CLI_OK && !cli_npy_take(in, '}');) {
        if (!comma) return cli_npy_fail(in, in->at, "',' or '}' expected");
        code = take_entry(in);
        comma = cli_npy_take(in, ',');
    }
    if (code != CLI_OK) return code;
    cli_npy_skip_space(in);
    if (in->at != in->end) return cli_npy_fail(in, in->at, "something follows the dictionary");
    if (!(in->keys & KEY_DESCR)) return cli_npy_fail(in, start, "the key 'descr' is missing");
    if (!(in->keys & KEY_FORTRAN_ORDER)) return cli_npy_fail(in, start, "the key 'fortran_order' is missing");
    if (!(in->keys & KEY_SHAPE)) return cli_npy_fail(in, start, "the key 'shape' is missing");
    return CLI_OK;
}

/* Bytes without control characters, but for those of lines; of a file, not of a member of an archive. */
static bool is_text(const cli_bytes *bytes) {
    enum { LOOKED_AT = 512 };
    const size_t size = bytes->size < LOOKED_AT ? bytes->size : LOOKED_AT;
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes->data[i];
        if ((c < ' ' && strchr("\t\r\n", (int)c) == NULL) || c == '\0' || c == 0x7f) return false;
    }
    return size > 0 && strstr(bytes->name, ".npz") == NULL && bytes->data[0] != '\x93';
}

/* Magic, version and length; leaves the cursor on the dictionary. */
static cli_exit take_preamble(cli_npy_cursor *in) {
    const unsigned char *raw = (const unsigned char *)in->bytes->data;
    size_t size = in->bytes->size;
    if (!cli_npy_recognise(in->bytes))
        return cli_npy_fail(in, in->at, "not an npy file: the magic \\x93NUMPY is missing%s",
                            is_text(in->bytes) ? "; the bytes look like text, which --format text reads" : "");
    if (size < MAGIC_BYTES + 2) return cli_npy_fail(in, in->at + size, "the file ends in the header");
    unsigned major = raw[6], minor = raw[7];
    if (major < 1 || major > 3 || minor != 0)
        return cli_npy_fail(in, in->at + 6, "format version %u.%u is not one of 1.0 2.0 3.0", major, minor);
    size_t start = major == 1 ? 10 : 12;
    if (size < start) return cli_npy_fail(in, in->at + size, "the file ends in the header");
    uint64_t length = raw[8] | (uint64_t)raw[9] << 8;
    if (major > 1) length |= (uint64_t)raw[10] << 16 | (uint64_t)raw[11] << 24;
    if (length > HEADER_LIMIT)
        return cli_npy_fail(in, in->at + 8, "a header of %llu bytes; at most %llu are read", (unsigned long long)length,
                            (unsigned long long)HEADER_LIMIT);
    if (length > size - start)
        return cli_npy_fail(in, in->at + 8, "a header of %llu bytes, but only %zu bytes follow",
                            (unsigned long long)length, size - start);
    in->latin1 = major < 3;
    in->at += start;
    in->end = in->at + length;
    in->header.offset = start + length;
    return CLI_OK;
}

bool cli_npy_recognise(const cli_bytes *bytes) {
    return bytes->size >= MAGIC_BYTES && memcmp(bytes->data, MAGIC, MAGIC_BYTES) == 0;
}

size_t cli_npy_header_bytes(const cli_bytes *bytes) {
    const unsigned char *raw = (const unsigned char *)bytes->data;
    if (!cli_npy_recognise(bytes) || bytes->size < 12) return 12;
    const uint64_t short_length = raw[8] | (uint64_t)raw[9] << 8;
    const uint64_t length =
        raw[6] == 1 ? short_length : short_length | (uint64_t)raw[10] << 16 | (uint64_t)raw[11] << 24;
    return length > HEADER_LIMIT ? 12 : (size_t)length + (raw[6] == 1 ? 10 : 12);
}

cli_exit cli_npy_header_parse(const cli_bytes *bytes, cli_npy_header *header, cli_error *error) {
    cli_npy_cursor in = {.bytes = bytes, .at = bytes->data, .end = bytes->data + bytes->size, .error = error};
    cli_exit code = take_preamble(&in);
    const char *start = in.at;
    if (code == CLI_OK) code = take_dictionary(&in);
    if (code != CLI_OK) return code;
    uint64_t size;
    if (in.any_zero) {
        in.header.count = 0;
    } else if (in.overflow || __builtin_mul_overflow(in.header.count, (uint64_t)in.header.item_bytes, &size)) {
        return cli_npy_fail(&in, start, "the shape's size in bytes is 2^64 or more");
    }
    in.header.fortran_order &= in.dimensions_above_1 > 1 && !in.any_zero;
    *header = in.header;
    return CLI_OK;
}
