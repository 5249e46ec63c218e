/* Prints results for the record, and compares results with it. */
#include "form_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_PER_LINE = 32 };

/* ---- printing ---- */

static uint64_t digest_of(const form_row *row, const uint64_t *results) {
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    const size_t count = form_type_count(row) * form_result_count(row);
    for (size_t i = 0; i < count; i++)
        for (unsigned byte = 0; byte < 8; byte++)
            digest = (digest ^ (results[i] >> (8 * byte) & 255)) * UINT64_C(0x100000001b3);
    return digest;
}

static void print_name(const form_row *row, jr_text *out) {
    jr_text_append(out, "%s: %s%s\n", row->opcode, row->types, row->tail);
}

void form_record_print(const form_row *row, const uint64_t *results, jr_text *out) {
    if (!row->bound) {
        jr_text_append(out, "0x%016" PRIx64 " ", digest_of(row, results));
        print_name(row, out);
        return;
    }
    print_name(row, out);
    const int digits = (int)form_result_bytes(row, 0) * 2;
    for (size_t i = 0; i < FORM_ELEMENTS; i++)
        jr_text_append(out, "%0*" PRIx64 "%s", digits, results[i], (i + 1) % VALUES_PER_LINE ? "" : "\n");
}

/* ---- comparing ---- */

/* The next line that is for us; *at stands at its beginning, its length is returned. */
static size_t next_line(const char **at) {
    while (**at == '#') {
        *at += strcspn(*at, "\n");
        *at += **at == '\n';
    }
    return strcspn(*at, "\n");
}

static bool compare_text(const form_row *row, const uint64_t *results, const char **at, char why[256]) {
    jr_text text = {0};
    size_t length = next_line(at);
    form_record_print(row, results, &text);
    const char *name = strchr(jr_text_string(&text), ' ');
    if (strstr(*at, name) == NULL) { /* a new row: the others are compared */
        snprintf(why, 256, "no record of%.*s: make record, on a GPU, writes it", (int)strcspn(name, "\n"), name);
        jr_text_free(&text);
        return false;
    }
    bool same = text.length == length + 1 && strncmp(jr_text_string(&text), *at, text.length) == 0;
    if (!same) snprintf(why, 256, "%.110s is not %.*s", jr_text_string(&text), length > 110 ? 110 : (int)length, *at);
    *at += length + ((*at)[length] == '\n');
    jr_text_free(&text);
    return same;
}

/* FORM_ELEMENTS numbers of so many digits each. */
static bool read_values(const char **at, unsigned digits, uint64_t *values) {
    for (size_t i = 0; i < FORM_ELEMENTS; i++) {
        char word[20] = "", *end;
        if (i % VALUES_PER_LINE == 0) next_line(at);
        memcpy(word, *at, strnlen(*at, digits));
        values[i] = strtoull(word, &end, 16);
        if (end != word + digits) return false;
        *at += digits;
        *at += **at == '\n';
    }
    return true;
}

static bool compare_values(const form_row *row, const uint64_t *results, const char **at, char why[256]) {
    uint64_t recorded[FORM_ELEMENTS], first = 0;
    jr_text name = {0};
    size_t length = next_line(at);
    print_name(row, &name);
    bool same = name.length == length + 1 && strncmp(jr_text_string(&name), *at, name.length) == 0;
    jr_text_free(&name);
    *at += length + ((*at)[length] == '\n');
    if (!same || !read_values(at, form_result_bytes(row, 0) * 2, recorded)) {
        snprintf(why, 256, "%s of %s: the record holds something else", row->opcode, row->types);
        return false;
    }
    form_gap gap = form_gap_of(row, results, recorded);
    if (!gap.beyond) return true;
    uint64_t input[FORM_ELEMENTS];
    form_input(row, 0, 0, input);
    first = input[gap.worst];
    snprintf(why, 256,
             "%s of %s: %zu values are beyond the bound, %g units at most; of 0x%" PRIx64 ": 0x%" PRIx64
             ", recorded 0x%" PRIx64,
             row->opcode, row->types, gap.beyond, gap.ulps, first, results[gap.worst], recorded[gap.worst]);
    return false;
}

bool form_record_compare(const form_row *row, const uint64_t *results, const char **at, char why[256]) {
    return (row->bound ? compare_values : compare_text)(row, results, at, why);
}

/* Differences of floating-point results in units of the last place. */
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
