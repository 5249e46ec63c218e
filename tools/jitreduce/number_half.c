/* Parses f16 and bf16 from text, correctly rounded, and makes their bits. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "number_part.h"

/* A binary format narrower than double. */
typedef struct half_format {
    int fraction_bits;
    int least;   /* exponent of the least normal number, as frexp gives it */
    double most; /* the greatest finite number */
} half_format;

static const half_format f16_format = {10, -13, 65504}, bf16_format = {7, -125, 0x1.fep127};

/* The power of two that makes the format's numbers around a value whole. */
static int shift_of(const half_format *format, double value) {
    int exponent;
    (void)frexp(value, &exponent);
    return format->fraction_bits + 1 - (exponent < format->least ? format->least : exponent);
}

/* A correctly rounded double rounds to the right narrow number unless it lies exactly between two of them: then the
 * digits that the first rounding dropped decide. The double beyond it on their side has the same nearest number as the
 * text. */
static cli_number_status leave_tie(const char *begin, const char *end, double *value) {
    double below = *value, above = *value;
    fesetround(FE_DOWNWARD);
    cli_number_status status = cli_parse_slow(begin, end, false, &below);
    fesetround(FE_UPWARD);
    if (status == CLI_NUMBER_OK) status = cli_parse_slow(begin, end, false, &above);
    fesetround(FE_TONEAREST);
    if (status != CLI_NUMBER_OK) return status;
    if (below < *value)
        *value = below;
    else
        *value = above;
    return CLI_NUMBER_OK;
}

/* Parses to a double that the format holds exactly. */
static cli_number_status parse_half(const half_format *format, const char *begin, const char *end, double *rounded) {
    double value = 0;
    cli_number_status status = cli_parse_f64(begin, end, &value);
    if (status != CLI_NUMBER_OK || !isfinite(value)) {
        *rounded = value;
        return status;
    }
    const double scaled = ldexp(value, shift_of(format, value));
    if (fabs(scaled - trunc(scaled)) == 0.5) status = leave_tie(begin, end, &value);
    const int shift = shift_of(format, value);
    *rounded = ldexp(rint(ldexp(value, shift)), -shift);
    if (status == CLI_NUMBER_OK && fabs(*rounded) > format->most) return CLI_NUMBER_DOES_NOT_FIT;
    return status;
}

uint16_t cli_f16_bits(double value) {
    enum { SIGN = 0x8000, INFINITE = 0x7c00, NOT_A_NUMBER = 0x7e00, FRACTION = 0x3ff };
    const unsigned sign = signbit(value) ? SIGN : 0;
    int exponent;
    const double fraction = frexp(fabs(value), &exponent); /* 0, or from 0.5 to 1 */
    if (isnan(value)) return NOT_A_NUMBER;
    if (isinf(value)) return (uint16_t)(sign | INFINITE);
    if (value == 0 || exponent < f16_format.least) return (uint16_t)(sign | (unsigned)ldexp(fabs(value), 24));
    return (uint16_t)(sign | (unsigned)(exponent - f16_format.least + 1) << 10 |
                      ((unsigned)ldexp(fraction, 11) & FRACTION));
}

uint16_t cli_bf16_bits(double value) {
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return (uint16_t)(bits >> 16);
}

cli_number_status cli_parse_f16(const char *begin, const char *end, void *element) {
    double value;
    cli_number_status status = parse_half(&f16_format, begin, end, &value);
    const uint16_t bits = status == CLI_NUMBER_OK ? cli_f16_bits(value) : 0;
    if (status == CLI_NUMBER_OK) memcpy(element, &bits, sizeof bits);
    return status;
}

cli_number_status cli_parse_bf16(const char *begin, const char *end, void *element) {
    double value;
    cli_number_status status = parse_half(&bf16_format, begin, end, &value);
    const uint16_t bits = status == CLI_NUMBER_OK ? cli_bf16_bits(value) : 0;
    if (status == CLI_NUMBER_OK) memcpy(element, &bits, sizeof bits);
    return status;
}
