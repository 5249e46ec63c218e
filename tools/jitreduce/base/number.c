/* Parses integers and bools from text, exactly; of all types; and what was wrong, in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_error.h"
#include "number.h"
#include "number_exact.h"

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

/* The low bytes of the bits: little-endian, as every machine with a CUDA driver. */
static cli_number_status parse_integer(jr_type type, const char *begin, const char *end, void *element) {
    const size_t bytes = jr_type_size(type);
    const uint64_t most = UINT64_MAX >> (64 - 8 * bytes), half = most / 2 + 1;
    const bool is_signed = jr_type_class_of(type) == JR_CLASS_SIGNED;
    uint64_t bits = 0;
    const cli_number_status status = scan_integer(begin, end, is_signed ? half : 0, is_signed ? half - 1 : most, &bits);
    if (status == CLI_NUMBER_OK) memcpy(element, &bits, bytes);
    return status;
}

/* true, false, 1, 0. */
static cli_number_status parse_boolean(const char *begin, const char *end, void *element) {
    uint64_t bits = cli_is_word(begin, end, "true");
    cli_number_status status = CLI_NUMBER_OK;
    if (bits == 0 && !cli_is_word(begin, end, "false")) status = scan_integer(begin, end, 0, 1, &bits);
    if (status == CLI_NUMBER_OK) *(uint8_t *)element = (uint8_t)bits;
    return status;
}

cli_number_status cli_number_parse(jr_type type, const char *begin, const char *end, void *element) {
    switch (jr_type_class_of(type)) {
    case JR_CLASS_BOOLEAN: return parse_boolean(begin, end, element);
    case JR_CLASS_SIGNED:
    case JR_CLASS_UNSIGNED: return parse_integer(type, begin, end, element);
    case JR_CLASS_FLOAT: break;
    case JR_CLASS_NONE: return CLI_NUMBER_NONE;
    }
    if (type == JR_F64) return cli_parse_f64(begin, end, element);
    return type == JR_F32 ? cli_parse_f32(begin, end, element) : cli_parse_narrow(type, begin, end, element);
}

/* 1e5 and 1.0 are whole, but integers are read from digits alone. */
static void explain_whole(jr_type type, const char *begin, const char *end, const char *quoted, char *buffer,
                          size_t bytes) {
    const char *name = jr_type_name(type);
    double number;
    if (cli_parse_f64(begin, end, &number) == CLI_NUMBER_OK && fabs(number) < 0x1p53 && trunc(number) == number &&
        cli_number_is_held(begin, end, number))
        snprintf(buffer, bytes,
                 "'%s' has a point or an exponent, but the type is %s, which is read from digits alone: "
                 "write %.0f",
                 quoted, name, number == 0 ? 0 : number);
    else
        snprintf(buffer, bytes, "'%s' is not a whole number, but the type is %s", quoted, name);
}

const char *cli_number_explain(cli_number_status status, jr_type type, const char *begin, const char *end,
                               char *buffer) {
    char quoted[64];
    cli_quote(begin, end, quoted);
    const char *name = jr_type_name(type);
    enum { BYTES = 192 };
    switch (status) {
    case CLI_NUMBER_NOT_INTEGER: explain_whole(type, begin, end, quoted, buffer, BYTES); break;
    case CLI_NUMBER_DOES_NOT_FIT: snprintf(buffer, BYTES, "'%s' does not fit %s", quoted, name); break;
    case CLI_NUMBER_NO_MEMORY: snprintf(buffer, BYTES, "out of memory"); break;
    case CLI_NUMBER_TOO_LONG: snprintf(buffer, BYTES, "'%s' is longer than %d bytes", quoted, CLI_TOKEN_BYTES); break;
    case CLI_NUMBER_NONE:
        snprintf(buffer, BYTES, "'%s' is not a number%s", quoted, type == JR_BOOL ? ", true or false" : "");
        break;
    case CLI_NUMBER_WIDER: snprintf(buffer, BYTES, "'%s' needs a wider type than %s", quoted, name); break;
    case CLI_NUMBER_BEYOND: snprintf(buffer, BYTES, "'%s' is beyond %s", quoted, name); break;
    case CLI_NUMBER_OK: snprintf(buffer, BYTES, "'%s' is a number", quoted); break;
    }
    return buffer;
}
