/* Differences of floating-point results in units of the last place. */
#include "form_gap.h"

#include <math.h>
#include <string.h>

typedef struct format {
    const char *name; /* a pair's name is it with "x2" */
    int bits, mantissa, bias;
} format;

static const format *format_of(const char *type) {
    static const format formats[] = {
        {"f64", 64, 52, 1023}, {"f32", 32, 23, 127}, {"f16", 16, 10, 15}, {"bf16", 16, 7, 127}};
    size_t k = 0;
    while (k < 3 && strncmp(formats[k].name, type, strlen(formats[k].name)) != 0) k++;
    return &formats[k];
}

double form_number(const char *type, uint64_t bits, unsigned half) {
    const format *as = format_of(type);
    const uint64_t value = bits >> (16 * half), special = (UINT64_C(1) << (as->bits - as->mantissa - 1)) - 1;
    const uint64_t mantissa = value & ((UINT64_C(1) << as->mantissa) - 1), exponent = value >> as->mantissa & special;
    const uint64_t implicit = exponent ? UINT64_C(1) << as->mantissa : 0;
    double number = ldexp((double)(mantissa | implicit), (exponent ? (int)exponent : 1) - as->bias - as->mantissa);
    if (exponent == special) number = mantissa ? (double)NAN : (double)INFINITY;
    return value >> (as->bits - 1) & 1 ? -number : number;
}

/* The distance of a number to its neighbours. */
static double last_place(const format *as, double number) {
    int exponent = 1 - as->bias;
    if (number != 0 && ilogb(number) > exponent) exponent = ilogb(number);
    return ldexp(1, exponent - as->mantissa);
}

/* Differences of one number; inf when they are of no size. */
static double apart(double result, double recorded) {
    if ((isnan(result) && isnan(recorded)) || result == recorded) return 0;
    double difference = fabs(result - recorded);
    return isfinite(difference) ? difference : (double)INFINITY;
}

static bool counts(const form_row *row, uint64_t inputs[][FORM_ELEMENTS], size_t element) {
    char type[16];
    for (unsigned k = 0; row->bound->domain > 0 && form_operand_type(row, 0, k + 1, type); k++)
        if (fabs(form_number(type, inputs[k][element], 0)) > row->bound->domain) return false;
    return true;
}

static void look_at(const form_row *row, const uint64_t pair[2], unsigned half, size_t element, form_gap *gap) {
    char type[16] = "";
    form_operand_type(row, 0, 0, type);
    double recorded = form_number(type, pair[1], half), difference = apart(form_number(type, pair[0], half), recorded);
    double place = isfinite(recorded) ? last_place(format_of(type), recorded) : 1;
    bool first = gap->beyond == 0;
    if (difference > row->bound->ulps * place + row->bound->absolute) gap->beyond++;
    if ((first && gap->beyond) || (first && difference / place > gap->ulps)) gap->worst = element;
    if (difference / place > gap->ulps) gap->ulps = difference / place;
}

form_gap form_gap_of(const form_row *row, const uint64_t *results, const uint64_t *recorded) {
    uint64_t inputs[FORM_SOURCES][FORM_ELEMENTS];
    form_gap gap = {0, 0, 0};
    for (unsigned k = 0; k < FORM_SOURCES; k++) form_input(row, 0, k, inputs[k]);
    const unsigned halves = strstr(row->types, "x2") ? 2 : 1;
    for (size_t i = 0; i < FORM_ELEMENTS; i++) {
        const uint64_t pair[2] = {results[i], recorded[i]};
        if (pair[0] == pair[1] || !counts(row, inputs, i)) continue;
        for (unsigned half = 0; half < halves; half++) look_at(row, pair, half, i, &gap);
    }
    return gap;
}
