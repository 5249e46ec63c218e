/* Parses floats narrower than f32 from text, correctly rounded. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "number_part.h"

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
    cli_number_status status = cli_parse_slow(begin, end, false, &below);
    fesetround(FE_UPWARD);
    if (status == CLI_NUMBER_OK) status = cli_parse_slow(begin, end, false, &above);
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
