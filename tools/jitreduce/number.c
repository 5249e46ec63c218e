/* Parses integers and bools from text, exactly; the table of all parsers; and what was wrong, in words. */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "number_part.h"

static cli_number_status not_an_integer(const char *begin, const char *end) {
    return cli_is_float(begin, end) ? CLI_NUMBER_NOT_INTEGER : CLI_NUMBER_NONE;
}

/* Scans [+-] digits; the magnitude must not exceed the limit of its sign. */
static cli_number_status scan_integer(const char *begin, const char *end, uint64_t below, uint64_t above,
                                      uint64_t *bits) {
    const char *at = begin;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return CLI_NUMBER_NONE;
    uint64_t magnitude = 0;
    bool overflow = false;
    for (; at < end && cli_is_digit(*at); at++) {
        overflow |= __builtin_mul_overflow(magnitude, UINT64_C(10), &magnitude);
        overflow |= __builtin_add_overflow(magnitude, (uint64_t)(*at - '0'), &magnitude);
    }
    if (at < end) return not_an_integer(begin, end);
    if (overflow || magnitude > (negative ? below : above)) return CLI_NUMBER_DOES_NOT_FIT;
    *bits = negative ? -magnitude : magnitude;
    return CLI_NUMBER_OK;
}

#define INTEGER_PARSER(name, c_type, below, above)                                                                     \
    static cli_number_status parse_##name(const char *begin, const char *end, void *element) {                         \
        uint64_t bits = 0;                                                                                             \
        cli_number_status status = scan_integer(begin, end, (uint64_t)(below), (uint64_t)(above), &bits);              \
        c_type value = (c_type)bits;                                                                                   \
        if (status == CLI_NUMBER_OK) memcpy(element, &value, sizeof value);                                            \
        return status;                                                                                                 \
    }
INTEGER_PARSER(I8, int8_t, UINT64_C(1) << 7, INT8_MAX)
INTEGER_PARSER(U8, uint8_t, 0, UINT8_MAX)
INTEGER_PARSER(I16, int16_t, UINT64_C(1) << 15, INT16_MAX)
INTEGER_PARSER(U16, uint16_t, 0, UINT16_MAX)
INTEGER_PARSER(I32, int32_t, UINT64_C(1) << 31, INT32_MAX)
INTEGER_PARSER(U32, uint32_t, 0, UINT32_MAX)
INTEGER_PARSER(I64, int64_t, UINT64_C(1) << 63, INT64_MAX)
INTEGER_PARSER(U64, uint64_t, 0, UINT64_MAX)

/* true, false, 1, 0. */
static cli_number_status parse_BOOL(const char *begin, const char *end, void *element) {
    uint64_t bits = cli_is_word(begin, end, "true");
    cli_number_status status = CLI_NUMBER_OK;
    if (bits == 0 && !cli_is_word(begin, end, "false")) status = scan_integer(begin, end, 0, 1, &bits);
    if (status == CLI_NUMBER_OK) *(uint8_t *)element = (uint8_t)bits;
    return status;
}

#define parse_F16  cli_parse_f16
#define parse_BF16 cli_parse_bf16
#define parse_F32  cli_parse_f32
#define parse_F64  cli_parse_f64

cli_number_parser cli_number_parser_get(jr_type type) {
    switch (type) {
#define PARSER(name, number, text)                                                                                     \
    case JR_##name: return parse_##name;
        JR_TYPES(PARSER)
#undef PARSER
    case JR_STRUCT:
    case JR_TYPE_NONE: break;
    }
    return NULL;
}

const char *cli_number_explain(cli_number_status status, jr_type type, const char *begin, const char *end,
                               char *buffer) {
    char quoted[64];
    cli_quote(begin, end, quoted);
    const char *name = jr_type_name(type);
    enum { BYTES = 192 };
    switch (status) {
    case CLI_NUMBER_NOT_INTEGER:
        snprintf(buffer, BYTES, "'%s' is not a whole number, and the type is %s", quoted, name);
        break;
    case CLI_NUMBER_DOES_NOT_FIT: snprintf(buffer, BYTES, "'%s' does not fit %s", quoted, name); break;
    case CLI_NUMBER_NO_MEMORY: snprintf(buffer, BYTES, "out of memory"); break;
    case CLI_NUMBER_TOO_LONG: snprintf(buffer, BYTES, "'%s' is longer than %d bytes", quoted, CLI_TOKEN_BYTES); break;
    case CLI_NUMBER_NONE:
        snprintf(buffer, BYTES, "'%s' is not a number%s", quoted, type == JR_BOOL ? ", true or false" : "");
        break;
    case CLI_NUMBER_OK: snprintf(buffer, BYTES, "'%s' is a number", quoted); break;
    }
    return buffer;
}
