/* Parses integers and bools from text, exactly; of all types; what was wrong, in words; and the counts of the command
 * line. */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_error.h"
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

/* The types of most texts need no look into the library's table of types, which takes as long as the digits. */
static cli_number_status parse_i64(const char *begin, const char *end, void *element) {
    const uint64_t half = (uint64_t)1 << 63;
    uint64_t bits = 0;
    const cli_number_status status = scan_integer(begin, end, half, half - 1, &bits);
    if (status == CLI_NUMBER_OK) memcpy(element, &bits, sizeof bits);
    return status;
}

cli_number_status cli_number_parse(jr_type type, const char *begin, const char *end, void *element) {
    if (type == JR_I64) return parse_i64(begin, end, element);
    if (type == JR_F64) return cli_parse_f64(begin, end, element);
    switch (jr_type_class_of(type)) {
    case JR_CLASS_BOOLEAN: return parse_boolean(begin, end, element);
    case JR_CLASS_SIGNED:
    case JR_CLASS_UNSIGNED: return parse_integer(type, begin, end, element);
    case JR_CLASS_FLOAT: break;
    case JR_CLASS_NONE: return CLI_NUMBER_NONE;
    }
    return type == JR_F32 ? cli_parse_f32(begin, end, element) : cli_parse_narrow(type, begin, end, element);
}

/* ---- exactness ---- */

enum { DIGITS_MAX = 17 }; /* of which an f64 may hold all */

/* The digits of a number without zeros at its ends, and the power of ten of a point before the first one: the same for
 * equal numbers. */
typedef struct decimal_digits {
    char digits[DIGITS_MAX];
    long count, exponent;
} decimal_digits;

/* The digits after 'e'; an exponent far beyond f64's is cut off. */
static long exponent_of(const char *at, const char *end) {
    long exponent = 0;
    const bool negative = at < end && *at == '-';
    for (; at < end; at++)
        if (cli_is_digit(*at) && exponent < 1000000) exponent = 10 * exponent + (*at - '0');
    return negative ? -exponent : exponent;
}

static decimal_digits digits_of(const char *at, const char *end) {
    decimal_digits found = {.count = 0};
    long zeros = 0, whole = 0;
    bool point = false;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        point |= *at == '.';
        if (!cli_is_digit(*at)) continue;
        if (found.count == 0 && *at == '0') {
            whole -= point;
            continue;
        }
        whole += !point;
        zeros = *at == '0' ? zeros + 1 : 0;
        if (found.count < DIGITS_MAX) found.digits[found.count] = *at;
        found.count++;
    }
    found.count -= zeros;
    found.exponent = whole + (at < end ? exponent_of(at + 1, end) : 0);
    return found;
}

bool cli_number_is_held(const char *begin, const char *end, double number) {
    char printed[64];
    const decimal_digits wanted = digits_of(begin, end);
    if (!isfinite(number) || wanted.count == 0) return wanted.count == 0; /* digits that are inf are beyond f64 */
    if (wanted.count > DIGITS_MAX || number == 0) return false;
    const int length = snprintf(printed, sizeof printed, "%.*e", (int)wanted.count - 1, number);
    const decimal_digits held = digits_of(printed, printed + length);
    return held.count == wanted.count && held.exponent == wanted.exponent &&
           memcmp(held.digits, wanted.digits, (size_t)held.count) == 0;
}

/* ---- reasons ---- */

enum { WHOLE_BYTES = 32 }; /* of the digits of a number below 2^64 */

/* Writes the digits of a text that names a whole number of this value, as 1e18 does; "its digits" where an f64 does not
 * have them all. False: the text names no whole number. */
static bool whole_digits(const char *begin, const char *end, double number, char digits[WHOLE_BYTES]) {
    const decimal_digits wanted = digits_of(begin, end);
    if (!isfinite(number) || (wanted.count > 0 && wanted.exponent < wanted.count)) return false;
    const int length = snprintf(digits, WHOLE_BYTES, "%.0f", number == 0 ? 0 : number);
    const decimal_digits held = digits_of(digits, digits + (length < WHOLE_BYTES ? length : 0));
    if (wanted.count > DIGITS_MAX || held.count != wanted.count ||
        memcmp(held.digits, wanted.digits, (size_t)held.count) != 0)
        snprintf(digits, WHOLE_BYTES, "its digits");
    return true;
}

/* 1e5 and 1.0 are whole, but integers are read from digits alone; 1e19 is beyond i64. */
static void explain_whole(jr_type type, const char *begin, const char *end, const char *quoted, char *buffer,
                          size_t bytes) {
    const char *name = jr_type_name(type);
    char digits[WHOLE_BYTES];
    uint64_t element;
    double number = 0;
    const cli_number_status parsed = cli_parse_f64(begin, end, &number);
    const bool whole = parsed == CLI_NUMBER_OK && whole_digits(begin, end, number, digits);
    const bool beyond =
        parsed == CLI_NUMBER_DOES_NOT_FIT || parsed == CLI_NUMBER_BEYOND || fabs(number) >= 0x1p64 ||
        (whole && cli_number_parse(type, digits, digits + strlen(digits), &element) == CLI_NUMBER_DOES_NOT_FIT);
    if (beyond && !isinf(number))
        snprintf(buffer, bytes, "'%s' does not fit %s", quoted, name);
    else if (whole)
        snprintf(buffer, bytes,
                 "'%s' has a point or an exponent, but the type is %s, which is read from digits alone: write %s",
                 quoted, name, digits);
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

const char *cli_number_advice(const char *text) {
    const char *end = text + strlen(text);
    if (strchr(text, ' ') != NULL) return "";
    if (strchr(text, ',') != NULL) return "; the decimal point is '.'";
    if (strchr(text, '/') != NULL) return "; write it as a decimal number";
    if (strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0) return "; write it in decimal digits";
    return cli_is_word(text, end, "true") ? "; write 1" : cli_is_word(text, end, "false") ? "; write 0" : "";
}

/* ---- counts ---- */

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
    if (cli_number_parse(JR_U64, text, end, &value) != CLI_NUMBER_OK) return false;
    if (*end == '^' || *end == 'e' || *end == 'E') {
        const char *exponent = end + 1;
        if (exponent[strspn(exponent, "0123456789")] != '\0') return false;
        if (cli_number_parse(JR_U64, exponent, exponent + strlen(exponent), &power) != CLI_NUMBER_OK) return false;
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

const char *cli_count_text(uint64_t count, char *text) {
    int power = 0;
    while (count >> power > 1) power++;
    if (count == UINT64_C(1) << power)
        snprintf(text, 24, "2^%d", power);
    else
        snprintf(text, 24, "%llu", (unsigned long long)count);
    return text;
}
