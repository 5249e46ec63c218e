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
    cases.offsets = test_bytes((count + 1) * sizeof *cases.offsets);
    cases.x = test_bytes(count * EXACT_CASE_MAX * jr_type_size(type) + 1);
    cases.y = test_bytes(count * EXACT_CASE_MAX * jr_type_size(type) + 1);
    cases.offsets[0] = 0;
    for (uint64_t c = 0; c < count; c++) {
        cases.offsets[c + 1] = cases.offsets[c] + random_below(seed, EXACT_CASE_MAX + 1);
        make_case(&cases, c, cases.x, seed);
        make_case(&cases, c, cases.y, seed);
    }
    return cases;
}

jr_spec exact_cases_spec(jr_op op, jr_type type, jr_type result) {
    return JR_INIT(jr_spec, .op = op, .type = type, .result = result, .input_count = op == JR_OP_DOT ? 2 : 1,
                   .ddof = op == JR_OP_STD, .accuracy = JR_ACCURACY_EXACT);
}

void *exact_cases_results(const opened *device, const jr_spec *spec, const exact_cases *cases) {
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = cases->count, .offsets = cases->offsets);
    void *results = test_bytes(cases->count * jr_type_size(spec->result));
    works(jr_work_run_host(device->context, WORK(spec, .layout = &layout),
                           DATA_OF(segments, FROM(cases->x, cases->y), results)));
    return results;
}

/* What the results of small cases are to be, by integers. */

/* What a case's terms come to: for var and std the terms are elements, and squares are added up, too. */
typedef struct terms {
    exact_number sum, squares;
    uint64_t count;
    bool nan, infinite[2], all_minus_zero; /* infinite: [1] negative */
} terms;

static bool is_variance(jr_op op) {
    return op == JR_OP_VAR || op == JR_OP_STD;
}

static bool adds_products(jr_op op) {
    return op == JR_OP_DOT || op == JR_OP_SUMSQ || op == JR_OP_NORM2;
}

static void add_term(terms *all, jr_op op, exact_float x, exact_float y) {
    const exact_wide product = (exact_wide)x.magnitude * y.magnitude;
    const bool negative = op == JR_OP_NORM1 ? false : adds_products(op) ? x.negative != y.negative : x.negative;
    const bool products = adds_products(op);
    const exact_wide magnitude = products ? product : x.magnitude;
    const bool infinite = x.kind == EXACT_INFINITE || (products && y.kind == EXACT_INFINITE);
    all->count++;
    if (x.kind == EXACT_NAN || (products && (y.kind == EXACT_NAN || (infinite && product == 0))))
        all->nan = true;
    else if (infinite)
        all->infinite[negative] = true;
    else {
        exact_add(&all->sum, negative, magnitude, products ? x.exponent + y.exponent : x.exponent);
        if (is_variance(op)) exact_add(&all->squares, false, (exact_wide)x.magnitude * x.magnitude, 2 * x.exponent);
    }
    if (magnitude != 0 || infinite || !negative) all->all_minus_zero = false;
}

static terms add_terms(const exact_cases *cases, uint64_t which, jr_op op) {
    terms all = {.sum.least = adds_products(op) ? EXACT_LEAST_OF_PRODUCTS : EXACT_MIN,
                 .squares.least = EXACT_LEAST_OF_PRODUCTS,
                 .all_minus_zero = true};
    for (uint64_t i = cases->offsets[which]; i < cases->offsets[which + 1]; i++) {
        const exact_float x = exact_take_apart(cases->format, exact_element(cases->format, cases->x, i));
        const exact_float y = exact_take_apart(cases->format, exact_element(cases->format, cases->y, i));
        add_term(&all, op, x, op == JR_OP_DOT ? y : x);
    }
    if (all.count == 0) all.all_minus_zero = false;
    return all;
}

/* Checks the variance of n elements: (n * squares - sum^2) / (n * (n - ddof)). With n <= ddof it is 0 / 0 if all
 * elements are equal, else infinite.
 */
static bool variance_holds(const terms *all, bool root, unsigned ddof, const exact_format *format, uint64_t result) {
    const exact_float got = exact_take_apart(format, result);
    const exact_number left = exact_times(&all->squares, all->count), right = exact_square(&all->sum);
    const exact_number value = exact_less(&left, &right);
    if (all->nan || all->infinite[0] || all->infinite[1]) return got.kind == EXACT_NAN;
    if (all->count <= ddof)
        return exact_is_zero(&value) ? got.kind == EXACT_NAN : got.kind == EXACT_INFINITE && !got.negative;
    if (exact_is_zero(&value) && got.negative) return false;
    return exact_is_nearest(&value, all->count * (all->count - ddof), root, format, result);
}

bool exact_case_holds(const exact_cases *cases, uint64_t which, const jr_spec *spec, uint64_t result) {
    const exact_format *format = exact_format_of(spec->result);
    const jr_op op = spec->op;
    const terms all = add_terms(cases, which, op);
    const exact_float got = exact_take_apart(format, result);
    if (is_variance(op)) return variance_holds(&all, op == JR_OP_STD, (unsigned)spec->ddof, format, result);
    if (all.nan || (all.infinite[0] && all.infinite[1]) || (op == JR_OP_MEAN && all.count == 0))
        return got.kind == EXACT_NAN;
    if (all.infinite[0] || all.infinite[1]) return got.kind == EXACT_INFINITE && got.negative == all.infinite[1];
    if (exact_is_zero(&all.sum) && got.negative != all.all_minus_zero) return false;
    return exact_is_nearest(&all.sum, op == JR_OP_MEAN ? all.count : 1, op == JR_OP_NORM2, format, result);
}
