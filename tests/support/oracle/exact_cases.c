/* Makes small hard cases of exact sums. */
#include "exact_cases.h"

#include <stdlib.h>
#include <string.h>

uint64_t exact_element(const exact_format *format, const void *array, uint64_t index) {
    const size_t size = jr_type_size(format->type);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array + index * size, size);
    return bits;
}

static void put(const exact_format *format, void *array, uint64_t index, uint64_t bits) {
    const size_t size = jr_type_size(format->type);
    memcpy((char *)array + index * size, &bits, size);
}

/* What a case is made of. */
typedef enum exact_recipe {
    OF_ALL_SIZES,
    ALIKE,      /* exponents that differ by few */
    CANCELLING, /* each is followed by its negative, now and then one off in the last bit */
    TIES,       /* powers of two, half a unit or so apart */
    SUBNORMAL,
    GREATEST, /* overflow on the way */
    ZEROS,
    ODD, /* with NaNs and infinities */
    RECIPES
} exact_recipe;

static uint64_t make_element(const exact_format *format, exact_recipe recipe, int base, uint64_t before,
                             uint64_t *seed) {
    const int most = (1 << format->exponent_bits) - 1, digits = format->fraction_bits;
    const uint64_t sign = 1ull << (digits + format->exponent_bits), chance = random_bits(seed) >> 32;
    const uint64_t of_chance = random_bits(seed) & (sign | ((1ull << digits) - 1));
    uint64_t field = random_below(seed, (uint64_t)most); /* no infinity */
    switch (recipe) {
    case ALIKE: field = (uint64_t)base + chance % 4; break;
    case CANCELLING:
        if (chance % 4 != 0) return (before ^ sign) ^ (chance % 16 == 1);
        break;
    case TIES: /* powers of two about the precision apart, and now and then one far below that decides */
        field = chance % 3 == 0 ? (uint64_t)base : (uint64_t)base + (uint64_t)digits + chance / 8 % 4;
        if (chance % 7 == 0) field = random_below(seed, (uint64_t)base + 1);
        if (field >= (uint64_t)most) field = (uint64_t)most - 1;
        return (of_chance & sign) | field << digits | (chance % 5 == 0);
    case SUBNORMAL: field = chance % 8 == 0; break;
    case GREATEST: field = (uint64_t)most - 1 - (chance % 8 == 0); break;
    case ZEROS: return chance % 8 != 0 ? sign : chance % 2 != 0 ? 0 : of_chance & sign;
    case ODD:
        if (chance % 6 == 0) return (of_chance & sign) | (uint64_t)most << digits | (chance % 5 == 0);
        break;
    default: break;
    }
    return of_chance | field << digits;
}

static void make_case(const exact_cases *cases, uint64_t which, void *array, uint64_t *seed) {
    const exact_recipe recipe = (exact_recipe)random_below(seed, RECIPES);
    const int most = (1 << cases->format->exponent_bits) - 1;
    const int base = (int)random_below(seed, (uint64_t)most - 4);
    uint64_t before = 0;
    for (uint64_t i = cases->offsets[which]; i < cases->offsets[which + 1]; i++) {
        before = make_element(cases->format, recipe, base, before, seed);
        put(cases->format, array, i, before);
    }
}

exact_cases exact_cases_new(jr_type type, uint64_t count, uint64_t *seed) {
    exact_cases cases = {.format = exact_format_of(type), .count = count};
    cases.offsets = malloc((count + 1) * sizeof *cases.offsets);
    cases.x = malloc(count * EXACT_CASE_MAX * jr_type_size(type) + 1);
    cases.y = malloc(count * EXACT_CASE_MAX * jr_type_size(type) + 1);
    assert_true(cases.offsets != NULL && cases.x != NULL && cases.y != NULL);
    cases.offsets[0] = 0;
    for (uint64_t c = 0; c < count; c++) {
        cases.offsets[c + 1] = cases.offsets[c] + random_below(seed, EXACT_CASE_MAX + 1);
        make_case(&cases, c, cases.x, seed);
        make_case(&cases, c, cases.y, seed);
    }
    return cases;
}

void exact_cases_free(exact_cases *cases) {
    free(cases->offsets);
    free(cases->x);
    free(cases->y);
}

jr_spec exact_cases_spec(jr_op op, jr_type type, jr_type result) {
    return JR_INIT(jr_spec, .op = op, .type = type, .result = result, .input_count = op == JR_OP_DOT ? 2 : 1,
                   .ddof = op == JR_OP_STD, .accuracy = JR_ACCURACY_EXACT);
}

void *exact_cases_results(const opened *device, const jr_spec *spec, const exact_cases *cases) {
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_segments segments = JR_INIT(jr_segments, .count = cases->count, .offsets = cases->offsets);
    void *results = malloc(cases->count * jr_type_size(spec->result));
    assert_non_null(results);
    works(jr_reduce_host_segments(device->context, spec, &layout, (const void *const[]){cases->x, cases->y}, &segments,
                                  results));
    return results;
}
