/* What the results of small cases are to be, by integers. */
#include <string.h>

#include "exact_cases.h"

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
