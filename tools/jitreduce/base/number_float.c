/* Parses floats from text, correctly rounded, without a locale. */
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number_part.h"

/* A float's text taken apart. value = mantissa × 10^exponent, exact unless digits were dropped. */
typedef struct decimal {
    uint64_t mantissa;
    int64_t exponent;
    bool negative;
    bool exact;   /* mantissa holds every significant digit */
    bool special; /* inf or nan: special_value */
    double special_value;
} decimal;

bool cli_is_word(const char *begin, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - begin) == length && strncasecmp(begin, word, length) == 0;
}

static bool scan_special(const char *at, const char *end, decimal *number) {
    number->special = true;
    number->special_value = cli_is_word(at, end, "nan") ? NAN : INFINITY;
    return cli_is_word(at, end, "nan") || cli_is_word(at, end, "inf") || cli_is_word(at, end, "infinity");
}

enum { EIGHT = 8 };

/* Are eight bytes digits? Their high halves are 3, and stay so when 6 is added. */
static bool are_digits(uint64_t bytes) {
    return ((bytes & 0xf0f0f0f0f0f0f0f0) | ((bytes + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4) ==
           0x3333333333333333;
}

/* The number of eight digits: neighbours are joined, then pairs, then fours. */
static uint64_t number_of(uint64_t digits) {
    digits &= 0x0f0f0f0f0f0f0f0f;
    digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
    digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffff;
    return (digits * 10000 + (digits >> 32)) & 0xffffffff;
}

/* Takes one run of digits; each digit after the point lowers the exponent by one. */
static const char *scan_digits(const char *at, const char *end, bool fraction, decimal *number) {
    for (uint64_t bytes; end - at >= EIGHT && number->mantissa < 100000000; at += EIGHT) {
        memcpy(&bytes, at, sizeof bytes);
        if (!are_digits(bytes)) break;
        number->mantissa = number->mantissa * 100000000 + number_of(bytes);
        number->exponent -= fraction ? EIGHT : 0;
    }
    for (; at < end && cli_is_digit(*at); at++) {
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
    for (; at < end && cli_is_digit(*at); at++)
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

__extension__ typedef unsigned __int128 wide;

enum { POWER_MAX = 27 }; /* 5^27 has 63 bits */

static const uint64_t powers_of_five[POWER_MAX + 1] = {1,
                                                       5,
                                                       25,
                                                       125,
                                                       625,
                                                       3125,
                                                       15625,
                                                       78125,
                                                       390625,
                                                       1953125,
                                                       9765625,
                                                       48828125,
                                                       244140625,
                                                       1220703125,
                                                       6103515625,
                                                       30517578125,
                                                       152587890625,
                                                       762939453125,
                                                       3814697265625,
                                                       19073486328125,
                                                       95367431640625,
                                                       476837158203125,
                                                       2384185791015625,
                                                       11920928955078125,
                                                       59604644775390625,
                                                       298023223876953125,
                                                       1490116119384765625,
                                                       7450580596923828125};

/* The first 64 bits of a number that is not 0, the last one set if a lower one is; *dropped: how many are lower. */
static uint64_t first_bits(wide number, int *dropped) {
    const uint64_t high = (uint64_t)(number >> 64);
    *dropped = high == 0 ? 0 : 64 - __builtin_clzll(high);
    const wide rest = number & (((wide)1 << *dropped) - 1);
    return (uint64_t)(number >> *dropped) | (rest != 0);
}

/* mantissa / 5^power as 63 or 64 bits, the last one set if a rest is left, by 2^*exponent. */
static uint64_t divided_by_five(uint64_t mantissa, int power, int *exponent) {
    const int up = __builtin_clzll(mantissa), down = __builtin_clzll(powers_of_five[power]);
    const wide dividend = (wide)(mantissa << up) << 63;
    const uint64_t divisor = powers_of_five[power] << down, quotient = (uint64_t)(dividend / divisor);
    *exponent = down - up - 63;
    return quotient | (dividend - (wide)quotient * divisor != 0);
}

/* Multiplies or divides by a power of five without losing a bit, and rounds once. False when the number is not of that
 * kind. */
static bool wide_double(const decimal *number, double *value) {
    const int power = number->exponent < 0 ? (int)-number->exponent : (int)number->exponent;
    if (!number->exact || number->mantissa == 0 || number->exponent < -POWER_MAX || number->exponent > POWER_MAX)
        return false;
    int exponent;
    const uint64_t bits = number->exponent < 0 ? divided_by_five(number->mantissa, power, &exponent)
                                               : first_bits((wide)number->mantissa * powers_of_five[power], &exponent);
    const double magnitude = ldexp((double)bits, exponent + (int)number->exponent);
    *value = number->negative ? -magnitude : magnitude;
    return true;
}

/* strtof and strtod want a terminated string. They read the point of the C locale: the command never calls setlocale.
 */
static cli_number_status parse_slow(const char *begin, const char *end, bool single, double *value) {
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

/* A correctly rounded double rounds to the right float unless it lies exactly between two floats: there the digits that
 * the first rounding dropped decide, and strtof is asked. */
static bool between_floats(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & ((UINT64_C(1) << 29) - 1)) == UINT64_C(1) << 28;
}

/* The number as float (single) or double, correctly rounded. */
static cli_number_status parse(const char *begin, const char *end, bool single, double *value) {
    decimal number;
    if (!scan_decimal(begin, end, &number)) return CLI_NUMBER_NONE;
    if (number.special)
        *value = number.negative ? -number.special_value : number.special_value;
    else if ((!fast_double(&number, value) && !wide_double(&number, value)) || (single && between_floats(*value)))
        return parse_slow(begin, end, single, value);
    return CLI_NUMBER_OK;
}

cli_number_status cli_parse_f64(const char *begin, const char *end, void *element) {
    double value = 0;
    const cli_number_status status = parse(begin, end, false, &value);
    if (status == CLI_NUMBER_OK) memcpy(element, &value, sizeof value);
    return status;
}

cli_number_status cli_parse_f32(const char *begin, const char *end, void *element) {
    double value = 0;
    const cli_number_status status = parse(begin, end, true, &value);
    const float rounded = (float)value;
    if (status == CLI_NUMBER_OK) memcpy(element, &rounded, sizeof rounded);
    return status;
}

bool cli_is_float(const char *begin, const char *end) {
    decimal number;
    return scan_decimal(begin, end, &number);
}

/* ---- narrower than f32 ---- */

/* Do a number's neighbours round to different numbers of the type? */
static bool is_between(jr_type type, double number) {
    jr_value below, above;
    return jr_value_of_number(type, nextafter(number, -INFINITY), &below) != JR_OK ||
           jr_value_of_number(type, nextafter(number, INFINITY), &above) != JR_OK ||
           memcmp(&below.as, &above.as, jr_type_size(type)) != 0;
}

static bool is_odd(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits & 1;
}

/* A correctly rounded double rounds to the right narrow number unless it lies between two of them: there the digits
 * that the first rounding dropped decide. Among the two doubles around the text, the one that ends in 1 is neither a
 * narrow number nor a tie of two, and has the same nearest narrow number as the text (rounding to odd: S. Boldo, G.
 * Melquiond, "Emulation of FMA and Correctly Rounded Sums", 2008). */
static cli_number_status round_to_odd(const char *begin, const char *end, double *number) {
    double below = *number, above = *number;
    fesetround(FE_DOWNWARD);
    cli_number_status status = parse_slow(begin, end, false, &below);
    fesetround(FE_UPWARD);
    if (status == CLI_NUMBER_OK) status = parse_slow(begin, end, false, &above);
    fesetround(FE_TONEAREST);
    *number = is_odd(below) ? below : above;
    return status;
}

cli_number_status cli_parse_narrow(jr_type type, const char *begin, const char *end, void *element) {
    double number = 0, rounded;
    jr_value value;
    cli_number_status status = cli_parse_f64(begin, end, &number);
    if (status == CLI_NUMBER_OK && isfinite(number) && is_between(type, number))
        status = round_to_odd(begin, end, &number);
    if (status != CLI_NUMBER_OK) return status;
    if (jr_value_of_number(type, number, &value) != JR_OK || jr_value_number(&value, &rounded) != JR_OK)
        return CLI_NUMBER_NONE;
    if (!isfinite(rounded) && !isnan(number) && rounded != number) return CLI_NUMBER_DOES_NOT_FIT;
    memcpy(element, &value.as, jr_type_size(type));
    return CLI_NUMBER_OK;
}
