/* Parses one element from text: exactly for integers, correctly rounded for floats, without a locale. */
#include "number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "error.h"

/* A float's text taken apart. value = mantissa × 10^exponent, exact unless digits were dropped. */
typedef struct decimal {
    uint64_t mantissa;
    int64_t exponent;
    bool negative;
    bool exact;   /* mantissa holds every significant digit */
    bool special; /* inf or nan: special_value */
    double special_value;
} decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(const char *begin, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - begin) == length && strncasecmp(begin, word, length) == 0;
}

static bool scan_special(const char *at, const char *end, decimal *number) {
    number->special = true;
    number->special_value = is_word(at, end, "nan") ? NAN : INFINITY;
    return is_word(at, end, "nan") || is_word(at, end, "inf") || is_word(at, end, "infinity");
}

/* Takes one run of digits; each digit behind the point lowers the exponent by one. */
static const char *scan_digits(const char *at, const char *end, bool fraction, decimal *number) {
    for (; at < end && is_digit(*at); at++) {
        if (number->mantissa < UINT64_MAX / 10 - 9) {
            number->mantissa = number->mantissa * 10 + (uint64_t)(*at - '0');
            number->exponent -= fraction;
        } else {
            number->exact &= *at == '0';
            number->exponent += !fraction;
        }
    }
    return at;
}

static bool scan_exponent(const char *at, const char *end, decimal *number) {
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return false;
    int64_t exponent = 0;
    for (; at < end && is_digit(*at); at++)
        if (exponent < 1000000) exponent = exponent * 10 + (*at - '0');
    number->exponent += negative ? -exponent : exponent;
    return at == end;
}

static bool scan_decimal(const char *at, const char *end, decimal *number) {
    *number = (decimal){.exact = true};
    if (at < end && (*at == '-' || *at == '+')) number->negative = *at++ == '-';
    const char *whole = at;
    at = scan_digits(at, end, false, number);
    int64_t digits = at - whole;
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        at = scan_digits(at, end, true, number);
        digits += at - fraction;
    }
    if (digits == 0) return at == whole && scan_special(at, end, number);
    if (at == end) return true;
    return (*at == 'e' || *at == 'E') && scan_exponent(at + 1, end, number);
}

/* Clinger's fast path ("How to Read Floating Point Numbers Accurately", 1990): both factors are exact doubles, so the
 * one operation rounds correctly. False when the number is not of that kind. */
static bool fast_double(const decimal *number, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!number->exact || number->mantissa > UINT64_C(1) << 53) return false;
    if (number->exponent < -22 || number->exponent > 22) return false;
    double magnitude = (double)number->mantissa;
    magnitude = number->exponent < 0 ? magnitude / powers[-number->exponent] : magnitude * powers[number->exponent];
    *value = number->negative ? -magnitude : magnitude;
    return true;
}

/* strtof and strtod want a terminated string. They read the point of the C locale: the command never calls setlocale.
 */
static cli_number_status slow_float(const char *begin, const char *end, bool single, double *value) {
    char small[64];
    size_t length = (size_t)(end - begin);
    char *text = length < sizeof small ? small : malloc(length + 1);
    if (text == NULL) return CLI_NUMBER_NO_MEMORY;
    memcpy(text, begin, length);
    text[length] = '\0';
    *value = single ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (text != small) free(text);
    return isinf(*value) ? CLI_NUMBER_DOES_NOT_FIT : CLI_NUMBER_OK;
}

static cli_number_status parse_F64(const char *begin, const char *end, void *element) {
    decimal number;
    double value;
    if (!scan_decimal(begin, end, &number)) return CLI_NUMBER_NONE;
    if (number.special) {
        value = number.negative ? -number.special_value : number.special_value;
    } else if (!fast_double(&number, &value)) {
        cli_number_status status = slow_float(begin, end, false, &value);
        if (status != CLI_NUMBER_OK) return status;
    }
    memcpy(element, &value, sizeof value);
    return CLI_NUMBER_OK;
}

/* A correctly rounded double rounds to the right float unless it lies exactly between two floats: there the digits that
 * the first rounding dropped decide, and strtof is asked. */
static bool between_floats(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & ((UINT64_C(1) << 29) - 1)) == UINT64_C(1) << 28;
}

static cli_number_status parse_F32(const char *begin, const char *end, void *element) {
    decimal number;
    double value;
    if (!scan_decimal(begin, end, &number)) return CLI_NUMBER_NONE;
    if (number.special) {
        value = number.negative ? -number.special_value : number.special_value;
    } else if (!fast_double(&number, &value) || between_floats(value)) {
        cli_number_status status = slow_float(begin, end, true, &value);
        if (status != CLI_NUMBER_OK) return status;
    }
    float rounded = (float)value;
    memcpy(element, &rounded, sizeof rounded);
    return CLI_NUMBER_OK;
}

static cli_number_status not_an_integer(const char *begin, const char *end) {
    decimal number;
    return scan_decimal(begin, end, &number) ? CLI_NUMBER_NOT_INTEGER : CLI_NUMBER_NONE;
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
    for (; at < end && is_digit(*at); at++) {
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

/* Words or whole numbers: what is not zero is true. */
static cli_number_status parse_BOOL(const char *begin, const char *end, void *element) {
    uint64_t bits = is_word(begin, end, "true");
    cli_number_status status = CLI_NUMBER_OK;
    if (bits == 0 && !is_word(begin, end, "false")) status = scan_integer(begin, end, 0, 1, &bits);
    if (status == CLI_NUMBER_OK) *(uint8_t *)element = (uint8_t)bits;
    return status;
}

/* Rounds a double to the nearest number of so many fraction bits, ties to even; least: exponent (as frexp gives it) of
 * the least normal number. */
static double round_to(double value, int fraction_bits, int least) {
    int exponent;
    frexp(value, &exponent);
    if (exponent < least) exponent = least;
    return ldexp(rint(ldexp(value, fraction_bits + 1 - exponent)), exponent - fraction_bits - 1);
}

static uint16_t f16_bits(double value) {
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value)) return 0x7e00;
    if (isinf(value)) return sign | 0x7c00;
    int exponent;
    double fraction = frexp(fabs(value), &exponent); /* 0.5 to 1 */
    if (exponent < -13) return (uint16_t)(sign | (unsigned)ldexp(fabs(value), 24));
    return (uint16_t)(sign | ((unsigned)(exponent + 14) << 10) | ((unsigned)ldexp(fraction, 11) & 0x3ff));
}

static cli_number_status parse_F16(const char *begin, const char *end, void *element) {
    double value;
    cli_number_status status = parse_F64(begin, end, &value);
    if (status != CLI_NUMBER_OK) return status;
    double rounded = isfinite(value) ? round_to(value, 10, -13) : value;
    if (isfinite(value) && fabs(rounded) > 65504) return CLI_NUMBER_DOES_NOT_FIT;
    uint16_t bits = f16_bits(rounded);
    memcpy(element, &bits, sizeof bits);
    return CLI_NUMBER_OK;
}

static cli_number_status parse_BF16(const char *begin, const char *end, void *element) {
    double value;
    cli_number_status status = parse_F64(begin, end, &value);
    if (status != CLI_NUMBER_OK) return status;
    float rounded = (float)(isfinite(value) ? round_to(value, 7, -125) : value);
    if (isfinite(value) && isinf(rounded)) return CLI_NUMBER_DOES_NOT_FIT;
    uint32_t wide;
    memcpy(&wide, &rounded, sizeof wide);
    uint16_t bits = (uint16_t)(wide >> 16);
    memcpy(element, &bits, sizeof bits);
    return CLI_NUMBER_OK;
}

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
    case CLI_NUMBER_NONE: snprintf(buffer, BYTES, "'%s' is not a number", quoted); break;
    case CLI_NUMBER_OK: snprintf(buffer, BYTES, "'%s' is a number", quoted); break;
    }
    return buffer;
}

/* Multiplies by base, times times; false on overflow. */
static bool scale(uint64_t *value, uint64_t base, uint64_t times) {
    if (*value == 0 || base == 1) return true;
    if (base == 0 && times != 0) return *value = 0, true;
    for (uint64_t i = 0; i < times; i++)
        if (__builtin_mul_overflow(*value, base, value)) return false;
    return true;
}

bool cli_count_parse(const char *text, uint64_t *count) {
    static const char suffixes[] = "kMGT";
    const char *end = text + strspn(text, "0123456789");
    uint64_t value = 0, power = 0;
    if (parse_U64(text, end, &value) != CLI_NUMBER_OK) return false;
    if (*end == '^' || *end == 'e' || *end == 'E') {
        const char *exponent = end + 1;
        if (exponent[strspn(exponent, "0123456789")] != '\0') return false;
        if (parse_U64(exponent, exponent + strlen(exponent), &power) != CLI_NUMBER_OK) return false;
        uint64_t base = *end == '^' ? value : 10;
        if (*end == '^') value = 1;
        if (!scale(&value, base, power)) return false;
    } else if (*end != '\0') {
        const char *suffix = strchr(suffixes, *end == 'K' ? 'k' : *end);
        bool binary = end[1] == 'i';
        if (suffix == NULL || end[1 + binary] != '\0') return false;
        if (!scale(&value, binary ? 1024 : 1000, (uint64_t)(suffix - suffixes) + 1)) return false;
    }
    *count = value;
    return true;
}
